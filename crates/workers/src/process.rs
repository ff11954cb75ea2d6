//! One worker: a fork of this process that answers requests.
//!
//! A request is the number of a task, four bytes; an answer is a length, eight bytes, and so many bytes of JSON, `null` for a task
//! that failed. The worker ends when the connection does, and, on Linux, when its parent dies in any other way.
//!
//! A worker forks again for each group of several tasks, and waits. So every group begins in the state of the parent, whatever was done
//! before it: isl may write equal relations in different ways after different work, and workers that share a group must
//! prepare the same for it.

#![allow(unsafe_code, reason = "processes are forked, ended and waited for by system calls")]

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The workers that have not been waited for.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Returns the numbers of the processes that work for this one.
pub fn running() -> Vec<u32> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The way in which a worker ended in the middle of a task.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WorkerEnd {
    /// It has taken its processor time.
    Limit,
    /// In another way, as the end of a sentence about it.
    Other(String),
}

/// A worker, as its parent sees it. Dropping it ends the worker and waits for it.
pub(crate) struct Worker {
    process: libc::pid_t,
    /// `None` once the worker has been waited for.
    connection: Option<UnixStream>,
}

impl Worker {
    /// Forks a worker that does tasks, in groups of so many, for as much processor time as it may take in all.
    pub(crate) fn start<T: Serialize, E>(
        size: usize,
        limit: Option<Duration>,
        work: &impl Fn(usize) -> Result<T, E>,
    ) -> io::Result<Self> {
        Self::fork(|mut connection| match size {
            // Nothing is prepared twice.
            1 => {
                limit.into_iter().for_each(limit_processor_time);
                answer(&mut connection, None, work)
            }
            _ => answer_groups(connection, size, limit, work),
        })
    }

    /// Forks a worker that does this and ends with the exit code that it returns.
    fn fork(run: impl FnOnce(UnixStream) -> i32) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        let parent = std::process::id();
        // Nobody else may fork or read the list in between: their lock would be held for ever in the child.
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the child runs `work` alone, of which the caller promises that it needs no other thread and no lock; glibc's
        // and macOS's allocators work after a fork.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                drop(ours);
                // The child may start workers of its own.
                running.clear();
                drop(running);
                end_with(parent);
                end_after(|| run(theirs))
            }
            process => {
                running.push(process.cast_unsigned());
                Ok(Self { process, connection: Some(ours) })
            }
        }
    }

    /// Returns the result of a task, `None` if it failed. An error says how the worker ended.
    pub(crate) fn ask<T: DeserializeOwned>(&mut self, task: usize) -> Result<Option<T>, WorkerEnd> {
        let answer = match &mut self.connection {
            Some(connection) => request(connection, task).ok(),
            None => None,
        };
        match answer {
            Some(answer) => serde_json::from_slice(&answer)
                .map_err(|error| WorkerEnd::Other(format!("sent a damaged answer: {error}"))),
            None => Err(self.wait()),
        }
    }

    /// Waits until the worker has ended, and says how.
    fn wait(&mut self) -> WorkerEnd {
        if let Some(connection) = self.connection.take() {
            // Workers forked later hold copies of this connection, so closing it is not enough.
            let _ = connection.shutdown(Shutdown::Both);
        }
        let mut status = 0;
        // SAFETY: `status` is valid, and the process is a child that nobody else waits for.
        let waited = unsafe { libc::waitpid(self.process, &raw mut status, 0) };
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|p| *p != self.process.cast_unsigned());
        match waited == self.process {
            true if libc::WIFSIGNALED(status) => match libc::WTERMSIG(status) {
                libc::SIGXCPU => WorkerEnd::Limit,
                signal => WorkerEnd::Other(format!("was killed by signal {signal}")),
            },
            true if libc::WIFEXITED(status) => {
                WorkerEnd::Other(format!("ended with exit code {}", libc::WEXITSTATUS(status)))
            }
            _ => WorkerEnd::Other("was lost".to_owned()),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.connection.is_some() {
            self.wait();
        }
    }
}

fn request(connection: &mut UnixStream, task: usize) -> io::Result<Vec<u8>> {
    connection.write_all(&u32::try_from(task).map_err(io::Error::other)?.to_ne_bytes())?;
    let mut length = [0; 8];
    connection.read_exact(&mut length)?;
    let mut answer = vec![0; usize::try_from(u64::from_ne_bytes(length)).map_err(io::Error::other)?];
    connection.read_exact(&mut answer)?;
    Ok(answer)
}

