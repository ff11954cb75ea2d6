//! Options that several commands share.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use symloc_model::eval::DEFAULT_POINTS;
use symloc_model::{DistanceDistribution, Distribution, LineChoice, Locality, Lru, Model, Sizes};

use crate::error::CliError;

/// Which model, at which line size.
#[derive(Clone, Debug, Args)]
pub struct ModelArgs {
    /// The model file; - reads standard input
    #[arg(value_name = "MODEL")]
    pub path: PathBuf,
    /// The line size, where the model holds several
    #[arg(long, value_name = "BYTES")]
    pub line_bytes: Option<u64>,
}

impl ModelArgs {
    /// Reads the model.
    pub fn load(&self) -> Result<Model, CliError> {
        Model::load(&self.path).map_err(|error| CliError::model(&self.path, &error))
    }

    /// The line size that was asked for.
    pub fn line(&self) -> LineChoice {
        self.line_bytes.map_or(LineChoice::Only, LineChoice::Bytes)
    }
}

/// At which size.
#[derive(Clone, Debug, Args)]
pub struct SizeArgs {
    /// The value of a parameter; one for each
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    pub definitions: Vec<Definition>,
    /// How many points of free iterators one evaluation may visit
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_POINTS)]
    pub max_points: u64,
}

impl SizeArgs {
    /// The values of the parameters.
    pub fn sizes(&self) -> Result<Sizes, CliError> {
        let mut sizes = Sizes::new();
        for Definition { name, value } in &self.definitions {
            if let Some(earlier) = sizes.insert(name, *value) {
                return Err(CliError::refused(format!("{name} is defined twice, as {earlier} and as {value}")));
            }
        }
        Ok(sizes)
    }

    /// Prepares all caches at this size.
    pub fn locality(&self, model: &Model, line: LineChoice) -> Result<Locality, CliError> {
        Ok(model.evaluator(line)?.with_limit(self.max_points).locality(&self.sizes()?)?)
    }

    /// Prepares all LRU caches at this size.
    pub fn lru(&self, model: &Model, line: LineChoice) -> Result<Lru, CliError> {
        model.evaluator(line)?.with_limit(self.max_points).lru(&self.sizes()?)?.ok_or_else(no_distances)
    }

    /// The histogram of reuse distances at this size.
    pub fn distances(&self, model: &Model, line: LineChoice) -> Result<DistanceDistribution, CliError> {
        model.evaluator(line)?.with_limit(self.max_points).distances(&self.sizes()?)?.ok_or_else(no_distances)
    }

    /// The histogram of a model at this size.
    pub fn evaluate(&self, model: &Model, line: LineChoice) -> Result<Distribution, CliError> {
        Ok(model.evaluator(line)?.with_limit(self.max_points).at(&self.sizes()?)?)
    }
}

/// `n=1024`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The parameter.
    pub name: String,
    /// Its value.
    pub value: i64,
}

impl FromStr for Definition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form n=1024"))?;
        let value = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number of 64 bits"))?;
        Ok(Self { name: name.trim().to_owned(), value })
    }
}

/// `n=16,19,24`: one definition for each of several values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeList {
    /// The parameter.
    pub name: String,
    /// Its values, at least one.
    pub values: Vec<i64>,
}

impl SizeList {
    /// The single definitions.
    pub fn definitions(&self) -> impl Iterator<Item = Definition> {
        self.values.iter().map(|value| Definition { name: self.name.clone(), value: *value })
    }
}

impl FromStr for SizeList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form n=16,19"))?;
        let single = |value: &str| format!("{name}={value}").parse::<Definition>().map(|d| d.value);
        let values = values.split(',').map(single).collect::<Result<_, _>>()?;
        Ok(Self { name: name.trim().to_owned(), values })
    }
}

/// How misses are predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MissModel {
    /// Denning's working set, from reuse intervals
    Denning,
    /// Fully associative LRU, from reuse distances: exact
    Lru,
}

impl MissModel {
    /// What was asked for, if the model can answer it; else LRU where there are distances.
    pub fn choose(asked: Option<Self>, model: &Model, line: LineChoice) -> Result<Self, CliError> {
        let held = model.line(line)?.distances.is_some();
        match asked {
            Some(MissModel::Lru) if !held => Err(no_distances()),
            Some(asked) => Ok(asked),
            None if held => Ok(MissModel::Lru),
            None => Ok(MissModel::Denning),
        }
    }

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            MissModel::Denning => "denning",
            MissModel::Lru => "lru",
        }
    }
}

/// The refusal of everything that needs reuse distances.
pub fn no_distances() -> CliError {
    CliError::with_hint(
        "the model holds no reuse distances",
        "derive it with --exact; `symloc simulate` measures them too, with --histogram --distance",
    )
}
