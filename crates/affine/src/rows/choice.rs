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
    if rest != 0 && least(program, &length, elements).is_none_or(|least| least < elements - 1) {
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
    if let Some(stated) = equations(program).find_map(|equation| stated(expr, equation, modulus)) {
        return Some(stated);
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

/// Returns the equations among the conditions of a program.
fn equations(program: &Program) -> impl Iterator<Item = &Constraint> {
    program.context.iter().filter(|condition| condition.relation == Relation::Zero)
}

/// Returns the remainder of an expression if an equation states it: `n + m − 8·⌊(n + m)/8⌋ = 3`.
fn stated(expr: &Expr, equation: &Constraint, modulus: i64) -> Option<i64> {
    let rest = |sign: i64| expr.add_scaled(&equation.expr, sign).ok();
    let is_multiple = |rest: &Expr| rest.terms().all(|(_, coefficient)| coefficient % modulus == 0);
    let rest = [-1, 1].into_iter().filter_map(rest).find(is_multiple)?;
    Some(rest.constant_term().rem_euclid(modulus))
}

/// Returns the remainder of a parameter if an equation states it: `p = 5`, `p − m·⌊(p + c)/m⌋ = d`, or such a one for a multiple
/// of the parameter.
fn known(program: &Program, atom: &Atom, modulus: i64) -> Option<i64> {
    let Atom::Param(_) = atom else { return None };
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
    equations(program).find_map(value)
}

/// Returns a lower bound of an expression in the parameters, from those of the parameters and their remainders, or from a condition
/// on this sum.
fn least(program: &Program, expr: &Expr, modulus: i64) -> Option<i64> {
    let by_terms = || {
        let mut least = expr.constant_term();
        for (atom, coefficient) in expr.terms() {
            let own = at_least(program, &Expr::atom(atom.clone()), modulus).filter(|_| coefficient > 0)?;
            least = least.checked_add(own.checked_mul(coefficient)?)?;
        }
        Some(least)
    };
    at_least(program, expr, modulus).max(by_terms())
}

/// Returns the least value of an expression that a condition allows, with its remainder if that is known.
fn at_least(program: &Program, expr: &Expr, modulus: i64) -> Option<i64> {
    let bound = |condition: &Constraint| {
        // c·e + constant ≥ 0.
        let (atom, coefficient) = expr.terms().next()?;
        let own = condition.expr.terms().find(|(other, _)| *other == atom)?.1;
        let factor = own.checked_div(coefficient)?;
        let rest = condition.expr.add_scaled(expr, factor.checked_neg()?).ok()?.as_constant()?;
        match condition.relation {
            Relation::NonNegative if factor > 0 => rest.div_euclid(factor).checked_neg(),
            Relation::Zero if factor.abs() == 1 => rest.checked_mul(-factor),
            _ => None,
        }
    };
    let least = program.context.iter().filter_map(bound).max()?;
    let further = remainder(program, expr, modulus).map_or(0, |rest| (rest - least).rem_euclid(modulus));
    least.checked_add(further)
}
