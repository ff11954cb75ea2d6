//! Delinearisation: the rows of an object in memory, from the offsets of all accesses to it.
//!
//! An [`Offset`] is a sum of steps, coefficient · stride, where a stride is a number of bytes times a product of sizes.
//! The strides of all accesses, from the largest to the smallest, are the strides of the dimensions; each must be a
//! multiple of the next, and the quotient is the length of a row (`shape`). Subscripts then name an element uniquely if
//! each but the outermost stays within its row (`within`). A row's length may be a sum of sizes (`lengths`). Of several
//! ways to divide an object, the one with the fewest conditions on the sizes is taken (`choice`), if these leave an
//! access (`execution`). The inside of a struct has the struct's own layout: there subscripts are offsets in elements,
//! without rows.

mod choice;
mod execution;
mod lengths;
mod offset;
mod refusal;
mod shape;
#[cfg(test)]
mod tests;
mod within;

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{Constraint, Expr, Extent};

use crate::poly::Monomial;
use crate::ranges::Ranges;
use choice::{Division, chosen};
use lengths::{Lengths, Sum};
pub use offset::{Offset, Steps, Stride};
pub use refusal::Refusal;
use shape::Shape;
use within::Divider;

/// The reason for a condition on the sizes.
pub const ROWS_HOLD: &str = "each row must hold all elements accessed in it";

/// The reason for another condition on the sizes: what a row of symbolic length in bytes has to be for its elements.
pub const ALIGNED: &str = "each row must start at a multiple of the size of its elements";

/// One of the accesses to an object.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its place in the object.
    pub offset: Offset,
    /// The bytes that it touches.
    pub bytes: i64,
    /// True if the program says that its address is a multiple of its bytes.
    pub is_aligned: bool,
    /// The constraints that hold at it.
    pub facts: Vec<Constraint>,
}

/// The sizes that a front end knows.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'s> {
    /// Their count: they have the numbers below it.
    pub count: usize,
    /// The sums of sizes that are factors in the source.
    pub factors: &'s BTreeSet<Expr>,
}

/// An expression that must not be negative for an access to stay within its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The expression, in the sizes.
    pub expr: Expr,
    /// The first access that relies on it, by its position.
    pub reference: usize,
    /// The reason.
    pub why: &'static str,
}

/// An object that has been divided into rows.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The stride of each dimension in bytes, outermost first; `None` if it is symbolic.
    pub strides: Vec<Option<i64>>,
    /// Bytes of an element.
    pub element: i64,
    /// The lengths of rows: the extents of all dimensions but the outermost.
    pub lengths: Vec<Extent>,
    /// The subscripts of each reference.
    pub subscripts: Vec<Result<Vec<Expr>, Refusal>>,
    /// The conditions on the sizes.
    pub conditions: Vec<Condition>,
}

/// Returns true if `weaker` is `stronger` plus a non-negative constant, so that it is non-negative wherever `stronger`
/// is.
pub fn follows_from(weaker: &Expr, stronger: &Expr) -> bool {
    let difference = weaker.minus(stronger).ok().and_then(|difference| difference.as_constant());
    difference.is_some_and(|difference| difference >= 0)
}

impl Rows {
    fn is_whole(&self) -> bool {
        self.subscripts.iter().all(Result::is_ok)
    }
}

/// Divides an object into rows, with the fewest conditions on the sizes; row lengths are products of sizes, or else
/// sums of sizes too.
///
/// # Errors
///
/// [`Refusal`] if there are no such rows. Where single accesses do not fit, their subscripts are refused.
pub fn delinearize(references: &[Reference], sizes: &Sizes, ranges: &mut Ranges) -> Result<Rows, Refusal> {
    let names = Lengths::after(sizes.count);
    let plain = divided(references, names.clone(), None, ranges);
    if plain.as_ref().is_ok_and(|rows| rows.is_whole() && rows.conditions.is_empty()) {
        return plain;
    }
    let mut others = Vec::new();
    with_sums(references, (&names, true), sizes, ranges, &mut others);
    if others.is_empty() {
        for sum in names.sums_of_factors(&offsets(references), sizes.factors) {
            with_sum(references, (&names, true), &sum, sizes, ranges, &mut others);
        }
    }
    for row in rows_of_products(references) {
        let rows = divided(references, names.clone(), Some(&row), ranges).ok().filter(Rows::is_whole);
        others.extend(rows.map(|rows| Division { rows, is_throughout: false }));
    }
    chosen(references, plain, others, ranges)
}

