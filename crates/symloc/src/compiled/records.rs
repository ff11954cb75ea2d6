//! The records that the compiled program writes while it runs.

use std::io::{BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use symloc_query::CliError;

use super::executable::Executable;

/// The bits of the last word of a record, as in `driver.c`.
const WRITE: u64 = 1;
const BLOCK: u64 = 2;
const HANDED_OUT: u64 = !3;

/// An access of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct TracedAccess {
    pub address: u64,
    pub is_write: bool,
    /// The number of its place in the source.
    pub site: usize,
}

/// The end of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramEnd {
    /// The function returned.
    Returned,
    /// It reached the limit on accesses.
    TooLong,
    /// There was no memory for the arrays.
    NoMemory,
    /// It accessed memory far from all of its arrays.
    Outside,
    /// It was stopped by an error of arithmetic.
    Trapped,
    /// It called a function that does not return.
    Stopped,
    /// This signal killed it.
    Killed(i32),
    /// It ended in any other way.
    Failed,
}

/// The rest of a block of memory that is filled or copied.
struct PendingBlock {
    from: Option<u64>,
    to: u64,
    left: u64,
    site: usize,
    /// The bytes of a copy that were read and are not yet written.
    read: Option<u64>,
}

/// The accesses of one run, in their order.
pub(super) struct Records {
    program: Child,
    words: BufReader<ChildStdout>,
    block: Option<PendingBlock>,
    /// The start addresses of allocated memory and of variables, by number.
    pub memories: Vec<u64>,
    /// The end of the program, once it is known.
    end: Option<ProgramEnd>,
}

impl Records {
    /// Starts the program.
    pub(super) fn of(executable: &Executable, room: u64, limit: u64, integers: &[i64]) -> Result<Self, CliError> {
        let numbers = [room.to_string(), limit.to_string()].into_iter().chain(integers.iter().map(i64::to_string));
        let mut command = Command::new(executable.path());
        command.args(numbers).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = || CliError::refused("the compiled program could not be started");
        let mut program = command.spawn().map_err(|_| failed())?;
        let words = program.stdout.take().map(|pipe| BufReader::with_capacity(1 << 18, pipe)).ok_or_else(failed)?;
        Ok(Self { program, words, block: None, memories: Vec::new(), end: None })
    }

    /// Returns the next access; blocks are split into elements of `element` bytes. `None` after the program has ended.
    pub(super) fn next(&mut self, element: u64) -> Option<TracedAccess> {
        loop {
            if let Some(access) = self.block.as_mut().and_then(|block| block.next(element.max(1))) {
                return Some(access);
            }
            self.block = None;
            let [address, bytes, last] = self.record()?;
            let site = (last >> 2) as usize;
            if last == HANDED_OUT {
                self.memories.push(address);
            } else if last & BLOCK == 0 {
                return Some(TracedAccess { address, is_write: last & WRITE != 0, site });
            } else if last & WRITE != 0 {
                self.block = Some(PendingBlock { from: None, to: address, left: bytes, site, read: None });
            } else {
                let [to, ..] = self.record()?;
                self.block = Some(PendingBlock { from: Some(address), to, left: bytes, site, read: None });
            }
        }
    }

    fn record(&mut self) -> Option<[u64; 3]> {
        let mut bytes = [0; 24];
        self.words.read_exact(&mut bytes).ok()?;
        let (words, _) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_ne_bytes(*word)).collect();
        words.try_into().ok()
    }

    /// Returns the end of the program if [`Records::end`] was called.
    pub(super) fn known_end(&self) -> Option<ProgramEnd> {
        self.end
    }

    /// Waits for the end of the program and returns it; to be called after its last access.
    pub(super) fn end(&mut self) -> ProgramEnd {
        let program = &mut self.program;
        *self.end.get_or_insert_with(|| match program.wait() {
            Ok(status) => ended(status),
            Err(_) => ProgramEnd::Failed,
        })
    }
}

/// Decodes an exit status, whose numbers are those of `driver.c`.
fn ended(status: ExitStatus) -> ProgramEnd {
    match (status.code(), status.signal()) {
        (Some(0), _) => ProgramEnd::Returned,
        (Some(65), _) => ProgramEnd::TooLong,
        (Some(66), _) => ProgramEnd::NoMemory,
        (Some(67), _) => ProgramEnd::Outside,
        (Some(68), _) => ProgramEnd::Trapped,
        (Some(69), _) => ProgramEnd::Stopped,
        (_, Some(signal)) => ProgramEnd::Killed(signal),
        _ => ProgramEnd::Failed,
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        // Fails if the program has ended before.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl PendingBlock {
    /// Returns the next access of the block, in elements of `element` bytes.
    fn next(&mut self, element: u64) -> Option<TracedAccess> {
        if let (Some(from), None) = (self.from, self.read) {
            (self.left > 0).then_some(())?;
            self.read = Some(element.min(self.left));
            return Some(TracedAccess { address: from, is_write: false, site: self.site });
        }
        let bytes = self.read.take().unwrap_or(element.min(self.left));
        (bytes > 0).then_some(())?;
        let address = self.to;
        (self.to, self.left) = (self.to + bytes, self.left - bytes);
        self.from = self.from.map(|from| from + bytes);
        Some(TracedAccess { address, is_write: true, site: self.site })
    }
}
