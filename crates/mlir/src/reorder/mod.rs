//! Orders of loops: the statements of a function, and the function with its loops in a new order.
//!
//! - `changes`: what the new text would lack of the source,
//! - `arrays`: allocations in loops and copies of arrays, rewritten,
//! - `region`: the part of the function that is replaced: from its first loop to its last,
//! - `partition`: its statements,
//! - `copied`: what is in an operation,
//! - `cells`: values that loops pass on, kept in memory,
//! - `work`: what a statement computes; `updates`: those that update one element,
//! - `emit`: new loops around copies of the statements, with `affine_text` for bounds and `sizes` for parameters.
//!
//! An order comes from outside, as an affine program. What it is made of is read again, so it is plain data.

mod affine_text;
mod arrays;
mod cells;
mod changes;
mod copied;
mod emit;
mod partition;
mod region;
mod sizes;
mod updates;
mod work;

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::operation::OperationLike;
use symloc_affine::{AccessId, Expr, IterId, Node, Program};
use symloc_frontend::outside::outside;
use symloc_frontend::{Diagnostic, Errors, Finished, Kind, Reading, Source, finished, on_large_stack};

use crate::ffi::{self, Val};
use crate::input::parse::Session;
use crate::input::places::Places;
use crate::lowering::structured::StructuredOperation;
use crate::walk::origins::{RegionVisit, WalkOrigins};
use crate::walk::params::ParamSource;
use crate::walk::walker::Task;
use crate::{Options, text_of, walk, with_function};
use cells::CellKeeper;
use emit::NestWriter;
use partition::Partition;
use region::LoopRegion;
use sizes::ParamValues;

pub use work::{Latencies, StatementWork};

/// The statements in the loops of a function.
#[derive(Clone, Debug)]
pub struct LoopStatements {
    /// The function as it is read.
    pub reading: Reading,
    /// The statements of accesses. Those in front of the loops and behind them have none.
    pub placed: BTreeMap<AccessId, usize>,
    /// By statement, what it computes.
    pub works: Vec<StatementWork>,
    /// By iterator, the name of its induction variable.
    pub variables: Vec<String>,
    /// The operations of `linalg` that the loops were made of.
    pub structured: Vec<StructuredOperation>,
}

/// A function in a new order.
#[derive(Clone, Debug)]
pub struct NewOrder<'o> {
    /// The loops. The parameters are those of the program that was read; accesses only say where statements are.
    pub program: &'o Program,
    /// The statements, each at one of its accesses.
    pub instances: BTreeMap<AccessId, StatementInstance>,
    /// The loops whose iterations do not depend on each other; they are marked.
    pub independent: BTreeSet<IterId>,
}

/// A statement in new loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementInstance {
    /// The statement.
    pub statement: usize,
    /// The iterators of the loops that were around it, with their values in the new ones.
    pub values: Vec<(IterId, Expr)>,
}

/// Returns the statements in the loops of the function that [`read`](crate::read) reads.
///
/// # Errors
///
/// As for [`read`](crate::read); and if an operation in the loops cannot be moved.
pub fn loop_statements(source: &Source, options: &Options, latencies: &Latencies) -> Result<LoopStatements, Errors> {
    let read = || {
        with_function(source, options, |session, task| {
            let places = task.places;
            let structured = task.changes.structured.clone();
            let analysed = Analysed::of(session, task, options)?;
            let works = analysed.statements.iter().map(|body| analysed.work(*body, latencies)).collect();
            let variables = analysed.inductions(places).into_iter().map(|(_, name)| name).collect();
            let Analysed { finished: Finished { program, mut notes, .. }, placed, .. } = analysed;
            notes.extend(outside(&program));
            Ok((program, notes, placed, works, variables, structured))
        })
    };
    let texts = vec![text_of(source)];
    let found = on_large_stack(read).map_err(|errors| Errors::new(texts.clone(), errors))?;
    let (program, notes, placed, works, variables, structured) = found;
    let reading = Reading::new(texts, Ok((program, notes)))?;
    Ok(LoopStatements { reading, placed, works, variables, structured })
}

/// Returns the text of a source in which the loops of the function are in a new order.
///
/// # Errors
///
/// As for [`loop_statements`]; and if the order has no code.
pub fn reordered(source: &Source, options: &Options, order: &NewOrder<'_>) -> Result<String, Errors> {
    let write = || with_function(source, options, |session, task| rewritten(session, task, options, order));
    on_large_stack(write).map_err(|errors| Errors::new(vec![text_of(source)], errors))
}

/// A function, as it is read and divided into statements.
struct Analysed<'a> {
    region: LoopRegion<'a>,
    partition: Partition<'a>,
    finished: Finished,
    origins: WalkOrigins<'a>,
    params: Vec<ParamSource<'a>>,
    placed: BTreeMap<AccessId, usize>,
    /// By statement, its body in the partition: a body has several if the region around it is visited several times.
    statements: Vec<usize>,
}

