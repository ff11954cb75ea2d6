//! The strides of an object, from those of all accesses to it.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{Expr, Extent, ParamId};

use super::Reference;
use super::lengths::Lengths;
use super::offset::Stride;
use super::refusal::Refusal;
use crate::cases::gcd;
use crate::poly::{Monomial, Poly, is_row_mark};

/// The dimensions of an object.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The sums of sizes that have names in the strides.
    pub(super) lengths: Lengths,
    /// From the outermost dimension to the innermost; at least one, unless the object is one element.
    pub(super) strides: Vec<Stride>,
    /// Bytes of an element.
    pub(super) element: i64,
}

/// The length of a row.
pub(super) enum Length {
    /// A number.
    Constant(i64),
    /// An affine expression in the sizes.
    Affine(Expr),
    /// The product of these expressions.
    Product(Vec<Expr>),
    /// Unlimited: the rows may lie anywhere.
    Unlimited,
}

impl Shape {
    /// Finds the dimensions of an object from the references to it.
    pub(super) fn of(references: &[Reference], lengths: Lengths) -> Result<Self, Refusal> {
        let within = references.iter().map(|reference| reference.offset.within).max().unwrap_or(0);
        let mut rows: BTreeSet<i64> = BTreeSet::new();
        let mut element = 0;
        for reference in references {
            element = gcd(reference.bytes, element);
            for (stride, count) in reference.offset.steps.iter().filter(|(stride, _)| !stride.is_marked()) {
                // Inside a struct, and where the type is not known, subscripts are offsets in bytes.
                let inside = stride.sizes.is_empty() && (stride.bytes <= within || stride.bytes == 1);
                if inside || !stride.sizes.is_empty() {
                    element = gcd(inner_step(stride.bytes, count), element);
                } else {
                    element = gcd(stride.bytes, element);
                    rows.insert(stride.bytes);
                }
            }
        }
        let element = element.max(1);
        let mut strides: Vec<Stride> = rows.into_iter().map(Stride::of_bytes).collect();
        strides.extend(common_strides(references));
        strides.sort_by(outer_first);
        let last = Stride::of_bytes(element);
        let any = references.iter().any(|reference| !reference.offset.steps.is_empty());
        if any && strides.last() != Some(&last) {
            strides.push(last);
        }
        let shape = Self { lengths, strides, element };
        if let Some(size) = shape.apart(references) {
            return Err(Refusal::Apart(size));
        }
        match shape.strides.windows(2).find(|pair| quotient(&pair[0], &pair[1]).is_none()) {
            None => Ok(shape),
            Some(pair) => Err(indivisible(&pair[1])),
        }
    }

    /// Returns a size in the length of the innermost rows, if no reference moves within them.
    fn apart(&self, references: &[Reference]) -> Option<ParamId> {
        let [.., outer, _] = self.strides.as_slice() else { return None };
        let is_last = |stride: &Stride| stride.sizes.is_empty();
        let has_columns = |Reference { offset, .. }: &Reference| {
            let in_a_row = offset.steps.keys().any(|stride| !is_last(stride));
            let moves = || offset.steps.iter().any(|(s, count)| is_last(s) && count.as_constant().is_none());
            in_a_row && (offset.has_columns || moves())
        };
        let size = outer.sizes.first().filter(|_| !outer.is_marked() && !references.iter().any(has_columns));
        size.copied()
    }

    /// Returns the length of the rows of a dimension other than the outermost.
    pub(super) fn length(&self, dimension: usize) -> Result<Length, Refusal> {
        let (sizes, factor) = quotient(&self.strides[dimension - 1], &self.strides[dimension])
            .ok_or_else(|| indivisible(&self.strides[dimension]))?;
        if sizes.iter().any(|size| is_row_mark(*size)) {
            return Ok(Length::Unlimited);
        }
        match sizes.as_slice() {
            [] => Ok(Length::Constant(factor)),
            [size] => Ok(Length::Affine(self.lengths.expanded(&Expr::param(*size).times(factor)?)?)),
            _ => {
                let mut factors: Vec<Expr> = Vec::new();
                for (position, size) in sizes.iter().enumerate() {
                    let size = Expr::param(*size).times(if position == 0 { factor } else { 1 })?;
                    factors.push(self.lengths.expanded(&size)?);
                }
                Ok(Length::Product(factors))
            }
        }
    }

    /// Returns the lengths of the rows of all dimensions but the outermost.
    pub(super) fn extents(&self) -> Result<Vec<Extent>, Refusal> {
        let extent = |dimension| {
            Ok(match self.length(dimension)? {
                Length::Constant(length) => Extent::Known(length),
                Length::Affine(length) => Extent::Size(vec![length]),
                Length::Product(factors) => Extent::Size(factors),
                Length::Unlimited => Extent::Dynamic,
            })
        };
        (1..self.strides.len()).map(extent).collect()
    }

