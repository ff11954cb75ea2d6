//! A model, and questions to it in the words of the command line.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use symloc_evaluate::Evaluator;
use symloc_machine::{Build, Cache, CacheRange, Capacity};
use symloc_model::{LineChoice, Model as Held};
use symloc_quasi::Style;
use symloc_query::{CliError, ModelCommand};
use symloc_report::MissModel;

use crate::broadcast::Broadcast;
use crate::columns::Columns;
use crate::sweep::{Questions, sweep};
use crate::{SymlocError, refused};

/// An assumption: kind, text, file, line, column.
type AssumptionTuple = (String, String, String, Option<u32>, Option<u32>);

/// The locality of one function, for all sizes in its context.
#[pyclass(frozen, module = "symloc._symloc", name = "Model", subclass)]
pub(crate) struct Model {
    /// Of the program on one thread.
    held: Arc<Held>,
    /// With the parameters of threads that it may have, as it stands in its file.
    in_file: Arc<Held>,
}

impl Model {
    fn new(model: Held) -> Self {
        let in_file = Arc::new(model);
        let held = if in_file.threads.is_some() { Arc::new(in_file.on_one_thread()) } else { Arc::clone(&in_file) };
        Self { held, in_file }
    }
}

/// A question as it stands on a command line.
#[derive(Parser)]
#[command(name = "symloc", no_binary_name = true, disable_help_flag = true, disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: ModelCommand,
}

/// The miss model of a name; the default is the command line's.
fn miss_model(name: Option<&str>) -> PyResult<Option<MissModel>> {
    match name {
        None => Ok(None),
        Some("denning") => Ok(Some(MissModel::Denning)),
        Some("lru") => Ok(Some(MissModel::Lru)),
        Some(other) => {
            Err(SymlocError::new_err(format!("`{other}` predicts no misses here: \"lru\" or \"denning\" do")))
        }
    }
}

#[pymethods]
impl Model {
    /// Reads a model file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let held = py.detach(|| Held::load(&path)).map_err(|error| refused(&CliError::model(&path, &error)))?;
        Ok(Self::new(held))
    }

    /// Reads the text of a model file.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        let held = py.detach(|| Held::parse(text));
        let held = held.map_err(|error| refused(&CliError::model("<text>".as_ref(), &error)))?;
        Ok(Self::new(held))
    }

    /// The text of the model file.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.in_file.to_json())
    }

    /// The function that it is about.
    #[getter]
    fn function(&self) -> &str {
        &self.held.function
    }

    /// The file that it was derived from.
    #[getter]
    fn source(&self) -> &str {
        &self.held.source
    }

    /// What was left out or taken for granted.
    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.held.remarks.clone()
    }

    /// What was taken for granted: kind, text, file, line and column of each assumption.
    #[getter]
    fn assumptions(&self) -> Vec<AssumptionTuple> {
        let file = |file: &Option<String>| file.clone().unwrap_or_else(|| self.held.source.clone());
        let told = self.held.assumptions.iter();
        told.map(|told| (told.kind.clone(), told.text.clone(), file(&told.file), told.line, told.column)).collect()
    }

    /// The names of the parameters.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.held.parameters.clone()
    }

    /// The names that sizes may have: those of the parameters, and what the source calls them.
    #[getter]
    fn size_names(&self) -> Vec<String> {
        let Held { parameters, arguments, without_effect, .. } = &*self.held;
        parameters.iter().chain(arguments.keys()).chain(without_effect).cloned().collect()
    }

    /// For which sizes it holds.
    #[getter]
    fn context(&self) -> String {
        let context = symloc_report::formats::text::sizes_of(&self.held, "", Style::Plain).unwrap_or_default();
        context.trim_start_matches("for ").to_owned()
    }

    /// Bytes per line, one for each line size; None where lines are elements or symbolic.
    #[getter]
    fn line_bytes(&self) -> Vec<Option<u64>> {
        self.held.lines.iter().map(|line| line.line_bytes).collect()
    }

    /// Does it hold reuse distances, so that LRU is exact?
    #[getter]
    fn exact(&self) -> bool {
        self.held.lines.iter().all(|line| line.distances.is_some())
    }

    /// The answer of a command to its arguments, whose model is this one.
    fn ask(&self, py: Python<'_>, arguments: Vec<String>) -> PyResult<String> {
        let question = CommandLine::try_parse_from(arguments)
            .map_err(|error| SymlocError::new_err(error.to_string().trim_start_matches("error: ").to_owned()))?;
        let command = question.command.to(&self.in_file);
        let mut answer = Vec::new();
        // A check that fails is in the answer, too.
        let _ = py.detach(|| command.run(&mut answer)).map_err(|error| refused(&error))?;
        Ok(String::from_utf8(answer)?)
    }

    /// The size of a cache such as `32KiB` or `512lines`, and whether that is in bytes.
    #[staticmethod]
    fn cache_size(cache: &str) -> PyResult<(u64, bool)> {
        let range: CacheRange = cache.parse().map_err(SymlocError::new_err)?;
        let mut caches = range.caches();
        match (caches.next(), caches.next()) {
            (Some(Cache { capacity, ways: None, line_bytes: None, build }), None) if build == Build::default() => {
                Ok((capacity.number(), matches!(capacity, Capacity::Bytes(_))))
            }
            _ => {
                let message = format!("`{cache}` is not one fully associative cache, as arrays of questions are about");
                Err(SymlocError::new_err(message))
            }
        }
    }

    /// The misses at many sizes in many caches, row by row of `shape`, to which both are broadcast. Sizes are arrays of one shape, one
    /// for each parameter; caches are in bytes or lines.
    #[pyo3(signature = (names, sizes, caches, shape, in_bytes, model=None, line_bytes=None))]
    #[allow(clippy::too_many_arguments)]
    fn sweep(
        &self,
        py: Python<'_>,
        names: Vec<String>,
        sizes: Vec<PyReadonlyArrayDyn<'_, i64>>,
        caches: PyReadonlyArrayDyn<'_, i64>,
        shape: Vec<usize>,
        in_bytes: bool,
        model: Option<&str>,
        line_bytes: Option<u64>,
    ) -> PyResult<Columns> {
        let choice = line_bytes.map_or(LineChoice::Only, LineChoice::Bytes);
        let how = MissModel::choose(miss_model(model)?, &self.held, choice).map_err(|error| refused(&error.into()))?;
        let evaluator = Evaluator::new(&self.held, choice).map_err(|error| refused(&error.into()))?;
        let of_sizes = sizes.first().map_or(&[][..], |first| first.shape());
        if names.len() != sizes.len() || sizes.iter().any(|column| column.shape() != of_sizes) {
            return Err(SymlocError::new_err("sizes of different shapes"));
        }
        let rows = |of: &[usize]| {
            let message = || SymlocError::new_err(format!("{of:?} cannot be broadcast to {shape:?}"));
            Broadcast::new(of, &shape).ok_or_else(message)
        };
        let (size_of, cache_of) = (rows(of_sizes)?, rows(caches.shape())?);
        let sizes = sizes.iter().map(|column| Ok(column.as_slice()?.to_vec())).collect::<PyResult<_>>()?;
        let questions = Questions { names, sizes, caches: caches.as_slice()?.to_vec(), in_bytes, size_of, cache_of };
        sweep(py, &evaluator, how, questions)
    }
}
