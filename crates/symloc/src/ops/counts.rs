//! From counts to their texts.
//!
//! The formula of a piecewise count is the one for all large sizes, if there is one; the regimes of `locality` find it,
//! with the count in place of a model's accesses.

use symloc_affine::Program;
use symloc_locality::regimes;
use symloc_model::{Layout, LineModel, Model, SCHEMA_3};
use symloc_quasi::{Constraint, Evaluator, Piece, Poly, Rational, Style};
use symloc_query::CliError;
use symloc_report::answers::ops::count_text::{CountText, CountValue, OpsSubject};
use symloc_report::formats::text;
use symloc_reuse::Count;

/// Returns the subject of a program for all sizes, or at one.
pub(crate) fn subject_of(program: &Program, size: Option<&[i64]>) -> Result<OpsSubject, CliError> {
    let subject = OpsSubject {
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

/// Converts a count to the form in which it is printed.
pub(crate) fn count_text(subject: &OpsSubject, count: Count) -> CountText {
    let (pieces, estimate) = match count {
        Count::Unknown(lines) => return CountText { value: CountValue::Unknown(lines), estimate: false },
        Count::Known { pieces, estimate } => (pieces, estimate),
    };
    let value = match (&subject.size, pieces.as_slice()) {
        (Some(size), _) => CountValue::Number(at(&pieces, size)),
        (None, []) => CountValue::Formula(Poly::zero()),
        (None, [only]) if only.domain.is_empty() => CountValue::Formula(only.value.clone()),
        (None, _) => CountValue::Cases { large: large(subject, &pieces), pieces },
    };
    CountText { value, estimate }
}

/// Returns the formula for all large sizes, if there is one.
fn large(subject: &OpsSubject, pieces: &[Piece]) -> Option<Poly> {
    let line = LineModel {
        line_bytes: None,
        element: true,
        symbolic: None,
        blocks: Vec::new(),
        array_blocks: Vec::new(),
        classes: Vec::new(),
        distances: None,
        coherence: None,
        write_backs: None,
    };
    let model = Model {
        schema: SCHEMA_3.to_owned(),
        generator: String::new(),
        function: subject.function.clone(),
        source: String::new(),
        source_checksum: None,
        remarks: Vec::new(),
        assumptions: Vec::new(),
        layout: Layout::Rows,
        parameters: subject.names.clone(),
        arguments: std::collections::BTreeMap::new(),
        without_effect: Vec::new(),
        at_least_one: Vec::new(),
        threads: None,
        truths: Vec::new(),
        line_counts: Vec::new(),
        context: subject.context.clone(),
        program: None,
        accesses: pieces.to_vec(),
        sampled: None,
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
