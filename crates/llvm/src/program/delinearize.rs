//! Arrays from addresses: each object is divided into rows (`symloc_frontend::delinearize`), and accesses without
//! subscripts in them are refused.

use std::collections::BTreeMap;

use symloc_affine::{Access, Array, ArrayId, AssumptionKind, Constraint, Expr, Extent, Strides};
use symloc_frontend::delinearize::{Reference, Refusal, Rows, Sizes, delinearize, follows_from};
use symloc_frontend::raising::{Cause, Reason};

use crate::ir::ffi::Value;
use crate::memory::base_objects::RootId;
use crate::values::environment::{Requirement, Values};
use crate::walk::walker::RawAccess;

/// An access without subscripts in its array.
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
    let mut shaped = Shaped { arrays: Vec::new(), accesses: Vec::new(), misfits: Vec::new(), roots: Vec::new() };
    let mut subscripts: BTreeMap<usize, Result<Vec<Expr>, Refusal>> = BTreeMap::new();
    for root in &order {
        let accesses: Vec<&RawAccess<'m>> = by_root[root].iter().map(|index| &raw[*index]).collect();
        match rows(&accesses, values) {
            Ok(rows) => {
                shaped.arrays.push(describe(*root, &rows, values));
                shaped.roots.push(*root);
                subscripts.extend(by_root[root].iter().copied().zip(rows.subscripts));
            }
            Err(refusal) => {
                let misfit = of_block(&accesses, &refusal, values).unwrap_or_else(|| {
                    let at = accesses[0].at;
                    Misfit { at, reason: values.explain(refusal.into(), at) }
                });
                shaped.misfits.push(misfit);
            }
        }
    }
    for (index, access) in raw.iter().enumerate() {
        // An object that is refused is no array, and its accesses have no subscripts.
        let Some(array) = shaped.roots.iter().position(|root| *root == access.pointer.root) else { continue };
        match subscripts.remove(&index) {
            Some(Ok(subscripts)) => shaped.accesses.push(Access {
                array: ArrayId(u32::try_from(array).unwrap_or(u32::MAX)),
                kind: access.kind,
                subscripts,
                elements: elements(access, &shaped.arrays[array]),
                cases: Vec::new(),
                location: values.places.or_start(access.at),
            }),
            Some(Err(refusal)) => {
                let reason = values.explain(Cause::from(refusal), access.at);
                shaped.misfits.push(Misfit { at: access.at, reason });
            }
            None => {}
        }
    }
    shaped
}

/// Returns the call that fills or copies a block, if its loops have rows of other lengths than the other accesses to the object.
fn of_block<'m>(accesses: &[&RawAccess<'m>], refusal: &Refusal, values: &mut Values<'m>) -> Option<Misfit<'m>> {
    let (blocks, others): (Vec<_>, Vec<_>) = accesses.iter().copied().partition(|access| access.at.call().is_some());
    let at = blocks.first().filter(|_| matches!(refusal, Refusal::Strides(_)))?.at;
    (!others.is_empty()).then(|| rows(&others, values).ok())??;
    let name = &values.roots.get(accesses[0].pointer.root).name;
    let why = format!("it goes through `{name}` in rows of another length than other accesses do");
    Some(Misfit { at, reason: Reason::new(why, None, Some("use one row length for all arrays that it touches")) })
}

/// Returns the elements of its array that an access touches at once: two where a `double` is written over two `float`s.
fn elements(access: &RawAccess<'_>, array: &Array) -> i64 {
    i64::try_from(access.bytes.div_ceil(array.element_bytes.max(1))).unwrap_or(i64::MAX)
}

/// Returns an access to one of many rows by its number, not by the pointer to it.
fn among_rows<'m>(access: &RawAccess<'m>, values: &mut Values<'m>) -> RawAccess<'m> {
    // On overflow the address stays as it is.
    let pointer = values.among_rows(&access.pointer).unwrap_or_else(|_| access.pointer.clone());
    RawAccess { pointer, ..access.clone() }
}

/// Divides an object into rows; their conditions on the sizes become part of the model.
fn rows<'m>(accesses: &[&RawAccess<'m>], values: &mut Values<'m>) -> Result<Rows, Refusal> {
    let required = values.required.iter().map(|required| Constraint::non_negative(required.expr.clone()));
    let required: Vec<Constraint> = required.collect();
    let reference = |access: &&RawAccess<'m>| Reference {
        offset: access.pointer.offset.clone(),
        bytes: i64::try_from(access.bytes).unwrap_or(i64::MAX),
        is_aligned: u64::from(access.at.alignment()) >= access.bytes,
        facts: access.facts.iter().chain(&required).cloned().collect(),
    };
    let references: Vec<Reference> = accesses.iter().map(reference).collect();
    let sizes = Sizes { count: values.candidates().len(), factors: &values.factors };
    let rows = delinearize(&references, &sizes, &mut values.ranges)?;
    for condition in &rows.conditions {
        let (expr, at) = (condition.expr.clone(), accesses[condition.reference].at);
        values.ranges.add_fact(Constraint::non_negative(expr.clone()));
        values.required.retain(|weaker| weaker.kind != AssumptionKind::RowLength || !follows_from(&weaker.expr, &expr));
        values.required.push(Requirement { expr, at, why: condition.why, kind: AssumptionKind::RowLength });
    }
    Ok(rows)
}

fn describe(root: RootId, rows: &Rows, values: &Values<'_>) -> Array {
    let object = values.roots.get(root);
    let outermost = rows.strides.first().map(|stride| {
        let declared = object.declared.and_then(|kind| values.layout.size(kind)).and_then(|s| i64::try_from(s).ok());
        let length = declared.zip(*stride).filter(|(bytes, stride)| bytes % stride == 0 && bytes > stride);
        length.map_or(Extent::Dynamic, |(bytes, stride)| Extent::Known(bytes / stride))
    });
    let plain = rows.strides.iter().map(|stride| stride.map(|bytes| bytes / rows.element));
    Array {
        name: object.name.clone(),
        element_bytes: u64::try_from(rows.element).unwrap_or(1),
        shape: outermost.into_iter().chain(rows.lengths.iter().cloned()).collect(),
        strides: plain.collect::<Option<_>>().map(|strides| Strides { offset: 0, strides }),
        location: object.location.clone(),
        per_thread: false,
    }
}
