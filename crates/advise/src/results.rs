//! Results of programs, compared byte by byte or, where sums are reordered, within rounding.

use std::path::Path;

use crate::error::AdviseError;

/// The agreement of a program's results with those of the program as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// They are the same bytes.
    Identical,
    /// Numbers in floating point differ by no more than rounding explains; all others are the same.
    WithinRounding {
        /// The largest relative difference of two numbers.
        largest: f64,
    },
    /// They differ.
    Different,
}

/// The type of a result's numbers, as far as comparisons care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// Numbers of 4 bytes in floating point.
    Float,
    /// Numbers of 8 bytes in floating point.
    Double,
    /// Others, which have to be the same.
    Exact,
}

impl ResultKind {
    /// Returns the kind of a type in C.
    pub(crate) fn of(kind: &str) -> Self {
        match kind {
            "float" => Self::Float,
            "double" => Self::Double,
            _ => Self::Exact,
        }
    }

    /// Returns the largest relative difference that rounding explains: that of a sum of some thousand or million terms.
    pub const fn tolerance(self) -> f64 {
        match self {
            Self::Float => 1e-3,
            Self::Double => 1e-9,
            Self::Exact => 0.0,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Float => 4,
            Self::Double => 8,
            Self::Exact => 1,
        }
    }

    fn numbers(self, bytes: &[u8]) -> Vec<f64> {
        let number = |bytes: &[u8]| match (self, bytes.try_into(), bytes.try_into()) {
            (Self::Float, Ok(four), _) => f64::from(f32::from_ne_bytes(four)),
            (Self::Double, _, Ok(eight)) => f64::from_ne_bytes(eight),
            _ => f64::from(bytes.first().copied().unwrap_or_default()),
        };
        bytes.chunks_exact(self.bytes()).map(number).collect()
    }
}

/// The comparison of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultComparison {
    /// They have to be the same bytes.
    Bytes,
    /// Floating point may differ by rounding.
    Rounding,
}

/// Numbers that are so many times smaller than the largest of their array are compared as if they were that large: what is
/// left of a difference of large numbers is rounded as they are.
const SMALLEST: f64 = 1e-6;

/// Compares the files of results that two programs wrote; `kinds` are those of the results, in their order.
pub(crate) fn compare(written: &Path, other: &Path, kinds: &[ResultKind]) -> Result<Agreement, AdviseError> {
    let read = |path: &Path| {
        std::fs::read(path).map_err(|error| AdviseError::Run { why: format!("its results cannot be read: {error}") })
    };
    let (written, other) = (read(written)?, read(other)?);
    Ok(agreement(&records(&written), &records(&other), kinds))
}

/// Splits a file in results: each is its length in 8 bytes, and itself.
fn records(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<8>() {
        let length = usize::try_from(u64::from_ne_bytes(*length)).unwrap_or(usize::MAX).min(rest.len());
        let (record, after) = rest.split_at(length);
        found.push(record);
        bytes = after;
    }
    found
}

fn agreement(written: &[&[u8]], other: &[&[u8]], kinds: &[ResultKind]) -> Agreement {
    let has_form = |(a, b): (&&[u8], &&[u8])| a.len() == b.len();
    let is_complete = written.len() == kinds.len() && other.len() == kinds.len();
    if !is_complete || !written.iter().zip(other).all(has_form) {
        return Agreement::Different;
    }
    let mut largest = 0.0_f64;
    for ((written, other), kind) in written.iter().zip(other).zip(kinds) {
        if written == other {
            continue;
        }
        let difference = relative_difference(&kind.numbers(written), &kind.numbers(other));
        if difference > kind.tolerance() {
            return Agreement::Different;
        }
        largest = largest.max(difference);
    }
    if written == other { Agreement::Identical } else { Agreement::WithinRounding { largest } }
}

/// Returns the largest difference of two numbers at the same place, relative to the larger one.
fn relative_difference(written: &[f64], other: &[f64]) -> f64 {
    let finite = written.iter().map(|number| number.abs()).filter(|number| number.is_finite());
    let smallest = SMALLEST * finite.fold(0.0, f64::max);
    let difference = |(a, b): (&f64, &f64)| match (a.is_nan(), b.is_nan()) {
        (true, true) => 0.0,
        (false, false) if a == b => 0.0,
        (false, false) if a.is_finite() && b.is_finite() => (a - b).abs() / a.abs().max(b.abs()).max(smallest),
        _ => f64::INFINITY,
    };
    written.iter().zip(other).map(difference).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(kind: ResultKind, written: &[f64], other: &[f64]) -> Agreement {
        let bytes = |numbers: &[f64]| match kind {
            ResultKind::Float => numbers.iter().flat_map(|number| (*number as f32).to_ne_bytes()).collect(),
            _ => numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>(),
        };
        agreement(&[&bytes(written)], &[&bytes(other)], &[kind])
    }

    #[test]
    fn numbers_agree_within_rounding_only() {
        let kinds = [ResultKind::Float, ResultKind::Double];
        for kind in kinds {
            assert_eq!(compared(kind, &[1.0, f64::NAN], &[1.0, f64::NAN]), Agreement::Identical);
            assert_eq!(compared(kind, &[1.0, 2.0], &[1.0, 2.01]), Agreement::Different);
            assert_eq!(compared(kind, &[1.0, 2.0], &[1.0, f64::NAN]), Agreement::Different);
            assert_eq!(compared(kind, &[1.0, 2.0], &[1.0]), Agreement::Different);
            let near = compared(kind, &[1.0, 2.0], &[1.0, 2.0 * (1.0 + kind.tolerance() / 2.0)]);
            assert!(matches!(near, Agreement::WithinRounding { largest } if largest > 0.0), "{near:?}");
        }
        // What is left of large numbers has their rounding.
        let cancelled = compared(ResultKind::Double, &[1e6, 1e-11], &[1e6, 0.0]);
        assert!(matches!(cancelled, Agreement::WithinRounding { .. }), "{cancelled:?}");
    }

    #[test]
    fn other_numbers_have_to_be_the_same() {
        assert_eq!(agreement(&[&[1, 2]], &[&[1, 3]], &[ResultKind::Exact]), Agreement::Different);
        assert_eq!(agreement(&[&[1, 2]], &[&[1, 2]], &[ResultKind::Exact]), Agreement::Identical);
    }

    #[test]
    fn results_are_read_as_they_are_written() {
        let file = [&2_u64.to_ne_bytes()[..], &[7, 8], &1_u64.to_ne_bytes(), &[9]].concat();
        assert_eq!(records(&file), [&[7, 8][..], &[9]]);
    }
}
