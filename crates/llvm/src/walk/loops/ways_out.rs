//! The exit conditions of a loop, from the edges by which one iteration ends.

use symloc_affine::{Atom, Constraint, IterId, Relation};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::{Cases, negation};

use crate::ir::cfg::Node;
use crate::walk::arrivals::{Arrival, Arrivals};

/// A condition under which a loop is left, with the edge out of it.
#[derive(Clone, Debug)]
pub(crate) struct WayOut<'m> {
    pub(crate) condition: Vec<Constraint>,
    pub(crate) arrival: Arrival<'m>,
}

/// Adds the exits among these edges to those `found`, under some `given` conditions on the iterator; `None` if their
/// conditions have no such form. They are in the order in which they are tested. A loop-invariant condition gives two
/// cases with lists of their own.
pub(crate) fn ways_out<'m>(
    arrivals: &Arrivals<'m>,
    goes_on: &impl Fn(Option<Node>) -> bool,
    iter: IterId,
    given: &[Constraint],
    mut found: Vec<WayOut<'m>>,
) -> Option<Cases<Vec<WayOut<'m>>>> {
    let under = |conditions: &[Constraint]| [given, conditions].concat();
    let when = match arrivals {
        Cases::Always(arrival) => {
            found
                .extend((!goes_on(arrival.to)).then(|| WayOut { condition: given.to_vec(), arrival: arrival.clone() }));
            return Some(Cases::Always(found));
        }
        Cases::When(when) => when,
    };
    let stays = |side: &Arrivals<'m>| all_of(side, &|to| goes_on(to));
    let leaves = |side: &Arrivals<'m>| all_of(side, &|to| !goes_on(to));
    // If the loop is left in any case, each way out has its own condition: that of the second is not the rest, as the first one
    // is taken in the same iteration.
    let goes_on_somehow = !leaves(&when.then) || !leaves(&when.otherwise);
    match (&when.then, &when.otherwise) {
        (then, otherwise) if stays(then) && stays(otherwise) => Some(Cases::Always(found)),
        (Cases::Always(out), rest) if goes_on_somehow && leaves(&when.then) => {
            found.push(WayOut { condition: under(&when.condition), arrival: out.clone() });
            ways_out(rest, goes_on, iter, given, found)
        }
        (rest, Cases::Always(out)) if goes_on_somehow && leaves(&when.otherwise) => {
            for constraint in &when.condition {
                let negated = negation(std::slice::from_ref(constraint)).ok()??;
                found.push(WayOut { condition: under(&[negated]), arrival: out.clone() });
            }
            ways_out(rest, goes_on, iter, given, found)
        }
        (then, otherwise) if when.condition.iter().all(|constraint| !mentions(constraint, iter)) => {
            let then = ways_out(then, goes_on, iter, given, found.clone())?;
            Some(Cases::when(when.condition.clone(), then, ways_out(otherwise, goes_on, iter, given, found)?))
        }
        (then, otherwise) => {
            let mut ways = Cases::Always(found);
            let not = when.condition.iter().map(negations).collect::<Option<Vec<_>>>()?.concat();
            let not = not.into_iter().map(|condition| vec![condition]).collect();
            for (side, conditions) in [(then, vec![when.condition.clone()]), (otherwise, not)] {
                for condition in conditions.iter().filter(|_| !stays(side)) {
                    ways = ways
                        .and_then(&mut |found: &Vec<WayOut<'m>>| {
                            let more = ways_out(side, goes_on, iter, &under(condition), found.clone());
                            more.ok_or(Trouble::TooMany)
                        })
                        .ok()?;
                }
            }
            Some(ways)
        }
    }
}

/// Returns the negation of a condition, as a disjunction: a number that is not zero is positive or negative.
fn negations(constraint: &Constraint) -> Option<Vec<Constraint>> {
    let (expr, below) = (&constraint.expr, constraint.expr.times(-1).and_then(|negated| negated.plus_constant(-1)));
    let below = Constraint::non_negative(below.ok()?);
    Some(match constraint.relation {
        Relation::NonNegative => vec![below],
        Relation::Zero => vec![Constraint::non_negative(expr.plus_constant(-1).ok()?), below],
    })
}

fn all_of(arrivals: &Arrivals<'_>, test: &impl Fn(Option<Node>) -> bool) -> bool {
    match arrivals {
        Cases::Always(arrival) => test(arrival.to),
        Cases::When(when) => all_of(&when.then, test) && all_of(&when.otherwise, test),
    }
}

/// Returns true if a condition mentions an iterator.
pub(crate) fn mentions(constraint: &Constraint, iter: IterId) -> bool {
    constraint.expr.mentions(&|atom| *atom == Atom::Iter(iter))
}
