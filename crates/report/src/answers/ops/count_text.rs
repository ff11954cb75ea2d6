//! A count as it is printed: a formula for all sizes, or a number at one size.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use symloc_evaluate::Int;
use symloc_quasi::{Constraint, Notation, Piece, Poly, Quotient, Rational, Style};

/// The formulas of a count that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownFormulas {
    /// Those of large sizes, where there is one.
    Large,
    /// Those of all sizes.
    All,
}

/// A count as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountText {
    /// The value.
    pub value: CountValue,
    /// True if it depends on probabilities of branches that the user gave.
    pub estimate: bool,
}

/// The value of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountValue {
    /// One formula for all sizes.
    Formula(Poly),
    /// Different formulas for different sizes.
    Cases {
        /// The formula for all large sizes, if there is one.
        large: Option<Poly>,
        /// The formulas for all sizes of the context, each with its domain.
        pieces: Vec<Piece>,
    },
    /// The number at the given size.
    Number(Rational),
    /// Not known, because it depends on branches on data at these lines.
    Unknown(BTreeSet<u32>),
}

impl CountText {
    /// Returns true if the count is zero for all sizes, or at the given one.
    pub fn is_zero(&self) -> bool {
        match &self.value {
            CountValue::Formula(poly) => poly.is_zero(),
            CountValue::Number(value) => *value == Rational::from_integer(0.into()),
            CountValue::Cases { .. } | CountValue::Unknown(_) => false,
        }
    }

    /// Returns the formula that is printed if a single one is.
    pub fn formula(&self) -> Option<&Poly> {
        match &self.value {
            CountValue::Formula(poly) => Some(poly),
            CountValue::Cases { large, .. } => large.as_ref(),
            CountValue::Number(_) | CountValue::Unknown(_) => None,
        }
    }

    /// Returns true if the formula does not hold for small sizes.
    pub fn leaves_cases_out(&self) -> bool {
        matches!(self.value, CountValue::Cases { large: Some(_), .. })
    }

    /// Returns the count as text; with all cases if these are shown or if there is no formula for all large sizes.
    pub fn text(&self, notation: &Notation<'_>, shown: ShownFormulas) -> String {
        let text = match &self.value {
            CountValue::Formula(poly) => notation.poly(poly),
            CountValue::Cases { large: Some(poly), .. } if shown == ShownFormulas::Large => notation.poly(poly),
            CountValue::Cases { pieces, .. } => cases(pieces, notation),
            CountValue::Number(value) => number(value),
            CountValue::Unknown(_) => "?".to_owned(),
        };
        match (self.estimate, text.contains(' ')) {
            (false, _) => text,
            (true, false) => format!("~{text}"),
            (true, true) => format!("~({text})"),
        }
    }
}

/// Returns the cases as text, such as `n - 1 if n >= 3; 0 if n <= 2`.
fn cases(pieces: &[Piece], notation: &Notation<'_>) -> String {
    let case = |piece: &Piece| format!("{} if {}", notation.poly(&piece.value), notation.conjunction(&piece.domain));
    pieces.iter().map(case).collect::<Vec<_>>().join("; ")
}

/// Returns a number as text: an integer, a decimal number with all of its digits, or a fraction if it has too many.
pub fn number(value: &Rational) -> String {
    /// The most digits after the point.
    const PLACES: usize = 40;
    let mut shifted = value.clone();
    for places in 0..=PLACES {
        if shifted.is_integer() {
            let digits = format!("{:0>width$}", shifted.to_integer().to_string(), width = places + 1);
            let (whole, part) = digits.split_at(digits.len() - places);
            return if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") };
        }
        shifted *= BigInt::from(10);
    }
    value.to_string()
}

/// The program and the size of an output.
#[derive(Debug)]
pub struct OpsSubject {
    /// The function.
    pub function: String,
    /// The names of the parameters.
    pub names: Vec<String>,
    /// The sizes for which formulas hold.
    pub context: Vec<Constraint>,
    /// The values of the parameters, if a size is given.
    pub size: Option<Vec<i128>>,
}

impl OpsSubject {
    /// Returns the notation of formulas.
    pub fn notation(&self, style: Style) -> Notation<'_> {
        Notation::new(style, &self.names)
    }

    /// Returns the parameters with their values, if a size is given.
    pub fn sizes(&self) -> Option<Vec<(String, i128)>> {
        self.size.as_ref().map(|size| self.names.iter().cloned().zip(size.iter().copied()).collect())
    }

    /// Returns the share of one count in another: a decimal number at a size, else a formula if it is short.
    pub fn share(&self, part: &CountText, whole: &CountText, style: Style) -> Option<String> {
        /// The longest formula that fits an edge of a graph.
        const LENGTH: usize = 32;
        let (CountValue::Number(part), CountValue::Number(whole)) = (&part.value, &whole.value) else {
            let share = Quotient::new(part.formula()?.clone(), whole.formula()?.clone())?;
            return Some(self.notation(style).quotient(&share)).filter(|text| text.len() <= LENGTH);
        };
        let zero = Rational::from_integer(0.into());
        (*whole != zero).then(|| decimal(&(part / whole)))
    }
}

/// Returns a share with at most six digits after the point.
fn decimal(share: &Rational) -> String {
    let ratio = Int::from(share.numer().clone()).ratio(&Int::from(share.denom().clone()));
    let text = format!("{ratio:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
