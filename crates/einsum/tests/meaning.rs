//! Compares an interpreter of nests with the definition of an einsum, with NumPy (`expected.tsv`, made by `expected.py`) and with the trace
//! of the affine program: the results, and the accesses in their order.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests stop at the first surprise")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use symloc_affine::{AccessKind, Layout, Line};
use symloc_einsum::kernel::ArrayAccess;
use symloc_einsum::nest::NestNode;
use symloc_einsum::{ArrayId, Element, Expression, IndexLetter, Kernel, Place};
use symloc_sim::Trace;

type IndexSizes = BTreeMap<IndexLetter, usize>;

/// The values of all indices that are in a loop.
type IndexValues = BTreeMap<IndexLetter, usize>;

/// Returns the sizes 2, 3, 2, …, in the order in which the indices first occur.
fn sizes(expression: &Expression) -> IndexSizes {
    expression.indices().into_iter().enumerate().map(|(position, index)| (index, 2 + position % 2)).collect()
}

/// Returns an element of an operand, as in `expected.py`.
fn element(operand: usize, position: usize) -> i128 {
    1 + ((position * position + operand) % 5) as i128
}

/// Returns the row-major offset of an element.
fn offset(indices: &[IndexLetter], sizes: &IndexSizes, point: &IndexValues) -> usize {
    indices.iter().fold(0, |offset, index| offset * sizes[index] + point[index])
}

fn volume(indices: &[IndexLetter], sizes: &IndexSizes) -> usize {
    indices.iter().map(|index| sizes[index]).product()
}

/// Calls `visit` at all points of these indices, in lexicographic order.
fn scan(indices: &[IndexLetter], sizes: &IndexSizes, point: &mut IndexValues, visit: &mut dyn FnMut(&IndexValues)) {
    let Some((index, inner)) = indices.split_first() else { return visit(point) };
    for value in 0..sizes[index] {
        point.insert(*index, value);
        scan(inner, sizes, point, visit);
    }
    point.remove(index);
}

/// Computes the definition: for all points of all indices, the product of the operands is added to an element of the output.
fn definition(expression: &Expression, sizes: &IndexSizes) -> Vec<i128> {
    let output = &expression.output.indices;
    let mut result = vec![0; volume(output, sizes)];
    scan(&expression.indices(), sizes, &mut IndexValues::new(), &mut |point| {
        let factors = expression.operands.iter().enumerate();
        let product: i128 = factors.map(|(q, o)| element(q, offset(&o.indices, sizes, point))).product();
        result[offset(output, sizes, point)] += product;
    });
    result
}

/// Runs nests; memory that was never written is absent.
struct NestRunner<'k> {
    kernel: &'k Kernel,
    sizes: IndexSizes,
    memory: BTreeMap<(ArrayId, usize), i128>,
    trace: Vec<(AccessKind, ArrayId, usize)>,
}

impl<'k> NestRunner<'k> {
    fn new(kernel: &'k Kernel, sizes: &IndexSizes) -> Self {
        let mut memory = BTreeMap::new();
        for (q, id) in kernel.operands.iter().enumerate() {
            for position in 0..volume(&kernel.array(*id).indices, sizes) {
                memory.insert((*id, position), element(q, position));
            }
        }
        Self { kernel, sizes: sizes.clone(), memory, trace: Vec::new() }
    }

    /// Runs the nests, and returns the result.
    fn run(&mut self) -> Vec<i128> {
        for nest in self.kernel.nests() {
            self.nodes(&nest, &mut IndexValues::new());
        }
        let result = self.kernel.result;
        let count = volume(&self.kernel.array(result).indices, &self.sizes);
        (0..count).map(|position| self.memory[&(result, position)]).collect()
    }

    fn nodes(&mut self, nodes: &[NestNode], point: &mut IndexValues) {
        nodes.iter().for_each(|node| self.node(node, point));
    }

    fn node(&mut self, node: &NestNode, point: &mut IndexValues) {
        match node {
            NestNode::Loop { index, body } => {
                for value in 0..self.sizes[index] {
                    point.insert(*index, value);
                    self.nodes(body, point);
                }
                point.remove(index);
            }
            NestNode::Zero(target) => self.write(*target, point, 0),
            NestNode::Assign { target, factors } => {
                let product = self.product(factors, point);
                self.write(*target, point, product);
            }
            NestNode::Add { target, factors } => {
                let product = self.product(factors, point);
                let sum = self.read(*target, point) + product;
                self.write(*target, point, sum);
            }
            NestNode::Reduce { target, loops, factors } => {
                let (sizes, mut sum) = (self.sizes.clone(), 0);
                scan(loops, &sizes, &mut point.clone(), &mut |point| sum += self.product(factors, point));
                self.write(*target, point, sum);
            }
        }
    }

    fn product(&mut self, factors: &[ArrayAccess], point: &IndexValues) -> i128 {
        factors.iter().map(|factor| self.read(*factor, point)).product()
    }

    fn read(&mut self, access: ArrayAccess, point: &IndexValues) -> i128 {
        let place = self.touch(AccessKind::Read, access, point);
        self.memory[&place]
    }

    fn write(&mut self, access: ArrayAccess, point: &IndexValues, value: i128) {
        let place = self.touch(AccessKind::Write, access, point);
        self.memory.insert(place, value);
    }

