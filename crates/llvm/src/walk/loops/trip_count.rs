//! The exits of a loop: the first iteration in which an exit condition holds.
//!
//! Each condition is linear in the iterator i. `i ≥ b` holds from b on, so the loop is left in iteration max(start, b);
//! `i = b` holds in b alone; `i ≤ b` and conditions without i hold at the start or never. Code before an exit in the
//! body is executed in the last iteration too. An exit at the top of a loop has no code before it, so its last
//! iteration is empty.

use symloc_affine::{Constraint, Expr, LoopStep};
use symloc_frontend::cases::{Cases, Extreme, join};
use symloc_frontend::raising::Cause;
use symloc_frontend::ranges::Ranges;

use crate::walk::arrivals::Arrival;
use crate::walk::loops::counter::aligned;

/// One exit of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Exit<'m> {
    /// The loop is left in the first iteration that is at least the minimum of these.
    pub(crate) from: Vec<Expr>,
    /// True if nothing is executed in the iteration in which the loop is left.
    pub(crate) at_top: bool,
    pub(crate) arrival: Arrival<'m>,
}

/// All exits of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Leaving<'m> {
    pub(crate) exits: Cases<Vec<Exit<'m>>>,
    /// A necessary condition for the first iteration.
    pub(crate) entered: Cases<bool>,
}

impl<'m> Leaving<'m> {
    /// Returns the upper bounds of the iterator, exclusive, for each iteration up to the first that is not below the
    /// end.
    pub(crate) fn upper(&self, step: LoopStep) -> Result<Cases<Vec<Expr>>, Cause> {
        let step = step.expr()?;
        self.exits.try_map(&mut |exits: &Vec<Exit<'m>>| {
            let mut upper = Vec::new();
            for exit in exits {
                for from in &exit.from {
                    upper.push(if exit.at_top { from.clone() } else { from.plus(&step)? });
                }
            }
            match upper.is_empty() {
                true => Err(Cause::hinted("no condition ends it", "give the loop an end that depends on sizes alone")),
                false => smallest(upper),
            }
        })
    }

    /// Returns the exit, if there is only one.
    pub(crate) fn only(&self) -> Option<&Exit<'m>> {
        match &self.exits {
            Cases::Always(exits) => match exits.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            Cases::When(_) => None,
        }
    }

    /// Returns the exit that is taken, and the value of the iterator there.
    pub(crate) fn taken(&self, start: &Expr, step: i64, ranges: &Ranges) -> Result<Cases<(Exit<'m>, Expr)>, Cause> {
        let chosen = self.exits.and_then(&mut |exits: &Vec<Exit<'m>>| {
            let mut last = Vec::new();
            for exit in exits {
                let first = ranges.extreme(Extreme::Smallest, &exit.from)?;
                last.push(first.and_then(&mut |first: &Expr| {
                    Ok::<_, Cause>(
                        ranges.extreme(Extreme::Largest, &[start.clone(), aligned(start, first, step, ranges)?])?,
                    )
                })?);
            }
            join(&last)?.and_then(&mut |last: &Vec<Expr>| first_of(exits, last, ranges))
        })?;
        // If the loop is not entered, the exit at the top is taken at the start.
        let at_once =
            chosen.try_map(&mut |(exit, _): &(Exit<'m>, Expr)| Ok::<_, Cause>((exit.clone(), start.clone())))?;
        self.entered.and_then(&mut |entered: &bool| Ok(if *entered { chosen.clone() } else { at_once.clone() }))
    }
}

/// Removes the bounds that exceed another one by a constant.
fn smallest(bounds: Vec<Expr>) -> Result<Vec<Expr>, Cause> {
    let mut kept: Vec<Expr> = Vec::new();
    'bounds: for bound in bounds {
        for other in &mut kept {
            if let Some(ahead) = bound.minus(other)?.as_constant() {
                if ahead < 0 {
                    *other = bound;
                }
                continue 'bounds;
            }
        }
        kept.push(bound);
    }
    Ok(kept)
}

/// Returns the exit with the earliest iteration; of several in one iteration, the first in the body.
fn first_of<'m>(exits: &[Exit<'m>], last: &[Expr], ranges: &Ranges) -> Result<Cases<(Exit<'m>, Expr)>, Cause> {
    let mut pairs = exits.iter().zip(last);
    let (exit, at) = pairs.next().ok_or_else(|| Cause::here("no condition ends it"))?;
    let mut chosen = Cases::Always((exit.clone(), at.clone()));
    for (exit, at) in pairs {
        chosen = chosen.and_then(&mut |(best, first): &(Exit<'m>, Expr)| {
            let earlier = ranges.holds(Constraint::non_negative(first.minus(at)?.plus_constant(-1)?));
            let pick = |&sooner: &bool| {
                Ok::<_, Cause>(match sooner {
                    true => (exit.clone(), at.clone()),
                    false => (best.clone(), first.clone()),
                })
            };
            earlier.try_map(&mut { pick })
        })?;
    }
    Ok(chosen)
}
