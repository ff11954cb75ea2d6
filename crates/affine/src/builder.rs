//! Building programs in a few lines, for tests, examples and generators.
//!
//! Loops and guards take a closure that fills their body, so the Rust text has the shape of the program. Names must be
//! valid and unique, as in every [`Program`]; the builder does not check them. Access number k gets the location
//! `<builder>:k:1`, counted from 1.
//!
//! ```
//! use symloc_affine::builder::ProgramBuilder;
//!
//! let mut b = ProgramBuilder::new("copy");
//! let n = b.param("n");
//! let [x, y] = ["x", "y"].map(|name| b.array(name, 8, 1));
//! b.for_("i", 0, n, |b, i| {
//!     b.read(x, [i]);
//!     b.write(y, [i]);
//! });
//! assert_eq!(b.build().accesses.len(), 2);
//! ```

use std::mem;

use crate::expr::{Constraint, Expr};
use crate::ids::{AccessId, ArrayId, IterId, MarkId, ParamId};
use crate::mark::Mark;
use crate::program::{
    Access, AccessKind, Array, Extent, If, Iter, Location, Loop, LoopStep, Node, Param, Program, Strides,
};

impl From<i64> for Expr {
    fn from(value: i64) -> Self {
        Expr::constant(value)
    }
}

impl From<ParamId> for Expr {
    fn from(param: ParamId) -> Self {
        Expr::param(param)
    }
}

impl From<IterId> for Expr {
    fn from(iter: IterId) -> Self {
        Expr::iter(iter)
    }
}

/// The bounds of one side of a loop: one expression, or several of which the largest (lower) or smallest (upper) counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopBounds(Vec<Expr>);

impl<E: Into<Expr>> From<E> for LoopBounds {
    fn from(only: E) -> Self {
        Self(vec![only.into()])
    }
}

impl From<Vec<Expr>> for LoopBounds {
    fn from(bounds: Vec<Expr>) -> Self {
        Self(bounds)
    }
}

/// A program under construction.
#[derive(Clone, Debug)]
pub struct ProgramBuilder {
    program: Program,
}

impl ProgramBuilder {
    /// Returns an empty program.
    pub fn new(name: &str) -> Self {
        Self { program: Program::empty(name) }
    }

    /// Adds a parameter.
    pub fn param(&mut self, name: &str) -> ParamId {
        self.program.params.push(Param::named(name));
        ParamId(self.program.params.len() as u32 - 1)
    }

    /// Adds an array of dynamic extents, without constant strides.
    pub fn array(&mut self, name: &str, element_bytes: u64, rank: usize) -> ArrayId {
        self.push_array(name, element_bytes, vec![Extent::Dynamic; rank], None)
    }

    /// Adds an array of constant extents, dense and row-major.
    pub fn fixed_array(&mut self, name: &str, element_bytes: u64, extents: &[i64]) -> ArrayId {
        let mut strides = vec![1_i64; extents.len()];
        for d in (1..extents.len()).rev() {
            strides[d - 1] = strides[d].saturating_mul(extents[d]);
        }
        let shape = extents.iter().map(|&e| Extent::Known(e)).collect();
        self.push_array(name, element_bytes, shape, Some(Strides { offset: 0, strides }))
    }

    /// Adds an array of dynamic extents with constant strides.
    pub fn strided_array(&mut self, name: &str, element_bytes: u64, strides: Strides) -> ArrayId {
        self.push_array(name, element_bytes, vec![Extent::Dynamic; strides.strides.len()], Some(strides))
    }

    /// Adds `for name = lower to upper` (exclusive) with the body that `body` fills.
    pub fn for_(
        &mut self,
        name: &str,
        lower: impl Into<LoopBounds>,
        upper: impl Into<LoopBounds>,
        body: impl FnOnce(&mut Self, IterId),
    ) {
        self.for_step(name, lower, upper, 1, body);
    }

    /// Adds `for name = lower to upper step step`.
    pub fn for_step(
        &mut self,
        name: &str,
        lower: impl Into<LoopBounds>,
        upper: impl Into<LoopBounds>,
        step: impl Into<LoopStep>,
        body: impl FnOnce(&mut Self, IterId),
    ) {
        self.program.iters.push(Iter::named(name));
        let iter = IterId(self.program.iters.len() as u32 - 1);
        let body = self.nodes(|b| body(b, iter));
        let (lower, upper) = (lower.into().0, upper.into().0);
        self.push(Node::Loop(Loop { iter, lower, upper, step: step.into(), body }));
    }

