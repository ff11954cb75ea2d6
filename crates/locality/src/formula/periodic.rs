//! Counts in roots and in numbers that roots determine.
//!
//! The points of each residue of an iterator are summed up to a root of their own, `q_ρ = ⌊(r − ρ)/8⌋`. On each
//! residue σ of r all of these are linear in r, `q_ρ = (r − σ)/8 + ⌊(σ − ρ)/8⌋`, so that the sum over all ρ is a
//! polynomial in r, whose coefficients depend on σ. Most do not: those of high powers of r are the same for all σ.
//! The others are numbers `α + β·a(σ)` with a few tables a, which stay in the count as variables, linearly.
//!
//! Where [one root determines others](super::merged), its slack s replaces the threshold, which makes the sums over a
//! row that the threshold cuts short: they are polynomials in s, and not differences of sums over all rows.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::{Integer, binomial};
use num_traits::{One, Signed, ToPrimitive, Zero};
use symloc_quasi::{Atom, Monomial, Poly, Rational, Var};

use crate::formula::case::Case;
use crate::formula::joined::{ResidueRoot, RootFamily};
use crate::formula::merged::MergedRange;
use crate::formula::number::{RootNumber, RootNumberDefinition};
use crate::formula::root::{NUMBERS, ThresholdRoot};
use crate::formula::threshold::Near;

/// Roots and numbers that formulas mention.
#[derive(Clone, Debug, Default)]
pub(super) struct Mentioned {
    pub(super) roots: Vec<ThresholdRoot>,
    pub(super) numbers: Vec<RootNumber>,
}

/// Rational numbers by the remainder of a root.
type ResidueValues = Vec<Rational>;

/// The coefficients of monomials, without the root, and powers of the root.
type ResidueCoefficients = BTreeMap<(Monomial, u32), ResidueValues>;

/// Writes counts.
pub(super) struct CountWriter<'r> {
    families: &'r [(RootFamily, Option<MergedRange>)],
    /// The family and the number in it of each root of a residue.
    members: BTreeMap<Var, (usize, &'r ResidueRoot)>,
    threshold: Var,
    numbers: Vec<RootNumber>,
    /// The sums that have been written: successive cases have most in common.
    known: BTreeMap<(usize, bool, Poly), Poly>,
}

impl<'r> CountWriter<'r> {
    pub(super) fn new(families: &'r [(RootFamily, Option<MergedRange>)], threshold: Var) -> Self {
        let members = families
            .iter()
            .enumerate()
            .flat_map(|(index, (family, _))| family.members.iter().map(move |member| (member.var, (index, member))));
        Self { families, members: members.collect(), threshold, numbers: Vec::new(), known: BTreeMap::new() }
    }

    /// Writes the counts of cases, and returns the roots and numbers that they mention, numbered behind the threshold.
    pub(super) fn write(mut self, cases: &mut [Case], near: &Near<'_>) -> Mentioned {
        for case in cases.iter_mut() {
            let merged: Vec<bool> = self
                .families
                .iter()
                .map(|(_, range)| range.as_ref().is_some_and(|range| range.holds(case, near)))
                .collect();
            case.misses = self.count(&case.misses, &merged);
        }
        let order = self.order(cases);
        let roots = self.families.iter().flat_map(|(family, _)| &family.roots);
        let mut roots: Vec<&ThresholdRoot> = roots.filter(|root| order.contains(&root.var)).collect();
        let mut numbers: Vec<&RootNumber> = self.numbers.iter().filter(|number| order.contains(&number.var)).collect();
        let place = |var: Var| order.iter().position(|other| *other == var);
        roots.sort_by_key(|root| place(root.var));
        numbers.sort_by_key(|number| place(number.var));
        let variables = roots.iter().map(|root| root.var).chain(numbers.iter().map(|number| number.var));
        let names: BTreeMap<Var, Var> = variables.zip((self.threshold.0 + 1..).map(Var)).collect();
        let name = |var: Var| names.get(&var).copied().unwrap_or(var);
        for case in cases {
            case.misses = case.misses.substitute(&|var| names.get(&var).map(|name| Poly::var(*name)));
        }
        Mentioned {
            roots: roots.into_iter().map(|root| root.named(name(root.var))).collect(),
            numbers: numbers.into_iter().map(|number| number.renamed(&name)).collect(),
        }
    }

    /// Returns the roots and numbers that cases mention, in the order of their mention, numbers behind those that
    /// define them.
    fn order(&self, cases: &[Case]) -> Vec<Var> {
        let mut order = Vec::new();
        let mentioned = cases.iter().flat_map(|case| case.misses.vars()).filter(|var| *var > self.threshold);
        mentioned.for_each(|var| self.mention(var, &mut order));
        order
    }

