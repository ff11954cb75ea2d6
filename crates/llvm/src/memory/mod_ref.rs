//! The objects that a function writes to, by its instructions.
//!
//! The address of a store leads back, through pointer arithmetic and loaded pointers, to an argument, a global or an
//! allocation; the *depth* is the number of pointers that are loaded on the way. Memory that is not written is
//! constant: integers in it are sizes, pointers in it are objects. A store to an element of an array that is a member writes to this
//! member at most: other members are sizes all the same.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::pointed_sizes::{SteppedTo, stepped_to};
use crate::ir::ffi::{DataLayout, Opcode, Value};

/// The objects that stores write to.
#[derive(Debug, Default)]
pub(crate) struct Written<'m> {
    /// With the bytes from the first to the last that may be written.
    objects: BTreeMap<(Value<'m>, usize), Range<i64>>,
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
    pub(crate) fn by(function: Value<'m>, layout: &DataLayout<'_>) -> Self {
        let blocks = function.blocks();
        let start = blocks.first().map(|block| block.instructions()).unwrap_or_default();
        let mut written = Self { start, ..Self::default() };
        let instructions: Vec<_> = blocks.into_iter().flat_map(|block| block.instructions()).collect();
        let writes = |i: &Value<'m>| i.opcode() == Some(Opcode::LLVMStore) || filled(*i).is_some();
        let stores: Vec<_> = instructions.into_iter().filter(writes).collect();
        let mut stored_to: BTreeMap<(Value<'m>, usize), usize> = BTreeMap::new();
        for store in &stores {
            let bytes =
                store.operand(0).filter(|_| filled(*store).is_none()).and_then(|value| layout.size(value.r#type()));
            let bytes = bytes.and_then(|bytes| i64::try_from(bytes).ok()).map_or(ANY_BYTES, |bytes| 0..bytes);
            let address = filled(*store).or(store.operand(1));
            let behind = address.map(|address| Behind::followed(address, bytes, Some(layout))).unwrap_or_default();
            written.deeper |= behind.deeper;
            for (object, bytes) in behind.objects {
                *stored_to.entry(object).or_default() += 1;
                include(&mut written.objects, object, &bytes);
            }
        }
        for store in stores.into_iter().filter(|i| filled(*i).is_none() && written.start.contains(i)) {
            let object = store.operand(1).filter(|object| stored_to.get(&(*object, 0)) == Some(&1));
            written.once.extend(object.map(|object| (object, store)));
        }
        written
    }

    /// Returns true if an object may be written to, behind `depth` pointers in it.
    pub(crate) fn contains(&self, object: Value<'m>, depth: usize) -> bool {
        self.contains_bytes(object, depth, &ANY_BYTES)
    }

    /// Returns true if some bytes of an object may be written to, behind `depth` pointers in it.
    pub(crate) fn contains_bytes(&self, object: Value<'m>, depth: usize, bytes: &Range<i64>) -> bool {
        let meets = |written: &Range<i64>| written.start < bytes.end && bytes.start < written.end;
        depth > 0 && self.deeper || self.objects.get(&(object, depth)).is_some_and(meets)
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
pub(crate) fn filled(call: Value<'_>) -> Option<Value<'_>> {
    let (callee, arguments) = call.call()?;
    callee.name().starts_with("llvm.mem").then(|| arguments.first().copied()).flatten()
}

/// Any bytes of an object.
pub(crate) const ANY_BYTES: Range<i64> = i64::MIN..i64::MAX;

/// Adds bytes to those of an object that are known.
fn include<'m>(objects: &mut BTreeMap<(Value<'m>, usize), Range<i64>>, object: (Value<'m>, usize), bytes: &Range<i64>) {
    let known = objects.entry(object).or_insert_with(|| bytes.clone());
    *known = known.start.min(bytes.start)..known.end.max(bytes.end);
}

/// Returns bytes that are so many further from the start of an object.
fn moved(bytes: &Range<i64>, by: i64) -> Range<i64> {
    let ends = (bytes.start.checked_add(by), bytes.end.checked_add(by));
    if let (Some(start), Some(end), false) = (ends.0, ends.1, *bytes == ANY_BYTES) { start..end } else { ANY_BYTES }
}

/// The objects that an address leads back to.
#[derive(Debug, Default)]
pub(crate) struct Behind<'m> {
    /// The objects, with their depths, and the bytes from the first to the last that may be meant.
    pub(crate) objects: BTreeMap<(Value<'m>, usize), Range<i64>>,
    /// True if there may be more at a larger depth.
    deeper: bool,
}

impl<'m> Behind<'m> {
    /// Follows an address back.
    pub(crate) fn of(address: Value<'m>) -> Self {
        Self::followed(address, ANY_BYTES, None)
    }

    /// Follows the address of some bytes back; without a layout they may be anywhere in the objects.
    fn followed(address: Value<'m>, bytes: Range<i64>, layout: Option<&DataLayout<'_>>) -> Self {
        use Opcode as O;
        let mut open = vec![(address, 0, bytes)];
        let (mut seen, mut found, mut deeper) = (BTreeSet::new(), BTreeMap::new(), false);
        while let Some((value, depth, bytes)) = open.pop() {
            if !seen.insert((value, depth, bytes.start, bytes.end)) {
                continue;
            }
            match value.opcode() {
                // Behind a pointer that is loaded it does not matter where this pointer lies.
                Some(O::LLVMGetElementPtr) => {
                    let bytes = match layout.and_then(|layout| stepped_to(value, layout)) {
                        _ if depth > 0 => bytes,
                        Some(SteppedTo::At(byte)) => moved(&bytes, byte),
                        Some(SteppedTo::In(array)) if bytes != ANY_BYTES => array,
                        _ => ANY_BYTES,
                    };
                    open.extend(value.operand(0).map(|base| (base, depth, bytes)));
                }
                Some(O::LLVMBitCast | O::LLVMFreeze) => {
                    open.extend(value.operand(0).map(|base| (base, depth, bytes)));
                }
                // A pointer may be moved in each iteration.
                Some(O::LLVMPHI) => {
                    let bytes = if depth > 0 { bytes } else { ANY_BYTES };
                    open.extend(value.incoming().into_iter().map(|(_, value)| (value, depth, bytes.clone())));
                }
                Some(O::LLVMSelect) => {
                    open.extend(value.operands().into_iter().skip(1).map(|value| (value, depth, bytes.clone())));
                }
                Some(O::LLVMLoad) if depth < DEEPEST => {
                    open.extend(value.operand(0).map(|holder| (holder, depth + 1, bytes)));
                }
                Some(O::LLVMLoad) => deeper = true,
                _ => include(&mut found, (value, depth), &bytes),
            }
        }
        Self { objects: found, deeper }
    }
}
