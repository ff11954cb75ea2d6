//! The arrays that are variables of the source, and the loops in which these are declared.

use symloc_affine::{ArrayId, IterId};
use symloc_frontend::ArrayVariable;

use crate::ir::ffi::Value;
use crate::memory::base_objects::{Origin, RootId};
use crate::program::delinearize::Shaped;
use crate::walk::walker::Walker;

/// Returns the arrays that are variables: local ones, and those outside of functions. Targets of pointers are none.
pub(crate) fn variables(shaped: &Shaped<'_>, walker: &Walker<'_, '_>) -> Vec<ArrayVariable> {
    let loops = loops(walker);
    let arrays = (0_u32..).map(ArrayId).zip(&shaped.roots);
    arrays.filter_map(|(array, root)| variable(array, *root, walker, &loops)).collect()
}

/// Returns the iterators of loops, each with the branches back to its start.
fn loops<'m>(walker: &Walker<'m, '_>) -> Vec<(IterId, Vec<Value<'m>>)> {
    let numbered = (0_u32..).map(IterId).zip(&walker.raising.iters);
    numbered.filter_map(|(iter, draft)| Some((iter, walker.cfg.latches(draft.number?).collect()))).collect()
}

fn variable<'m>(
    array: ArrayId,
    root: RootId,
    walker: &Walker<'m, '_>,
    loops: &[(IterId, Vec<Value<'m>>)],
) -> Option<ArrayVariable> {
    let root = walker.values.roots.get(root);
    let Origin::Value(value) = root.origin else { return None };
    let name = root.name.clone();
    if value.is_global() {
        let named_at = loops.iter().map(|(iter, _)| *iter).collect();
        return Some(ArrayVariable { array, name, places: Vec::new(), declared_in: Vec::new(), named_at });
    }
    let declaration = walker.values.places.declaration(root.origin.local()?)?;
    let where_any = |holds: &dyn Fn(Value<'_>) -> bool| {
        let iters = loops.iter().filter(|(_, latches)| latches.iter().any(|latch| holds(*latch)));
        iters.map(|(iter, _)| *iter).collect()
    };
    let declared_in = where_any(&|latch| declaration.is_in(latch));
    let named_at = where_any(&|latch| declaration.is_beside(latch));
    Some(ArrayVariable { array, name, places: declaration.places, declared_in, named_at })
}
