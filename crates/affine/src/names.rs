//! Names that every part of symloc, and whoever reads its output, takes as names.

/// Words that mean something to isl's parser, which ignores their case (or, `lambda`, to Python's).
const RESERVED: &[&str] = &[
    "and", "card", "ceil", "ceild", "exists", "false", "floor", "floord", "implies", "infinity", "infty", "int",
    "lambda", "max", "min", "mod", "nan", "not", "or", "rat", "true",
];

/// True for identifiers of ASCII letters, digits and underscores that are not reserved.
pub fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(text))
}
