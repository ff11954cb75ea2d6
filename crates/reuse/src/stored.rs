//! The results of a derivation, and the model that stores them.

use symloc_affine::{self as affine, Layout, ParamId, Program, ThreadProgram, ThreadShare};
use symloc_model::rewrite::without_weaker;
use symloc_model::{
    Assumption, LineCount, LineModel, Model, SCHEMA, SCHEMA_3, SCHEMA_4, SampledReuse, ShareParameters,
    ThreadParameters,
};
use symloc_quasi::{Constraint, Piece};

use crate::Error;
use crate::conditions::{constraint, polynomial};
use crate::outline::outline;
use crate::write_backs::UnknownWriteBacks;

/// The origin of a model: the program that derived it, its source, and its assumptions.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelOrigin<'o> {
    /// The program that derived it, with its version.
    pub generator: &'o str,
    /// The file, as the user named it.
    pub source: &'o str,
    /// The assumptions of the front end and of the derivation.
    pub assumptions: &'o [affine::Assumption],
}

/// Returns what was taken for granted in the model's terms; `source` is the file that need not be named.
pub fn stored_assumptions(assumptions: &[affine::Assumption], source: &str) -> Vec<Assumption> {
    let stored = |assumption: &affine::Assumption| {
        let location = assumption.location.as_ref();
        let file = location.map(|location| &*location.file).filter(|file| *file != source);
        Assumption {
            kind: assumption.kind.name().to_owned(),
            text: assumption.text.clone(),
            file: file.map(str::to_owned),
            line: location.map(|location| location.line),
            column: location.map(|location| location.column),
        }
    };
    assumptions.iter().map(stored).collect()
}

/// The reuse of a program that took more steps than the limit: misses are sampled at each size.
#[derive(Debug)]
pub struct OverLimit {
    /// The limit that was reached, with the access at which it was, if it was at one.
    pub limit: Error,
    /// What the model holds in place of classes.
    pub sampled: SampledReuse,
}

/// The results of a derivation: the parts of a model that depend on the program's accesses.
#[derive(Debug)]
pub struct Derived {
    /// N over the parameters.
    pub accesses: Vec<Piece>,
    /// The number of floating-point operations over the parameters; `None` if it is not known.
    pub operations: Option<Vec<Piece>>,
    /// One entry for each line size.
    pub lines: Vec<LineModel>,
    /// Truth values, which are variables after the parameters: where each is 1.
    pub truths: Vec<Constraint>,
    /// Variables after those.
    pub line_counts: Vec<LineCount>,
    /// The conditions on the parameters beyond the program's context: those of a symbolic line size.
    pub conditions: Vec<Constraint>,
    /// What stands in for classes, of which there are none if the derivation reached its limit.
    pub over_limit: Option<OverLimit>,
    /// The write-backs that were wanted and have no formulas.
    pub unknown_write_backs: Vec<UnknownWriteBacks>,
}

impl Derived {
    /// Returns the model of a program, for all sizes in the program's context.
    pub fn into_model(self, program: &Program, layout: Layout, origin: ModelOrigin<'_>) -> Model {
        let schema = match program.arrays.iter().any(|array| array.per_thread) {
            true => SCHEMA,
            false if self.truths.is_empty() => SCHEMA_3,
            false => SCHEMA_4,
        };
        Model {
            schema: schema.to_owned(),
            generator: origin.generator.to_owned(),
            function: program.name.clone(),
            source: origin.source.to_owned(),
            source_checksum: None,
            remarks: Vec::new(),
            assumptions: stored_assumptions(origin.assumptions, origin.source),
            layout: match layout {
                Layout::Memory => symloc_model::Layout::Memory,
                Layout::Rows => symloc_model::Layout::Rows,
                Layout::Linear => symloc_model::Layout::Linear,
            },
            parameters: program.params.iter().map(|p| p.name.clone()).collect(),
            arguments: program.arguments(),
            without_effect: program.without_effect.iter().map(|unused| unused.name.clone()).collect(),
            at_least_one: at_least_one(program),
            threads: None,
            truths: self.truths,
            line_counts: self.line_counts,
            context: narrowed(program, self.conditions),
            program: Some(outline(program, origin.source)),
            accesses: self.accesses,
            sampled: self.over_limit.map(|over| over.sampled),
            operations: self.operations,
            lines: self.lines,
        }
    }

    /// Returns the model of a program with parallel loops, from the results for the program of one thread.
    pub fn into_thread_model(
        self,
        program: &Program,
        threads: &ThreadProgram,
        layout: Layout,
        origin: ModelOrigin<'_>,
    ) -> Model {
        let as_written = Program { params: threads.program.params.clone(), ..program.clone() };
        Model {
            threads: Some(thread_parameters(threads)),
            program: Some(outline(&as_written, origin.source)),
            ..self.into_model(&threads.program, layout, origin)
        }
    }
}

/// Returns the thread's parameters of a model.
fn thread_parameters(threads: &ThreadProgram) -> ThreadParameters {
    let share = |share: &ThreadShare| ShareParameters {
        first: share.first.index(),
        end: share.end.index(),
        iterations: polynomial(&share.iterations, u32::MAX),
    };
    ThreadParameters { thread: threads.thread.map(ParamId::index), shares: threads.shares.iter().map(share).collect() }
}

/// Returns the sizes without effect as long as they are at least 1.
fn at_least_one(program: &Program) -> Vec<String> {
    let some = program.without_effect.iter().filter(|unused| unused.at_least_one);
    some.map(|unused| unused.name.clone()).collect()
}

/// Returns the program's context in the model's terms.
pub fn context(program: &Program) -> Vec<Constraint> {
    program.context.iter().map(constraint).collect()
}

/// Returns the program's context with more conditions, without the constraints that these make superfluous.
fn narrowed(program: &Program, conditions: Vec<Constraint>) -> Vec<Constraint> {
    let context: Vec<_> = context(program).into_iter().chain(conditions).collect();
    without_weaker(&context)
}
