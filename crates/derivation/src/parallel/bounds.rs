//! The bounds of parallel loops that are read from memory.
//!
//! A loop with `i < s->n` reads the bound once more than it has iterations, so it is read as
//!
//! ```text
//! for i = 0 to n + 1                                read s->n
//!   read s->n                    and becomes        for i = 0 to n
//!   if i < n                                          body
//!     body
//! ```
//!
//! OpenMP divides n iterations, and a compiled program reads the bound before it divides them.

use std::collections::BTreeMap;

use symloc_affine::{Atom, Expr, If, IterId, Loop, Node, ParallelLoops, Program, Relation};
use symloc_frontend::{Diagnostic, Kind};

/// Returns the nodes of a program in which the bounds of some loops are read in front of these, and the loops whose bounds are in
/// memory.
///
/// # Errors
///
/// If a loop is left by a test behind accesses that are not the same in each iteration.
pub(super) fn read_first(
    program: &Program,
    shared: &BTreeMap<IterId, ParallelLoops>,
) -> Result<(Vec<Node>, Vec<IterId>), Vec<Diagnostic>> {
    let mut ends = LoopEnds { program, shared, found: Vec::new(), errors: Vec::new() };
    let body = ends.nodes(&program.body);
    if ends.errors.is_empty() { Ok((body, ends.found)) } else { Err(ends.errors) }
}

struct LoopEnds<'b> {
    program: &'b Program,
    shared: &'b BTreeMap<IterId, ParallelLoops>,
    found: Vec<IterId>,
    errors: Vec<Diagnostic>,
}

impl LoopEnds<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut all = Vec::new();
        for node in nodes {
            match node {
                Node::Loop(l) if self.is_left_midway(l) => match self.with_end_in_front(l) {
                    Some(nodes) => {
                        self.found.extend(matches!(nodes.first(), Some(Node::Access(_))).then_some(l.iter));
                        all.extend(nodes);
                    }
                    None => self.errors.push(self.refused(l.iter)),
                },
                Node::Loop(l) => {
                    let inner = self.inner_loop_left_midway(l);
                    self.errors.extend(inner.map(|iter| self.refused(iter)));
                    all.push(Node::Loop(Loop { body: self.nodes(&l.body), ..l.clone() }));
                }
                Node::If(If { condition, then, otherwise }) => all.push(Node::If(If {
                    condition: condition.clone(),
                    then: self.nodes(then),
                    otherwise: self.nodes(otherwise),
                })),
                Node::Access(_) | Node::Operations(_) | Node::Mark(_) => all.push(node.clone()),
            }
        }
        all
    }

    fn is_left_midway(&self, l: &Loop) -> bool {
        self.shared.contains_key(&l.iter) && self.ends_midway(l)
    }

    fn ends_midway(&self, l: &Loop) -> bool {
        self.program.iters[l.iter.index()].ends_midway
    }

    /// Returns a loop that is left midway in one whose iterations and its own are one sequence.
    fn inner_loop_left_midway(&self, l: &Loop) -> Option<IterId> {
        let nest = l.collapsed(self.shared.get(&l.iter)?.loops).ok()?;
        nest.into_iter().skip(1).find(|inner| self.ends_midway(inner)).map(|inner| inner.iter)
    }

    /// Returns the accesses of a loop's test, and the loop without them and without the last iteration, which is that test alone;
    /// `None` if it is another loop.
    fn with_end_in_front(&self, l: &Loop) -> Option<Vec<Node>> {
        let is_counter = |atom: &Atom| *atom == Atom::Iter(l.iter);
        let is_same = |node: &Node| match node {
            Node::Access(id) => {
                !self.program.access(*id).subscripts.iter().any(|subscript| subscript.mentions(&is_counter))
            }
            Node::Operations(_) | Node::Mark(_) => true,
            Node::Loop(_) | Node::If(_) => false,
        };
        let (test, body) = match l.body.split_last()? {
            (Node::If(body), test) => (test, Some(body)),
            _ => (l.body.as_slice(), None),
        };
        let is_one_behind = |end: &Expr| match l.upper.as_slice() {
            [upper] => upper.minus(end).is_ok_and(|more| more.as_constant() == l.step.constant()),
            _ => false,
        };
        if !test.iter().all(is_same) {
            return None;
        }
        let Some(body) = body else {
            // The only iteration is the test.
            return matches!(l.lower.as_slice(), [lower] if is_one_behind(lower)).then(|| test.to_vec());
        };
        let (end, body) = up_to_end(l.iter, body).filter(|(end, _)| is_one_behind(end))?;
        let (mut nodes, others): (Vec<Node>, Vec<Node>) =
            test.iter().cloned().partition(|node| matches!(node, Node::Access(_)));
        let body = others.iter().chain(body).cloned().collect();
        nodes.push(Node::Loop(Loop { upper: vec![end], body, ..l.clone() }));
        Some(nodes)
    }

    fn refused(&self, iter: IterId) -> Diagnostic {
        let iter = &self.program.iters[iter.index()];
        let message = format!("the number of iterations of the loop `{}` is not known in front of it", iter.name);
        Diagnostic::new(Kind::Unsupported, iter.location.clone(), message)
            .note("the test that ends it comes behind accesses to memory, so threads cannot divide its iterations")
            .hint("compute its end in front of it")
    }
}

/// Returns the end below which a counter stays where the nodes under a condition run, and these nodes; `None` if the condition is
/// another one.
fn up_to_end(iter: IterId, body: &If) -> Option<(Expr, &[Node])> {
    let If { condition, then, otherwise } = body;
    let [goes_on] = condition.as_slice() else { return None };
    let (counter, value) = (Expr::iter(iter), &goes_on.expr);
    let (ends, body) = match (goes_on.relation, then.as_slice(), otherwise.as_slice()) {
        // end - i - 1 >= 0
        (Relation::NonNegative, body, []) => (vec![value.plus(&counter).ok()?.plus_constant(1).ok()?], body),
        // i - end = 0, or end - i = 0, behind which there is nothing.
        (Relation::Zero, [], body) => (vec![counter.minus(value).ok()?, counter.plus(value).ok()?], body),
        _ => return None,
    };
    let end = ends.into_iter().find(|end| !end.mentions(&|atom| *atom == Atom::Iter(iter)))?;
    Some((end, body))
}
