//! From addresses to arrays: what the rows of each object are.
//!
//! All accesses to an object together tell its shape. Their strides, from the largest to the smallest, are the distances
//! between neighbours in each dimension; each must be a multiple of the next, and the quotient is the length of a row. What
//! lies inside a struct has the struct's own layout: there subscripts are offsets in elements, without rows.
//!
//! A row of a declared type (`[200 x double]`) is trusted: C forbids to leave it. A row whose length is a size, `i·n + j`,
//! is one where 0 ≤ j < n holds on the domain of the access. Where that depends on the sizes alone (`j < lda`), it becomes
//! a condition of the model; where it does not hold, the access is refused. Rows may be as long as a sum of sizes (`rows`);
//! of several ways to divide an object, that which asks least of the sizes is taken.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{Access, Array, ArrayId, Atom, Constraint, Expr, Extent, Strides};
use symloc_frontend::arithmetic::Trouble;

use crate::arithmetic::gcd;
use crate::ffi::Value;
use crate::known::{Cause, Pointer, Reason, RootId, Stride};
use crate::rows::Lengths;
use crate::values::{Requirement, Values};
use crate::walk::RawAccess;
use symloc_frontend::poly::{Monomial, Poly, is_row_mark};

/// An access that has no place in an array.
pub(crate) struct Misfit<'m> {
    pub(crate) at: Value<'m>,
    pub(crate) reason: Reason,
}

/// The arrays and the accesses to them.
pub(crate) struct Shaped<'m> {
    pub(crate) arrays: Vec<Array>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) misfits: Vec<Misfit<'m>>,
    /// The object of each array.
    pub(crate) roots: Vec<RootId>,
}

/// How an object is divided.
#[derive(Clone, Debug)]
struct Shape {
    /// What the sums of sizes are called.
    lengths: Lengths,
    /// From the outermost dimension to the innermost; at least one, unless the object is one element.
    strides: Vec<Stride>,
    /// Bytes of an element.
    element: i64,
}

/// Lays out the objects of all accesses.
pub(crate) fn shape<'m>(raw: &[RawAccess<'m>], values: &mut Values<'m>) -> Shaped<'m> {
    let raw: Vec<RawAccess<'m>> = raw.iter().map(|access| among_rows(access, values)).collect();
    let mut by_root: BTreeMap<RootId, Vec<usize>> = BTreeMap::new();
    let mut order = Vec::new();
    for (index, access) in raw.iter().enumerate() {
        let list = by_root.entry(access.pointer.root).or_default();
        if list.is_empty() {
            order.push(access.pointer.root);
        }
        list.push(index);
    }
    let mut shaped = Shaped { arrays: Vec::new(), accesses: Vec::new(), misfits: Vec::new(), roots: order.clone() };
    let mut subscripts: BTreeMap<usize, Result<Vec<Expr>, Cause>> = BTreeMap::new();
    for root in &order {
        let accesses: Vec<RawAccess<'m>> = by_root[root].iter().map(|index| raw[*index].clone()).collect();
        match best_fit(&accesses, values) {
            Ok(fit) => {
                shaped.arrays.push(describe(*root, &fit.shape, values));
                fit.rely_on(values);
                subscripts.extend(by_root[root].iter().copied().zip(fit.subscripts));
            }
            Err(cause) => {
                let at = accesses[0].at;
                shaped.misfits.push(Misfit { at, reason: values.explain(cause, at) });
            }
        }
    }
    for (index, access) in raw.iter().enumerate() {
        let array = order.iter().position(|root| *root == access.pointer.root).unwrap_or(0);
        match subscripts.remove(&index) {
            Some(Ok(subscripts)) => shaped.accesses.push(Access {
                array: ArrayId(u32::try_from(array).unwrap_or(u32::MAX)),
                kind: access.kind,
                subscripts,
                location: values.places.or_start(access.at),
            }),
            Some(Err(cause)) => {
                let reason = values.explain(cause, access.at);
                shaped.misfits.push(Misfit { at: access.at, reason });
            }
            None => {}
        }
    }
    shaped
}

