//! The misses that no order of a program's operations goes below.

use symloc_advise::Hierarchy;
use symloc_derivation::model::{ModelOptions, model};
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{LineChoice, NamedSizes};
use symloc_query::CliError;
use symloc_query::answers::lower_bound::BoundedSize;
use symloc_reuse::{LineSizes, Workers};

use super::written::WrittenProgram;
use crate::input::Input;
use crate::refusal::told;

/// Returns the bound of each level in lines. A level may hold other lines than those before it, so that the bound is that of a cache
/// as large as all of them together.
///
/// # Errors
///
/// If the program has no model, or none at these sizes.
pub(super) fn bounds(written: &dyn WrittenProgram, hierarchy: &Hierarchy, sizes: &[i64]) -> Result<Vec<f64>, CliError> {
    let input = with_registers(written)?;
    let lines = LineSizes::Fixed(vec![hierarchy.line]);
    let options = ModelOptions {
        layout: None,
        lines,
        exact: false,
        write_backs: false,
        max_operations: None,
        workers: Workers::unlimited(1),
    };
    let model = model(&input, &options, &|_| {}).map_err(told)?;
    let evaluator = Evaluator::new(&model, LineChoice::Only)?;
    let values = written.input().program.params.iter().map(|param| &param.name).zip(sizes);
    let of_model = values.filter(|(name, _)| model.parameters.contains(name));
    let named: NamedSizes = of_model.map(|(name, size)| (name.clone(), *size)).collect();
    let prediction = evaluator.predict(MissModel::Denning, &named)?;
    let bounded = BoundedSize::new(&model, &evaluator, &prediction)?;
    let lines = hierarchy.designs.iter().scan(0_u64, |held, design| {
        *held = held.saturating_add(design.geometry.lines());
        Some(*held)
    });
    Ok(lines.map(|lines| bounded.misses(&Int::from(lines)).to_f64()).collect())
}

/// Returns a program whose scalars are in registers, as in a compiled one: they are no lines that have to be loaded.
fn with_registers(written: &dyn WrittenProgram) -> Result<Input, CliError> {
    let input = written.input().clone();
    match written.as_read() {
        Some(program) => Ok(Input { program: program.clone(), ..input }),
        None if written.registers()?.is_empty() => Ok(input),
        None => Err(CliError::refused("no bound is known: the function cannot be read with its scalars in registers")),
    }
}