    /// Adds `if condition`.
    pub fn if_(&mut self, condition: Vec<Constraint>, then: impl FnOnce(&mut Self)) {
        self.if_else(condition, then, |_| ());
    }

    /// Adds `if condition … else …`.
    pub fn if_else(
        &mut self,
        condition: Vec<Constraint>,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let then = self.nodes(then);
        let otherwise = self.nodes(otherwise);
        self.push(Node::If(If { condition, then, otherwise }));
    }

    /// Adds a read.
    pub fn read<E: Into<Expr>>(&mut self, array: ArrayId, subscripts: impl IntoIterator<Item = E>) -> AccessId {
        self.access(array, AccessKind::Read, subscripts)
    }

    /// Adds a write.
    pub fn write<E: Into<Expr>>(&mut self, array: ArrayId, subscripts: impl IntoIterator<Item = E>) -> AccessId {
        self.access(array, AccessKind::Write, subscripts)
    }

    /// Adds an access.
    pub fn access<E: Into<Expr>>(
        &mut self,
        array: ArrayId,
        kind: AccessKind,
        subscripts: impl IntoIterator<Item = E>,
    ) -> AccessId {
        let id = AccessId(self.program.accesses.len() as u32);
        let subscripts = subscripts.into_iter().map(Into::into).collect();
        self.program.accesses.push(Access {
            array,
            kind,
            subscripts,
            elements: 1,
            cases: Vec::new(),
            location: location(id.0 + 1),
        });
        self.push(Node::Access(id));
        id
    }

    /// Adds floating-point operations.
    pub fn operations(&mut self, count: u64) {
        self.push(Node::Operations(Some(count)));
    }

    /// Adds a mark that counts every pass.
    pub fn mark(&mut self, id: MarkId) {
        self.push(Node::Mark(Mark::new(id)));
    }

    /// Returns the nodes that `fill` adds, apart from those of the program.
    pub fn nodes(&mut self, fill: impl FnOnce(&mut Self)) -> Vec<Node> {
        let outer = mem::take(&mut self.program.body);
        fill(self);
        mem::replace(&mut self.program.body, outer)
    }

    /// Adds a node.
    pub fn push(&mut self, node: Node) {
        self.program.body.push(node);
    }

    /// Adds a condition on the parameters to the default context.
    pub fn assume(&mut self, condition: Constraint) {
        self.program.context.push(condition);
    }

    /// Returns the program. Its context is the default one (every parameter ≥ 1) and what was [assumed](Self::assume).
    pub fn build(self) -> Program {
        let mut program = self.program;
        let assumed = mem::replace(&mut program.context, Program::default_context(&program.params));
        program.context.extend(assumed);
        program
    }

    fn push_array(&mut self, name: &str, element_bytes: u64, shape: Vec<Extent>, strides: Option<Strides>) -> ArrayId {
        let id = ArrayId(self.program.arrays.len() as u32);
        let (name, location) = (name.to_owned(), location(1));
        self.program.arrays.push(Array { name, element_bytes, shape, strides, location, per_thread: false });
        id
    }
}

fn location(line: u32) -> Location {
    Location::new("<builder>", line, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_built_program() {
        let mut b = ProgramBuilder::new("lower");
        let n = b.param("n");
        let a = b.fixed_array("A", 8, &[64, 32]);
        b.for_step("i", vec![Expr::from(0), Expr::from(-2)], n, 2, |b, i| {
            let condition = Constraint::zero(Expr::from(i).modulo(3).unwrap());
            b.operations(3);
            b.if_else(vec![condition], |b| _ = b.read(a, [i, i]), |b| _ = b.write(a, [i.into(), Expr::from(n)]));
        });
        let program = b.build();
        assert_eq!(program.arrays[0].strides.as_ref().unwrap().strides, [32, 1]);
        let text = "program lower(n)
  context n - 1 >= 0
  array A: rank 2, 8 bytes per element
  for i = max(0, -2) to n step 2
    flops 3
    if i - 3*floor((i)/3) = 0
      read A[i][i]
    else
      write A[i][n]
";
        assert_eq!(program.to_string(), text);
    }
}
