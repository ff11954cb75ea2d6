//! Dependences: the pairs of instances of which the first has to come first.
//!
//! Two instances depend on each other if they touch the same element and at least one of them writes it: read after
//! write, write after read, write after write. All such pairs are meant, not only the last write before a read: an order
//! that respects them all computes the same values. Where sums may be reordered, pairs of one reduction are left out.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use symloc_isl::{Context, UnionMap};

use crate::error::ScheduleError;
use crate::order::OrderTree;
use crate::reductions::{Parted, Reduction};
use crate::scop::Scop;

/// The pairs of statements of a loop of which the second reads in a later iteration what the first has written.
pub type FlowPairs = BTreeSet<(usize, usize)>;

/// The results that the iterations of a loop wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    /// Nothing: they may run in any order, or at once.
    Nothing,
    /// Updates of elements by these statements alone, which are reductions that may be reordered.
    Reductions(BTreeSet<usize>),
    /// Earlier iterations: the pairs of statements of which the second waits for the first.
    Dependences(FlowPairs),
}

/// The dependences of a program.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// From an instance to those that have to come later.
    pub all: UnionMap,
    /// From an instance of a reduction to later ones of the same, which may also come earlier; none where reductions keep
    /// their order.
    pub exchanged: UnionMap,
    /// From an instance to later ones that read an element that it writes, also those that may come earlier.
    pub flow: UnionMap,
    /// From an instance to later ones that read what it reads or writes: pairs that should be near each other.
    pub reuses: UnionMap,
    /// The loops that were looked at, with what they carry.
    pub(crate) known_loops: RefCell<BTreeMap<String, Carried>>,
}

impl Dependences {
    /// Finds the dependences of a program in its order as written.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
    pub fn of(isl: &Context, scop: &Scop) -> Result<Self, ScheduleError> {
        Self::with_reductions(isl, scop, &[])
    }

    /// Finds the dependences of a program in which the instances of each of some reductions may come in any order.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
    pub fn with_reductions(isl: &Context, scop: &Scop, reductions: &[Reduction]) -> Result<Self, ScheduleError> {
        let times = OrderTree::as_written(scop).times_of_instances(isl, scop)?;
        let later = times.lex_lt(&times)?;
        let pairs = |first: &UnionMap, second: &UnionMap| -> Result<UnionMap, ScheduleError> {
            Ok(first.apply_range(&second.reverse()?)?.intersect(&later)?)
        };
        let flow = pairs(&scop.writes, &scop.reads)?;
        let Parted { kept, exchanged } = Parted::of(isl, scop, reductions, &later)?;
        let reuses = flow.union(&pairs(&scop.reads, &scop.reads)?)?;
        let known_loops = RefCell::default();
        Ok(Self {
            all: kept.coalesce()?,
            exchanged: exchanged.coalesce()?,
            flow: flow.coalesce()?,
            reuses: reuses.coalesce()?,
            known_loops,
        })
    }

    /// Returns the dependences between some statements.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
    pub fn among(&self, isl: &Context, scop: &Scop, statements: &BTreeSet<usize>) -> Result<Self, ScheduleError> {
        let instances = scop.instances(isl, statements)?;
        let among = |map: &UnionMap| map.intersect_domain(&instances)?.intersect_range(&instances);
        Ok(Self {
            all: among(&self.all)?,
            exchanged: among(&self.exchanged)?,
            flow: among(&self.flow)?,
            reuses: among(&self.reuses)?,
            known_loops: RefCell::default(),
        })
    }
}
