//! The share of one access in a program's locality.
//!
//! An access misses a cache of C blocks if its reuse interval x is longer than the cache's window x* = max {x : s(x) ≤
//! C}, that is if s(x) > C. So each reuse interval of an access comes with the number of its accesses and with s(x),
//! the smallest cache in which they hit; first touches hit in none.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use symloc_model::IntervalKind;
use symloc_quasi::{Constraint, Poly, Quotient};

use crate::class::Class;
use crate::regime::Regime;
use crate::table::{Row, Table};

/// The accesses of one group with one reuse interval, or with those of a class with free iterators; or its first
/// touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The position of the group.
    pub group: usize,
    /// Real reuses or first touches.
    pub kind: IntervalKind,
    /// The reuse interval, in the parameters and the iterators; `None` for first touches, for which it does not matter.
    pub interval: Option<Poly>,
    /// The names of the free iterators.
    pub iterators: Vec<String>,
    /// The domain of the iterators.
    pub domain: Vec<Constraint>,
    /// The number of accesses; `None` where there is no closed form.
    pub count: Option<Poly>,
    /// s(x), in blocks: the smallest cache in which they hit; `None` where it is not known, and for first touches.
    pub cache: Option<Quotient>,
}

impl Share {
    fn new(group: usize, class: &Class, count: Option<Poly>, row: Option<&Row>) -> Self {
        let real = class.kind == IntervalKind::Real;
        Self {
            group,
            kind: class.kind,
            interval: real.then(|| class.value.clone()),
            iterators: if real { class.iterators.clone() } else { Vec::new() },
            domain: if real { class.domain.clone() } else { Vec::new() },
            count,
            cache: row.and_then(|row| row.cache.clone()).filter(|_| real),
        }
    }
}

/// Returns the shares of all groups in a regime that counts by access ([`Owner::Access`](symloc_model::Owner)): by
/// group, then in the order of the table's rows, first touches last. `group` returns the group of an access, given its
/// position in the outline.
pub fn shares(regime: &Regime, table: &Table, group: impl Fn(usize) -> usize) -> Vec<Share> {
    let mut found: BTreeMap<(usize, IntervalKind, usize, Vec<Constraint>), Share> = BTreeMap::new();
    for (class, extent) in &regime.classes {
        let Some(group) = class.reuse.map(|reuse| group(reuse.access)) else { continue };
        let row = row_of(regime, table, class);
        let share = Share::new(group, class, extent.count.clone(), row.ok().and_then(|row| table.rows.get(row)));
        let row =
            if class.kind == IntervalKind::Real { row.unwrap_or_else(|first| table.rows.len() + first) } else { 0 };
        match found.entry((group, class.kind, row, share.domain.clone())) {
            Entry::Vacant(place) => _ = place.insert(share),
            Entry::Occupied(mut place) => {
                let sum = &mut place.get_mut().count;
                *sum = sum.take().zip(share.count).map(|(sum, count)| &sum + &count);
            }
        }
    }
    found.into_values().filter(|share| !share.count.as_ref().is_some_and(Poly::is_zero)).collect()
}

/// Returns the row of the table that a class is part of. A row has the interval of one of its classes, and others may be written
/// in another way; the error is the first class with an equal interval, where no such class has a row.
fn row_of(regime: &Regime, table: &Table, class: &Class) -> Result<usize, usize> {
    let written = |class: &Class| table.rows.iter().position(|row| is_row_of(row, class));
    if let Some(row) = written(class) {
        return Ok(row);
    }
    let is_equal = |other: &Class| {
        have_one_range((&other.iterators, &other.domain), class) && regime.equal(&other.value, &class.value)
    };
    let classes = || regime.classes.iter().map(|(class, _)| class);
    let row = classes().filter(|other| is_equal(other)).find_map(written);
    row.ok_or_else(|| classes().position(is_equal).unwrap_or_default())
}

/// Returns true if the row of the table is written as the class is.
fn is_row_of(row: &Row, class: &Class) -> bool {
    row.interval == class.value && have_one_range((&row.iterators, &row.domain), class)
}

/// Returns true if iterators range as those of a class, or neither has any.
fn have_one_range((iterators, domain): (&[String], &[Constraint]), class: &Class) -> bool {
    iterators == class.iterators && (iterators.is_empty() || domain == class.domain)
}
