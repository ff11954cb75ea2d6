//! The names of the miss models on a command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use symloc_evaluate::MissModel;

/// Returns the parser of an option that names a miss model.
pub fn parser() -> impl TypedValueParser<Value = MissModel> {
    let named = |name: String| MissModel::ALL.into_iter().find(|model| model.name() == name).ok_or("no miss model");
    PossibleValuesParser::new(MissModel::ALL.map(|model| PossibleValue::new(model.name()).help(help(model))))
        .try_map(named)
}

fn help(model: MissModel) -> &'static str {
    match model {
        MissModel::Denning => "Denning's working set, from reuse intervals",
        MissModel::Lru => "Fully associative LRU, from reuse distances: exact",
    }
}
