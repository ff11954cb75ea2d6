//! What `--assume` says of candidates for parameters while a program is read.

use std::collections::BTreeMap;

use symloc_affine::assume::{below_one, conditions, element_name, fits_in};
use symloc_affine::{Constraint, Location, Param, ParamId, fixed_values, is_name, parse_assumptions};

use crate::diagnostics::{Diagnostic, Kind};
use crate::draft::{Candidate, Domain};
use crate::names::{is_argument, meaningful, renamed};

/// Conditions on parameters, in the names that the user has for them.
#[derive(Clone, Debug, Default)]
pub struct Assumed {
    text: String,
    renames: Vec<(String, String)>,
}

impl Assumed {
    /// Those of `--assume`; `renames` are those of `--name`.
    pub fn new(text: Option<&str>, renames: &[(String, String)]) -> Self {
        Self { text: text.unwrap_or_default().to_owned(), renames: renames.to_vec() }
    }

    /// Returns the values of the names that have only one.
    pub fn fixed(&self) -> BTreeMap<String, i64> {
        fixed_values(&self.text)
    }

    /// Returns the name by which conditions speak of what the source calls so.
    pub fn name(&self, source: &str) -> Option<String> {
        let own = Some(source).filter(|name| is_argument(name)).map(str::to_owned);
        meaningful(source).or(own).map(|name| renamed(&self.renames, &name))
    }

    /// Returns the conditions that speak of nothing but these candidates.
    pub fn of(&self, candidates: &[Candidate]) -> Vec<Constraint> {
        let name = |candidate: &Candidate| candidate.name.as_deref().and_then(|name| self.name(name));
        let params: Vec<Param> = candidates.iter().map(|c| Param::named(name(c).unwrap_or_default())).collect();
        let known = conditions(&self.text).into_iter().filter_map(|text| parse_assumptions(text, &params, None).ok());
        known.flat_map(|known| known.constraints).collect()
    }
}

/// Returns the candidates that conditions let be 0 or negative, and that are no sizes.
pub fn freed(conditions: &[Constraint], candidates: &[Candidate]) -> Vec<ParamId> {
    let is_bound = |param: &ParamId| candidates.get(param.index()).is_some_and(|c| c.domain == Domain::Bound);
    conditions.iter().filter_map(below_one).filter(is_bound).collect()
}

/// Returns the name of the parameter that has one value: an element of an array has one of its own.
pub fn parameter_name(name: &str) -> Option<String> {
    element_name(name).or_else(|| is_name(name).then(|| name.to_owned()))
}

/// Nothing, or an error where a value is none of an integer of so many bits.
///
/// # Errors
///
/// One that names the values that fit.
pub fn fitting(name: &str, value: i64, bits: u32, at: Option<Location>) -> Result<(), Diagnostic> {
    if fits_in(value, bits) {
        return Ok(());
    }
    let (least, largest) = match bits {
        1 => (0, 1),
        _ => (-(1_i64 << (bits - 1).min(62)), (1_i64 << (bits - 1).min(62)) - 1),
    };
    let message = format!("--assume '{name} = {value}': `{name}` is an integer of {bits} bits");
    let error = Diagnostic::new(Kind::Request, at, message);
    Err(error.hint(format!("give a value from {least} to {largest}")))
}
