//! The check that an order respects every dependence.

use std::collections::BTreeSet;

use symloc_affine::Expr;
use symloc_isl::{Context, DimType, Map, UnionMap};
use symloc_reuse::schedule::timestamps::params_text;

use crate::dependences::Dependences;
use crate::error::ScheduleError;
use crate::order::OrderTree;
use crate::scop::Scop;

/// A dependence that an order turns round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The statement whose instance has to come first.
    pub first: usize,
    /// The statement whose instance has to come later.
    pub second: usize,
    /// The instances and parameter values, in isl notation.
    pub instances: String,
}

/// Returns a dependence that an order does not respect; `None` if it respects all.
///
/// # Errors
///
/// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
pub fn violation(
    isl: &Context,
    scop: &Scop,
    dependences: &Dependences,
    order: &OrderTree,
) -> Result<Option<Violation>, ScheduleError> {
    let times = times(isl, scop, order)?;
    let broken = dependences.all.subtract(&times.lex_lt(&times)?)?;
    for map in broken.maps()? {
        if map.is_empty()? {
            continue;
        }
        let statement = |kind| Ok::<_, ScheduleError>(map.tuple_name(kind)?.and_then(|name| scop.position(&name)));
        let (first, second) = (statement(DimType::In)?, statement(DimType::Out)?);
        let (first, second) = (first.unwrap_or_default(), second.unwrap_or_default());
        return Ok(Some(Violation { first, second, instances: map.lexmin()?.to_text()? }));
    }
    Ok(None)
}

/// Returns the statements whose innermost loop carries a dependence: from one iteration to a later one, with all outer
/// loops in the same iteration.
///
/// # Errors
///
/// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
pub fn carried(
    isl: &Context,
    scop: &Scop,
    dependences: &Dependences,
    order: &OrderTree,
) -> Result<BTreeSet<usize>, ScheduleError> {
    let count = scop.statements.len();
    let (times, innermost) = (order.times(count), order.innermost(count));
    // Loops are told apart by their numbers; a statement in no loop is by itself.
    let number = |statement: usize| innermost[statement].map_or(-(statement as i64) - 1, |(_, number)| number as i64);
    let around = |statement: usize, inclusive: bool| {
        let last = innermost[statement].map_or(0, |(component, _)| component + usize::from(inclusive));
        let mut around = times[statement][..last].to_vec();
        around.resize(times[statement].len(), Expr::constant(0));
        around.push(Expr::constant(number(statement)));
        around
    };
    let outside = map_to(isl, scop, &|statement| around(statement, false))?;
    let inside = map_to(isl, scop, &|statement| around(statement, true))?;
    let together = outside.apply_range(&outside.reverse()?)?;
    let at_once = inside.apply_range(&inside.reverse()?)?;
    let carried = dependences.all.intersect(&together)?.subtract(&at_once)?;
    let mut statements = BTreeSet::new();
    for map in carried.maps()? {
        if !map.is_empty()? {
            for kind in [DimType::In, DimType::Out] {
                statements.extend(map.tuple_name(kind)?.and_then(|name| scop.position(&name)));
            }
        }
    }
    Ok(statements)
}

/// Returns the times of all instances in an order.
fn times(isl: &Context, scop: &Scop, order: &OrderTree) -> Result<UnionMap, ScheduleError> {
    let times = order.times(scop.statements.len());
    map_to(isl, scop, &|statement| times[statement].clone())
}

/// Returns the map from all instances to a tuple for each statement.
fn map_to(isl: &Context, scop: &Scop, tuple: &impl Fn(usize) -> Vec<Expr>) -> Result<UnionMap, ScheduleError> {
    let mut union = UnionMap::empty(isl)?;
    for (index, statement) in scop.statements.iter().enumerate() {
        let time: Vec<_> = tuple(index).iter().map(|component| scop.program.show(component)).collect();
        let (params, tuple) = (params_text(&scop.program), scop.tuple(statement));
        let map = Map::read(isl, &format!("{params} -> {{ {tuple} -> [{}] }}", time.join(", ")))?;
        union = union.union(&UnionMap::from_map(&map)?)?;
    }
    Ok(union.intersect_domain(&scop.domain)?)
}
