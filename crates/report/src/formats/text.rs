//! Aligned columns, and numbers as people read them.

use std::io::{self, Write};

use symloc_evaluate::Int;
use symloc_model::{LineModel, Model};
use symloc_quasi::{Notation, Style};

/// A table of text whose columns are as wide as their widest cell.
#[derive(Clone, Debug)]
pub struct Columns {
    rows: Vec<Vec<String>>,
    left: usize,
}

impl Columns {
    /// Creates a table with a head; its first `left` columns are aligned to the left, the others to the right.
    pub fn new(head: &[&str], left: usize) -> Self {
        Self { rows: vec![head.iter().map(|&cell| cell.to_owned()).collect()], left }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Returns the width of the rows.
    pub fn width(&self) -> usize {
        self.widths().iter().map(|width| width + 2).sum::<usize>().saturating_sub(2)
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let length = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
        let width = |column| self.rows.iter().map(|row| length(row, column)).max().unwrap_or(0);
        (0..columns).map(width).collect()
    }

    /// Returns the rows as text, two spaces between columns.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let widths = self.widths();
        self.rows.iter().map(move |row| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column < self.left {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
    }

    /// Writes the rows.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.lines().try_for_each(|line| writeln!(out, "{line}"))
    }
}

/// Returns a share in percent; `-` for NaN, the share of zero in zero.
pub fn percent(share: f64) -> String {
    if share.is_nan() { "-".to_owned() } else { format!("{:.2}%", 100.0 * share) }
}

/// Returns a part of a whole in percent, in three digits or more: `3.14%`, `0.0159%`. Only the whole is `100%`, and only zero is `0%`; `-`
/// if the whole is zero.
pub fn percent_of(part: &Int, whole: &Int) -> String {
    let percent = 100.0 * part.ratio(whole);
    if whole.is_zero() {
        "-".to_owned()
    } else if part.is_zero() {
        "0%".to_owned()
    } else if part == whole {
        "100%".to_owned()
    } else if percent >= 99.995 {
        "over 99.99%".to_owned()
    } else if percent >= 1.0 {
        format!("{percent:.2}%")
    } else if percent >= 1e-5 {
        format!("{percent:.*}%", (2.0 - percent.log10().floor()) as usize)
    } else {
        format!("{percent:.2e}%")
    }
}

/// Returns bytes in three digits, as in `62.5 KiB`.
pub fn binary(bytes: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = ((bytes.max(1.0).log2() / 10.0).floor() as usize).min(units.len() - 1);
    let value = bytes / 1024_f64.powi(power as i32);
    let decimals = usize::from(value < 100.0 && value.fract() != 0.0);
    format!("{value:.decimals$} {}", units[power])
}

/// Returns a ratio in a few digits: `0.26562`, or `6.1e-8` if it is too small for that; `-` for NaN, the ratio of no accesses.
pub fn ratio(value: f64) -> String {
    if value.is_nan() {
        "-".to_owned()
    } else if value == 0.0 || value >= 1e-3 {
        format!("{value:.5}")
    } else {
        format!("{value:.2e}")
    }
}

/// Returns how many times a number another one is, in three digits: `1.20`, `40.2`; `-` if it is zero.
pub fn times(number: &Int, of: &Int) -> String {
    if of.is_zero() {
        return "-".to_owned();
    }
    let ratio = number.ratio(of);
    let decimals = if ratio < 10.0 { 2 } else { usize::from(ratio < 100.0) };
    format!("{ratio:.decimals$}")
}

/// Returns the sizes as `n = 16, m = 32`.
pub fn sizes(sizes: &[(String, i128)]) -> String {
    sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// Returns the sizes as `n = m = 16, k = 32`: neighbours with one value are joined.
pub fn grouped_sizes(sizes: &[(String, i128)]) -> String {
    let groups = sizes.chunk_by(|(_, one), (_, other)| one == other);
    let group = |group: &[(String, i128)]| {
        let names: Vec<_> = group.iter().map(|(name, _)| format!("{name} = ")).collect();
        group.first().map(|(_, value)| format!("{}{value}", names.concat()))
    };
    groups.filter_map(group).collect::<Vec<_>>().join(", ")
}

/// Returns `full`, or the number of ways.
pub fn ways(ways: u64, lines: u64) -> String {
    if ways == lines { "full".to_owned() } else { ways.to_string() }
}

/// Returns the line size of a part of a model, which may be a parameter.
pub fn lines_of(model: &Model, line: &LineModel) -> String {
    match line.symbolic {
        Some(symbolic) => {
            let name = model.parameters.get(symbolic.parameter).map_or("?", String::as_str);
            format!("lines of {name} elements of {} bytes", symbolic.element_bytes)
        }
        None => lines(line.line_bytes, line.element),
    }
}

/// Returns `for n >= 1 and n mod 8 = 0`: the sizes of formulas, by the context of their model and the condition on their residues; `None`
/// if the formulas hold for all sizes.
pub fn sizes_of(model: &Model, distinction: &str, style: Style) -> Option<String> {
    let context = Notation::new(style, &model.names()).conjunction(&model.context);
    let parts: Vec<&str> = [context.as_str(), distinction].into_iter().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| format!("for {}", parts.join(" and ")))
}

/// Returns the lines as `64-byte lines`.
pub fn lines(line_bytes: Option<u64>, element: bool) -> String {
    match (line_bytes, element) {
        (Some(bytes), false) => format!("{bytes}-byte lines"),
        (Some(bytes), true) => format!("one element of {bytes} bytes per line"),
        (None, _) => "one element per line".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_three_digits() {
        let texts = [64.0, 1000.0, 1536.0, 48.0 * 1024.0, 262_144_000.0].map(binary);
        assert_eq!(texts, ["64 B", "1000 B", "1.5 KiB", "48 KiB", "250 MiB"]);
    }

    #[test]
    fn percent_is_all_or_nothing_only_if_it_is() {
        let of = |part: i64, whole: i64| percent_of(&part.into(), &whole.into());
        assert_eq!([of(0, 0), of(0, 7), of(7, 7)], ["-", "0%", "100%"]);
        assert_eq!([of(999_999, 1_000_000), of(99_994, 100_000)], ["over 99.99%", "99.99%"]);
        assert_eq!([of(1, 3), of(1, 100), of(1, 101), of(1, 6_300)], ["33.33%", "1.00%", "0.990%", "0.0159%"]);
        assert_eq!(of(1, 1_000_000_000_000), "1.00e-10%");
    }
}
