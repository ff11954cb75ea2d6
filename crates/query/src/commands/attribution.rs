//! `query --by`: attributes misses to accesses. `query --traffic`: the bytes that they move.

use std::collections::BTreeMap;

use clap::Args;
use symloc_evaluate::{Attribution, Evaluator, Int, Prediction};
use symloc_model::{Model, Outline};
use symloc_report::attribution::{AttributionReport, Fill, FillRow, FilledCache};
use symloc_report::misses::MissSource;
use symloc_report::subject::{RowSubject, RowsBy};
use symloc_report::{AnswerHeader, Counted};

use super::cache_in_lines::CacheInLines;
use super::question::Question;
use crate::error::CliError;

/// To whom misses are attributed, and in which unit.
#[derive(Clone, Debug, Default, Args)]
pub struct AttributionArgs {
    /// Tell the misses of each array, access or nest by themselves
    #[arg(long, value_name = "WHAT", value_enum)]
    by: Option<RowsBy>,
    /// Bytes that are read into each cache, and floating-point operations for each of them
    #[arg(long)]
    traffic: bool,
}

impl AttributionArgs {
    /// Returns true if the options request anything of this module.
    pub(super) fn asked(&self) -> bool {
        self.by.is_some() || self.traffic
    }

    /// Returns the answers at one size, one for each hierarchy of caches.
    pub(super) fn reports<'q>(
        &self,
        question: &Question<'q>,
        prediction: &Prediction,
        hierarchies: &[Vec<CacheInLines>],
    ) -> Result<Vec<AttributionReport<'q>>, CliError> {
        let at = SizeAttribution::new(question.model, question.evaluator, prediction)?;
        let source = MissSource::from(question.miss_model);
        let groups = self.groups(&at)?;
        hierarchies.iter().map(|hierarchy| Ok(self.report(&at, &groups, at.fills(source, hierarchy)?))).collect()
    }

    /// Returns the row to which each access belongs.
    pub(super) fn groups(&self, at: &SizeAttribution<'_, '_>) -> Result<Vec<usize>, CliError> {
        let accesses = &at.program.accesses;
        Ok(match self.by {
            None => Vec::new(),
            Some(RowsBy::Access) => (0..accesses.len()).collect(),
            Some(RowsBy::Array) => accesses.iter().map(|access| access.array).collect(),
            Some(RowsBy::Nest) => at.model.nest_of_accesses()?,
        })
    }

    /// Returns the answer for some caches; accesses are in groups, one for each row.
    pub(super) fn report<'q>(
        &self,
        at: &SizeAttribution<'q, '_>,
        groups: &[usize],
        fills: Fills,
    ) -> AttributionReport<'q> {
        let Fills { source, levels, by_access, written, intervals } = fills;
        let mut rows = BTreeMap::new();
        if let Some(by) = self.by {
            rows = grouped(at.rows(by_access), groups, |group| RowSubject::new(at.program, by, group));
        }
        for (group, row) in &mut rows {
            for (level, fill) in row.fills.iter_mut().enumerate() {
                fill.misses.interval = intervals.get(*group).map(|levels| levels[level].clone());
                if self.by == Some(RowsBy::Array) {
                    fill.written = written.as_ref().map(|written| written[*group][level].clone());
                }
            }
        }
        AttributionReport {
            model: at.model,
            source,
            estimated: at.estimated.clone(),
            header: at.header.clone(),
            operations: at.operations.clone(),
            by: self.by,
            traffic: self.traffic,
            levels,
            rows: rows.into_values().collect(),
        }
    }
}

/// The reads and write-backs of some caches at one size, with their attribution to accesses.
pub(super) struct Fills {
    pub(super) source: MissSource,
    pub(super) levels: Vec<FilledCache>,
    /// By access and level.
    pub(super) by_access: Vec<Vec<Fill>>,
    /// The bytes that are written back, by array and level, where they are known.
    pub(super) written: Option<Vec<Vec<Counted>>>,
    /// The intervals that hold sampled misses, by row and level.
    pub(super) intervals: Vec<Vec<(Int, Int)>>,
}

