//! Lower bounds of affine expressions: interval arithmetic over the bounds of loops.
//!
//! A proof that an expression is not negative removes cases (`arith.divsi` of an iterator that starts at 0 is a
//! `floordiv`); without a proof guards distinguish the cases, which is as exact. A parameter is at least 1 unless its
//! [`Domain`] says otherwise; the parameters that a proof relied on to be at least 1 are recorded. This record is the
//! reason why the simplex method of `symloc_polyhedra`, which proves more, does not prove these too.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use symloc_affine::{Atom, Constraint, Expr, IterId, ParamId, Relation};

use crate::cases::{CasePath, gcd, innermost, negation, tight};
use crate::draft::Domain;

/// The most substitutions in one proof.
const FUEL: u32 = 200;
/// The most lower bounds that are kept for one innermost iterator.
const KEPT: usize = 100_000;

/// By expression, the largest lower bound that was found; `None` where there is none.
type LeastValues = HashMap<Expr, Option<i64>>;

/// The bounds of the iterators, by number.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    bounds: Vec<Bounds>,
    /// Further constraints that hold at the place of the proof: conditions of branches, assumptions.
    facts: Vec<Constraint>,
    /// The values of the parameters that are no sizes.
    domains: BTreeMap<ParamId, Domain>,
    /// True while sizes may be any integers.
    ignores_sizes: bool,
    /// The parameters that a proof took to be at least 1.
    relied: RefCell<BTreeSet<ParamId>>,
    /// The lower bounds that were found, or not, by the bounds of loops; by the innermost iterator of the expression. Loops in
    /// loops ask for the same ones again in each of their cases.
    found: RefCell<BTreeMap<Option<IterId>, LeastValues>>,
}

#[derive(Clone, Debug, Default)]
struct Bounds {
    lower: Vec<Expr>,
    /// Exclusive.
    upper: Vec<Expr>,
}

impl Ranges {
    /// Sets the bounds of an iterator; the upper ones are exclusive.
    pub fn set(&mut self, iter: IterId, lower: &[Expr], upper: &[Expr]) {
        if self.bounds.len() <= iter.index() {
            self.bounds.resize_with(iter.index() + 1, Bounds::default);
        }
        self.bounds[iter.index()] = Bounds { lower: lower.to_vec(), upper: upper.to_vec() };
        // The bounds of inner loops may mention outer iterators, never the other way round.
        self.found.get_mut().split_off(&Some(iter));
    }

    /// Sets the domain of a parameter; the default is a size.
    pub fn set_domain(&mut self, param: ParamId, domain: Domain) {
        self.domains.insert(param, domain);
        self.found.get_mut().clear();
    }

    /// Sets whether sizes may be any integers from now on.
    pub fn ignore_sizes(&mut self, ignores: bool) {
        self.ignores_sizes = ignores;
        self.found.get_mut().clear();
    }

    /// Returns the parameters that a proof took to be at least 1.
    pub fn relied(&self) -> BTreeSet<ParamId> {
        self.relied.borrow().clone()
    }

    /// Returns the lower and the upper bounds of an iterator; the upper ones are exclusive.
    pub(crate) fn bounds(&self, iter: IterId) -> (&[Expr], &[Expr]) {
        self.bounds.get(iter.index()).map_or((&[], &[]), |Bounds { lower, upper }| (lower, upper))
    }

    /// Returns the domain of a parameter.
    pub(crate) fn domain(&self, param: ParamId) -> Domain {
        self.domains.get(&param).copied().unwrap_or_default()
    }

    /// Returns the facts that hold here besides the bounds.
    pub fn facts(&self) -> &[Constraint] {
        &self.facts
    }

    /// Replaces the facts; returns the former ones.
    pub fn replace_facts(&mut self, facts: Vec<Constraint>) -> Vec<Constraint> {
        std::mem::replace(&mut self.facts, facts)
    }

