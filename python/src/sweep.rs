//! Sweeps: the misses at many sizes in many caches.
//!
//! What a size needs is computed once, whichever rows ask about it: rows are grouped by their sizes first. Python waits without the
//! lock of the interpreter, and hears of Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use symloc_evaluate::{Evaluator, Int, Prediction};
use symloc_machine::{Cache, Capacity};
use symloc_query::CliError;
use symloc_report::MissModel;

use crate::columns::{Column, Columns};
use crate::{SymlocError, refused};

/// How often Python is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(100);

/// Row by row a size and a cache.
pub(crate) struct Questions {
    /// The names of the sizes.
    pub(crate) names: Vec<String>,
    /// A column for each name.
    pub(crate) sizes: Vec<Vec<i64>>,
    pub(crate) caches: Vec<i64>,
    /// Whether these are bytes, else lines.
    pub(crate) in_bytes: bool,
}

impl Questions {
    fn check(&self) -> PyResult<()> {
        let rows = self.caches.len();
        if self.names.len() != self.sizes.len() || self.sizes.iter().any(|column| column.len() != rows) {
            return Err(SymlocError::new_err("columns of different lengths"));
        }
        match self.caches.iter().find(|cache| **cache < 0) {
            Some(cache) => Err(SymlocError::new_err(format!("a cache of {cache} {}", self.unit()))),
            None => Ok(()),
        }
    }

    fn unit(&self) -> &'static str {
        if self.in_bytes { "bytes" } else { "lines" }
    }

    /// The rows of each size, in the order in which sizes appear.
    fn by_size(&self) -> Vec<Vec<usize>> {
        let mut known: FxHashMap<Vec<i64>, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut size = vec![0; self.sizes.len()];
        let mut last = None;
        for row in 0..self.caches.len() {
            let same = last.is_some() && self.sizes.iter().zip(&size).all(|(column, value)| column[row] == *value);
            let group = last.filter(|_| same).unwrap_or_else(|| {
                size.iter_mut().zip(&self.sizes).for_each(|(value, column)| *value = column[row]);
                *known.entry(size.clone()).or_insert(groups.len())
            });
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(row);
            last = Some(group);
        }
        groups
    }

    fn predict(&self, evaluator: &Evaluator<'_>, how: MissModel, row: usize) -> Result<Prediction, CliError> {
        let sizes = self.names.iter().zip(&self.sizes).map(|(name, column)| (name.as_str(), column[row]));
        Ok(how.predict(evaluator, &sizes.collect())?)
    }

    fn lines(&self, prediction: &Prediction, row: usize) -> Result<Int, CliError> {
        let size = self.caches[row].unsigned_abs();
        let capacity = if self.in_bytes { Capacity::Bytes(size) } else { Capacity::Lines(size) };
        let cache = Cache { capacity, ways: None, line_bytes: None, build: Default::default() };
        Ok(Int::from(cache.lines(prediction.place().line_bytes)?))
    }
}

/// Answers: how many accesses there are, how many of them touch a block first, and how many reuses miss.
struct Answers {
    accesses: Column,
    first_touches: Column,
    misses: Column,
}

impl Answers {
    /// Fills in the rows of one size.
    fn fill(
        &mut self,
        (evaluator, how): (&Evaluator<'_>, MissModel),
        questions: &Questions,
        rows: &[usize],
    ) -> Result<(), CliError> {
        let prediction = questions.predict(evaluator, how, rows[0])?;
        for &row in rows {
            let misses = prediction.misses(&questions.lines(&prediction, row)?)?.total();
            self.accesses.set(row, prediction.accesses());
            self.first_touches.set(row, prediction.blocks());
            self.misses.set(row, &misses);
        }
        Ok(())
    }
}

/// Answers all questions.
pub(crate) fn sweep(
    py: Python<'_>,
    evaluator: &Evaluator<'_>,
    how: MissModel,
    questions: Questions,
) -> PyResult<Columns> {
    questions.check()?;
    let rows = questions.caches.len();
    let mut answers =
        Answers { accesses: Column::new(rows), first_touches: Column::new(rows), misses: Column::new(rows) };
    py.detach(|| {
        let mut asked = Instant::now();
        for group in questions.by_size() {
            answers.fill((evaluator, how), &questions, &group).map_err(|error| refused(&error))?;
            if asked.elapsed() > PATIENCE {
                Python::attach(|py| py.check_signals())?;
                asked = Instant::now();
            }
        }
        Ok::<_, PyErr>(())
    })?;
    let cache = if questions.in_bytes { "cache_bytes" } else { "cache_lines" };
    let mut columns: Vec<(String, Column)> =
        questions.names.into_iter().zip(questions.sizes.into_iter().map(Column::Small)).collect();
    columns.push((cache.to_owned(), Column::Small(questions.caches)));
    columns.push(("accesses".to_owned(), answers.accesses));
    columns.push(("first_touches".to_owned(), answers.first_touches));
    columns.push(("misses".to_owned(), answers.misses));
    Ok(Columns::new(columns))
}
