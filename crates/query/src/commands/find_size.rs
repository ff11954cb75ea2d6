//! `find-size`: the largest size with which a cache keeps misses within a bound.
//!
//! Misses may decrease with the size of the problem, so one size implies nothing about another: every size of a given range is
//! evaluated. The answer names the largest that meets the goal and the smallest that does not.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use symloc_evaluate::{EvalError, Int, Prediction};
use symloc_report::answers::{Answer, Answers};
use symloc_report::text::{self, Columns};
use symloc_report::{AnswerHeader, MissModel, json, miss_model};

use super::cache_in_lines::CacheInLines;
use super::predictions;
use crate::caches::CacheArgs;
use crate::error::{CliError, ExitStatus};
use crate::grid::{Grid, ParameterAxis};
use crate::options::{FormatArgs, GridArgs, ModelArgs, SizeArgs};
use crate::output::tell;
use crate::ratio::{MissGoal, Ratio};

/// The options of `find-size`.
#[derive(Clone, Debug, Args)]
pub struct FindSizeArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// The cache must not miss more than this ratio of the accesses: 5% or 0.05. Without it: nothing but first touches
    #[arg(long, value_name = "RATIO", allow_hyphen_values = true)]
    max_miss_ratio: Option<Ratio>,
    /// How misses are predicted: lru by default, where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    grid: GridArgs,
}

impl FindSizeArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let sizes = self.sizes.grid(&model)?;
        let axis = searched(&sizes)?;
        self.grid.check(sizes.count())?;
        let (levels, note) = self.caches.fully_associative(|caches| self.grid.check(caches))?;
        let line = levels.line(self.model.line_bytes)?;
        let miss_model = MissModel::choose(self.miss_model, &model, line)?;
        let goal = self.max_miss_ratio.clone().map_or(MissGoal::ColdOnly, MissGoal::AtMost);
        let evaluator = self.sizes.evaluator(&model, line)?;
        let (mut header, mut searches) = (None, Vec::new());
        let mut values = axis.values.iter();
        predictions((&evaluator, miss_model), &sizes, sizes.count(), false, |prediction, progress| {
            let line_bytes = prediction.place().line_bytes;
            let AnswerHeader { line_bytes: first, .. } =
                header.get_or_insert_with(|| AnswerHeader::of_prediction(&model, prediction));
            if *first != line_bytes {
                return Err(CliError::refused(
                    "the size that is looked for is one of lines, so that caches change with it",
                ));
            }
            if searches.is_empty() {
                let search = |cache| {
                    let cache = CacheInLines::new(cache, line_bytes)?;
                    cache.fully_associative().map(|_| CacheSearch::new(cache))
                };
                searches = levels.caches().map(search).collect::<Result<_, _>>()?;
            }
            let size = values.next().unwrap_or_default();
            searches.iter_mut().try_for_each(|search| search.ask(size, prediction, &goal))?;
            progress.step();
            Ok(())
        })?;
        let Some(header) = header else { return Ok(ExitStatus::Success) };
        let missing = searches.iter().find(|search| search.largest.is_none()).map(|search| search.missing(axis, &goal));
        let mut answers = Answers::new(out, self.format.format(), false);
        answers.push(FoundSizes { header, miss_model, axis: axis.clone(), goal, searches })?;
        answers.finish()?;
        note.iter().for_each(|note| tell("note", note));
        let Some(missing) = missing else { return Ok(ExitStatus::Success) };
        tell("none", &missing);
        Ok(ExitStatus::CheckFailed)
    }
}

/// Returns the one parameter, or several tied ones, whose size is searched.
fn searched(sizes: &Grid) -> Result<&ParameterAxis, CliError> {
    let hint = "write -D n=16..4096:+16, or -D n=m=16..4096:+16 for parameters that go together";
    let mut ranges = sizes.ranges();
    match (ranges.next(), ranges.next()) {
        (Some(axis), None) => Ok(axis),
        (None, _) => Err(CliError::with_hint("no parameter has a range of sizes to search", hint)),
        (Some(a), Some(b)) => {
            let names = [a.names.join(", "), b.names.join(", ")];
            Err(CliError::with_hint(
                format!("ranges of {} and of {}: one size is looked for", names[0], names[1]),
                hint,
            ))
        }
    }
}

/// The state of the search for one cache.
struct CacheSearch {
    cache: CacheInLines,
    /// The number of sizes that meet the goal.
    meeting: u64,
    /// The largest size that meets the goal.
    largest: Option<i128>,
    /// The smallest size that does not meet it.
    smallest_above: Option<i128>,
}

impl CacheSearch {
    fn new(cache: CacheInLines) -> Self {
        Self { cache, meeting: 0, largest: None, smallest_above: None }
    }

    fn ask(&mut self, size: i128, prediction: &Prediction, goal: &MissGoal) -> Result<(), EvalError> {
        let misses = prediction.misses(&Int::from(self.cache.lines))?;
        if goal.is_met(&misses, prediction.accesses()) {
            self.meeting += 1;
            self.largest = self.largest.max(Some(size));
        } else {
            self.smallest_above = Some(self.smallest_above.map_or(size, |smallest| smallest.min(size)));
        }
        Ok(())
    }

