//! `query --by`: whose misses they are. `query --traffic`: how many bytes they move.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use symloc_model::{Access, Attribution, Evaluator, Int, Locality, Model, Outline, Prediction, Share, Sizes};

use super::query::{Question, Shape};
use crate::error::CliError;
use crate::export::Header;
use crate::export::attribution::{Fill, Level, Report, Row, Subject};
use crate::options::{MissModel, unattributed};

/// To whom misses are attributed, and in which unit.
#[derive(Clone, Debug, Default, Args)]
pub struct AttributionArgs {
    /// Tell the misses of each array, access or nest by themselves
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
    /// Every loop or branch that stands in no other, with the name of its layer in a network
    Nest,
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

    /// The answers at one size, one for each hierarchy of caches.
    pub(super) fn reports<'q>(
        &self,
        question: &Question<'q>,
        prediction: &Prediction,
        hierarchies: &[Vec<Shape>],
    ) -> Result<Vec<Report<'q>>, CliError> {
        let at = Place::new(question.model, question.evaluator, prediction)?;
        hierarchies.iter().map(|shapes| self.report(&at, shapes)).collect()
    }

    fn report<'q>(&self, at: &Place<'q, '_>, shapes: &[Shape]) -> Result<Report<'q>, CliError> {
        let (levels, single) = at.accesses(shapes)?;
        Ok(Report {
            model: at.model,
            header: at.header.clone(),
            operations: at.operations.clone(),
            by: self.by,
            traffic: self.traffic,
            levels,
            rows: match self.by {
                None => Vec::new(),
                Some(By::Access) => single,
                Some(By::Array) => {
                    let array = |access: usize| at.program.accesses[access].array;
                    grouped(single, array, |array, _| Subject::Array(&at.program.arrays[array]))
                }
                Some(By::Nest) => {
                    let nests = at.model.nest_of_accesses()?;
                    let subject = |nest, first: usize| {
                        Subject::Nest(nest + 1, &at.program.nests[nest], &at.program.accesses[first])
                    };
                    grouped(single, |access| nests[access], subject)
                }
            },
        })
    }
}

/// What is known at one size, whatever the caches.
pub(super) struct Place<'q, 'p> {
    model: &'q Model,
    program: &'q Outline,
    pub(super) header: Header,
    locality: &'p Locality,
    attribution: Attribution,
    operations: Option<Int>,
}

impl<'q, 'p> Place<'q, 'p> {
    /// Attributes the accesses at the size of a prediction, which must be from reuse intervals.
    pub(super) fn new(
        model: &'q Model,
        evaluator: &Evaluator<'q>,
        prediction: &'p Prediction,
    ) -> Result<Self, CliError> {
        let Prediction::Denning(locality) = prediction else { return Err(unattributed()) };
        let values = prediction.place().parameters.iter();
        // Sizes were 64 bits before they were evaluated.
        let sizes: Sizes =
            values.filter_map(|(name, value)| Some((name.clone(), i64::try_from(*value).ok()?))).collect();
        Ok(Self {
            model,
            program: model.outline()?,
            header: Header::of_prediction(model, prediction),
            locality,
            attribution: evaluator.attribution(&sizes)?,
            operations: evaluator.operations(&sizes)?,
        })
    }

    /// What all accesses together read into some caches, and what each of them does, in the order of the program.
    pub(super) fn accesses(&self, shapes: &[Shape]) -> Result<(Vec<Level>, Vec<Row<'q>>), CliError> {
        let window = |shape: &Shape| Ok(self.locality.window(&Int::from(shape.fully_associative()?)));
        let windows = shapes.iter().map(window).collect::<Result<Vec<_>, CliError>>()?;
        let accesses = self.program.accesses.iter().zip(self.attribution.shares());
        let rows: Vec<Row<'q>> = accesses.map(|(access, share)| self.row(access, share, &windows)).collect();
        let fill = |index| rows.iter().fold(Fill::default(), |sum, row: &Row<'q>| sum.plus(&row.fills[index]));
        let level = |(index, shape): (usize, &Shape)| {
            let Shape { name, capacity, lines, .. } = shape;
            Level { name: name.clone(), capacity: *capacity, lines: *lines, fill: fill(index) }
        };
        Ok((shapes.iter().enumerate().map(level).collect(), rows))
    }

    fn row(&self, access: &'q Access, share: &Share, windows: &[Option<Int>]) -> Row<'q> {
        let array = &self.program.arrays[access.array];
        // A miss reads a line, or an element where lines are elements.
        let bytes = Int::from(self.header.line_bytes.unwrap_or(array.element_bytes));
        let fill = |window: &Option<Int>| {
            let misses = share.misses(window.as_ref()).total();
            Fill { bytes: &misses * &bytes, misses }
        };
        Row {
            subject: Subject::Access(array, access),
            accesses: share.accesses().clone(),
            first_touches: share.first_touches(),
            fills: windows.iter().map(fill).collect(),
        }
    }
}

/// Adds the rows of each group of accesses up; groups are in the order of their numbers. `subject` is told a group and its
/// first access.
fn grouped<'m>(
    rows: Vec<Row<'m>>,
    group: impl Fn(usize) -> usize,
    subject: impl Fn(usize, usize) -> Subject<'m>,
) -> Vec<Row<'m>> {
    let mut groups: BTreeMap<usize, Row<'m>> = BTreeMap::new();
    for (access, row) in rows.into_iter().enumerate() {
        let group = group(access);
        let sum = match groups.remove(&group) {
            Some(sum) => sum.plus(&row),
            None => Row { subject: subject(group, access), ..row },
        };
        groups.insert(group, sum);
    }
    groups.into_values().collect()
}
