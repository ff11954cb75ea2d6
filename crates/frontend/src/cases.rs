//! Piecewise affine values: `affine.min`, `arith.select`, rounding toward zero.
//!
//! A [`Cases`] is a decision tree whose inner nodes are conjunctions of affine constraints. It is exact: an access with
//! such a subscript becomes guarded accesses, one for each case, and a loop becomes guarded loops, unless the cases are
//! a minimum or maximum that a loop may have as its bounds ([`bounds`]).

use symloc_affine::{Atom, Constraint, Expr, If, IterId, Node, Overflow, Relation};

/// The most cases of one value.
pub const LIMIT: usize = 64;

/// An error: there are more than [`LIMIT`] cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// A decision tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cases<T> {
    /// A leaf.
    Always(T),
    /// An inner node.
    When(Box<When<T>>),
}

/// An inner node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When<T> {
    /// A conjunction.
    pub condition: Vec<Constraint>,
    /// The tree where it holds.
    pub then: Cases<T>,
    /// The tree where it does not hold.
    pub otherwise: Cases<T>,
}

/// The conditions that hold (true) or do not hold (false) at a node of a tree.
pub type CasePath = Vec<(Vec<Constraint>, bool)>;

impl<T> Cases<T> {
    /// Returns the tree of `then` where the condition holds, and `otherwise` elsewhere.
    pub fn when(condition: Vec<Constraint>, then: Cases<T>, otherwise: Cases<T>) -> Self {
        Cases::When(Box::new(When { condition, then, otherwise }))
    }

    fn leaves(&self) -> usize {
        match self {
            Cases::Always(_) => 1,
            Cases::When(when) => when.then.leaves() + when.otherwise.leaves(),
        }
    }

    /// Returns the tree with each leaf replaced by `f` of it.
    pub fn try_map<U, E>(&self, f: &mut impl FnMut(&T) -> Result<U, E>) -> Result<Cases<U>, E> {
        Ok(match self {
            Cases::Always(value) => Cases::Always(f(value)?),
            Cases::When(when) => {
                let then = when.then.try_map(f)?;
                Cases::when(when.condition.clone(), then, when.otherwise.try_map(f)?)
            }
        })
    }

    /// Returns the tree with each leaf replaced by the tree that `f` gives for it.
    pub fn and_then<U, E: From<TooMany>>(&self, f: &mut impl FnMut(&T) -> Result<Cases<U>, E>) -> Result<Cases<U>, E> {
        self.and_then_in(&mut |value, _| f(value))
    }

    /// Returns the tree with each leaf replaced by the tree that `f` gives for it and for the conditions of its case.
    pub fn and_then_in<U, E: From<TooMany>>(
        &self,
        f: &mut impl FnMut(&T, &CasePath) -> Result<Cases<U>, E>,
    ) -> Result<Cases<U>, E> {
        let grafted = self.graft(&mut CasePath::new(), f)?;
        if grafted.leaves() > LIMIT { Err(TooMany.into()) } else { Ok(grafted) }
    }

    fn graft<U, E>(
        &self,
        path: &mut CasePath,
        f: &mut impl FnMut(&T, &CasePath) -> Result<Cases<U>, E>,
    ) -> Result<Cases<U>, E> {
        match self {
            Cases::Always(value) => Ok(f(value, path)?.prune(path)),
            Cases::When(when) => {
                path.push((when.condition.clone(), true));
                let then = when.then.graft(path, f)?;
                path.pop();
                path.push((when.condition.clone(), false));
                let otherwise = when.otherwise.graft(path, f)?;
                path.pop();
                Ok(Cases::when(when.condition.clone(), then, otherwise))
            }
        }
    }

    /// Visits the value of every case.
    pub fn each(&self, visit: &mut impl FnMut(&T)) {
        match self {
            Cases::Always(value) => visit(value),
            Cases::When(when) => {
                when.then.each(visit);
                when.otherwise.each(visit);
            }
        }
    }

