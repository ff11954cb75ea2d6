//! The roots that formulas of misses mention: integers that the cache determines.

use serde::Serialize;
use symloc_locality::formula::{MissFormulas, ThresholdRoot};
use symloc_quasi::{Notation, Poly, Rational, Style, Var};

use crate::formats::sympy::{Record, Value};

/// The meaning of the roots that are written for SymPy.
pub(super) const COMMENT: &str =
    "each root is the largest integer from at_least to at_most for which excess is not negative";

/// A root: the largest integer of a range for which an inequality holds.
#[derive(Serialize)]
pub(super) struct RootText {
    name: String,
    at_least: String,
    at_most: String,
    #[serde(rename = "where")]
    inequality: String,
    #[serde(skip)]
    excess: String,
}

impl RootText {
    pub(super) fn new(root: &ThresholdRoot, threshold: Var, notation: Notation<'_>) -> Self {
        Self {
            name: notation.poly(&Poly::var(root.var)),
            at_least: notation.poly(&root.least),
            at_most: notation.poly(&root.greatest),
            inequality: inequality(&root.excess, threshold, notation),
            excess: notation.poly(&root.excess),
        }
    }

    pub(super) fn record(self) -> Record {
        vec![
            ("name", Value::Expression(self.name)),
            ("at_least", Value::Expression(self.at_least)),
            ("at_most", Value::Expression(self.at_most)),
            ("excess", Value::Expression(self.excess)),
        ]
    }
}

/// Returns the names of the sizes, the threshold and the roots: r if there is one root, else r1 and so on.
pub(super) fn names(known: &[String], formulas: &MissFormulas) -> Vec<String> {
    let count = formulas.roots.len();
    let numbered = |prefix: &str| -> Vec<String> {
        (1..=count).map(|number| if count == 1 { prefix.to_owned() } else { format!("{prefix}{number}") }).collect()
    };
    let prefixes = ["r", "root", "root_"].map(numbered);
    let free = prefixes.iter().find(|names| !names.iter().any(|name| known.contains(name)));
    [known, free.unwrap_or(&prefixes[2])].concat()
}

/// Returns a sentence for each root.
pub(super) fn sentences<'r>(
    known: &[String],
    formulas: &MissFormulas,
    roots: impl Iterator<Item = &'r ThresholdRoot>,
) -> Vec<String> {
    let names = names(known, formulas);
    let notation = Notation::new(Style::Text, &names);
    let sentence = |root: &ThresholdRoot| {
        let RootText { name, at_most, inequality, .. } = RootText::new(root, formulas.threshold, notation);
        format!("{name} is the largest integer up to {at_most} with {inequality}")
    };
    roots.map(sentence).collect()
}

/// Formats `excess ≥ 0` with the threshold alone on the right, if it stands alone.
fn inequality(excess: &Poly, threshold: Var, notation: Notation<'_>) -> String {
    let (slope, rest) = excess.split_slope(threshold);
    if slope == Rational::default() || rest.vars().contains(&threshold) {
        return format!("{} >= 0", notation.poly(excess));
    }
    let (relation, bound) = if slope > Rational::default() { ("<=", -&rest) } else { (">=", rest) };
    let slope = if slope > Rational::default() { slope } else { -slope };
    format!("{} {relation} {}", notation.poly(&bound.scale(&slope.recip())), notation.poly(&Poly::var(threshold)))
}
