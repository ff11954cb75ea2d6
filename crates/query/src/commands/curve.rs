//! `curve`: the misses at one size, over all cache sizes.
//!
//! The curve is a step function; its steps are exact. CSV and JSON hold every step, the plot for people has a
//! logarithmic axis of cache sizes.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use symloc_model::{Denning, Distribution, Int, Misses, Step};

use crate::cache::Capacity;
use crate::error::{CliError, ExitStatus};
use crate::export::json::{self, Number};
use crate::export::text::{self, Columns};
use crate::export::{Header, estimate};
use crate::options::{MissModel, ModelArgs, SizeArgs};

/// The options of `curve`.
#[derive(Clone, Debug, Args)]
pub struct CurveArgs {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    /// How misses are predicted: lru by default, where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_enum, id = "miss_model")]
    miss_model: Option<MissModel>,
    /// Print every step as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl CurveArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let miss_model = MissModel::choose(self.miss_model, &model, self.model.line())?;
        let distribution = self.sizes.evaluate(&model, self.model.line())?;
        let (steps, estimated) = match miss_model {
            MissModel::Denning => (Denning::new(&distribution).curve(), Int::ZERO),
            MissModel::Lru => {
                let found = self.sizes.distances(&model, self.model.line())?;
                (found.curve(&distribution), found.estimated())
            }
        };
        if self.json {
            json::write(out, &Answer::new(&distribution, &steps, miss_model, &estimated))?;
        } else if self.csv {
            write_csv(out, &distribution, &steps)?;
        } else {
            Header::new(&model, &distribution).write(out)?;
            writeln!(out)?;
            plot(&distribution, &steps).write(out)?;
            estimate::write_note(out, &estimated)?;
        }
        Ok(ExitStatus::Success)
    }
}

fn write_csv(out: &mut dyn Write, distribution: &Distribution, steps: &[Step]) -> io::Result<()> {
    writeln!(out, "lines,bytes,misses,cold,miss_ratio")?;
    for Step { blocks, misses } in steps {
        let bytes = distribution.line_bytes.map(|line| (blocks * &Int::from(line)).to_string()).unwrap_or_default();
        let ratio = misses.total().ratio(&distribution.accesses);
        writeln!(out, "{blocks},{bytes},{},{},{ratio}", misses.total(), misses.cold)?;
    }
    Ok(())
}

/// One bar for each power of two of lines, up to the cache in which only first touches miss.
fn plot(distribution: &Distribution, steps: &[Step]) -> Columns {
    let mut rows = Columns::new(&["cache", "misses", "miss ratio", ""], 0);
    let mut next = steps.iter().peekable();
    let mut misses: Option<&Misses> = None;
    let mut lines: u64 = 1;
    loop {
        while let Some(step) = next.next_if(|step| step.blocks <= Int::from(lines)) {
            misses = Some(&step.misses);
        }
        let total = misses.map_or_else(|| distribution.accesses.clone(), Misses::total);
        let ratio = total.ratio(&distribution.accesses);
        rows.push(vec![size(lines, distribution), total.to_string(), text::ratio(ratio), bar(ratio)]);
        if next.peek().is_none() || lines > u64::MAX / 2 {
            return rows;
        }
        lines *= 2;
    }
}

fn size(lines: u64, distribution: &Distribution) -> String {
    let bytes = distribution.line_bytes.and_then(|line| line.checked_mul(lines));
    bytes.map_or(Capacity::Lines(lines), Capacity::Bytes).to_string()
}

/// A bar of up to 50 characters; something that is not nothing shows.
fn bar(ratio: f64) -> String {
    const FULL: f64 = 50.0;
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (ratio.clamp(0.0, 1.0) * FULL * 8.0).ceil() as usize;
    let bar = "█".repeat(eighths / 8) + PARTS[eighths % 8];
    format!("{bar:<50}")
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: &'static str,
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    model: &'static str,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "json::int")]
    accesses: &'a Int,
    #[serde(serialize_with = "json::int")]
    first_touches: &'a Int,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<Number<'a>>,
    #[serde(serialize_with = "steps")]
    steps: &'a [Step],
}

/// `[[lines, misses], …]`
fn steps<S: serde::Serializer>(steps: &[Step], serializer: S) -> Result<S::Ok, S::Error> {
    let totals: Vec<_> = steps.iter().map(|step| (&step.blocks, step.misses.total())).collect();
    serializer.collect_seq(totals.iter().map(|(blocks, misses)| (Number(blocks), Number(misses))))
}

impl<'a> Answer<'a> {
    fn new(distribution: &'a Distribution, steps: &'a [Step], model: MissModel, estimated: &'a Int) -> Self {
        Self {
            schema: "symloc.curve/1",
            parameters: &distribution.parameters,
            model: model.name(),
            line_bytes: distribution.line_bytes,
            accesses: &distribution.accesses,
            first_touches: &distribution.blocks,
            estimated: (!estimated.is_zero()).then_some(Number(estimated)),
            steps,
        }
    }
}
