//! Rows whose length is a sum of sizes: `double u[n + 2][n + 2]`, `a[y*(w + 3) + x]`.
//!
//! Offsets are multiplied out, so `u[i][j]` lies i·n + 2·i + j elements from the start. The factor of i, n + 2, is the
//! length of a row. With a name L for it, n = L − 2, and the offset is i·L + j again. Sums that are factors in the
//! source are tried as lengths; the rest is checked to stay within such rows as within others.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{Atom, Expr, IterId, ParamId};

use super::Reference;
use super::offset::{Offset, Steps, Stride};
use crate::arithmetic::{Trouble, sum_of_sizes};
use crate::poly::{Monomial, Poly, is_row_mark};

/// Names for sums of sizes: parameters whose numbers follow those of the sizes.
#[derive(Clone, Debug)]
pub(super) struct Lengths {
    first: usize,
    values: Vec<Expr>,
}

/// A sum of sizes, and the size that is eliminated by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum {
    length: Expr,
    size: ParamId,
    /// The coefficient of the size in the sum.
    factor: i64,
}

impl Sum {
    /// Returns the sizes in the sum that keep their names.
    fn others(&self) -> impl Iterator<Item = ParamId> {
        let params = self.length.terms().filter_map(|(atom, _)| match atom {
            Atom::Param(size) => Some(*size),
            _ => None,
        });
        params.filter(|size| *size != self.size)
    }

    /// Returns true if iterators that are multiplied by the size in the sum are multiplied by multiples of the whole sum: in the offsets with
    /// its name, by nothing without it. (Not so where a diagonal, `a[i*(n + 1)]`, is beside `a[i*n + j]`.)
    pub(super) fn is_throughout(&self, name: ParamId, before: &[Reference], named: &[Offset]) -> bool {
        before.iter().zip(named).all(|(Reference { offset, .. }, named)| {
            let multiplied = offset.iterators(|stride| stride.sizes.contains(&self.size));
            multiplied.is_disjoint(&named.iterators(|stride| !stride.sizes.contains(&name)))
        })
    }
}

impl Lengths {
    /// Returns the empty list of names; sizes have numbers below `first`.
    pub(super) fn after(first: usize) -> Self {
        Self { first, values: Vec::new() }
    }

    /// Returns true if there are so few names that another may be tried.
    pub(super) fn are_few(&self) -> bool {
        const MOST: usize = 3;
        self.values.len() < MOST
    }

    /// Returns the last name.
    pub(super) fn newest(&self) -> Option<ParamId> {
        let last = self.values.len().checked_sub(1)?;
        u32::try_from(self.first + last).ok().map(ParamId)
    }

    /// Replaces names by their sums.
    pub(super) fn expanded(&self, expr: &Expr) -> Result<Expr, Trouble> {
        let mut sum = Expr::constant(expr.constant_term());
        for (atom, coefficient) in expr.terms() {
            let value = match atom {
                Atom::Param(name) => self.value(*name).cloned(),
                _ => None,
            };
            sum = sum.add_scaled(&value.unwrap_or_else(|| Expr::atom(atom.clone())), coefficient)?;
        }
        Ok(sum)
    }

    fn value(&self, name: ParamId) -> Option<&Expr> {
        self.values.get(name.index().checked_sub(self.first)?)
    }

    /// Returns the sums that iterators are multiplied by and that are factors in the source.
    pub(super) fn sums(&self, offsets: &[Offset], factors: &BTreeSet<Expr>) -> BTreeSet<Sum> {
        let products = offsets.iter().flat_map(multiples).filter_map(|sizes| self.factored(&sizes));
        let lengths = products.map(|(_, length)| length).filter(|length| factors.contains(length));
        lengths.flat_map(|length| sums_of(&length)).collect()
    }

    /// Returns all sums that are factors in the source and mention a size in a stride: on a diagonal, or in a row that is fixed, no
    /// iterator is multiplied by the length of rows.
    pub(super) fn sums_of_factors(&self, offsets: &[Offset], factors: &BTreeSet<Expr>) -> BTreeSet<Sum> {
        let sizes: BTreeSet<ParamId> =
            offsets.iter().flat_map(|offset| offset.steps.keys()).flat_map(|stride| stride.sizes.clone()).collect();
        factors.iter().flat_map(sums_of).filter(|sum| sizes.contains(&sum.size)).collect()
    }

    /// Factors a polynomial into a product of sizes and one sum.
    fn factored(&self, sizes: &BTreeMap<Monomial, i64>) -> Option<(Monomial, Expr)> {
        let is_marked = |sizes: &Monomial| sizes.iter().any(|size| is_row_mark(*size));
        let sizes: BTreeMap<_, _> = sizes.iter().filter(|(sizes, _)| !is_marked(sizes)).collect();
        let mut common = sizes.keys().min_by_key(|sizes| sizes.len())?.to_vec();
        common.retain(|size| sizes.keys().all(|other| other.contains(size)));
        let mut sum = Expr::default();
        for (sizes, coefficient) in &sizes {
            let mut rest = sizes.to_vec();
            common.iter().for_each(|size| {
                rest.iter().position(|other| other == size).map(|position| rest.remove(position));
            });
            let term = match rest.as_slice() {
                [] => Expr::constant(1),
                [size] if self.value(*size).is_none() => Expr::param(*size),
                _ => return None,
            };
            sum = sum.add_scaled(&term, **coefficient).ok()?;
        }
        Some((common, sum_of_sizes(&sum)?))
    }