/// An access to one of many rows by its number, not by the pointer to it.
fn among_rows<'m>(access: &RawAccess<'m>, values: &Values<'m>) -> RawAccess<'m> {
    // Only an overflow could prevent it; then the address stays as it is.
    let pointer = values.among_rows(&access.pointer).unwrap_or_else(|_| access.pointer.clone());
    RawAccess { pointer, ..access.clone() }
}

/// A way to divide an object: its shape, and where each access goes.
struct Fit<'m> {
    shape: Shape,
    subscripts: Vec<Result<Vec<Expr>, Cause>>,
    /// What has to hold of the sizes.
    required: Vec<Requirement<'m>>,
}

impl<'m> Fit<'m> {
    fn is_whole(&self) -> bool {
        self.subscripts.iter().all(Result::is_ok)
    }

    /// Makes the conditions on the sizes part of the model.
    fn rely_on(&self, values: &mut Values<'m>) {
        for requirement in &self.required {
            values.ranges.add_fact(Constraint::non_negative(requirement.expr.clone()));
            values.required.push(requirement.clone());
        }
    }
}

/// The rows that ask least of the sizes: of lengths that are sizes, or else sums of sizes.
fn best_fit<'m>(accesses: &[RawAccess<'m>], values: &mut Values<'m>) -> Result<Fit<'m>, Cause> {
    let lengths = Lengths::after(values.candidates().len());
    let plain = Fit::new(accesses, lengths.clone(), values);
    if plain.as_ref().is_ok_and(|fit| fit.is_whole() && fit.required.is_empty()) {
        return plain;
    }
    let mut others = Vec::new();
    with_sums(accesses, &lengths, values, &mut others);
    let least = others.into_iter().min_by_key(|fit| fit.required.len());
    match (plain, least) {
        (Ok(plain), Some(other)) if plain.is_whole() && plain.required.len() <= other.required.len() => Ok(plain),
        (_, Some(other)) => Ok(other),
        (plain, None) => plain,
    }
}

/// The ways to divide an object into rows of which some are sums.
fn with_sums<'m>(accesses: &[RawAccess<'m>], lengths: &Lengths, values: &mut Values<'m>, found: &mut Vec<Fit<'m>>) {
    let pointers: Vec<Pointer> = accesses.iter().map(|access| access.pointer.clone()).collect();
    for sum in lengths.sums(&pointers, &values.factors) {
        let Some((lengths, pointers)) = lengths.naming(&sum, &pointers) else { continue };
        let renamed = accesses.iter().zip(pointers).map(|(access, pointer)| RawAccess { pointer, ..access.clone() });
        let renamed: Vec<_> = renamed.collect();
        found.extend(Fit::new(&renamed, lengths.clone(), values).ok().filter(Fit::is_whole));
        if lengths.are_few() {
            with_sums(&renamed, &lengths, values, found);
        }
    }
}

impl<'m> Fit<'m> {
    fn new(accesses: &[RawAccess<'m>], lengths: Lengths, values: &mut Values<'m>) -> Result<Self, Cause> {
        let accesses = in_rows(accesses);
        let shape = Shape::of(&accesses, lengths)?;
        let relied_on = values.required.len();
        let mut subscripts = Vec::new();
        for access in &accesses {
            let required = values.required.iter().map(|r| Constraint::non_negative(r.expr.clone()));
            let facts = access.facts.iter().cloned().chain(required).collect();
            let before = values.ranges.replace_facts(facts);
            subscripts.push(shape.subscripts(access, values));
            values.ranges.replace_facts(before);
        }
        let required = values.required.split_off(relied_on);
        Ok(Self { shape, subscripts, required })
    }
}

/// The accesses with `A[n − 1]` in rows of n where other accesses to the object have such rows.
fn in_rows<'m>(raw: &[RawAccess<'m>]) -> Vec<RawAccess<'m>> {
    let mut rows: BTreeSet<(RootId, &Monomial)> = BTreeSet::new();
    for access in raw {
        let moving = access.pointer.steps.iter().filter(|(_, count)| count.as_constant().is_none());
        rows.extend(moving.map(|(stride, _)| (access.pointer.root, &stride.sizes)));
    }
    let changed = |access: &RawAccess<'m>| {
        let own: Vec<&Monomial> =
            rows.iter().filter(|(root, _)| *root == access.pointer.root).map(|(_, sizes)| *sizes).collect();
        // Only an overflow could prevent it; then the address stays as it is.
        let pointer = access.pointer.in_rows(&own).unwrap_or_else(|_| access.pointer.clone());
        RawAccess { pointer, ..access.clone() }
    };
    raw.iter().map(changed).collect()
}

