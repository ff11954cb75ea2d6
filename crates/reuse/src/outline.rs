//! The outline of a program in its model, by which counts are attributed to arrays, accesses and nests.

use symloc_affine::{self as affine, AccessId, Expr, Extent, LoopStep, Node, ParallelLoops, Program, Schedule};
use symloc_model::{
    self as model, Access, AccessKind, Array, ArrayShape, CollapsedLoops, ForStep, Nest, Outline, TileStep, Tree,
};
use symloc_quasi::Poly;

use crate::conditions::{constraint_over, polynomial};

/// Returns the arrays, accesses and nests of a program, with the numbers that the derivation gives them; `source` is
/// the file that need not be named.
pub(crate) fn outline(program: &Program, source: &str) -> Outline {
    let array = |array: &affine::Array| Array {
        name: array.name.clone(),
        element_bytes: array.element_bytes,
        rank: array.shape.len(),
        per_thread: array.per_thread,
    };
    let access = |access: &affine::Access| Access {
        array: access.array.index(),
        kind: match access.kind {
            affine::AccessKind::Read => AccessKind::Read,
            affine::AccessKind::Write => AccessKind::Write,
        },
        subscripts: access.subscripts.iter().map(|subscript| format!("[{}]", program.show(subscript))).collect(),
        file: (*access.location.file != *source).then(|| access.location.file.to_string()),
        line: access.location.line,
        column: access.location.column,
    };
    Outline {
        arrays: program.arrays.iter().map(array).collect(),
        accesses: program.accesses.iter().map(access).collect(),
        nests: program.body.iter().filter_map(|node| nest(program, node)).collect(),
        tree: tree(program),
    }
}

/// Returns the nest of a node, if it has accesses. Its name is made of the names of its accesses, each once.
fn nest(program: &Program, node: &Node) -> Option<Nest> {
    let mut accesses = Vec::new();
    collect(node, &mut accesses);
    let mut names: Vec<&str> = Vec::new();
    for name in accesses.iter().filter_map(|id| program.access(*id).location.name.as_deref()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let name = (!names.is_empty()).then(|| names.join(", "));
    (!accesses.is_empty()).then_some(Nest { name, accesses: accesses.len() })
}

fn collect(node: &Node, accesses: &mut Vec<AccessId>) {
    match node {
        Node::Loop(inner) => inner.body.iter().for_each(|node| collect(node, accesses)),
        Node::If(guard) => guard.then.iter().chain(&guard.otherwise).for_each(|node| collect(node, accesses)),
        Node::Access(id) => accesses.push(*id),
        Node::Operations(_) | Node::Mark(_) => {}
    }
}

/// Returns the program as it runs; `None` if the size of a line is a parameter, because its accesses then have no
/// address.
fn tree(program: &Program) -> Option<Tree> {
    let first = u32::try_from(program.params.len()).ok()?;
    let terms = OutlineTerms { program, first };
    let shape = |array: &affine::Array| ArrayShape {
        extents: array.shape.iter().map(Extent::constant).collect(),
        sizes: sizes(&array.shape, &terms),
        strides: array.strides.as_ref().map(|strides| strides.strides.clone()),
        offset: array.strides.as_ref().map_or(0, |strides| strides.offset),
    };
    program.multiples.is_empty().then(|| Tree {
        iterators: program.iters.iter().map(|iter| iter.name.clone()).collect(),
        shapes: program.arrays.iter().map(shape).collect(),
        subscripts: program.accesses.iter().map(|access| terms.all(&access.subscripts)).collect(),
        body: terms.nodes(&program.body),
    })
}

/// Returns the factors of the symbolic extents; an empty list if there are no such extents.
fn sizes(shape: &[Extent], terms: &OutlineTerms<'_>) -> Vec<Option<Vec<Poly>>> {
    match shape.iter().any(|extent| extent.factors().is_some()) {
        true => shape.iter().map(|extent| extent.factors().map(|factors| terms.all(factors))).collect(),
        false => Vec::new(),
    }
}

/// Parts of a program in the model's terms.
struct OutlineTerms<'p> {
    program: &'p Program,
    /// The variable of the first iterator.
    first: u32,
}

impl OutlineTerms<'_> {
    fn all(&self, exprs: &[Expr]) -> Vec<Poly> {
        exprs.iter().map(|expr| polynomial(expr, self.first)).collect()
    }

    /// Converts nodes; those without accesses to memory are left out.
    fn nodes(&self, nodes: &[Node]) -> Vec<model::TreeNode> {
        nodes.iter().filter_map(|node| self.node(node)).collect()
    }

    fn node(&self, node: &Node) -> Option<model::TreeNode> {
        match node {
            Node::Loop(inner) => Some(model::TreeNode::For(model::For {
                iterator: inner.iter.index(),
                lower: self.all(&inner.lower),
                upper: self.all(&inner.upper),
                step: match inner.step {
                    LoopStep::Known(step) => ForStep::Known(step),
                    LoopStep::Tiles { times, size } => ForStep::Tiles(TileStep { times, parameter: size.index() }),
                },
                parallel: self.program.iters[inner.iter.index()].parallel.map(schedule),
                body: self.nodes(&inner.body),
            })),
            Node::If(guard) => Some(model::TreeNode::If(model::If {
                condition: guard.condition.iter().map(|c| constraint_over(c, self.first)).collect(),
                then: self.nodes(&guard.then),
                otherwise: self.nodes(&guard.otherwise),
            })),
            Node::Access(id) => Some(model::TreeNode::Access(id.index())),
            Node::Operations(_) | Node::Mark(_) => None,
        }
    }
}

fn schedule(ParallelLoops { loops, schedule }: ParallelLoops) -> model::Schedule {
    match (loops, schedule) {
        (0..=1, Schedule::Blocks) => model::Schedule::Blocks,
        (0..=1, Schedule::Chunks(size)) => model::Schedule::Chunks(size),
        (_, Schedule::Blocks) => model::Schedule::Collapse(CollapsedLoops { loops, chunks: None }),
        (_, Schedule::Chunks(size)) => model::Schedule::Collapse(CollapsedLoops { loops, chunks: Some(size) }),
    }
}
