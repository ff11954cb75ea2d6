//! A count as it is printed: a formula for all sizes, or a number at one size.
//!
//! The formula of a piecewise count is the one for all large sizes, if there is one; the regimes of `locality` find it,
//! with the count in place of a model's accesses.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use symloc_affine::Program;
use symloc_evaluate::Int;
use symloc_locality::regimes;
use symloc_model::{Layout, LineModel, Model, SCHEMA_3};
use symloc_quasi::{Constraint, Evaluator, Notation, Piece, Poly, Quotient, Rational, Style};
use symloc_query::CliError;
use symloc_report::formats::text;
use symloc_reuse::Count;

/// A count as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub value: Value,
    /// True if it depends on probabilities of branches that the user gave.
    pub estimate: bool,
}

/// The value of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
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

impl Told {
    /// Returns true if the count is zero for all sizes, or at the given one.
    pub(crate) fn is_zero(&self) -> bool {
        match &self.value {
            Value::Formula(poly) => poly.is_zero(),
            Value::Number(value) => *value == Rational::from_integer(0.into()),
            Value::Cases { .. } | Value::Unknown(_) => false,
        }
    }

    /// Returns the formula that is printed if a single one is.
    pub(crate) fn formula(&self) -> Option<&Poly> {
        match &self.value {
            Value::Formula(poly) => Some(poly),
            Value::Cases { large, .. } => large.as_ref(),
            Value::Number(_) | Value::Unknown(_) => None,
        }
    }

    /// Returns true if the formula does not hold for small sizes.
    pub(crate) fn leaves_cases_out(&self) -> bool {
        matches!(self.value, Value::Cases { large: Some(_), .. })
    }

    /// Returns the count as text; with all cases if `full` is true or if there is no formula for all large sizes.
    pub(crate) fn text(&self, notation: &Notation<'_>, full: bool) -> String {
        let shown = match &self.value {
            Value::Formula(poly) => notation.poly(poly),
            Value::Cases { large: Some(poly), .. } if !full => notation.poly(poly),
            Value::Cases { pieces, .. } => cases(pieces, notation),
            Value::Number(value) => number(value),
            Value::Unknown(_) => "?".to_owned(),
        };
        match (self.estimate, shown.contains(' ')) {
            (false, _) => shown,
            (true, false) => format!("~{shown}"),
            (true, true) => format!("~({shown})"),
        }
    }
}

/// Returns the cases as text, such as `n - 1 if n >= 3; 0 if n <= 2`.
fn cases(pieces: &[Piece], notation: &Notation<'_>) -> String {
    let case = |piece: &Piece| format!("{} if {}", notation.poly(&piece.value), notation.conjunction(&piece.domain));
    pieces.iter().map(case).collect::<Vec<_>>().join("; ")
}

/// Returns a number as text: an integer, a decimal number with all of its digits, or a fraction if it has too many.
pub(crate) fn number(value: &Rational) -> String {
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
pub(crate) struct Subject {
    pub function: String,
    /// The names of the parameters.
    pub names: Vec<String>,
    /// The sizes for which formulas hold.
    pub context: Vec<Constraint>,
    /// The values of the parameters, if a size is given.
    pub size: Option<Vec<i128>>,
}

impl Subject {
    /// Returns the subject of a program for all sizes, or at one.
    pub(crate) fn new(program: &Program, size: Option<&[i64]>) -> Result<Self, CliError> {
        let subject = Self {
            function: program.name.clone(),
            names: program.params.iter().map(|p| p.name.clone()).collect(),
            context: symloc_reuse::context(program),
            size: size.map(|size| size.iter().map(|&value| i128::from(value)).collect()),
        };
        let wrong = subject.size.as_ref().and_then(|size| subject.context.iter().find(|c| !holds(c, size)));
        match (wrong, subject.sizes()) {
            (Some(condition), Some(sizes)) => Err(CliError::with_hint(
                format!(
                    "{} is outside the program's context: {} is required",
                    text::sizes(&sizes),
                    subject.notation(Style::Text).constraint(condition)
                ),
                "choose another size",
            )),
            _ => Ok(subject),
        }
    }

    /// Returns the notation of formulas.
    pub(crate) fn notation(&self, style: Style) -> Notation<'_> {
        Notation::new(style, &self.names)
    }

    /// Returns the parameters with their values, if a size is given.
    pub(crate) fn sizes(&self) -> Option<Vec<(String, i128)>> {
        self.size.as_ref().map(|size| self.names.iter().cloned().zip(size.iter().copied()).collect())
    }

    /// Converts a count to the form in which it is printed.
    pub(crate) fn tell(&self, count: Count) -> Told {
        let (pieces, estimate) = match count {
            Count::Unknown(lines) => return Told { value: Value::Unknown(lines), estimate: false },
            Count::Known { pieces, estimate } => (pieces, estimate),
        };
        let value = match (&self.size, pieces.as_slice()) {
            (Some(size), _) => Value::Number(at(&pieces, size)),
            (None, []) => Value::Formula(Poly::zero()),
            (None, [only]) if only.domain.is_empty() => Value::Formula(only.value.clone()),
            (None, _) => Value::Cases { large: self.large(&pieces), pieces },
        };
        Told { value, estimate }
    }

    /// Returns the formula for all large sizes, if there is one.
    fn large(&self, pieces: &[Piece]) -> Option<Poly> {
        let line = LineModel {
            line_bytes: None,
            element: true,
            symbolic: None,
            blocks: Vec::new(),
            array_blocks: Vec::new(),
            classes: Vec::new(),
            distances: None,
        };
        let model = Model {
            schema: SCHEMA_3.to_owned(),
            generator: String::new(),
            function: self.function.clone(),
            source: String::new(),
            source_checksum: None,
            remarks: Vec::new(),
            assumptions: Vec::new(),
            layout: Layout::Rows,
            parameters: self.names.clone(),
            arguments: std::collections::BTreeMap::new(),
            without_effect: Vec::new(),
            at_least_one: Vec::new(),
            truths: Vec::new(),
            line_counts: Vec::new(),
            context: self.context.clone(),
            program: None,
            accesses: pieces.to_vec(),
            operations: None,
            lines: vec![line],
        };
        let regimes = regimes(&model, &model.lines[0]).ok()?;
        // A condition on several parameters, such as n >= m, does not hold for all large sizes.
        let of_one = |condition: &Constraint| condition.poly.vars().len() <= 1;
        match regimes.as_slice() {
            [only] if only.conditions.constraints().iter().all(of_one) => Some(only.accesses.clone()),
            _ => None,
        }
    }

    /// Returns the share of one count in another: a decimal number at a size, else a formula if it is short.
    pub(crate) fn share(&self, part: &Told, whole: &Told, style: Style) -> Option<String> {
        /// The longest formula that fits an edge of a graph.
        const LENGTH: usize = 32;
        let (Value::Number(part), Value::Number(whole)) = (&part.value, &whole.value) else {
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

fn holds(constraint: &Constraint, size: &[i128]) -> bool {
    constraint.relation.holds(Evaluator::new(&constraint.poly, size.len()).sign(size))
}

/// Returns the value at a size.
fn at(pieces: &[Piece], size: &[i128]) -> Rational {
    let piece = pieces.iter().find(|piece| piece.domain.iter().all(|c| holds(c, size)));
    piece.map_or_else(
        || Rational::from_integer(0.into()),
        |piece| Evaluator::new(&piece.value, size.len()).rational(size),
    )
}
