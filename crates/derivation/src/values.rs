//! `--assume 'ksize in 1, 3, 5'`: the program read for each value, and the join of these programs.

use std::collections::BTreeSet;

use symloc_affine::assume::{ValueSet, element_name, value_sets};
use symloc_affine::join::{Part, joined};
use symloc_affine::{Program, parse_assumptions};

use crate::error::DerivationError;
use crate::reading::Input;

/// The most combinations of values: each is a program of its own.
const MAX_CASES: usize = 64;

/// One combination of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCombination {
    /// The values, by the names in the conditions.
    values: Vec<(String, i64)>,
    /// The conditions, with `name = value` in place of each set.
    pub conditions: String,
}

/// Returns a case for each combination of values in the sets of the conditions; none if there are no sets.
///
/// # Errors
///
/// If there are too many combinations.
pub fn cases(conditions: &str) -> Result<Vec<ValueCombination>, DerivationError> {
    let sets = value_sets(conditions);
    let count = sets.iter().try_fold(1_usize, |count, set| count.checked_mul(set.values.len()));
    match count {
        _ if sets.is_empty() => Ok(Vec::new()),
        Some(count) if count <= MAX_CASES => {
            let none = vec![Vec::new()];
            let combinations = sets.iter().fold(none, |before, set| {
                let with = |values: &Vec<i64>, value: &i64| [values.as_slice(), &[*value]].concat();
                before.iter().flat_map(|values| set.values.iter().map(move |value| with(values, value))).collect()
            });
            Ok(combinations.into_iter().map(|values| case(conditions, &sets, &values)).collect())
        }
        _ => Err(DerivationError::with_hint(
            format!("--assume: the values of sets have more than {MAX_CASES} combinations, and each is read by itself"),
            "give fewer values, or derive a model for each value of one of them",
        )),
    }
}

fn case(conditions: &str, sets: &[ValueSet], values: &[i64]) -> ValueCombination {
    let mut text = conditions.to_owned();
    // From the last set to the first, so that the places of the others stay valid.
    for (set, value) in sets.iter().zip(values).rev() {
        let (start, end) = set.place;
        text.replace_range(start..end, &format!("{} = {value}", set.name));
    }
    let values = sets.iter().zip(values).map(|(set, value)| (set.name.clone(), *value)).collect();
    ValueCombination { values, conditions: text }
}

/// Joins the programs of all cases into one program.
///
/// # Errors
///
/// If a coefficient does not fit 64 bits, or the conditions do not fit the program.
pub fn join(conditions: &str, read: Vec<(ValueCombination, Input)>) -> Result<Option<Input>, DerivationError> {
    let programs: Vec<&Program> = read.iter().map(|(_, input)| &input.program).collect();
    let values = |case: &ValueCombination| {
        case.values.iter().map(|(name, value)| (parameter(name, &programs), *value)).collect()
    };
    let parts = read.iter().map(|(case, input)| Part { values: values(case), program: &input.program });
    let parts: Vec<Part<'_>> = parts.collect();
    let too_large =
        |_| DerivationError::refused("--assume: the joined program has a coefficient that does not fit in 64 bits");
    let Some(mut program) = joined(&parts).map_err(too_large)? else { return Ok(None) };
    for set in value_sets(conditions) {
        let text = conditions.get(set.place.0..set.place.1).unwrap_or_default();
        let assumed = parse_assumptions(text, &program.params, &[]);
        program.assume(assumed.map_err(|error| DerivationError::refused(format!("--assume: {error}")))?.constraints);
    }
    let mut inputs = read.into_iter().map(|(_, input)| input);
    let Some(first) = inputs.next() else { return Ok(None) };
    let line = first.line.and_then(|line| program.param(&first.program.params.get(line.index())?.name));
    let mut whole = Input { program, line, lowered: None, ..first };
    for input in inputs {
        add_new(&mut whole.said, input.said);
        add_new(&mut whole.remarks, input.remarks);
        add_new(&mut whole.assumptions, input.assumptions);
    }
    Ok(Some(whole))
}

fn add_new<T: PartialEq>(known: &mut Vec<T>, more: Vec<T>) {
    for item in more {
        if !known.contains(&item) {
            known.push(item);
        }
    }
}

/// Returns the name in the programs of a parameter with this name in the conditions.
fn parameter(name: &str, programs: &[&Program]) -> String {
    let element = element_name(name);
    let names: BTreeSet<&str> = std::iter::once(name).chain(element.as_deref()).collect();
    let params = programs.iter().flat_map(|program| &program.params);
    let found = params.into_iter().find(|param| {
        names.contains(param.name.as_str())
            || param.argument.as_deref().is_some_and(|argument| names.contains(argument))
    });
    found.map_or_else(|| element.clone().unwrap_or_else(|| name.to_owned()), |param| param.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_a_case() {
        let conditions = |text: &str| cases(text).unwrap().into_iter().map(|case| case.conditions).collect::<Vec<_>>();
        assert_eq!(conditions("n >= 3, k = 2"), [""; 0]);
        assert_eq!(
            conditions("k in 1, 3, n >= 3, m in -1, 2"),
            ["k = 1, n >= 3, m = -1", "k = 1, n >= 3, m = 2", "k = 3, n >= 3, m = -1", "k = 3, n >= 3, m = 2"]
        );
        let many = "a in 1, 2, 3, 4, b in 1, 2, 3, 4, c in 1, 2, 3, 4, d in 1, 2";
        assert!(cases(many).unwrap_err().to_string().contains("more than 64 combinations"));
    }
}
