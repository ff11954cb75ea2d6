//! Arrays of pointers to rows: `double **a`, `a[i][j]`, with any number of dimensions.
//!
//! If the pointers are not written, `a[i]` points at the same row each time, and rows are assumed not to overlap, like
//! all targets of pointers in memory. So all rows together are an array with one more dimension, whose rows may lie
//! anywhere: a row *mark* replaces the size that would be their length.
//!
//! A pointer at a constant offset, `a[0]`, points at an object of its own, unless other accesses go to all rows of `a`:
//! then it is one of them. This is decided when all accesses are known, at each level of `a[0][j][k]`.

use std::collections::BTreeSet;

use symloc_frontend::cases::Cases;
use symloc_frontend::raising::Cause;

use crate::ir::ffi::{Opcode, Value};
use crate::memory::base_objects::{Origin, Overlap, Root, RootId};
use crate::values::environment::Values;
use crate::values::lattice::Pointer;
use crate::values::pointers::loaded_pointer;
use symloc_affine::{Expr, ParamId};
use symloc_frontend::delinearize::{Offset, Steps, Stride};
use symloc_frontend::poly::row_mark;

impl<'m> Values<'m> {
    /// Returns the target of a pointer in memory, which must never be written.
    pub(crate) fn pointed_at(&mut self, load: Value<'m>, holder: &Pointer) -> Result<Pointer, Cause> {
        let byte = holder.bytes()?.as_constant();
        let end = self.bytes(load.r#type())?;
        let bytes = byte.map(|byte| byte..byte.saturating_add(end));
        if self.is_written(holder.root, bytes.as_ref()) {
            return Err(loaded_pointer());
        }
        if let Some(end) = self.end_of_vector(load, holder) {
            return Ok(end);
        }
        if let Some(target) = self.initial_target(load, holder, byte)? {
            return Ok(target);
        }
        if let Some(byte) = byte {
            return Ok(Pointer::to(self.object_in_memory(load, holder.root, byte)));
        }
        let name = format!("{}_rows", self.roots.get(holder.root).name);
        let location = self.places.or_start(load);
        let origin = Origin::Rows(holder.root);
        let rows = self.roots.intern(Root { origin, name, location, declared: None, overlap: Overlap::Possible });
        row_of(holder, rows)
    }

    /// Returns the target of a pointer in a variable of this file that has its initial value for good; `None` in other memory.
    fn initial_target(
        &mut self,
        load: Value<'m>,
        holder: &Pointer,
        byte: Option<i64>,
    ) -> Result<Option<Pointer>, Cause> {
        let Origin::Value(object) = self.roots.get(holder.root).origin else { return Ok(None) };
        let keeps_its_value = object.is_constant_global() || object.is_of_this_file() && is_only_read(object);
        let Some(initial) = object.initializer().filter(|initial| keeps_its_value && has_addresses(*initial)) else {
            return Ok(None);
        };
        let Some(byte) = byte else {
            return if self.are_arrays_of_their_own(initial) { Ok(None) } else { Err(one_of_several()) };
        };
        match self.initial_at(initial, byte, load.r#type()).filter(|target| !target.is_null()) {
            Some(target) => match self.pointer(target)? {
                Cases::Always(target) => Ok(Some(target)),
                Cases::When(_) => Err(loaded_pointer()),
            },
            None => Ok(None),
        }
    }

    /// Returns true if the addresses in an initial value are those of different variables that the function does not name.
    fn are_arrays_of_their_own(&self, initial: Value<'m>) -> bool {
        let mut targets = Vec::new();
        add_targets(initial, &mut targets);
        let different: BTreeSet<_> = targets.iter().collect();
        let named = |target: &Value<'m>| {
            self.function.instructions().flat_map(Value::operands).any(|operand| base_of(operand) == *target)
        };
        different.len() == targets.len() && !targets.iter().any(named)
    }

