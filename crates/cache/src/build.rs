//! The choice of the kind of caches that is fastest for a design.

use crate::caches::{Caches, Single};
use crate::geometry::GeometryError;
use crate::hierarchy::{Design, Hierarchy, Replacement};
use crate::policy::{Fifo, Lru, Qlru, Random, TreePlru};
use crate::whole::Whole;

/// A task that can run on caches of any kind.
pub trait OnCaches {
    /// The result of the task.
    type Output;

    /// Runs the task on some caches.
    fn on(self, caches: impl Caches) -> Self::Output;
}

/// Builds empty caches, one level behind the other, as the kind that is fastest for them.
///
/// # Errors
///
/// [`GeometryError`] if a policy cannot keep the sets of its level.
pub fn build<T: OnCaches>(designs: &[Design], task: T) -> Result<T::Output, GeometryError> {
    let [design] = designs else { return Ok(task.on(Hierarchy::new(designs)?)) };
    if let Some(lines) = Whole::suits(design) {
        return Ok(task.on(Whole::new(lines)));
    }
    if !Single::<Lru>::suits(design) {
        return Ok(task.on(Hierarchy::new(designs)?));
    }
    Ok(match design.replacement {
        Replacement::Lru => task.on(Single::new(design, Lru)?),
        Replacement::Fifo => task.on(Single::new(design, Fifo)?),
        Replacement::TreePlru => task.on(Single::new(design, TreePlru)?),
        Replacement::Qlru => task.on(Single::new(design, Qlru)?),
        Replacement::Random(seed) => task.on(Single::new(design, Random { seed })?),
    })
}
