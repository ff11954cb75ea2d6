//! `std::vector`: pointers to the start and the end, whose distance is the size.
//!
//! A vector that the function does not resize keeps both pointers, so `v.size()` is a size, `v_size`. The size of an
//! element follows from the name of the type that holds the pointers in GNU's library, for elements of the language's
//! own types, or from the divisor of the pointers' distance.

use symloc_frontend::Domain;
use symloc_frontend::cases::Cases;

use crate::ir::ffi::{Opcode, Value};
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer};

/// The bytes of a pointer; the pointer to the end of a vector follows that to its start.
const POINTER: i64 = 8;

impl<'m> Values<'m> {
    /// Returns the end of a vector, if a load is of its pointer to the end.
    pub(crate) fn end_of_vector(&mut self, load: Value<'m>, holder: &Pointer) -> Option<Pointer> {
        let address = load.operand(0).filter(|address| address.opcode() == Some(Opcode::LLVMGetElementPtr))?;
        let held = address.pointee()?.name().filter(|name| name.ends_with("::_Vector_impl_data"))?;
        let element = element_bytes(held).or_else(|| divisor(load))?;
        let is_end = address.operands().last().and_then(|field| field.constant()) == Some(1);
        let byte = holder.bytes().ok()?.as_constant().filter(|_| is_end)?;
        let start = self.object_in_memory(load, holder.root, byte - POINTER);
        let name = format!("{}_size", self.roots.get(holder.root).name);
        match self.named_size(holder.root, byte, Domain::Size, || Some(name), load) {
            Known::Integer(Cases::Always(size)) => Pointer::to(start).advanced(&size, element).ok(),
            _ => None,
        }
    }
}

/// Returns the bytes of an element, from `struct.std::_Vector_base<double, std::allocator<double>>::_Vector_impl_data`.
fn element_bytes(name: &str) -> Option<i64> {
    let (_, arguments) = name.split_once("::_Vector_base<")?;
    let (element, _) = arguments.split_once(", std::allocator")?;
    Some(match element {
        "char" | "signed char" | "unsigned char" => 1,
        "short" | "unsigned short" => 2,
        "int" | "unsigned int" | "float" => 4,
        "long" | "unsigned long" | "long long" | "unsigned long long" | "double" | "std::complex<float>" => 8,
        "long double" | "std::complex<double>" => 16,
        _ if element.ends_with('*') => POINTER,
        _ => return None,
    })
}

/// Returns the divisor of the distance of a pointer from another one.
fn divisor(pointer: Value<'_>) -> Option<i64> {
    let distances = users(users(vec![pointer], Opcode::LLVMPtrToInt), Opcode::LLVMSub);
    let quotients = users(distances, Opcode::LLVMSDiv);
    quotients.into_iter().find_map(|quotient| quotient.operand(1)?.constant()).filter(|bytes| *bytes > 0)
}

/// Returns the instructions with an opcode that use one of several values.
fn users<'m>(values: Vec<Value<'m>>, opcode: Opcode) -> Vec<Value<'m>> {
    let users = values.into_iter().flat_map(|value| value.users());
    users.filter(|user| user.opcode() == Some(opcode)).collect()
}
