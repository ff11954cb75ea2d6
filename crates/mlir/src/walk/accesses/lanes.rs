//! The loops over the lanes of a vector around an access to its first element.

use symloc_affine::{AccessKind, ArrayId, Constraint, Expr, IterId, Loop, Node, Overflow};
use symloc_frontend::cases::{Cases, join};

use crate::expressions::refusal::Cause;
use crate::ffi::Op;
use crate::memory::Memory;
use crate::walk::walker::Walker;

impl<'a> Walker<'a, '_> {
    /// Returns the accesses to elements of a memref from `first` on, along some of its dimensions.
    #[must_use]
    pub(crate) fn elements(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        first: &Cases<Vec<Expr>>,
        lanes: &[Lanes],
    ) -> Vec<Node> {
        let array = self.arrays.of(memory, self.values.function(), self.places);
        let Some(array) = self.report(op, "the array of this access is not known", array) else { return Vec::new() };
        first.clone().into_nodes(&mut |element| self.lane_loops(op, kind, memory, array, element, lanes))
    }

    /// Returns the loops over the lanes around one access; `element` is the first that they touch.
    fn lane_loops(
        &mut self,
        op: Op<'a>,
        kind: AccessKind,
        memory: &Memory<'a>,
        array: ArrayId,
        element: Vec<Expr>,
        lanes: &[Lanes],
    ) -> Vec<Node> {
        let Some((outer, inner)) = lanes.split_first() else {
            return self.one_access(op, kind, memory, array, element);
        };
        let explain = |cause| self.values.explain(cause, Some(op));
        let ends = self.lane_ends(&element, outer).map_err(explain);
        let Some(ends) = self.report(op, "the elements of this vector are not affine", ends) else { return Vec::new() };
        ends.into_nodes(&mut |upper| {
            if upper.iter().all(|end| end.as_constant() == Some(1)) {
                return self.lane_loops(op, kind, memory, array, element.clone(), inner);
            }
            let (iter, lower) = (self.new_iterator(op, None), vec![Expr::constant(0)]);
            self.values.ranges.set(iter, &lower, &upper);
            let lane = lane(&element, outer, iter).map_err(|cause| self.values.explain(cause, Some(op)));
            let Some(lane) = self.report(op, "the elements of this vector are not affine", lane) else {
                return Vec::new();
            };
            let body = self.lane_loops(op, kind, memory, array, lane, inner);
            vec![Node::Loop(Loop { iter, lower, upper, step: 1.into(), body })]
        })
    }

    /// Returns the upper bounds of the loop over lanes from an element on: all lanes, the mask, and the end of the
    /// array.
    fn lane_ends(&self, element: &[Expr], lanes: &Lanes) -> Result<Cases<Vec<Expr>>, Cause<'a>> {
        let count = Expr::constant(i64::try_from(lanes.count).map_err(|_| Overflow)?);
        let mut limits = Vec::from_iter(lanes.masked.clone());
        if let Some(extent) = &lanes.extent {
            let first = lanes.first(element)?;
            limits.push(extent.try_map(&mut |extent: &Expr| Ok::<_, Cause>(extent.minus(first)?))?);
        }
        join(&limits)?.try_map(&mut |limits: &Vec<Expr>| {
            let mut short = Vec::new();
            for limit in limits {
                let beyond = Constraint::non_negative(limit.minus(&count)?);
                if self.values.ranges.decide(&beyond) != Some(true) {
                    short.push(limit.clone());
                }
            }
            let is_known = short.iter().any(|limit| limit.as_constant().is_some());
            Ok(Vec::from_iter((!is_known).then(|| count.clone()).into_iter().chain(short)))
        })
    }
}

/// The elements of a vector along a dimension of the array.
pub(crate) struct Lanes {
    pub(super) count: u64,
    pub(super) along: usize,
    /// The extent of the array, if the vector may go beyond it.
    pub(super) extent: Option<Cases<Expr>>,
    /// The number of lanes that a mask lets through, if there is one.
    pub(super) masked: Option<Cases<Expr>>,
}

impl Lanes {
    /// Returns true if all lanes are accessed: there is no mask, and none may be beyond the array.
    pub(super) fn are_all(&self) -> bool {
        self.extent.is_none() && self.masked.is_none()
    }

    /// Returns the subscript of the first lane.
    fn first<'e, 'a>(&self, element: &'e [Expr]) -> Result<&'e Expr, Cause<'a>> {
        element.get(self.along).ok_or_else(|| Cause::here("the vector has more dimensions than the array"))
    }
}

/// Returns the element of one lane.
fn lane<'a>(element: &[Expr], lanes: &Lanes, iter: IterId) -> Result<Vec<Expr>, Cause<'a>> {
    let subscript = lanes.first(element)?.plus(&Expr::iter(iter))?;
    let replaced =
        |(dimension, old): (usize, &Expr)| if dimension == lanes.along { subscript.clone() } else { old.clone() };
    Ok(element.iter().enumerate().map(replaced).collect())
}
