//! What the compiled program tells while it runs.

use std::io::{BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use symloc_query::CliError;

use super::executable::Executable;

/// Bits of the last word of a record; `driver.c` has the same.
const WRITE: u64 = 1;
const BLOCK: u64 = 2;
const HANDED_OUT: u64 = !3;

/// One access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub address: u64,
    pub is_write: bool,
    /// Where it stands, by number.
    pub site: usize,
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The function returned.
    Returned,
    /// There are more accesses than allowed.
    TooLong,
    /// There was no memory for the arrays.
    NoMemory,
    /// It accessed memory far from all of its arrays.
    Outside,
    /// It was stopped by an error of arithmetic.
    Trapped,
    /// It called a function that does not return.
    Stopped,
    /// This signal ended it.
    Killed(i32),
    /// Something else.
    Failed,
}

/// A block of memory that is filled or copied, as far as it is not done.
struct Block {
    from: Option<u64>,
    to: u64,
    left: u64,
    site: usize,
    /// Of a copy, bytes that were read and are to be written.
    read: Option<u64>,
}

/// The accesses of one run, in their order.
pub(super) struct Records {
    program: Child,
    words: BufReader<ChildStdout>,
    block: Option<Block>,
    /// Where memory lies that was handed out, and where variables do, by number.
    pub memories: Vec<u64>,
    /// What is known when the last record has been read.
    end: Option<End>,
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

    /// The next access; of a block, of an element of so many bytes. None when the program has ended.
    pub(super) fn next(&mut self, element: u64) -> Option<Access> {
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
                return Some(Access { address, is_write: last & WRITE != 0, site });
            } else if last & WRITE != 0 {
                self.block = Some(Block { from: None, to: address, left: bytes, site, read: None });
            } else {
                let [to, ..] = self.record()?;
                self.block = Some(Block { from: Some(address), to, left: bytes, site, read: None });
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

    /// How the program ended, if that was asked for.
    pub(super) fn known_end(&self) -> Option<End> {
        self.end
    }

    /// How the program ends; to be asked after its last access.
    pub(super) fn end(&mut self) -> End {
        let program = &mut self.program;
        *self.end.get_or_insert_with(|| match program.wait() {
            Ok(status) => ended(status),
            Err(_) => End::Failed,
        })
    }
}

/// What a status says; `driver.c` has the same numbers.
fn ended(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(0), _) => End::Returned,
        (Some(65), _) => End::TooLong,
        (Some(66), _) => End::NoMemory,
        (Some(67), _) => End::Outside,
        (Some(68), _) => End::Trapped,
        (Some(69), _) => End::Stopped,
        (_, Some(signal)) => End::Killed(signal),
        _ => End::Failed,
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Block {
    /// The next access, of an element that has so many bytes.
    fn next(&mut self, element: u64) -> Option<Access> {
        if let (Some(from), None) = (self.from, self.read) {
            (self.left > 0).then_some(())?;
            self.read = Some(element.min(self.left));
            return Some(Access { address: from, is_write: false, site: self.site });
        }
        let bytes = self.read.take().unwrap_or(element.min(self.left));
        (bytes > 0).then_some(())?;
        let address = self.to;
        (self.to, self.left) = (self.to + bytes, self.left - bytes);
        self.from = self.from.map(|from| from + bytes);
        Some(Access { address, is_write: true, site: self.site })
    }
}