    /// Returns true if every case passes the test.
    pub fn all(&self, test: &impl Fn(&T) -> bool) -> bool {
        let mut all = true;
        self.each(&mut |value| all &= test(value));
        all
    }

    /// Returns the tree that is left where a condition holds, or where it does not hold.
    #[must_use]
    pub fn given(self, condition: &[Constraint], holds: bool) -> Self {
        self.prune(&mut vec![(condition.to_vec(), holds)])
    }

    /// Returns the tree without the constraints that `decide` knows to hold always or never.
    pub fn decided(self, decide: &impl Fn(&Constraint) -> Option<bool>) -> Self {
        let Cases::When(when) = self else { return self };
        let mut open = Vec::new();
        for constraint in when.condition {
            match decide(&constraint) {
                Some(true) => {}
                Some(false) => return when.otherwise.decided(decide),
                None => open.push(constraint),
            }
        }
        match open.is_empty() {
            true => when.then.decided(decide),
            false => Cases::when(open, when.then.decided(decide), when.otherwise.decided(decide)),
        }
    }

    /// Removes the branches that the path rules out.
    fn prune(self, path: &mut CasePath) -> Self {
        let Cases::When(when) = self else { return self };
        let known = path.iter().find(|(condition, _)| *condition == when.condition);
        match known {
            Some((_, true)) => when.then.prune(path),
            Some((_, false)) => when.otherwise.prune(path),
            None => {
                path.push((when.condition.clone(), true));
                let then = when.then.prune(path);
                path.pop();
                path.push((when.condition.clone(), false));
                let otherwise = when.otherwise.prune(path);
                path.pop();
                Cases::when(when.condition, then, otherwise)
            }
        }
    }

    /// Returns a program of guards around the nodes that `leaf` makes of each case.
    pub fn into_nodes(self, leaf: &mut impl FnMut(T) -> Vec<Node>) -> Vec<Node> {
        match self {
            Cases::Always(value) => leaf(value),
            Cases::When(when) => {
                let then = when.then.into_nodes(leaf);
                guard(when.condition, then, when.otherwise.into_nodes(leaf))
            }
        }
    }
}

/// Returns a guard, or no node if both of its sides are empty.
pub fn guard(condition: Vec<Constraint>, then: Vec<Node>, otherwise: Vec<Node>) -> Vec<Node> {
    match then.is_empty() && otherwise.is_empty() {
        true => Vec::new(),
        false => vec![Node::If(If { condition, then, otherwise })],
    }
}

impl<T: Clone + PartialEq> Cases<T> {
    /// Merges nodes: `a and b` and `a or b` become one node, and a node with two equal sides becomes that side.
    pub fn merged(self) -> Result<Self, Overflow> {
        let Cases::When(when) = self else { return Ok(self) };
        let When { mut condition, then, otherwise } = *when;
        let (mut then, mut otherwise) = (then.merged()?, otherwise.merged()?);
        if then == otherwise {
            return Ok(then);
        }
        // Make the side with further conditions the first; only a single inequality has a negation that is a
        // conjunction.
        if matches!(then, Cases::Always(_))
            && matches!(otherwise, Cases::When(_))
            && let Some(negated) = negation(&condition)?
        {
            condition = vec![negated];
            (then, otherwise) = (otherwise, then);
        }
        if let Cases::When(inner) = &then {
            if inner.otherwise == otherwise {
                condition.extend(inner.condition.iter().cloned());
                let then = inner.then.clone();
                return Ok(Cases::when(condition, then, otherwise));
            }
            if inner.then == otherwise
                && let Some(negated) = negation(&inner.condition)?
            {
                condition.push(negated);
                let then = inner.otherwise.clone();
                return Ok(Cases::when(condition, then, otherwise));
            }
        }
        Ok(Cases::when(condition, then, otherwise))
    }
}

