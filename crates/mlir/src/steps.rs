//! From the subscripts of a view to those of the array.
//!
//! Every view (`memref.subview`, `collapse_shape`, …) is a chain of two kinds of steps: subscripts that are combinations of
//! those of the view, and indices that are split by constant extents. Both are exact for subscripts within the view. Where a
//! subscript is multiplied by a size, the element is not affine, but in an array of rank 1 it is a polynomial, which
//! `linear` divides into rows.

use symloc_affine::{Constraint, Expr};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::poly::Poly;
use symloc_frontend::ranges::Ranges;

use crate::maps;
use crate::products::Products;
use crate::refusal::Cause;

/// From the subscripts of a view to those of what it is a view of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Each subscript is a combination of those of the view.
    Combine(Vec<Combination>),
    /// Each index of the view is split into one subscript for each extent, as by row-major order; one of them takes the
    /// [`Step::REST`].
    Split(Vec<Vec<i64>>),
    /// The subscripts are not affine: why, and what to do. The extents of such a view are known.
    Opaque((&'static str, &'static str)),
}

/// `offset + Σ factor · subscript`, the subscript given by its position in the view. Products of sizes that are parameters may
/// stand in it as such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Combination {
    pub(crate) offset: Cases<Poly>,
    pub(crate) terms: Vec<(usize, Cases<Poly>)>,
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
                let parts = parts(rows)?;
                subscripts.and_then(&mut |view: &Vec<Expr>| parts.try_map(&mut |parts| combine(rows, parts, view)))
            }
            Step::Opaque((why, hint)) => Err(Cause::hinted(*why, hint)),
            Step::Split(groups) => subscripts.try_map(&mut |view: &Vec<Expr>| split(groups, view, ranges)),
        }
    }

    /// Returns the subscripts before this step of those behind it, as polynomials in sizes.
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
                let digits = split(groups, &view.ok_or_else(Cause::product)?, ranges)?;
                digits.iter().map(|digit| Ok(products.expanded(digit)?)).collect()
            }),
        }
    }
}

impl Combination {
    /// The subscript of this position, unchanged.
    pub(crate) fn keep(position: usize) -> Self {
        Self { offset: zero(), terms: vec![(position, one())] }
    }

    fn parts(&self) -> impl Iterator<Item = &Cases<Poly>> {
        std::iter::once(&self.offset).chain(self.terms.iter().map(|(_, factor)| factor))
    }
}

/// Zero in every case.
pub(crate) fn zero() -> Cases<Poly> {
    Cases::Always(Poly::default())
}

fn one() -> Cases<Poly> {
    Cases::Always(Poly::constant(1))
}

/// The offsets and factors of all rows, case by case.
fn parts<'a>(rows: &[Combination]) -> Result<Cases<Vec<Poly>>, Cause<'a>> {
    let parts: Vec<_> = rows.iter().flat_map(Combination::parts).cloned().collect();
    Ok(join(&parts)?)
}

/// The rows with the values `parts` of their [`Combination::parts`].
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

/// The rows with the values `parts` of their [`Combination::parts`], as polynomials.
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
