//! Work that is divided among the processors.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

/// Returns the results of a function for several items, in their order.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], function: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, function(item)));
        }
    };
    let mut all: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads.min(items.len())).map(|_| scope.spawn(work)).collect();
        let own = work();
        let joined = |worker: ScopedJoinHandle<'_, Vec<_>>| worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        let others = workers.into_iter().flat_map(joined);
        own.into_iter().chain(others).collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}
