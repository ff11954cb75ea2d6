//! Footprints: the blocks of each array that a part of the tree touches, as relations from the iterators around that
//! part.
//!
//! Statements are united and their inner iterators projected out once, for every window that contains the part.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use symloc_affine::{ArrayId, Program};
use symloc_isl::{DimType, Map, Set};

use super::aliases::{Aliases, ambiguous};
use super::tree::BodyTree;
use super::union::merged;
use crate::Error;

/// Nodes of a body, in one iteration of the loops around it or in several of the innermost.
#[derive(Clone, Debug)]
pub(crate) struct BodyPart {
    pub body: usize,
    pub nodes: Range<usize>,
    pub iterations: Iterations,
}

impl BodyPart {
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

/// The naming of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BlockNames {
    /// In few cases, some blocks by two names.
    Short,
    /// Each block by one name.
    Unique,
}

/// The footprints of a part, `[iterators around the part] -> Array[block]`: those of arrays that it touches.
pub(crate) type ByArray = Rc<BTreeMap<ArrayId, Map>>;

/// Sets of blocks, array by array, which depend on the coordinates of an access as parameters of their names.
pub(crate) type ArraySets = BTreeMap<ArrayId, Vec<Set>>;

/// All footprints that were asked for.
pub(crate) struct Footprints<'a> {
    program: &'a Program,
    pub tree: &'a BodyTree,
    /// By access: `[iterators] -> Array[block]`.
    touched: Vec<Map>,
    /// By access, names of these blocks: some have two in arrays with aliases.
    names: Vec<Map>,
    aliases: Aliases,
    known: BTreeMap<(usize, usize, usize, Iterations, BlockNames), ByArray>,
}

impl<'a> Footprints<'a> {
    /// Prepares the footprints of a program whose accesses touch these blocks: `[iterators] -> Array[block]`, by
    /// access.
    pub(crate) fn new(program: &'a Program, tree: &'a BodyTree, touched: Vec<Map>) -> Self {
        Self { program, tree, names: touched.clone(), touched, aliases: Aliases::new(), known: BTreeMap::new() }
    }

    /// Adds other names of the blocks, by access.
    pub(super) fn with_names(self, names: Vec<Map>, aliases: Aliases) -> Self {
        Self { names, aliases, ..self }
    }

    /// Returns the arrays of which some blocks have two names in sets of names, with the parameter values for which that is so.
    pub(super) fn ambiguous(&self, names: &ArraySets) -> Result<Vec<(ArrayId, Set)>, Error> {
        let mut found = Vec::new();
        for (array, aliases) in &self.aliases {
            let names = names.get(array).map_or(&[][..], Vec::as_slice);
            found.extend(ambiguous(names, aliases)?.map(|values| (*array, values)));
        }
        Ok(found)
    }

    /// Returns the footprints of a part.
    pub(crate) fn of(&mut self, part: &BodyPart, naming: BlockNames) -> Result<ByArray, Error> {
        let key = (part.body, part.nodes.start, part.nodes.end, part.iterations, naming);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let footprints = Rc::new(match part.iterations {
            Iterations::Same => self.unions(part, naming)?,
            Iterations::Before | Iterations::After => self.moved(part, naming)?,
        });
        self.known.insert(key, footprints.clone());
        Ok(footprints)
    }

    fn unions(&self, part: &BodyPart, naming: BlockNames) -> Result<BTreeMap<ArrayId, Map>, Error> {
        let depth = self.tree.bodies[part.body].depth;
        let mut unions = BTreeMap::<ArrayId, Map>::new();
        let touched = match naming {
            BlockNames::Short => &self.names,
            BlockNames::Unique => &self.touched,
        };
        for access in self.tree.accesses(part.body, part.nodes.clone()) {
            let map = &touched[access.index()];
            let map = map.project_out(DimType::In, depth, map.dim(DimType::In)? - depth)?;
            let array = self.program.access(access).array;
            let union = match unions.get(&array) {
                Some(union) => union.union(&map)?,
                None => map,
            };
            unions.insert(array, union);
        }
        unions.into_iter().map(|(array, union)| Ok((array, merged(&union)?))).collect()
    }

    /// Returns the footprints in all iterations before or after the given one.
    fn moved(&mut self, part: &BodyPart, naming: BlockNames) -> Result<BTreeMap<ArrayId, Map>, Error> {
        let here = self.of(&BodyPart { iterations: Iterations::Same, ..part.clone() }, naming)?;
        let moved = |(array, here): (&ArrayId, &Map)| {
            let others = other_iterations(&here.domain()?, part.iterations)?;
            Ok((*array, merged(&others.apply_range(here)?)?))
        };
        here.iter().map(moved).collect()
    }
}

/// Returns the iterations before or after each of the innermost of the loops around a body, in the space of a set of iterations:
/// `{ [o1, …, i] -> [o1, …, x] : x < i }`, or `x > i`.
pub(crate) fn other_iterations(loops: &Set, iterations: Iterations) -> Result<Map, Error> {
    let same = Set::universe(&loops.space()?)?.identity()?;
    let order = match iterations {
        Iterations::Same => return Ok(same),
        Iterations::Before => Ordering::Greater,
        Iterations::After => Ordering::Less,
    };
    let innermost = loops.dim(DimType::SET)?.saturating_sub(1);
    let others = same.project_out(DimType::Out, innermost, 1)?.add_dims(DimType::Out, 1)?;
    Ok(others.ordered(innermost, order, innermost)?)
}
