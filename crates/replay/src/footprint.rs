//! Counts the blocks that a program touches: each of them misses at least once, whatever the caches.
//!
//! The blocks are marked access by access, as the order does not matter. Loops in which the address stays are not run. Of the
//! free loops in which it moves, the one with the smallest distance is taken as a whole: it touches a range of blocks, or blocks
//! at equal distances.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use crate::affine::Affine;
use crate::code::{Code, For, try_map};
use crate::error::{ReplayError, overflow};
use crate::memory::MemoryMap;
use crate::path::{Path, paths};

/// Returns the number of blocks of each array that a program touches, in the order of its table.
///
/// # Errors
///
/// [`ReplayError::Overflow`] if an address leaves 64 bits, [`ReplayError::TooManyAccesses`] if more ranges of blocks than `limit`
/// have to be examined, or 64 times as many blocks.
pub fn footprint(code: &Code<'_>, memory: &MemoryMap, limit: u64) -> Result<Vec<u64>, ReplayError> {
    let line = memory.line_bytes() as i64;
    let body = try_map(&code.body, &mut |site, _| memory.address(site).map(|address| (site.array, address)))?;
    let mut walks: Vec<_> = paths(&body).into_iter().map(Walk::new).collect();
    // Ranges without gaps are marked first: they take little time, and may cover all of an array.
    walks.sort_by_key(|walk| walk.row.is_none_or(|(_, bytes)| bytes.abs() >= line));
    let mut touched = vec![0; code.program.arrays.len()];
    let mut blocks = BlockSet::default();
    let mut iters = vec![0; code.program.iters.len()];
    let mut looked_at = 0_u64;
    for walk in &walks {
        let array = walk.path.site.0;
        let of_array = &mut touched[array];
        if *of_array < memory.lines_of(array) {
            walk.mark(&mut iters, line, &mut |range, step| {
                looked_at = looked_at.saturating_add(1 + (range.end() - range.start()) / step / 64);
                if looked_at > limit {
                    return Err(ReplayError::TooManyAccesses { limit });
                }
                *of_array += blocks.insert(range, step);
                Ok(())
            })?;
        }
    }
    Ok(touched)
}

/// Returns the number of blocks of each array that a program touches, or where that takes too long the number that it has.
///
/// # Errors
///
/// [`ReplayError::Overflow`] if an address leaves 64 bits.
pub fn footprint_at_most(code: &Code<'_>, memory: &MemoryMap, limit: u64) -> Result<Vec<u64>, ReplayError> {
    match footprint(code, memory, limit) {
        Err(ReplayError::TooManyAccesses { .. }) => {
            Ok((0..code.program.arrays.len()).map(|array| memory.lines_of(array)).collect())
        }
        counted => counted,
    }
}

/// A walk over the iterations around an access.
struct Walk<'c> {
    path: Path<'c, (usize, Affine)>,
    /// The slots of loops that are not run, because the address stays in them or they are taken as a whole.
    skipped: Vec<usize>,
    /// The loop that is taken as a whole, with the distance between its iterations in bytes.
    row: Option<(&'c For, i64)>,
}

impl<'c> Walk<'c> {
    fn new(path: Path<'c, (usize, Affine)>) -> Self {
        let mut skipped = Vec::new();
        let mut row: Option<(&For, i64)> = None;
        for head in path.free() {
            let Some(bytes) = path.site.1.slope(head.slot).and_then(|slope| slope.checked_mul(head.step)) else {
                continue;
            };
            if bytes == 0 {
                skipped.push(head.slot);
            } else if row.is_none_or(|(_, least)| bytes.unsigned_abs() < least.unsigned_abs()) {
                row = Some((head, bytes));
            }
        }
        skipped.extend(row.map(|(head, _)| head.slot));
        Self { path, skipped, row }
    }

    /// Passes ranges of blocks to `insert`, with the distance between the touched blocks.
    fn mark(
        &self,
        iters: &mut [i64],
        line: i64,
        insert: &mut impl FnMut(RangeInclusive<u64>, u64) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        self.path.walk(iters, &|head| self.skipped.contains(&head.slot), &mut |iters, _| {
            let address = self.path.site.1.at(iters).ok_or_else(|| overflow("an address"))?;
            let Some((head, bytes)) = self.row else {
                let block = (address / line) as u64;
                return insert(block..=block, 1);
            };
            let (_, count) = head.iterations(iters)?;
            let end = (count as i64 - 1).checked_mul(bytes).and_then(|reach| address.checked_add(reach));
            let end = end.ok_or_else(|| overflow("an address"))?;
            let (low, high) = (address.min(end), address.max(end));
            match (bytes.abs() <= line, bytes % line == 0) {
                (true, _) => insert((low / line) as u64..=(high / line) as u64, 1),
                (_, true) => insert((low / line) as u64..=(high / line) as u64, bytes.unsigned_abs() / line as u64),
                _ => (0..count as i64)
                    .map(|k| ((low + k * bytes.abs()) / line) as u64)
                    .try_for_each(|block| insert(block..=block, 1)),
            }
        })
    }
}

/// A set of blocks, in pages of 4096.
#[derive(Default)]
struct BlockSet(FxHashMap<u64, Box<[u64; 64]>>);

impl BlockSet {
    /// Adds every `step`-th block of a range; returns the number of new ones.
    fn insert(&mut self, range: RangeInclusive<u64>, step: u64) -> u64 {
        let (mut block, last) = range.into_inner();
        let mut new = 0;
        while block <= last {
            let page = self.0.entry(block >> 12).or_insert_with(|| Box::new([0; 64]));
            let page_end = last.min(block | 0xfff);
            while block <= page_end {
                let word = &mut page[(block >> 6 & 63) as usize];
                let before = *word;
                if step == 1 {
                    let end = page_end.min(block | 63);
                    *word |= (u64::MAX >> (63 - (end - block))) << (block & 63);
                    block = end + 1;
                } else {
                    *word |= 1 << (block & 63);
                    block += step;
                }
                new += u64::from((*word ^ before).count_ones());
            }
        }
        new
    }
}