    /// Adds a fact, and what follows from it because its numbers are integers: of `2*n - 2*m - 1 >= 0` also `n - m - 1 >= 0`.
    pub fn add_fact(&mut self, fact: Constraint) {
        let tight = tight(&fact);
        for fact in std::iter::once(fact).chain(tight) {
            if !self.facts.contains(&fact) {
                self.facts.push(fact);
            }
        }
    }

    /// Adds the negation of a conjunction as a fact, if the negation is one inequality.
    pub fn add_negation(&mut self, conjunction: &[Constraint]) {
        let fact = match conjunction {
            [Constraint { expr, relation: Relation::Zero }] => {
                // A number that is neither zero nor negative is at least 1.
                let sides = [Some(expr.clone()), expr.times(-1).ok()];
                let side = sides.into_iter().flatten().find(|side| self.non_negative(side));
                side.and_then(|side| side.plus_constant(-1).ok()).map(Constraint::non_negative)
            }
            _ => negation(conjunction).ok().flatten(),
        };
        fact.into_iter().for_each(|fact| self.add_fact(fact));
    }

    /// Adds the conditions of a case as facts. Returns false if it is known by then that the case does not arise.
    pub fn add_case(&mut self, case: &CasePath) -> bool {
        for (condition, holds) in case {
            let mut decisions = condition.iter().map(|constraint| self.decide(constraint));
            let is_impossible = match holds {
                true => decisions.any(|decision| decision == Some(false)),
                false => decisions.all(|decision| decision == Some(true)),
            };
            if is_impossible {
                return false;
            }
            match holds {
                true => condition.iter().for_each(|constraint| self.add_fact(constraint.clone())),
                false => self.add_negation(condition),
            }
        }
        true
    }

    /// From now on none of these conjunctions holds: of one of which all conditions but one hold, that one does not.
    pub fn add_excluded(&mut self, conjunctions: &[Vec<Constraint>]) {
        for conjunction in conjunctions {
            let mut open = conjunction.iter().filter(|condition| self.decide(condition) != Some(true)).cloned();
            if let (Some(last), None) = (open.next(), open.next()) {
                self.add_negation(&[last]);
            }
        }
    }

    fn is_fact(&self, constraint: &Constraint) -> bool {
        let negated = constraint.expr.times(-1).ok();
        self.facts.iter().any(|fact| {
            fact.relation == Relation::Zero && (fact.expr == constraint.expr || Some(&fact.expr) == negated.as_ref())
        })
    }

    /// Returns upper bounds of a loop with a step, exclusive: if the distance from the lower bound is known to be a
    /// multiple of the step, the last iteration is a whole step before the end.
    pub fn tightened(&self, lower: &[Expr], upper: &[Expr], step: i64) -> Vec<Expr> {
        let [lower] = lower else { return upper.to_vec() };
        let tight = |end: &Expr| {
            let distance = end.minus(lower).ok()?;
            (self.known_remainder(&distance, step) == Some(0)).then(|| end.plus_constant(1 - step).ok()).flatten()
        };
        upper.iter().map(|end| tight(end).unwrap_or_else(|| end.clone())).collect()
    }

    /// Returns the remainder of an expression by a positive number, if it is known.
    pub fn known_remainder(&self, expr: &Expr, by: i64) -> Option<i64> {
        let remainder = expr.modulo(by).ok()?;
        let is_multiple = || self.decide(&Constraint::zero(remainder.clone())) == Some(true);
        remainder.as_constant().or_else(|| is_multiple().then_some(0)).or_else(|| self.remainder_by_facts(expr, by))
    }

    /// Returns the remainder of an expression, if a fact tells that of another one which differs by a multiple: `n - 1` is even where
    /// n mod 2 is at least 1.
    pub(crate) fn remainder_by_facts(&self, expr: &Expr, by: i64) -> Option<i64> {
        self.facts.iter().find_map(|fact| {
            let (of, remainder) = told_remainder(fact, by)?;
            let difference = expr.minus(&of).ok()?;
            let is_multiple = difference.terms().all(|(_, coefficient)| coefficient % by == 0);
            is_multiple.then(|| remainder.checked_add(difference.constant_term())).flatten().map(|r| r.rem_euclid(by))
        })
    }

