//! Arrays of pointers to rows: `double **a`, `a[i][j]`.
//!
//! As long as the pointers are not written, `a[i]` points at the same row each time, and rows do not overlap, as objects
//! that pointers in memory point at never do. So all rows together are an array with one more dimension, whose rows are as
//! far apart as they may be: a row *mark* takes the place of the size that would be their length.

use crate::ffi::Value;
use crate::known::{Cause, Pointer, RootId, Stride};
use crate::pointers::loaded_pointer;
use crate::roots::{Origin, Root};
use crate::values::Values;
use symloc_frontend::poly::{Poly, row_mark};

impl<'m> Values<'m> {
    /// What a pointer in memory points at, where pointers are never written.
    pub(crate) fn pointed_at(&mut self, load: Value<'m>, holder: &Pointer) -> Result<Pointer, Cause> {
        if self.is_written(holder.root) {
            return Err(loaded_pointer());
        }
        if let Some(end) = self.end_of_vector(load, holder) {
            return Ok(end);
        }
        if let Some(byte) = holder.bytes()?.as_constant() {
            return Ok(Pointer::to(self.object_in_memory(load, holder.root, byte)));
        }
        let name = format!("{}_rows", self.roots.get(holder.root).name);
        let location = self.places.or_start(load);
        let origin = Origin::Rows(holder.root);
        let rows = self.roots.intern(Root { origin, name, location, declared: None, distinct: false });
        row_of(holder, rows)
    }

    /// The same address: what one pointer of an array points at is one of the rows, if other accesses go to all of them.
    pub(crate) fn among_rows(&self, pointer: &Pointer) -> Result<Pointer, Cause> {
        let Origin::Loaded(holder, byte) = self.roots.get(pointer.root).origin else { return Ok(pointer.clone()) };
        let holder = self.among_rows(&Pointer::to(holder).advanced(&Poly::constant(byte), 1)?)?;
        let Some(rows) = self.roots.find(Origin::Rows(holder.root)) else { return Ok(pointer.clone()) };
        let mut row = row_of(&holder, rows)?;
        for (stride, count) in &pointer.steps {
            row.add(stride.clone(), count)?;
        }
        Ok(Pointer { within: pointer.within, has_columns: pointer.has_columns, ..row })
    }
}

/// The start of the row that the pointer at this address points at.
fn row_of(holder: &Pointer, rows: RootId) -> Result<Pointer, Cause> {
    let mut row = Pointer::to(rows);
    for (stride, count) in &holder.steps {
        let mut sizes = stride.sizes.clone();
        sizes.push(row_mark(rows.0));
        sizes.sort_unstable();
        row.add(Stride { sizes, bytes: stride.bytes }, count)?;
    }
    Ok(row)
}
