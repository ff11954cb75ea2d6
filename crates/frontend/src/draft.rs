//! A function as a front end has read it, before parameters are numbered and named.

use std::collections::BTreeSet;

use symloc_affine::{Access, Array, CarriedValue, Constraint, Location, Node, ParallelLoops, ParamId};

use crate::diagnostics::Note;
use crate::parallel::ArrayVariable;

/// The origin of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The function's argument of this number.
    Argument(usize),
    /// An extent of an array, or a value that is read before the loops; in the order of first use.
    Extent,
    /// The product of these candidates, which is not affine in them: a parameter of its own.
    Product(Vec<ParamId>),
}

/// The values that a candidate may have, before assumptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Domain {
    /// At least 1: it is a size.
    #[default]
    Size,
    /// At least 1, unless an assumption says otherwise: a loop starts or ends there, or it is added to an address.
    Bound,
    /// At least 0: only branches depend on it, and they read it as unsigned.
    Natural,
    /// Any integer: only branches depend on it.
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

    /// Returns true if the values are at least 1.
    pub fn is_at_least_one(self) -> bool {
        self.least() == Some(1)
    }

    /// Returns the largest value, if there is one.
    pub fn largest(self) -> Option<i64> {
        (self == Domain::Flag).then_some(1)
    }
}

/// A value that becomes a parameter if it is used.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its origin.
    pub origin: Origin,
    /// Its name in the source.
    pub name: Option<String>,
    /// The values that it may have.
    pub domain: Domain,
    /// The largest value of its type, if that is so small that a size may well reach it.
    pub most: Option<i64>,
}

impl Candidate {
    /// Returns a candidate that is a size.
    pub fn size(origin: Origin, name: Option<String>) -> Self {
        Self { origin, name, domain: Domain::Size, most: None }
    }

    /// Returns the largest value that it may have, if there is one. Flags have no use for the largest value of their type.
    pub fn largest(&self) -> Option<i64> {
        self.domain.largest().or(self.most.filter(|_| self.domain.is_at_least_one()))
    }
}

/// The iterator of a loop, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DraftIter {
    /// Its name in the source.
    pub name: Option<String>,
    /// The place of its loop, if the source tells.
    pub location: Option<Location>,
    /// The schedule that the source gives the threads which share its iterations; `None` for a sequential loop.
    pub parallel: Option<ParallelLoops>,
    /// The values that an iteration takes from the one before it in registers.
    pub carried: Vec<CarriedValue>,
    /// True if its loop is left by a test behind accesses.
    pub ends_midway: bool,
    /// The front end's own number of its loop, if it has one.
    pub number: Option<usize>,
}

/// A program whose parameters are numbers of candidates, and whose names are those of the source.
#[derive(Debug)]
pub struct Draft {
    /// The name of the function.
    pub function: String,
    /// The candidates for parameters.
    pub candidates: Vec<Candidate>,
    /// The arrays; their names are those of the source, or empty.
    pub arrays: Vec<Array>,
    /// The arrays that are variables of the source, or allocated in loops.
    pub variables: Vec<ArrayVariable>,
    /// The iterators.
    pub iters: Vec<DraftIter>,
    /// The accesses, in the order of the tree.
    pub accesses: Vec<Access>,
    /// The tree.
    pub body: Vec<Node>,
    /// The notes for the user.
    pub notes: Vec<Note>,
    /// Constraints on the parameters beyond their domains.
    pub context: Vec<Constraint>,
    /// The candidates that proofs relied on to be at least 1.
    pub relied: BTreeSet<ParamId>,
}
