//! The statements of an order, each where it begins, and the loops that run in vectors.

use std::collections::BTreeSet;

use symloc_affine::{AccessId, Expr, IterId, Node};
use symloc_schedule::Scop;

use crate::candidates::AdvisedOrder;
use crate::nest::Nests;

/// A statement in the loops of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunStatement {
    /// Its first access, in the order's program.
    pub access: AccessId,
    /// The statement of the source.
    pub statement: usize,
    /// The iterators of the loops that were around it, outermost first, with their values in the loops of the order.
    pub values: Vec<(IterId, Expr)>,
}

impl AdvisedOrder {
    /// Returns the statements in the order's loops, in the order of the text.
    pub fn instances(&self, nests: &Nests, scop: &Scop) -> Vec<BegunStatement> {
        let generated = &self.generated;
        let begun = |(index, origin): (usize, &AccessId)| {
            let group = scop.statements.iter().position(|statement| statement.accesses.first() == Some(origin))?;
            let values = scop.statements[group].iters.iter().copied().zip(generated.instances[index].clone());
            let access = AccessId(u32::try_from(index).ok()?);
            Some(BegunStatement { access, statement: nests.statements[group], values: values.collect() })
        };
        generated.origins.iter().enumerate().filter_map(begun).collect()
    }

    /// Returns the innermost loops whose iterations do not depend on each other.
    pub fn independent_loops(&self) -> BTreeSet<IterId> {
        let mut found = BTreeSet::new();
        innermost(&self.generated.program.body, &mut found);
        found.retain(|iter| !self.generated.carried.contains_key(iter));
        found
    }
}

/// Collects the innermost loops of nodes; returns true if there is a loop.
fn innermost(nodes: &[Node], found: &mut BTreeSet<IterId>) -> bool {
    let mut any = false;
    for node in nodes {
        any |= match node {
            Node::Loop(l) => {
                if !innermost(&l.body, found) {
                    found.insert(l.iter);
                }
                true
            }
            Node::If(guard) => {
                let [then, otherwise] = [&guard.then, &guard.otherwise].map(|side| innermost(side, found));
                then || otherwise
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => false,
        };
    }
    any
}
