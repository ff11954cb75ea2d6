//! All processes that this one has started, and those that they have: compilers and other programs as well as workers.

#![allow(unsafe_code, reason = "processes are ended by a system call")]

use std::fs;

/// Returns the ids of the processes that this one has started, directly or not; where the system does not list them, of
/// its workers.
pub fn descendants() -> Vec<u32> {
    let mut found = children(std::process::id()).unwrap_or_else(crate::running);
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        next += 1;
        let new = children(process).unwrap_or_default();
        found.extend(new.into_iter().filter(|process| !found.contains(process)).collect::<Vec<_>>());
    }
    found
}

/// Returns the children of a process: Linux lists those of each thread.
fn children(process: u32) -> Option<Vec<u32>> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let mut found = Vec::new();
    for thread in threads {
        let text = fs::read_to_string(thread.ok()?.path().join("children")).ok()?;
        found.extend(text.split_whitespace().filter_map(|number| number.parse::<u32>().ok()));
    }
    Some(found)
}

/// Ends processes that this one has started.
pub fn end(processes: &[u32]) {
    for process in processes {
        if let Ok(process) = libc::pid_t::try_from(*process) {
            // SAFETY: a signal has no requirements; the numbers are those of processes that were started here.
            unsafe {
                libc::kill(process, libc::SIGKILL);
            }
        }
    }
}
