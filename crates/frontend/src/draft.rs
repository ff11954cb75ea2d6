//! What a front end makes of a function before parameters are numbered and everything has its name.

use symloc_affine::{Access, Array, Constraint, Node, ParamId};

use crate::diagnostics::Note;

/// Where a parameter comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The function's argument of this number.
    Argument(usize),
    /// An extent of an array, or a value that is read before the loops; in the order of first use.
    Extent,
    /// The product of these candidates, which is not affine in them: a parameter of its own.
    Product(Vec<ParamId>),
}

/// What may turn out to be a parameter, if it is used.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where it comes from.
    pub origin: Origin,
    /// Its name in the source.
    pub name: Option<String>,
}

/// A program whose parameters are candidates, by their numbers, and whose names are those of the source.
#[derive(Debug)]
pub struct Draft {
    /// The name of the function.
    pub function: String,
    /// What may be a parameter.
    pub candidates: Vec<Candidate>,
    /// The arrays; their names are those of the source, or empty.
    pub arrays: Vec<Array>,
    /// The names of the iterators in the source.
    pub iters: Vec<Option<String>>,
    /// The accesses, in the order of the tree.
    pub accesses: Vec<Access>,
    /// The tree.
    pub body: Vec<Node>,
    /// What a reader of the source may not expect.
    pub notes: Vec<Note>,
    /// What has to hold of the parameters beyond the default context.
    pub context: Vec<Constraint>,
}
