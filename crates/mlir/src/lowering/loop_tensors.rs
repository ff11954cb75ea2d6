//! Tensors that a loop carries from one iteration to the next, such as the states of a recurrent network.
//!
//! Bufferization gives such a tensor one buffer for all iterations, if each iteration writes its result into the tensor
//! that it got. A result that is a tensor of its own is copied into that buffer at the end of the iteration.

use melior::Context;
use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::TypeLike;

use crate::ffi::{self, Definition, Op, Val, definition};

/// Copies the tensors that loops yield into the buffers of those that they carry; returns true if there was one.
pub(crate) fn copy_back(context: &Context, function: Op) -> bool {
    let loops: Vec<_> = ffi::all_within(function).into_iter().filter(|op| ffi::name(*op) == "scf.for").collect();
    // `count` visits every loop, which `any` would not.
    loops.into_iter().filter(|op| copy_back_in(context, *op).unwrap_or(false)).count() > 0
}

fn copy_back_in<'a>(context: &'a Context, op: Op<'a>) -> Option<bool> {
    let carried: Vec<Val<'a>> = ffi::arguments(op).into_iter().skip(1).collect();
    let last = ffi::operations(op.first_region()?).last()?;
    let mut copied = false;
    for (position, (state, value)) in carried.into_iter().zip(last.operands().collect::<Vec<_>>()).enumerate() {
        if !state.r#type().is_tensor() || !starts_elsewhere(value, state) {
            continue;
        }
        let name = "bufferization.materialize_in_destination";
        let copy = ffi::insert_before(context, last, name, &[value, state], state.r#type(), &[])?;
        ffi::set_operand(last, position, copy);
        copied = true;
    }
    Some(copied)
}

/// Returns true if a tensor is known to be written into another one than the state.
fn starts_elsewhere<'a>(mut value: Val<'a>, state: Val<'a>) -> bool {
    loop {
        if value == state {
            return false;
        }
        let Definition::Result { op } = definition(value) else { return true };
        let name = ffi::name(op);
        let written_on = match name.as_str() {
            "tensor.empty" | "bufferization.alloc_tensor" | "arith.constant" => return true,
            "tensor.insert" | "tensor.insert_slice" => op.operand(1),
            "tensor.cast" | "tensor.expand_shape" | "tensor.collapse_shape" | "tensor.extract_slice" => op.operand(0),
            // The last operands are the outputs, one for each result.
            _ if name.starts_with("linalg.") => {
                let position = op.results().position(|result| Val::from(result) == value).unwrap_or(0);
                op.operand((op.operand_count() + position).saturating_sub(op.result_count()))
            }
            _ => return false,
        };
        match written_on {
            Ok(next) => value = next,
            Err(_) => return false,
        }
    }
}