/// Collects the ways to divide an object into rows where some lengths are sums of sizes.
fn with_sums(
    references: &[Reference],
    (names, is_throughout): (&Lengths, bool),
    sizes: &Sizes,
    ranges: &mut Ranges,
    found: &mut Vec<Division>,
) {
    for sum in names.sums(&offsets(references), sizes.factors) {
        with_sum(references, (names, is_throughout), &sum, sizes, ranges, found);
    }
}

/// Collects those ways where a sum is the length of some rows; `is_throughout` says of the sums that have names already that
/// the rows are theirs throughout.
fn with_sum(
    references: &[Reference],
    (names, is_throughout): (&Lengths, bool),
    sum: &Sum,
    sizes: &Sizes,
    ranges: &mut Ranges,
    found: &mut Vec<Division>,
) {
    let before = found.len();
    for (names, offsets) in names.namings(sum, &offsets(references)) {
        let is_throughout =
            is_throughout && names.newest().is_some_and(|name| sum.is_throughout(name, references, &offsets));
        let renamed =
            references.iter().zip(offsets).map(|(reference, offset)| Reference { offset, ..reference.clone() });
        let renamed: Vec<_> = renamed.collect();
        let row = names.newest().map(|name| vec![name]);
        let mut whole = |row| divided(&renamed, names.clone(), row, ranges).ok().filter(Rows::is_whole);
        let rows = whole(None).or_else(|| row.as_ref().and_then(|row| whole(Some(row))));
        found.extend(rows.map(|rows| Division { rows, is_throughout }));
        if names.are_few() {
            with_sums(&renamed, (&names, is_throughout), sizes, ranges, found);
        }
        if found.len() > before {
            return;
        }
    }
}

fn offsets(references: &[Reference]) -> Vec<Offset> {
    references.iter().map(|reference| reference.offset.clone()).collect()
}

/// Divides an object by the strides of its references, with names for some sums of sizes; products are multiples of the given
/// rows.
fn divided(
    references: &[Reference],
    names: Lengths,
    rows: Option<&Monomial>,
    ranges: &mut Ranges,
) -> Result<Rows, Refusal> {
    let references = in_rows(references, rows);
    let shape = Shape::of(&references, names)?;
    let mut conditions: Vec<Condition> = Vec::new();
    let mut subscripts = BTreeMap::new();
    for position in most_subscripts_first(&references, &shape) {
        let reference = &references[position];
        let required = conditions.iter().map(|condition| Constraint::non_negative(condition.expr.clone()));
        let before = ranges.replace_facts(reference.facts.iter().cloned().chain(required).collect());
        let mut divider = Divider { ranges, conditions: Vec::new() };
        let found = subscripts_of(&shape, reference, &mut divider);
        let in_rows = divider.conditions.into_iter().map(|expr| (expr, ROWS_HOLD)).collect::<Vec<_>>();
        let aligned = alignments(&shape, reference, ranges);
        subscripts.insert(position, found.and_then(|found| aligned.as_ref().map(|_| found).map_err(Clone::clone)));
        let aligned = aligned.unwrap_or_default().into_iter().map(|expr| (expr, ALIGNED));
        for (expr, why) in in_rows.into_iter().chain(aligned) {
            conditions.retain(|weaker| !follows_from(&weaker.expr, &expr));
            conditions.push(Condition { expr, reference: position, why });
        }
        ranges.replace_facts(before);
    }
    Ok(Rows {
        strides: shape.strides.iter().map(|stride| stride.sizes.is_empty().then_some(stride.bytes)).collect(),
        element: shape.element,
        lengths: shape.extents()?,
        subscripts: subscripts.into_values().collect(),
        conditions,
    })
}

