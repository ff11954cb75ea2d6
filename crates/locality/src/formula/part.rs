//! Splits a class into parts without floors of its iterators.
//!
//! With q = d·q′ + r for each residue r of an iterator q modulo d, a floor `⌊(q + e)/d⌋` is q′ + `⌊(r + e)/d⌋`, and a
//! congruence of q modulo d depends on r alone. Floors in bounds matter only if the value is not linear or mentions
//! several iterators: then the range of the value is needed, and iterators that take a few values are split.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use symloc_model::Bounds;
use symloc_quasi::{Poly, Rational, Var};

use crate::class::Class;
use crate::residue::{Periods, Residues};

/// The largest number of parts of a class.
const MAX_PARTS: usize = 1 << 10;

/// The largest number of values of a short iterator.
const SHORT: i64 = 16;

/// Splits a class into parts; `None` if there are too many.
pub(super) fn parts(class: &Class, parameters: usize, residues: &Residues) -> Option<Vec<Class>> {
    let mut parts = Vec::new();
    collect(class, parameters, residues, &mut parts).map(|()| parts)
}

fn collect(class: &Class, parameters: usize, residues: &Residues, parts: &mut Vec<Class>) -> Option<()> {
    let iterators = parameters..parameters + class.iterators.len();
    let polys = class.domain.iter().map(|c| &c.poly).chain([&class.value, &class.count]);
    let bounds = class.bounds.iter().flat_map(|bounds| bounds.lower.iter().chain(&bounds.upper));
    let bounds = bounds.filter(|_| is_entangled(class, parameters));
    let rounded = |periods: &Periods| iterators.clone().find(|&iterator| periods.get(iterator) > 1);
    let mut periods = Periods::of(polys, iterators.end)?;
    if rounded(&periods).is_none() {
        periods = Periods::of(bounds, iterators.end)?;
    }
    let Some(iterator) = rounded(&periods) else {
        if let Some((depth, values)) = short(class, parameters) {
            return values
                .into_iter()
                .try_for_each(|value| collect(&class.without(depth, &value, parameters), parameters, residues, parts));
        }
        parts.extend(decided(class));
        return (parts.len() <= MAX_PARTS).then_some(());
    };
    let period = periods.get(iterator);
    if period > MAX_PARTS as u64 {
        return None;
    }
    (0..period).try_for_each(|residue| {
        let part = on_residue(class, iterator - parameters, Var(iterator as u32), &period.into(), &residue.into());
        collect(&part.map(&|poly| residues.resolve(poly)), parameters, residues, parts)
    })
}

/// Returns true if the value mentions several iterators, or is not linear.
fn is_entangled(class: &Class, parameters: usize) -> bool {
    let iterators = class.value.vars().iter().filter(|var| var.0 as usize >= parameters).count();
    iterators > 1 || class.value.degree() > 1
}

/// Returns one iterator that takes only a few values, given those further out, with these values, if several iterators
/// are in the value or the value is not linear: `9·u + r` with 0 ≤ r < 8 exceeds a threshold for more or fewer u,
/// depending on the threshold's remainder modulo 9; and `n·r` is not linear, but each of its values is.
fn short(class: &Class, parameters: usize) -> Option<(usize, Vec<Poly>)> {
    let iterators: Vec<usize> =
        class.value.vars().iter().filter_map(|var| (var.0 as usize).checked_sub(parameters)).collect();
    iterators.into_iter().filter(|_| is_entangled(class, parameters)).find_map(|depth| {
        let Bounds { lower, upper } = &class.bounds[depth];
        lower.iter().flat_map(|lower| upper.iter().map(move |upper| (lower, upper))).find_map(|(lower, upper)| {
            let length = (upper - lower).as_constant()?.floor().to_integer() + BigInt::one();
            let values = length.to_i64().filter(|values| *values <= SHORT)?;
            Some((depth, (0..values).map(|value| lower + &Poly::integer(value)).collect()))
        })
    })
}

/// Returns the class without constraints that hold everywhere; `None` if one holds nowhere, or nothing is counted.
fn decided(class: &Class) -> Option<Class> {
    let mut class = class.clone();
    let mut empty = false;
    class.domain.retain(|constraint| match constraint.poly.as_constant() {
        Some(value) => {
            empty |= !constraint.relation.holds(value.cmp(&Rational::zero()));
            false
        }
        None => true,
    });
    (!empty && !class.count.is_zero()).then_some(class)
}

/// Returns the part of a class on one residue of the iterator at a depth.
fn on_residue(class: &Class, depth: usize, iterator: Var, period: &BigInt, residue: &BigInt) -> Class {
    let (residue, step) = (Poly::integer(residue.clone()), Rational::from_integer(period.clone()));
    let value = &Poly::var(iterator).scale(&step) + &residue;
    let mut part = class.map(&|poly| poly.with_value(iterator, &value));
    let Bounds { lower, upper } = &class.bounds[depth];
    part.bounds[depth] = Bounds {
        lower: lower.iter().map(|bound| -&(&residue - bound).floor_div(period)).collect(),
        upper: upper.iter().map(|bound| (bound - &residue).floor_div(period)).collect(),
    };
    part
}
