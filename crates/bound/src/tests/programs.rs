//! Small programs, by their loops and subscripts, and what they do at one size.

use symloc_model::{Access, AccessKind, Array, ArrayShape, For, ForStep, Outline, Tree, TreeNode};
use symloc_quasi::{Constraint, Poly, Var};

use crate::statement::ProgramText;

/// An affine expression in `n`, variable 0, and in iterators: `i`, `j + 1`, `n`.
fn affine(text: &str, iterators: &[String]) -> Poly {
    let term = |term: &str| match (term.parse::<i64>(), iterators.iter().position(|name| name == term)) {
        (Ok(number), _) => Poly::integer(number),
        (_, Some(iterator)) => Poly::var(Var(1 + u32::try_from(iterator).unwrap())),
        (_, None) if term == "n" => Poly::var(Var(0)),
        _ => panic!("{term} is unknown"),
    };
    text.split(" + ").map(term).fold(Poly::zero(), |sum, term| &sum + &term)
}

/// A program with one parameter, n.
#[derive(Clone, Debug)]
pub(super) struct TestProgram {
    pub(super) outline: Outline,
    pub(super) context: Vec<Constraint>,
}

/// An operation: the accesses that one execution of a statement makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestOperation {
    /// The elements, each by its array and subscripts, with true for a write, in the order of the text.
    pub(super) accesses: Vec<(TestElement, bool)>,
    /// The first access of the statement.
    pub(super) first: usize,
    pub(super) iterators: Vec<i64>,
}

/// An array and subscripts.
pub(super) type TestElement = (usize, Vec<i64>);

impl TestProgram {
    /// Reads lines `for i 0 n`, from a lower bound to an upper one, exclusive; `end`; and `C[i][j] = A[i][k] B[k][j]`,
    /// which reads what stands behind the sign and writes what stands before it; with `+=` it reads that before.
    pub(super) fn read(text: &str) -> Self {
        let mut reader = ProgramReader::default();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let body = reader.body(&mut lines);
        let ProgramReader { iterators, arrays, accesses, subscripts } = reader;
        let shape =
            |array: &Array| ArrayShape { extents: vec![None; array.rank], sizes: Vec::new(), strides: None, offset: 0 };
        let shapes = arrays.iter().map(shape).collect();
        let tree = Some(Tree { iterators, shapes, subscripts, body });
        let outline = Outline { arrays, accesses, nests: Vec::new(), tree };
        Self { outline, context: vec![Constraint::non_negative(&Poly::var(Var(0)) - &Poly::one())] }
    }

    pub(super) fn text(&self) -> ProgramText<'_> {
        let tree = self.outline.tree.as_ref().unwrap();
        ProgramText { outline: &self.outline, tree, context: &self.context, parameters: 1 }
    }

    /// Returns all operations at a size, in the order of the program.
    pub(super) fn operations(&self, n: i64) -> Vec<TestOperation> {
        let tree = self.outline.tree.as_ref().unwrap();
        let mut run =
            TestRun { program: self, n, values: vec![0; tree.iterators.len()], around: Vec::new(), found: Vec::new() };
        run.nodes(&tree.body);
        run.found
    }
}

#[derive(Default)]
struct ProgramReader {
    iterators: Vec<String>,
    arrays: Vec<Array>,
    accesses: Vec<Access>,
    subscripts: Vec<Vec<Poly>>,
}

impl ProgramReader {
    fn body<'t>(&mut self, lines: &mut impl Iterator<Item = &'t str>) -> Vec<TreeNode> {
        let mut nodes = Vec::new();
        while let Some(line) = lines.next().filter(|line| *line != "end") {
            let Some(header) = line.strip_prefix("for ") else {
                self.statement(line, &mut nodes);
                continue;
            };
            let words: Vec<&str> = header.splitn(3, ' ').collect();
            let iterator = self.iterators.len();
            let [lower, upper] =
                [words[1], words[2]].map(|bound| vec![affine(&bound.replace('+', " + "), &self.iterators)]);
            self.iterators.push(words[0].to_owned());
            let body = self.body(lines);
            // Later loops may have iterators of the same name.
            self.iterators[iterator].push('\'');
            nodes.push(TreeNode::For(For { iterator, lower, upper, step: ForStep::default(), parallel: None, body }));
        }
        nodes
    }

    fn statement(&mut self, line: &str, nodes: &mut Vec<TreeNode>) {
        let (target, operands) = line.split_once(" = ").or_else(|| line.split_once(" += ")).unwrap();
        let read = line.contains(" += ").then_some(target);
        for access in read.into_iter().chain(operands.split(", ")) {
            self.access(access, AccessKind::Read, nodes);
        }
        self.access(target, AccessKind::Write, nodes);
    }

    fn access(&mut self, text: &str, kind: AccessKind, nodes: &mut Vec<TreeNode>) {
        let mut parts = text.split('[');
        let name = parts.next().unwrap();
        let subscripts: Vec<Poly> = parts.map(|part| affine(part.trim_end_matches(']'), &self.iterators)).collect();
        let array = self.arrays.iter().position(|array| array.name == name).unwrap_or(self.arrays.len());
        if array == self.arrays.len() {
            self.arrays.push(Array {
                name: name.to_owned(),
                element_bytes: 8,
                rank: subscripts.len(),
                per_thread: false,
            });
        }
        nodes.push(TreeNode::Access(self.accesses.len()));
        self.accesses.push(Access { array, kind, subscripts: String::new(), file: None, line: 1, column: 1 });
        self.subscripts.push(subscripts);
    }
}

