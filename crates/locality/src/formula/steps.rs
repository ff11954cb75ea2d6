//! The caches at which the number of misses falls, from one case in which it is a formula in the sizes alone to the
//! next.

use symloc_quasi::{Poly, Quotient};

use crate::formula::{Case, MissFormulas};

/// A range of caches in which the number of misses falls.
#[derive(Clone, Debug)]
pub struct MissStep {
    /// The first cache, in lines, with fewer misses than before, and the first with as many as after.
    pub cache: [Quotient; 2],
    /// The number of misses before and after.
    pub misses: [Poly; 2],
}

impl MissFormulas {
    /// Returns the steps between [wide](Case::is_wide) cases, by ascending caches.
    pub fn steps(&self) -> Vec<MissStep> {
        let constant = |(_, case): &(usize, &Case)| case.is_wide && !case.varies(self.threshold);
        let constant: Vec<(usize, &Case)> = self.cases.iter().enumerate().filter(constant).collect();
        let step = |pair: &[(usize, &Case)]| {
            let [(before, first), (after, second)] = [pair[0], pair[1]];
            let cache = [self.smallest_cache(before + 1)?, self.smallest_cache(after)?];
            Some(MissStep { cache, misses: [first.misses.clone(), second.misses.clone()] })
        };
        constant.windows(2).filter_map(step).collect()
    }
}
