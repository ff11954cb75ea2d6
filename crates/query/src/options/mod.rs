//! Options that several commands share.
//!
//! - [`grid`], [`datasets`]: the sizes of a query,
//! - [`caches`]: its caches, [`cache_design`]: caches and arrays for simulations,
//! - `threads`: those of a parallel program, [`samples`]: how closely misses are sampled, [`attribution`]: to whom they are attributed.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use symloc_evaluate::evaluator::DEFAULT_POINTS;
use symloc_evaluate::{Distribution, Evaluator, MissModel};
use symloc_machine::ranges::NumberList;
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_report::answers::AnswerFormat;

use crate::error::CliError;
use crate::output;

pub mod attribution;
pub mod cache_design;
pub mod caches;
pub mod datasets;
pub mod grid;
pub mod samples;
pub(crate) mod threads;

use datasets::Dataset;
use grid::{Grid, ParameterAxis};

/// Which model, at which line size.
#[derive(Clone, Debug, Args)]
pub struct ModelArgs {
    /// The model file; - reads standard input
    #[arg(value_name = "MODEL", value_parser = ModelSource::parser())]
    pub source: ModelSource,
    /// The line size, where the model holds several
    #[arg(long, value_name = "BYTES")]
    pub line_bytes: Option<u64>,
}

/// The source of a model.
#[derive(Clone, Debug)]
pub enum ModelSource {
    /// A file; - is standard input.
    File(PathBuf),
    /// A model in the memory of a program, such as Python.
    Held(Arc<Model>),
}

impl ModelSource {
    /// Returns the parser of the command-line argument.
    pub fn parser() -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().map(Self::File)
    }

    /// Reads the model, as that of the program on one thread, and prints its remarks.
    ///
    /// # Errors
    ///
    /// A refusal if the file cannot be read or holds no valid model.
    pub fn load(&self) -> Result<Arc<Model>, CliError> {
        let model = self.load_with_threads()?;
        Ok(if model.threads.is_some() { Arc::new(model.on_one_thread()) } else { model })
    }

    /// Reads the model, with the parameters of threads that it may have, and prints its remarks.
    ///
    /// # Errors
    ///
    /// Those of [`load`](Self::load).
    pub fn load_with_threads(&self) -> Result<Arc<Model>, CliError> {
        match self {
            Self::Held(model) => Ok(Arc::clone(model)),
            Self::File(path) => {
                let model = Model::load(path).map_err(|error| CliError::model(path, &error))?;
                output::remarks(&model);
                Ok(Arc::new(model))
            }
        }
    }
}

impl fmt::Display for ModelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Held(model) => f.write_str(&model.function),
        }
    }
}

impl ModelArgs {
    /// Reads the model.
    ///
    /// # Errors
    ///
    /// Those of [`ModelSource::load`].
    pub fn load(&self) -> Result<Arc<Model>, CliError> {
        self.source.load()
    }

    /// Returns the requested line size.
    pub fn line(&self) -> LineChoice {
        self.line_bytes.map_or(LineChoice::Only, LineChoice::Bytes)
    }
}

/// The values of the parameters, for a model or for a program.
#[derive(Clone, Debug, Args)]
pub struct ParameterArgs {
    /// The value of a parameter, or several values: n=1024, n=64,128, n=64..4096:*2, ni=nj=nk=100..1000:+100; or
    /// several parameters: ni=1000,nj=1100
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUES")]
    definitions: Vec<Definitions>,
    /// The sizes of a PolyBench kernel; -D replaces single ones
    #[arg(long, value_name = "DATASET", value_enum)]
    dataset: Option<Dataset>,
}

impl ParameterArgs {
    /// Returns true if no values are given.
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.dataset.is_none()
    }

    fn definitions(&self) -> impl Iterator<Item = &SizeDefinition> {
        self.definitions.iter().flat_map(|Definitions(definitions)| definitions)
    }

    /// Returns the parameters that -D names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions().flat_map(|definition| &definition.axis.names).map(String::as_str)
    }

    /// Returns all requested sizes of a function with these parameters.
    ///
    /// # Errors
    ///
    /// A refusal if a parameter is defined twice, or if the data set does not fit.
    pub fn grid(&self, function: &str, parameters: &[String]) -> Result<Grid, CliError> {
        let mut defined: Vec<(&str, &str)> = Vec::new();
        for SizeDefinition { axis, text } in self.definitions() {
            for name in &axis.names {
                if let Some((_, earlier)) = defined.iter().find(|(defined, _)| defined == name) {
                    return Err(CliError::refused(format!("{name} is defined twice, as {earlier} and as {text}")));
                }
                defined.push((name, text));
            }
        }
        let mut axes: Vec<_> = self.definitions().map(|definition| definition.axis.clone()).collect();
        if let Some(dataset) = self.dataset {
            let overridden: Vec<_> = defined.iter().map(|(name, _)| (*name).to_owned()).collect();
            let sizes = dataset.sizes(function, parameters, &overridden)?;
            axes.extend(sizes.into_iter().map(|(name, size)| ParameterAxis { names: vec![name], values: size.into() }));
        }
        Ok(Grid::new(axes))
    }
}

