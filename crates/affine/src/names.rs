//! Names that every part of symloc, and whoever reads its output, takes as names.

/// Words that mean something to isl's parser, which ignores their case (or, `lambda`, to Python's).
const RESERVED: &[&str] = &[
    "and", "card", "ceil", "ceild", "exists", "false", "floor", "floord", "implies", "infinity", "infty", "int",
    "lambda", "max", "min", "mod", "nan", "not", "or", "rat", "true",
];

/// Returns true for identifiers of ASCII letters, digits and underscores that are not reserved: neither words of isl, nor names that
/// the derivation gives to coordinates, `_0`, `_b0` and `_d0`.
pub fn is_name(text: &str) -> bool {
    is_source_name(text)
        && text.is_ascii()
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(text))
        && !is_coordinate(text)
}

/// Returns true for identifiers of any language that symloc reads: letters, digits and underscores of any script.
pub fn is_source_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_coordinate(text: &str) -> bool {
    let number = text.strip_prefix('_').map(|rest| rest.strip_prefix(['b', 'd']).unwrap_or(rest));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns names as in a sentence: `a, b and c`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [_, ..])) => format!("{} and {last}", names[..names.len() - 1].join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_coordinates_are_reserved() {
        for name in ["_0", "_12", "_b0", "_d3", "mod", "Lambda", "größe", "a.b", "1a", ""] {
            assert!(!is_name(name), "{name}");
        }
        for name in ["_", "_a0", "_b", "_0_1", "b0", "n"] {
            assert!(is_name(name), "{name}");
        }
        assert!(is_source_name("größe") && is_source_name("mod") && is_source_name("_0"));
        assert!(!is_source_name("a.b") && !is_source_name("1a") && !is_source_name(""));
    }
}