/// The data at one size that do not depend on the caches.
pub(super) struct SizeAttribution<'q, 'p> {
    model: &'q Model,
    program: &'q Outline,
    pub(super) header: AnswerHeader,
    shares: Attribution<'p>,
    estimated: Int,
    operations: Option<Int>,
}

impl<'q, 'p> SizeAttribution<'q, 'p> {
    /// Attributes the accesses at the size of a prediction.
    pub(super) fn new(
        model: &'q Model,
        evaluator: &Evaluator<'q>,
        prediction: &'p Prediction,
    ) -> Result<Self, CliError> {
        Ok(Self {
            model,
            program: model.outline()?,
            header: AnswerHeader::of_prediction(model, prediction),
            shares: evaluator.attribution(prediction)?,
            estimated: prediction.estimated(),
            operations: evaluator.operations(&prediction.place().sizes())?,
        })
    }

    /// Predicts the fills of some caches.
    pub(super) fn fills(&self, source: MissSource, hierarchy: &[CacheInLines]) -> Result<Fills, CliError> {
        let caches = hierarchy.iter().map(|cache| Ok(Int::from(cache.fully_associative()?)));
        let caches = caches.collect::<Result<Vec<_>, CliError>>()?;
        let misses = caches.iter().map(|lines| self.shares.misses(lines)).collect::<Result<Vec<_>, _>>()?;
        let fills = |access: usize| {
            let bytes = self.bytes_of_miss(access);
            misses.iter().map(|misses| Fill::read(misses[access].total(), &bytes)).collect()
        };
        let by_access: Vec<Vec<Fill>> = (0..self.shares.count()).map(fills).collect();
        let fill = |index| by_access.iter().fold(Fill::default(), |sum, fills: &Vec<Fill>| sum.plus(&fills[index]));
        let level = |(index, cache): (usize, &CacheInLines)| {
            let CacheInLines { name, capacity, lines, .. } = cache;
            FilledCache { name: name.clone(), capacity: *capacity, lines: *lines, fill: fill(index) }
        };
        let levels = hierarchy.iter().enumerate().map(level).collect();
        Ok(Fills { source, levels, by_access, written: None, intervals: Vec::new() })
    }

    /// Returns a row for each access, in the order of the program.
    pub(super) fn rows(&self, fills: Vec<Vec<Fill>>) -> Vec<FillRow<'q>> {
        let row = |(index, fills): (usize, Vec<Fill>)| {
            let access = &self.program.accesses[index];
            FillRow {
                subject: RowSubject::Access(&self.program.arrays[access.array], access),
                accesses: self.shares.accesses(index).clone(),
                first_touches: self.shares.first_touches(index),
                fills,
            }
        };
        fills.into_iter().enumerate().map(row).collect()
    }

    /// Returns the bytes that a miss reads: a line, or an element where lines are elements.
    fn bytes_of_miss(&self, access: usize) -> Int {
        let array = &self.program.arrays[self.program.accesses[access].array];
        Int::from(self.header.line_bytes.unwrap_or(array.element_bytes))
    }
}

/// Adds up the rows of each group of accesses.
fn grouped<'m>(
    rows: Vec<FillRow<'m>>,
    groups: &[usize],
    subject: impl Fn(usize) -> RowSubject<'m>,
) -> BTreeMap<usize, FillRow<'m>> {
    let mut sums: BTreeMap<usize, FillRow<'m>> = BTreeMap::new();
    for (group, row) in groups.iter().zip(rows) {
        let sum = match sums.remove(group) {
            Some(sum) => sum.plus(&row),
            None => FillRow { subject: subject(*group), ..row },
        };
        sums.insert(*group, sum);
    }
    sums
}
