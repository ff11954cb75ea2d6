//! Values that are affine case by case: `affine.min`, `arith.select`, rounding toward zero.
//!
//! A [`Cases`] is a decision tree whose inner nodes are conjunctions of affine constraints. Nothing is approximated: an
//! access under such a subscript becomes guarded accesses, one for each case, and a loop guarded loops, unless the
//! cases are the minimum or maximum that a loop may have as its bounds ([`bounds`]).

use symloc_affine::{Constraint, Expr, If, Node, Overflow, Relation};

/// The most cases of one value.
pub const LIMIT: usize = 64;

/// There are more than [`LIMIT`] cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// A decision tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cases<T> {
    /// In every case.
    Always(T),
    /// It depends.
    When(Box<When<T>>),
}

/// An inner node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When<T> {
    /// A conjunction.
    pub condition: Vec<Constraint>,
    /// Where it holds.
    pub then: Cases<T>,
    /// Where it does not.
    pub otherwise: Cases<T>,
}

/// The conditions that hold (true) or do not hold (false) at a node of a tree.
type Path = Vec<(Vec<Constraint>, bool)>;

impl<T> Cases<T> {
    /// `then` where the condition holds, else `otherwise`.
    pub fn when(condition: Vec<Constraint>, then: Cases<T>, otherwise: Cases<T>) -> Self {
        Cases::When(Box::new(When { condition, then, otherwise }))
    }

    fn leaves(&self) -> usize {
        match self {
            Cases::Always(_) => 1,
            Cases::When(when) => when.then.leaves() + when.otherwise.leaves(),
        }
    }

    /// The tree with other leaves.
    pub fn try_map<U, E>(&self, f: &mut impl FnMut(&T) -> Result<U, E>) -> Result<Cases<U>, E> {
        Ok(match self {
            Cases::Always(value) => Cases::Always(f(value)?),
            Cases::When(when) => {
                let then = when.then.try_map(f)?;
                Cases::when(when.condition.clone(), then, when.otherwise.try_map(f)?)
            }
        })
    }

    /// The tree with trees for leaves.
    pub fn and_then<U, E: From<TooMany>>(&self, f: &mut impl FnMut(&T) -> Result<Cases<U>, E>) -> Result<Cases<U>, E> {
        let grafted = self.graft(&mut Path::new(), f)?;
        if grafted.leaves() > LIMIT { Err(TooMany.into()) } else { Ok(grafted) }
    }

    fn graft<U, E>(&self, path: &mut Path, f: &mut impl FnMut(&T) -> Result<Cases<U>, E>) -> Result<Cases<U>, E> {
        match self {
            Cases::Always(value) => Ok(f(value)?.prune(path)),
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

    /// Does every case pass a test?
    pub fn all(&self, test: &impl Fn(&T) -> bool) -> bool {
        let mut all = true;
        self.each(&mut |value| all &= test(value));
        all
    }

    /// The tree where a condition holds, or where it does not.
    pub fn given(self, condition: &[Constraint], holds: bool) -> Self {
        self.prune(&mut vec![(condition.to_vec(), holds)])
    }

    /// The tree without the conditions that are known to hold always or never.
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

    /// Without the branches that the path rules out.
    fn prune(self, path: &mut Path) -> Self {
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

    /// The program that does what `leaf` says in each case.
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

/// A guard, unless it guards nothing.
pub fn guard(condition: Vec<Constraint>, then: Vec<Node>, otherwise: Vec<Node>) -> Vec<Node> {
    match then.is_empty() && otherwise.is_empty() {
        true => Vec::new(),
        false => vec![Node::If(If { condition, then, otherwise })],
    }
}

impl<T: Clone + PartialEq> Cases<T> {
    /// The same tree with as few leaves as simple merging gives: `a and b` and `a or b` become one node.
    pub fn merged(self) -> Result<Self, Overflow> {
        let Cases::When(when) = self else { return Ok(self) };
        let When { mut condition, then, otherwise } = *when;
        let (mut then, mut otherwise) = (then.merged()?, otherwise.merged()?);
        if then == otherwise {
            return Ok(then);
        }
        // Put the side that goes on to the front; only a single inequality has a negation that is a conjunction.
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

/// The constraint that holds where a conjunction of one inequality does not.
pub fn negation(condition: &[Constraint]) -> Result<Option<Constraint>, Overflow> {
    match condition {
        [Constraint { expr, relation: Relation::NonNegative }] => {
            Ok(Some(Constraint::non_negative(expr.times(-1)?.plus_constant(-1)?)))
        }
        _ => Ok(None),
    }
}

/// All parts at once.
pub fn join<T: Clone>(parts: &[Cases<T>]) -> Result<Cases<Vec<T>>, TooMany> {
    let mut joined = Cases::Always(Vec::new());
    for part in parts {
        joined = joined.and_then(&mut |prefix: &Vec<T>| {
            part.try_map(&mut |last| Ok::<_, TooMany>([prefix.as_slice(), std::slice::from_ref(last)].concat()))
        })?;
    }
    Ok(joined)
}

/// Which of several values counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The smallest of them.
    Smallest,
    /// The largest of them.
    Largest,
}

impl Extreme {
    /// The constraint that `x` is as good as `y` or better.
    pub fn prefers(self, x: &Expr, y: &Expr) -> Result<Constraint, Overflow> {
        Ok(Constraint::non_negative(match self {
            Extreme::Smallest => y.minus(x)?,
            Extreme::Largest => x.minus(y)?,
        }))
    }
}

/// The expressions of which the value is the smallest or the largest, if the tree says just that.
pub fn bounds(cases: &Cases<Expr>, extreme: Extreme) -> Option<Vec<Expr>> {
    let when = match cases {
        Cases::Always(expr) => return Some(vec![expr.clone()]),
        Cases::When(when) => when,
    };
    let Cases::Always(first) = &when.then else { return None };
    let others = bounds(&when.otherwise, extreme)?;
    // The first counts exactly where it is preferred to each of the others; of equal ones either may count.
    let compares = |constraint: &Constraint, other: &Expr| {
        let difference = extreme.prefers(first, other).and_then(|c| c.expr.minus(&constraint.expr));
        let difference = difference.ok().and_then(|d| d.as_constant());
        constraint.relation == Relation::NonNegative && matches!(difference, Some(0 | 1))
    };
    let all_compared = others.iter().all(|other| when.condition.iter().any(|c| compares(c, other)));
    let all_needed = when.condition.iter().all(|c| others.iter().any(|other| compares(c, other)));
    (all_compared && all_needed).then(|| [vec![first.clone()], others].concat())
}
