//! The walk over the operations of a function, in order, which makes loops, guards and accesses.
//!
//! - `loops`, `openmp` and `whiles` (with their `counters`), `branches` (with `shares`, conditions on data) and, inlined, `calls`
//!   make the tree; `iter_args` are the values that a loop carries,
//! - `accesses` makes its leaves,
//! - `assertions` become conditions of the model, and `arguments` connects the function's arguments with its result,
//! - `origins` has the operations that the parts of the tree come from, and `params` the values of parameters,
//! - `characterise` assigns the operations in between to basic blocks, which `recorder` collects.
//!
//! The files are one recursion over the tree of regions: [`Walker`] has the state, and its methods, in most of the files,
//! call each other in a ring.

pub(crate) mod accesses;
pub(crate) mod arguments;
mod assertions;
mod branches;
mod calls;
mod characterise;
mod counters;
mod iter_args;
mod loops;
mod openmp;
pub(crate) mod origins;
pub(crate) mod params;
pub(crate) mod recorder;
mod shares;
pub(crate) mod walker;
mod whiles;

use arguments::Bound;
use origins::WalkOrigins;
use params::ParamSource;
use symloc_affine::{AccessKind, AssumptionKind, Node};
use symloc_frontend::cases::Cases;
use symloc_frontend::library;
use symloc_frontend::{Branches, Diagnostic, Draft};

use crate::ffi::{self, Op, Region};
use crate::ops::lifetimes;
use crate::ops::unsupported;
use recorder::Recorder;
use walker::{Task, Walker};

/// Reads the body of a function.
pub(crate) fn walk(task: Task) -> Result<Draft, Vec<Diagnostic>> {
    walk_with(task, None, None).map(|walked| walked.draft)
}

/// Reads the body of a function; also returns the arrays and parameters of its arguments.
pub(crate) fn walk_bound(task: Task) -> Result<(Draft, Bound), Vec<Diagnostic>> {
    walk_with(task, None, None).map(|walked| (walked.draft, walked.bound))
}

/// Reads the basic blocks of a function: marks instead of accesses and operations.
pub(crate) fn walk_blocks(task: Task, branches: Branches) -> Result<(Draft, Recorder), Vec<Diagnostic>> {
    let Walked { draft, recorder, .. } = walk_with(task, Some(Recorder::new(branches.clone())), None)?;
    let draft = Draft { arrays: Vec::new(), accesses: Vec::new(), ..draft };
    Ok((draft, recorder.unwrap_or_else(|| Recorder::new(branches))))
}

/// Reads the body of a function; also returns the operations that the parts of the draft come from. Values of
/// parameters are those that are known in front of `before`, an operation at the top level.
pub(crate) fn walk_with_origins<'a>(task: Task<'a, '_>, before: Op<'a>) -> Result<Walked<'a>, Vec<Diagnostic>> {
    walk_with(task, None, Some(before))
}

/// What a walk has found.
pub(crate) struct Walked<'a> {
    pub(crate) draft: Draft,
    pub(crate) origins: WalkOrigins<'a>,
    /// By candidate for a parameter, its value.
    pub(crate) params: Vec<ParamSource<'a>>,
    recorder: Option<Recorder>,
    bound: Bound,
}

fn walk_with<'a>(
    task: Task<'a, '_>,
    recorder: Option<Recorder>,
    before: Option<Op<'a>>,
) -> Result<Walked<'a>, Vec<Diagnostic>> {
    let function = task.function;
    let mut walker = Walker::new(task, recorder);
    let mut body = walker.function_begins(function);
    for region in ffi::regions(function) {
        body.extend(walker.region(region));
    }
    body.extend(walker.function_ends(function));
    if !walker.has_errors() {
        walker.size_arrays();
        walker.shape_linear();
        walker.refuse_untold();
    }
    let (bound, params) = (Bound::of(&walker), walker.param_sources(before));
    let origins = std::mem::take(&mut walker.origins);
    let (draft, recorder) = walker.finish(body)?;
    Ok(Walked { draft, origins, params, recorder, bound })
}

