//! Checks that counters do not wrap around before the end of their loop.

use symloc_affine::{Atom, Constraint, Expr, IterId};
use symloc_frontend::cases::Cases;
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Value};
use crate::values::environment::UnsignedAtExit;
use crate::values::lattice::Known;
use crate::walk::loops::induction::{Growth, Induction, Recurrence, linear};
use crate::walk::loops::trip_count::{Exit, Leaving};
use crate::walk::walker::Walker;

/// The reason for conditions on sizes.
const WRAPS: &str = "the counter of a loop must not wrap around";

impl<'m> Walker<'m, '_> {
    /// Checks that values which the exit conditions read as unsigned are not negative up to the last iteration: an
    /// unsigned `i >= 0` always holds. They are linear in the iterator, so it is enough to check both ends.
    pub(super) fn stays_unsigned(
        &mut self,
        induction: &Induction<'m>,
        mark: usize,
        exits: &Leaving<'m>,
    ) -> Result<(), Cause> {
        let iter = induction.iter;
        let doubtful = self.values.unsigned_at_exit.split_off(mark);
        let test = self.test_at_top(induction.inner);
        for UnsignedAtExit { value, at, mut case } in doubtful {
            // Other values that the body reads as unsigned are checked when the body is walked.
            if !test.contains(&at) || value.mentions(&|i| i != iter && i.0 >= iter.0) {
                continue;
            }
            // Conditions on the iterator may hold in some iterations only, and neither in the first nor in the last one.
            case.retain(|(condition, _)| condition.iter().all(|constraint| !varies(constraint, iter)));
            // The last value in steps of a parameter may be almost a step beyond the end.
            let beyond = if induction.counter.has_tiles() { induction.counter.step.expr()? } else { Expr::default() };
            let ends = exits.exits.try_map(&mut |exits: &Vec<Exit<'m>>| {
                let ends = exits.iter().flat_map(|exit| &exit.from).map(|end| end.plus(&beyond));
                Ok::<_, Cause>(ends.collect::<Result<Vec<_>, _>>()?)
            })?;
            within(&induction.counter.start, &case).and_then_in(&mut |start: &Poly, of_start| {
                let case = [case.as_slice(), of_start].concat();
                self.values.unsigned(&value.substitute(iter, start)?, at, &case)?;
                within(&ends, &case).and_then_in(&mut |ends: &Vec<Expr>, of_end| {
                    let case = [case.as_slice(), of_end].concat();
                    let last = ends.iter().filter_map(|end| value.substitute(iter, &end.clone().into()).ok());
                    let last: Vec<_> = last.collect();
                    let mut fine = last.iter().any(|last| self.values.non_negative_in(&case, last));
                    fine = fine || last.iter().any(|last| self.values.unsigned(last, at, &case).is_ok());
                    if fine { Ok::<_, Cause>(Cases::Always(())) } else { Err(unsigned_end()) }
                })
            })?;
        }
        Ok(())
    }

    /// Returns the instructions of the header that its test depends on.
    fn test_at_top(&self, inner: usize) -> Vec<Value<'m>> {
        let header = self.cfg.blocks[self.header(inner)];
        let own = header.instructions();
        let mut open: Vec<_> = header.terminator().and_then(|t| t.operand(0)).into_iter().collect();
        let mut found = Vec::new();
        while let Some(value) = open.pop() {
            if own.contains(&value) && value.opcode() != Some(Opcode::LLVMPHI) && !found.contains(&value) {
                found.push(value);
                open.extend(value.operands());
            }
        }
        found
    }

    /// Checks that a counter does not wrap around before its end. It may if it is narrower than the value that it is
    /// compared with, unless wrapping is undefined.
    pub(super) fn fits_its_type(&mut self, induction: &Induction<'m>, exits: &Leaving<'m>) -> Result<(), Cause> {
        use Opcode::{LLVMAdd, LLVMSExt, LLVMZExt};
        self.narrow_values(induction, exits)?;
        let (inner, counter) = (induction.inner, &induction.counter);
        let Some(phi) = counter.phi else { return Ok(()) };
        let instructions: Vec<_> = self.cfg.instructions(inner).collect();
        let extension = instructions.iter().find(|i| {
            matches!(i.opcode(), Some(LLVMSExt | LLVMZExt)) && i.operand(0) == Some(phi) && self.is_compared(**i)
        });
        let Some(extension) = extension else { return Ok(()) };
        let signed = extension.opcode() == Some(LLVMSExt);
        let promised = |i: &&Value<'m>| if signed { i.no_signed_wrap() } else { i.no_unsigned_wrap() };
        let adds = instructions.iter().filter(|i| i.opcode() == Some(LLVMAdd) && i.operand(0) == Some(phi));
        let width = phi.r#type().integer_width().filter(|width| *width < 63);
        let (Some(width), None) = (width, adds.clone().find(promised).filter(|add| add.r#type() == phi.r#type()))
        else {
            return Ok(());
        };
        let largest = Expr::constant(1_i64 << (width - u32::from(signed))).minus(&counter.step.expr()?)?;
        let Cases::Always(ends) = exits.upper(counter.step)? else { return Ok(()) };
        let rooms: Vec<_> = ends.iter().filter_map(|end| largest.minus(end).ok()).collect();
        if self.values.require_one(&rooms, *extension, WRAPS) { Ok(()) } else { Err(narrow(width)) }
    }

    /// Checks that numbers of fewer than 32 bits that grow, or shrink, fit in their types up to the last iteration.
    fn narrow_values(&mut self, induction: &Induction<'m>, exits: &Leaving<'m>) -> Result<(), Cause> {
        let (inner, counter) = (induction.inner, &induction.counter);
        // A number that some instruction extends as signed has the smaller limit, even if another one extends it as unsigned.
        let extended = |phi: Value<'m>, walker: &Self| {
            let by = |value: Value<'m>, opcode: Opcode| {
                let mut all = walker.cfg.instructions(inner);
                all.any(|i| i.opcode() == Some(opcode) && i.operand(0) == Some(value))
            };
            let mut next = walker.cfg.instructions(inner).filter(|i| i.operands().contains(&phi));
            by(phi, Opcode::LLVMZExt) && !by(phi, Opcode::LLVMSExt) && !next.any(|next| by(next, Opcode::LLVMSExt))
        };
        let grows = |r: &&Recurrence<'m>| !r.growth.is_zero() && !matches!(r.growth, Growth::Data(_));
        for recurrence in induction.recurrences.iter().filter(grows) {
            let Some(width @ 2..32) = recurrence.phi.r#type().integer_width() else { continue };
            if counter.has_tiles() {
                return Err(narrow(width));
            }
            let is_signed = !extended(recurrence.phi, self);
            let largest = (1_i64 << (width - u32::from(is_signed))) - 1;
            let smallest = if is_signed { -largest - 1 } else { 0 };
            let shrinks =
                matches!(&recurrence.growth, Growth::Integer(step) if step.as_constant().is_some_and(|step| step < 0));
            let Cases::Always(ends) = exits.upper(counter.step)? else { return Err(narrow(width)) };
            let room = |end: &Expr| {
                let last = match counter.phi == Some(recurrence.phi) {
                    true => Ok(Known::integer(end.clone().into())),
                    false => linear(counter, recurrence, &end.clone().into()),
                };
                let Ok(Known::Integer(Cases::Always(last))) = last else { return None };
                let last = last.affine()?;
                match shrinks {
                    true => last.minus(&Expr::constant(smallest)).ok(),
                    false => Expr::constant(largest).minus(&last).ok(),
                }
            };
            let rooms: Vec<_> = ends.iter().filter_map(room).collect();
            let fits = self.values.require_one(&rooms, recurrence.phi, WRAPS);
            if !fits || !self.starts_within(recurrence, largest) {
                return Err(narrow(width));
            }
        }
        Ok(())
    }

    /// Returns true if the first value of a recurrence is at most `largest`, or if the sizes are required to be such.
    fn starts_within(&mut self, recurrence: &Recurrence<'m>, largest: i64) -> bool {
        let Known::Integer(starts) = &recurrence.start else { return true };
        let mut fits = true;
        starts.each(&mut |start: &Poly| {
            let room = start.affine().and_then(|start| Expr::constant(largest).minus(&start).ok());
            fits &= room.is_some_and(|room| self.values.require(&room, recurrence.phi, WRAPS));
        });
        fits
    }

    fn is_compared(&self, value: Value<'m>) -> bool {
        let blocks = self.cfg.blocks.iter();
        let mut all = blocks.flat_map(|block| block.instructions());
        all.any(|i| i.opcode() == Some(Opcode::LLVMICmp) && i.operands().contains(&value))
    }
}

/// Returns what is left of a tree in a case.
fn within<T: Clone>(cases: &Cases<T>, case: &[(Vec<Constraint>, bool)]) -> Cases<T> {
    case.iter().fold(cases.clone(), |cases, (condition, holds)| cases.given(condition, *holds))
}

/// Returns true if a condition depends on an iterator, or on one that is newer.
fn varies(constraint: &Constraint, iter: IterId) -> bool {
    constraint.expr.mentions(&|atom| matches!(atom, Atom::Iter(other) if other.0 >= iter.0))
}

fn narrow(width: u32) -> Cause {
    Cause::hinted(
        format!("a counter of {width} bits may wrap around before the end"),
        "use a wider type, or state with --assume how large the sizes are",
    )
}

fn unsigned_end() -> Cause {
    Cause::hinted(
        "it ends when an unsigned number would be negative, which it never is",
        "use a signed counter, or `while (i-- > 0)`",
    )
}