    fn touch(&mut self, kind: AccessKind, access: ArrayAccess, point: &IndexValues) -> (ArrayId, usize) {
        let position = offset(&self.kernel.array(access.array).indices, &self.sizes, point);
        self.trace.push((kind, access.array, position));
        (access.array, position)
    }
}

/// Checks that the nests compute the expression, and that the program makes the same accesses in the same order.
fn check(kernel: &Kernel) -> Vec<i128> {
    let sizes = sizes(&kernel.expression);
    let mut runner = NestRunner::new(kernel, &sizes);
    let result = runner.run();
    assert_eq!(result, definition(&kernel.expression, &sizes), "{kernel:#?}");
    assert_eq!(program_trace(kernel, &sizes), numbered(&runner.trace), "{}", kernel.program(Element::F64));
    result
}

/// Returns the kind of each access and its element, numbered in the order of first touch.
fn program_trace(kernel: &Kernel, sizes: &IndexSizes) -> Vec<(AccessKind, usize)> {
    let program = kernel.program(Element::F64);
    let sizes: Vec<i64> = kernel.expression.indices().iter().map(|index| sizes[index] as i64).collect();
    let trace = Trace::new(&program, &sizes, Layout::Rows, Line::Element).unwrap();
    let mut found = Vec::new();
    trace.for_each(|access, block| found.push((program.access(access).kind, block.index()))).unwrap();
    found
}

fn numbered(trace: &[(AccessKind, ArrayId, usize)]) -> Vec<(AccessKind, usize)> {
    let mut numbers = BTreeMap::new();
    let mut number = |place| {
        let next = numbers.len();
        *numbers.entry(place).or_insert(next)
    };
    trace.iter().map(|(kind, array, position)| (*kind, number((*array, *position)))).collect()
}

fn kernel(expression: &str) -> Kernel {
    Kernel::from_expression("<expression>", expression).unwrap_or_else(|errors| panic!("{errors}"))
}

fn file(name: &str) -> Option<Kernel> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../einsum").join(format!("{name}.einsum"));
    let text = fs::read_to_string(path).ok()?;
    Some(Kernel::from_file(&format!("einsum/{name}.einsum"), &text).unwrap_or_else(|errors| panic!("{errors}")))
}

#[test]
fn kernels_and_paths_give_what_numpy_gives() {
    let mut files = 0;
    for line in include_str!("expected.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [name, expression, values] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let expected: Vec<i128> = values.split(' ').map(|value| value.parse().unwrap()).collect();
        let contracted = kernel(expression);
        if let Some(kernel) = file(name) {
            files += 1;
            assert_eq!(kernel.name, name);
            assert_eq!(kernel.expression.to_string(), expression);
            assert_eq!(check(&kernel), expected, "einsum/{name}.einsum");
        }
        assert_eq!(check(&contracted), expected, "{expression}, contracted");
        assert_eq!(check(&contracted.direct()), expected, "{expression}, direct");
    }
    assert_eq!(files, 16);
}

#[test]
fn every_kernel_has_a_result_of_numpy() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../einsum");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(include_str!("expected.tsv").contains(&format!("\n{name}\t")), "run expected.py for {name}");
    }
}

/// A small generator of numbers (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// Returns an expression of up to ten operands with up to three of six indices, and an output.
    fn expression(&mut self) -> String {
        let letters = ["a", "b", "c", "D", "E", "f"];
        let operands: Vec<String> = (0..=self.below(9))
            .map(|_| (0..self.below(4)).map(|_| letters[self.below(6) as usize]).collect())
            .collect();
        let inputs = operands.join(",");
        let output: String =
            letters.iter().filter(|letter| inputs.contains(**letter) && self.below(3) == 0).rev().copied().collect();
        format!("{inputs}->{output}")
    }
}

#[test]
fn random_expressions_are_computed_as_defined() {
    let mut rng = Rng(0x5eed);
    let texts: Vec<String> =
        std::iter::repeat_with(|| rng.expression()).filter(|text| !text.starts_with("->")).take(100).collect();
    for text in texts {
        let contracted = kernel(&text);
        assert_eq!(check(&contracted), check(&contracted.clone().direct()), "{text}");
        assert_eq!(Expression::parse(&text, Place::START).unwrap().to_string(), text);
    }
}

#[test]
fn all_forms_of_statements_compute_the_same() {
    for statements in [
        "Y[i,j] = A[i,k] * B[k,j]",
        "Y[i,j] = sum A[i,k] * B[k,j]",
        "for j, i, k: Y[i,j] = sum A[i,k] * B[k,j]",
        "Y[i,j] = 0\nY[i,j] += A[i,k] * B[k,j]",
        "Y[i,j] = 0\nfor k, j, i: Y[i,j] += A[i,k] * B[k,j]",
        "for j, i: Y[i,j] = 0\nT[k,j] = B[k,j]\nfor i, k, j: Y[i,j] += A[i,k] * T[k,j]",
        "T[i,j,k] = A[i,k] * B[k,j]\nY[i,j] = T[i,j,k]",
        "B2[j,k] = B[k,j]\nY[i,j] = sum B2[j,k] * A[i,k]",
        "UNUSED[i] = sum A[i,k]\nY[i,j] = A[i,k] * B[k,j]",
    ] {
        let text = format!("Y = einsum('ik,kj->ij', A, B)\n{statements}\n");
        match Kernel::from_file("product.einsum", &text) {
            Ok(kernel) => _ = check(&kernel),
            Err(errors) => panic!("{errors}"),
        }
    }
}
