//! Programs with other expressions in the same places.

use crate::expr::{Constraint, Expr, Overflow};
use crate::program::{Extent, If, Loop, LoopStep, Node, Program};

impl Program {
    /// Returns the program with other expressions, those of extents too, and other steps.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if `map` or `step` returns it.
    pub fn with(
        &self,
        map: &impl Fn(&Expr) -> Result<Expr, Overflow>,
        step: &impl Fn(LoopStep) -> Result<LoopStep, Overflow>,
    ) -> Result<Program, Overflow> {
        let mut program = Program { body: mapped_body(&self.body, map)?, ..self.clone() };
        for access in &mut program.accesses {
            *access = access.mapped(map)?;
        }
        for condition in &mut program.context {
            condition.expr = map(&condition.expr)?;
        }
        for extent in program.arrays.iter_mut().flat_map(|array| &mut array.shape) {
            if let Extent::Size(factors) = extent {
                *factors = factors.iter().map(map).collect::<Result<_, _>>()?;
            }
        }
        steps(&mut program.body, step)?;
        Ok(program)
    }
}

fn steps(nodes: &mut [Node], step: &impl Fn(LoopStep) -> Result<LoopStep, Overflow>) -> Result<(), Overflow> {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                l.step = step(l.step)?;
                steps(&mut l.body, step)?;
            }
            Node::If(guard) => {
                steps(&mut guard.then, step)?;
                steps(&mut guard.otherwise, step)?;
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
    Ok(())
}

/// Returns nodes with `map` applied to their expressions, but not to the subscripts of accesses.
pub(crate) fn mapped_body(
    nodes: &[Node],
    map: &impl Fn(&Expr) -> Result<Expr, Overflow>,
) -> Result<Vec<Node>, Overflow> {
    let all = |expressions: &[Expr]| expressions.iter().map(map).collect::<Result<Vec<_>, _>>();
    let mapped = |node: &Node| {
        Ok(match node {
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => node.clone(),
            Node::If(guard) => Node::If(If {
                condition: conditions(&guard.condition, map)?,
                then: mapped_body(&guard.then, map)?,
                otherwise: mapped_body(&guard.otherwise, map)?,
            }),
            Node::Loop(l) => Node::Loop(Loop {
                lower: all(&l.lower)?,
                upper: all(&l.upper)?,
                body: mapped_body(&l.body, map)?,
                ..l.clone()
            }),
        })
    };
    nodes.iter().map(mapped).collect()
}

/// Returns constraints with `map` applied to their expressions.
pub(crate) fn conditions(
    conditions: &[Constraint],
    map: &impl Fn(&Expr) -> Result<Expr, Overflow>,
) -> Result<Vec<Constraint>, Overflow> {
    conditions.iter().map(|c| Ok(Constraint { expr: map(&c.expr)?, ..c.clone() })).collect()
}
