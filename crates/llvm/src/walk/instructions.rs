//! Instructions of a block, and their accesses.

use symloc_affine::{AccessKind, Expr, Loop, Node as Tree};
use symloc_frontend::cases::{Cases, guard};

use crate::ir::cfg::Node;
use crate::ir::ffi::{Opcode, Type, Value};
use crate::ir::library;
use crate::memory::base_objects::Overlap;
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer};
use crate::values::refusals::{in_subscript, operand};
use crate::walk::mix;
use crate::walk::walker::{RawAccess, Walker};

impl<'m> Walker<'m, '_> {
    /// Walks the instructions of a block.
    #[must_use]
    pub(super) fn straight(&mut self, node: Node) -> Vec<Tree> {
        self.reached.insert(node);
        let instructions = self.cfg.blocks[node].instructions();
        instructions.into_iter().flat_map(|instruction| self.instruction(instruction)).collect()
    }

    /// Returns the nodes that an instruction adds to the tree.
    #[must_use]
    fn instruction(&mut self, value: Value<'m>) -> Vec<Tree> {
        use Opcode as O;
        if self.raising.exhausted(|| Some(self.values.places.or_start(value))) {
            return Vec::new();
        }
        match value.opcode() {
            Some(O::LLVMPHI | O::LLVMBr | O::LLVMSwitch | O::LLVMRet | O::LLVMUnreachable) | None => Vec::new(),
            Some(O::LLVMLoad) => {
                let nodes = self.access(value, AccessKind::Read, 0, value.r#type());
                let known = self.values.loaded(value);
                let known = known.unwrap_or_else(|cause| Known::Unknown(self.values.explain(cause, value)));
                self.values.set(value, known);
                nodes
            }
            Some(O::LLVMStore) => {
                let stored = value.operand(0).map(Value::r#type);
                stored.map(|kind| self.access(value, AccessKind::Write, 1, kind)).unwrap_or_default()
            }
            Some(O::LLVMAlloca) => {
                let root = self.values.object(value, Overlap::Never);
                self.values.set(value, Known::Pointer(Cases::Always(Pointer::to(root))));
                Vec::new()
            }
            Some(O::LLVMCall | O::LLVMInvoke) => self.call(value),
            Some(opcode) if library::is_forbidden(opcode) => {
                self.report(value, library::forbidden(opcode));
                Vec::new()
            }
            Some(opcode) => {
                if opcode == O::LLVMSelect {
                    self.chosen_on_data(value);
                }
                self.values.define(value);
                counted(Some(if self.counts(value) { mix::flops(value) } else { 0 }))
            }
        }
    }

    /// Returns the access of a load or store whose address is an operand.
    #[must_use]
    pub(crate) fn access(&mut self, at: Value<'m>, kind: AccessKind, address: u32, accessed: Type<'m>) -> Vec<Tree> {
        if !self.counts(at) || self.recorder.is_some() {
            return Vec::new();
        }
        let name = if kind == AccessKind::Read { "read" } else { "write" };
        let pointer = operand(at, address).and_then(|address| self.values.pointer(address));
        let pointer = match pointer {
            Ok(pointer) => pointer,
            Err(cause) => {
                let reason = in_subscript(&self.values.explain(cause, at), self.around.is_some());
                self.refuse(at, format!("the address of this {name} is not affine"), &reason);
                return Vec::new();
            }
        };
        if self.values.in_descriptor(&pointer).is_some() && kind == AccessKind::Read {
            return Vec::new();
        }
        let (element, lanes) = accessed.vector().unwrap_or((accessed, 1));
        let Some(bytes) = self.values.layout.size(element) else {
            self.refuse_with(at, format!("this {name} is not supported"), "its size is not known", None);
            return Vec::new();
        };
        if kind == AccessKind::Write {
            self.recent.clear();
        }
        let pointer = pointer.decided(&|constraint| self.values.ranges.decide(constraint));
        self.in_each_case(pointer, &mut |walker, pointer| match lanes {
            1 => vec![walker.element(at, kind, pointer, bytes)],
            _ => walker.vector(at, kind, &pointer, bytes, lanes),
        })
    }

    /// Applies `leaf` to the value of each case, with the conditions of the case as facts.
    #[must_use]
    pub(crate) fn in_each_case<T>(
        &mut self,
        value: Cases<T>,
        leaf: &mut impl FnMut(&mut Self, T) -> Vec<Tree>,
    ) -> Vec<Tree> {
        let when = match value {
            Cases::Always(value) => return leaf(self, value),
            Cases::When(when) => *when,
        };
        let facts = self.values.ranges.facts().to_vec();
        when.condition.iter().for_each(|c| self.values.ranges.add_fact(c.clone()));
        let then = self.in_each_case(when.then, leaf);
        self.values.ranges.replace_facts(facts.clone());
        self.values.ranges.add_negation(&when.condition);
        let otherwise = self.in_each_case(when.otherwise, leaf);
        self.values.ranges.replace_facts(facts);
        guard(when.condition, then, otherwise)
    }

    /// Returns an access to one element.
    #[must_use]
    pub(crate) fn element(&mut self, at: Value<'m>, kind: AccessKind, pointer: Pointer, bytes: u64) -> Tree {
        let facts = self.values.ranges.facts().to_vec();
        self.recent.push(self.raising.accesses.len());
        Tree::Access(self.raising.push_access(RawAccess { kind, pointer, bytes, at, facts }))
    }

    /// Returns the accesses to a vector: its lanes, in ascending order.
    #[must_use]
    fn vector(&mut self, at: Value<'m>, kind: AccessKind, pointer: &Pointer, bytes: u64, lanes: u32) -> Vec<Tree> {
        let iter = self.raising.new_iterator(Some("lane".to_owned()), self.values.places.of(at));
        let (lower, upper) = (vec![Expr::default()], vec![Expr::constant(lanes.into())]);
        self.values.ranges.set(iter, &lower, &upper);
        let step = i64::try_from(bytes).unwrap_or(1);
        match Values::lane(pointer, &Expr::iter(iter), step) {
            Ok(lane) => {
                let body = vec![self.element(at, kind, lane, bytes)];
                vec![Tree::Loop(Loop { iter, lower, upper, step: 1.into(), body })]
            }
            Err(cause) => {
                let reason = self.values.explain(cause, at);
                self.refuse(at, "the address of this vector is not affine", &reason);
                Vec::new()
            }
        }
    }
}

/// Returns the node for a number of floating-point operations; `None` is an unknown number.
pub(crate) fn counted(count: Option<u64>) -> Vec<Tree> {
    if count == Some(0) { Vec::new() } else { vec![Tree::Operations(count)] }
}
