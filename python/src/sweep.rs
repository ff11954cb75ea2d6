//! Sweeps: the misses at many sizes in many caches.
//!
//! What a size needs is computed once, whichever rows ask about it: rows are grouped by their sizes first. Neither sizes nor caches are
//! written out row by row before somebody asks for them. Python waits without the
//! lock of the interpreter, and hears of Ctrl-C.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use symloc_evaluate::{Evaluator, Int, Prediction};
use symloc_machine::{Build, Cache, CacheRequestError, Capacity};
use symloc_query::CliError;
use symloc_report::MissModel;

use crate::broadcast::Broadcast;
use crate::columns::{Column, Columns};
use crate::{SymlocError, refused};

/// How often Python is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(100);

/// What a row takes while it is answered, in words of 64 bits.
const WORDS: usize = 4;

/// The names of the columns of answers.
const ACCESSES: &str = "accesses";
const FIRST_TOUCHES: &str = "first_touches";
const MISSES: &str = "misses";

/// Sizes and caches, and which of them each row is about.
pub(crate) struct Questions {
    /// The names of the sizes.
    pub(crate) names: Vec<String>,
    /// A column for each name.
    pub(crate) sizes: Vec<Vec<i64>>,
    pub(crate) caches: Vec<i64>,
    /// Whether these are bytes, else lines.
    pub(crate) in_bytes: bool,
    pub(crate) size_of: Broadcast,
    pub(crate) cache_of: Broadcast,
}

/// The distinct sizes among those asked about.
#[derive(Default)]
struct Distinct {
    /// An entry of each.
    entries: Vec<usize>,
    /// Which of them each entry is.
    which: Vec<usize>,
}

impl Questions {
    fn check(&self) -> PyResult<()> {
        let rows = self.size_of.rows().filter(|rows| Vec::<[u64; WORDS]>::new().try_reserve_exact(*rows).is_ok());
        if rows.is_none() {
            return Err(PyMemoryError::new_err(
                "so many answers do not fit into memory; symloc.sweep writes them to files",
            ));
        }
        let unit = if self.in_bytes { "bytes" } else { "lines" };
        if let Some(cache) = self.caches.iter().find(|cache| **cache <= 0) {
            return Err(SymlocError::new_err(format!("a cache of {cache} {unit}")));
        }
        let columns = [self.cache_column(), ACCESSES, FIRST_TOUCHES, MISSES];
        match self.names.iter().find(|name| columns.contains(&name.as_str())) {
            Some(name) => Err(SymlocError::new_err(format!(
                "a size called `{name}` would share the name of a column\nhelp: derive the model with --name {name}=OTHER"
            ))),
            None => Ok(()),
        }
    }

    /// The name of the column of caches.
    fn cache_column(&self) -> &'static str {
        if self.in_bytes { "cache_bytes" } else { "cache_lines" }
    }

    /// The caches in lines of so many bytes.
    fn lines(&self, line_bytes: Option<u64>) -> Vec<Result<Int, CacheRequestError>> {
        let capacity = if self.in_bytes { Capacity::Bytes } else { Capacity::Lines };
        let lines = |size: &i64| {
            let capacity = capacity(size.unsigned_abs());
            Cache { capacity, ways: None, line_bytes: None, build: Build::default() }.lines(line_bytes).map(Int::from)
        };
        self.caches.iter().map(lines).collect()
    }

    fn distinct(&self) -> Distinct {
        let mut known: FxHashMap<Vec<i64>, usize> = FxHashMap::default();
        let mut distinct = Distinct::default();
        for entry in 0..self.sizes.first().map_or(1, Vec::len) {
            let size = self.sizes.iter().map(|column| column[entry]).collect();
            let which = *known.entry(size).or_insert(distinct.entries.len());
            if which == distinct.entries.len() {
                distinct.entries.push(entry);
            }
            distinct.which.push(which);
        }
        distinct
    }

    fn predict(&self, evaluator: &Evaluator<'_>, how: MissModel, entry: usize) -> Result<Prediction, CliError> {
        let sizes = self.names.iter().zip(&self.sizes).map(|(name, column)| (name.as_str(), column[entry]));
        Ok(evaluator.predict(how, &sizes.collect())?)
    }
}

/// The rows of each of so many sizes; as ranges, because neighbours often are about one size.
fn rows_of(sizes: usize, size_of: &[usize]) -> Vec<Vec<Range<usize>>> {
    let mut rows = vec![Vec::new(); sizes];
    let mut first = 0;
    for run in size_of.chunk_by(|one, next| one == next) {
        rows[run[0]].push(first..first + run.len());
        first += run.len();
    }
    rows
}

/// Answers: of each distinct size how many accesses there are, and how many of them touch a block first; row by row, the misses.
struct Answers {
    accesses: Column,
    first_touches: Column,
    misses: Column,
}

impl Answers {
    /// Fills them in.
    fn fill(
        &mut self,
        (evaluator, how): (&Evaluator<'_>, MissModel),
        questions: &Questions,
        entries: &[usize],
        (size_of, cache_of): (&[usize], &[usize]),
    ) -> PyResult<()> {
        let mut asked = Instant::now();
        let (mut line_bytes, mut lines) = (None, questions.lines(None));
        for (size, rows) in rows_of(entries.len(), size_of).into_iter().enumerate() {
            if rows.is_empty() {
                continue;
            }
            let prediction = questions.predict(evaluator, how, entries[size]).map_err(|error| refused(&error))?;
            if prediction.place().line_bytes != line_bytes {
                line_bytes = prediction.place().line_bytes;
                lines = questions.lines(line_bytes);
            }
            self.accesses.set(size, prediction.accesses());
            self.first_touches.set(size, prediction.blocks());
            for row in rows.into_iter().flatten() {
                let lines = lines[cache_of[row]].as_ref().map_err(|error| refused(&error.clone().into()))?;
                let misses = prediction.misses(lines).map_err(|error| refused(&error.into()))?;
                self.misses.set(row, &misses.total());
            }
            if asked.elapsed() > PATIENCE {
                Python::attach(|py| py.check_signals())?;
                asked = Instant::now();
            }
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
    let (answers, [entry_of, size_of, cache_of]) = py.detach(|| {
        let Distinct { entries, which } = questions.distinct();
        let (entry_of, cache_of) = (questions.size_of.entries(), questions.cache_of.entries());
        let size_of: Vec<usize> = entry_of.iter().map(|entry| which[*entry]).collect();
        let [accesses, first_touches] = [(); 2].map(|()| Column::new(entries.len()));
        let mut answers = Answers { accesses, first_touches, misses: Column::new(size_of.len()) };
        answers.fill((evaluator, how), &questions, &entries, (&size_of, &cache_of))?;
        Ok::<_, PyErr>((answers, [entry_of, size_of, cache_of].map(Arc::new)))
    })?;
    let cache = questions.cache_column();
    let mut columns = Columns::default();
    for (name, values) in questions.names.into_iter().zip(questions.sizes) {
        columns.push(name, Column::Small(values), Some(&entry_of));
    }
    columns.push(cache, Column::Small(questions.caches), Some(&cache_of));
    columns.push(ACCESSES, answers.accesses, Some(&size_of));
    columns.push(FIRST_TOUCHES, answers.first_touches, Some(&size_of));
    columns.push(MISSES, answers.misses, None);
    Ok(columns)
}