    /// Rewrites an address by row numbers: the target of one pointer of an array becomes one of the rows, if other
    /// accesses go to all of them.
    pub(crate) fn among_rows(&mut self, pointer: &Pointer) -> Result<Pointer, Cause> {
        let (holder, within) = match self.roots.get(pointer.root).origin {
            Origin::Loaded(holder, byte) => {
                let mut at = Pointer::to(holder);
                at.offset.add(Stride::of_bytes(1), &Expr::constant(byte))?;
                (at, pointer.offset.clone())
            }
            Origin::Rows(holder) => {
                let (at, within) = apart(&pointer.offset, row_mark(pointer.root.0));
                (Pointer { root: holder, offset: at }, within)
            }
            Origin::Value(_) | Origin::Slot(_) => return Ok(pointer.clone()),
        };
        let of_all = self.among_rows(&holder)?;
        let rows = match self.roots.find(Origin::Rows(of_all.root)) {
            Some(rows) => rows,
            None if of_all.root != holder.root => self.rows_like(of_all.root, pointer.root),
            None => return Ok(pointer.clone()),
        };
        let mut row = row_of(&of_all, rows)?;
        for (stride, count) in &within.steps {
            row.offset.add(stride.clone(), count)?;
        }
        row.offset.within = row.offset.within.max(within.within);
        row.offset.has_columns = within.has_columns;
        Ok(row)
    }

    /// Returns a new object of all rows of the pointers of `holder`, in place of the object of one.
    fn rows_like(&mut self, holder: RootId, one: RootId) -> RootId {
        let name = format!("{}_rows", self.roots.get(holder).name);
        let root = Root { origin: Origin::Rows(holder), name, ..self.roots.get(one).clone() };
        self.roots.intern(root)
    }
}

/// Returns true for a global that is only loaded from, in parts as well.
fn is_only_read(global: Value<'_>) -> bool {
    global.users().into_iter().all(|user| match user.opcode() {
        Some(Opcode::LLVMLoad) => true,
        Some(Opcode::LLVMGetElementPtr) => is_only_read(user),
        _ => false,
    })
}

/// Returns true if an initial value has an address in it.
fn has_addresses(initial: Value<'_>) -> bool {
    let mut targets = Vec::new();
    add_targets(initial, &mut targets);
    !targets.is_empty()
}

/// Adds the objects to which the addresses in an initial value point.
fn add_targets<'m>(initial: Value<'m>, targets: &mut Vec<Value<'m>>) {
    let kind = initial.r#type();
    if kind.is_pointer() && !initial.is_null() {
        targets.push(base_of(initial));
    } else if kind.is_struct() || kind.array().is_some() {
        (0..).map_while(|index| initial.part(index)).for_each(|part| add_targets(part, targets));
    }
}

/// Returns the object that a constant address lies in.
fn base_of(address: Value<'_>) -> Value<'_> {
    let inner = address.operand(0).filter(|_| address.opcode() == Some(Opcode::LLVMGetElementPtr));
    inner.map_or(address, base_of)
}

fn one_of_several() -> Cause {
    Cause::hinted(
        "it is one of several pointers that the source sets to arrays that are also used by name, or to parts of one array",
        "subscript these arrays by their names",
    )
}

/// Returns the start of the row that the pointer at `holder` points at.
fn row_of(holder: &Pointer, rows: RootId) -> Result<Pointer, Cause> {
    let mut row = Pointer::to(rows);
    for (stride, count) in &holder.offset.steps {
        let mut sizes = stride.sizes.clone();
        sizes.push(row_mark(rows.0));
        sizes.sort_unstable();
        row.offset.add(Stride { sizes, bytes: stride.bytes }, count)?;
    }
    Ok(row)
}

/// Splits an offset in rows into the offset of the pointer to the row, and the offset within the row.
fn apart(offset: &Offset, mark: ParamId) -> (Offset, Offset) {
    let (mut holder, mut within) = (Steps::new(), Steps::new());
    for (stride, count) in &offset.steps {
        match stride.sizes.iter().position(|size| *size == mark) {
            Some(position) => {
                let mut sizes = stride.sizes.clone();
                sizes.remove(position);
                holder.insert(Stride { sizes, bytes: stride.bytes }, count.clone());
            }
            None => {
                within.insert(stride.clone(), count.clone());
            }
        }
    }
    (Offset { steps: holder, ..Offset::default() }, Offset { steps: within, ..offset.clone() })
}