/// Returns the negation of a conjunction that is one inequality; `None` for others.
pub fn negation(condition: &[Constraint]) -> Result<Option<Constraint>, Overflow> {
    match condition {
        [Constraint { expr, relation: Relation::NonNegative }] => {
            Ok(Some(Constraint::non_negative(expr.times(-1)?.plus_constant(-1)?)))
        }
        _ => Ok(None),
    }
}

/// Returns a tighter constraint with the same solutions, if the coefficients of an inequality have a common divisor.
pub(crate) fn tight(constraint: &Constraint) -> Option<Constraint> {
    let divisor =
        constraint.expr.terms().fold(0, |divisor, (_, coefficient)| gcd(divisor, coefficient.saturating_abs()));
    let is_loose = constraint.relation == Relation::NonNegative && divisor > 1;
    is_loose.then(|| constraint.expr.floor_div(divisor).ok().map(Constraint::non_negative))?
}

/// Returns the greatest common divisor of two non-negative numbers, which is 0 only for two zeros.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the tree whose leaves have the values of all parts.
pub fn join<T: Clone>(parts: &[Cases<T>]) -> Result<Cases<Vec<T>>, TooMany> {
    let mut joined = Cases::Always(Vec::new());
    for part in parts {
        joined = joined.and_then(&mut |prefix: &Vec<T>| {
            part.try_map(&mut |last| Ok::<_, TooMany>([prefix.as_slice(), std::slice::from_ref(last)].concat()))
        })?;
    }
    Ok(joined)
}

/// Minimum or maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The minimum.
    Smallest,
    /// The maximum.
    Largest,
}

impl Extreme {
    /// Returns the constraint that `x` is at most `y` (for a minimum), or at least `y` (for a maximum).
    pub fn prefers(self, x: &Expr, y: &Expr) -> Result<Constraint, Overflow> {
        Ok(Constraint::non_negative(match self {
            Extreme::Smallest => y.minus(x)?,
            Extreme::Largest => x.minus(y)?,
        }))
    }
}

/// Returns the expressions whose minimum or maximum the tree is; `None` if it is something else.
pub fn bounds(cases: &Cases<Expr>, extreme: Extreme) -> Option<Vec<Expr>> {
    let when = match cases {
        Cases::Always(expr) => return Some(vec![expr.clone()]),
        Cases::When(when) => when,
    };
    let Cases::Always(first) = &when.then else { return None };
    let others = bounds(&when.otherwise, extreme)?;
    // The first is chosen exactly where it is preferred to each of the others; of equal ones either may be chosen.
    let compares = |constraint: &Constraint, other: &Expr| {
        let difference = extreme.prefers(first, other).and_then(|c| c.expr.minus(&constraint.expr));
        let difference = difference.ok().and_then(|d| d.as_constant());
        constraint.relation == Relation::NonNegative && matches!(difference, Some(0 | 1))
    };
    let all_compared = others.iter().all(|other| when.condition.iter().any(|c| compares(c, other)));
    let all_needed = when.condition.iter().all(|c| others.iter().any(|other| compares(c, other)));
    (all_compared && all_needed).then(|| [vec![first.clone()], others].concat())
}

/// Returns the innermost iterator of an expression, if it has one.
pub(crate) fn innermost(expr: &Expr) -> Option<IterId> {
    let of = |atom: &Atom| match atom {
        Atom::Param(_) => None,
        Atom::Iter(iter) => Some(*iter),
        Atom::Floor(numerator, _) => innermost(numerator),
    };
    expr.terms().filter_map(|(atom, _)| of(atom)).max()
}

/// Returns the number of times, more than once, that the innermost iterator of `part` is in an expression as it is in `part`.
pub(crate) fn occurrences(expr: &Expr, part: &Expr) -> Option<i64> {
    let is_iter = |(atom, _): &(&Atom, i64)| matches!(atom, Atom::Iter(_));
    let (iter, once) = part.terms().filter(is_iter).last()?;
    let (_, times) = expr.terms().find(|(atom, _)| *atom == iter)?;
    times.checked_div(once).filter(|quotient| *quotient > 1 && times % once == 0)
}
