//! From the subscripts of a view to those of the array.
//!
//! Every view (`memref.subview`, `collapse_shape`, …) is a chain of two kinds of steps: subscripts that are affine in
//! those of the view, and indices that are split by constant extents. Both are exact for subscripts within the view.

use symloc_affine::{Constraint, Expr};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::ranges::Ranges;

use crate::maps;
use crate::refusal::Cause;

/// From the subscripts of a view to those of what it is a view of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Each subscript is affine in those of the view.
    Combine(Vec<AffineSubscript>),
    /// Each index of the view is split into one subscript for each extent, as by row-major order; one of them takes the
    /// [`Step::REST`].
    Split(Vec<Vec<i64>>),
    /// The subscripts are not affine: why, and what to do. The extents of such a view are known.
    Opaque((&'static str, &'static str)),
}

/// `offset + Σ factor · subscript`, the subscript given by its position in the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AffineSubscript {
    pub(crate) offset: Cases<Expr>,
    pub(crate) terms: Vec<(usize, Cases<Expr>)>,
}

impl Step {
    /// In the place of an extent: what is left of the index.
    pub(crate) const REST: i64 = 0;

    /// The subscripts before this step of those behind it.
    pub(crate) fn apply<'a>(
        &self,
        subscripts: &Cases<Vec<Expr>>,
        ranges: &Ranges,
    ) -> Result<Cases<Vec<Expr>>, Cause<'a>> {
        match self {
            Step::Combine(rows) => {
                let parts: Vec<_> = rows.iter().flat_map(AffineSubscript::parts).cloned().collect();
                let parts = join(&parts)?;
                subscripts.and_then(&mut |view: &Vec<Expr>| parts.try_map(&mut |parts| combine(rows, parts, view)))
            }
            Step::Opaque((why, hint)) => Err(Cause::hinted(*why, hint)),
            Step::Split(groups) => subscripts.try_map(&mut |view: &Vec<Expr>| split(groups, view, ranges)),
        }
    }
}

impl AffineSubscript {
    /// The subscript of this position, unchanged.
    pub(crate) fn keep(position: usize) -> Self {
        Self { offset: zero(), terms: vec![(position, one())] }
    }

    fn parts(&self) -> impl Iterator<Item = &Cases<Expr>> {
        std::iter::once(&self.offset).chain(self.terms.iter().map(|(_, factor)| factor))
    }
}

/// Zero in every case.
pub(crate) fn zero() -> Cases<Expr> {
    Cases::Always(Expr::default())
}

fn one() -> Cases<Expr> {
    Cases::Always(Expr::constant(1))
}

/// The rows with the values `parts` of their [`AffineSubscript::parts`].
fn combine<'a>(rows: &[AffineSubscript], parts: &[Expr], view: &[Expr]) -> Result<Vec<Expr>, Cause<'a>> {
    let mut parts = parts.iter();
    let mut next = || parts.next().cloned().unwrap_or_default();
    let mut subscripts = Vec::new();
    for row in rows {
        let mut sum = next();
        for (position, _) in &row.terms {
            let subscript = view.get(*position).ok_or_else(|| Cause::here("the view has other subscripts"))?;
            let product = maps::product(subscript, &next())?.ok_or_else(|| {
                Cause::hinted("its stride is not a constant", "symbolic strides are not affine; use constant ones")
            })?;
            sum = maps::small(sum.plus(&product)?)?;
        }
        subscripts.push(sum);
    }
    Ok(subscripts)
}

fn split<'a>(groups: &[Vec<i64>], view: &[Expr], ranges: &Ranges) -> Result<Vec<Expr>, Cause<'a>> {
    let digits = groups.iter().zip(view).map(|(group, index)| digits(group, index, ranges));
    Ok(digits.collect::<Result<Vec<_>, _>>()?.concat())
}

/// An index as one subscript for each extent, in row-major order; that of [`Step::REST`] has what the others leave.
pub(crate) fn digits<'a>(extents: &[i64], index: &Expr, ranges: &Ranges) -> Result<Vec<Expr>, Cause<'a>> {
    let mut digits = Vec::new();
    let mut rest = index.clone();
    for &extent in extents.iter().rev() {
        if extent == Step::REST {
            digits.push(std::mem::take(&mut rest));
        } else {
            let (quotient, remainder) = divide(&rest, extent.max(1), ranges)?;
            digits.push(remainder);
            rest = quotient;
        }
    }
    digits.reverse();
    Ok(digits)
}

/// Quotient and remainder, without floors where the remainder is seen to be small.
fn divide<'a>(value: &Expr, by: i64, ranges: &Ranges) -> Result<(Expr, Expr), Cause<'a>> {
    let mut whole = Expr::constant(value.constant_term().div_euclid(by));
    for (atom, coefficient) in value.terms().filter(|(_, c)| c % by == 0) {
        whole = whole.add_scaled(&Expr::atom(atom.clone()), coefficient / by)?;
    }
    let rest = value.add_scaled(&whole, -by)?;
    let below = Constraint::non_negative(rest.times(-1)?.plus_constant(by - 1)?);
    if ranges.non_negative(&rest) && ranges.decide(&below) == Some(true) {
        return Ok((whole, rest));
    }
    Ok((maps::small(whole.plus(&rest.floor_div(by)?)?)?, maps::small(rest.modulo(by)?)?))
}