    /// Returns true if the expression is known not to be negative: by the bounds, or by the bounds and at most two facts.
    pub fn non_negative(&self, expr: &Expr) -> bool {
        self.at_least(expr, 0)
    }

    /// Returns true if the expression is known to be at least `number`.
    fn at_least(&self, expr: &Expr, number: i64) -> bool {
        let never_below = |expr: &Expr| self.least(expr).is_some_and(|least| least >= number);
        never_below(expr)
            || self.beyond(expr, 0).any(|(rest, _)| never_below(&rest))
            || self.beyond(expr, 0).any(|(rest, next)| self.beyond(&rest, next).any(|(rest, _)| never_below(&rest)))
            || without_outer_floor(expr, number).is_some_and(|numerator| self.at_least(&numerator, 0))
            || without_factor(expr, number).is_some_and(|quotient| self.at_least(&quotient, 0))
    }

    /// Returns true if the expression is known not to be negative by the bounds and several times one fact about sizes alone:
    /// 255 - 3*i is 3*(n - i) + 135 without three times n <= 40.
    pub fn follows_from_sizes(&self, expr: &Expr) -> bool {
        let is_about_sizes = |fact: &&Constraint| {
            let moves = |atom: &Atom| matches!(atom, Atom::Iter(_));
            fact.relation == Relation::NonNegative && !fact.expr.mentions(&moves)
        };
        let quotient = |of: i64, by: i64| of.checked_div(by).filter(|_| of % by == 0)?.checked_abs();
        let weights = weights(expr);
        self.facts.iter().filter(is_about_sizes).any(|fact| {
            let of_fact = self::weights(&fact.expr);
            let pairs = weights.iter().flat_map(|of| of_fact.iter().filter_map(|by| quotient(*of, *by)));
            let factors: BTreeSet<i64> = pairs.filter(|factor| *factor > 1).collect();
            let mut rests = factors.into_iter().filter_map(|factor| expr.add_scaled(&fact.expr, -factor).ok());
            rests.any(|rest| self.least(&rest).is_some_and(|least| least >= 0))
        })
    }

    /// Returns what is left of an expression without each fact from `first` on, with the place of the fact after it: the
    /// expression is at least that.
    fn beyond<'r>(&'r self, expr: &'r Expr, first: usize) -> impl Iterator<Item = (Expr, usize)> + 'r {
        self.facts.iter().enumerate().skip(first).flat_map(move |(place, fact)| {
            let factors: &[i64] = if fact.relation == Relation::Zero { &[-1, 1] } else { &[-1] };
            let rest = factors.iter().filter_map(|factor| expr.add_scaled(&fact.expr, *factor).ok());
            rest.map(move |rest| (rest, place + 1)).collect::<Vec<_>>()
        })
    }

    /// Returns true if the constraint always holds, false if it never holds; `None` if neither is known.
    pub fn decide(&self, constraint: &Constraint) -> Option<bool> {
        let negated = constraint.expr.times(-1).ok()?;
        let positive = |expr| self.at_least(expr, 1);
        match constraint.relation {
            Relation::NonNegative if self.non_negative(&constraint.expr) => Some(true),
            Relation::NonNegative => positive(&negated).then_some(false),
            Relation::Zero if constraint.expr.as_constant() == Some(0) || self.is_fact(constraint) => Some(true),
            Relation::Zero => (positive(&constraint.expr) || positive(&negated)).then_some(false),
        }
    }