impl<'a> Walker<'a, '_> {
    #[must_use]
    pub(crate) fn region(&mut self, region: Region<'a>) -> Vec<Node> {
        let around = self.origins.enter();
        let nodes = ffi::operations(region).flat_map(|op| self.operation(op)).collect::<Vec<_>>();
        self.origins.leave(around);
        Node::merged(nodes)
    }

    /// Returns the nodes that an operation adds to the tree.
    pub(super) fn operation(&mut self, op: Op<'a>) -> Vec<Node> {
        if self.exhausted(op) {
            return Vec::new();
        }
        match ffi::name(op).as_str() {
            "affine.for" => self.affine_for(op),
            "scf.for" => self.scf_for(op),
            "affine.parallel" => self.affine_parallel(op),
            "scf.parallel" => self.scf_parallel(op),
            "scf.forall" => self.scf_forall(op),
            "omp.parallel" => self.omp_parallel(op),
            "scf.while" => self.scf_while(op),
            "affine.if" => self.affine_if(op),
            "scf.if" => self.scf_if(op),
            "scf.index_switch" => self.index_switch(op),
            "memref.alloca_scope" | "scf.execute_region" => self.branch(op, &Cases::Always(0), None),
            "affine.load" | "memref.load" => {
                self.values.recall(op);
                self.access(op, AccessKind::Read)
            }
            "affine.store" | "memref.store" => {
                self.values.remember(op);
                self.access(op, AccessKind::Write)
            }
            "affine.vector_load" | "vector.load" => self.vector_access(op, AccessKind::Read),
            "affine.vector_store" | "vector.store" => self.vector_access(op, AccessKind::Write),
            "vector.maskedload" => self.masked_access(op, AccessKind::Read),
            "vector.maskedstore" => self.masked_access(op, AccessKind::Write),
            "vector.mask" => self.under_mask(op),
            "vector.transfer_read" => self.transfer(op, AccessKind::Read),
            "vector.transfer_write" => self.transfer(op, AccessKind::Write),
            "memref.atomic_rmw" => self.update(op),
            "memref.copy" => self.copy(op),
            "memref.reshape" => self.reshape(op),
            "krnl.memcpy" => self.memcpy(op),
            "func.call" => self.call(op),
            "func.call_indirect" => self.call_outside(op, "", library::indirect()),
            "llvm.call" | calls::LLVM_CALL => self.call_library(op),
            "scf.reduce" | "scf.forall.in_parallel" => {
                ffi::regions(op).into_iter().flat_map(|region| self.region(region)).collect()
            }
            "memref.alloc" | "memref.alloca" => {
                self.allocation(op);
                Vec::new()
            }
            "affine.prefetch" | "memref.prefetch" => {
                let text = "prefetches are left out: they are not counted as accesses";
                self.assuming(op, AssumptionKind::Prefetch, text);
                Vec::new()
            }
            "affine.yield"
            | "func.return"
            | "scf.yield"
            | "scf.reduce.return"
            | "memref.alloca_scope.return"
            | "scf.condition"
            | "omp.yield"
            | "omp.terminator" => Vec::new(),
            _ if unsupported::touches_no_memory(op) => {
                if ffi::name(op) == "cf.assert" {
                    self.assertion(op);
                }
                self.values.define(op);
                self.registers(op)
            }
            name if unsupported::is_foreign_on_registers(op) => {
                self.assuming(
                    op,
                    AssumptionKind::UnknownOperation,
                    format!(
                        "`{name}` is not known: it is assumed to touch none of the arrays, because none is an operand"
                    ),
                );
                self.values.define(op);
                Vec::new()
            }
            name => {
                self.refuse(op, name);
                Vec::new()
            }
        }
    }

    /// Walks an allocation; one in a loop is one buffer for all iterations, unless an iteration passes it on.
    fn allocation(&mut self, op: Op<'a>) {
        self.values.allocated(op);
        if self.loop_depth == 0 {
            return self.values.define(op);
        }
        if lifetimes::is_passed_on(op) {
            let why = "an iteration passes on memory that it allocates, whose address is not known";
            return self.refuse_allocation(op, why, "allocate the memory that iterations pass on before the loops");
        }
        self.values.define(op);
        if self.values.size_varies(op) {
            let why = "its size, and with it the distance of its rows, differs between iterations";
            return self.refuse_allocation(op, why, "allocate the largest size before the loops");
        }
        let name = ffi::name(op);
        let one = format!("`{name}` in a loop is one buffer for all iterations");
        if name == "memref.alloca" {
            self.assuming(
                op,
                AssumptionKind::ReusedMemory,
                format!("{one}: the stack gives every iteration the same memory"),
            );
        } else if lifetimes::is_freed_in_block(op) {
            let why = "the allocator is taken to return the memory that was freed in the iteration before";
            self.assuming(op, AssumptionKind::ReusedMemory, format!("{one}: {why}"));
        } else {
            let text = format!("{one}, as `buffer-loop-hoisting` makes of it: it is never freed");
            self.assuming(op, AssumptionKind::HoistedBuffer, text);
        }
    }

    fn refuse_allocation(&mut self, op: Op<'a>, why: &str, hint: &str) {
        let error = self.error(op, format!("`{}` inside a loop is not supported", ffi::name(op)));
        self.push_error(error.note(why).hint(hint));
        self.values.refuse(op);
    }
}
