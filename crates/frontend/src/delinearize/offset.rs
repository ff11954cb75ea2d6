//! Offsets from the start of an object, as the sums of steps that are in the source.
//!
//! Multiplied out, the offset of `A[i][j]` in rows of n elements of 8 bytes is 8·i·n + 8·j. It is kept as i steps of
//! 8·n and j steps of 8, because the steps show the rows.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{Atom, Expr, IterId, ParamId};

use crate::arithmetic::Trouble;
use crate::poly::{Monomial, Poly, is_row_mark};

/// A distance that subscripts are multiplied by: a number of bytes times a product of sizes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stride {
    /// The sizes.
    pub sizes: Monomial,
    /// The bytes, at least 1.
    pub bytes: i64,
}

impl Stride {
    /// Returns a constant distance.
    pub fn of_bytes(bytes: i64) -> Self {
        Self { sizes: Monomial::new(), bytes }
    }

    /// Returns true if it is the distance of rows that may lie anywhere.
    pub fn is_marked(&self) -> bool {
        self.sizes.iter().any(|size| is_row_mark(*size))
    }
}

/// The number of steps of each stride.
pub type Steps = BTreeMap<Stride, Expr>;

/// A place in an object: steps from its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offset {
    /// The steps whose number is not zero.
    pub steps: Steps,
    /// The bytes of the largest struct around the place; the inside of a struct has its own layout, without rows.
    pub within: i64,
    /// True if there is a subscript within a row, even if it is zero.
    pub has_columns: bool,
}

impl Offset {
    /// Returns the offset `count` elements of a number of `bytes` further on. A product of sizes becomes a stride of
    /// its own.
    ///
    /// # Errors
    ///
    /// A coefficient does not fit in 64 bits.
    pub fn advanced(&self, count: &Poly, bytes: i64) -> Result<Self, Trouble> {
        let mut moved = self.clone();
        if let Some(count) = count.affine() {
            moved.add(Stride::of_bytes(bytes), &count)?;
            return Ok(moved);
        }
        let rows: Vec<&Monomial> = count
            .terms()
            .filter(|(_, coefficient)| coefficient.as_constant().is_none())
            .map(|(sizes, _)| sizes)
            .collect();
        for (sizes, coefficient) in count.terms() {
            // `n·n − i·n` is n − i rows of n: a product with a size is a subscript if there are rows of the other
            // factors.
            let split = coefficient.as_constant().and_then(|factor| Some((factor, a_size_times(sizes, &rows)?)));
            match split {
                Some((factor, (size, row))) => {
                    moved.add(Stride { sizes: row, bytes }, &Expr::param(size).times(factor)?)?;
                }
                None => moved.add(Stride { sizes: sizes.clone(), bytes }, coefficient)?,
            }
        }
        Ok(moved)
    }

    /// Rewrites constant multiples of products of sizes as subscripts of rows, if there are such rows.
    pub(super) fn in_rows(&self, rows: &[&Monomial]) -> Result<Self, Trouble> {
        let mut same = Self { steps: Steps::new(), ..self.clone() };
        for (stride, count) in &self.steps {
            let split = count.as_constant().and_then(|factor| Some((factor, a_size_times(&stride.sizes, rows)?)));
            match split {
                Some((factor, (size, row))) if !row.is_empty() => {
                    let count = Expr::param(size).times(factor)?;
                    same.add(Stride { sizes: row, bytes: stride.bytes }, &count)?;
                }
                _ => same.add(stride.clone(), count)?,
            }
        }
        Ok(same)
    }

    /// Rewrites a constant number of rows of a size as a multiple of the size, in elements; `None` on overflow.
    pub(super) fn take_back(&mut self, size: ParamId) -> Option<()> {
        let rows = self.steps.iter().filter(|(stride, count)| stride.sizes == [size] && count.as_constant().is_some());
        let rows: Vec<_> = rows.map(|(stride, count)| (stride.clone(), count.clone())).collect();
        for (stride, count) in rows {
            self.steps.remove(&stride);
            let elements = Expr::param(size).times(count.as_constant()?).ok()?;
            self.add(Stride::of_bytes(stride.bytes), &elements).ok()?;
        }
        Some(())
    }

