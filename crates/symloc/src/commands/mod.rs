//! The commands that need a program.

mod advise;
mod annotate;
mod check;
mod compare;
mod derive;
mod einsum;
mod ops;
mod order;
mod simulate;
mod threads;
mod verify;

pub(crate) use advise::AdviseArgs;
pub(crate) use annotate::annotate_module;
pub(crate) use check::tools;
pub(crate) use compare::CompareArgs;
pub(crate) use derive::DeriveArgs;
pub(crate) use einsum::EinsumArgs;
pub(crate) use ops::OpsArgs;
pub(crate) use order::OrderArgs;
pub(crate) use simulate::SimulateArgs;
pub(crate) use verify::VerifyArgs;

use symloc_affine::{Constraint, Expr, ParamId, Program};
use symloc_model::parameters_are;
use symloc_query::CliError;
use symloc_query::options::ParameterArgs;
use symloc_query::options::grid::{Grid, Point};

/// Returns the grid of the sizes given for a program.
fn grid_of(program: &Program, parameters: &ParameterArgs) -> Result<Grid, CliError> {
    let names: Vec<_> = program.params.iter().map(|p| p.name.clone()).collect();
    parameters.grid(&program.name, &names)
}

/// Returns the sizes at a point of the grid, in the order of the program's parameters.
fn sizes_of(program: &Program, point: &Point) -> Result<Vec<i64>, CliError> {
    let ignored = |name: &str| program.without_effect.iter().any(|ignored| ignored.name == name);
    let is_known =
        |name: &str| program.param(name).is_some() || program.arguments().contains_key(name) || ignored(name);
    if let Some((unknown, _)) = point.iter().find(|(name, _)| !is_known(name)) {
        let known: Vec<_> = program.params.iter().map(|p| p.name.clone()).collect();
        let unused: Vec<_> = program.without_effect.iter().map(|unused| unused.name.clone()).collect();
        let parameters = parameters_are(&known, &unused);
        return Err(CliError::refused(format!("`{unknown}` is not a parameter of {} ({parameters})", program.name)));
    }
    let is_conditional =
        |name: &str| program.without_effect.iter().any(|ignored| ignored.name == name && ignored.at_least_one);
    if let Some((name, value)) = point.iter().find(|(name, value)| is_conditional(name) && *value < 1) {
        return Err(too_small(name, *value));
    }
    let size = |name: &str, argument: Option<&str>| {
        let given = |wanted: &str| point.iter().find(|(known, _)| known == wanted).map(|(_, size)| *size);
        let only = || program.only_value(program.param(name)?);
        let size = given(name).or_else(|| given(argument?)).or_else(only);
        size.ok_or_else(|| {
            CliError::with_hint(format!("no value for the parameter {name}"), format!("give it with -D {name}=…"))
        })
    };
    let sizes: Vec<i64> =
        program.params.iter().map(|p| size(&p.name, p.argument.as_deref())).collect::<Result<_, _>>()?;
    let small = (0_u32..).map(ParamId).zip(&sizes).find(|(param, value)| **value < 1 && is_size(program, *param));
    small.map_or(Ok(()), |(param, value)| Err(too_small(&program.params[param.index()].name, *value)))?;
    Ok(sizes)
}

/// Is a parameter required to be at least 1, and nothing else?
fn is_size(program: &Program, param: ParamId) -> bool {
    let positive = Expr::param(param).plus_constant(-1).map(Constraint::non_negative);
    positive.is_ok_and(|positive| program.context.contains(&positive))
}

/// The refusal of a value below 1 of a size.
fn too_small(name: &str, value: i64) -> CliError {
    CliError::with_hint(
        format!("the context does not allow {name} = {value}: {name} >= 1 is required"),
        format!(
            "a size is at least 1 unless its values are given: --assume '{name} = {value}', or --assume '{name} in {value}, 1'"
        ),
    )
}