impl Shape {
    fn of(accesses: &[RawAccess<'_>], lengths: Lengths) -> Result<Self, Cause> {
        let within = accesses.iter().map(|access| access.pointer.within).max().unwrap_or(0);
        let mut rows: BTreeSet<Stride> = BTreeSet::new();
        let mut element = 0;
        for access in accesses {
            element = gcd(i64::try_from(access.bytes).unwrap_or(1), element);
            for (stride, count) in &access.pointer.steps {
                // Inside a struct, and where the type is not told, subscripts are offsets in bytes.
                let inside = stride.sizes.is_empty() && (stride.bytes <= within || stride.bytes == 1);
                if stride.is_marked() {
                    continue;
                } else if inside || !stride.sizes.is_empty() {
                    element = gcd(inner_step(stride.bytes, count), element);
                } else {
                    element = gcd(stride.bytes, element);
                    rows.insert(stride.clone());
                }
            }
        }
        let element = element.max(1);
        let mut strides: Vec<Stride> = rows.into_iter().filter(|stride| stride.sizes.is_empty()).collect();
        strides.extend(common_strides(accesses));
        strides.sort_by(outer_first);
        let last = Stride { sizes: Monomial::new(), bytes: element };
        let any = accesses.iter().any(|access| !access.pointer.steps.is_empty());
        let innermost = strides.last().is_some_and(|stride| *stride == last);
        if any && !innermost {
            strides.push(last);
        }
        let [.., outer, _] = strides.as_slice() else { return Ok(Self { lengths, strides, element }) };
        let is_last = |stride: &Stride| stride.sizes.is_empty();
        let columns = accesses.iter().any(|RawAccess { pointer, .. }| {
            let in_a_row = pointer.steps.keys().any(|stride| !is_last(stride));
            in_a_row
                && (pointer.has_columns || pointer.steps.iter().any(|(s, c)| is_last(s) && c.as_constant().is_none()))
        });
        if !outer.sizes.is_empty() && !columns && !outer.is_marked() {
            return Err(Cause::hinted(
                "its elements are a size apart, so how many of them share a line depends on that size",
                "make the increment a constant, such as -DINCX=1, or declare rows, A[n][m]",
            ));
        }
        for pair in strides.windows(2) {
            quotient(&pair[0], &pair[1]).ok_or_else(|| {
                Cause::hinted(
                    "the same array is walked in rows of lengths that do not divide each other",
                    "use one row length for the array, or pass its parts as arrays of their own",
                )
            })?;
        }
        Ok(Self { lengths, strides, element })
    }

    /// The subscripts of an access.
    fn subscripts<'m>(&self, access: &RawAccess<'m>, values: &mut Values<'m>) -> Result<Vec<Expr>, Cause> {
        let bytes = i64::try_from(access.bytes).unwrap_or(i64::MAX);
        let mut subscripts: Vec<Expr> = vec![Expr::default(); self.strides.len()];
        // What is smaller than an element of a dimension's stride goes into the last dimension.
        for (stride, count) in &access.pointer.steps {
            let own = |own: &Stride| own == stride || !stride.sizes.is_empty() && own.sizes == stride.sizes;
            match self.strides.iter().position(own) {
                Some(dimension) => {
                    let count = Poly::from(count.times(stride.bytes)?).divided(self.strides[dimension].bytes);
                    let count = count.and_then(|count| count.affine()).ok_or_else(|| unaligned(bytes))?;
                    subscripts[dimension] = subscripts[dimension].plus(&count)?;
                }
                None => {
                    let last = subscripts.last_mut().ok_or_else(|| Cause::here("it has no dimensions"))?;
                    let offset = count.times(stride.bytes)?;
                    let elements = Poly::from(offset).divided(self.element);
                    let elements = elements.and_then(|p| p.affine()).ok_or_else(|| unaligned(bytes))?;
                    *last = last.plus(&elements)?;
                }
            }
        }
        if bytes > self.element {
            let last = subscripts.last().cloned().unwrap_or_default();
            let whole = bytes / self.element;
            Poly::from(last).divided(whole).ok_or_else(|| unaligned(bytes))?;
        }
        for dimension in (1..subscripts.len()).rev() {
            let (row, rest) = self.in_row(dimension, &subscripts, access, values)?;
            subscripts[dimension - 1] = subscripts[dimension - 1].plus(&row)?;
            subscripts[dimension] = rest;
        }
        subscripts.iter().map(|subscript| Ok(self.lengths.expanded(subscript)?)).collect()
    }