impl<'a> Analysed<'a> {
    fn of(session: &'a Session, mut task: Task<'a, '_>, options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let (function, places) = (task.function, task.places);
        changes::check(&task)?;
        task.notes.extend(changes::note(&task));
        arrays::prepare(session, function, places)?;
        task.both_sides = true;
        // The first walk finds the branches on data. The reasons why the function cannot be read come first.
        let first = LoopRegion::of(function, places)?.first().unwrap_or(function);
        let branches = walk::walk_with_origins(task.clone(), first)?.origins.data_branches;
        let mut keeper = CellKeeper::new(&session.context, function, places, &branches);
        keeper.keep_passed_on()?;
        keeper.keep_crossing()?;
        task.notes.extend(keeper.note());
        let region = LoopRegion::of(function, places)?;
        let walked = walk::walk_with_origins(task, region.behind.first().copied().unwrap_or(function))?;
        let partition = Partition::of(&region, &walked.origins.data_branches, places)?;
        let walk::Walked { draft, origins, params, .. } = walked;
        let finished = finished(draft, &options.renames)?;
        let mut placing =
            Placing { partition: &partition, origins: &origins, statements: Vec::new(), placed: BTreeMap::new() };
        placing.nodes(&finished.program.body, 0).map_err(|id| {
            let location = finished.program.access(id).location.clone();
            let message = "the accesses of this operation do not belong to one statement";
            let error = Diagnostic::new(Kind::Unsupported, Some(location), message);
            vec![error.hint("access one element at a time")]
        })?;
        let Placing { statements, placed, .. } = placing;
        let statements = statements.into_iter().map(|(body, _)| body).collect();
        Ok(Self { region, partition, finished, origins, params, placed, statements })
    }

    /// Returns the induction variables of the iterators with their names; a name is that of the iterator if the source
    /// has none.
    fn inductions(&self, places: &Places) -> Vec<(Option<Val<'a>>, String)> {
        let iters = self.finished.program.iters.iter().zip(&self.origins.inductions);
        let named = iters.map(|(iter, induction)| {
            let name = induction.and_then(|value| places.word(value)).map(str::to_owned);
            (*induction, name.unwrap_or_else(|| iter.name.clone()))
        });
        named.collect()
    }

    /// Returns what a body computes.
    fn work(&self, body: usize, latencies: &Latencies) -> StatementWork {
        let accesses = self.finished.program.accesses.iter().zip(&self.origins.accesses);
        let arrays = accesses.map(|(access, (op, _))| (ffi::key(*op), access.array)).collect();
        work::work(&self.partition.bodies[body], &arrays, latencies)
    }
}

/// The assignment of accesses to statements.
struct Placing<'p, 'a> {
    partition: &'p Partition<'a>,
    origins: &'p WalkOrigins<'a>,
    /// Bodies, each in one visit.
    statements: Vec<(usize, RegionVisit)>,
    placed: BTreeMap<AccessId, usize>,
}

impl Placing<'_, '_> {
    /// Places the accesses in nodes; the error is an access that is in a loop of its own operation.
    fn nodes(&mut self, nodes: &[Node], inner: usize) -> Result<(), AccessId> {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    let is_source = self.origins.inductions.get(l.iter.index()).is_some_and(Option::is_some);
                    self.nodes(&l.body, inner + usize::from(!is_source))?;
                }
                Node::If(guard) => {
                    self.nodes(&guard.then, inner)?;
                    self.nodes(&guard.otherwise, inner)?;
                }
                Node::Access(id) => self.access(*id, inner)?,
                Node::Operations(_) | Node::Mark(_) => {}
            }
        }
        Ok(())
    }

    fn access(&mut self, id: AccessId, inner: usize) -> Result<(), AccessId> {
        let (op, visit) = *self.origins.accesses.get(id.index()).ok_or(id)?;
        let Some(body) = self.partition.of.get(&ffi::key(op)).copied() else { return Ok(()) };
        if inner > 0 {
            return Err(id);
        }
        let key = (body, visit);
        let statement = match self.statements.iter().position(|known| *known == key) {
            // The accesses of a statement follow each other.
            Some(known) if known + 1 == self.statements.len() => known,
            Some(_) => return Err(id),
            None => {
                self.statements.push(key);
                self.statements.len() - 1
            }
        };
        self.placed.insert(id, statement);
        Ok(())
    }
}

/// Puts the loops of a function in a new order; returns the text of its module.
fn rewritten<'a>(
    session: &'a Session,
    task: Task<'a, '_>,
    options: &Options,
    order: &NewOrder<'_>,
) -> Result<String, Vec<Diagnostic>> {
    let (function, places) = (task.function, task.places);
    let analysed = Analysed::of(session, task, options)?;
    let inductions = analysed.inductions(places);
    let at = places.of(function);
    let refused = |why: &str| {
        let error = Diagnostic::new(Kind::Unsupported, at.clone(), format!("the new order has no code in MLIR: {why}"));
        vec![error]
    };
    let root = ffi::with_parents(function).last().unwrap_or(function);
    places.name_values(&session.context, root);
    let Analysed { region, partition, finished, params, statements, .. } = &analysed;
    let Some(first) = region.first() else { return Err(refused("the function has no loop")) };
    partition.ahead.iter().for_each(|op| {
        if *op != first {
            ffi::move_before(*op, first)
        }
    });
    // What is freed is freed behind the last loop, in the order as written.
    let mut last = region.ops.last().copied().unwrap_or(first);
    for op in &partition.behind {
        ffi::move_after(*op, last);
        last = *op;
    }
    let values = ParamValues {
        context: &session.context,
        function,
        partition,
        at: first,
        sources: params,
        candidates: &finished.candidates,
    };
    let params = values.of(&finished.program, emit::mentioned(order)).map_err(|param| {
        let name = finished.program.params.get(param.index()).map_or("", |param| &param.name);
        refused(&format!("the size `{name}` has no value in front of the loops"))
    })?;
    let mut writer = NestWriter {
        context: &session.context,
        place: first.location(),
        partition,
        bodies: statements,
        inductions: &inductions,
        order,
        params,
        scope: BTreeMap::new(),
    };
    writer.nodes(&order.program.body, first).map_err(|emit::NoCode(why)| refused(&why))?;
    // Uses come before definitions.
    partition.replaced.iter().rev().for_each(|op| ffi::erase(*op));
    if !ffi::verifies(root) {
        let errors = session.take_errors(Kind::Internal, places);
        return Err(refused("MLIR's verifier refuses it").into_iter().chain(errors).collect());
    }
    Ok(ffi::printed(root))
}
