//! Copies and initialisations of memory: `memset`, `memcpy`, and code that Clang turns into these, such as
//! `double sum[4] = {0}`.
//!
//! The library's own order of accesses is unknown. The model touches a block element by element in ascending order, as
//! a loop would; a copy reads each element and then writes it. The element size is that of the function's own loads and
//! stores of the same objects.

use std::collections::BTreeSet;

use symloc_affine::{AccessKind, AssumptionKind, Expr, Loop, Node as Tree};
use symloc_frontend::cases::Cases;
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Value};
use crate::memory::mod_ref::Behind;
use crate::values::environment::Values;
use crate::values::lattice::Pointer;
use crate::walk::walker::Walker;
use symloc_frontend::poly::Poly;

impl<'m> Walker<'m, '_> {
    /// Returns the accesses of a call that fills or copies a block of memory.
    #[must_use]
    pub(crate) fn bulk(&mut self, call: Value<'m>, stem: &str, arguments: &[Value<'m>]) -> Vec<Tree> {
        if !self.counts(call) || self.recorder.is_some() {
            return Vec::new();
        }
        let read = arguments.get(1).filter(|_| stem != "memset").and_then(|from| self.values.pointer(*from).ok());
        if read.is_some_and(|read| self.values.in_descriptor(&read).is_some()) {
            return Vec::new();
        }
        match self.elements(call, stem, arguments) {
            Ok((nodes, bytes)) => {
                let done = if stem == "memset" { "filled" } else { "copied" };
                let text = format!("memory is {done} in elements of {bytes} bytes, in ascending order");
                self.assuming(call, AssumptionKind::FilledMemory, text);
                nodes
            }
            Err(cause) => {
                let reason = self.values.explain(cause, call);
                self.refuse(
                    call,
                    format!("this copy or initialisation of memory (`{stem}`) is not supported"),
                    &reason,
                );
                Vec::new()
            }
        }
    }

    fn elements(&mut self, call: Value<'m>, stem: &str, arguments: &[Value<'m>]) -> Result<(Vec<Tree>, u64), Cause> {
        let &[to, from, length, ..] = arguments else { return Err(Cause::here("it has no length")) };
        // The initial value of a local array is part of the program, not of its data.
        let is_copy = stem != "memset" && !from.is_constant_global();
        let blocks = if is_copy { vec![to, from] } else { vec![to] };
        let Cases::Always(length) = self.values.integer(length)? else { return Err(cases()) };
        let bytes = self.element_bytes(&blocks, &length)?;
        let count = i64::try_from(bytes).ok().and_then(|bytes| length.divided(bytes)).ok_or_else(pieces)?;
        let mut pointers = Vec::new();
        for block in blocks {
            let Cases::Always(pointer) = self.values.pointer(block)? else { return Err(cases()) };
            pointers.push(pointer);
        }
        if stem == "memmove" && is_copy && pointers.iter().all(|pointer| pointer.root == pointers[0].root) {
            return Err(Cause::hinted(
                "it copies within one array, in a direction that depends on the addresses",
                "write the loop",
            ));
        }
        let roots = pointers.iter().map(|pointer| pointer.root).collect();
        let extents = self.extents(call, &count, roots).ok_or_else(|| {
            Cause::hinted("the number of elements is not a product of sizes, or of sums of sizes", "write the loops")
        })?;
        // Two negative factors have a positive product, but loops without iterations.
        let doubtful: Vec<&Expr> = extents.iter().filter(|extent| !self.values.ranges.non_negative(extent)).collect();
        let is_one = doubtful.len() == 1;
        if !is_one && !doubtful.iter().all(|extent| self.values.require(extent, call, NOT_NEGATIVE)) {
            return Err(Cause::hinted("the factors of its number of elements may be negative", "write the loops"));
        }
        Ok((self.each(call, &extents, Poly::default(), &pointers, bytes)?, bytes))
    }

    /// Returns the loops over the remaining extents, with the accesses inside.
    fn each(
        &mut self,
        call: Value<'m>,
        extents: &[Expr],
        index: Poly,
        pointers: &[Pointer],
        bytes: u64,
    ) -> Result<Vec<Tree>, Cause> {
        let Some((extent, inner)) = extents.split_first() else {
            let mut nodes = Vec::new();
            let step = i64::try_from(bytes).unwrap_or(1);
            for (pointer, is_written) in pointers.iter().zip([true, false]).rev() {
                let kind = if is_written { AccessKind::Write } else { AccessKind::Read };
                nodes.push(self.element(call, kind, pointer.advanced(&index, step)?, bytes));
            }
            self.recent.clear();
            return Ok(nodes);
        };
        let iter = self.raising.new_iterator(Some("element".to_owned()), self.values.places.of(call));
        let (lower, upper) = (vec![Expr::default()], vec![extent.clone()]);
        self.values.ranges.set(iter, &lower, &upper);
        let index = index.product(&extent.clone().into())?.plus(&Values::iterator(iter))?;
        let body = self.each(call, inner, index, pointers, bytes)?;
        Ok(vec![Tree::Loop(Loop { iter, lower, upper, step: 1.into(), body })])
    }

    /// Returns the size of the elements that the function touches in the same objects.
    fn element_bytes(&self, blocks: &[Value<'m>], length: &Poly) -> Result<u64, Cause> {
        let mut objects = BTreeSet::new();
        blocks.iter().for_each(|block| objects.extend(Behind::of(*block).objects.into_keys()));
        let mut sizes = BTreeSet::new();
        for instruction in self.cfg.blocks.iter().flat_map(|block| block.instructions()) {
            let (address, kind) = match instruction.opcode() {
                Some(Opcode::LLVMLoad) => (instruction.operand(0), Some(instruction.r#type())),
                Some(Opcode::LLVMStore) => (instruction.operand(1), instruction.operand(0).map(Value::r#type)),
                _ => continue,
            };
            let is_same = address
                .is_some_and(|address| Behind::of(address).objects.keys().any(|object| objects.contains(object)));
            let kind = kind.map(|kind| kind.vector().map_or(kind, |(element, _)| element));
            sizes.extend(kind.filter(|_| is_same).and_then(|kind| self.values.layout.size(kind)));
        }
        let whole = |bytes: &u64| i64::try_from(*bytes).is_ok_and(|bytes| length.divided(bytes).is_some());
        match sizes.into_iter().collect::<Vec<_>>().as_slice() {
            [] => [8, 4, 2, 1].into_iter().find(whole).ok_or_else(pieces),
            [only] => Ok(*only),
            _ => Err(Cause::hinted("it touches elements of several sizes", "assign the members one by one")),
        }
    }
}

/// The reason for a condition on the factors of a number of elements.
const NOT_NEGATIVE: &str = "no factor of the number of elements that are filled or copied may be negative";

fn pieces() -> Cause {
    Cause::here("it does not end with a whole element")
}

fn cases() -> Cause {
    Cause::hinted("its address or its size depends on conditions", "write the loop")
}
