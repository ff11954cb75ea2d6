//! A module with attributes on the loops and accesses of a function.

use std::collections::BTreeMap;

use melior::ir::Attribute;
use symloc_affine::{AccessId, IterId, Node, Program};
use symloc_frontend::{Diagnostic, Errors, Finished, Kind, Source, finished, on_large_stack};

use crate::ffi::{self, Definition, Op, OpKey};
use crate::input::parse::Session;
use crate::input::places::Places;
use crate::walk::origins::WalkOrigins;
use crate::walk::walker::Task;
use crate::{Options, text_of, walk, with_function};

/// An attribute: its name, and its value as MLIR writes it.
pub type NamedAttribute = (String, String);

/// An operation of a function that gets attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnnotatedOperation {
    /// The function itself.
    Function,
    /// A loop, with the accesses in it.
    Loop(Vec<AccessId>),
    /// A load, a store or another operation with accesses.
    Access(Vec<AccessId>),
}

/// Returns the attributes of an operation of a program, or the reason why there are none.
pub type AttributesOf<'f> = dyn Fn(&Program, &AnnotatedOperation) -> Result<Vec<NamedAttribute>, String> + Sync + 'f;

/// Returns the text of the module that a function is read from, with attributes; `attributes` is called with the program and
/// one operation after the other.
///
/// # Errors
///
/// As for [`read`](crate::read); and if `attributes` returns an error, or one that MLIR cannot read.
pub fn annotated(source: &Source, options: &Options, attributes: &AttributesOf<'_>) -> Result<String, Errors> {
    let write = || {
        with_function(source, options, |session, task| {
            let (function, places) = (task.function, task.places);
            let module = ffi::with_parents(function).last().unwrap_or(function);
            let annotator = Annotator { session, places, module, attributes };
            annotator.annotate(task, &options.renames)
        })
    };
    on_large_stack(write).map_err(|errors| Errors::new(vec![text_of(source)], errors))
}

/// The work on one module.
struct Annotator<'w, 'a> {
    session: &'a Session,
    places: &'w Places<'w>,
    module: Op<'a>,
    attributes: &'w AttributesOf<'w>,
}

impl<'a> Annotator<'_, 'a> {
    /// Sets the attributes of a function, and returns the text of its module.
    fn annotate(&self, task: Task<'a, '_>, renames: &[(String, String)]) -> Result<String, Vec<Diagnostic>> {
        let function = task.function;
        let walked = walk::walk_with_origins(task, function)?;
        let Finished { program, .. } = finished(walked.draft, renames)?;
        self.places.name_values(&self.session.context, self.module);
        self.set(&program, function, &AnnotatedOperation::Function)?;
        for (op, accesses) in by_operation(&walked.origins) {
            self.set(&program, op, &AnnotatedOperation::Access(accesses))?;
        }
        for (op, accesses) in by_loop(&program, &walked.origins) {
            self.set(&program, op, &AnnotatedOperation::Loop(accesses))?;
        }
        match ffi::verifies(self.module) {
            true => Ok(ffi::printed(self.module)),
            false => Err(self.session.take_errors(Kind::Internal, self.places)),
        }
    }

    fn set(&self, program: &Program, op: Op<'a>, what: &AnnotatedOperation) -> Result<(), Vec<Diagnostic>> {
        let refused = |why: String| vec![Diagnostic::new(Kind::Unsupported, self.places.of(op), why)];
        for (name, value) in (self.attributes)(program, what).map_err(refused)? {
            let unread = || refused(format!("MLIR cannot read the attribute {name} = {value}"));
            let attribute = Attribute::parse(&self.session.context, &value).ok_or_else(unread)?;
            ffi::set_attribute(op, &name, attribute);
        }
        Ok(())
    }
}

/// Returns the operations with accesses, in the order of the text, each with its accesses.
fn by_operation<'a>(origins: &WalkOrigins<'a>) -> Vec<(Op<'a>, Vec<AccessId>)> {
    let mut found = Grouped::default();
    for (place, (op, _)) in origins.accesses.iter().enumerate() {
        found.add(*op, [AccessId(place as u32)]);
    }
    found.operations
}

/// Returns the operations that are loops, each with the accesses in it.
fn by_loop<'a>(program: &Program, origins: &WalkOrigins<'a>) -> Vec<(Op<'a>, Vec<AccessId>)> {
    let mut loops = BTreeMap::new();
    collect(&program.body, &mut loops);
    let mut found = Grouped::default();
    for (iter, accesses) in loops {
        let induction = origins.inductions.get(iter.index()).copied().flatten();
        if let Some(Definition::Argument { parent: Some(op) }) = induction.map(ffi::definition) {
            found.add(op, accesses);
        }
    }
    found.operations
}

/// Collects the accesses in each loop; returns all accesses in the nodes.
fn collect(nodes: &[Node], loops: &mut BTreeMap<IterId, Vec<AccessId>>) -> Vec<AccessId> {
    let mut all = Vec::new();
    for node in nodes {
        match node {
            Node::Access(id) => all.push(*id),
            Node::Operations(_) | Node::Mark(_) => {}
            Node::If(guard) => {
                all.extend(collect(&guard.then, loops));
                all.extend(collect(&guard.otherwise, loops));
            }
            Node::Loop(l) => {
                let inside = collect(&l.body, loops);
                loops.entry(l.iter).or_default().extend(&inside);
                all.extend(inside);
            }
        }
    }
    all
}

/// Accesses by operation, in the order in which the operations were met.
#[derive(Default)]
struct Grouped<'a> {
    operations: Vec<(Op<'a>, Vec<AccessId>)>,
    places: BTreeMap<OpKey, usize>,
}

impl<'a> Grouped<'a> {
    fn add(&mut self, op: Op<'a>, accesses: impl IntoIterator<Item = AccessId>) {
        let place = *self.places.entry(ffi::key(op)).or_insert_with(|| {
            self.operations.push((op, Vec::new()));
            self.operations.len() - 1
        });
        let known = &mut self.operations[place].1;
        for access in accesses {
            if !known.contains(&access) {
                known.push(access);
            }
        }
    }
}
