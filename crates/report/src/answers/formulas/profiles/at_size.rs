//! The rows of a profile at one size, and the caches of a machine among them.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use symloc_locality::profile::{Profile, Row};
use symloc_model::LineModel;
use symloc_quasi::{Quotient, Rational, Style};

use crate::formats;
use crate::formats::text::binary;

/// A size, and caches.
#[derive(Debug)]
pub struct SizedCaches {
    /// The size in words, such as `n = 2000`.
    pub text: String,
    /// The values of the parameters.
    pub point: Vec<BigInt>,
    /// The names of the caches and their lines, by ascending lines.
    pub levels: Vec<(String, u64)>,
}

impl SizedCaches {
    /// Returns true if there are caches.
    pub(super) fn has_levels(&self) -> bool {
        !self.levels.is_empty()
    }

    fn lines(&self, cache: &Quotient) -> Rational {
        cache.evaluate(&self.point)
    }

    /// Returns the size of a row such as `62.5 KiB` or `up to 30.5 MiB`; in lines where these have no bytes.
    pub(super) fn size(&self, row: &Row, line: &LineModel) -> String {
        let size = |cache: &Quotient| {
            let lines = self.lines(cache).to_f64().unwrap_or(0.0);
            line.line_bytes.map_or_else(|| format!("{lines:.0} lines"), |bytes| binary(lines * bytes as f64))
        };
        let [from, to] = row.cache.each_ref().map(size);
        if from == to {
            return to;
        }
        formats::range(Style::Text, (!row.cache[0].is_zero()).then_some(from.as_str()), &to)
    }

    /// Returns the caches in which this row hits, but not the next: `L1, L2`; `in L2` is one within a ramp.
    pub(super) fn reached(&self, profile: &Profile, index: usize) -> String {
        let reaches = |row: &Row, lines: u64| self.lines(&row.cache[1]) <= Rational::from_integer(lines.into());
        let begins = |row: &Row, lines: u64| {
            let from = self.lines(&row.cache[0]);
            !from.is_zero() && from <= Rational::from_integer(lines.into())
        };
        let last =
            |lines: u64, holds: &dyn Fn(&Row, u64) -> bool| profile.rows.iter().rposition(|row| holds(row, lines));
        let text = |(name, lines): &(String, u64)| {
            let within = last(*lines, &begins).filter(|begun| last(*lines, &reaches) < Some(*begun));
            match within {
                Some(row) => (row == index).then(|| format!("in {name}")),
                None => (last(*lines, &reaches) == Some(index)).then(|| name.clone()),
            }
        };
        self.levels.iter().filter_map(text).collect::<Vec<_>>().join(", ")
    }
}
