//! The maps from the subscripts of a view to those of the array.
//!
//! Every view (`memref.subview`, `collapse_shape`, …) is a chain of two kinds of steps: subscripts that are linear
//! combinations of those of the view, and indices that are split by constant extents. Both are exact for subscripts
//! within the view. A product of a subscript and a size is not affine, but in an array of rank 1 it is a polynomial,
//! which `delinearize` divides into rows.

use symloc_affine::{Constraint, Expr};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::poly::Poly;
use symloc_frontend::ranges::Ranges;

use crate::expressions::maps;
use crate::expressions::products::Products;
use crate::expressions::refusal::Cause;

/// A map from the subscripts of a view to those of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Each subscript is a combination of those of the view.
    Combine(Vec<Combination>),
    /// Each index of the view is split into one subscript for each extent, as by row-major order; one of them takes the
    /// [`Step::REST`].
    Split(Vec<Vec<i64>>),
    /// The subscripts are not affine, with reason and hint. The extents of such a view are known.
    Opaque((&'static str, &'static str)),
}

/// `offset + Σ factor · subscript`, with the subscripts by their positions in the view. Products of sizes may be
/// parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Combination {
    pub(crate) offset: Cases<Poly>,
    pub(crate) terms: Vec<(usize, Cases<Poly>)>,
}

impl Step {
    /// Stands for an extent without upper limit, which takes the rest of the index.
    pub(crate) const REST: i64 = 0;

    /// Maps subscripts of the view to those of the source.
    pub(crate) fn apply<'a>(
        &self,
        subscripts: &Cases<Vec<Expr>>,
        ranges: &Ranges,
    ) -> Result<Cases<Vec<Expr>>, Cause<'a>> {
        match self {
            Step::Combine(rows) => {
                let parts = parts(rows)?;
                subscripts.and_then(&mut |view: &Vec<Expr>| parts.try_map(&mut |parts| combine(rows, parts, view)))
            }
            Step::Opaque((why, hint)) => Err(Cause::hinted(*why, hint)),
            Step::Split(groups) => subscripts.try_map(&mut |view: &Vec<Expr>| split(groups, view, ranges)),
        }
    }

    /// Maps subscripts of the view to those of the source, as polynomials in sizes.
    pub(crate) fn apply_flat<'a>(
        &self,
        subscripts: &Cases<Vec<Poly>>,
        products: &Products,
        ranges: &Ranges,
    ) -> Result<Cases<Vec<Poly>>, Cause<'a>> {
        match self {
            Step::Combine(rows) => {
                let parts = parts(rows)?;
                let combine = |parts: &Vec<Poly>, view: &[Poly]| combine_flat(rows, parts, view, products);
                subscripts.and_then(&mut |view: &Vec<Poly>| parts.try_map(&mut |parts| combine(parts, view)))
            }
            Step::Opaque((why, hint)) => Err(Cause::hinted(*why, hint)),
            Step::Split(groups) if groups.iter().all(|group| *group == [Self::REST]) => Ok(subscripts.clone()),
            Step::Split(groups) => subscripts.try_map(&mut |view: &Vec<Poly>| {
                let view: Option<Vec<Expr>> = view.iter().map(|subscript| products.collected(subscript)).collect();
                let digits = split(groups, &view.ok_or(Trouble::Product(Vec::new()))?, ranges)?;
                digits.iter().map(|digit| Ok(products.expanded(digit)?)).collect()
            }),
        }
    }
}

impl Combination {
    /// Returns the subscript at this position, unchanged.
    pub(crate) fn keep(position: usize) -> Self {
        Self { offset: zero(), terms: vec![(position, one())] }
    }

    fn parts(&self) -> impl Iterator<Item = &Cases<Poly>> {
        std::iter::once(&self.offset).chain(self.terms.iter().map(|(_, factor)| factor))
    }
}

/// Returns zero.
pub(crate) fn zero() -> Cases<Poly> {
    Cases::Always(Poly::default())
}

fn one() -> Cases<Poly> {
    Cases::Always(Poly::constant(1))
}

/// Returns the offsets and factors of all rows.
fn parts<'a>(rows: &[Combination]) -> Result<Cases<Vec<Poly>>, Cause<'a>> {
    let parts: Vec<_> = rows.iter().flat_map(Combination::parts).cloned().collect();
    Ok(join(&parts)?)
}

/// Evaluates the rows with the values `parts` of their [`Combination::parts`].
fn combine<'a>(rows: &[Combination], parts: &[Poly], view: &[Expr]) -> Result<Vec<Expr>, Cause<'a>> {
    let not_affine = |why, hint| move || Cause::hinted(why, hint);
    let offset = not_affine("its offset is not affine", "use affine offsets, or an array of rank 1");
    let stride = not_affine("its stride is not a constant", "use constant strides, or an array of rank 1");
    let mut parts = parts.iter();
    let mut next = || parts.next().map_or(Some(Expr::default()), Poly::affine);
    let mut subscripts = Vec::new();
    for row in rows {
        let mut sum = next().ok_or_else(offset)?;
        for (position, _) in &row.terms {
            let subscript = view.get(*position).ok_or_else(other_subscripts)?;
            let factor = next().ok_or_else(stride)?;
            sum = maps::small(sum.plus(&maps::product(subscript, &factor)?.ok_or_else(stride)?)?)?;
        }
        subscripts.push(sum);
    }
    Ok(subscripts)
}

/// Evaluates the rows with the values `parts` of their [`Combination::parts`], as polynomials.
fn combine_flat<'a>(
    rows: &[Combination],
    parts: &[Poly],
    view: &[Poly],
    products: &Products,
) -> Result<Vec<Poly>, Cause<'a>> {
    let mut parts = parts.iter();
    let mut next = || parts.next().map_or(Ok(Poly::default()), |part| products.expanded_in(part));
    let mut subscripts = Vec::new();
    for row in rows {
        let mut sum = next()?;
        for (position, _) in &row.terms {
            let subscript = view.get(*position).ok_or_else(other_subscripts)?;
            sum = sum.plus(&subscript.product(&next()?)?)?;
        }
        subscripts.push(sum);
    }
    Ok(subscripts)
}

fn other_subscripts<'a>() -> Cause<'a> {
    Cause::here("the view has other subscripts")
}

fn split<'a>(groups: &[Vec<i64>], view: &[Expr], ranges: &Ranges) -> Result<Vec<Expr>, Cause<'a>> {
    let digits = groups.iter().zip(view).map(|(group, index)| digits(group, index, ranges));
    Ok(digits.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Splits an index into one subscript for each extent, in row-major order; that of [`Step::REST`] takes the rest.
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

/// Returns quotient and remainder, without floors if the remainder is known to be in range.
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
