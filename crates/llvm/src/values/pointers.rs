//! Addresses: chains of `getelementptr` as steps from the start of an object.
//!
//! A step over rows of variable length is `i·n` elements, a step within a row `j`: two instructions, two steps.
//! Constant extents are in the type that is stepped over. The rows themselves are determined later, in
//! `program::delinearize`.

use symloc_affine::Expr;
use symloc_frontend::Domain;
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Type, Value};
use crate::memory::base_objects::{Origin, Overlap, Root, RootId};
use crate::memory::descriptors::{self, Field};
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer};
use crate::values::refusals::{loaded, operand};
use symloc_frontend::poly::Poly;

impl<'m> Values<'m> {
    /// Returns the address that a `getelementptr` computes.
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
            // `A[i][0]` has a subscript within its row, although that step is empty.
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

    pub(super) fn bytes(&self, kind: Type<'m>) -> Result<i64, Cause> {
        let size = self.layout.size(kind).and_then(|size| i64::try_from(size).ok());
        size.ok_or_else(|| Cause::here("it steps over a type without a size"))
    }

    /// Returns the value of a load: a size or an object if it reads memory that is not written; else it depends on
    /// data.
    pub(crate) fn loaded(&mut self, load: Value<'m>) -> Result<Known, Cause> {
        let address = operand(load, 0)?;
        let kind = load.r#type();
        if let Some(stored) = self.written.stored_before(load) {
            return Ok(self.get(stored));
        }
        let pointers = self.pointer(address)?;
        if let Some((object, pointer)) = self.in_descriptor(&pointers) {
            return self.of_descriptor(load, object, &pointer);
        }
        if kind.is_pointer() {
            return Ok(Known::Pointer(pointers.try_map(&mut |holder: &Pointer| self.pointed_at(load, holder))?));
        }
        let Cases::Always(pointer) = pointers else { return Err(loaded()) };
        let fixed = pointer.bytes()?.as_constant();
        if let Some(value) = fixed.and_then(|byte| self.constant_at(&pointer, byte, kind)) {
            return Ok(self.get(value));
        }
        let bytes = self.bytes(kind)?;
        let is_size = |byte: &i64| !self.is_written(pointer.root, Some(&(*byte..byte.saturating_add(bytes))));
        let Some(byte) = fixed.filter(is_size) else {
            return Err(if self.is_counter_outside(pointer.root, kind) { changed_elsewhere() } else { loaded() });
        };
        if kind.integer_width().is_some_and(|width| (8..=64).contains(&width)) {
            return Ok(self.size_in_memory(load, pointer.root, byte));
        }
        Err(loaded())
    }

