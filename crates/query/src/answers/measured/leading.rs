//! The misses of each access in a cache as formulas that hold around a size.
//!
//! Around a size every share of an access, its reuses of one interval, has a formula for its number and one for the smallest cache
//! that keeps it. The shares whose smallest cache is larger than the cache asked about, at the size asked about, miss, and the sum of
//! their formulas is the number of misses for sizes like these. The sum is kept only if it has exactly the value of the evaluator at
//! the size, so a formula that is given is never that of another regime.

use num_bigint::BigInt;
use symloc_evaluate::Int;
use symloc_locality::{Counts, Share, Table, leading_terms, regime_near, shares};
use symloc_model::{IntervalKind, LineModel, Model, NamedSizes, Owner};
use symloc_quasi::{Notation, Poly, Quotient, Rational, Style};

use crate::error::CliError;

/// Returns the leading terms of the misses of each access in a fully associative cache of so many lines, by Denning's model, given
/// the numbers of misses at the size; `None` for an access whose misses have no closed form.
///
/// # Errors
///
/// A refusal of the sizes, or of a model that does not hold its program.
pub fn leading_misses(
    model: &Model,
    line: &LineModel,
    sizes: &NamedSizes,
    lines: u64,
    misses: &[Int],
) -> Result<Vec<Option<String>>, CliError> {
    let point = sizes.point(model)?;
    if !model.line_counts.is_empty() {
        return Ok(vec![None; misses.len()]);
    }
    let counts = Counts { by: Owner::Access, ..Counts::default() };
    let Ok(regime) = regime_near(model, line, counts, &point) else { return Ok(vec![None; misses.len()]) };
    let shares = shares(&regime, &Table::new(&regime), |access| access);
    let point: Vec<BigInt> = point.into_iter().map(BigInt::from).collect();
    let names = model.names();
    let text = |(access, misses): (usize, &Int)| {
        let of_access = shares.iter().filter(|share| share.group == access);
        let formula = sum_of_missing(of_access, &point, lines)?;
        let agrees = formula.evaluate(&point) == Rational::from_integer(misses.to_big());
        let leading = leading_terms(&Quotient::from(formula), model.parameters.len()).filter(|_| agrees)?;
        Some(Notation::new(Style::Text, &names).quotient(&leading))
    };
    Ok(misses.iter().enumerate().map(text).collect())
}

/// Adds up the counts of the shares that miss; `None` if one of them has no closed form.
fn sum_of_missing<'s>(shares: impl Iterator<Item = &'s Share>, point: &[BigInt], lines: u64) -> Option<Poly> {
    let mut sum = Poly::zero();
    for share in shares {
        if misses(share, point, lines)? {
            sum = &sum + share.count.as_ref()?;
        }
    }
    Some(sum)
}

/// Returns true if a share misses; `None` if that is not known.
fn misses(share: &Share, point: &[BigInt], lines: u64) -> Option<bool> {
    if share.kind == IntervalKind::Imaginary {
        return Some(true);
    }
    let cache = share.cache.as_ref()?;
    let is_constant = |poly: &Poly| poly.vars().iter().all(|var| (var.0 as usize) < point.len());
    let is_known = is_constant(cache.numerator()) && is_constant(cache.denominator());
    (is_known && !cache.denominator().evaluate(point).numer().eq(&BigInt::ZERO))
        .then(|| cache.evaluate(point) > Rational::from_integer(lines.into()))
}