    fn mention(&self, var: Var, order: &mut Vec<Var>) {
        if var <= self.threshold || order.contains(&var) {
            return;
        }
        if let Some(number) = self.numbers.iter().find(|number| number.var == var) {
            number.mentions().into_iter().for_each(|var| self.mention(var, order));
        }
        order.push(var);
    }

    /// Writes a count in the roots of residues; `merged` says of each family whether its first root determines the
    /// others.
    fn count(&mut self, count: &Poly, merged: &[bool]) -> Poly {
        let mut parts: BTreeMap<usize, Poly> = BTreeMap::new();
        let mut rest = Poly::zero();
        for (monomial, coefficient) in count.terms() {
            let family = monomial.factors().iter().find_map(|(atom, _)| Some(self.member(atom)?.0));
            let part = family.map_or(&mut rest, |family| parts.entry(family).or_default());
            part.add_term(coefficient.clone(), monomial.clone());
        }
        parts.into_iter().fold(rest, |sum, (family, part)| &sum + &self.part(family, part, merged[family]))
    }

    fn member(&self, atom: &Atom) -> Option<(usize, &'r ResidueRoot)> {
        match atom {
            Atom::Var(var) => self.members.get(var).copied(),
            Atom::Floor(_) => None,
        }
    }

    /// Writes the terms with members of one family.
    fn part(&mut self, family: usize, part: Poly, merged: bool) -> Poly {
        let key = (family, merged, part);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let written = match (self.tables(family, &key.2, 0), merged) {
            (None, _) => self.with_floors(family, &key.2),
            (Some(tables), false) => self.separate(family, tables),
            (Some(tables), true) => {
                let before = self.tables(family, &key.2, 1).unwrap_or_default();
                self.merged(family, tables, before)
            }
        };
        self.known.insert(key, written.clone());
        written
    }

    /// Returns the coefficients for each root of the family at a number before it; `None` if a term has several roots.
    fn tables(&self, family: usize, part: &Poly, before: u32) -> Option<Vec<ResidueCoefficients>> {
        let RootFamily { roots, modulus, .. } = &self.families[family].0;
        let mut tables = vec![ResidueCoefficients::new(); roots.len()];
        for (monomial, coefficient) in part.terms() {
            let mut roots =
                monomial.factors().iter().filter_map(|(atom, power)| Some((self.member(atom)?.1, atom, *power)));
            let (Some((member, atom, power)), None) = (roots.next(), roots.next()) else { return None };
            let others = monomial.divided_by(&Monomial::power(atom.clone(), power))?;
            let scale = coefficient / Rational::from_integer(modulus.pow(power));
            for remainder in 0..modulus.to_u32()? {
                // The member is (r + moved)/modulus.
                let place = BigInt::from(remainder) - &member.residue - before;
                let moved = place.div_floor(modulus) * modulus - remainder;
                for exponent in 0..=power {
                    let factor = binomial(BigInt::from(power), BigInt::from(exponent)) * moved.pow(power - exponent);
                    let table = tables[member.root].entry((others.clone(), exponent)).or_default();
                    table.resize(modulus.to_usize()?, Rational::zero());
                    table[remainder as usize] += &scale * Rational::from_integer(factor);
                }
            }
        }
        Some(tables)
    }

    /// Writes the sums up to each root of a family by itself.
    fn separate(&mut self, family: usize, tables: Vec<ResidueCoefficients>) -> Poly {
        let roots = &self.families[family].0.roots;
        roots.iter().zip(tables).fold(Poly::zero(), |sum, (root, tables)| &sum + &self.sum(root.var, tables))
    }

    /// Writes the sums up to the first root, and what other roots change.
    fn merged(&mut self, family: usize, tables: Vec<ResidueCoefficients>, before: Vec<ResidueCoefficients>) -> Poly {
        let RootFamily { roots, offsets, .. } = &self.families[family].0;
        let Some(root) = roots.first() else { return Poly::zero() };
        let slack = self.slack(root);
        let mut main = ResidueCoefficients::new();
        let mut sum = Poly::zero();
        for ((tables, before), offset) in tables.into_iter().zip(before).zip(offsets) {
            if !offset.is_zero() {
                let mut change = before;
                add(&mut change, &tables, &-Rational::one());
                let change = self.in_slack(root, &slack, change);
                let change = self.sum(root.var, change);
                if !change.is_zero() {
                    sum += &(&change * &self.below(&slack, offset));
                }
            }
            add(&mut main, &tables, &Rational::one());
        }
        let main = self.in_slack(root, &slack, main);
        &sum + &self.sum(root.var, main)
    }

