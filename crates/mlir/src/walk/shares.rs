//! Branches on data whose conditions hold in a share of the iterations by `--branch`.

use num_rational::Ratio;
use symloc_affine::{AssumptionKind, Node};
use symloc_frontend::cases::Cases;
use symloc_frontend::raising::Reason;
use symloc_frontend::shares;

use super::branches::Chooser;
use super::walker::Walker;
use crate::expressions::refusal::Refusal;
use crate::ffi::{Op, op_results};

/// The line of a branch, and the share of iterations in which its condition holds.
#[derive(Clone, Copy)]
pub(crate) struct BranchShare {
    line: u32,
    share: Ratio<i64>,
}

impl<'a> Walker<'a, '_> {
    /// Returns the user's share for the condition of a branch.
    pub(crate) fn told(&mut self, op: Op<'a>) -> Option<BranchShare> {
        let line = self.places.of(op)?.line;
        let (_, share) = *self.branches.iter().rev().find(|(of, _)| *of == line)?;
        Some(BranchShare { line, share })
    }

    /// Walks a branch whose condition holds in a share of the iterations. Its results depend on data.
    pub(crate) fn as_told(&mut self, op: Op<'a>, told: BranchShare) -> Vec<Node> {
        let BranchShare { line, share } = told;
        let told = self.raising.told.spread(line, share, self.iteration.as_ref(), &self.values.ranges);
        let told = match told {
            Ok(told) => told,
            Err(error) => {
                self.push_error(error.at(self.places.of(op)));
                return Vec::new();
            }
        };
        self.assuming(op, AssumptionKind::BranchTold, told.remark);
        let choice = told.holds.try_map(&mut |holds| Ok::<_, ()>(usize::from(!holds))).unwrap_or(Cases::Always(0));
        let nodes = self.branch(op, &choice, Some(Chooser::Condition(0)));
        if matches!(choice, Cases::When(_)) {
            op_results(op).into_iter().for_each(|result| self.values.set(result, None));
        }
        nodes
    }

    /// Returns the reason why a condition is not affine, with the hint to give a share.
    pub(crate) fn to_tell(&self, op: Op<'a>, reason: &Reason) -> Refusal {
        let told = self.places.of(op).map(|place| shares::hint(place.line, self.iteration.is_some()));
        let hints: Vec<&str> = told.as_deref().into_iter().chain(reason.hint()).collect();
        Refusal::Because(reason.with_hint(Some(hints.join("; ").as_str()).filter(|hint| !hint.is_empty())))
    }

    /// Refuses lines of `--branch` without a branch on data.
    pub(crate) fn refuse_untold(&mut self) {
        for (line, _) in self.branches {
            if !self.raising.told.has(*line) && !self.records() {
                self.push_error(shares::untold(*line));
            }
        }
    }
}
