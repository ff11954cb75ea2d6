//! The conditions of `--assume` on candidates for parameters, while a program is read.

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
    /// Returns the conditions of `--assume`; `renames` are those of `--name`.
    pub fn new(text: Option<&str>, renames: &[(String, String)]) -> Self {
        Self { text: text.unwrap_or_default().to_owned(), renames: renames.to_vec() }
    }

    /// Returns the values of the names that have one value.
    pub fn fixed(&self) -> BTreeMap<String, i64> {
        fixed_values(&self.text)
    }

    /// Returns the name in conditions for a name of the source.
    pub fn name(&self, source: &str) -> Option<String> {
        let own = Some(source).filter(|name| is_argument(name)).map(str::to_owned);
        meaningful(source).or(own).map(|name| renamed(&self.renames, &name))
    }

    /// Returns the conditions that mention these candidates only.
    pub fn of(&self, candidates: &[Candidate]) -> Vec<Constraint> {
        let name = |candidate: &Candidate| candidate.name.as_deref().and_then(|name| self.name(name));
        let params: Vec<Param> = candidates.iter().map(|c| Param::named(name(c).unwrap_or_default())).collect();
        let known = conditions(&self.text).into_iter().filter_map(|text| parse_assumptions(text, &params, &[]).ok());
        known.flat_map(|known| known.constraints).collect()
    }
}

/// Returns the bounds that the conditions allow to be 0 or negative.
pub fn freed(conditions: &[Constraint], candidates: &[Candidate]) -> Vec<ParamId> {
    let is_bound = |param: &ParamId| candidates.get(param.index()).is_some_and(|c| c.domain == Domain::Bound);
    conditions.iter().filter_map(below_one).filter(is_bound).collect()
}

/// Returns the name of the parameter for a name with one value; an element of an array has a name of its own.
pub fn parameter_name(name: &str) -> Option<String> {
    element_name(name).or_else(|| is_name(name).then(|| name.to_owned()))
}

/// Checks that a value fits in an integer of this width.
///
/// # Errors
///
/// If it does not fit; the hint names the values that do.
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
