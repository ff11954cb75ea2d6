//! One root for the residues of an iterator.
//!
//! A class whose iterator i stands below floors is summed for each residue, i = 8·q + ρ, and each has a root q_ρ of
//! its own: the last q with `p_ρ(q) ≥ 0`. Often these are one function of i, rounded: `p_ρ((x − ρ)/8) = P(x) + e_ρ`
//! with numbers e_ρ that differ by less than 1. All p_ρ are integers, so `P + e_ρ ≥ 0` is `P + e ≥ 0` for the largest
//! e of them. If P falls, one root r, the last x with `P(x) + e ≥ 0`, then gives all: `q_ρ = ⌊(r − ρ)/8⌋`.

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

/// The root of one residue of an iterator: `⌊(r − residue)/modulus⌋` for a root r of its family.
#[derive(Clone, Debug)]
pub(super) struct ResidueRoot {
    /// The variable that stands for it in counts.
    pub(super) var: Var,
    /// The number of r in the family.
    pub(super) root: usize,
    pub(super) residue: BigInt,
}

/// Roots whose polynomials differ by numbers.
#[derive(Clone, Debug)]
pub(super) struct RootFamily {
    /// The roots, the largest first.
    pub(super) roots: Vec<ThresholdRoot>,
    /// The numbers by which the polynomial of the first exceeds theirs.
    pub(super) offsets: Vec<Rational>,
    pub(super) members: Vec<ResidueRoot>,
    /// The number of residues.
    pub(super) modulus: BigInt,
}

/// Joins roots to families. Their roots have variables of old ones.
pub(super) fn joined(roots: Vec<ThresholdRoot>, near: &mut Near<'_>) -> Vec<RootFamily> {
    let mut families: Vec<Vec<Shifted>> = Vec::new();
    for root in roots {
        match families.iter_mut().find_map(|family| Some((shifted(&family[0].root, &root)?, family))) {
            Some(((shift, offset), family)) => family.push(Shifted { root, shift, offset }),
            None => families.push(vec![Shifted { root, shift: Rational::zero(), offset: Rational::zero() }]),
        }
    }
    families
        .into_iter()
        .flat_map(|family| of_family(&family, near).map_or_else(|| singles(family), |found| vec![found]))
        .collect()
}

/// Returns a family for each root.
fn singles(family: Vec<Shifted>) -> Vec<RootFamily> {
    let single = |Shifted { root, .. }| {
        let members = vec![ResidueRoot { var: root.var, root: 0, residue: BigInt::zero() }];
        RootFamily { roots: vec![root], offsets: vec![Rational::zero()], members, modulus: BigInt::one() }
    };
    family.into_iter().map(single).collect()
}

/// Splits a family into groups whose offsets differ by less than 1, the largest offsets first.
fn groups(family: &[Shifted]) -> Vec<Vec<&Shifted>> {
    let mut members: Vec<&Shifted> = family.iter().collect();
    members.sort_by(|a, b| b.offset.cmp(&a.offset));
    let mut groups: Vec<Vec<&Shifted>> = Vec::new();
    for member in members {
        match groups.last_mut() {
            Some(group) if &group[0].offset - &member.offset < Rational::one() => group.push(member),
            _ => groups.push(vec![member]),
        }
    }
    groups
}

/// Returns the roots of a family, and its members as functions of them; `None` if their polynomial does not fall.
fn of_family(family: &[Shifted], near: &mut Near<'_>) -> Option<RootFamily> {
    let modulus = family.iter().fold(BigInt::one(), |lcm, member| lcm.lcm(member.shift.denom()));
    modulus.to_u32().filter(|residues| *residues <= MAX_RESIDUES)?;
    let scale = Rational::from_integer(modulus.clone());
    let residue = |member: &Shifted| &member.shift * &scale;
    let placed = |end: fn(&ThresholdRoot) -> &Poly| -> Vec<Poly> {
        family.iter().map(|member| &end(&member.root).scale(&scale) + &Poly::constant(residue(member))).collect()
    };
    let [leasts, greatests] = [placed(|root| &root.least), placed(|root| &root.greatest)];
    let least = leasts.iter().cloned().reduce(|a, b| if near.holds(&(&b - &a)) { a } else { b })?;
    let greatest = greatests.iter().cloned().reduce(|a, b| if near.holds(&(&a - &b)) { a } else { b })?;
    let first = &family.first()?.root;
    let place = Poly::var(first.var).scale(&scale.recip());
    let excess = first.excess.with_value(first.var, &place);
    let fall = &excess - &excess.with_value(first.var, &(&Poly::var(first.var) + &Poly::one()));
    let mut conditions = not_negative(near, &fall, first.var, &[least.clone(), &greatest - &Poly::one()])?;
    conditions.extend(leasts.iter().map(|end| end - &least));
    conditions.extend(greatests.iter().map(|end| &greatest - end));
    conditions.iter().for_each(|condition| near.require_of_sizes(condition));
    let (mut roots, mut offsets, mut members) = (Vec::new(), Vec::new(), Vec::new());
    let groups = groups(family);
    for group in &groups {
        let var = group[0].root.var;
        let excess = &excess.with_value(first.var, &Poly::var(var)) + &Poly::constant(group[0].offset.clone());
        members.extend(group.iter().map(|member| ResidueRoot {
            var: member.root.var,
            root: roots.len(),
            residue: residue(member).to_integer(),
        }));
        roots.push(ThresholdRoot { var, excess, least: least.clone(), greatest: greatest.clone() });
        offsets.push(&groups[0][0].offset - &group[0].offset);
    }
    Some(RootFamily { roots, offsets, members, modulus })
}

/// Returns the numbers s and e with `p(q) = f(q + s) + e` for the polynomials f of the first root and p of the other
/// one; `None` if there are none.
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
            // The polynomials are integers if the divisor divides the number of residues.
            let divisor = divisor.gcd(&residues);
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
            let families = joined(roots.clone(), &mut near);
            prop_assert_eq!(families.len(), 1);
            let RootFamily { roots: joined, members, modulus, .. } = families.into_iter().next().unwrap();
            let point = [BigInt::from(n), BigInt::from(t)];
            for ResidueRoot { var, root, residue } in members {
                let single = roots.iter().find(|root| root.var == var).unwrap();
                let is_used = |end: &Poly| single.excess.with_value(var, end).evaluate(&point) >= Rational::zero();
                if !is_used(&single.least) || is_used(&single.greatest) {
                    continue;
                }
                let whole = joined[root].value(&point);
                prop_assert_eq!((whole - residue).div_floor(&modulus), single.value(&point));
            }
        }
    }
}
