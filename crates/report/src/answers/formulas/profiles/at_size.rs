//! The rows of a profile at one size, and the caches of a machine among them.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use symloc_locality::profile::{Profile, Row};
use symloc_model::{LineModel, Model};
use symloc_quasi::{Quotient, Rational, Style};
use symloc_report::formats;
use symloc_report::formats::text::{self, binary};

use crate::caches::CacheArgs;
use crate::error::CliError;
use crate::options::ParameterArgs;

/// A size, and caches.
pub(super) struct SizedCaches {
    /// `n = 2000`
    pub(super) text: String,
    point: Vec<BigInt>,
    /// Names and lines, by ascending lines.
    levels: Vec<(String, u64)>,
}

impl SizedCaches {
    /// Returns the given size with the caches, or `None` if neither sizes nor caches are given.
    pub(super) fn new(
        model: &Model,
        line: &LineModel,
        sizes: &ParameterArgs,
        caches: &CacheArgs,
    ) -> Result<Option<Self>, CliError> {
        if sizes.is_empty() && caches.is_empty() {
            return Ok(None);
        }
        if sizes.is_empty() && !model.parameters.is_empty() {
            return Err(CliError::with_hint(
                "caches have a place among the rows only at a size",
                "give the sizes with `-D`, as in `-D n=2000`",
            ));
        }
        let sizes = sizes.grid(&model.function, &model.parameters)?.single()?;
        let shown: Vec<_> = sizes.iter().map(|(name, value)| (name.clone(), i128::from(*value))).collect();
        let point = sizes.into_iter().collect::<symloc_model::NamedSizes>().point(model)?;
        let mut levels = Vec::new();
        if !caches.is_empty() {
            for level in caches.levels(|_| Ok(()))?.caches() {
                let name = level.name.clone().unwrap_or_else(|| level.cache.capacity.to_string());
                levels.push((name, level.cache.lines(line.line_bytes)?));
            }
        }
        levels.sort_by_key(|(_, lines)| *lines);
        let point = point.into_iter().map(BigInt::from).collect();
        Ok(Some(Self { text: text::grouped_sizes(&shown), point, levels }))
    }

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
