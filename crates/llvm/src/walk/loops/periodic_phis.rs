//! Periodic phis: buffers that are swapped or rotated, flags that are toggled.
//!
//! One iteration maps the values of the header's phis to those of the next. Dry runs from the start give x₀, x₁, x₂, …;
//! if x_p = x₀, and the map is the same in all iterations, x in iteration k is x_(k mod p).

use symloc_affine::{Constraint, Expr, IterId};
use symloc_frontend::cases::Cases;

use crate::values::environment::Values;
use crate::values::lattice::{Known, choose, same};
use crate::walk::loops::counter::Counter;
use crate::walk::loops::induction::{Growth, Induction, Recurrence};
use crate::walk::walker::Walker;
use symloc_frontend::poly::Poly;

/// The longest period that is looked for.
const LONGEST: usize = 4;

impl<'m> Walker<'m, '_> {
    /// Finds the open phis with a period.
    pub(crate) fn close_periods(&mut self, induction: &mut Induction<'m>) {
        let has_value = |start: &Known| matches!(start, Known::Integer(_) | Known::Pointer(_));
        let open = |r: &Recurrence<'m>| r.is_open() && has_value(&r.start);
        let mut members: Vec<usize> =
            (0..induction.recurrences.len()).filter(|index| open(&induction.recurrences[*index])).collect();
        // A phi may have a period only because of another that has none, so the others are tried again without that
        // one.
        while !members.is_empty() {
            let history = self.history(induction, &members);
            let periods: Vec<_> = history.iter().map(|values| period(values)).collect();
            if periods.iter().all(Option::is_some) {
                for (member, values) in members.iter().zip(&history) {
                    let known = period(values)
                        .and_then(|period| in_turn(&values[..period], &induction.counter, induction.iter));
                    induction.recurrences[*member].growth = known.map_or(Growth::Open, Growth::Is);
                }
                return;
            }
            members =
                members.into_iter().zip(periods).filter_map(|(member, period)| period.and(Some(member))).collect();
        }
    }

    /// Returns the values of some phis in the first iterations, up to one that depends on the iterator.
    fn history(&mut self, induction: &mut Induction<'m>, members: &[usize]) -> Vec<Vec<Known>> {
        let mut history: Vec<Vec<Known>> =
            members.iter().map(|m| vec![induction.recurrences[*m].start.clone()]).collect();
        for known in 1..=LONGEST {
            for (member, values) in members.iter().zip(&history) {
                let now = values.get(known - 1);
                induction.recurrences[*member].growth = now.map_or(Growth::Open, |value| Growth::Is(value.clone()));
            }
            let back = self.dry_run(induction);
            for (member, values) in members.iter().zip(&mut history).filter(|(_, values)| values.len() == known) {
                let next = self.received_back(&back, induction.inner, induction.recurrences[*member].phi);
                values.extend(next.filter(|next| is_free(next, induction.iter)));
            }
        }
        members.iter().for_each(|member| induction.recurrences[*member].growth = Growth::Open);
        history
    }
}

/// Returns the number of iterations after which the first value comes back, at least 2.
fn period(values: &[Known]) -> Option<usize> {
    (2..values.len()).find(|period| same(&values[0], &values[*period]))
}

/// Returns true if a value is the same in all iterations.
fn is_free(known: &Known, iter: IterId) -> bool {
    let next = Values::iterator(iter).plus(&Poly::constant(1));
    next.is_ok_and(|next| known.substitute(iter, &Cases::Always(next)).is_ok_and(|later| same(known, &later)))
}

/// Returns the periodic function of the iterator with these values.
fn in_turn(values: &[Known], counter: &Counter<'_>, iter: IterId) -> Option<Known> {
    let Cases::Always(first) = &counter.start else { return None };
    let step = counter.step.constant()?;
    let gone = Expr::iter(iter).minus(&first.affine()?).ok()?;
    let period = i64::try_from(values.len()).ok()?.checked_mul(step)?;
    let phase = gone.modulo(period).ok()?;
    let (last, others) = values.split_last()?;
    let mut known = last.clone();
    for (value, number) in others.iter().zip(0_i64..).collect::<Vec<_>>().into_iter().rev() {
        let is_it = Constraint::zero(phase.plus_constant(-step.checked_mul(number)?).ok()?);
        known = choose(&Cases::when(vec![is_it], Cases::Always(true), Cases::Always(false)), value, &known).ok()?;
    }
    Some(known)
}
