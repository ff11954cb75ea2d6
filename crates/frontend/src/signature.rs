//! The arguments of a function, as a call needs them: the parameters of its affine program, and the layout of its
//! arrays.

use symloc_affine::Location;

use crate::diagnostics::{Diagnostic, Kind};

/// The way out where the compiled program cannot be compared with.
pub const WITHOUT_COMPILED: &str = "leave out --compiled: then the model is compared with the trace of what was read";

/// Returns the refusal to call a compiled function, with the reason and what to do.
pub fn uncallable(at: Option<Location>, why: &str, hint: &str) -> Diagnostic {
    Diagnostic::new(Kind::Unsupported, at, format!("the compiled function cannot be called: {why}")).hint(hint)
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An integer, with the name of its parameter if it is one.
    Integer(Option<String>),
    /// Another scalar.
    Scalar,
    /// An array.
    Array(ArrayArgument),
}

/// An array that is an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayArgument {
    /// Its name in the affine program, if it is accessed there.
    pub name: Option<String>,
    /// The position of its first element, in elements.
    pub offset: i64,
    /// Its extents.
    pub extents: Vec<Side>,
    /// Its strides.
    pub strides: Apart,
}

/// The strides of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// The stride of each dimension, in elements.
    Constant(Vec<i64>),
    /// Rows without gaps; the dimensions from the outermost in memory to the innermost.
    Dense(Vec<usize>),
}

/// An extent of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// A constant.
    Constant(i64),
    /// A parameter.
    Parameter(String),
    /// Not a parameter: the part that is accessed along this dimension of the array in the affine program.
    Accessed(usize),
}
