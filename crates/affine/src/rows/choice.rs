//! Which names the lines of an array get, from its strides and from what is known of its sizes.

use crate::expr::{Atom, Constraint, Expr, Overflow, Relation, gcd};
use crate::program::{Array, Extent, Program, Strides};
use crate::strides::ConstantRows;

use super::carried::{Exact, RowCount, Rows};
use super::{Naming, PaddedNames, Padding, Purpose};

/// The largest number of elements in a line whose remainders are distinguished.
const ELEMENTS: i64 = 1 << 16;

/// Names for constant strides. Where rows overlap, or extents are not declared, one address serves all subscripts.
pub(super) fn constant(array: &Array, strides: &Strides, elements: i64, purpose: Purpose) -> Naming {
    let Strides { offset, strides } = strides;
    let ConstantRows { outer, innermost } = ConstantRows::of(array, *offset, strides, elements);
    // To find three subscripts or more from one address takes isl longer than a second case.
    if purpose == Purpose::FewCases && strides.len() <= outer + 2 {
        return Exact::flat(outer, *offset, strides);
    }
    let Some(innermost) = innermost else { return Exact::flat(outer, *offset, strides) };
    let pitch = strides[innermost];
    let count =
        |pair: &[i64]| RowCount { value: Expr::constant(pair[0] / pair[1]), rest: (pair[0] / pair[1]) % elements };
    let mut counts: Vec<RowCount> = strides[outer..=innermost].windows(2).map(count).collect();
    counts.push(RowCount { value: Expr::constant(1), rest: 1 });
    let rest = pitch.rem_euclid(elements);
    let rows = Rows { lines: Expr::constant((pitch - rest) / elements), rest, counts };
    Naming::Exact(Exact { outer, rows, offset: *offset, strides: strides[innermost + 1..].to_vec() })
}

/// Names for rows of symbolic length, which follow each other. What lies within the innermost extent that is symbolic
/// is one row.
pub(super) fn symbolic(program: &Program, array: &Array, elements: i64) -> Result<Naming, Overflow> {
    if array.shape.len() < 2 || elements == 1 {
        return Ok(Naming::Padded(PaddedNames::innermost(array, None)));
    }
    let constants = array.shape.iter().rev().map_while(|extent| match extent {
        Extent::Known(extent) => Some(*extent),
        Extent::Size(_) | Extent::Dynamic => None,
    });
    let mut strides = vec![1_i64];
    for extent in constants {
        strides.push(strides[strides.len() - 1].checked_mul(extent).ok_or(Overflow)?);
    }
    strides.reverse();
    // Where all extents but the outermost are constants and the strides are none, rows lie anywhere.
    let Some(groups) = array.shape.len().checked_sub(strides.len()).filter(|groups| *groups > 0) else {
        return Ok(Naming::Padded(PaddedNames::innermost(array, Some(Padding::Length))));
    };
    let padded = |why| Ok(Naming::Padded(PaddedNames { why: Some(why), outer: groups, strides: strides.clone() }));
    let length = match array.shape[groups].factors() {
        Some([length]) => length.times(strides[0])?,
        _ => return padded(Padding::Length),
    };
    let Some(rest) = remainder(program, &length, elements) else { return padded(Padding::Remainder(length, elements)) };
    if rest != 0 && least(program, &length).is_none_or(|least| least < elements - 1) {
        return padded(Padding::Short(length, elements - 1));
    }
    let mut counts = Vec::new();
    for extent in &array.shape[1..groups] {
        let value = match extent {
            Extent::Known(count) => Expr::constant(*count),
            Extent::Size(factors) if factors.len() == 1 => factors[0].clone(),
            // Not looked at, where all rows start a line.
            Extent::Size(_) | Extent::Dynamic if rest == 0 => Expr::default(),
            Extent::Size(_) | Extent::Dynamic => return padded(Padding::Length),
        };
        let remainder = if rest == 0 { Some(0) } else { remainder(program, &value, elements) };
        let Some(rest) = remainder else { return padded(Padding::Count(value, elements)) };
        counts.push(RowCount { value, rest });
    }
    counts.push(RowCount { value: Expr::constant(1), rest: 1 });
    let lines = length.plus_constant(-rest)?.floor_div(elements)?;
    Ok(Naming::Exact(Exact { outer: 0, rows: Rows { lines, rest, counts }, offset: 0, strides }))
}

/// Returns the remainder of an expression in the parameters, if the conditions of a program determine it.
pub fn remainder(program: &Program, expr: &Expr, modulus: i64) -> Option<i64> {
    if !(1..=ELEMENTS).contains(&modulus) {
        return None;
    }
    let mut sum = expr.constant_term().rem_euclid(modulus);
    for (atom, coefficient) in expr.terms() {
        let coefficient = coefficient.rem_euclid(modulus);
        // c·p is known modulo m if p is known modulo m / gcd(c, m).
        let needed = modulus / gcd(coefficient, modulus);
        let rest = if needed == 1 { 0 } else { known(program, atom, needed)? };
        sum = (sum + coefficient * rest).rem_euclid(modulus);
    }
    Some(sum)
}

/// Returns the remainder of a parameter if an equation states it: `p = 5`, `p − m·⌊(p + c)/m⌋ = d`, or such a one for a multiple
/// of the parameter.
fn known(program: &Program, atom: &Atom, modulus: i64) -> Option<i64> {
    let Atom::Param(_) = atom else { return None };
    let mut equations = program.context.iter().filter(|condition| condition.relation == Relation::Zero);
    let value = |equation: &Constraint| {
        let (own, others): (Vec<_>, Vec<_>) = equation.expr.terms().partition(|(other, _)| *other == atom);
        let [(_, own)] = own[..] else { return None };
        let others = others.iter().fold(0, |common, (_, coefficient)| gcd(common, *coefficient));
        // own·p + constant is a multiple of `others`; divided by what these have in common, own has an inverse.
        let common = gcd(own, others);
        let constant = equation.expr.constant_term();
        let whole = constant % common == 0 && (others / common) % modulus == 0;
        let (own, constant) = ((own / common).rem_euclid(modulus), (constant / common).rem_euclid(modulus));
        let solves = |value: &i64| (own * value + constant) % modulus == 0;
        let is_invertible = gcd(own, modulus) == 1;
        (whole && is_invertible).then(|| (0..modulus).find(solves)).flatten()
    };
    equations.find_map(value)
}

/// Returns a lower bound of an expression in the parameters, from the lower bounds of these.
fn least(program: &Program, expr: &Expr) -> Option<i64> {
    let bound = |atom: &Atom| {
        let of = |condition: &Constraint| {
            let mut terms = condition.expr.terms();
            let (own, coefficient) = terms.next()?;
            let alone = terms.next().is_none() && own == atom;
            let constant = condition.expr.constant_term();
            match condition.relation {
                // c·p + constant ≥ 0.
                Relation::NonNegative if alone && coefficient > 0 => {
                    Some(constant.div_euclid(coefficient).checked_neg()?)
                }
                Relation::Zero if alone && coefficient.abs() == 1 => constant.checked_mul(-coefficient),
                _ => None,
            }
        };
        program.context.iter().filter_map(of).max()
    };
    let mut least = expr.constant_term();
    for (atom, coefficient) in expr.terms() {
        least = least.checked_add(bound(atom).filter(|_| coefficient > 0)?.checked_mul(coefficient)?)?;
    }
    Some(least)
}