/// At which size.
#[derive(Clone, Debug, Args)]
pub struct SizeArgs {
    #[command(flatten)]
    parameters: ParameterArgs,
    /// How many points of free iterators one evaluation may visit
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_POINTS)]
    pub max_points: u64,
}

impl SizeArgs {
    /// Returns true if sizes are given.
    pub fn are_given(&self) -> bool {
        !self.parameters.is_empty()
    }

    /// Returns all requested sizes.
    ///
    /// # Errors
    ///
    /// Those of [`ParameterArgs::grid`].
    pub fn grid(&self, model: &Model) -> Result<Grid, CliError> {
        self.parameters.grid(&model.function, &model.parameters)
    }

    /// Returns the one requested size.
    ///
    /// # Errors
    ///
    /// Those of [`ParameterArgs::grid`] and of [`Grid::single`].
    pub fn sizes(&self, model: &Model) -> Result<NamedSizes, CliError> {
        Ok(self.grid(model)?.single()?.into_iter().collect())
    }

    /// Prepares a model for any size.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::new`].
    pub fn evaluator<'m>(&self, model: &'m Model, line: LineChoice) -> Result<Evaluator<'m>, CliError> {
        Ok(Evaluator::new(model, line)?.with_limit(self.max_points))
    }

    /// Returns the histogram from which a miss model predicts at this size.
    ///
    /// # Errors
    ///
    /// Those of [`sizes`](Self::sizes) and of [`Evaluator::distribution`].
    pub fn distribution(&self, how: MissModel, model: &Model, line: LineChoice) -> Result<Distribution, CliError> {
        Ok(self.evaluator(model, line)?.distribution(how, &self.sizes(model)?)?)
    }
}

/// `ni=1000,nj=1100`, `n=64,128,m=8`: one definition or several. A text after a comma without a name is another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definitions(Vec<SizeDefinition>);

impl FromStr for Definitions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts: Vec<String> = Vec::new();
        for part in text.split(',') {
            match parts.last_mut().filter(|_| !part.contains('=')) {
                Some(values) => *values = format!("{values},{part}"),
                None => parts.push(part.to_owned()),
            }
        }
        parts.iter().map(|part| part.parse()).collect::<Result<_, _>>().map(Self)
    }
}

/// `n=1024`, `n=64..4096:*2`, or `ni=nj=nk=1000`: parameters that have the same value at each point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeDefinition {
    axis: ParameterAxis,
    /// The values as they were written.
    text: String,
}

impl FromStr for SizeDefinition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (names, values) = text.rsplit_once('=').ok_or_else(|| format!("`{text}` is not of the form n=1024"))?;
        let names: Vec<_> = names.split('=').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            return Err(format!("`{text}` is not of the form n=1024: a name is missing"));
        }
        let size = |size: &str| size.parse::<i64>().map(i128::from);
        let values_text = values.trim().to_owned();
        let values = NumberList::parse(values, |text| {
            size(text).map_err(|_| format!("`{text}` is not a whole number of 64 bits"))
        })?;
        Ok(Self { axis: ParameterAxis { names, values }, text: values_text })
    }
}

/// The limit on the points of a question.
#[derive(Clone, Debug, Args)]
pub struct GridArgs {
    /// How many points a question may have, over all sizes and caches
    #[arg(long, value_name = "COUNT", default_value_t = grid::DEFAULT_POINTS)]
    max_grid: u64,
}

impl GridArgs {
    /// Returns the limit.
    pub fn limit(&self) -> u64 {
        self.max_grid
    }

    /// Refuses more points than the limit.
    ///
    /// # Errors
    ///
    /// That of [`grid::limited`].
    pub fn check(&self, points: u128) -> Result<(), CliError> {
        grid::limited(points, self.max_grid)
    }
}

/// In which form.
#[derive(Clone, Debug, Args)]
pub struct FormatArgs {
    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: AnswerFormat,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FormatArgs {
    /// Returns the format.
    pub fn format(&self) -> AnswerFormat {
        if self.json { AnswerFormat::Json } else { self.format }
    }
}
