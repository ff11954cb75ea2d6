//! One root for the residues of an iterator.
//!
//! A class whose iterator i stands below floors is summed for each residue, i = 8·q + ρ, and each has a root q_ρ of its own: the last q with
//! `p_ρ(q) ≥ 0`. Often these are one function of i, rounded: `p_ρ((x − ρ)/8) = P(x) + e_ρ` with numbers e_ρ that differ by less than 1. All
//! p_ρ are integers, so `P + e_ρ ≥ 0` is `P + e ≥ 0` for the largest e of them. If P falls, one root r, the last x with `P(x) + e ≥ 0`,
//! then gives all: `q_ρ = ⌊(r − ρ)/8⌋`.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use symloc_quasi::{Poly, Rational, Var};

use crate::formula::between::not_negative;
use crate::formula::root::ThresholdRoot;
use crate::formula::threshold::Near;

/// The largest number of residues of one iterator.
const MAX_RESIDUES: u32 = 64;

/// A root with the number by which its variable is behind that of the first root of its family.
struct Shifted {
    root: ThresholdRoot,
    shift: Rational,
    /// The number by which its polynomial exceeds that of the first root there.
    offset: Rational,
}

/// Joins roots, and returns the new ones with the values of the variables of all old ones. New roots are numbered by the old ones' variables.
pub(super) fn joined(roots: Vec<ThresholdRoot>, near: &mut Near<'_>) -> (Vec<ThresholdRoot>, Vec<(Var, Poly)>) {
    let mut families: Vec<Vec<Shifted>> = Vec::new();
    for root in roots {
        match families.iter_mut().find_map(|family| Some((shifted(&family[0].root, &root)?, family))) {
            Some(((shift, offset), family)) => family.push(Shifted { root, shift, offset }),
            None => families.push(vec![Shifted { root, shift: Rational::zero(), offset: Rational::zero() }]),
        }
    }
    let (mut found, mut values) = (Vec::new(), Vec::new());
    for group in families.into_iter().flat_map(groups) {
        match of_group(&group, near) {
            Some((root, residues)) => {
                found.push(root);
                values.extend(residues);
            }
            None => found.extend(group.into_iter().map(|member| member.root)),
        }
    }
    (found, values)
}

/// Splits a family into groups whose offsets differ by less than 1.
fn groups(mut family: Vec<Shifted>) -> Vec<Vec<Shifted>> {
    family.sort_by(|a, b| a.offset.cmp(&b.offset));
    let mut groups: Vec<Vec<Shifted>> = Vec::new();
    for member in family {
        match groups.last_mut() {
            Some(group) if &member.offset - &group[0].offset < Rational::one() => group.push(member),
            _ => groups.push(vec![member]),
        }
    }
    groups
}

/// Returns the root of a group, and the values of its members.
fn of_group(group: &[Shifted], near: &mut Near<'_>) -> Option<(ThresholdRoot, Vec<(Var, Poly)>)> {
    let (first, last) = (group.first()?, group.last().filter(|_| group.len() > 1)?);
    let residues = group.iter().fold(BigInt::one(), |lcm, member| lcm.lcm((&member.shift - &first.shift).denom()));
    residues.to_u32().filter(|residues| *residues <= MAX_RESIDUES)?;
    let scale = Rational::from_integer(residues.clone());
    let residue = |member: &Shifted| Poly::constant((&member.shift - &first.shift) * &scale);
    let ends = |end: fn(&ThresholdRoot) -> &Poly| group.iter().map(move |member| end(&member.root).clone()).zip(group);
    let placed = |(end, member): (Poly, &Shifted)| &end.scale(&scale) + &residue(member);
    let least = ends(|root| &root.least).map(placed).reduce(|a, b| if near.holds(&(&b - &a)) { a } else { b })?;
    let greatest = ends(|root| &root.greatest).map(placed).reduce(|a, b| if near.holds(&(&a - &b)) { a } else { b })?;
    let var = first.root.var;
    let place = Poly::var(var).scale(&scale.recip());
    let excess = &first.root.excess.with_value(var, &place) + &Poly::constant(&last.offset - &first.offset);
    let fall = &excess - &excess.with_value(var, &(&Poly::var(var) + &Poly::one()));
    let mut conditions = not_negative(near, &fall, var, &[least.clone(), &greatest - &Poly::one()])?;
    conditions.extend(ends(|root| &root.least).map(|end| &placed(end) - &least));
    conditions.extend(ends(|root| &root.greatest).map(|end| &greatest - &placed(end)));
    conditions.iter().for_each(|condition| near.require_of_sizes(condition));
    let value = |member: &Shifted| (member.root.var, (&Poly::var(var) - &residue(member)).floor_div(&residues));
    Some((ThresholdRoot { var, excess, least, greatest }, group.iter().map(value).collect()))
}

