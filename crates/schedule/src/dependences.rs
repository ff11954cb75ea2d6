//! Dependences: the pairs of instances of which the first has to come first.
//!
//! Two instances depend on each other if they touch the same element and at least one of them writes it: read after
//! write, write after read, write after write. All such pairs are meant, not only the last write before a read: an order
//! that respects them all computes the same values.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use symloc_isl::{Context, UnionMap};

use crate::error::ScheduleError;
use crate::order::OrderTree;
use crate::scop::Scop;

/// The pairs of statements of a loop of which the second reads in a later iteration what the first has written.
pub type FlowPairs = BTreeSet<(usize, usize)>;

/// The dependences of a program.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// From an instance to those that have to come later.
    pub all: UnionMap,
    /// From an instance to later ones that read an element that it writes.
    pub flow: UnionMap,
    /// From an instance to later ones that read what it reads or writes: pairs that should be near each other.
    pub reuses: UnionMap,
    /// The loops that were looked at, with what they carry.
    pub(crate) known_loops: RefCell<BTreeMap<String, Option<FlowPairs>>>,
}

impl Dependences {
    /// Finds the dependences of a program in its order as written.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
    pub fn of(isl: &Context, scop: &Scop) -> Result<Self, ScheduleError> {
        let times = OrderTree::as_written(scop).times_of_instances(isl, scop)?;
        let later = times.lex_lt(&times)?;
        let pairs = |first: &UnionMap, second: &UnionMap| -> Result<UnionMap, ScheduleError> {
            Ok(first.apply_range(&second.reverse()?)?.intersect(&later)?)
        };
        let flow = pairs(&scop.writes, &scop.reads)?;
        let all = flow.union(&pairs(&scop.reads, &scop.writes)?)?.union(&pairs(&scop.writes, &scop.writes)?)?;
        let reuses = flow.union(&pairs(&scop.reads, &scop.reads)?)?;
        let known_loops = RefCell::default();
        Ok(Self { all: all.coalesce()?, flow: flow.coalesce()?, reuses: reuses.coalesce()?, known_loops })
    }

    /// Returns the dependences between some statements.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
    pub fn among(&self, isl: &Context, scop: &Scop, statements: &BTreeSet<usize>) -> Result<Self, ScheduleError> {
        let instances = scop.instances(isl, statements)?;
        let among = |map: &UnionMap| map.intersect_domain(&instances)?.intersect_range(&instances);
        let (all, flow, reuses) = (among(&self.all)?, among(&self.flow)?, among(&self.reuses)?);
        Ok(Self { all, flow, reuses, known_loops: RefCell::default() })
    }
}
