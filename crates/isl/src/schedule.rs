//! Schedules: the order in which the instances of statements run, as a tree, and isl's scheduler, which finds one.
//!
//! [`compute_schedule`] asks isl for an order that respects dependences. The answer is plain data around relations:
//! bands (loops that may be permuted or tiled), sequences of parts, and leaves.

use barvinok_sys::{
    ISL_SCHEDULE_NODE_BAND, ISL_SCHEDULE_NODE_DOMAIN, ISL_SCHEDULE_NODE_FILTER, ISL_SCHEDULE_NODE_LEAF,
    ISL_SCHEDULE_NODE_SEQUENCE, ISL_SCHEDULE_NODE_SET,
};

use crate::error::Error;
use crate::object::{Argument, Object, int};
use crate::set::Set;
use crate::union::{UnionMap, UnionSet};

object! {
    /// An order of instances, as isl has it.
    pub struct IslSchedule(isl_schedule): isl_schedule_copy, isl_schedule_free, isl_schedule_to_str;
}

reader! { IslSchedule = isl_schedule_read_from_str }

object! {
    pub(crate) struct RawNode(isl_schedule_node): isl_schedule_node_copy, isl_schedule_node_free, isl_schedule_node_to_str;
}

operations! { private IslSchedule {
    keep fn root() -> RawNode = isl_schedule_get_root;
}}

operations! { private RawNode {
    keep fn children() -> usize = isl_schedule_node_n_children;
    keep fn filter() -> UnionSet = isl_schedule_node_filter_get_filter;
    keep fn members() -> usize = isl_schedule_node_band_n_member;
    keep fn permutable() -> bool = isl_schedule_node_band_get_permutable;
    keep fn partial_schedule() -> UnionMap = isl_schedule_node_band_get_partial_schedule_union_map;
}}

/// A node of a schedule, with everything below it.
#[derive(Clone, Debug)]
pub enum ScheduleTree {
    /// Members of the time, outermost first.
    Band {
        /// From instances to the values of the members.
        members: UnionMap,
        /// For each member, true if no dependence at this place goes from one of its values to another.
        coincident: Vec<bool>,
        /// True if the members may be permuted and tiled: every dependence is non-negative in each of them.
        permutable: bool,
        /// The order of instances for which all members are equal.
        child: Box<ScheduleTree>,
    },
    /// Parts, one after the other.
    Sequence(Vec<(UnionSet, ScheduleTree)>),
    /// Nothing more is ordered.
    Leaf,
}

/// The instances that are to be ordered, and the relations between them.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleConstraints<'c> {
    /// The parameter values that matter.
    pub context: &'c Set,
    /// The instances.
    pub domain: &'c UnionSet,
    /// Pairs of which the first has to come first.
    pub validity: &'c UnionMap,
    /// Pairs that should be near each other.
    pub proximity: &'c UnionMap,
}

/// The scheduler's choice among legal schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Statements are fused where bands stay deep.
    Fuse,
    /// Statements are fused only where dependences form a cycle.
    Separate,
    /// Members that carry no dependence come first.
    OuterParallel,
}

/// Returns a schedule that respects the validity relation; isl's variant of Pluto's algorithm.
///
/// # Errors
///
/// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if there is no schedule or isl fails otherwise.
pub fn compute_schedule(constraints: ScheduleConstraints<'_>, strategy: Strategy) -> Result<IslSchedule, Error> {
    let ScheduleConstraints { context, domain, validity, proximity } = constraints;
    let isl = &domain.context;
    let api = isl.api();
    // SAFETY: all objects are live and C frees copies; each step takes the result of the one before, and NULL passes
    // through as NULL.
    unsafe {
        (api.isl_options_set_schedule_serialize_sccs)(isl.raw(), (strategy == Strategy::Separate).into());
        (api.isl_options_set_schedule_outer_coincidence)(isl.raw(), (strategy == Strategy::OuterParallel).into());
        let raw = (api.isl_schedule_constraints_on_domain)(domain.take());
        let raw = (api.isl_schedule_constraints_set_context)(raw, context.take());
        let raw = (api.isl_schedule_constraints_set_validity)(raw, validity.take());
        let raw = (api.isl_schedule_constraints_set_coincidence)(raw, validity.take());
        let raw = (api.isl_schedule_constraints_set_proximity)(raw, proximity.take());
        let raw = (api.isl_schedule_constraints_compute_schedule)(raw);
        IslSchedule::adopt(isl, "isl_schedule_constraints_compute_schedule", raw)
    }
}

impl IslSchedule {
    /// Returns the tree.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if a node is of a kind that the scheduler never
    /// makes, or isl fails otherwise.
    pub fn tree(&self) -> Result<ScheduleTree, Error> {
        self.root()?.tree()
    }
}

impl RawNode {
    fn tree(&self) -> Result<ScheduleTree, Error> {
        // SAFETY: the node is live.
        match unsafe { (self.context.api().isl_schedule_node_get_type)(self.keep()) } {
            ISL_SCHEDULE_NODE_DOMAIN | ISL_SCHEDULE_NODE_FILTER => self.child(0)?.tree(),
            ISL_SCHEDULE_NODE_LEAF => Ok(ScheduleTree::Leaf),
            ISL_SCHEDULE_NODE_BAND => Ok(ScheduleTree::Band {
                members: self.partial_schedule()?,
                coincident: (0..self.members()?).map(|member| self.coincident(member)).collect::<Result<_, _>>()?,
                permutable: self.permutable()?,
                child: Box::new(self.child(0)?.tree()?),
            }),
            ISL_SCHEDULE_NODE_SEQUENCE | ISL_SCHEDULE_NODE_SET => {
                let part = |position| {
                    let filter = self.child(position)?;
                    Ok((filter.filter()?, filter.tree()?))
                };
                Ok(ScheduleTree::Sequence((0..self.children()?).map(part).collect::<Result<_, Error>>()?))
            }
            _ => Err(self.context.error("isl_schedule_node_get_type")),
        }
    }

    fn child(&self, position: usize) -> Result<RawNode, Error> {
        const OPERATION: &str = "isl_schedule_node_get_child";
        // SAFETY: the node is live and only looked at; the result is ours.
        unsafe {
            let raw = (self.context.api().isl_schedule_node_get_child)(self.keep(), int(position));
            RawNode::adopt(&self.context, OPERATION, raw)
        }
    }

    fn coincident(&self, member: usize) -> Result<bool, Error> {
        use crate::object::Output;
        const OPERATION: &str = "isl_schedule_node_band_member_get_coincident";
        // SAFETY: the node is live and only looked at.
        unsafe {
            let answer = (self.context.api().isl_schedule_node_band_member_get_coincident)(self.keep(), int(member));
            bool::output(&self.context, OPERATION, answer)
        }
    }
}
