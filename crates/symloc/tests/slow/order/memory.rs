//! Arrays in memory, and a cache that holds the lines that were used last.

use std::collections::{BTreeMap, HashMap};

use super::printed::{Iteration, Printed};

/// The lines of the cache, of 64 bytes.
pub(super) const LINES: usize = 12;

/// The arrays in memory.
pub(super) struct ArrayMemory {
    /// By array, its extents.
    extents: BTreeMap<String, Vec<i64>>,
    element_bytes: BTreeMap<String, u64>,
}

impl ArrayMemory {
    /// Reads the extents that a note tells: `arrays are taken to be as large as what is accessed: A[11][14] and x[11]`. Arrays
    /// without a note have one dimension.
    pub(super) fn of(program: &Printed, notes: &str) -> Self {
        let told = notes.split("what is accessed: ").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let extents = told.split([' ', ',']).filter_map(|array| {
            let (name, extents) = array.split_once('[')?;
            let extents = extents.trim_end_matches(']').split("][").map(|extent| extent.parse().unwrap());
            Some((name.to_owned(), extents.collect()))
        });
        Self { extents: extents.collect(), element_bytes: program.element_bytes.clone() }
    }

    /// Returns the line of an element in its array.
    fn line(&self, array: &str, subscripts: &[i64]) -> i64 {
        let one = Vec::new();
        let extents = self.extents.get(array).unwrap_or(&one);
        assert!(subscripts.len() < 2 || extents.len() == subscripts.len(), "{array}: {extents:?}");
        let element = subscripts.iter().enumerate().fold(0, |element, (dimension, subscript)| {
            element * extents.get(dimension).copied().unwrap_or(1) + subscript
        });
        element * i64::try_from(self.element_bytes[array]).unwrap() / 64
    }

    /// Returns the misses of a cache that holds the lines that were used last.
    pub(super) fn misses(&self, iterations: &[&Iteration]) -> u64 {
        let (mut used, mut by_time, mut misses) = (HashMap::new(), BTreeMap::new(), 0);
        let accesses = iterations.iter().flat_map(|iteration| &iteration.accesses);
        for (time, (array, subscripts, _)) in accesses.enumerate() {
            let line = (array.as_str(), self.line(array, subscripts));
            match used.insert(line, time) {
                Some(before) => {
                    by_time.remove(&before);
                }
                None => misses += 1,
            }
            by_time.insert(time, line);
            if by_time.len() > LINES {
                let (_, oldest) = by_time.pop_first().unwrap();
                used.remove(&oldest);
            }
        }
        misses
    }
}
