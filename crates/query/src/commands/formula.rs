//! `formula`: the number of misses, or of lines written back, as a formula in the sizes and the cache size.
//!
//! A formula holds for a range of caches in which the set of classes that fit does not change. With LRU the cache is C
//! lines; in Denning's model formulas are in the window x, beside the caches that have such a window.

use std::io::Write;

use clap::Args;
use symloc_locality::{Measure, MissFormulas};
use symloc_model::{LineModel, Model, NamedSizes};
use symloc_report::answers::formulas::digits::SizeDigit;
use symloc_report::answers::formulas::misses::{CountedEvents, FormulaReport, ShownCases};
use symloc_report::{Format, MissModel, miss_model};

use crate::answers::formulas::tables::{classes, no_formulas, write_backs};
use crate::error::{CliError, ExitStatus};
use crate::options::threads::FormulaThreadArgs;
use crate::options::{ModelArgs, ParameterArgs};

/// The options of `formula`.
#[derive(Clone, Debug, Args)]
pub struct FormulaArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    threads: FormulaThreadArgs,
    /// What the number of lines in the cache is called
    #[arg(long, value_name = "NAME", default_value = "C")]
    cache: Symbol,
    /// Which misses: lru, which is the default where the model holds reuse distances, or denning
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    /// The lines that the cache writes back, exactly: the model is one of derive --exact --write-backs
    #[arg(long)]
    write_backs: bool,
    /// Narrow ranges of caches and all remainders of the sizes, too; data have them always
    #[arg(long)]
    full: bool,
    /// Sizes like those of the formulas; the default is large sizes
    #[command(flatten)]
    sizes: ParameterArgs,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
}

/// The name of the cache size in formulas.
#[derive(Clone, Debug)]
struct Symbol(String);

impl std::str::FromStr for Symbol {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let letter = |c: char| c.is_alphabetic() || c == '_';
        match text.chars().all(|c| letter(c) || c.is_numeric()) && text.starts_with(letter) {
            true => Ok(Self(text.to_owned())),
            false => Err("the cache is a name here, such as C; `query` answers for a cache of a given size".to_owned()),
        }
    }
}

impl FormulaArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.threads.load(&self.model.source)?;
        let line = model.line(self.model.line())?;
        if line.symbolic.is_some() {
            return Err(CliError::with_hint(
                "the line size of this model is a symbol; formulas in two sizes of a cache are not supported",
                "derive a model with `--line-bytes`",
            ));
        }
        let miss_model = MissModel::choose(self.miss_model, &model, self.model.line())?;
        self.threads.check(miss_model)?;
        let (line, measure) = match self.counted() {
            CountedEvents::Misses => classes(line, miss_model)?,
            CountedEvents::WriteBacks => (write_backs(line, miss_model)?, Measure::Places),
        };
        let digits = SizeDigit::all(&model);
        let formulas = FormulaReport {
            found: self.formulas(&model, &line, measure)?,
            names: self.names(&model, &digits, miss_model)?,
            digits,
            line: &line,
            model: &model,
            miss_model,
            counted: self.counted(),
            cache: &self.cache.0,
            shown: if self.full { ShownCases::All } else { ShownCases::Wide },
        };
        formulas.write(out, self.format)?;
        Ok(ExitStatus::Success)
    }

    fn counted(&self) -> CountedEvents {
        if self.write_backs { CountedEvents::WriteBacks } else { CountedEvents::Misses }
    }

    /// Returns the formulas of all remainders, unless only the first are shown.
    fn formulas(&self, model: &Model, line: &LineModel, measure: Measure) -> Result<Vec<MissFormulas>, CliError> {
        if !self.sizes.is_empty() {
            let sizes = self.sizes.grid(&model.function, &model.parameters)?.single()?;
            let point = sizes.into_iter().collect::<NamedSizes>().point(model)?;
            return Ok(vec![MissFormulas::near(model, line, measure, &point).map_err(no_formulas)?]);
        }
        let data = matches!(self.format, Format::Json | Format::Sympy);
        match data || self.full {
            true => Ok(MissFormulas::all(model, line, measure).map_err(no_formulas)?.collect()),
            false => Ok(vec![MissFormulas::first(model, line, measure).map_err(no_formulas)?]),
        }
    }

    /// Returns the names of the sizes, and of the threshold.
    fn names(&self, model: &Model, digits: &[SizeDigit], miss_model: MissModel) -> Result<Vec<String>, CliError> {
        let mut names = model.names();
        digits.iter().for_each(|digit| names[digit.variable].clone_from(&digit.name));
        let threshold = match miss_model {
            MissModel::Lru => self.cache.0.clone(),
            MissModel::Denning => ["x", "window", "window_"]
                .into_iter()
                .find(|name| !names.iter().any(|n| n == name))
                .unwrap_or("window__")
                .to_owned(),
        };
        if names.contains(&self.cache.0) {
            return Err(CliError::with_hint(
                format!("`{}` is a size of this program", self.cache.0),
                "give the cache another name, as in `--cache cache_lines`",
            ));
        }
        names.push(threshold);
        Ok(names)
    }
}
