//! Comma-separated values.

use std::io::{self, Write};

use symloc_evaluate::Int;

/// Writes rows of fields.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(out: &mut dyn Write, rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<()> {
    let mut csv = ::csv::Writer::from_writer(out);
    for row in rows {
        csv.write_record(row)?;
    }
    csv.flush()
}

/// Returns a value as a field, which is empty for `None`.
pub fn optional<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Returns the ends of an interval as fields, which are empty for `None`.
pub fn ends(interval: Option<&(Int, Int)>) -> [String; 2] {
    [interval.map(|(low, _)| low), interval.map(|(_, high)| high)].map(optional)
}

/// Returns a ratio with all of its digits; empty for NaN, the ratio of zero to zero.
pub fn ratio(value: f64) -> String {
    optional(Some(value).filter(|value| !value.is_nan()))
}

/// Returns the bytes in some lines, if lines have bytes.
pub fn bytes(lines: &Int, line_bytes: Option<u64>) -> String {
    optional(line_bytes.map(|line| lines * &Int::from(line)))
}
