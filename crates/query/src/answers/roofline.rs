//! `curve --roofline`: upper bounds on the speed of programs on a machine.
//!
//! The traffic is that of the machine's caches as they are built, in a hierarchy: simulated, or sampled where that takes long.

use symloc_evaluate::{Evaluator, Int};
use symloc_machine::{Machine, NamedCache, Speed};
use symloc_model::NamedSizes;
use symloc_report::AnswerHeader;
use symloc_report::answers::attribution::FilledCache;
use symloc_report::answers::roofline::{MeasuredProgram, Rooflines};

use super::sampled::Sampler;
use crate::answers::series::SeriesCase;
use crate::error::CliError;
use crate::options::samples::SampleArgs;
use crate::output;

/// A hint on where the speed of a machine is stated.
const SPEED: &str = "a .toml tells it with peak = \"76.8 GFlop/s\", and bandwidth = \"12.5 GB/s\" in [memory] and in each \
                     [[cache]] but the first";

/// Returns the upper bounds on the speed of some programs on a machine.
pub(crate) fn rooflines(machine: &Machine, cases: &[SeriesCase<'_>]) -> Result<Rooflines, CliError> {
    let (caches, speed) = levels_and_speed(machine)?;
    let caches: Vec<_> = caches.iter().collect();
    let one = |case| measured(case, &caches, cases.len() == 1).map_err(|error| case.explain(error));
    let programs = cases.iter().map(one).collect::<Result<_, _>>()?;
    Ok(Rooflines::new(machine.to_string(), speed, programs))
}

/// Returns the caches of a machine and its speed.
///
/// # Errors
///
/// The errors of a description, with a hint on the speed.
pub(crate) fn levels_and_speed(machine: &Machine) -> Result<(Vec<NamedCache>, Speed), CliError> {
    let (levels, speed) = machine.levels_and_speed().map_err(|error| {
        // The error has a place, or names a file.
        CliError::Diagnostics(format!("{error}\nhelp: {SPEED}\n"))
    })?;
    Ok((levels.into_iter().map(NamedCache::from).collect(), speed))
}

/// Returns the number of floating-point operations at a size.
///
/// # Errors
///
/// A refusal if there are none, or if they are not known.
pub(crate) fn known_operations(evaluator: &Evaluator<'_>, sizes: &NamedSizes) -> Result<Int, CliError> {
    let operations = evaluator.operations(sizes)?.filter(|operations| !operations.is_zero());
    operations.ok_or_else(|| {
        CliError::with_hint(
            "it has no floating-point operations that are known, and a roofline is about those",
            "`symloc derive` counts them; models of older versions do not hold them",
        )
    })
}

/// Measures the traffic of a program at a size; its notes are reported if it is the only one.
fn measured(case: &SeriesCase<'_>, caches: &[&NamedCache], only: bool) -> Result<MeasuredProgram, CliError> {
    let (model, evaluator) = (&case.member.model, case.own_evaluator()?);
    let totals = evaluator.totals(&case.sizes())?;
    let operations = known_operations(&evaluator, &case.sizes())?;
    let arguments = SampleArgs::default();
    let sampler = Sampler::new(model, &evaluator, &arguments)?;
    let at = sampler.at(&totals)?;
    if only {
        at.notes(caches)?.iter().for_each(|note| output::tell("note", note));
    }
    let fills = at.fills(caches, &[])?;
    let header = AnswerHeader::of_totals(model, &totals);
    let traffic = fills.levels.iter().map(FilledCache::traffic).collect();
    Ok(MeasuredProgram { name: case.name.clone(), header, source: fills.source, operations, traffic })
}
