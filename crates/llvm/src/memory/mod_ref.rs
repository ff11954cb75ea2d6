//! The objects that a function writes to, by its instructions.
//!
//! The address of a store leads back, through pointer arithmetic and loaded pointers, to an argument, a global or an
//! allocation; the *depth* is the number of pointers that are loaded on the way. Memory that is not written is
//! constant: integers in it are sizes, pointers in it are objects.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::ffi::{Opcode, Value};

/// The objects that stores write to.
#[derive(Debug, Default)]
pub(crate) struct Written<'m> {
    objects: BTreeSet<(Value<'m>, usize)>,
    /// True if a store goes through more pointers than are followed.
    deeper: bool,
    /// The objects with a single store, to their start, in the first block of the function; with that store.
    once: BTreeMap<Value<'m>, Value<'m>>,
    /// The instructions of the first block.
    start: Vec<Value<'m>>,
}

/// The most loaded pointers that are followed.
const DEEPEST: usize = 6;

impl<'m> Written<'m> {
    /// Returns the objects that a function writes to.
    pub(crate) fn by(function: Value<'m>) -> Self {
        let blocks = function.blocks();
        let start = blocks.first().map(|block| block.instructions()).unwrap_or_default();
        let mut written = Self { start, ..Self::default() };
        let instructions: Vec<_> = blocks.into_iter().flat_map(|block| block.instructions()).collect();
        let writes = |i: &Value<'m>| i.opcode() == Some(Opcode::LLVMStore) || filled(*i).is_some();
        let stores: Vec<_> = instructions.into_iter().filter(writes).collect();
        let mut stored_to: BTreeMap<(Value<'m>, usize), usize> = BTreeMap::new();
        for store in &stores {
            let behind = filled(*store).or(store.operand(1)).map(Behind::of).unwrap_or_default();
            written.deeper |= behind.deeper;
            for object in behind.objects {
                *stored_to.entry(object).or_default() += 1;
            }
        }
        for store in stores.into_iter().filter(|i| filled(*i).is_none() && written.start.contains(i)) {
            let object = store.operand(1).filter(|object| stored_to.get(&(*object, 0)) == Some(&1));
            written.once.extend(object.map(|object| (object, store)));
        }
        written.objects = stored_to.into_keys().collect();
        written
    }

    /// Returns true if an object may be written to, behind `depth` pointers in it.
    pub(crate) fn contains(&self, object: Value<'m>, depth: usize) -> bool {
        depth > 0 && self.deeper || self.objects.contains(&(object, depth))
    }

    /// Returns the value that was stored to an object before a load from its start, if that is the only store to it.
    pub(crate) fn stored_before(&self, load: Value<'m>) -> Option<Value<'m>> {
        let store = self.once.get(&load.operand(0)?)?;
        let place = |instruction: &Value<'m>| self.start.iter().position(|other| other == instruction);
        let value = store.operand(0).filter(|value| value.r#type() == load.r#type())?;
        (place(store) < Some(place(&load).unwrap_or(usize::MAX))).then_some(value)
    }
}

/// Returns the destination of a call of `memset` and the like.
fn filled(call: Value<'_>) -> Option<Value<'_>> {
    let (callee, arguments) = call.call()?;
    callee.name().starts_with("llvm.mem").then(|| arguments.first().copied()).flatten()
}

/// The objects that an address leads back to.
#[derive(Debug, Default)]
pub(crate) struct Behind<'m> {
    /// The objects, with their depths.
    pub(crate) objects: BTreeSet<(Value<'m>, usize)>,
    /// True if there may be more at a larger depth.
    deeper: bool,
}

impl<'m> Behind<'m> {
    /// Follows an address back.
    pub(crate) fn of(address: Value<'m>) -> Self {
        use Opcode as O;
        let mut open = vec![(address, 0)];
        let (mut seen, mut found, mut deeper) = (BTreeSet::new(), BTreeSet::new(), false);
        while let Some((value, depth)) = open.pop() {
            if !seen.insert((value, depth)) {
                continue;
            }
            match value.opcode() {
                Some(O::LLVMGetElementPtr | O::LLVMBitCast | O::LLVMFreeze) => {
                    open.extend(value.operand(0).map(|base| (base, depth)));
                }
                Some(O::LLVMPHI) => open.extend(value.incoming().into_iter().map(|(_, value)| (value, depth))),
                Some(O::LLVMSelect) => open.extend(value.operands().into_iter().skip(1).map(|value| (value, depth))),
                Some(O::LLVMLoad) if depth < DEEPEST => open.extend(value.operand(0).map(|holder| (holder, depth + 1))),
                Some(O::LLVMLoad) => deeper = true,
                _ => {
                    found.insert((value, depth));
                }
            }
        }
        Self { objects: found, deeper }
    }
}
