//! A list of tasks, done by several processes at once.
//!
//! isl's contexts belong to one thread and Barvinok keeps global state, so threads cannot share the work; processes
//! can. [`each`] forks workers, which inherit everything that was prepared. A worker gets the number of a task, does
//! it, and sends the result back as JSON, until there are no more. Results are in the order of the tasks, whichever
//! worker did them.
//!
//! - [`each`]: the workers, and what comes of their tasks; [`within`]: one task that may take too long;
//! - `queue`: who gets which task;
//! - `process`: one worker, as its parent sees it;
//! - [`descendants`]: these and all other processes that were started.
//!
//! The first task that fails is done again by the parent, which so meets the error itself: errors need not travel.

#![warn(clippy::missing_errors_doc)]

#[cfg(unix)]
mod descendants;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod queue;

#[cfg(unix)]
use std::collections::BTreeMap;
#[cfg(unix)]
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[cfg(unix)]
use process::WorkerEnd;
#[cfg(unix)]
use queue::Queue;

#[cfg(unix)]
pub use descendants::{descendants, end};
#[cfg(unix)]
pub use process::running;

/// The processes that do tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// The number of processes. A single one without a limit is this process itself.
    pub count: usize,
    /// The processor time that each of them may take for all of its tasks, in whole seconds; `None` if there is no limit.
    pub limit: Option<Duration>,
}

impl Workers {
    /// Returns so many processes without a limit.
    pub fn unlimited(count: usize) -> Self {
        Self { count, limit: None }
    }
}

/// Why the tasks were not done.
#[derive(Debug, thiserror::Error)]
pub enum TaskError<E> {
    /// A task failed.
    #[error(transparent)]
    Task(E),
    /// A worker ended in the middle of a task.
    #[error("a worker process {reason}")]
    Worker {
        /// The number of the task.
        task: usize,
        /// The way it ended.
        reason: String,
    },
    /// A worker has taken its processor time in the middle of a task.
    #[error("a worker process has taken all of its processor time")]
    Limit {
        /// The number of the task.
        task: usize,
    },
    /// No worker could be started.
    #[error("cannot start a worker process: {0}")]
    Start(#[source] std::io::Error),
}

/// The result of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done<T> {
    /// The result itself.
    pub result: T,
    /// True if the tasks of the group that come after this one have no results.
    pub last: bool,
}

impl<T> Done<T> {
    /// Returns the result of a task that is the last of its group if `last` is true.
    pub fn new(result: T, last: bool) -> Self {
        Self { result, last }
    }
}

/// Runs the tasks with the numbers from 0 on and returns their results in this order, a list for each group. The tasks are
/// `groups` groups of `size` consecutive tasks, or fewer where a task says that it is the last; a worker keeps to its group while there
/// are other groups to begin, and begins each group of several tasks in the state of this process. With more than one worker, or a
/// limit, other processes run the tasks; `work` must then not depend on threads or locks of this one. `done` hears of every result in
/// this process and thread, in the order in which the tasks end.
///
/// # Errors
///
/// [`TaskError::Task`] if a task fails, the others if a worker does.
#[cfg(unix)]
pub fn each<T, E>(
    workers: Workers,
    (groups, size): (usize, usize),
    work: impl Fn(usize) -> Result<Done<T>, E>,
    mut done: impl FnMut(usize, &Done<T>),
) -> Result<Vec<Vec<T>>, TaskError<E>>
where
    T: Serialize + DeserializeOwned + Send,
{
    let tasks = groups * size;
    let count = workers.count.clamp(1, tasks.max(1));
    if tasks == 0 || count == 1 && workers.limit.is_none() {
        return here((groups, size), |task| work(task).inspect(|result| done(task, result)));
    }
    let mut processes = Vec::new();
    for _ in 0..count {
        processes.push(process::Worker::start(size, workers.limit, &work).map_err(TaskError::Start)?);
    }
    let queue = Mutex::new(Queue::new(groups, size));
    let (sender, received) = mpsc::channel();
    let (mut results, mut failures) = (BTreeMap::new(), Vec::new());
    std::thread::scope(|scope| {
        for process in processes {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || serve(process, queue, &sender));
        }
        // The loop ends when the threads, which hold the other senders, do.
        drop(sender);
        for (task, result) in received {
            match result {
                Ok(result) => {
                    done(task, &result);
                    results.insert(task, result);
                }
                Err(reason) => failures.push((task, reason)),
            }
        }
    });
    if let Some((task, end)) = failures.into_iter().min_by_key(|(task, _)| *task) {
        return Err(match end {
            WorkerEnd::Limit => TaskError::Limit { task },
            WorkerEnd::Other(reason) => TaskError::Worker { task, reason },
        });
    }
    // The first task without a result has failed.
    here((groups, size), |task| results.remove(&task).map_or_else(|| work(task), Ok))
}