/// Returns the numbers s and e with `p(q) = f(q + s) + e` for the polynomials f of the first root and p of the other one; `None` if there are
/// none.
fn shifted(first: &ThresholdRoot, other: &ThresholdRoot) -> Option<(Rational, Rational)> {
    let [f, p] = [first, other].map(|root| root.excess.coefficients(root.var));
    let (f, p) = (f?, p?);
    let degree = f.len().checked_sub(1).filter(|degree| *degree > 0 && p.len() == f.len() && p.last() == f.last())?;
    let slope = f[degree].scale(&Rational::from_integer(degree.into()));
    let (monomial, coefficient) = slope.terms().last()?;
    let shift = (&p[degree - 1] - &f[degree - 1]).coefficient(monomial) / coefficient;
    let moved = first.excess.with_value(first.var, &(&Poly::var(other.var) + &Poly::constant(shift.clone())));
    Some((shift, (&other.excess - &moved).as_constant()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Conditions;
    use crate::formula::root::Roots;
    use crate::residue::{Periods, Residues};
    use proptest::prelude::*;
    use symloc_quasi::Constraint;

    proptest! {
        /// The distance of an iteration i is a parabola, rounded up; each residue of i has its root.
        #[test]
        fn one_root_gives_those_of_all_residues(
            a in 1_i64..9, b in 0_i64..9, divisor in 1_i64..9, residues in 2_i64..9, n in 4_i64..20, t in 0_i64..4000,
        ) {
            let [size, threshold] = [0, 1].map(|v| Poly::var(Var(v)));
            let number = |value: i64| Rational::from_integer(value.into());
            let root = |residue: i64| {
                let var = Var(100 + residue as u32);
                let i = &Poly::var(var).scale(&number(residues)) + &Poly::integer(residue);
                let curve = &i.pow(2).scale(&number(a)) + &(&size * &i).scale(&number(b * divisor));
                // The parabola is a number of the residue, divided, in addition to a polynomial.
                let rest = (a * residue * residue).rem_euclid(divisor);
                let exact = curve.scale(&number(divisor).recip());
                let rounded = &exact + &Poly::constant(Rational::new((-rest).rem_euclid(divisor).into(), divisor.into()));
                let excess = &threshold - &rounded;
                ThresholdRoot { var, excess, least: Poly::zero(), greatest: size.clone() }
            };
            let roots: Vec<ThresholdRoot> = (0..residues).map(root).collect();
            let whole = Residues::new(Periods::new(vec![1]), vec![vec![0]]);
            let mut conditions = Conditions::new(&[Constraint::non_negative(&size - &Poly::one())], 1, whole);
            let mut unwanted = Roots::Unwanted;
            let mut near = Near::new(&[BigInt::from(1_i64 << 20)], BigInt::zero(), &mut conditions, &mut unwanted);
            let (joined, values) = joined(roots.clone(), &mut near);
            prop_assert!(joined.len() < roots.len() || values.is_empty());
            let point = [BigInt::from(n), BigInt::from(t)];
            for (var, value) in values {
                let single = roots.iter().find(|root| root.var == var).unwrap();
                let is_used = |end: &Poly| single.excess.with_value(var, end).evaluate(&point) >= Rational::zero();
                if !is_used(&single.least) || is_used(&single.greatest) {
                    continue;
                }
                let new: Vec<_> = joined.iter().map(|root| (root.var, Poly::integer(root.value(&point)))).collect();
                let found = value.with_values(&new).evaluate(&point).to_integer();
                prop_assert_eq!(found, single.value(&point));
            }
        }
    }
}
