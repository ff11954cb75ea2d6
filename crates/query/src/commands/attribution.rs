//! `query --by`: whose misses they are. `query --traffic`: how many bytes they move.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use symloc_model::{Access, Int, Misses, Outline, Prediction, Share};

use super::query::{Question, Shape};
use crate::error::CliError;
use crate::export::Header;
use crate::export::attribution::{Fill, Level, Report, Row};
use crate::options::{MissModel, unattributed};

/// To whom misses are attributed, and in which unit.
#[derive(Clone, Debug, Default, Args)]
pub struct AttributionArgs {
    /// Tell the misses of each array or of each access by themselves
    #[arg(long, value_name = "WHAT", value_enum)]
    by: Option<By>,
    /// Bytes that are read into each cache, and floating-point operations for each of them
    #[arg(long)]
    traffic: bool,
}

/// What has a row of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// Every array
    Array,
    /// Every load and store of the source
    Access,
}

impl AttributionArgs {
    /// Is anything asked that this module answers?
    pub(super) fn asked(&self) -> bool {
        self.by.is_some() || self.traffic
    }

    /// Misses are attributed by reuse intervals, whatever else the model holds.
    pub(super) fn choose(&self, chosen: MissModel, asked: Option<MissModel>) -> Result<MissModel, CliError> {
        match (self.asked(), asked) {
            (true, Some(MissModel::Lru)) => Err(unattributed()),
            (true, _) => Ok(MissModel::Denning),
            (false, _) => Ok(chosen),
        }
    }

    /// The answer at one size, for one hierarchy of caches.
    pub(super) fn report<'q>(
        &self,
        question: &Question<'q>,
        prediction: &Prediction,
        shapes: &[Shape],
    ) -> Result<Report<'q>, CliError> {
        let Prediction::Denning(locality) = prediction else { return Err(unattributed()) };
        let sizes = question.sizes_of(prediction);
        let program = question.model.outline()?;
        let attribution = question.evaluator.attribution(&sizes)?;
        let header = Header::of_prediction(question.model, prediction);
        let window = |shape: &Shape| Ok(locality.window(&Int::from(shape.fully_associative()?)));
        let windows = shapes.iter().map(window).collect::<Result<Vec<_>, CliError>>()?;
        let single: Vec<Row<'q>> = (program.accesses.iter().zip(attribution.shares()))
            .map(|(access, share)| row(program, access, share, &windows, bytes_of_fill(&header, program, access)))
            .collect();
        let fill = |index| single.iter().fold(Fill::default(), |sum, row: &Row<'q>| sum.plus(&row.fills[index]));
        let level = |(index, shape): (usize, &Shape)| {
            let Shape { name, capacity, lines, .. } = shape;
            Level { name: name.clone(), capacity: *capacity, lines: *lines, fill: fill(index) }
        };
        Ok(Report {
            model: question.model,
            operations: question.evaluator.operations(&sizes)?,
            by: self.by,
            traffic: self.traffic,
            levels: shapes.iter().enumerate().map(level).collect(),
            rows: match self.by {
                None => Vec::new(),
                Some(By::Access) => single,
                Some(By::Array) => by_array(single),
            },
            header,
        })
    }
}

/// How many bytes a miss reads: a line, or an element where lines are elements.
fn bytes_of_fill(header: &Header, program: &Outline, access: &Access) -> u64 {
    header.line_bytes.unwrap_or_else(|| program.arrays[access.array].element_bytes)
}

fn row<'q>(program: &'q Outline, access: &'q Access, share: &Share, windows: &[Option<Int>], bytes: u64) -> Row<'q> {
    let fill = |window: &Option<Int>| {
        let misses: Misses = share.misses(window.as_ref());
        let total = misses.total();
        Fill { bytes: &total * &Int::from(bytes), misses: total }
    };
    Row {
        array: &program.arrays[access.array],
        access: Some(access),
        accesses: share.accesses().clone(),
        first_touches: share.first_touches(),
        fills: windows.iter().map(fill).collect(),
    }
}

/// Adds the rows of each array up; arrays keep the order of the program.
fn by_array(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let mut arrays: BTreeMap<usize, Row<'_>> = BTreeMap::new();
    for row in rows {
        let position = row.access.map_or(0, |access| access.array);
        let row = Row { access: None, ..row };
        let sum = match arrays.remove(&position) {
            Some(sum) => sum.plus(&row),
            None => row,
        };
        arrays.insert(position, sum);
    }
    arrays.into_values().collect()
}
