//! Rows of formulas as Python that builds SymPy expressions.
//!
//! Expressions are given as text to `sympify` with the names of all symbols, so that fractions stay exact and a parameter
//! may have a name that SymPy uses for something else.

use std::collections::BTreeSet;
use std::io::{self, Write};

/// A value in a row.
pub enum Value {
    /// An expression.
    Expression(String),
    /// Words.
    Word(String),
    /// True or false.
    Flag(bool),
    /// An unknown value.
    Unknown,
}

impl From<Option<String>> for Value {
    fn from(expression: Option<String>) -> Self {
        expression.map_or(Value::Unknown, Value::Expression)
    }
}

/// A row: names and values.
pub type Record = Vec<(&'static str, Value)>;

/// Writes the definition of all symbols.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_symbols(out: &mut dyn Write, names: &BTreeSet<&str>) -> io::Result<()> {
    let symbols: Vec<_> = names.iter().map(|name| format!("{name:?}: Symbol({name:?}, integer=True)")).collect();
    writeln!(out, "from sympy import Symbol, sympify\n")?;
    writeln!(out, "names = {{{}}}\n", symbols.join(", "))
}

/// Writes the definition of a variable.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_expression(out: &mut dyn Write, variable: &str, expression: &str) -> io::Result<()> {
    writeln!(out, "{variable} = sympify({expression:?}, names)")
}

/// Writes a list of dictionaries, under some comments.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_records(out: &mut dyn Write, variable: &str, comments: &[String], records: &[Record]) -> io::Result<()> {
    comments.iter().try_for_each(|line| writeln!(out, "# {line}"))?;
    writeln!(out, "{variable} = [")?;
    for record in records {
        let entries: Vec<_> = record.iter().map(|(name, value)| format!("{name:?}: {}", python(value))).collect();
        writeln!(out, "    {{{}}},", entries.join(", "))?;
    }
    writeln!(out, "]")
}

fn python(value: &Value) -> String {
    match value {
        Value::Expression(text) => format!("sympify({text:?}, names)"),
        Value::Word(text) => format!("{text:?}"),
        Value::Flag(true) => "True".to_owned(),
        Value::Flag(false) => "False".to_owned(),
        Value::Unknown => "None".to_owned(),
    }
}
