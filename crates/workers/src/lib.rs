//! A list of tasks, done by several processes at once.
//!
//! isl's contexts belong to one thread and Barvinok keeps global state, so threads cannot share the work; processes can.
//! [`each`] forks workers, which inherit everything that was prepared. A worker gets the number of a task, does it, and sends the
//! result back as JSON, until there are no more. Results are in the order of the tasks, whichever worker did them.
//!
//! - [`each`]: the tasks of a worker, and who gets which;
//! - `process`: one worker, as its parent sees it.
//!
//! A task that fails is done again by the parent, which so meets the error itself: errors need not travel.

#![warn(clippy::missing_errors_doc)]

#[cfg(unix)]
mod process;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(unix)]
pub use process::running;

/// Why the tasks were not done.
#[derive(Debug, thiserror::Error)]
pub enum Error<E> {
    /// A task failed.
    #[error(transparent)]
    Task(E),
    /// A worker ended in the middle of a task.
    #[error("a worker process {reason}")]
    Worker {
        /// The number of the task.
        task: usize,
        /// How it ended.
        reason: String,
    },
    /// No worker could be started.
    #[error("cannot start a worker process: {0}")]
    Start(#[source] std::io::Error),
}

/// Does the tasks with the numbers from 0 to `tasks` and returns their results in this order. With more than one worker, other
/// processes do them; `work` must then not depend on threads or locks of this one.
///
/// # Errors
///
/// [`Error::Task`] if a task fails, the others if a worker does.
#[cfg(unix)]
pub fn each<T, E>(workers: usize, tasks: usize, work: impl Fn(usize) -> Result<T, E>) -> Result<Vec<T>, Error<E>>
where
    T: Serialize + DeserializeOwned + Send,
{
    let workers = workers.min(tasks);
    if workers <= 1 {
        return here(tasks, work);
    }
    let mut processes = Vec::new();
    for _ in 0..workers {
        processes.push(process::Worker::start(&work).map_err(Error::Start)?);
    }
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let failures = std::thread::scope(|scope| {
        let serve = |mut process: process::Worker| {
            let (next, results) = (&next, &results);
            move || loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    return None;
                }
                match process.ask(task) {
                    Ok(result) => lock(results).push((task, result)),
                    Err(reason) => {
                        // The others finish what they are at.
                        next.store(tasks, Ordering::Relaxed);
                        return Some((task, reason));
                    }
                }
            }
        };
        let threads: Vec<_> = processes.into_iter().map(|process| scope.spawn(serve(process))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect::<Vec<_>>()
    });
    if let Some((task, reason)) = failures.into_iter().next() {
        return Err(Error::Worker { task, reason });
    }
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(task, _): &(usize, Option<T>)| *task);
    results.into_iter().map(|(task, result)| result.map_or_else(|| work(task).map_err(Error::Task), Ok)).collect()
}

/// The same, where processes cannot be forked.
#[cfg(not(unix))]
pub fn each<T, E>(_: usize, tasks: usize, work: impl Fn(usize) -> Result<T, E>) -> Result<Vec<T>, Error<E>> {
    here(tasks, work)
}

/// No process works for this one where none can be forked.
#[cfg(not(unix))]
pub fn running() -> Vec<u32> {
    Vec::new()
}

fn here<T, E>(tasks: usize, work: impl Fn(usize) -> Result<T, E>) -> Result<Vec<T>, Error<E>> {
    (0..tasks).map(|task| work(task).map_err(Error::Task)).collect()
}

#[cfg(unix)]
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        let expected: Vec<usize> = (0..100).map(|task| task * task).collect();
        for workers in [0, 1, 2, 7] {
            assert_eq!(each(workers, 100, |task| Ok::<_, ()>(task * task)).unwrap(), expected, "{workers} workers");
        }
    }

    #[test]
    fn tasks_are_done_elsewhere() {
        let processes = each(2, 20, |_| Ok::<_, ()>(std::process::id())).unwrap();
        assert!(!processes.contains(&std::process::id()));
    }

    #[test]
    fn a_failed_task_is_an_error_of_its_own() {
        let result = each(2, 20, |task| if task == 7 { Err("seven") } else { Ok(task) });
        assert!(matches!(result, Err(Error::Task("seven"))), "{result:?}");
    }

    #[test]
    fn a_worker_that_dies_is_reported_with_its_task() {
        let parent = std::process::id();
        let die = |task| {
            if task == 3 && std::process::id() != parent {
                std::process::abort();
            }
            Ok::<_, ()>(task)
        };
        match each(2, 20, die) {
            Err(Error::Worker { task: 3, reason }) => assert_eq!(reason, "was killed by signal 6"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_worker_that_panics_is_reported_with_its_task() {
        let parent = std::process::id();
        let fail = |task: usize| {
            assert!(task != 5 || std::process::id() == parent, "on purpose");
            Ok::<_, ()>(task)
        };
        match each(2, 20, fail) {
            Err(Error::Worker { task: 5, reason }) => assert_eq!(reason, "ended with exit code 101"),
            other => panic!("{other:?}"),
        }
    }
}
