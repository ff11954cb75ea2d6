//! `query`: the misses in some caches, at one size or at many.

use std::io::Write;

use clap::Args;
use symloc_model::{Int, Locality};

use super::{localities, tell};
use crate::cache::Capacity;
use crate::error::{CliError, ExitStatus};
use crate::export::Header;
use crate::export::answers::Answers;
use crate::export::misses::{Level, LevelMisses};
use crate::export::text;
use crate::levels::{CacheArgs, NamedCache};
use crate::options::{FormatArgs, GridArgs, MissModel, ModelArgs, SizeArgs};
use crate::ratio::Ratio;

/// The options of `query`.
#[derive(Clone, Debug, Args)]
pub struct QueryArgs {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// How misses are predicted
    #[arg(long = "model", value_name = "MODEL", value_enum, default_value_t, id = "miss_model")]
    miss_model: MissModel,
    /// Exit with 1 if the miss ratio of any level, at any point, is above this: 5% or 0.05
    #[arg(long, value_name = "RATIO", allow_hyphen_values = true)]
    fail_above: Option<Ratio>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    grid: GridArgs,
}

impl QueryArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        self.miss_model.require()?;
        let model = self.model.load()?;
        let sizes = self.sizes.grid(&model)?;
        let levels = self.caches.modelled(|caches| self.grid.check(caches))?;
        let points = sizes.count().saturating_mul(levels.count());
        self.grid.check(points)?;
        let line = levels.line(self.model.line_bytes)?;
        let line_bytes = model.line(line)?.line_bytes;
        let shapes =
            |hierarchy: Vec<&NamedCache>| hierarchy.into_iter().map(|cache| Shape::new(cache, line_bytes)).collect();
        let hierarchies = levels.hierarchies().map(shapes).collect::<Result<Vec<Vec<_>>, CliError>>()?;
        let evaluator = self.sizes.evaluator(&model, line)?;
        let mut failures = Failures::new(self.fail_above.as_ref());
        let mut answers = Answers::new(out, self.format.format(), !sizes.is_single() || levels.is_grid);
        localities(&evaluator, &sizes, points, answers.streams(), |locality, progress| {
            for shapes in &hierarchies {
                let header = Header::of_locality(&model, locality);
                let levels = shapes.iter().map(|shape| shape.ask(locality)).collect();
                let answer = LevelMisses { header, model: "denning", levels };
                failures.check(&answer);
                answers.push(answer)?;
                progress.step();
            }
            Ok(())
        })?;
        answers.finish()?;
        levels.notes.iter().for_each(|note| tell("note", note));
        Ok(failures.finish())
    }
}

/// A cache in lines.
pub(super) struct Shape {
    pub(super) name: Option<String>,
    pub(super) capacity: Capacity,
    pub(super) lines: u64,
}

impl Shape {
    pub(super) fn new(NamedCache { name, cache }: &NamedCache, line_bytes: Option<u64>) -> Result<Self, CliError> {
        Ok(Self { name: name.clone(), capacity: cache.capacity, lines: cache.lines(line_bytes)? })
    }

    fn ask(&self, locality: &Locality) -> Level {
        let Self { name, capacity, lines } = self;
        let misses = locality.misses(&Int::from(*lines));
        Level { name: name.clone(), capacity: *capacity, lines: *lines, ways: *lines, misses }
    }
}

/// What `--fail-above` finds.
struct Failures<'r> {
    bound: Option<&'r Ratio>,
    found: Vec<String>,
    count: u64,
}

/// The most failures that are described.
const DESCRIBED: u64 = 10;

impl<'r> Failures<'r> {
    fn new(bound: Option<&'r Ratio>) -> Self {
        Self { bound, found: Vec::new(), count: 0 }
    }

    fn check(&mut self, LevelMisses { header, levels, .. }: &LevelMisses) {
        let Some(bound) = self.bound else { return };
        for (number, level) in (1..).zip(levels) {
            let misses = level.misses.total();
            if bound.allows(&misses, &header.accesses) {
                continue;
            }
            self.count += 1;
            if self.count <= DESCRIBED {
                let at = header.at();
                let name = level.name.clone().unwrap_or_else(|| format!("level {number}"));
                let ratio = text::ratio(misses.ratio(&header.accesses));
                let Level { capacity, .. } = level;
                self.found.push(format!("{name} ({capacity}){at} misses {ratio} of the accesses, more than {bound}"));
            }
        }
    }

    /// Tells, after the result.
    fn finish(self) -> ExitStatus {
        self.found.iter().for_each(|failure| tell("failed", failure));
        if self.count > DESCRIBED {
            tell("failed", &format!("and {} more", self.count - DESCRIBED));
        }
        if self.count == 0 { ExitStatus::Success } else { ExitStatus::CheckFailed }
    }
}