    /// Returns upper bounds of the expression, in the parameters alone, by the bounds of the loops.
    pub fn largest(&self, expr: &Expr) -> Vec<Expr> {
        let mut found = vec![expr.clone()];
        for _ in 0..self.bounds.len() {
            let inner = |e: &Expr| match e.terms().last() {
                Some((Atom::Iter(iter), coefficient)) => Some((*iter, coefficient)),
                _ => None,
            };
            let Some((position, (iter, coefficient))) =
                found.iter().enumerate().find_map(|(p, e)| Some((p, inner(e)?)))
            else {
                break;
            };
            let expr = found.swap_remove(position);
            let Some(bounds) = self.bounds.get(iter.index()) else { continue };
            let (candidates, beyond) = if coefficient > 0 { (&bounds.upper, -1) } else { (&bounds.lower, 0) };
            let at = |bound: &Expr| {
                let rest = expr.add_scaled(&Expr::iter(iter), coefficient.checked_neg()?).ok()?;
                rest.add_scaled(&bound.plus_constant(beyond).ok()?, coefficient).ok()
            };
            found.extend(candidates.iter().filter_map(at));
        }
        found.retain(|e| !e.mentions(&|atom| matches!(atom, Atom::Iter(_))));
        found
    }

    /// Returns a lower bound of the expression, by the bounds of the loops alone.
    pub fn least(&self, expr: &Expr) -> Option<i64> {
        let innermost = innermost(expr);
        if let Some(known) = self.found.borrow().get(&innermost).and_then(|found| found.get(expr)) {
            return *known;
        }
        let least = self.search(expr, &mut { FUEL });
        let mut found = self.found.borrow_mut();
        let found = found.entry(innermost).or_default();
        if found.len() >= KEPT {
            found.clear();
        }
        found.insert(expr.clone(), least);
        least
    }

    fn search(&self, expr: &Expr, fuel: &mut u32) -> Option<i64> {
        *fuel = fuel.checked_sub(1)?;
        // Floors are the last in the order of atoms, and inner iterators come after outer ones.
        match expr.terms().last() {
            None => Some(expr.constant_term()),
            Some((Atom::Floor(numerator, divisor), coefficient)) => {
                self.without_floor(expr, numerator, *divisor, coefficient, fuel)
            }
            Some((Atom::Iter(iter), coefficient)) => self.without_iterator(expr, *iter, coefficient, fuel),
            Some((Atom::Param(_), _)) => self.parameters_at_least(expr),
        }
    }

    fn without_iterator(&self, expr: &Expr, iter: IterId, coefficient: i64, fuel: &mut u32) -> Option<i64> {
        let bounds = self.bounds.get(iter.index())?;
        let (candidates, beyond) = if coefficient > 0 { (&bounds.lower, 0) } else { (&bounds.upper, -1) };
        let rest = expr.add_scaled(&Expr::iter(iter), coefficient.checked_neg()?).ok()?;
        let at = |bound: &Expr| rest.add_scaled(&bound.plus_constant(beyond).ok()?, coefficient).ok();
        candidates.iter().filter_map(|bound| self.search(&at(bound)?, fuel)).max()
    }

    /// Returns the least value of a combination of parameters, if it has one.
    fn parameters_at_least(&self, expr: &Expr) -> Option<i64> {
        let mut sum = expr.constant_term();
        let mut sizes = Vec::new();
        for (atom, coefficient) in expr.terms() {
            let Atom::Param(param) = atom else { return None };
            let domain = self.domain(*param);
            let domain = if self.ignores_sizes && domain.is_at_least_one() { Domain::Any } else { domain };
            let end = if coefficient < 0 { domain.largest() } else { domain.least() };
            sum = sum.checked_add(coefficient.checked_mul(end?)?)?;
            sizes.extend(domain.is_at_least_one().then_some(*param));
        }
        self.relied.borrow_mut().extend(sizes);
        Some(sum)
    }

    /// Eliminates a floor: it is at least that of its numerator's least value, and at most `(divisor − 1) / divisor`
    /// below the quotient.
    fn without_floor(
        &self,
        expr: &Expr,
        numerator: &Expr,
        divisor: i64,
        coefficient: i64,
        fuel: &mut u32,
    ) -> Option<i64> {
        let floor = Expr::atom(Atom::Floor(Box::new(numerator.clone()), divisor));
        let rest = expr.add_scaled(&floor, coefficient.checked_neg()?).ok()?;
        let by_value = |fuel: &mut u32| {
            let least = self.search(numerator, fuel).filter(|_| coefficient > 0)?;
            let constant = least.div_euclid(divisor).checked_mul(coefficient)?;
            self.search(&rest.plus_constant(constant).ok()?, fuel)
        };
        let by_quotient = |fuel: &mut u32| {
            let rounded = if coefficient > 0 { divisor - 1 } else { 0 };
            let numerator = numerator.plus_constant(-rounded).ok()?;
            let scaled = rest.times(divisor).ok()?.add_scaled(&numerator, coefficient).ok()?;
            // The value is an integer, so it is at least the quotient rounded up.
            Some(-self.search(&scaled, fuel)?.checked_neg()?.div_euclid(divisor))
        };
        by_quotient(fuel).max(by_value(fuel))
    }
}

