//! The arguments of a function, for a call of the compiled program: which parameters of its affine program they hold, and how its
//! arrays lie.

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
    /// An integer, the parameter of this name if it is one.
    Integer(Option<String>),
    /// Another scalar.
    Scalar,
    /// An array.
    Array(ArrayArgument),
}

/// An array that is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayArgument {
    /// Its name in the affine program, if it is accessed there.
    pub name: Option<String>,
    /// Where its first element lies, in elements.
    pub offset: i64,
    /// Its extents.
    pub extents: Vec<Side>,
    /// How far neighbours are apart.
    pub strides: Apart,
}

/// How far neighbours in an array are apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// So many elements along each dimension.
    Constant(Vec<i64>),
    /// Rows follow each other without gaps; the dimensions from the outermost in memory to the innermost.
    Dense(Vec<usize>),
}

/// An extent of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// A constant.
    Constant(i64),
    /// A parameter.
    Parameter(String),
    /// No parameter: as much as is accessed along this dimension of the array in the affine program.
    Accessed(usize),
}