    /// Whole rows in a subscript, and what is left within the row.
    fn in_row<'m>(
        &self,
        dimension: usize,
        subscripts: &[Expr],
        access: &RawAccess<'m>,
        values: &mut Values<'m>,
    ) -> Result<(Expr, Expr), Cause> {
        let subscript = &subscripts[dimension];
        let stay = (Expr::default(), subscript.clone());
        let (sizes, factor) = quotient(&self.strides[dimension - 1], &self.strides[dimension])
            .ok_or_else(|| Cause::here("the rows do not divide each other"))?;
        if sizes.iter().any(|size| is_row_mark(*size)) {
            return Ok(stay);
        }
        let length = sizes
            .iter()
            .try_fold(Poly::constant(factor), |product, size| product.product(&Poly::from(Expr::param(*size))))?;
        let Some(length) = length.affine() else { return Ok(stay) };
        if let Some(length) = length.as_constant() {
            return in_constant_row(subscript, length, access, &self.strides[dimension - 1], values);
        }
        let length = self.lengths.expanded(&length)?;
        // A multiple of the length in the subscript means whole rows.
        let rows = multiple(subscript, &length);
        let candidates = [rows, rows - 1, 0, -1, 1];
        let within =
            |rows: i64| Ok::<_, Cause>(subscript.add_scaled(&length, rows.checked_neg().ok_or(Trouble::Size)?)?);
        for rows in candidates {
            let rest = within(rows)?;
            let room = length.minus(&rest)?.plus_constant(-1)?;
            if values.ranges.non_negative(&rest) && values.ranges.non_negative(&room) {
                return Ok((Expr::constant(rows), rest));
            }
        }
        // Where the bounds of the loops leave only sizes to compare, the model is for sizes where the row is long enough.
        for rows in candidates {
            let rest = within(rows)?;
            if values.ranges.non_negative(&rest) {
                for largest in largest(&rest, values) {
                    let room = length.minus(&largest)?.plus_constant(-1)?;
                    if values.require_row(&room, access.at) {
                        return Ok((Expr::constant(rows), rest));
                    }
                }
            }
        }
        Err(Cause::hinted(
            "its subscript is a sum with a multiple of a size, and that the rest stays below that size is not known",
            "use an array of two dimensions, A[n][m], or bounds from which it follows",
        ))
    }
}

/// Expressions in the sizes that a subscript never exceeds: by the conditions of the access, by the bounds of its loops.
fn largest(subscript: &Expr, values: &Values<'_>) -> Vec<Expr> {
    let is_fixed = |expr: &Expr| !expr.mentions(&|atom| matches!(atom, Atom::Iter(_)));
    let beyond = values.ranges.facts().iter().filter_map(|fact| subscript.plus(&fact.expr).ok());
    beyond.filter(is_fixed).chain(values.ranges.largest(subscript)).collect()
}

/// How often a length is in a subscript, by the first size in it.
fn multiple(subscript: &Expr, length: &Expr) -> i64 {
    let size = length.terms().find(|(atom, _)| matches!(atom, Atom::Param(_)));
    let Some((size, factor)) = size.filter(|(_, factor)| *factor != 0) else { return 0 };
    let of = subscript.terms().find(|(atom, _)| *atom == size);
    of.map_or(0, |(_, coefficient)| coefficient.div_euclid(factor))
}

