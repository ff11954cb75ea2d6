//! Parameters that conditions give one value.

use std::collections::BTreeMap;

use crate::assume::tokens::{AssumeToken, name_alone, number, tokenize};

/// Returns the names that conditions give one value, as `step = 2` does, with the value. The first one counts:
/// conditions that contradict each other are reported where they become part of a program.
pub fn fixed_values(text: &str) -> BTreeMap<String, i64> {
    let tokens = tokenize(text).unwrap_or_default();
    let parts = tokens.split(|token| [",", "and"].contains(&token.text));
    let mut values = BTreeMap::new();
    for part in parts {
        let words: Vec<&str> = part.iter().map(|token| token.text).collect();
        let Some(equal) = words.iter().position(|word| ["=", "=="].contains(word)) else { continue };
        let (left, right) = (&words[..equal], &words[equal + 1..]);
        let fixed = name_alone(left).zip(number(right)).or_else(|| name_alone(right).zip(number(left)));
        if let Some((name, value)) = fixed {
            values.entry(name).or_insert(value);
        }
    }
    values
}

/// Returns the conditions that a text joins, each by itself.
pub fn conditions(text: &str) -> Vec<&str> {
    let tokens = tokenize(text).unwrap_or_default();
    let parts = tokens.split(|token| [",", "and"].contains(&token.text));
    let around = |part: &[AssumeToken<'_>]| Some((part.first()?.start, part.last()?.end()));
    parts.filter_map(around).filter_map(|(start, end)| text.get(start..end)).collect()
}

/// Returns true if a value fits a signed integer of `bits` bits; a single bit is a truth value, 0 or 1.
pub fn fits_in(value: i64, bits: u32) -> bool {
    match bits {
        1 => value == 0 || value == 1,
        2..64 => (-(1_i64 << (bits - 1))..1_i64 << (bits - 1)).contains(&value),
        _ => bits == 64,
    }
}
