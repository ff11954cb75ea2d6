//! Footprints: the blocks of one array that a part of the tree touches, as a relation from the iterators around that part.
//!
//! Statements are united and their inner iterators projected out once, for every window that contains the part.

use std::collections::BTreeMap;
use std::ops::Range;

use symloc_affine::{AccessId, ArrayId, Program};
use symloc_isl::{Context, DimType, Map};

use super::tree::Tree;
use super::union::merged;
use crate::Error;

/// Nodes of a body, in one iteration of the loops around it or in several of the innermost.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub body: usize,
    pub nodes: Range<usize>,
    pub iterations: Iterations,
}

impl Part {
    /// Nodes of a body in the given iteration.
    pub(crate) fn of(body: usize, nodes: Range<usize>) -> Self {
        Self { body, nodes, iterations: Iterations::Same }
    }
}

/// Which iterations of the innermost loop around a body, relative to a given one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Iterations {
    Same,
    Before,
    After,
}

/// All footprints that were asked for.
pub(crate) struct Footprints<'a> {
    isl: &'a Context,
    pub program: &'a Program,
    pub tree: &'a Tree,
    /// By access: `[iterators] -> Array[block]`.
    touched: Vec<Map>,
    known: BTreeMap<(ArrayId, usize, usize, usize, Iterations), Option<Map>>,
}

impl<'a> Footprints<'a> {
    /// Of a program whose accesses touch these blocks: `[iterators] -> Array[block]`, by access.
    pub(crate) fn new(isl: &'a Context, program: &'a Program, tree: &'a Tree, touched: Vec<Map>) -> Self {
        Self { isl, program, tree, touched, known: BTreeMap::new() }
    }

    /// `[iterators around the part] -> Array[block]`; nothing if the part does not touch the array.
    pub(crate) fn of(&mut self, array: ArrayId, part: &Part) -> Result<Option<Map>, Error> {
        let key = (array, part.body, part.nodes.start, part.nodes.end, part.iterations);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let footprint = match part.iterations {
            Iterations::Same => self.union(array, part)?,
            Iterations::Before => self.moved(array, part, "<")?,
            Iterations::After => self.moved(array, part, ">")?,
        };
        self.known.insert(key, footprint.clone());
        Ok(footprint)
    }

    fn union(&self, array: ArrayId, part: &Part) -> Result<Option<Map>, Error> {
        let depth = self.tree.bodies[part.body].depth;
        let mut union: Option<Map> = None;
        for access in self.tree.accesses(part.body, part.nodes.clone()) {
            if self.array(access) != array {
                continue;
            }
            let map = &self.touched[access.index()];
            let map = map.project_out(DimType::In, depth, map.dim(DimType::In)? - depth)?;
            union = Some(match union {
                Some(union) => union.union(&map)?,
                None => map,
            });
        }
        union.map(|u| merged(&u)).transpose()
    }

    /// The footprint in all iterations that are `order` than the given one.
    fn moved(&mut self, array: ArrayId, part: &Part, order: &str) -> Result<Option<Map>, Error> {
        let same = Part { iterations: Iterations::Same, ..part.clone() };
        let Some(here) = self.of(array, &same)? else { return Ok(None) };
        let depth = self.tree.bodies[part.body].depth;
        let others = Map::read(self.isl, &iterations(depth, &format!("x {order} i")))?;
        Ok(Some(merged(&others.apply_range(&here)?)?))
    }

    fn array(&self, access: AccessId) -> ArrayId {
        self.program.access(access).array
    }
}

/// `{ [o0, …, i] -> [o0, …, x] : condition }` for the loops around a body.
pub(crate) fn iterations(depth: usize, condition: &str) -> String {
    let outer: String = (1..depth).map(|d| format!("o{d}, ")).collect();
    format!("{{ [{outer}i] -> [{outer}x] : {condition} }}")
}
