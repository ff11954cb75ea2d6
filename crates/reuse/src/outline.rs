//! What a model tells about its program, so that it can attribute counts to arrays, accesses and nests.

use symloc_affine::{self as affine, AccessId, Node, Program};
use symloc_model::{Access, AccessKind, Array, Nest, Outline};

/// The arrays, accesses and nests of a program, with the numbers that the derivation gives them; `source` is the file that need
/// not be named.
pub(crate) fn outline(program: &Program, source: &str) -> Outline {
    let array = |array: &affine::Array| Array {
        name: array.name.clone(),
        element_bytes: array.element_bytes,
        rank: array.shape.len(),
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
    }
}

/// What stands in no loop and has accesses. Its name is what they are called, each name once.
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
