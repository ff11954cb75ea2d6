//! Statements as loop nests: the loops, and the reads and writes in their exact order.
//!
//! All users (the affine program, the MLIR text, and the interpreter of the tests) walk this tree.

use crate::expression::IndexLetter;
use crate::kernel::{ArrayAccess, Form, Kernel, KernelStatement};

/// A loop or a leaf of a nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NestNode {
    /// `for index in 0..size(index)`.
    Loop {
        /// The iterator, which also names its bound.
        index: IndexLetter,
        /// The repeated nodes.
        body: Vec<NestNode>,
    },
    /// Writes zero.
    Zero(ArrayAccess),
    /// Reads the factors from left to right, then writes their product.
    Assign {
        /// The access that is written.
        target: ArrayAccess,
        /// The accesses that are read.
        factors: Vec<ArrayAccess>,
    },
    /// Reads the factors from left to right, then the target, and writes the sum of the target and the product.
    Add {
        /// The access that is read last, and written.
        target: ArrayAccess,
        /// The accesses that are read before.
        factors: Vec<ArrayAccess>,
    },
    /// Sums the product of the factors in a register, over loops in which the factors are read from left to right; then
    /// writes the sum.
    Reduce {
        /// The access that is written behind the loops.
        target: ArrayAccess,
        /// The loops, outermost first.
        loops: Vec<IndexLetter>,
        /// The accesses that are read in the loops.
        factors: Vec<ArrayAccess>,
    },
}

impl Kernel {
    /// Returns the nests of each statement.
    pub fn nests(&self) -> Vec<Vec<NestNode>> {
        self.statements.iter().map(|statement| self.nest(statement)).collect()
    }

    /// Returns the nodes of a statement: more than one only if the target is a scalar.
    fn nest(&self, statement: &KernelStatement) -> Vec<NestNode> {
        let KernelStatement { order, target, form, factors } = statement;
        let (target, factors) = (*target, factors.clone());
        let outer = order.len().min(self.array(target.array).indices.len());
        let (outside, summed) = order.split_at(outer);
        match form {
            Form::Zero => around(order, vec![NestNode::Zero(target)]),
            Form::Add => around(order, vec![NestNode::Add { target, factors }]),
            _ if summed.is_empty() => around(order, vec![NestNode::Assign { target, factors }]),
            Form::Register => around(outside, vec![NestNode::Reduce { target, loops: summed.to_vec(), factors }]),
            Form::Memory => {
                let sum = around(summed, vec![NestNode::Add { target, factors }]);
                around(outside, [vec![NestNode::Zero(target)], sum].concat())
            }
        }
    }
}

/// Returns the nodes inside of loops.
fn around(loops: &[IndexLetter], nodes: Vec<NestNode>) -> Vec<NestNode> {
    loops.iter().rev().fold(nodes, |body, index| vec![NestNode::Loop { index: *index, body }])
}
