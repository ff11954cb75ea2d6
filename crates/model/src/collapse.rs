//! The check of loops whose iterations are one sequence.

use crate::types::{For, Schedule, TreeNode};

impl For {
    /// Returns true if the loops whose iterations threads share as one sequence, if this is the outermost one of such, are directly in
    /// each other, and the bounds of each do not depend on the others. `parameters` is the number of variables that are no iterators.
    pub(crate) fn is_collapsible(&self, parameters: usize) -> bool {
        let Some(Schedule::Collapse(collapse)) = self.parallel else { return true };
        if collapse.loops < 2 || collapse.chunks == Some(0) {
            return false;
        }
        let (mut outer, mut innermost) = (vec![self.iterator], self);
        for _ in 1..collapse.loops {
            let [TreeNode::For(inner)] = innermost.body.as_slice() else { return false };
            let bounds = inner.lower.iter().chain(&inner.upper);
            let of_nest = |var: usize| outer.iter().any(|iterator| parameters.checked_add(*iterator) == Some(var));
            if bounds.flat_map(|bound| bound.vars()).any(|var| of_nest(var.0 as usize)) {
                return false;
            }
            outer.push(inner.iterator);
            innermost = inner;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use symloc_quasi::{Poly, Var};

    use super::*;
    use crate::types::CollapsedLoops;

    /// Returns `for i = 0 to n: for j = lower to n: access`, with n as the only parameter.
    fn nest(loops: u32, chunks: Option<u64>, lower: Poly) -> For {
        let nest = |iterator, lower, parallel, body| For {
            iterator,
            lower: vec![lower],
            upper: vec![Poly::var(Var(0))],
            step: crate::types::ForStep::default(),
            parallel,
            body,
        };
        let inner = nest(1, lower, None, vec![TreeNode::Access(0)]);
        let parallel = Some(Schedule::Collapse(CollapsedLoops { loops, chunks }));
        nest(0, Poly::zero(), parallel, vec![TreeNode::For(inner)])
    }

    #[test]
    fn nests_are_perfect_and_rectangular() {
        assert!(nest(2, None, Poly::zero()).is_collapsible(1));
        assert!(nest(2, Some(3), Poly::var(Var(0))).is_collapsible(1));
        assert!(!nest(2, Some(0), Poly::zero()).is_collapsible(1));
        assert!(!nest(1, None, Poly::zero()).is_collapsible(1));
        assert!(!nest(3, None, Poly::zero()).is_collapsible(1));
        assert!(!nest(2, None, Poly::var(Var(1))).is_collapsible(1));
        let mut beside = nest(2, None, Poly::zero());
        beside.body.push(TreeNode::Access(1));
        assert!(!beside.is_collapsible(1));
        let mut sequential = nest(7, None, Poly::var(Var(1)));
        sequential.parallel = None;
        assert!(sequential.is_collapsible(1));
    }
}
