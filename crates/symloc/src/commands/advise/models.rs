//! Models of a program in new orders, and what they predict at a size.

use std::time::Duration;

use symloc_advise::{Nests, cost_of_misses};
use symloc_affine::{Layout, Line, Program};
use symloc_derivation::check;
use symloc_evaluate::{EvalError, Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_query::CliError;
use symloc_report::answers::advice::sizes::SizePrediction;
use symloc_reuse::{DeriveOptions, LineSizes, ModelOrigin, derive};
use symloc_schedule::Generated;
use symloc_workers::within;

use crate::derivation::explain;
use crate::input::Input;
use crate::refusal::told;

/// Derives the model of a program in a process of its own; `None` if that takes longer than the limit.
///
/// # Errors
///
/// The reason why it has no model.
pub(super) fn model_within(
    limit: Duration,
    program: &Program,
    line: Line,
    input: &Input,
) -> Result<Option<Model>, String> {
    let derived = within(limit, || model_text(program, line, input).map_err(|error| error.to_string()));
    match derived.map_err(|error| format!("cannot start a process: {error}"))? {
        None => Ok(None),
        Some(text) => Model::parse(&text?).map(Some).map_err(|error| error.to_string()),
    }
}

/// Returns the file of a program's model, after the check that no reuse is missing.
fn model_text(program: &Program, line: Line, input: &Input) -> Result<String, CliError> {
    let options = DeriveOptions::new(Layout::Memory, LineSizes::Fixed(vec![line]));
    let derived = derive(program, &options).map_err(|error| explain(program, &error))?;
    let generator = concat!("symloc ", env!("CARGO_PKG_VERSION"));
    let origin = ModelOrigin { generator, source: &input.name, assumptions: &input.assumptions };
    let model = derived.into_model(program, Layout::Memory, origin);
    check::intervals(&model, program, Layout::Memory, &options.lines).map_err(told)?;
    Ok(model.to_json())
}

/// A size at which models are asked.
pub(super) struct AskedSize {
    /// The values by name.
    pub(super) named: NamedSizes,
    /// The values in the order of the program's parameters.
    pub(super) sizes: Vec<i64>,
}

/// A program in an order, with the caches that its model is asked about.
pub(super) struct OrderModel<'o> {
    pub(super) model: &'o Model,
    pub(super) generated: &'o Generated,
    pub(super) nests: &'o Nests,
    /// By level, the lines of the cache.
    pub(super) lines: &'o [u64],
}

impl OrderModel<'_> {
    /// Returns what the model predicts at each of some sizes.
    ///
    /// # Errors
    ///
    /// If the model does not hold at one of them, or would have to visit too many points.
    pub(super) fn predictions(&self, sizes: &[AskedSize]) -> Result<Vec<SizePrediction>, String> {
        let evaluator = Evaluator::new(self.model, LineChoice::Only).map_err(|error| error.to_string())?;
        sizes.iter().map(|size| self.at(&evaluator, size)).collect()
    }

    fn at(&self, evaluator: &Evaluator<'_>, size: &AskedSize) -> Result<SizePrediction, String> {
        let AskedSize { named, sizes } = size;
        let told = |error: EvalError| error.to_string();
        let prediction = evaluator.predict(MissModel::Denning, named).map_err(told)?;
        let attribution = evaluator.attribution(&prediction).map_err(told)?;
        let of_level = |lines: &u64| -> Result<Vec<f64>, String> {
            let misses = attribution.misses(&Int::from(*lines)).map_err(told)?;
            Ok(misses.iter().map(|misses| misses.total().to_f64()).collect())
        };
        let by_access = self.lines.iter().map(of_level).collect::<Result<Vec<_>, _>>()?;
        let cost = cost_of_misses(self.generated, self.nests, sizes, &by_access);
        let misses = by_access.iter().map(|misses| misses.iter().sum()).collect();
        Ok(SizePrediction { misses, cycles: cost.cycles })
    }
}
