//! The rows of a profile beside the curve of a picture.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use symloc_locality::profile::Row;
use symloc_quasi::{Notation, Quotient, Style};

use super::Span;
use crate::answers::formulas::profiles::Profiles;
use crate::answers::formulas::profiles::short::ShortFormulas;

/// The limits for a picture: the number of rows, and the length of formulas.
const PICTURED: (usize, usize) = (10, 16);

/// Returns the caches of the rows of a profile at a size, in lines, with their formulas; `None` if they differ between residues.
/// A row that begins at caches of a lower order begins where the row before it ends.
pub fn spans(profiles: &Profiles<'_>, point: &[BigInt]) -> Option<Vec<Span>> {
    let [profile] = profiles.profiles.as_slice() else { return None };
    let names = profiles.model.names();
    let notation = Notation::new(Style::Text, &names);
    let short = ShortFormulas { notation, first: profile.largest(), longest: PICTURED.1 };
    let at = |cache: &Quotient| cache.evaluate(point).to_f64().unwrap_or(f64::INFINITY);
    let mut last = 0.0;
    let span = |row: &Row| {
        let [from, to] = row.cache.each_ref().map(at);
        let from = if row.cache[0].is_zero() { last } else { from };
        last = to;
        Span { label: short.range(&row.cache, 9), ends: [from.min(to), to] }
    };
    Some(profile.condensed(PICTURED.0).rows.iter().map(span).collect())
}