/// Returns an expression that is not negative exactly where another one, a multiple of a floor plus a constant, is at least
/// `number`: ⌊e/d⌋ >= b if and only if e >= b·d.
fn without_outer_floor(expr: &Expr, number: i64) -> Option<Expr> {
    let mut terms = expr.terms();
    let (Some((Atom::Floor(numerator, divisor), times)), None) = (terms.next(), terms.next()) else { return None };
    let room = expr.constant_term().checked_sub(number)?;
    let shifted = |bound: i64| bound.checked_mul(*divisor);
    match times {
        1.. => numerator.plus_constant(shifted(room.div_euclid(times))?).ok(),
        _ => {
            let most = shifted(room.div_euclid(times.checked_neg()?))?.checked_add(divisor - 1)?;
            numerator.times(-1).ok()?.plus_constant(most).ok()
        }
    }
}

/// Returns an expression that is not negative exactly where another one, whose coefficients have a common factor, is at least
/// `number`: f·e + c >= b if and only if e + ⌊(c − b)/f⌋ >= 0. Bounds with floors lose less of it.
fn without_factor(expr: &Expr, number: i64) -> Option<Expr> {
    let factor = expr.terms().fold(0, |factor, (_, coefficient)| gcd(factor, coefficient.saturating_abs()));
    if factor < 2 {
        return None;
    }
    let room = expr.constant_term().checked_sub(number)?;
    let terms = expr.plus_constant(expr.constant_term().checked_neg()?).ok()?;
    terms.floor_div(factor).ok()?.plus_constant(room.div_euclid(factor)).ok()
}

/// Returns the coefficients of an expression, and those in its floors as they are without rounding.
fn weights(expr: &Expr) -> Vec<i64> {
    let of_term = |(atom, coefficient): (&Atom, i64)| {
        let inner = match atom {
            Atom::Floor(numerator, divisor) => weights(numerator)
                .into_iter()
                .filter_map(|inner| inner.checked_mul(coefficient).filter(|product| product % divisor == 0))
                .map(|product| product / divisor)
                .collect(),
            Atom::Param(_) | Atom::Iter(_) => Vec::new(),
        };
        [vec![coefficient], inner].concat()
    };
    expr.terms().flat_map(of_term).collect()
}

/// Returns an expression whose remainder a constraint tells, and the remainder: x where x mod d = c, x mod d >= d - 1 or 0 >= x mod d,
/// and d is a multiple of the divisor.
fn told_remainder(fact: &Constraint, by: i64) -> Option<(Expr, i64)> {
    fact.expr.terms().find_map(|(atom, coefficient)| {
        let Atom::Floor(of, divisor) = atom else { return None };
        let times = coefficient.checked_neg()?.checked_div(*divisor).filter(|times| times * divisor == -coefficient)?;
        let remainder = of.modulo(*divisor).ok()?;
        // The constraint is `times · (x mod d) + rest`.
        let rest = fact.expr.add_scaled(&remainder, times.checked_neg()?).ok()?.as_constant()?;
        let told = match (fact.relation, times) {
            (Relation::Zero, 1 | -1) => rest.checked_neg()?.checked_mul(times)?,
            (Relation::NonNegative, 1) if -rest == divisor - 1 => divisor - 1,
            (Relation::NonNegative, -1) if rest == 0 => 0,
            _ => return None,
        };
        (divisor % by == 0).then(|| ((**of).clone(), told))
    })
}
