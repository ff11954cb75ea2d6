//! Names that every part of symloc, and whoever reads its output, takes as names.

/// Words that mean something to isl's parser, which ignores their case (or, `lambda`, to Python's).
const RESERVED: &[&str] = &[
    "and", "card", "ceil", "ceild", "exists", "false", "floor", "floord", "implies", "infinity", "infty", "int",
    "lambda", "max", "min", "mod", "nan", "not", "or", "rat", "true",
];

/// Returns true for identifiers of ASCII letters, digits and underscores that are not reserved.
pub fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Returns names as in a sentence: `a, b and c`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [_, ..])) => format!("{} and {last}", names[..names.len() - 1].join(", ")),
        _ => names.concat(),
    }
}
