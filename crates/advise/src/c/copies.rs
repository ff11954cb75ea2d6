//! The variables that are declared between the loops, in the new source. Declarations are copied into the statements that use
//! them: their texts, and the reads of memory in them.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessId, AccessKind, Node, Program};

use super::accumulators::Replacement;
use super::reading::source::{SourceFunction, SourceStatement};

/// What becomes of variables that are declared between the loops.
#[derive(Clone, Debug, Default)]
pub struct RewrittenVariables {
    /// The statements of the source that only declare a variable, of which each statement that uses it has a copy.
    pub copied: BTreeSet<usize>,
    /// New names, and the elements that stand for variables, by the variables' identities in the syntax tree.
    pub replaced: BTreeMap<String, Replacement>,
}

impl RewrittenVariables {
    /// Returns the declarations that are copied into a statement, in the order of the text.
    pub(crate) fn copied_into(&self, source: &SourceFunction, statement: &SourceStatement) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![statement.words.as_slice()];
        open.extend(self.replacements(statement).map(|new| new.words.as_slice()));
        while let Some(words) = open.pop() {
            for place in &self.copied {
                let declaration = &source.statements[*place];
                let declared = declaration.declares.as_ref().filter(|variable| !variable.is_outermost);
                let is_used = declared.is_some_and(|v| words.iter().any(|word| word.id == v.id));
                if is_used && found.insert(*place) {
                    open.push(&declaration.words);
                }
            }
        }
        found
    }

    /// Returns what stands in a statement for variables.
    pub(crate) fn replacements<'r>(&'r self, statement: &'r SourceStatement) -> impl Iterator<Item = &'r Replacement> {
        let declared = statement.declares.as_ref().map(|variable| &variable.id);
        let ids = statement.words.iter().map(|word| &word.id).chain(declared);
        ids.filter_map(|id| self.replaced.get(id))
    }
}

/// Gives each statement the reads of the declarations that are copied into it, in front of its own accesses, as the new
/// source has them: without these the lines that they touch would be missing.
pub(crate) fn with_copied_reads(
    program: &mut Program,
    source: &SourceFunction,
    placed: &mut BTreeMap<AccessId, usize>,
    rewritten: &RewrittenVariables,
) {
    let of = |statement: usize, placed: &BTreeMap<AccessId, usize>| {
        placed.iter().filter(|(_, other)| **other == statement).map(|(id, _)| *id).collect::<BTreeSet<_>>()
    };
    let stay = source.statements.iter().enumerate().filter(|(place, _)| !rewritten.copied.contains(place));
    for (place, statement) in stay {
        let declarations = rewritten.copied_into(source, statement);
        if declarations.is_empty() {
            continue;
        }
        let own = of(place, placed);
        let mut new = Vec::new();
        for declaration in declarations {
            for read in of(declaration, placed) {
                let read = program.access(read).clone();
                if read.kind == AccessKind::Read {
                    let id = AccessId(program.accesses.len() as u32);
                    program.accesses.push(read);
                    placed.insert(id, place);
                    new.push(Node::Access(id));
                }
            }
        }
        insert_before(&mut program.body, &own, &mut new);
    }
}

/// Inserts nodes in front of the first of some accesses, in the innermost list of nodes that has all of them.
fn insert_before(nodes: &mut Vec<Node>, accesses: &BTreeSet<AccessId>, new: &mut Vec<Node>) {
    let has_some = |nodes: &[Node]| mentions(nodes, accesses);
    let Some(first) = nodes.iter().position(|node| has_some(std::slice::from_ref(node))) else { return };
    let is_alone = !has_some(&nodes[first + 1..]);
    match &mut nodes[first] {
        Node::Loop(l) if is_alone => insert_before(&mut l.body, accesses, new),
        Node::If(guard) if is_alone && !has_some(&guard.otherwise) => insert_before(&mut guard.then, accesses, new),
        Node::If(guard) if is_alone && !has_some(&guard.then) => insert_before(&mut guard.otherwise, accesses, new),
        _ => drop(nodes.splice(first..first, new.drain(..))),
    }
}

fn mentions(nodes: &[Node], accesses: &BTreeSet<AccessId>) -> bool {
    nodes.iter().any(|node| match node {
        Node::Access(id) => accesses.contains(id),
        Node::Loop(l) => mentions(&l.body, accesses),
        Node::If(guard) => mentions(&guard.then, accesses) || mentions(&guard.otherwise, accesses),
        Node::Operations(_) | Node::Mark(_) => false,
    })
}