    /// Returns the integer in a constant variable, or in a table of constants, that lies so many bytes behind its
    /// start.
    fn constant_at(&self, pointer: &Pointer, byte: i64, kind: Type<'m>) -> Option<Value<'m>> {
        let Origin::Value(object) = self.roots.get(pointer.root).origin else { return None };
        let value = self.initial_at(object.is_constant_global().then(|| object.initializer())??, byte, kind)?;
        value.constant().is_some().then_some(value)
    }

    /// Returns the part of an initial value that lies so many bytes behind its start.
    pub(super) fn initial_at(&self, initial: Value<'m>, byte: i64, kind: Type<'m>) -> Option<Value<'m>> {
        let (mut value, mut byte) = (initial, u64::try_from(byte).ok()?);
        while value.r#type() != kind {
            let whole = value.r#type();
            let (index, start) = match whole.array() {
                Some((element, _)) => {
                    let size = self.layout.size(element).filter(|size| *size > 0)?;
                    (u32::try_from(byte / size).ok()?, byte - byte % size)
                }
                None => {
                    let starts = (0..).take_while(|index| whole.field(*index).is_some());
                    let starts = starts.map(|index| (index, self.layout.field_offset(whole, index)));
                    starts.take_while(|(_, start)| *start <= byte).last()?
                }
            };
            value = value.part(index)?;
            byte -= start;
        }
        (byte == 0).then_some(value)
    }

    /// Returns true for a global integer variable, whose value would be known if only this function changed it.
    fn is_counter_outside(&self, root: RootId, kind: Type<'m>) -> bool {
        match self.roots.get(root).origin {
            Origin::Value(value) => {
                value.is_global() && value.pointee() == Some(kind) && kind.integer_width().is_some()
            }
            _ => false,
        }
    }

    /// Returns the descriptor that an address points into, if it does.
    pub(crate) fn in_descriptor(&self, pointers: &Cases<Pointer>) -> Option<(Value<'m>, Pointer)> {
        let Cases::Always(pointer) = pointers else { return None };
        match self.roots.get(pointer.root).origin {
            Origin::Value(object) if self.descriptors.contains(object) => Some((object, pointer.clone())),
            _ => None,
        }
    }

    /// Returns the value of a load from a descriptor.
    fn of_descriptor(&mut self, load: Value<'m>, object: Value<'m>, pointer: &Pointer) -> Result<Known, Cause> {
        let root = pointer.root;
        if self.is_written(root, None) {
            return Err(Cause::hinted(
                "it is the shape of an array that is allocated in the same procedure and outlives it",
                "allocate it in another procedure, or let it be a local array",
            ));
        }
        let byte = pointer
            .bytes()?
            .as_constant()
            .ok_or_else(|| Cause::here("it is read from an address that is not known"))?;
        let name = self.array_name(root);
        match Field::at(byte) {
            Field::Base => {
                let Root { location, overlap, .. } = self.roots.get(root).clone();
                let origin = Origin::Loaded(root, byte);
                let array = self.roots.intern(Root { origin, name, location, declared: None, overlap });
                Ok(Known::Pointer(Cases::Always(Pointer::to(array))))
            }
            Field::Lower(_) => {
                self.taken_from_one.extend(descriptors::is_used(load).then_some(name));
                Ok(Known::integer(Poly::constant(1)))
            }
            Field::Extent(dimension) => Ok(self.extent(load, root, dimension)),
            Field::Stride(dimension) => {
                let element = self.descriptors.element(object);
                let element =
                    element.ok_or_else(|| Cause::here("how large the elements of its array are is not known"))?;
                self.taken_contiguous.extend(descriptors::is_used(load).then_some(name));
                let mut stride = Poly::constant(element);
                for outer in 0..dimension {
                    let Known::Integer(Cases::Always(extent)) = self.extent(load, root, outer) else { continue };
                    stride = stride.product(&extent)?;
                }
                Ok(Known::integer(stride))
            }
            Field::Other => Err(loaded()),
        }
    }

    /// Returns the name of the array of a descriptor.
    fn array_name(&self, descriptor: RootId) -> String {
        let root = self.roots.get(descriptor);
        let own = match root.origin {
            Origin::Value(object) => self.descriptors.name(object),
            _ => None,
        };
        own.unwrap_or(&root.name).clone()
    }

    /// Returns the extent of an array with a descriptor, a size.
    fn extent(&mut self, load: Value<'m>, root: RootId, dimension: i64) -> Known {
        let array = self.array_name(root);
        let name = format!("size_{array}_{}", dimension + 1);
        self.extents.insert(name.clone(), format!("size({array}, {})", dimension + 1));
        self.named_size(root, descriptors::extent(dimension), Domain::Size, || Some(name), load)
    }

    /// Returns the object of a pointer in memory that is never written.
    pub(crate) fn object_in_memory(&mut self, load: Value<'m>, root: RootId, byte: i64) -> RootId {
        let holder = self.roots.get(root).name.clone();
        let otherwise = || if byte == 0 { holder.clone() } else { format!("{holder}_{byte}") };
        // Names with two underscores belong to the library, not to the source.
        let name = self.places.name(load).filter(|name| !name.starts_with("__")).unwrap_or_else(otherwise);
        let location = self.places.or_start(load);
        self.roots.intern(Root {
            origin: Origin::Loaded(root, byte),
            name,
            location,
            declared: None,
            overlap: Overlap::Possible,
        })
    }

    /// Returns the address of a lane of a vector.
    pub(crate) fn lane(pointer: &Pointer, lane: &Expr, bytes: i64) -> Result<Pointer, Cause> {
        Ok(pointer.advanced(&Poly::from(lane.clone()), bytes)?)
    }
}

/// Returns the reason why a loaded pointer is not known.
pub(crate) fn loaded_pointer() -> Cause {
    Cause::hinted(
        "it is a pointer that is loaded from memory, so its target depends on data",
        "use one array with rows, A[n][m], in place of pointers to rows",
    )
}

/// Returns the reason why a global variable is not known.
fn changed_elsewhere() -> Cause {
    Cause::hinted(
        "it is a variable outside the function, or a `static` one, which a call or a pointer to it may change",
        "count with a local variable, or leave calls that do not change it out with --ignore-calls all",
    )
}
