//! Addresses: `getelementptr` chains to steps from the start of an object.
//!
//! A step over an array of a variable-length row is `i·n` elements, one within the row `j`: two instructions, two steps.
//! Constant extents stand in the type that is stepped over. Nothing is guessed here; `shapes` decides what rows are.

use symloc_affine::Expr;
use symloc_frontend::cases::{Cases, join};

use crate::arithmetic::{loaded, operand};
use crate::ffi::{Type, Value};
use crate::known::{Cause, Known, Pointer, RootId};
use crate::roots::{Origin, Root};
use crate::values::Values;
use symloc_frontend::poly::Poly;

impl<'m> Values<'m> {
    /// The address that a `getelementptr` computes.
    pub(crate) fn element_address(&mut self, value: Value<'m>) -> Result<Known, Cause> {
        let base = self.pointer(operand(value, 0)?)?;
        let operands = value.operands();
        let indices: Vec<_> = operands.iter().skip(1).map(|i| self.integer(*i)).collect::<Result<_, _>>()?;
        let indices = join(&indices)?;
        let kind = value.pointee().ok_or_else(|| Cause::here("it steps over an unknown type"))?;
        let result = base.and_then(&mut |base: &Pointer| {
            indices.try_map(&mut |indices: &Vec<Poly>| self.stepped(base, kind, indices))
        })?;
        Ok(Known::Pointer(result))
    }

    pub(crate) fn stepped(&self, base: &Pointer, kind: Type<'m>, indices: &[Poly]) -> Result<Pointer, Cause> {
        let mut pointer = base.clone();
        if indices.len() == 1 && base.offset.steps.keys().any(|stride| !stride.sizes.is_empty()) {
            // `A[i][0]`: a step within a row, though none is made.
            pointer.offset.has_columns = true;
        }
        let mut kind = Some(kind);
        for (position, index) in indices.iter().enumerate() {
            let current = kind.ok_or_else(|| Cause::here("it steps into a type without parts"))?;
            if position == 0 {
                pointer = self.stepped_over(&pointer, current, index)?;
            } else if let Some((element, _)) = current.array() {
                pointer = self.stepped_over(&pointer, element, index)?;
                kind = Some(element);
            } else if let Some((element, _)) = current.vector() {
                pointer = self.stepped_over(&pointer, element, index)?;
                kind = Some(element);
            } else {
                let field = index.as_constant().and_then(|field| u32::try_from(field).ok());
                let field = field.ok_or_else(|| Cause::here("it chooses a field by a number that is not constant"))?;
                let offset = self.layout.field_offset(current, field);
                let offset = i64::try_from(offset).map_err(|_| Cause::here("its offset does not fit in 64 bits"))?;
                pointer = pointer.advanced(&Poly::constant(offset), 1)?;
                pointer.offset.within = pointer.offset.within.max(self.bytes(current)?);
                kind = current.field(field);
            }
        }
        Ok(pointer)
    }

    fn stepped_over(&self, pointer: &Pointer, kind: Type<'m>, index: &Poly) -> Result<Pointer, Cause> {
        let bytes = self.bytes(kind)?;
        if index.is_zero() {
            return Ok(pointer.clone());
        }
        let mut moved = pointer.advanced(index, bytes)?;
        if kind.is_struct() || kind.vector().is_some() {
            moved.offset.within = moved.offset.within.max(bytes);
        }
        Ok(moved)
    }

    fn bytes(&self, kind: Type<'m>) -> Result<i64, Cause> {
        let size = self.layout.size(kind).and_then(|size| i64::try_from(size).ok());
        size.ok_or_else(|| Cause::here("it steps over a type without a size"))
    }

    /// What a load gives: a size or an object where it reads what nothing writes, else it depends on data.
    pub(crate) fn loaded(&mut self, load: Value<'m>) -> Result<Known, Cause> {
        let address = operand(load, 0)?;
        let kind = load.r#type();
        if let Some(value) = constant_behind(address) {
            return Ok(self.get(value));
        }
        if let Some(stored) = self.written.stored_before(load) {
            return Ok(self.get(stored));
        }
        let pointers = self.pointer(address)?;
        if kind.is_pointer() {
            return Ok(Known::Pointer(pointers.try_map(&mut |holder: &Pointer| self.pointed_at(load, holder))?));
        }
        let Cases::Always(pointer) = pointers else { return Err(loaded()) };
        let fixed = pointer.bytes()?.as_constant();
        let Some(byte) = fixed.filter(|_| !self.is_written(pointer.root)) else { return Err(loaded()) };
        if kind.integer_width().is_some_and(|width| (16..=64).contains(&width)) {
            return Ok(self.size_in_memory(load, pointer.root, byte));
        }
        Err(loaded())
    }

    /// What a pointer in memory that is never written points at.
    pub(crate) fn object_in_memory(&mut self, load: Value<'m>, root: RootId, byte: i64) -> RootId {
        let holder = self.roots.get(root).name.clone();
        let otherwise = || if byte == 0 { holder.clone() } else { format!("{holder}_{byte}") };
        let name = self.places.name(load).unwrap_or_else(otherwise);
        let location = self.places.or_start(load);
        self.roots.intern(Root { origin: Origin::Loaded(root, byte), name, location, declared: None, distinct: false })
    }

    /// The addresses of a vector's lanes, the lane given by an iterator.
    pub(crate) fn lane(pointer: &Pointer, lane: &Expr, bytes: i64) -> Result<Pointer, Cause> {
        Ok(pointer.advanced(&Poly::from(lane.clone()), bytes)?)
    }
}

/// Why a pointer that is loaded is not followed.
pub(crate) fn loaded_pointer() -> Cause {
    Cause::hinted(
        "it is a pointer that is loaded from memory, so where it points depends on data",
        "use one array with rows, A[n][m], in place of pointers to rows",
    )
}

/// The value of a constant that is read by its name.
fn constant_behind(address: Value<'_>) -> Option<Value<'_>> {
    address.is_constant_global().then(|| address.initializer()).flatten().filter(|value| value.constant().is_some())
}
