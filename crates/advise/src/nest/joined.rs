//! Loops that a program has twice, once for each side of a condition, as one.
//!
//! `for (j = 0; j < (i < w ? i : w); j++)` is read as `if (i < w) for (j < i) … else for (j < w) …` while i and w are in memory, so
//! that every statement stands twice. Where the condition chooses the smaller of the two, one loop with both bounds has the same
//! iterations in the same order: `for (j < min(i, w))`.
//!
//! With the condition `e ≥ 0` and upper bounds a where it holds and b where it does not, a is the smaller one wherever it
//! is chosen if b − a ≥ 0 follows from e ≥ 0, and b is wherever it is if b − a ≤ 0 follows from e ≤ −1. For b − a = e + k, with a
//! constant k, both hold if k is 0 or 1. Of lower bounds the larger one has to be chosen, so that a − b = e + k. Conditions `a ≥ 0`
//! and `b ≥ 0` in the two loops are like upper bounds: the smaller one decides.

use std::collections::BTreeMap;

use symloc_affine::{Access, AccessId, Constraint, Expr, If, IterId, Loop, Node, Overflow, Relation};

/// Returns the nodes that run what both sides of a condition do; `None` if they are not the same but for bounds that the condition
/// chooses between. `access` gives the statement of an access that stands in the nodes, and the access.
pub(crate) fn joined<'p>(guard: &If, access: impl Fn(AccessId) -> (usize, &'p Access)) -> Option<Vec<Node>> {
    let [Constraint { expr, relation: Relation::NonNegative }] = guard.condition.as_slice() else { return None };
    let mut join = Join { condition: expr, access, renamed: BTreeMap::new() };
    join.nodes(&guard.then, &guard.otherwise)
}

struct Join<'j, F> {
    /// Where it is at least 0 the first side runs.
    condition: &'j Expr,
    access: F,
    /// By iterator of the second side, that of the first.
    renamed: BTreeMap<IterId, IterId>,
}

impl<'p, F: Fn(AccessId) -> (usize, &'p Access)> Join<'_, F> {
    fn nodes(&mut self, first: &[Node], second: &[Node]) -> Option<Vec<Node>> {
        let pairs = (first.len() == second.len()).then(|| first.iter().zip(second))?;
        pairs.map(|(first, second)| self.node(first, second)).collect()
    }

    fn node(&mut self, first: &Node, second: &Node) -> Option<Node> {
        match (first, second) {
            (Node::Access(a), Node::Access(b)) => self.is_same(*a, *b).then(|| first.clone()),
            (Node::Loop(a), Node::Loop(b)) => {
                let lower = self.bounds(&a.lower, &b.lower, &|a, b| a.minus(b))?;
                let upper = self.bounds(&a.upper, &b.upper, &|a, b| b.minus(a))?;
                self.renamed.insert(b.iter, a.iter);
                let body = self.nodes(&a.body, &b.body).filter(|_| a.step == b.step)?;
                Some(Node::Loop(Loop { lower, upper, body, ..a.clone() }))
            }
            (Node::If(a), Node::If(b)) => {
                let ((a, then), (b, other)) = (one_sided(a)?, one_sided(b)?);
                let condition = self.bounds(&a, &b, &|a, b| b.minus(a))?;
                let condition = condition.into_iter().map(Constraint::non_negative).collect();
                Some(Node::If(If { condition, then: self.nodes(then, other)?, otherwise: Vec::new() }))
            }
            _ => None,
        }
    }

    fn is_same(&self, first: AccessId, second: AccessId) -> bool {
        let ((statement, a), (other, b)) = ((self.access)(first), (self.access)(second));
        let is_equal = |(a, b): (&Expr, &Expr)| self.in_first(b).is_ok_and(|b| *a == b);
        statement == other
            && (a.array, a.kind, a.elements) == (b.array, b.kind, b.elements)
            && a.subscripts.len() == b.subscripts.len()
            && a.subscripts.iter().zip(&b.subscripts).all(is_equal)
    }

    /// Returns an expression of the second side in the iterators of the first.
    fn in_first(&self, expr: &Expr) -> Result<Expr, Overflow> {
        expr.substitute(&|iter| self.renamed.get(&iter).map(|renamed| Ok(Expr::iter(*renamed))))
    }

    /// Returns the bounds of both sides, of which the condition chooses the one that decides if both hold: `beyond` is how far the one
    /// of the second side is from that.
    fn bounds(
        &self,
        first: &[Expr],
        second: &[Expr],
        beyond: &impl Fn(&Expr, &Expr) -> Result<Expr, Overflow>,
    ) -> Option<Vec<Expr>> {
        let second: Vec<Expr> = second.iter().map(|bound| self.in_first(bound)).collect::<Result<_, _>>().ok()?;
        let own: Vec<&Expr> = first.iter().filter(|bound| !second.contains(bound)).collect();
        let others: Vec<&Expr> = second.iter().filter(|bound| !first.contains(bound)).collect();
        match (own.as_slice(), others.as_slice()) {
            ([], []) => Some(first.to_vec()),
            ([a], [b]) => {
                let more = beyond(a, b).ok()?.minus(self.condition).ok()?.as_constant()?;
                (0..=1).contains(&more).then(|| [first, &[(*b).clone()]].concat())
            }
            _ => None,
        }
    }
}

/// Returns the expressions that are at least 0 where the only side of a condition that does something runs, and this side.
fn one_sided(guard: &If) -> Option<(Vec<Expr>, &[Node])> {
    let expr =
        |constraint: &Constraint| (constraint.relation == Relation::NonNegative).then(|| constraint.expr.clone());
    let all: Vec<Expr> = guard.condition.iter().map(expr).collect::<Option<_>>()?;
    match (guard.then.as_slice(), guard.otherwise.as_slice(), all.as_slice()) {
        (then, [], _) => Some((all, then)),
        ([], otherwise, [only]) => Some((vec![only.times(-1).ok()?.plus_constant(-1).ok()?], otherwise)),
        _ => None,
    }
}
