//! `query --by`: whose misses they are. `query --traffic`: how many bytes they move.

use std::collections::BTreeMap;

use clap::Args;
use symloc_evaluate::{Evaluator, Int, Misses, PredictedShares, Prediction};
use symloc_model::{Model, Outline};
use symloc_report::attribution::{AttributionReport, Fill, FillRow, FilledCache};
use symloc_report::subject::{RowSubject, RowsBy};
use symloc_report::{AnswerHeader, MissModel};

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
    /// Is anything asked that this module answers?
    pub(super) fn asked(&self) -> bool {
        self.by.is_some() || self.traffic
    }

    /// The answers at one size, one for each hierarchy of caches.
    pub(super) fn reports<'q>(
        &self,
        question: &Question<'q>,
        prediction: &Prediction,
        hierarchies: &[Vec<CacheInLines>],
    ) -> Result<Vec<AttributionReport<'q>>, CliError> {
        let at = SizeAttribution::new(question.model, question.evaluator, question.miss_model, prediction)?;
        hierarchies.iter().map(|hierarchy| self.report(&at, hierarchy)).collect()
    }

    fn report<'q>(
        &self,
        at: &SizeAttribution<'q, '_>,
        hierarchy: &[CacheInLines],
    ) -> Result<AttributionReport<'q>, CliError> {
        let (levels, single) = at.accesses(hierarchy)?;
        Ok(AttributionReport {
            model: at.model,
            miss_model: at.miss_model,
            estimated: at.estimated.clone(),
            header: at.header.clone(),
            operations: at.operations.clone(),
            by: self.by,
            traffic: self.traffic,
            levels,
            rows: match self.by {
                None => Vec::new(),
                Some(RowsBy::Access) => single,
                Some(by @ RowsBy::Array) => {
                    let array = |access: usize| at.program.accesses[access].array;
                    grouped(single, array, |array| RowSubject::new(at.program, by, array))
                }
                Some(by @ RowsBy::Nest) => {
                    let nests = at.model.nest_of_accesses()?;
                    grouped(single, |access| nests[access], |nest| RowSubject::new(at.program, by, nest))
                }
            },
        })
    }
}

/// What is known at one size, whatever the caches.
pub(super) struct SizeAttribution<'q, 'p> {
    model: &'q Model,
    miss_model: MissModel,
    program: &'q Outline,
    pub(super) header: AnswerHeader,
    shares: PredictedShares<'p>,
    estimated: Int,
    operations: Option<Int>,
}

impl<'q, 'p> SizeAttribution<'q, 'p> {
    /// Attributes the accesses at the size of a prediction.
    pub(super) fn new(
        model: &'q Model,
        evaluator: &Evaluator<'q>,
        miss_model: MissModel,
        prediction: &'p Prediction,
    ) -> Result<Self, CliError> {
        Ok(Self {
            model,
            miss_model,
            program: model.outline()?,
            header: AnswerHeader::of_prediction(model, prediction),
            shares: prediction.shares(evaluator)?,
            estimated: prediction.estimated(),
            operations: evaluator.operations(&prediction.place().sizes())?,
        })
    }

    /// What all accesses together read into some caches, and what each of them does, in the order of the program.
    pub(super) fn accesses(
        &self,
        hierarchy: &[CacheInLines],
    ) -> Result<(Vec<FilledCache>, Vec<FillRow<'q>>), CliError> {
        let caches = hierarchy.iter().map(|cache| Ok(Int::from(cache.fully_associative()?)));
        let caches = caches.collect::<Result<Vec<_>, CliError>>()?;
        let misses = caches.iter().map(|lines| self.shares.misses(lines)).collect::<Result<Vec<_>, _>>()?;
        let rows: Vec<FillRow<'q>> = (0..self.shares.count()).map(|access| self.row(access, &misses)).collect();
        let fill = |index| rows.iter().fold(Fill::default(), |sum, row: &FillRow<'q>| sum.plus(&row.fills[index]));
        let level = |(index, cache): (usize, &CacheInLines)| {
            let CacheInLines { name, capacity, lines, .. } = cache;
            FilledCache { name: name.clone(), capacity: *capacity, lines: *lines, fill: fill(index) }
        };
        Ok((hierarchy.iter().enumerate().map(level).collect(), rows))
    }

    fn row(&self, index: usize, misses: &[Vec<Misses>]) -> FillRow<'q> {
        let access = &self.program.accesses[index];
        let array = &self.program.arrays[access.array];
        // A miss reads a line, or an element where lines are elements.
        let bytes = Int::from(self.header.line_bytes.unwrap_or(array.element_bytes));
        let fill = |misses: &Int| Fill { bytes: misses * &bytes, misses: misses.clone() };
        FillRow {
            subject: RowSubject::Access(array, access),
            accesses: self.shares.accesses(index).clone(),
            first_touches: self.shares.first_touches(index),
            fills: misses.iter().map(|misses| fill(&misses[index].total())).collect(),
        }
    }
}

/// Adds the rows of each group of accesses up; groups are in the order of their numbers.
fn grouped<'m>(
    rows: Vec<FillRow<'m>>,
    group: impl Fn(usize) -> usize,
    subject: impl Fn(usize) -> RowSubject<'m>,
) -> Vec<FillRow<'m>> {
    let mut groups: BTreeMap<usize, FillRow<'m>> = BTreeMap::new();
    for (access, row) in rows.into_iter().enumerate() {
        let group = group(access);
        let sum = match groups.remove(&group) {
            Some(sum) => sum.plus(&row),
            None => FillRow { subject: subject(group), ..row },
        };
        groups.insert(group, sum);
    }
    groups.into_values().collect()
}
