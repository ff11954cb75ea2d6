//! Random programs have the features of their shape.

use std::collections::BTreeSet;

use symloc_affine::{Atom, Expr, Layout, Line, Node, Program};
use symloc_sim::Trace;
use symloc_sim::random::{ProgramShape, program};

/// Returns the features of a program, by name.
fn features(program: &Program) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    walk(&program.body, 0, &mut found);
    for access in &program.accesses {
        found.extend(access.subscripts.iter().flat_map(expr_features));
        if access.subscripts.is_empty() {
            found.insert("scalar");
        }
    }
    found
}

fn walk(nodes: &[Node], depth: usize, found: &mut BTreeSet<&'static str>) {
    let loops = nodes.iter().filter(|node| matches!(node, Node::Loop(_))).count();
    if loops > 1 || loops == 1 && nodes.len() > 1 {
        found.insert("imperfect");
    }
    for node in nodes {
        match node {
            Node::Loop(l) => {
                found.extend(l.step.constant().is_some_and(|step| step > 1).then_some("step"));
                found.extend((l.lower.len() > 1).then_some("max"));
                found.extend((l.upper.len() > 1).then_some("min"));
                found.extend((depth == 4).then_some("depth 5"));
                let iter = |e: &Expr| e.mentions(&|atom| matches!(atom, Atom::Iter(_)));
                found.extend(l.lower.iter().chain(&l.upper).any(iter).then_some("triangular"));
                let negative = |e: &Expr| e.as_constant().is_some_and(|c| c < 0);
                found.extend(l.lower.iter().any(negative).then_some("negative"));
                found.extend(l.lower.iter().chain(&l.upper).flat_map(expr_features));
                walk(&l.body, depth + 1, found);
            }
            Node::If(guard) => {
                found.insert(if guard.otherwise.is_empty() { "if" } else { "else" });
                found.extend(guard.condition.iter().flat_map(|c| expr_features(&c.expr)));
                let is_loop = |node: &Node| matches!(node, Node::Loop(_));
                found.extend(guard.then.iter().any(is_loop).then_some("guarded loop"));
                walk(&guard.then, depth, found);
                walk(&guard.otherwise, depth, found);
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => (),
        }
    }
}

fn expr_features(expr: &Expr) -> Option<&'static str> {
    expr.terms().any(|(atom, _)| matches!(atom, Atom::Floor(..))).then_some("floor")
}

#[test]
fn every_feature_occurs_and_none_that_was_excluded() {
    let full: BTreeSet<_> = (0..300).flat_map(|seed| features(&program(seed, ProgramShape::default()))).collect();
    let expected = [
        "depth 5",
        "else",
        "floor",
        "guarded loop",
        "if",
        "imperfect",
        "max",
        "min",
        "negative",
        "scalar",
        "step",
        "triangular",
    ];
    assert_eq!(full.into_iter().collect::<Vec<_>>(), expected);
    let simple: BTreeSet<_> = (0..300).flat_map(|seed| features(&program(seed, ProgramShape::simple()))).collect();
    assert!(simple.is_subset(&BTreeSet::from(["scalar", "imperfect"])), "{simple:?}");
}

#[test]
fn a_seed_is_a_program() {
    assert_eq!(program(7, ProgramShape::default()), program(7, ProgramShape::default()));
    let distinct: BTreeSet<_> = (0..200).map(|seed| program(seed, ProgramShape::default()).to_string()).collect();
    assert!(distinct.len() > 190);
}

#[test]
fn traces_are_modest_and_seldom_empty() {
    let mut lengths = Vec::new();
    for seed in 0..2000 {
        let program = program(seed, ProgramShape::default());
        assert!((1..=8).contains(&program.accesses.len()));
        let sizes = vec![12; program.params.len()];
        lengths.push(Trace::new(&program, &sizes, Layout::Linear, Line::Bytes(64)).unwrap().accesses());
    }
    lengths.sort_unstable();
    let deciles: Vec<_> = lengths.chunks(200).map(|chunk| chunk[199]).collect();
    assert!(deciles[1] > 0 && deciles[4] > 30 && deciles[7] > 150 && deciles[9] < 50_000, "{deciles:?}");
}
