//! Integers that are read at constant offsets behind a pointer: sizes that are passed by reference, as in Fortran, or
//! elements of a global array.

use std::num::NonZero;
use std::ops::Range;

use crate::ir::ffi::{DataLayout, Opcode, Value};
use crate::ir::places::Places;

/// An integer that is read behind a pointer.
pub(crate) struct SizeBehind<'m> {
    pub(crate) load: Value<'m>,
    pub(crate) byte: i64,
    pub(crate) width: NonZero<u32>,
}

impl<'m> SizeBehind<'m> {
    /// Returns its bytes.
    pub(crate) fn bytes(&self) -> Range<i64> {
        self.byte..self.byte.saturating_add(i64::from(self.width.get().div_ceil(8)))
    }

    /// Returns its name in the affine program: the variable that it is read into, or object and offset.
    pub(crate) fn name(&self, places: &Places<'m>, object: Option<&str>) -> Option<String> {
        let place = |object: &str| if self.byte == 0 { object.to_owned() } else { format!("{object}_{}", self.byte) };
        places.name(self.load).or_else(|| object.map(place))
    }
}

/// Returns the integers that are read at constant offsets behind a pointer.
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

/// The largest depth to which a subscript is folded.
const DEEPEST: u32 = 16;

/// Returns the value of a subscript that is computed from constants, which nothing has folded yet.
fn folded(subscript: Value<'_>, depth: u32) -> Option<i64> {
    if let Some(value) = subscript.constant() {
        return Some(value);
    }
    let depth = depth.checked_sub(1)?;
    let operand = |index| folded(subscript.operand(index)?, depth);
    match subscript.opcode()? {
        Opcode::LLVMSExt => operand(0),
        Opcode::LLVMAdd => operand(0)?.checked_add(operand(1)?),
        Opcode::LLVMSub => operand(0)?.checked_sub(operand(1)?),
        Opcode::LLVMMul => operand(0)?.checked_mul(operand(1)?),
        _ => None,
    }
}

/// Returns the offset of a `getelementptr` in bytes, if its subscripts are constants.
fn steps(address: Value<'_>, layout: &DataLayout<'_>) -> Option<i64> {
    match stepped_to(address, layout)? {
        SteppedTo::At(byte) => Some(byte),
        SteppedTo::In(_) => None,
    }
}

/// The place to which a `getelementptr` steps, in bytes from its base.
pub(crate) enum SteppedTo {
    /// This byte.
    At(i64),
    /// Somewhere in an array that is a member, or the whole, of the type at the base.
    In(Range<i64>),
}

/// Returns the place to which a `getelementptr` steps; `None` if it may be outside of the type at the base. An array of one element is
/// taken to go on, as in C before flexible members.
pub(crate) fn stepped_to(address: Value<'_>, layout: &DataLayout<'_>) -> Option<SteppedTo> {
    let operands = address.operands();
    let (_, subscripts) = operands.split_first()?;
    let mut kind = address.pointee()?;
    let mut byte = 0_i64;
    for (position, subscript) in subscripts.iter().enumerate() {
        let index = folded(*subscript, DEEPEST);
        let step = match position {
            0 => index?.checked_mul(i64::try_from(layout.size(kind)?).ok()?)?,
            _ if kind.is_struct() => {
                let field = u32::try_from(index?).ok()?;
                let offset = i64::try_from(layout.field_offset(kind, field)).ok()?;
                kind = kind.field(field)?;
                offset
            }
            _ => {
                let (element, count) = kind.array()?;
                let Some(index) = index else {
                    let bytes = i64::try_from(layout.size(kind)?).ok().filter(|_| count > 1);
                    let end = bytes.and_then(|bytes| byte.checked_add(bytes)).unwrap_or(i64::MAX);
                    return Some(SteppedTo::In(byte..end));
                };
                kind = element;
                index.checked_mul(i64::try_from(layout.size(kind)?).ok()?)?
            }
        };
        byte = byte.checked_add(step)?;
    }
    Some(SteppedTo::At(byte))
}
