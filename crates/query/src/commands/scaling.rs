//! `scaling`: the caches that matter, and the miss ratio between them, on one screen.
//!
//! Rows are in leading terms ([`profiles`]); `--terms 2` has lower ones, too ([`StepTerms`]), and `--terms all` the exact formulas
//! ([`ScalingBounds`]).

use std::io::Write;
use std::str::FromStr;

use clap::Args;
use symloc_locality::{Counts, Growth, MissFormulas};
use symloc_model::Model;
use symloc_report::answers::formulas::bounds::ScalingBounds;
use symloc_report::answers::formulas::profiles::ProfileColumns;
use symloc_report::answers::formulas::tables::TableAnswer;
use symloc_report::answers::formulas::terms::StepTerms;
use symloc_report::{Format, MissModel, miss_model};

use crate::answers::formulas::profile_at_size::sized_caches;
use crate::answers::formulas::profiles;
use crate::answers::formulas::tables::{TablesAbout, classes, no_formulas, require_operations};
use crate::error::{CliError, ExitStatus};
use crate::options::caches::CacheArgs;
use crate::options::threads::FormulaThreadArgs;
use crate::options::{ModelArgs, ParameterArgs};

/// The options of `scaling`.
#[derive(Clone, Debug, Args)]
pub struct ScalingArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    threads: FormulaThreadArgs,
    /// Which misses: lru, which is the default where the model holds reuse distances, or denning
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    /// The terms of the formulas: `leading`, those that lead when all sizes are large; `2` or more, those of so many orders;
    /// or `all`
    #[arg(long, value_name = "TERMS", default_value = "leading")]
    terms: ShownTerms,
    /// The order of the sizes: `n >> m` where n is larger than every power of m; the default is sizes of like size
    #[arg(long, value_name = "ORDER")]
    regime: Option<SizeRegime>,
    /// In each cache the number of floating-point operations for each byte that it reads, too
    #[arg(long)]
    operations: bool,
    #[command(flatten)]
    sizes: ParameterArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
}

/// The terms of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShownTerms {
    /// The leading terms.
    Leading,
    /// The terms of a number of orders.
    Orders(usize),
    /// All terms, where they have a closed form.
    All,
}

/// The largest number of orders; no formula has more.
const ORDERS: usize = 16;

impl FromStr for ShownTerms {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("leading", _) | (_, Ok(1)) => Ok(ShownTerms::Leading),
            ("all", _) => Ok(ShownTerms::All),
            (_, Ok(orders @ 2..=ORDERS)) => Ok(ShownTerms::Orders(orders)),
            _ => Err(format!("terms are `leading`, a number of orders up to {ORDERS}, or `all`")),
        }
    }
}

/// A regime such as `n, k >> m`: the sizes that are larger than every power of the others, and some of these.
#[derive(Clone, Debug)]
struct SizeRegime {
    faster: Vec<String>,
    slower: Vec<String>,
}

impl FromStr for SizeRegime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = |list: &str| list.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
        let sides: Vec<_> = text.split(">>").map(names).collect();
        match sides.as_slice() {
            [faster, slower] if sides.concat().iter().all(|name| !name.is_empty()) => {
                Ok(Self { faster: faster.clone(), slower: slower.clone() })
            }
            _ => Err("an order of sizes is of the form `n >> m`, or `n, k >> m`".to_owned()),
        }
    }
}

impl SizeRegime {
    /// Returns the growth of the sizes. Those on neither side grow like the slower ones.
    fn growth(&self, model: &Model) -> Result<Growth, CliError> {
        let position = |name: &String| {
            let found = model.parameters.iter().position(|parameter| parameter == name);
            found.ok_or_else(|| {
                let names = model.parameters.join(", ");
                CliError::refused(format!("`{name}` is not a parameter of this model (its parameters are {names})"))
            })
        };
        let [faster, slower] =
            [&self.faster, &self.slower].map(|names| names.iter().map(position).collect::<Result<Vec<_>, CliError>>());
        let (faster, slower) = (faster?, slower?);
        if let Some(both) = faster.iter().find(|parameter| slower.contains(parameter)) {
            return Err(CliError::refused(format!("`{}` is on both sides of >>", model.parameters[*both])));
        }
        Ok(Growth::faster(faster))
    }
}

impl ScalingArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.threads.load(&self.model.source)?;
        let line = model.line(self.model.line())?;
        let miss_model = MissModel::choose(self.miss_model, &model, self.model.line())?;
        self.threads.check(miss_model)?;
        // Where the size of a line or a tile is a symbol, leading terms would lose it.
        if self.terms == ShownTerms::All || !model.line_counts.is_empty() {
            self.refuse_regime_and_sizes()?;
            let about = TablesAbout { choice: self.model.line(), miss_model, operations: self.operations };
            ScalingBounds { tables: about.derive(model, None)? }.write(out, self.format)?;
            return Ok(ExitStatus::Success);
        }
        if let ShownTerms::Orders(orders) = self.terms {
            self.refuse_regime_and_sizes()?;
            let (classes, measure) = classes(line, miss_model)?;
            let formulas = MissFormulas::first(&model, &classes, measure).map_err(no_formulas)?;
            StepTerms { model: &model, line, miss_model, formulas, orders }.write(out, self.format)?;
            return Ok(ExitStatus::Success);
        }
        if self.operations {
            require_operations(&model, line)?;
        }
        let counts = Counts { operations: self.operations, ..Counts::default() };
        let at_size = sized_caches(&model, line, &self.sizes, &self.caches)?;
        let growth = self.regime.as_ref().map(|regime| regime.growth(&model)).transpose()?.unwrap_or_default();
        let profiles = profiles::derive(&model, line, miss_model, counts, &growth)?;
        profiles.at(at_size).write(out, self.format, ProfileColumns::Scaling)?;
        Ok(ExitStatus::Success)
    }

    fn refuse_regime_and_sizes(&self) -> Result<(), CliError> {
        if self.regime.is_some() {
            return Err(CliError::with_hint(
                "an order of sizes is for leading terms in models with lines of fixed size",
                "leave `--terms` or `--regime` out",
            ));
        }
        if self.sizes.is_empty() && self.caches.is_empty() {
            return Ok(());
        }
        Err(CliError::with_hint(
            "scaling laws with more than leading terms are about all large sizes",
            "leave the sizes and caches out; `query` answers for them",
        ))
    }
}