/// Gives tasks to a worker while there are any, and sends on their results, or how it ended.
#[cfg(unix)]
fn serve<T: DeserializeOwned>(
    mut worker: process::Worker,
    queue: &Mutex<Queue>,
    results: &mpsc::Sender<(usize, Result<Done<T>, WorkerEnd>)>,
) {
    let mut last = None;
    while let Some(task) = { lock(queue).next(last) } {
        match worker.ask::<Done<T>>(task) {
            Ok(Some(result)) => {
                if result.last {
                    lock(queue).end_group(task);
                }
                // The receiver outlives the threads.
                _ = results.send((task, Ok(result)));
            }
            Ok(None) => lock(queue).end(task),
            Err(end) => {
                lock(queue).end(task);
                _ = results.send((task, Err(end)));
                return;
            }
        }
        last = Some(task);
    }
}

/// Stands in for `each` where processes cannot be forked.
#[cfg(not(unix))]
pub fn each<T, E>(
    _: Workers,
    (groups, size): (usize, usize),
    work: impl Fn(usize) -> Result<Done<T>, E>,
    mut done: impl FnMut(usize, &Done<T>),
) -> Result<Vec<Vec<T>>, TaskError<E>> {
    here((groups, size), |task| work(task).inspect(|result| done(task, result)))
}

/// Runs one task in a process of its own, which ends when it has taken so many seconds of processor time, however busy the machine is:
/// then, and if it dies, there is no result. `work` must not depend on threads or locks of this process.
///
/// # Errors
///
/// If no process can be started.
#[cfg(unix)]
pub fn within<T>(limit: Duration, work: impl Fn() -> T) -> std::io::Result<Option<T>>
where
    T: Serialize + DeserializeOwned,
{
    let mut worker = process::Worker::start(1, Some(limit), &|_| Ok::<_, std::convert::Infallible>(work()))?;
    Ok(worker.ask(0).unwrap_or_default())
}

/// Stands in for `within` where processes cannot be forked.
///
/// # Errors
///
/// Always.
#[cfg(not(unix))]
pub fn within<T>(_: Duration, _: impl Fn() -> T) -> std::io::Result<Option<T>> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Returns no processes: none can be forked on this system.
#[cfg(not(unix))]
pub fn running() -> Vec<u32> {
    Vec::new()
}

/// Processes are not found where none can be forked.
#[cfg(not(unix))]
pub fn descendants() -> Vec<u32> {
    Vec::new()
}

/// Does nothing: no processes are found on this system.
#[cfg(not(unix))]
pub fn end(_: &[u32]) {}

/// Returns the results of the tasks, one after the other.
fn here<T, E>(
    (groups, size): (usize, usize),
    mut work: impl FnMut(usize) -> Result<Done<T>, E>,
) -> Result<Vec<Vec<T>>, TaskError<E>> {
    let mut group = |group: usize| {
        let mut results = Vec::new();
        for task in group * size..(group + 1) * size {
            let Done { result, last } = work(task).map_err(TaskError::Task)?;
            results.push(result);
            if last {
                break;
            }
        }
        Ok(results)
    };
    (0..groups).map(&mut group).collect()
}