/// The strides that have sizes: of `2·i·n` and `(2·i + 2)·n` the rows are those of 2·n.
fn common_strides(accesses: &[RawAccess<'_>]) -> Vec<Stride> {
    let mut bytes: BTreeMap<Monomial, i64> = BTreeMap::new();
    for (stride, count) in accesses.iter().flat_map(|access| &access.pointer.steps) {
        if !stride.sizes.is_empty() {
            let common = bytes.entry(stride.sizes.clone()).or_insert(0);
            *common = gcd(inner_step(stride.bytes, count), *common);
        }
    }
    bytes.into_iter().map(|(sizes, bytes)| Stride { sizes, bytes: bytes.max(1) }).collect()
}

/// A declared row is not left; where the subscript goes on into the next rows it is divided.
fn in_constant_row(
    subscript: &Expr,
    length: i64,
    access: &RawAccess<'_>,
    row: &Stride,
    values: &Values<'_>,
) -> Result<(Expr, Expr), Cause> {
    let stepped = access.pointer.steps.contains_key(row);
    let room = Expr::constant(length - 1).minus(subscript)?;
    let fits = values.ranges.non_negative(subscript) && values.ranges.non_negative(&room);
    if fits || stepped || subscript.as_constant().is_some_and(|value| (0..length).contains(&value)) {
        return Ok((Expr::default(), subscript.clone()));
    }
    // Also right where the type forbids to leave the row: there the quotient is zero.
    let whole = subscript.floor_div(length)?;
    Ok((whole.clone(), subscript.add_scaled(&whole, -length)?))
}

/// Outer strides are larger: they have more sizes, or more bytes.
fn outer_first(a: &Stride, b: &Stride) -> std::cmp::Ordering {
    let marks = |stride: &Stride| stride.sizes.iter().filter(|size| is_row_mark(**size)).count();
    (marks(b), b.sizes.len(), b.bytes, &a.sizes).cmp(&(marks(a), a.sizes.len(), a.bytes, &b.sizes))
}

/// `outer / inner` as sizes times a number; rows that lie anywhere are as long as one likes.
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

/// The common step of the addresses that a stride inside a struct gives.
fn inner_step(bytes: i64, count: &Expr) -> i64 {
    let coefficients = count.terms().map(|(_, coefficient)| coefficient).chain([count.constant_term()]);
    coefficients.fold(0, |common, c| gcd(c.saturating_mul(bytes).saturating_abs(), common))
}

fn unaligned(bytes: i64) -> Cause {
    Cause::hinted(
        format!("it touches {bytes} bytes that do not start at a multiple of their size, and may lie in two lines"),
        "align the structure",
    )
}

fn describe(root: RootId, shape: &Shape, values: &Values<'_>) -> Array {
    let object = values.roots.get(root);
    let lengths = shape.strides.windows(2).map(|pair| match quotient(&pair[0], &pair[1]) {
        Some((sizes, length)) if sizes.is_empty() => Extent::Known(length),
        _ => Extent::Dynamic,
    });
    let outermost = shape.strides.first().map(|stride| {
        let declared = object.declared.and_then(|kind| values.layout.size(kind)).and_then(|s| i64::try_from(s).ok());
        let known =
            declared.filter(|bytes| stride.sizes.is_empty() && bytes % stride.bytes == 0 && *bytes > stride.bytes);
        known.map_or(Extent::Dynamic, |bytes| Extent::Known(bytes / stride.bytes))
    });
    let plain = shape.strides.iter().map(|stride| stride.sizes.is_empty().then_some(stride.bytes / shape.element));
    Array {
        name: object.name.clone(),
        element_bytes: u64::try_from(shape.element).unwrap_or(1),
        shape: outermost.into_iter().chain(lengths).collect(),
        strides: plain.collect::<Option<_>>().map(|strides| Strides { offset: 0, strides }),
        location: object.location.clone(),
    }
}
