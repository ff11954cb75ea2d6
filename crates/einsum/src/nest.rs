//! Statements as loop nests: the loops, and the reads and writes in their exact order.
//!
//! All users (the affine program, the MLIR text, and the interpreter of the tests) walk this tree.

use crate::expression::Index;
use crate::kernel::{Access, Form, Kernel, Statement};

/// A loop or a leaf of a nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// `for index in 0..size(index)`.
    Loop {
        /// The iterator, which also names its bound.
        index: Index,
        /// The repeated nodes.
        body: Vec<Node>,
    },
    /// Writes zero.
    Zero(Access),
    /// Reads the factors from left to right, then writes their product.
    Assign {
        /// The access that is written.
        target: Access,
        /// The accesses that are read.
        factors: Vec<Access>,
    },
    /// Reads the factors from left to right, then the target, and writes the sum of the target and the product.
    Add {
        /// The access that is read last, and written.
        target: Access,
        /// The accesses that are read before.
        factors: Vec<Access>,
    },
    /// Sums the product of the factors in a register, over loops in which the factors are read from left to right; then
    /// writes the sum.
    Reduce {
        /// The access that is written behind the loops.
        target: Access,
        /// The loops, outermost first.
        loops: Vec<Index>,
        /// The accesses that are read in the loops.
        factors: Vec<Access>,
    },
}

impl Kernel {
    /// Returns the nests of each statement.
    pub fn nests(&self) -> Vec<Vec<Node>> {
        self.statements.iter().map(|statement| self.nest(statement)).collect()
    }

    /// Returns the nodes of a statement: more than one only if the target is a scalar.
    fn nest(&self, statement: &Statement) -> Vec<Node> {
        let Statement { order, target, form, factors } = statement;
        let (target, factors) = (*target, factors.clone());
        let outer = order.len().min(self.array(target.array).indices.len());
        let (outside, summed) = order.split_at(outer);
        match form {
            Form::Zero => around(order, vec![Node::Zero(target)]),
            Form::Add => around(order, vec![Node::Add { target, factors }]),
            _ if summed.is_empty() => around(order, vec![Node::Assign { target, factors }]),
            Form::Register => around(outside, vec![Node::Reduce { target, loops: summed.to_vec(), factors }]),
            Form::Memory => {
                let sum = around(summed, vec![Node::Add { target, factors }]);
                around(outside, [vec![Node::Zero(target)], sum].concat())
            }
        }
    }
}

/// Returns the nodes inside of loops.
fn around(loops: &[Index], nodes: Vec<Node>) -> Vec<Node> {
    loops.iter().rev().fold(nodes, |body, index| vec![Node::Loop { index: *index, body }])
}