#[cfg(unix)]
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Returns the result of a task that others follow.
    fn more<T>(result: T) -> Result<Done<T>, ()> {
        Ok(Done::new(result, false))
    }

    fn flat<T>(results: Vec<Vec<T>>) -> Vec<T> {
        results.into_iter().flatten().collect()
    }

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        let expected: Vec<usize> = (0..100).map(|task| task * task).collect();
        for workers in [0, 1, 2, 7] {
            assert_eq!(
                flat(each(Workers::unlimited(workers), (20, 5), |task| more(task * task), |_, _| ()).unwrap()),
                expected,
                "{workers} workers"
            );
        }
    }

    #[test]
    fn a_limit_ends_a_task_of_any_worker() {
        let endless = |task| {
            if task == 1 {
                loop {
                    std::hint::spin_loop()
                }
            } else {
                more(task)
            }
        };
        for (count, groups, size) in [(1, 3, 1), (2, 3, 1), (2, 2, 2)] {
            let workers = Workers { count, limit: Some(Duration::from_secs(1)) };
            let ended = each(workers, (groups, size), endless, |_, _| ());
            assert!(matches!(ended, Err(TaskError::Limit { task: 1 })), "{count} workers, {groups} groups: {ended:?}");
        }
    }

    #[test]
    fn groups_begin_in_the_state_of_the_parent() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let done = |_| more(DONE.fetch_add(1, Ordering::Relaxed));
        // One group of two tasks after the other.
        assert_eq!(flat(each(Workers::unlimited(1), (3, 2), done, |_, _| ()).unwrap()), [0, 1, 2, 3, 4, 5]);
        DONE.store(7, Ordering::Relaxed);
        let found = each(Workers::unlimited(2), (20, 2), done, |_, _| ()).unwrap();
        assert!(found.iter().all(|group| group[0] == 7 && (group[1] == 7 || group[1] == 8)), "{found:?}");
    }

    #[test]
    fn every_result_is_heard_of_once_and_here() {
        for workers in [1, 3] {
            let here = std::thread::current().id();
            let mut heard = Vec::new();
            let done = |task: usize, done: &Done<usize>| {
                assert_eq!((task + 1, std::thread::current().id()), (done.result, here));
                heard.push(task);
            };
            each(Workers::unlimited(workers), (5, 4), |task| more(task + 1), done).unwrap();
            heard.sort_unstable();
            assert_eq!(heard, (0..20).collect::<Vec<_>>(), "{workers} workers");
        }
    }

    #[test]
    fn a_group_ends_with_its_last_task() {
        for workers in [1, 2, 3] {
            // Group 0 has one task, group 1 two, group 2 all three.
            let work = |task: usize| Ok::<_, ()>(Done::new((task, std::process::id()), task.is_multiple_of(4)));
            let mut heard = Vec::new();
            let found = each(Workers::unlimited(workers), (3, 3), work, |task, _| heard.push(task)).unwrap();
            let tasks: Vec<Vec<usize>> =
                found.iter().map(|group| group.iter().map(|(task, _)| *task).collect()).collect();
            assert_eq!(tasks, [vec![0], vec![3, 4], vec![6, 7, 8]], "{workers} workers");
            let mut all = found.iter().flatten();
            let is_elsewhere = |process: u32| (process != std::process::id()) == (workers > 1);
            assert!(all.all(|(task, process)| heard.contains(task) && is_elsewhere(*process)), "{workers}: {heard:?}");
        }
    }

    #[test]
    fn tasks_are_done_elsewhere() {
        let processes = flat(each(Workers::unlimited(2), (10, 2), |_| more(std::process::id()), |_, _| ()).unwrap());
        assert!(!processes.contains(&std::process::id()));
    }

    #[test]
    fn several_do_one_group() {
        let slow = |_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            more(std::process::id())
        };
        let processes = flat(each(Workers::unlimited(2), (1, 20), slow, |_, _| ()).unwrap());
        assert_eq!(processes.into_iter().collect::<std::collections::BTreeSet<_>>().len(), 2);
    }

    #[test]
    fn the_first_task_that_fails_is_the_error() {
        for workers in [1, 2, 3] {
            let result = each(
                Workers::unlimited(workers),
                (5, 4),
                |task| if [6, 7, 13].contains(&task) { Err(task) } else { Ok(Done::new(task, false)) },
                |_, _| (),
            );
            assert!(matches!(result, Err(TaskError::Task(6))), "{result:?}");
        }
    }

    #[test]
    fn a_failed_task_is_an_error_of_its_own() {
        let result = each(
            Workers::unlimited(2),
            (10, 2),
            |task| if task == 7 { Err("seven") } else { Ok(Done::new(task, false)) },
            |_, _| (),
        );
        assert!(matches!(result, Err(TaskError::Task("seven"))), "{result:?}");
    }

    #[test]
    fn a_worker_that_dies_is_reported_with_its_task() {
        let parent = std::process::id();
        for signal in [libc::SIGABRT, libc::SIGSEGV] {
            let die = |task| {
                while task == 3 && std::process::id() != parent {
                    // Of a fault Rust's handler takes the first signal; a real one comes again.
                    process::raise(signal);
                }
                more(task)
            };
            match each(Workers::unlimited(2), (10, 2), die, |_, _| ()) {
                Err(TaskError::Worker { task: 3, reason }) => {
                    assert_eq!(reason, format!("was killed by signal {signal}"))
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_worker_that_panics_is_reported_with_its_task() {
        let parent = std::process::id();
        let fail = |task: usize| {
            assert!(task != 5 || std::process::id() == parent, "on purpose");
            more(task)
        };
        match each(Workers::unlimited(2), (10, 2), fail, |_, _| ()) {
            Err(TaskError::Worker { task: 5, reason }) => assert_eq!(reason, "ended with exit code 101"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_task_that_takes_too_long_is_ended() {
        let endless = || loop {
            std::hint::spin_loop();
        };
        assert_eq!(within::<u32>(Duration::from_secs(1), endless).unwrap(), None);
    }

    #[test]
    fn workers_start_workers() {
        let limit = Duration::from_secs(60);
        let task =
            |task: usize| within(limit, || (task, running().len())).map(|found| Done::new(found.unwrap(), false));
        let results = flat(each(Workers::unlimited(2), (2, 2), task, |_, _| ()).unwrap());
        assert_eq!(results, [(0, 0), (1, 0), (2, 0), (3, 0)]);
    }

    #[test]
    fn a_task_with_a_limit_is_done_elsewhere() {
        let process = within(Duration::from_secs(60), std::process::id).unwrap();
        assert!(process.is_some_and(|process| process != std::process::id()));
    }
}
