//! Scalars in registers: they are dependences between statements, but no accesses to memory.

use std::borrow::Cow;
use std::collections::BTreeSet;

use symloc_affine::{AccessId, If, Loop, Node, Program};
use symloc_schedule::Generated;

/// The accesses of a program to scalars in registers.
pub(super) struct RegisterAccesses<'r> {
    /// The names of the scalars.
    names: &'r BTreeSet<String>,
}

impl<'r> RegisterAccesses<'r> {
    pub(super) fn new(names: &'r BTreeSet<String>) -> Self {
        Self { names }
    }

    /// Returns a program without these accesses. Accesses keep their numbers.
    pub(super) fn removed<'g>(&self, generated: &'g Generated) -> Cow<'g, Generated> {
        let program = &generated.program;
        if !program.arrays.iter().any(|array| self.names.contains(&array.name)) {
            return Cow::Borrowed(generated);
        }
        let body = self.nodes(program, &program.body);
        Cow::Owned(Generated { program: Program { body, ..program.clone() }, ..generated.clone() })
    }

    fn nodes(&self, program: &Program, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().filter_map(|node| self.node(program, node)).collect()
    }

    /// Returns what stays of a node; `None` if nothing does.
    fn node(&self, program: &Program, node: &Node) -> Option<Node> {
        match node {
            Node::Access(access) => (!self.is_register(program, *access)).then(|| node.clone()),
            Node::Loop(l) => {
                let body = self.nodes(program, &l.body);
                (!body.is_empty()).then(|| Node::Loop(Loop { body, ..l.clone() }))
            }
            Node::If(guard) => {
                let (then, otherwise) = (self.nodes(program, &guard.then), self.nodes(program, &guard.otherwise));
                let is_empty = then.is_empty() && otherwise.is_empty();
                (!is_empty).then(|| Node::If(If { condition: guard.condition.clone(), then, otherwise }))
            }
            Node::Operations(_) | Node::Mark(_) => Some(node.clone()),
        }
    }

    fn is_register(&self, program: &Program, access: AccessId) -> bool {
        self.names.contains(&program.array(program.access(access).array).name)
    }
}
