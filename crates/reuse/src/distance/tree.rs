//! The places of accesses in the tree of a program, for what lies between two of them.

use symloc_affine::{AccessId, Node, Program};

/// The kind of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Loop,
    /// The root, or a branch of a guard.
    Other,
}

/// A body: the root, the body of a loop, or a branch of a guard.
#[derive(Debug)]
pub(crate) struct Body {
    /// The number of loops around it.
    pub depth: usize,
    pub kind: BodyKind,
    /// The accesses in each of its nodes, in order.
    nodes: Vec<std::ops::Range<u32>>,
}

/// A position in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub body: usize,
    pub position: usize,
}

/// All bodies, and the way to each access.
#[derive(Debug, Default)]
pub(crate) struct BodyTree {
    pub bodies: Vec<Body>,
    /// By access: the spots on the way to it, from the root.
    paths: Vec<Vec<Spot>>,
}

impl BodyTree {
    pub(crate) fn new(program: &Program) -> Self {
        let mut tree = Self::default();
        tree.body(&program.body, 0, BodyKind::Other, &mut Vec::new());
        tree
    }

    /// Returns the spots on the way to an access, from the root.
    pub(crate) fn path(&self, access: AccessId) -> &[Spot] {
        &self.paths[access.index()]
    }

    /// Returns the number of nodes in a body.
    pub(crate) fn len(&self, body: usize) -> usize {
        self.bodies[body].nodes.len()
    }

    /// Returns the accesses in some nodes of a body.
    pub(crate) fn accesses(
        &self,
        body: usize,
        nodes: std::ops::Range<usize>,
    ) -> impl Iterator<Item = AccessId> + use<> {
        let ranges = self.bodies[body].nodes.get(nodes).unwrap_or_default().to_vec();
        ranges.into_iter().flatten().map(AccessId)
    }

    fn body(&mut self, nodes: &[Node], depth: usize, kind: BodyKind, path: &mut Vec<Spot>) {
        let body = self.bodies.len();
        self.bodies.push(Body { depth, kind, nodes: Vec::new() });
        for (position, node) in nodes.iter().enumerate() {
            // Accesses are numbered in the order of the text.
            let first = self.paths.len() as u32;
            path.push(Spot { body, position });
            match node {
                Node::Access(_) => self.paths.push(path.clone()),
                Node::Operations(_) | Node::Mark(_) => {}
                Node::Loop(l) => self.body(&l.body, depth + 1, BodyKind::Loop, path),
                Node::If(guard) => {
                    self.body(&guard.then, depth, BodyKind::Other, path);
                    self.body(&guard.otherwise, depth, BodyKind::Other, path);
                }
            }
            path.pop();
            let end = self.paths.len() as u32;
            self.bodies[body].nodes.push(first..end);
        }
    }
}