/// Answers requests group by group, each group in a process of its own; returns the exit code of the first that fails. All of
/// them together may take as much processor time as `limit` says.
fn answer_groups<T: Serialize, E>(
    mut connection: UnixStream,
    size: usize,
    limit: Option<Duration>,
    work: &impl Fn(usize) -> Result<T, E>,
) -> i32 {
    let worker = std::process::id();
    while let Some(task) = next_task(&connection) {
        let left = limit.map(|limit| limit.saturating_sub(time_of_children()));
        // SAFETY: as for the worker itself, which is a process of one thread.
        let process = match unsafe { libc::fork() } {
            -1 => return 1,
            0 => {
                end_with(worker);
                left.into_iter().for_each(limit_processor_time);
                end_after(|| answer(&mut connection, Some(task / size * size..(task / size + 1) * size), work))
            }
            process => process,
        };
        let mut status = 0;
        // SAFETY: `status` is valid, and the process is a child that nobody else waits for.
        unsafe { libc::waitpid(process, &raw mut status, 0) };
        if libc::WIFSIGNALED(status) {
            // This one ends in the same way, so that its parent learns of it. Rust's handler of faults would take the signal for
            // one of its own, and go on.
            // SAFETY: the default action is set for a signal that ends this process, whose number kill gets.
            unsafe {
                libc::signal(libc::WTERMSIG(status), libc::SIG_DFL);
                libc::kill(libc::getpid(), libc::WTERMSIG(status));
            }
        }
        if status != 0 {
            return libc::WEXITSTATUS(status);
        }
    }
    0
}

/// Returns the next task that is asked for, and leaves the request where it is.
fn next_task(connection: &UnixStream) -> Option<usize> {
    let mut task = [0; 4];
    // SAFETY: the buffer is as long as said.
    let read = unsafe {
        libc::recv(connection.as_raw_fd(), task.as_mut_ptr().cast(), task.len(), libc::MSG_PEEK | libc::MSG_WAITALL)
    };
    (usize::try_from(read) == Ok(task.len())).then(|| u32::from_ne_bytes(task) as usize)
}

/// Answers requests, those of one group if there are groups, and returns the exit code.
fn answer<T: Serialize, E>(
    connection: &mut UnixStream,
    group: Option<Range<usize>>,
    work: &impl Fn(usize) -> Result<T, E>,
) -> i32 {
    while let Some(task) = next_task(connection).filter(|task| group.as_ref().is_none_or(|group| group.contains(task)))
    {
        if connection.read_exact(&mut [0; 4]).is_err() {
            return 1;
        }
        let Ok(answer) = serde_json::to_vec(&work(task).ok()) else { return 1 };
        let length = (answer.len() as u64).to_ne_bytes();
        if connection.write_all(&length).and_then(|()| connection.write_all(&answer)).is_err() {
            return 1;
        }
    }
    0
}

/// Ends this process, a fork, with the exit code that something returns.
fn end_after(run: impl FnOnce() -> i32) -> ! {
    let code = catch_unwind(AssertUnwindSafe(run)).unwrap_or(101);
    // SAFETY: ends the process at once, without the destructors and buffers that belong to the parent.
    unsafe { libc::_exit(code) }
}

/// Returns the processor time of the children of this process that have ended, in whole seconds.
fn time_of_children() -> Duration {
    // SAFETY: a `rusage` of zeros is valid, and is where the system writes to.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    Duration::from_secs(u64::try_from(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec).unwrap_or(0))
}

/// Asks for the end of this process, by SIGXCPU, when it has taken so much processor time, in whole seconds.
fn limit_processor_time(limit: Duration) {
    let seconds = libc::rlim_t::try_from(limit.as_secs()).unwrap_or(libc::RLIM_INFINITY).max(1);
    // At the larger limit the system would end it by SIGKILL, as it does when memory is used up.
    let limit = libc::rlimit { rlim_cur: seconds, rlim_max: seconds.saturating_add(1) };
    // SAFETY: `limit` is valid. Where the system refuses, the process has no limit.
    unsafe {
        libc::setrlimit(libc::RLIMIT_CPU, &raw const limit);
    }
}

/// Asks for the end of this process with that of its parent.
fn end_with(parent: u32) {
    #[cfg(target_os = "linux")]
    // SAFETY: prctl with these arguments has no requirements.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
    if std::os::unix::process::parent_id() != parent {
        // It has died before the request.
        std::process::abort();
    }
}

/// Sends a signal to this process.
#[cfg(test)]
pub(crate) fn raise(signal: libc::c_int) {
    // SAFETY: kill with the number of this process has no requirements.
    unsafe { libc::kill(libc::getpid(), signal) };
}
