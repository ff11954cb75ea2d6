//! Caches of any kind behind one interface that is chosen at run time.

use crate::build::{OnCaches, build};
use crate::caches::Caches;
use crate::geometry::GeometryError;
use crate::hierarchy::Design;
use crate::level::{LineState, Request};
use crate::traffic::Traffic;

/// Caches of a kind that is known at run time only: see [`Caches`].
pub(crate) trait BoxedCaches {
    /// Runs an access; returns the level that held the block. `gone` is called for each written block that a level evicts.
    fn access(&mut self, block: u64, request: Request, gone: &mut dyn FnMut(usize, u64, LineState)) -> usize;

    /// Takes in a written block; what makes room for it goes to memory.
    fn take_in(&mut self, block: u64);

    /// Returns the state of a block's line, dirty if it is in any level; `None` if no level holds the block.
    fn find(&self, block: u64) -> Option<LineState>;

    /// Returns the traffic of each level.
    fn traffic(&self) -> Vec<Traffic>;
}

impl<C: Caches> BoxedCaches for C {
    fn access(&mut self, block: u64, request: Request, gone: &mut dyn FnMut(usize, u64, LineState)) -> usize {
        Caches::access(self, block, request, &mut |level, block, state| gone(level, block, state))
    }

    fn take_in(&mut self, block: u64) {
        Caches::take_in(self, block, &mut |_, _, _| ());
    }

    fn find(&self, block: u64) -> Option<LineState> {
        Caches::find(self, block)
    }

    fn traffic(&self) -> Vec<Traffic> {
        Caches::traffic(self)
    }
}

/// Builds empty caches.
pub(crate) fn boxed(designs: &[Design]) -> Result<Box<dyn BoxedCaches>, GeometryError> {
    build(designs, Boxing)
}

/// The task to put caches into a box.
struct Boxing;

impl OnCaches for Boxing {
    type Output = Box<dyn BoxedCaches>;

    fn on(self, caches: impl Caches) -> Self::Output {
        Box::new(caches)
    }
}
