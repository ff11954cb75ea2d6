//! `query`: the misses in some caches, at one size or at many.

use std::io::Write;

use clap::Args;
use symloc_model::{Int, LineChoice, Locality, Model};

use super::{localities, tell};
use crate::cache::Capacity;
use crate::error::{CliError, ExitStatus};
use crate::export::Header;
use crate::export::answers::Answers;
use crate::export::misses::{Level, LevelMisses};
use crate::export::text;
use crate::levels::{CacheArgs, Levels, NamedCache};
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
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
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
        let hierarchies = hierarchies(&model, line, &levels)?;
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
    fn ask(&self, locality: &Locality) -> Level {
        let Self { name, capacity, lines } = self;
        let misses = locality.misses(&Int::from(*lines));
        Level { name: name.clone(), capacity: *capacity, lines: *lines, ways: *lines, misses }
    }
}

/// The caches of each hierarchy, in lines of the size that was chosen.
pub(super) fn hierarchies(model: &Model, line: LineChoice, levels: &Levels) -> Result<Vec<Vec<Shape>>, CliError> {
    let line_bytes = model.line(line)?.line_bytes;
    let hierarchy = |caches: Vec<&NamedCache>| {
        let shape = |named: &NamedCache| {
            let lines = named.cache.lines(line_bytes)?;
            Ok(Shape { name: named.name.clone(), capacity: named.cache.capacity, lines })
        };
        caches.into_iter().map(shape).collect()
    };
    levels.hierarchies().map(hierarchy).collect()
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
