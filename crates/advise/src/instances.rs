//! The statements of an order, each where it begins.

use symloc_affine::{AccessId, Expr, IterId};
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
}