    fn missing(&self, axis: &ParameterAxis, goal: &MissGoal) -> String {
        format!("{} has {goal} at no {} that was asked about", self.cache.capacity, axis.names.join(" = "))
    }

    /// Returns a note where the two sizes alone would mislead.
    fn note(&self, axis: &ParameterAxis) -> Option<String> {
        let (capacity, names) = (self.cache.capacity, axis.names.join(" = "));
        match (self.largest, self.smallest_above) {
            (Some(largest), Some(above)) if largest > above => {
                Some(format!("{capacity}: not all sizes up to {names} = {largest} meet it: {above} does not"))
            }
            (Some(largest), None) => {
                Some(format!("{capacity}: every size meets it, so larger ones than {names} = {largest} may as well"))
            }
            _ => None,
        }
    }
}

/// The sizes of some caches: `symloc.find-size/1`.
struct FoundSizes {
    /// The header of the first size.
    header: AnswerHeader,
    miss_model: MissModel,
    axis: ParameterAxis,
    goal: MissGoal,
    searches: Vec<CacheSearch>,
}

impl FoundSizes {
    /// Returns the parameters that are not searched.
    fn fixed(&self) -> Vec<(String, i128)> {
        let parameters = self.header.parameters.iter();
        parameters.filter(|(name, _)| !self.axis.names.contains(name)).cloned().collect()
    }

    fn bytes(&self, cache: &CacheInLines) -> Option<u64> {
        self.header.line_bytes.and_then(|line| cache.lines.checked_mul(line))
    }
}

impl Answer for FoundSizes {
    fn json(&self) -> impl Serialize {
        let cache = |search: &CacheSearch| SizeAnswer {
            name: search.cache.name.clone(),
            bytes: self.bytes(&search.cache),
            ways: search.cache.lines,
            line_bytes: self.header.line_bytes,
            meeting: search.meeting,
            largest: search.largest,
            smallest_above: search.smallest_above,
        };
        SizesAnswer {
            schema: "symloc.find-size/1",
            parameters: self.fixed(),
            searched: self.axis.names.clone(),
            sizes: self.axis.values.count(),
            model: self.miss_model.name(),
            max_miss_ratio: self.goal.bound().map(Ratio::value),
            caches: self.searches.iter().map(cache).collect(),
        }
    }

    fn head(&self) -> Vec<String> {
        let columns = ["level", "bytes", "lines", "line_bytes", "sizes", "meeting", "largest", "smallest_above"];
        columns.map(str::to_owned).into()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(number, search): (usize, &CacheSearch)| {
            let text = |value: Option<i128>| value.map(|value| value.to_string()).unwrap_or_default();
            vec![
                search.cache.name.clone().unwrap_or_else(|| number.to_string()),
                text(self.bytes(&search.cache).map(i128::from)),
                search.cache.lines.to_string(),
                text(self.header.line_bytes.map(i128::from)),
                self.axis.values.count().to_string(),
                search.meeting.to_string(),
                text(search.largest),
                text(search.smallest_above),
            ]
        };
        (1..).zip(&self.searches).map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        answers.iter().try_for_each(|answer| answer.write(out))
    }
}

impl FoundSizes {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { header, axis, goal, searches, .. } = self;
        let common = AnswerHeader { parameters: self.fixed(), ..header.clone() };
        writeln!(out, "{}{}, {}", header.function, common.at(), text::lines(header.line_bytes, header.element))?;
        let names = axis.names.join(" = ");
        let (first, last) =
            (axis.values.iter().min().unwrap_or_default(), axis.values.iter().max().unwrap_or_default());
        writeln!(out, "{} sizes from {names} = {first} to {last}, goal: {goal}", axis.values.count())?;
        writeln!(out)?;
        let named = searches.iter().any(|search| search.cache.name.is_some());
        let mut head = Vec::from_iter(named.then_some("level"));
        head.extend(["cache", "lines", "sizes that meet it", "largest", "smallest that does not"]);
        let mut table = Columns::new(&head, 0);
        for search in searches {
            let value = |value: Option<i128>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
            let mut row = Vec::from_iter(named.then(|| search.cache.name.clone().unwrap_or_default()));
            row.extend([search.cache.capacity.to_string(), search.cache.lines.to_string(), search.meeting.to_string()]);
            row.extend([value(search.largest), value(search.smallest_above)]);
            table.push(row);
        }
        table.write(out)?;
        let notes: Vec<_> = searches.iter().filter_map(|search| search.note(axis)).collect();
        if !notes.is_empty() {
            writeln!(out)?;
        }
        notes.iter().try_for_each(|note| writeln!(out, "{note}"))
    }
}

#[derive(Serialize)]
struct SizesAnswer {
    schema: &'static str,
    #[serde(serialize_with = "parameters")]
    parameters: Vec<(String, i128)>,
    searched: Vec<String>,
    sizes: u128,
    model: &'static str,
    max_miss_ratio: Option<f64>,
    caches: Vec<SizeAnswer>,
}

fn parameters<S: serde::Serializer>(sizes: &[(String, i128)], serializer: S) -> Result<S::Ok, S::Error> {
    json::parameters(sizes, serializer)
}

#[derive(Serialize)]
struct SizeAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    bytes: Option<u64>,
    ways: u64,
    line_bytes: Option<u64>,
    meeting: u64,
    largest: Option<i128>,
    smallest_above: Option<i128>,
}