    /// Returns the iterators that strides of a kind are multiplied by.
    pub(super) fn iterators(&self, is_of_kind: impl Fn(&Stride) -> bool) -> BTreeSet<IterId> {
        let steps = self.steps.iter().filter(|(stride, _)| is_of_kind(stride));
        let atoms = steps.flat_map(|(_, count)| count.terms().map(|(atom, _)| atom));
        atoms.filter_map(|atom| if let Atom::Iter(iter) = atom { Some(*iter) } else { None }).collect()
    }

    /// Adds steps of a stride.
    ///
    /// # Errors
    ///
    /// A coefficient does not fit in 64 bits.
    pub fn add(&mut self, stride: Stride, count: &Expr) -> Result<(), Trouble> {
        let sum = match self.steps.get(&stride) {
            Some(before) => before.plus(count)?,
            None => count.clone(),
        };
        if sum == Expr::default() {
            self.steps.remove(&stride);
        } else {
            self.steps.insert(stride, sum);
        }
        Ok(())
    }

    /// Returns the offset `factor` times some steps further on.
    ///
    /// # Errors
    ///
    /// If a coefficient does not fit in 64 bits, or iterators are multiplied.
    pub fn moved_by(&self, steps: &Steps, factor: &Poly) -> Result<Self, Trouble> {
        let mut moved = self.clone();
        for (stride, count) in steps {
            let size = product(&stride.sizes, 1)?;
            let count = Poly::from(count.clone()).product(factor)?;
            match (count.affine(), stride.sizes.is_empty()) {
                (Some(count), false) => moved.add(stride.clone(), &count)?,
                _ => moved = moved.advanced(&size.product(&count)?, stride.bytes)?,
            }
        }
        Ok(moved)
    }

    /// Returns the distance from the start of the object in bytes.
    ///
    /// # Errors
    ///
    /// A coefficient does not fit in 64 bits.
    pub fn bytes(&self) -> Result<Poly, Trouble> {
        let mut sum = Poly::default();
        for (stride, count) in &self.steps {
            sum = sum.plus(&product(&stride.sizes, stride.bytes)?.product(&Poly::from(count.clone()))?)?;
        }
        Ok(sum)
    }

    /// Replaces an iterator by a value.
    ///
    /// # Errors
    ///
    /// If a coefficient does not fit in 64 bits, or iterators are multiplied.
    pub fn substitute(&self, iter: IterId, value: &Poly) -> Result<Self, Trouble> {
        let mut moved = Self { steps: Steps::new(), ..self.clone() };
        for (stride, count) in &self.steps {
            let count = Poly::from(count.clone()).substitute(iter, value)?;
            match count.affine() {
                Some(count) => moved.add(stride.clone(), &count)?,
                None => {
                    let one = Steps::from([(stride.clone(), Expr::constant(1))]);
                    moved = moved.moved_by(&one, &count)?;
                }
            }
        }
        Ok(moved)
    }
}

/// Returns a product of sizes times a factor.
pub(super) fn product(sizes: &Monomial, factor: i64) -> Result<Poly, Trouble> {
    let one = Poly::constant(factor);
    sizes.iter().try_fold(one, |product, size| product.product(&Poly::from(Expr::param(*size))))
}

/// Splits a product of sizes into one size and the longest product among some rows, or the empty one.
fn a_size_times(sizes: &Monomial, rows: &[&Monomial]) -> Option<(ParamId, Monomial)> {
    let without = |position: usize| {
        let mut rest = sizes.clone();
        let size = rest.remove(position);
        (size, rest)
    };
    let splits = (0..sizes.len()).map(without);
    splits
        .filter(|(size, _)| !is_row_mark(*size))
        .filter(|(_, rest)| rest.is_empty() || rows.contains(&rest))
        .max_by_key(|(_, rest)| rest.len())
}