    /// Gives another sum a name; returns the names and the offsets in terms of it: with the name in the place of its size
    /// everywhere, and with the name only where iterators are multiplied by the sum (of n rows of n + 2 elements, n stays n).
    pub(super) fn namings(&self, sum: &Sum, offsets: &[Offset]) -> Vec<(Self, Vec<Offset>)> {
        let Ok(number) = u32::try_from(self.first + self.values.len()) else { return Vec::new() };
        let name = ParamId(number);
        let mut named = self.clone();
        named.values.push(sum.length.clone());
        let everywhere = || offsets.iter().map(|offset| replaced(offset, sum, name)).collect::<Option<Vec<_>>>();
        let cofactors = self.cofactors(sum, offsets);
        let in_products = || offsets.iter().map(|offset| with_products(offset, sum, name, &cofactors)).collect();
        let in_products = if cofactors.is_empty() { None } else { in_products() };
        [everywhere(), in_products].into_iter().flatten().map(|offsets| (named.clone(), offsets)).collect()
    }

    /// Returns the products of sizes that iterators are multiplied by besides a sum, of most sizes first.
    fn cofactors(&self, sum: &Sum, offsets: &[Offset]) -> Vec<Monomial> {
        let products = offsets.iter().flat_map(multiples).filter_map(|sizes| self.factored(&sizes));
        let cofactors = products.filter(|(_, length)| *length == sum.length).map(|(cofactor, _)| cofactor);
        let mut cofactors: Vec<Monomial> = cofactors.collect::<BTreeSet<_>>().into_iter().collect();
        cofactors.sort_by_key(|sizes| Reverse(sizes.len()));
        cofactors
    }
}

/// Returns a sum with each size that its name may eliminate.
fn sums_of(length: &Expr) -> Vec<Sum> {
    let named = |(atom, factor): (&Atom, i64)| match atom {
        Atom::Param(size) if factor > 0 => Some(Sum { length: length.clone(), size: *size, factor }),
        _ => None,
    };
    length.terms().filter_map(named).collect()
}

/// Returns the factor of each iterator, a polynomial in the sizes.
fn multiples(offset: &Offset) -> Vec<BTreeMap<Monomial, i64>> {
    let mut found: BTreeMap<IterId, BTreeMap<Monomial, i64>> = BTreeMap::new();
    for (stride, count) in &offset.steps {
        for (atom, coefficient) in count.terms() {
            let Atom::Iter(iter) = atom else { continue };
            let sizes = found.entry(*iter).or_default().entry(stride.sizes.clone()).or_default();
            *sizes = sizes.saturating_add(coefficient.saturating_mul(stride.bytes));
        }
    }
    found.into_values().collect()
}

/// Replaces the products of a sum and other sizes by those of its name and these.
fn with_products(offset: &Offset, sum: &Sum, name: ParamId, cofactors: &[Monomial]) -> Option<Offset> {
    let mut same = offset.clone();
    for cofactor in cofactors {
        let times = |size: ParamId| {
            let mut sizes = [cofactor.as_slice(), &[size]].concat();
            sizes.sort();
            sizes
        };
        let of_size = times(sum.size);
        let steps = same.steps.iter().filter(|(stride, _)| stride.sizes == of_size);
        for (Stride { bytes, .. }, count) in
            steps.map(|(stride, count)| (stride.clone(), count.clone())).collect::<Vec<_>>()
        {
            let count = Poly::from(count).divided(sum.factor)?.affine()?;
            let mut add = |sizes: Monomial, factor: i64| same.add(Stride { sizes, bytes }, &count.times(factor)?);
            for (atom, coefficient) in sum.length.terms() {
                let Atom::Param(size) = atom else { return None };
                add(times(*size), coefficient.checked_neg()?).ok()?;
            }
            add(cofactor.clone(), sum.length.constant_term().checked_neg()?).ok()?;
            add(times(name), 1).ok()?;
        }
    }
    Some(same)
}

/// Replaces the size of a sum in the strides by what it is in terms of the name.
fn replaced(offset: &Offset, sum: &Sum, name: ParamId) -> Option<Offset> {
    // factor · size = L − rest
    let rest = sum.length.add_scaled(&Expr::param(sum.size), -sum.factor).ok()?;
    let value = Poly::from(Expr::param(name).minus(&rest).ok()?);
    let mut same = Offset { steps: Steps::new(), ..offset.clone() };
    // In `m·(n + 1)`, which is m rows of L = n + 1, multiplied out m·L − m, the last m does not count rows; neither
    // does the n of `i·(n + m) + n + j`.
    let mut no_rows: BTreeSet<ParamId> = sum.others().collect();
    for (stride, count) in &offset.steps {
        let mut product = Poly::constant(1);
        let mut divisor = 1_i64;
        for size in &stride.sizes {
            let is_it = *size == sum.size;
            product = product.product(&if is_it { value.clone() } else { Poly::from(Expr::param(*size)) }).ok()?;
            divisor = divisor.checked_mul(if is_it { sum.factor } else { 1 })?;
        }
        for (sizes, factor) in product.terms() {
            let count = Poly::from(count.times(factor.as_constant()?).ok()?).divided(divisor)?.affine()?;
            if let ([size], true) = (sizes.as_slice(), *stride.sizes != *sizes) {
                no_rows.extend(Some(*size).filter(|size| *size != name));
            }
            same.add(Stride { sizes: sizes.clone(), bytes: stride.bytes }, &count).ok()?;
        }
    }
    for size in no_rows {
        same.take_back(size)?;
    }
    Some(same)
}
