//! Writes nests as text in MLIR's affine dialect.
//!
//! The function takes the sizes, the operands and the result; it allocates the temporaries. Reading the text back gives
//! the program of [`Kernel::program`], apart from places in the source.

use std::fmt::Write;

use crate::Element;
use crate::expression::IndexLetter;
use crate::kernel::{ArrayAccess, ArrayId, Kernel};
use crate::lower::iterator;
use crate::nest::NestNode;

impl Kernel {
    /// Returns the kernel as a function in MLIR's affine dialect.
    pub fn to_mlir(&self, element: Element) -> String {
        let mut writer = Writer { kernel: self, element, text: String::new(), depth: 0, values: 0, statement: 0 };
        writer.function();
        writer.text
    }

    /// Returns the arrays that are neither operands nor the result.
    fn temporaries(&self) -> impl Iterator<Item = ArrayId> {
        (0..self.arrays.len()).map(ArrayId).filter(|id| self.is_temporary(*id))
    }
}

struct Writer<'k> {
    kernel: &'k Kernel,
    element: Element,
    text: String,
    depth: usize,
    /// The number of values that are named by a number.
    values: usize,
    /// The number of the statement.
    statement: usize,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let indent = "  ".repeat(self.depth);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{indent}{line}");
    }

    /// Returns a value with a new name.
    fn value(&mut self) -> String {
        self.values += 1;
        format!("%{}", self.values - 1)
    }

    fn function(&mut self) {
        self.line(&format!("// {}", self.kernel.expression));
        let head = self.head();
        self.line(&head);
        self.depth += 1;
        for id in self.kernel.temporaries() {
            let array = self.kernel.array(id);
            let sizes: Vec<_> = array.indices.iter().map(|index| format!("%{index}")).collect();
            self.line(&format!("%{} = memref.alloc({}) : {}", array.name, sizes.join(", "), self.memref(id)));
        }
        for nest in self.kernel.nests() {
            self.statement += 1;
            self.nodes(&nest);
        }
        for id in self.kernel.temporaries() {
            self.line(&format!("memref.dealloc %{} : {}", self.kernel.array(id).name, self.memref(id)));
        }
        self.line("return");
        self.depth -= 1;
        self.line("}");
    }

    fn head(&self) -> String {
        let sizes = self.kernel.expression.indices().into_iter().map(|index| format!("%{index}: index"));
        let mut ids = self.kernel.operands.clone();
        ids.push(self.kernel.result);
        ids.sort_unstable();
        ids.dedup();
        let arrays = ids.into_iter().map(|id| format!("%{}: {}", self.kernel.array(id).name, self.memref(id)));
        let arguments: Vec<_> = sizes.chain(arrays).collect();
        format!("func.func @{}({}) {{", self.kernel.name, arguments.join(", "))
    }

    fn memref(&self, id: ArrayId) -> String {
        format!("memref<{}{}>", "?x".repeat(self.kernel.array(id).indices.len()), self.element.name())
    }

    fn nodes(&mut self, nodes: &[NestNode]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &NestNode) {
        match node {
            NestNode::Loop { index, body } => {
                self.line(&format!("affine.for %{} = 0 to %{index} {{", iterator(*index, self.statement)));
                self.depth += 1;
                self.nodes(body);
                self.depth -= 1;
                self.line("}");
            }
            NestNode::Zero(target) => {
                let zero = self.zero();
                self.store(&zero, *target);
            }
            NestNode::Assign { target, factors } => {
                let product = self.product(factors);
                self.store(&product, *target);
            }
            NestNode::Add { target, factors } => {
                let product = self.product(factors);
                let before = self.load(*target);
                let sum = self.arith("addf", &before, &product);
                self.store(&sum, *target);
            }
            NestNode::Reduce { target, loops, factors } => {
                let zero = self.zero();
                let sum = self.reduction(loops, factors, &zero);
                self.store(&sum, *target);
            }
        }
    }

    /// Writes the reduction and returns the value before plus the sum of the products; the sum is carried through the loops.
    fn reduction(&mut self, loops: &[IndexLetter], factors: &[ArrayAccess], before: &str) -> String {
        let Some((index, inner)) = loops.split_first() else {
            let product = self.product(factors);
            return self.arith("addf", before, &product);
        };
        let (sum, carried) = (self.value(), self.value());
        let iterator = iterator(*index, self.statement);
        let element = self.element.name();
        self.line(&format!(
            "{sum} = affine.for %{iterator} = 0 to %{index} iter_args({carried} = {before}) -> ({element}) {{"
        ));
        self.depth += 1;
        let next = self.reduction(inner, factors, &carried);
        self.line(&format!("affine.yield {next} : {element}"));
        self.depth -= 1;
        self.line("}");
        sum
    }

    fn zero(&mut self) -> String {
        let zero = self.value();
        self.line(&format!("{zero} = arith.constant 0.0 : {}", self.element.name()));
        zero
    }

    fn product(&mut self, factors: &[ArrayAccess]) -> String {
        let mut product: Option<String> = None;
        for factor in factors {
            let value = self.load(*factor);
            product = Some(match product {
                Some(before) => self.arith("mulf", &before, &value),
                None => value,
            });
        }
        product.unwrap_or_else(|| self.zero())
    }

    fn arith(&mut self, operation: &str, left: &str, right: &str) -> String {
        let result = self.value();
        self.line(&format!("{result} = arith.{operation} {left}, {right} : {}", self.element.name()));
        result
    }

    fn load(&mut self, access: ArrayAccess) -> String {
        let value = self.value();
        self.line(&format!("{value} = affine.load {}", self.place(access)));
        value
    }

    fn store(&mut self, value: &str, access: ArrayAccess) {
        self.line(&format!("affine.store {value}, {}", self.place(access)));
    }

    /// Returns an access as `%A[%i1, %k1] : memref<?x?xf64>`.
    fn place(&self, access: ArrayAccess) -> String {
        let array = self.kernel.array(access.array);
        let iterators: Vec<_> = array.indices.iter().map(|i| format!("%{}", iterator(*i, self.statement))).collect();
        format!("%{}[{}] : {}", array.name, iterators.join(", "), self.memref(access.array))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_in_memory_or_carried_through_the_loops() {
        let text = "y = einsum('ij,jk->', A, B)\nT[j] = A[i,j]\ny = sum T[j] * B[j,k]";
        let kernel = Kernel::from_file("odd name.einsum", text).unwrap();
        let expected = "\
// ij,jk->
func.func @odd_name(%i: index, %j: index, %k: index, %A: memref<?x?xf32>, %B: memref<?x?xf32>, %y: memref<f32>) {
  %T = memref.alloc(%j) : memref<?xf32>
  affine.for %j1 = 0 to %j {
    %0 = arith.constant 0.0 : f32
    affine.store %0, %T[%j1] : memref<?xf32>
    affine.for %i1 = 0 to %i {
      %1 = affine.load %A[%i1, %j1] : memref<?x?xf32>
      %2 = affine.load %T[%j1] : memref<?xf32>
      %3 = arith.addf %2, %1 : f32
      affine.store %3, %T[%j1] : memref<?xf32>
    }
  }
  %4 = arith.constant 0.0 : f32
  %5 = affine.for %j2 = 0 to %j iter_args(%6 = %4) -> (f32) {
    %7 = affine.for %k2 = 0 to %k iter_args(%8 = %6) -> (f32) {
      %9 = affine.load %T[%j2] : memref<?xf32>
      %10 = affine.load %B[%j2, %k2] : memref<?x?xf32>
      %11 = arith.mulf %9, %10 : f32
      %12 = arith.addf %8, %11 : f32
      affine.yield %12 : f32
    }
    affine.yield %7 : f32
  }
  affine.store %5, %y[] : memref<f32>
  memref.dealloc %T : memref<?xf32>
  return
}
";
        assert_eq!(kernel.to_mlir(Element::F32), expected);
    }
}