    /// Replaces the threshold by the slack of a root.
    fn in_slack(&self, root: &ThresholdRoot, slack: &Slack, tables: ResidueCoefficients) -> ResidueCoefficients {
        let is_hidden =
            |atom: &Atom| matches!(atom, Atom::Floor(floor) if floor.numerator().vars().contains(&self.threshold));
        if tables.keys().any(|(others, _)| others.factors().iter().any(|(atom, _)| is_hidden(atom))) {
            return tables;
        }
        let residues = tables.values().map(Vec::len).max().unwrap_or(0);
        let own = Atom::Var(root.var);
        let mut found = ResidueCoefficients::new();
        for residue in 0..residues {
            let mut poly = Poly::zero();
            for ((others, exponent), table) in &tables {
                poly.add_term(table[residue].clone(), others.times(&Monomial::power(own.clone(), *exponent)));
            }
            for (monomial, coefficient) in poly.with_value(self.threshold, &slack.threshold).terms() {
                let exponent = monomial.exponent(&own);
                let Some(others) = monomial.divided_by(&Monomial::power(own.clone(), exponent)) else { continue };
                let table = found.entry((others, exponent)).or_default();
                table.resize(residues, Rational::zero());
                table[residue] += coefficient;
            }
        }
        found
    }

    /// Returns the slack of a root.
    fn slack(&mut self, root: &ThresholdRoot) -> Slack {
        let scale = root.excess.common_denominator();
        let factor = Rational::from_integer(scale.clone());
        let var = self.number(RootNumberDefinition::Slack(root.excess.scale(&factor)));
        // The slope is 1 or −1.
        let (slope, rest) = root.excess.split_slope(self.threshold);
        let threshold = (&Poly::var(var).scale(&factor.recip()) - &rest).scale(&slope);
        Slack { var, threshold, scale: factor }
    }

    /// Returns 1 where a slack is below an offset.
    fn below(&mut self, slack: &Slack, offset: &Rational) -> Poly {
        let bound = (offset * &slack.scale).ceil().to_integer();
        Poly::var(self.number(RootNumberDefinition::Below { slack: slack.var, bound }))
    }

    fn sum(&mut self, root: Var, tables: ResidueCoefficients) -> Poly {
        let mut sum = Poly::zero();
        for ((others, exponent), table) in tables {
            let factor = others.times(&Monomial::power(Atom::Var(root), exponent));
            sum += &(&Poly::term(Rational::one(), factor) * &self.periodic(root, &table));
        }
        sum
    }

    /// Returns a number that depends on the remainder of a root as `α + β·a` with a periodic number a, or as a
    /// constant.
    fn periodic(&mut self, root: Var, table: &[Rational]) -> Poly {
        let Some(start) = table.first() else { return Poly::zero() };
        let rises: ResidueValues = table.iter().map(|value| value - start).collect();
        let Some(step) = rises.iter().find(|rise| !rise.is_zero()) else { return Poly::constant(start.clone()) };
        let denominator = rises.iter().fold(BigInt::one(), |lcm, rise| lcm.lcm(rise.denom()));
        let whole = |rise: &Rational| (rise * Rational::from_integer(denominator.clone())).to_integer();
        let divisor = rises.iter().fold(BigInt::zero(), |gcd, rise| gcd.gcd(&whole(rise))) * step.numer().signum();
        let values: Vec<BigInt> = rises.iter().map(|rise| whole(rise) / &divisor).collect();
        let var = self.number(RootNumberDefinition::Periodic { root, values });
        &Poly::constant(start.clone()) + &Poly::var(var).scale(&Rational::new(divisor, denominator))
    }

    /// Returns the variable of a number.
    fn number(&mut self, definition: RootNumberDefinition) -> Var {
        let known = self.numbers.iter().position(|number| number.definition == definition);
        let index = known.unwrap_or_else(|| {
            self.numbers.push(RootNumber { var: Var(NUMBERS + self.numbers.len() as u32), definition });
            self.numbers.len() - 1
        });
        self.numbers[index].var
    }

    /// Writes terms with products of roots: with floors.
    fn with_floors(&self, family: usize, part: &Poly) -> Poly {
        let RootFamily { roots, members, modulus, .. } = &self.families[family].0;
        let value = |member: &ResidueRoot| {
            let root = Poly::var(roots[member.root].var);
            (member.var, (&root - &Poly::integer(member.residue.clone())).floor_div(modulus))
        };
        part.with_values(&members.iter().map(value).collect::<Vec<_>>()).periodic_form()
    }
}

/// The slack of a root.
struct Slack {
    var: Var,
    /// The threshold in terms of the slack and the root.
    threshold: Poly,
    /// The number by which the excess is multiplied.
    scale: Rational,
}

/// Adds a multiple of some tables to others.
fn add(sum: &mut ResidueCoefficients, tables: &ResidueCoefficients, factor: &Rational) {
    for (key, table) in tables {
        let total = sum.entry(key.clone()).or_insert_with(|| vec![Rational::zero(); table.len()]);
        total.iter_mut().zip(table).for_each(|(total, value)| *total += value * factor);
    }
}
