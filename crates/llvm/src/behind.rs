//! Integers that are read at fixed places behind a pointer: sizes that are passed by reference, as Fortran does.

use std::num::NonZero;

use crate::ffi::{DataLayout, Opcode, Value};
use crate::places::Places;

/// An integer that is read behind a pointer.
pub(crate) struct SizeBehind<'m> {
    pub(crate) load: Value<'m>,
    pub(crate) byte: i64,
    pub(crate) width: NonZero<u32>,
}

impl<'m> SizeBehind<'m> {
    /// Returns what the affine program calls it: the variable that it is read into, or its place in the object.
    pub(crate) fn name(&self, places: &Places<'m>, object: Option<&str>) -> Option<String> {
        let place = |object: &str| if self.byte == 0 { object.to_owned() } else { format!("{object}_{}", self.byte) };
        places.name(self.load).or_else(|| object.map(place))
    }
}

/// Finds the integers that are read at fixed places behind a pointer.
pub(crate) fn sizes_behind<'m>(pointer: Value<'m>, layout: &DataLayout<'_>) -> Vec<SizeBehind<'m>> {
    let mut found = Vec::new();
    for user in pointer.users() {
        match user.opcode() {
            Some(Opcode::LLVMLoad) => found.extend(size_at(user, 0)),
            Some(Opcode::LLVMGetElementPtr) => {
                let Some(byte) = steps(user, layout) else { continue };
                found.extend(user.users().into_iter().filter_map(|load| size_at(load, byte)));
            }
            _ => {}
        }
    }
    found
}

fn size_at(load: Value<'_>, byte: i64) -> Option<SizeBehind<'_>> {
    let width = load.opcode().filter(|code| *code == Opcode::LLVMLoad).and_then(|_| load.r#type().integer_width())?;
    Some(SizeBehind { load, byte, width: NonZero::new(width)? })
}

/// Returns how many bytes an address lies behind another one, if it is a constant number of elements.
fn steps(address: Value<'_>, layout: &DataLayout<'_>) -> Option<i64> {
    let [_, index] = address.operands()[..] else { return None };
    let bytes = i64::try_from(layout.size(address.pointee()?)?).ok()?;
    index.constant()?.checked_mul(bytes)
}