struct TestRun<'p> {
    program: &'p TestProgram,
    n: i64,
    values: Vec<i64>,
    around: Vec<usize>,
    found: Vec<TestOperation>,
}

impl TestRun<'_> {
    fn nodes(&mut self, nodes: &[TreeNode]) {
        let mut open = false;
        for node in nodes {
            match node {
                TreeNode::Access(access) => {
                    if !open {
                        let iterators = self.around.iter().map(|iterator| self.values[*iterator]).collect();
                        self.found.push(TestOperation { accesses: Vec::new(), first: *access, iterators });
                    }
                    open = !self.access(*access);
                }
                TreeNode::For(inner) => {
                    let (lower, upper) = (self.value(&inner.lower[0]), self.value(&inner.upper[0]));
                    self.around.push(inner.iterator);
                    for value in lower..upper {
                        self.values[inner.iterator] = value;
                        self.nodes(&inner.body);
                    }
                    self.around.pop();
                }
                TreeNode::If(_) => unreachable!("no test has conditions"),
            }
        }
    }

    /// Executes an access; returns true if it is a write.
    fn access(&mut self, access: usize) -> bool {
        let outline = &self.program.outline;
        let subscripts = &outline.tree.as_ref().unwrap().subscripts[access];
        let element = (outline.accesses[access].array, subscripts.iter().map(|poly| self.value(poly)).collect());
        let write = outline.accesses[access].kind == AccessKind::Write;
        self.found.last_mut().unwrap().accesses.push((element, write));
        write
    }

    fn value(&self, poly: &Poly) -> i64 {
        let point: Vec<_> = std::iter::once(self.n).chain(self.values.iter().copied()).map(Into::into).collect();
        i64::try_from(poly.evaluate(&point).to_integer()).unwrap()
    }
}

/// Programs with reuse in all directions, each with a name.
pub(super) const PROGRAMS: [(&str, &str); 10] = [
    ("gemm", "for i 0 n\nfor j 0 n\nfor k 0 n\nC[i][j] += A[i][k], B[k][j]\nend\nend\nend"),
    (
        "two products",
        "for i 0 n\nfor j 0 n\nfor k 0 n\nT[i][j] += A[i][k], B[k][j]\nend\nend\nend
         for i 0 n\nfor j 0 n\nfor k 0 n\nD[i][j] += T[i][k], C[k][j]\nend\nend\nend",
    ),
    ("syrk", "for i 0 n\nfor j 0 i+1\nfor k 0 n\nC[i][j] += A[i][k], A[j][k]\nend\nend\nend"),
    ("syr2k", "for i 0 n\nfor j 0 i+1\nfor k 0 n\nC[i][j] += A[j][k], B[i][k], B[j][k], A[i][k]\nend\nend\nend"),
    (
        "cholesky",
        "for i 0 n\nfor j 0 i\nfor k 0 j\nA[i][j] += A[i][k], A[j][k]\nend\nA[i][j] += A[j][j]\nend
         for k 0 i\nA[i][i] += A[i][k]\nend\nA[i][i] = A[i][i]\nend",
    ),
    (
        "lu",
        "for i 0 n\nfor j 0 i\nfor k 0 j\nA[i][j] += A[i][k], A[k][j]\nend\nA[i][j] += A[j][j]\nend
         for j i n\nfor k 0 i\nA[i][j] += A[i][k], A[k][j]\nend\nend\nend",
    ),
    ("trmm", "for i 0 n\nfor j 0 n\nfor k i+1 n\nB[i][j] += A[k][i], B[k][j]\nend\nend\nend"),
    ("floyd-warshall", "for k 0 n\nfor i 0 n\nfor j 0 n\nP[i][j] = P[i][j], P[i][k], P[k][j]\nend\nend\nend"),
    ("convolution", "for i 0 n\nfor j 0 n\nO[i] += I[i + j], W[j]\nend\nend"),
    ("n bodies", "for i 0 n\nfor j 0 n\nF[i] += P[j], P[i]\nend\nend"),
];
