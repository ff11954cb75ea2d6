//! What a front end makes of a function before parameters are numbered and everything has its name.

use std::collections::BTreeSet;

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

/// Which values a candidate may have, unless more is assumed of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Domain {
    /// At least 1: it is a size.
    #[default]
    Size,
    /// At least 1, unless something else is assumed: a loop starts or ends there, or it is added to an address.
    Bound,
    /// At least 0: nothing but branches depends on it, and they read it as unsigned.
    Natural,
    /// Any integer: nothing but branches depends on it.
    Any,
    /// 0 or 1: a truth value.
    Flag,
}

impl Domain {
    /// Returns the least value, if there is one.
    pub fn least(self) -> Option<i64> {
        match self {
            Domain::Size | Domain::Bound => Some(1),
            Domain::Natural | Domain::Flag => Some(0),
            Domain::Any => None,
        }
    }

    /// Is it a size until something else is said?
    pub fn is_at_least_one(self) -> bool {
        self.least() == Some(1)
    }

    /// Returns the largest value, if there is one.
    pub fn largest(self) -> Option<i64> {
        (self == Domain::Flag).then_some(1)
    }
}

/// What may turn out to be a parameter, if it is used.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where it comes from.
    pub origin: Origin,
    /// Its name in the source.
    pub name: Option<String>,
    /// Which values it may have.
    pub domain: Domain,
}

impl Candidate {
    /// A size.
    pub fn size(origin: Origin, name: Option<String>) -> Self {
        Self { origin, name, domain: Domain::Size }
    }
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
    /// What has to hold of the parameters beyond their domains.
    pub context: Vec<Constraint>,
    /// The candidates that were relied on to be at least 1.
    pub relied: BTreeSet<ParamId>,
}