    /// Returns the lengths in bytes that must be multiples of a reference's bytes, or else its rows do not start at such.
    pub(super) fn lengths_to_align(&self, reference: &Reference) -> Result<Vec<Expr>, Refusal> {
        if reference.bytes <= self.element {
            return Ok(Vec::new());
        }
        let length = |(stride, step): (&Stride, i64)| match stride.sizes.as_slice() {
            [size] => Ok(self.lengths.expanded(&Expr::param(*size).times(step)?)?),
            _ => Err(Refusal::Unaligned(reference.bytes)),
        };
        unaligned_rows(reference).map(length).collect()
    }

    /// Returns the subscripts of a reference; strides that belong to no dimension are counted in elements, in the last
    /// one.
    pub(super) fn subscripts(&self, reference: &Reference) -> Result<Vec<Expr>, Refusal> {
        let unaligned = || Refusal::Unaligned(reference.bytes);
        let divided = |count: &Expr, stride: &Stride, by: i64| {
            let count = Poly::from(count.times(stride.bytes)?).divided(by);
            count.and_then(|count| count.affine()).ok_or_else(unaligned)
        };
        let mut subscripts: Vec<Expr> = vec![Expr::default(); self.strides.len()];
        for (stride, count) in &reference.offset.steps {
            let own = |own: &Stride| own == stride || !stride.sizes.is_empty() && own.sizes == stride.sizes;
            match self.strides.iter().position(own) {
                Some(dimension) => {
                    let count = divided(count, stride, self.strides[dimension].bytes)?;
                    subscripts[dimension] = subscripts[dimension].plus(&count)?;
                }
                None => {
                    let elements = divided(count, stride, self.element)?;
                    let last = subscripts.last_mut().ok_or(Refusal::NoDimension)?;
                    *last = last.plus(&elements)?;
                }
            }
        }
        if reference.bytes > self.element {
            let last = subscripts.last().cloned().unwrap_or_default();
            Poly::from(last).divided(reference.bytes / self.element).ok_or_else(unaligned)?;
        }
        subscripts.iter().map(|subscript| Ok(self.lengths.expanded(subscript)?)).collect()
    }
}

/// Returns the reason for which a stride that does not divide a longer one is no length of elements.
fn indivisible(shorter: &Stride) -> Refusal {
    Refusal::Strides(shorter.sizes.first().copied().filter(|size| !is_row_mark(*size)))
}

/// Returns the strides of a reference of several sizes, and the factors of these, whose rows need not start at a multiple of its bytes.
fn unaligned_rows(reference: &Reference) -> impl Iterator<Item = (&Stride, i64)> {
    let steps = reference.offset.steps.iter().map(|(stride, count)| (stride, inner_step(stride.bytes, count)));
    steps.filter(|(stride, step)| !stride.sizes.is_empty() && !stride.is_marked() && step % reference.bytes != 0)
}

/// Returns the symbolic strides, one for each product of sizes: `2·i·n` and `(2·i + 2)·n` have the stride 2·n.
fn common_strides(references: &[Reference]) -> Vec<Stride> {
    let mut bytes: BTreeMap<Monomial, i64> = BTreeMap::new();
    for (stride, count) in references.iter().flat_map(|reference| &reference.offset.steps) {
        if !stride.sizes.is_empty() {
            let common = bytes.entry(stride.sizes.clone()).or_insert(0);
            *common = gcd(inner_step(stride.bytes, count), *common);
        }
    }
    bytes.into_iter().map(|(sizes, bytes)| Stride { sizes, bytes: bytes.max(1) }).collect()
}

/// Orders strides: outer ones are larger, with more sizes, or more bytes.
fn outer_first(a: &Stride, b: &Stride) -> std::cmp::Ordering {
    let marks = |stride: &Stride| stride.sizes.iter().filter(|size| is_row_mark(**size)).count();
    (marks(b), b.sizes.len(), b.bytes, &a.sizes).cmp(&(marks(a), a.sizes.len(), a.bytes, &b.sizes))
}

/// Returns `outer / inner` as sizes times a number; for rows that may lie anywhere, their marks.
fn quotient(outer: &Stride, inner: &Stride) -> Option<(Monomial, i64)> {
    let marks: Monomial =
        outer.sizes.iter().filter(|size| is_row_mark(**size) && !inner.sizes.contains(size)).copied().collect();
    if !marks.is_empty() {
        return Some((marks, 1));
    }
    let mut sizes = outer.sizes.clone();
    for size in &inner.sizes {
        let position = sizes.iter().position(|s| s == size)?;
        sizes.remove(position);
    }
    (outer.bytes % inner.bytes == 0).then(|| (sizes, outer.bytes / inner.bytes))
}

/// Returns the greatest common divisor of the coefficients of `bytes · count`.
fn inner_step(bytes: i64, count: &Expr) -> i64 {
    let coefficients = count.terms().map(|(_, coefficient)| coefficient).chain([count.constant_term()]);
    coefficients.fold(0, |common, c| gcd(c.saturating_mul(bytes).saturating_abs(), common))
}