/// Returns what must not be negative for the rows of a reference to start at multiples of its bytes, as the program says that they do:
/// minus the remainder of their length.
fn alignments(shape: &Shape, reference: &Reference, ranges: &Ranges) -> Result<Vec<Expr>, Refusal> {
    let lengths = shape.lengths_to_align(reference)?;
    let unknown = lengths.into_iter().filter(|length| ranges.remainder_by_facts(length, reference.bytes) != Some(0));
    let condition = |length: Expr| match reference.is_aligned {
        true => Ok(length.modulo(reference.bytes)?.times(-1)?),
        false => Err(Refusal::UnalignedRows { bytes: reference.bytes, length }),
    };
    unknown.map(condition).collect()
}

/// Returns the positions of the references, those with subscripts for most dimensions first: what they require of the sizes
/// keeps `a[0][i]`, which looks like `a[i]` of longer rows, within its row.
fn most_subscripts_first(references: &[Reference], shape: &Shape) -> Vec<usize> {
    let declared = |reference: &Reference| {
        shape.strides.iter().filter(|stride| reference.offset.steps.contains_key(*stride)).count()
    };
    let mut positions: Vec<usize> = (0..references.len()).collect();
    positions.sort_by_key(|position| std::cmp::Reverse(declared(&references[*position])));
    positions
}

fn subscripts_of(shape: &Shape, reference: &Reference, divider: &mut Divider) -> Result<Vec<Expr>, Refusal> {
    let mut subscripts = shape.subscripts(reference)?;
    for dimension in (1..subscripts.len()).rev() {
        let declared = reference.offset.steps.contains_key(&shape.strides[dimension - 1]);
        let (rows, rest) = divider.divide(&subscripts[dimension], &shape.length(dimension)?, declared)?;
        subscripts[dimension - 1] = subscripts[dimension - 1].plus(&rows)?;
        subscripts[dimension] = rest;
    }
    Ok(subscripts)
}

/// Rewrites constant multiples of products of sizes as subscripts of rows, where other accesses to the object have
/// them, or of the given rows.
fn in_rows(references: &[Reference], given: Option<&Monomial>) -> Vec<Reference> {
    let rows: BTreeSet<Monomial> = references.iter().flat_map(moving).chain(given.cloned()).collect();
    let rows: Vec<&Monomial> = rows.iter().collect();
    let changed = |reference: &Reference| {
        // On overflow the offset stays as it is.
        let offset = reference.offset.in_rows(&rows).unwrap_or_else(|_| reference.offset.clone());
        Reference { offset, ..reference.clone() }
    };
    references.iter().map(changed).collect()
}

/// Returns the products of sizes that a reference has a multiple of which is not constant.
fn moving(reference: &Reference) -> Vec<Monomial> {
    let steps = reference.offset.steps.iter();
    steps.filter(|(_, count)| count.as_constant().is_none()).map(|(stride, _)| stride.sizes.clone()).collect()
}

/// Returns the rows that constant multiples of products may be made of, if no access goes from row to row:
/// n*m - m + j is column j of row n - 1 in rows of m.
fn rows_of_products(references: &[Reference]) -> BTreeSet<Monomial> {
    if references.iter().flat_map(moving).any(|sizes| !sizes.is_empty()) {
        return BTreeSet::new();
    }
    let products = references.iter().flat_map(|reference| reference.offset.steps.keys());
    let products = products.filter(|stride| stride.sizes.len() > 1 && !stride.is_marked());
    products.flat_map(|stride| stride.sizes.iter().map(|size| vec![*size])).collect()
}
