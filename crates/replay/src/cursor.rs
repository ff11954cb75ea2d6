//! Tracks the accesses of a row in memory, and when they reach another line.

use symloc_cache::Request;

use crate::affine::Affine;
use crate::code::{Code, For, Op, Site, try_map};
use crate::error::{ReplayError, overflow};
use crate::memory::MemoryMap;

/// An access given by its address.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) access: usize,
    pub(crate) array: usize,
    pub(crate) request: Request,
    pub(crate) address: Affine,
    stride: Stride,
}

/// The distance of an access from one iteration of its row to the next.
#[derive(Clone, Copy, Debug)]
struct Stride {
    bytes: i64,
    /// The distance as whole lines and a non-negative rest.
    lines: i64,
    rest: i64,
    /// The number of iterations in a line, from its start.
    per_line: u64,
}

/// The place of an access in its row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    pub(crate) access: usize,
    pub(crate) request: Request,
    stride: Stride,
    pub(crate) block: u64,
    /// The distance from the start of the line, in bytes.
    offset: i64,
    /// The number of iterations until it reaches another line.
    pub(crate) left: u64,
    /// The number of hits in the first level that were counted without being run.
    pub(crate) skipped: u64,
}

/// Returns a program's tree with the addresses of its accesses.
pub(crate) fn placed(code: &Code<'_>, memory: &MemoryMap) -> Result<Vec<Op<Placed>>, ReplayError> {
    try_map(&code.body, &mut |site, head| Placed::new(memory, site, head))
}

impl Placed {
    fn new(memory: &MemoryMap, site: &Site, head: Option<&For>) -> Result<Self, ReplayError> {
        let address = memory.address(site)?;
        let bytes = match head {
            Some(head) => address.slope(head.slot).and_then(|slope| slope.checked_mul(head.step)),
            None => Some(0),
        };
        let bytes = bytes.ok_or_else(|| overflow("a distance between addresses"))?;
        let line = memory.line_bytes() as i64;
        let stride = Stride {
            bytes,
            lines: bytes.div_euclid(line),
            rest: bytes.rem_euclid(line),
            per_line: if bytes == 0 { u64::MAX } else { (line as u64 - 1) / bytes.unsigned_abs() + 1 },
        };
        Ok(Self { access: site.access, array: site.array, request: site.request, address, stride })
    }

    /// Returns the distance in bytes from one iteration of its row to the next.
    pub(crate) fn bytes(&self) -> i64 {
        self.stride.bytes
    }

    pub(crate) fn address(&self, iters: &[i64]) -> Result<i64, ReplayError> {
        self.address.at(iters).ok_or_else(|| overflow("an address"))
    }

    pub(crate) fn cursor(&self, iters: &[i64], line: i64) -> Result<Cursor, ReplayError> {
        let address = self.address(iters)?;
        let Self { access, request, stride, .. } = *self;
        let (block, offset) = ((address / line) as u64, address % line);
        let mut cursor = Cursor { access, request, stride, block, offset, left: 0, skipped: 0 };
        cursor.left = cursor.iterations_left(line);
        Ok(cursor)
    }
}

impl Cursor {
    /// Creates the cursor of an access that stays in a block.
    pub(crate) fn staying(placed: &Placed, block: u64) -> Self {
        let stride = Stride { bytes: 0, lines: 0, rest: 0, per_line: u64::MAX };
        Self { access: placed.access, request: placed.request, stride, block, offset: 0, left: u64::MAX, skipped: 0 }
    }

    /// Returns true if it reaches another line in every iteration.
    #[inline]
    pub(crate) fn moves(&self) -> bool {
        self.stride.per_line == 1
    }

    /// Returns the number of iterations until it reaches another line.
    #[inline]
    fn iterations_left(&self, line: i64) -> u64 {
        match self.stride.bytes {
            0 => u64::MAX,
            _ if self.moves() => 1,
            bytes if bytes > 0 && self.offset == 0 => self.stride.per_line,
            bytes if bytes > 0 => ((line - 1 - self.offset) / bytes) as u64 + 1,
            bytes => (self.offset / -bytes) as u64 + 1,
        }
    }

    /// Advances by one iteration, whatever the distance.
    #[inline]
    pub(crate) fn step(&mut self, line: i64) {
        let offset = self.offset + self.stride.rest;
        let next = i64::from(offset >= line);
        // After the last iteration there may be no valid address.
        self.block = self.block.wrapping_add_signed(self.stride.lines + next);
        self.offset = offset - next * line;
    }

    /// Advances by `iterations` iterations, at most to the next line.
    #[inline]
    pub(crate) fn advance(&mut self, iterations: u64, line: i64) {
        self.left -= iterations;
        if self.stride.bytes == 0 {
            return;
        }
        self.offset += self.stride.bytes * iterations as i64;
        if self.left == 0 {
            let next = self.offset.div_euclid(line);
            self.block = self.block.wrapping_add_signed(next);
            self.offset -= next * line;
            self.left = self.iterations_left(line);
        }
    }
}
