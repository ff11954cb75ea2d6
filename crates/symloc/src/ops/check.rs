//! `ops --verify`: a comparison of the counts of all blocks and edges with a run.

use std::io::Write;

use symloc_affine::Weight;
use symloc_frontend::Characteristics;
use symloc_quasi::Rational;
use symloc_query::CliError;
use symloc_report::answers::ops::count_text::{CountValue, number};
use symloc_reuse::Executions;
use symloc_sim::{Passes, SimError, passes};

use super::counts::{count_text, subject_of};
use crate::derivation::explain;

/// Compares the counts with a run and prints the differences; returns true if there are none.
pub(crate) fn compare(
    out: &mut dyn Write,
    characteristics: &Characteristics,
    executions: &Executions<'_>,
    sizes: &[i64],
    limit: u64,
) -> Result<bool, CliError> {
    let Characteristics { program, marks, blocks, edges, .. } = characteristics;
    let subject = subject_of(program, Some(sizes))?;
    let run = passes(program, sizes, *marks, limit).map_err(refused)?;
    let names = blocks.iter().map(|block| (block.mark, format!("block {}", block.name)));
    let edge_name = |from: usize, to: usize| format!("edge {} -> {}", blocks[from].name, blocks[to].name);
    let names = names.chain(edges.iter().map(|edge| (edge.mark, edge_name(edge.from, edge.to))));
    let mut differences = Vec::new();
    let mut unknown = 0;
    for (mark, name) in names {
        let counted = executions.of(mark).map_err(|error| explain(program, &error))?;
        match (count_text(&subject, counted).value, ran(&run[mark.index()])) {
            (CountValue::Number(counted), Some(ran)) if counted == ran => (),
            (CountValue::Unknown(_), _) => unknown += 1,
            (CountValue::Number(counted), Some(ran)) => {
                differences.push(format!("{name}: counted {}, run {}", number(&counted), number(&ran)));
            }
            _ => differences.push(format!("{name}: there is no number")),
        }
    }
    let named: Vec<_> = program.params.iter().zip(sizes).map(|(p, size)| format!("{} = {size}", p.name)).collect();
    let place = [vec![program.name.clone()], named].concat().join(", ");
    if differences.is_empty() {
        let unknown = if unknown > 0 { format!(" ({unknown} are not known)") } else { String::new() };
        writeln!(out, "ok    {place}: {} blocks and {} edges agree{unknown}", blocks.len(), edges.len())?;
    } else {
        writeln!(out, "DIFF  {place}: {} differences", differences.len())?;
        differences.iter().try_for_each(|difference| writeln!(out, "      {difference}"))?;
    }
    Ok(differences.is_empty())
}

/// Returns the weighted sum of the passes of a run; `None` if a weight is not known.
fn ran(passes: &Passes) -> Option<Rational> {
    passes.weighted.iter().try_fold(Rational::from_integer(0.into()), |sum, (weight, count)| {
        let count = Rational::from_integer((*count).into());
        match weight {
            Weight::Once => Some(sum + count),
            Weight::Estimate(weight) => Some(sum + count * weight),
            Weight::Unknown(_) => None,
        }
    })
}

fn refused(error: SimError) -> CliError {
    match error {
        SimError::TooManyPasses { limit } => {
            let message = format!("limit: more than {limit} blocks and edges are passed");
            CliError::with_hint(message, "raise it with --max-passes")
        }
        _ => CliError::refused(error.to_string()),
    }
}
