//! The checks that an order respects every dependence, and that its code runs every instance once.

use num_bigint::BigInt;
use symloc_isl::{Context, DimType, Map, UnionMap};
use symloc_reuse::schedule::timestamps::{Timestamps, params_text};

use crate::dependences::Dependences;
use crate::error::ScheduleError;
use crate::generate::Generated;
use crate::order::OrderTree;
use crate::scop::{Scop, ScopStatement};

/// A dependence that an order turns round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The statement whose instance has to come first.
    pub first: usize,
    /// The statement whose instance has to come later.
    pub second: usize,
    /// Sizes at which the order turns it round, by the names of parameters; others may have any value.
    pub sizes: Vec<(String, BigInt)>,
    /// The iterators of the instance that has to come first, outermost first.
    pub first_instance: Vec<BigInt>,
    /// The iterators of the instance that has to come later.
    pub second_instance: Vec<BigInt>,
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
    let times = order.times_of_instances(isl, scop)?;
    // An order of some statements only has to respect the dependences between these.
    let statements = order.statements(scop);
    let is_whole = statements.len() == scop.statements.len();
    let dependences = if is_whole { dependences.clone() } else { dependences.among(isl, scop, &statements)? };
    let broken = dependences.all.subtract(&times.lex_lt(&times)?)?;
    for map in broken.maps()? {
        let Some(mut point) = map.wrap()?.sample_point()? else { continue };
        let statement = |kind| Ok::<_, ScheduleError>(map.tuple_name(kind)?.and_then(|name| scop.position(&name)));
        let (first, second) = (statement(DimType::In)?, statement(DimType::Out)?);
        let (first, second) = (first.unwrap_or_default(), second.unwrap_or_default());
        let second_instance = point.set.split_off(map.dim(DimType::In)?);
        let name = |place| Ok::<_, ScheduleError>(map.dim_name(DimType::Param, place)?.unwrap_or_default());
        let names = (0..point.params.len()).map(name).collect::<Result<Vec<_>, _>>()?;
        let sizes = names.into_iter().zip(point.params).collect();
        return Ok(Some(Violation { first, second, sizes, first_instance: point.set, second_instance }));
    }
    Ok(None)
}

/// Returns true if the code of an order runs every instance of its statements exactly once. isl's code does not
/// always: of loops with steps in tiles it may leave out iterations.
///
/// # Errors
///
/// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
pub fn is_complete(
    isl: &Context,
    scop: &Scop,
    order: &OrderTree,
    generated: &Generated,
) -> Result<bool, ScheduleError> {
    let program = &generated.program;
    let timestamps = Timestamps::new(isl, program)?;
    let mut runs = UnionMap::empty(isl)?;
    for (access, origin) in generated.origins.iter().enumerate() {
        let begins = |statement: &&ScopStatement| statement.accesses.first() == Some(origin);
        let Some(statement) = scop.statements.iter().find(begins) else { continue };
        let region = &timestamps.regions[timestamps.statements[access].region];
        let iters: Vec<_> = region.iters.iter().map(|iter| program.iters[iter.index()].name.as_str()).collect();
        let instance: Vec<_> = generated.instances[access].iter().map(|value| program.show(value)).collect();
        let name = format!("Run{access}");
        let (params, iters, instance) = (params_text(program), iters.join(", "), instance.join(", "));
        let text = format!("{params} -> {{ {name}[{iters}] -> {}[{instance}] }}", statement.name);
        let run = Map::read(isl, &text)?.intersect_domain(&region.domain.set_tuple_name(&name)?)?;
        runs = runs.union(&UnionMap::from_map(&run)?)?;
    }
    Ok(runs.range()?.is_equal(&scop.instances(isl, &order.statements(scop))?)? && runs.is_injective()?)
}
