//! Which objects a function writes to, as far as its text tells.
//!
//! The address of a store leads back, through pointer arithmetic, to an argument, a global, an allocation, or to a pointer
//! that is loaded from such an object, or from what a pointer in it points at: the *depth* is how many pointers are loaded
//! on the way. What is not written keeps its value: integers in it are sizes, pointers in it are objects.

use std::collections::{BTreeMap, BTreeSet};

use crate::ffi::{Opcode, Value};

/// The objects that stores write to.
#[derive(Debug, Default)]
pub(crate) struct Written<'m> {
    objects: BTreeSet<(Value<'m>, usize)>,
    /// Something is written behind more pointers than are followed.
    deeper: bool,
    /// Objects with a single store, which is at the start of the function, to their start.
    once: BTreeMap<Value<'m>, Value<'m>>,
    /// The instructions at the start of the function.
    start: Vec<Value<'m>>,
}

/// How many loaded pointers are followed.
const DEEPEST: usize = 6;

impl<'m> Written<'m> {
    /// What a function writes to.
    pub(crate) fn by(function: Value<'m>) -> Self {
        let blocks = function.blocks();
        let start = blocks.first().map(|block| block.instructions()).unwrap_or_default();
        let mut written = Self { start, ..Self::default() };
        let instructions: Vec<_> = blocks.into_iter().flat_map(|block| block.instructions()).collect();
        let writes = |i: &Value<'m>| i.opcode() == Some(Opcode::LLVMStore) || filled(*i).is_some();
        let stores: Vec<_> = instructions.into_iter().filter(writes).collect();
        let mut stored_to: BTreeMap<(Value<'m>, usize), usize> = BTreeMap::new();
        for store in &stores {
            let (objects, deeper) = filled(*store).or(store.operand(1)).map(objects_behind).unwrap_or_default();
            written.deeper |= deeper;
            for object in objects {
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

    /// Is something written to an object, or to what lies behind so many pointers in it?
    pub(crate) fn contains(&self, object: Value<'m>, depth: usize) -> bool {
        depth > 0 && self.deeper || self.objects.contains(&(object, depth))
    }

    /// What was stored in an object before a load from its start, if it is the only store to it.
    pub(crate) fn stored_before(&self, load: Value<'m>) -> Option<Value<'m>> {
        let store = self.once.get(&load.operand(0)?)?;
        let place = |instruction: &Value<'m>| self.start.iter().position(|other| other == instruction);
        let value = store.operand(0).filter(|value| value.r#type() == load.r#type())?;
        (place(store) < Some(place(&load).unwrap_or(usize::MAX))).then_some(value)
    }
}

/// What a call of `memset` and the like writes to.
fn filled(call: Value<'_>) -> Option<Value<'_>> {
    let (callee, arguments) = call.call()?;
    callee.name().starts_with("llvm.mem").then(|| arguments.first().copied()).flatten()
}

/// The objects that an address leads back to, with how many pointers are loaded on the way; and whether there may be
/// more, behind more pointers.
pub(crate) fn objects_behind(address: Value<'_>) -> (BTreeSet<(Value<'_>, usize)>, bool) {
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
    (found, deeper)
}
