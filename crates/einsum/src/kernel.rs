//! A kernel: an expression, the arrays, and the statements that compute it.
//!
//! An array has the same indices wherever it occurs; they determine its shape. So an access is just an array and a
//! place, and a statement is one of four loop nests (`n` stands for the target's loops, `s` for those that are summed):
//!
//! | written | loops and accesses |
//! | --- | --- |
//! | `Y[i] = 0` | n { write Y } |
//! | `Y[i] = A[i,j] * B[j]` | n { write Y; s { read A, read B, read Y, write Y } } |
//! | `Y[i] = sum A[i,j] * B[j]` | n { s { read A, read B }; write Y }: the sum is in a register |
//! | `Y[i] += A[i,j] * B[j]` | n, s { read A, read B, read Y, write Y } |
//!
//! Where nothing is summed, `=` is n { read A, read B, write Y }. Loops are those of the target in its order, then
//! those that are summed in the order in which they first occur; `for` in front of the statement gives another order.

use std::sync::Arc;

use crate::error::Place;
use crate::expression::{Expression, IndexLetter, distinct};

/// An array: its position in [`Kernel::arrays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(pub usize);

/// An operand, a temporary or the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelArray {
    /// Its name: an identifier, and not an index of the expression.
    pub name: String,
    /// The index that runs over each dimension, outermost first.
    pub indices: Vec<IndexLetter>,
    /// The place of its first occurrence.
    pub place: Place,
}

/// An array in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayAccess {
    /// The array.
    pub array: ArrayId,
    /// The place where it stands.
    pub place: Place,
}

/// The way in which a statement gives its target a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Zeros.
    Zero,
    /// The sum of the products, accumulated in the target itself, which is zero first.
    Memory,
    /// The sum of the products, accumulated in a register.
    Register,
    /// The products, added to what the target holds.
    Add,
}

/// A loop nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelStatement {
    /// The loops, outermost first.
    pub order: Vec<IndexLetter>,
    /// The array that is assigned.
    pub target: ArrayAccess,
    /// The form of the assignment.
    pub form: Form,
    /// The factors, in the order of reading; empty for [`Form::Zero`].
    pub factors: Vec<ArrayAccess>,
}

impl KernelStatement {
    /// Creates the statement with its loops in the default order.
    pub(crate) fn new(arrays: &[KernelArray], target: ArrayAccess, form: Form, factors: Vec<ArrayAccess>) -> Self {
        let order = distinct([target].iter().chain(&factors).flat_map(|a| &arrays[a.array.0].indices));
        Self { order, target, form, factors }
    }
}

/// An einsum expression, and the statements that compute it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The name of the function.
    pub name: String,
    /// The source as the user named it.
    pub source: Arc<str>,
    /// The expression.
    pub expression: Expression,
    /// The arrays: those of the operands first.
    pub arrays: Vec<KernelArray>,
    /// The arrays of the expression's operands, in its order.
    pub operands: Vec<ArrayId>,
    /// The array that holds the result.
    pub result: ArrayId,
    /// The loop nests, in order.
    pub statements: Vec<KernelStatement>,
}

impl Kernel {
    /// Returns the array.
    pub fn array(&self, id: ArrayId) -> &KernelArray {
        &self.arrays[id.0]
    }

    /// Returns true if the array is neither an operand nor the result.
    pub(crate) fn is_temporary(&self, id: ArrayId) -> bool {
        !self.operands.contains(&id) && id != self.result
    }

    /// Creates a kernel without statements, with names for the operands and the result.
    pub(crate) fn unnamed(name: &str, source: &str, expression: Expression) -> Self {
        let indices = expression.indices();
        let letters =
            ('A'..='Z').filter(|letter| !indices.iter().any(|index| IndexLetter::new(*letter) == Some(*index)));
        // If all capitals are indices, X1 and so on are still free.
        let letters: Vec<String> = letters.map(String::from).collect();
        let name_of = |position: usize| match letters.get(position) {
            Some(letter) => letter.clone(),
            None => format!("X{position}"),
        };
        let mut kernel = Self::bare(name, source, expression);
        for position in 0..kernel.expression.operands.len() {
            let subscripts = &kernel.expression.operands[position];
            let array =
                KernelArray { name: name_of(position), indices: subscripts.indices.clone(), place: subscripts.place };
            let id = kernel.add_array(array);
            kernel.operands.push(id);
        }
        let output = kernel.expression.output.clone();
        kernel.result =
            kernel.add_array(KernelArray { name: "out".to_owned(), indices: output.indices, place: output.place });
        kernel
    }

    /// Creates a kernel without arrays. The result has to be set.
    pub(crate) fn bare(name: &str, source: &str, expression: Expression) -> Self {
        Self {
            name: name.to_owned(),
            source: source.into(),
            expression,
            arrays: Vec::new(),
            operands: Vec::new(),
            result: ArrayId(0),
            statements: Vec::new(),
        }
    }

    pub(crate) fn add_array(&mut self, array: KernelArray) -> ArrayId {
        self.arrays.push(array);
        ArrayId(self.arrays.len() - 1)
    }
}
