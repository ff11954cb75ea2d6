//! The misses that no order of a program's operations goes below, at one size after the other.

use symloc_bound::{LineContent, NoPartitions, ProgramBounds, ProgramCounts};
use symloc_evaluate::{Attribution, Evaluator, Int, Prediction};
use symloc_model::Model;
use symloc_report::answers::lower_bounds::{BoundedCache, StatementBound};
use symloc_report::answers::misses::LevelMisses;

use super::cache_in_lines::CacheInLines;
use super::sampled::lines_in_memory;
use crate::error::CliError;

/// A program at one size, ready for any cache.
pub struct BoundedSize<'q> {
    model: &'q Model,
    bounds: ProgramBounds,
    counts: ProgramCounts,
}

impl<'q> BoundedSize<'q> {
    /// Counts operations and lines at the size of a prediction.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::attribution`].
    pub fn new(model: &'q Model, evaluator: &Evaluator<'q>, prediction: &Prediction) -> Result<Self, CliError> {
        let place = prediction.place();
        let line = match (place.element, place.line_bytes) {
            (false, Some(bytes)) => LineContent::Bytes(bytes),
            _ => LineContent::Element,
        };
        let counts = match model.program {
            Some(_) => {
                let mut counts = counts_of(&evaluator.attribution(prediction)?);
                if let Some(lines) = lines_in_memory(model, place)? {
                    let known = counts.array_lines.iter_mut().zip(lines);
                    known.for_each(|(of_model, in_memory)| *of_model = in_memory.min(of_model.clone()));
                }
                counts
            }
            None => ProgramCounts { executions: Vec::new(), array_lines: vec![prediction.blocks().to_big()] },
        };
        Ok(Self { model, bounds: ProgramBounds::new(model, line), counts })
    }

    /// Returns the bound for a cache of so many lines.
    pub fn misses(&self, lines: &Int) -> Int {
        self.bounds.at(&self.counts, &lines.to_big()).misses.into()
    }

    /// Adds the bounds of all levels, each alone.
    pub(crate) fn add_to(&self, answers: &mut [LevelMisses]) {
        for level in answers.iter_mut().flat_map(|answer| &mut answer.levels) {
            level.bound = Some(self.misses(&level.lines.into()));
        }
    }

    /// Returns a cache with its bound.
    pub(crate) fn bounded(&self, cache: &CacheInLines) -> BoundedCache {
        let CacheInLines { name, capacity, lines, .. } = cache;
        let bound = self.bounds.at(&self.counts, &(*lines).into());
        BoundedCache {
            name: name.clone(),
            capacity: *capacity,
            lines: *lines,
            bound: bound.misses.into(),
            statements: bound.partitions.iter().filter_map(|part| self.statement(part)).collect(),
        }
    }

    fn statement(&self, part: &symloc_bound::PartitionBound) -> Option<StatementBound> {
        let outline = self.model.program.as_ref()?;
        let access = outline.accesses.get(part.access)?;
        Some(StatementBound {
            line: access.line,
            column: access.column,
            text: access.place(outline),
            operations: part.operations.clone().into(),
            misses: part.misses.clone().into(),
        })
    }

    /// Returns true if the model holds its program, without which only first touches are known.
    pub(crate) fn has_program(&self) -> bool {
        self.bounds.reason() != Some(NoPartitions::NoProgram)
    }

    /// Returns the reason, if no bound can be larger than the first touches.
    pub(crate) fn reason(&self) -> Option<&'static str> {
        Some(match self.bounds.reason()? {
            NoPartitions::NoProgram => {
                "the model does not hold its program, so that only first touches are known: derive it again, without a \
                 symbolic line size"
            }
            NoPartitions::OutsideArray => "an access may leave its array, so that only first touches are known",
            NoPartitions::NoLaw => {
                "no statement reuses elements in all directions of its loops: only first touches count"
            }
        })
    }
}

fn counts_of(attribution: &Attribution<'_>) -> ProgramCounts {
    ProgramCounts {
        executions: (0..attribution.count()).map(|access| attribution.accesses(access).to_big()).collect(),
        array_lines: attribution.blocks().iter().map(Int::to_big).collect(),
    }
}
