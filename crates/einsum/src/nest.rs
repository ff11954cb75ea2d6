//! Statements as loop nests: the loops, and exactly what is read and written in which order.
//!
//! All that follows (the affine program, the MLIR text, and the interpreter of the tests) walks this tree.

use crate::expression::Index;
use crate::kernel::{Access, Form, Kernel, Statement};

/// A loop or a leaf of a nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// `for index in 0..size(index)`.
    Loop {
        /// The iterator and, at once, its bound.
        index: Index,
        /// What is repeated.
        body: Vec<Node>,
    },
    /// Writes zero.
    Zero(Access),
    /// Reads the factors from left to right, then writes their product.
    Assign {
        /// What is written.
        target: Access,
        /// What is read.
        factors: Vec<Access>,
    },
    /// Reads the factors from left to right, then the target, and writes the sum of the target and the product.
    Add {
        /// What is read last, and written.
        target: Access,
        /// What is read before.
        factors: Vec<Access>,
    },
    /// Sums the product of the factors in a register, over loops in which the factors are read from left to right; then
    /// writes the sum.
    Reduce {
        /// What is written behind the loops.
        target: Access,
        /// The loops, outermost first.
        loops: Vec<Index>,
        /// What is read in them.
        factors: Vec<Access>,
    },
}

impl Kernel {
    /// The nests of each statement.
    pub fn nests(&self) -> Vec<Vec<Node>> {
        self.statements.iter().map(|statement| self.nest(statement)).collect()
    }

    /// More than one node only if the target is a scalar.
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

/// The nodes inside of loops.
fn around(loops: &[Index], nodes: Vec<Node>) -> Vec<Node> {
    loops.iter().rev().fold(nodes, |body, index| vec![Node::Loop { index: *index, body }])
}
