//! A static control part: an affine program whose accesses are gathered in statements.
//!
//! A statement's accesses stay together, in their order, whatever the order of statements. Its instances are the
//! iterations of the loops around it: `S<k>[iterators]`, where `k` is its first access.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessId, AccessKind, Constraint, If, IterId, Loop, Node, Program};
use symloc_isl::{Context, Map, Set, UnionMap, UnionSet};
use symloc_reuse::schedule::timestamps::{Timestamps, params_text, statement_name};

use crate::error::ScheduleError;

/// Accesses that run together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopStatement {
    /// Its name, and that of its instances' tuple.
    pub name: String,
    /// Its accesses, in their order.
    pub accesses: Vec<AccessId>,
    /// The iterators of the loops around it, outermost first.
    pub iters: Vec<IterId>,
    /// By access, the branches within the statement that it stands in, outermost first.
    pub branches: Vec<Vec<Branch>>,
}

/// One side of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The condition: all of these.
    pub condition: Vec<Constraint>,
    /// True for the side on which it holds.
    pub holds: bool,
}

/// By access, the branches that it stands in, with the place of each among those of the program, outermost first.
type Branches = BTreeMap<AccessId, Vec<(usize, Branch)>>;

/// Finds the branches around the accesses of a program.
fn branches(nodes: &[Node], around: &mut Vec<(usize, Branch)>, count: &mut usize, found: &mut Branches) {
    for node in nodes {
        match node {
            Node::Access(id) => drop(found.insert(*id, around.clone())),
            Node::Loop(Loop { body, .. }) => branches(body, around, count, found),
            Node::If(If { condition, then, otherwise }) => {
                let place = *count;
                *count += 1;
                for (side, holds) in [(then, true), (otherwise, false)] {
                    around.push((place, Branch { condition: condition.clone(), holds }));
                    branches(side, around, count, found);
                    around.pop();
                }
            }
            Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

/// Returns by access of a group the branches that not all of them stand in.
fn own_branches(group: &[AccessId], found: &Branches) -> Vec<Vec<Branch>> {
    let of = |access: &AccessId| found.get(access).map_or(&[][..], |branches| &branches[..]);
    let is_common = |place: &usize| {
        let first = group.first().and_then(|access| of(access).get(*place));
        group.iter().all(|access| first.is_some() && of(access).get(*place) == first)
    };
    let common = (0..).take_while(is_common).count();
    group.iter().map(|access| of(access).iter().skip(common).map(|(_, branch)| branch.clone()).collect()).collect()
}

/// A program and its statements, as relations.
#[derive(Debug)]
pub struct Scop {
    /// The program.
    pub program: Program,
    /// The statements, in the order of the text.
    pub statements: Vec<ScopStatement>,
    /// The context: a set of parameter values.
    pub context: Set,
    /// All instances.
    pub domain: UnionSet,
    /// From instances to the elements that they read: `S<k>[iterators] -> Array[subscripts]`.
    pub reads: UnionMap,
    /// From instances to the elements that they write.
    pub writes: UnionMap,
    /// By statement, its instances.
    domains: Vec<Set>,
    index: BTreeMap<String, usize>,
}

impl Scop {
    /// Gathers accesses in statements; each group lists consecutive accesses of the program, in the same loops.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Scattered`] if the accesses of a group are in different loops,
    /// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
    pub fn new(isl: &Context, program: Program, groups: &[Vec<AccessId>]) -> Result<Self, ScheduleError> {
        let timestamps = Timestamps::new(isl, &program)?;
        let mut scop = Self {
            context: timestamps.context.params()?,
            domain: UnionSet::empty(isl)?,
            reads: UnionMap::empty(isl)?,
            writes: UnionMap::empty(isl)?,
            statements: Vec::new(),
            domains: Vec::new(),
            index: BTreeMap::new(),
            program,
        };
        let mut found = Branches::new();
        branches(&scop.program.body, &mut Vec::new(), &mut 0, &mut found);
        for group in groups.iter().filter(|group| !group.is_empty()) {
            scop.add(isl, &timestamps, group, own_branches(group, &found))?;
        }
        Ok(scop)
    }

    fn add(
        &mut self,
        isl: &Context,
        timestamps: &Timestamps,
        group: &[AccessId],
        branches: Vec<Vec<Branch>>,
    ) -> Result<(), ScheduleError> {
        let regions = group.iter().map(|access| timestamps.statements[access.index()].region);
        let common = regions.reduce(|a, b| common_region(timestamps, a, b)).unwrap_or_default();
        let region = &timestamps.regions[common];
        // Accesses under conditions of the statement's own count as if they always happened; loops of its own do not.
        let depth = |access: &AccessId| timestamps.regions[timestamps.statements[access.index()].region].iters.len();
        if group.iter().any(|access| depth(access) != region.iters.len()) {
            return Err(ScheduleError::Scattered { location: self.program.access(group[0]).location.clone() });
        }
        // The domain is that of the innermost region with all accesses. If they do not fill it, the statement itself is
        // under conditions that are no region: under `a || b` it stands under `a`, and again under `b`.
        let mut rest = region.domain.clone();
        for access in group {
            rest = rest.subtract(&timestamps.regions[timestamps.statements[access.index()].region].domain)?;
        }
        if !rest.is_empty()? {
            return Err(ScheduleError::Alternatives { location: self.program.access(group[0]).location.clone() });
        }
        let name = statement_name(group[0]);
        let domain = region.domain.set_tuple_name(&name)?;
        let index = self.statements.len();
        self.domain = self.domain.union(&UnionSet::from_set(&domain)?)?;
        self.index.insert(name.clone(), index);
        self.statements.push(ScopStatement { name, accesses: group.to_vec(), iters: region.iters.clone(), branches });
        self.domains.push(domain);
        for access in group {
            let elements = self.elements(isl, index, *access)?;
            match self.program.access(*access).kind {
                AccessKind::Read => self.reads = self.reads.union(&elements)?,
                AccessKind::Write => self.writes = self.writes.union(&elements)?,
            }
        }
        Ok(())
    }

    /// Returns the instances of some statements.
    pub(crate) fn instances(&self, isl: &Context, statements: &BTreeSet<usize>) -> Result<UnionSet, ScheduleError> {
        let mut union = UnionSet::empty(isl)?;
        for statement in statements {
            union = union.union(&UnionSet::from_set(&self.domains[*statement])?)?;
        }
        Ok(union)
    }

    /// Returns the elements that an access of a statement touches, by instance.
    pub(crate) fn elements(
        &self,
        isl: &Context,
        statement: usize,
        access: AccessId,
    ) -> Result<UnionMap, ScheduleError> {
        let text = self.elements_text(&self.statements[statement], access);
        Ok(UnionMap::from_map(&Map::read(isl, &text)?.intersect_domain(&self.domains[statement])?)?)
    }

    fn elements_text(&self, statement: &ScopStatement, access: AccessId) -> String {
        let access = self.program.access(access);
        let mut subscripts: Vec<_> = access.subscripts.iter().map(|subscript| self.program.show(subscript)).collect();
        let array = &self.program.array(access.array).name;
        let condition = match subscripts.last_mut().filter(|_| access.elements > 1) {
            Some(last) => {
                let first = std::mem::replace(last, "symloc_e".to_owned());
                format!(" : {first} <= symloc_e < {first} + {}", access.elements)
            }
            None => String::new(),
        };
        format!(
            "{} -> {{ {} -> {array}[{}]{condition} }}",
            params_text(&self.program),
            self.tuple(statement),
            subscripts.join(", ")
        )
    }

    /// Returns the tuple of a statement's instances: `S0[i, j]`.
    pub(crate) fn tuple(&self, statement: &ScopStatement) -> String {
        let iters = statement.iters.iter().map(|iter| self.program.iters[iter.index()].name.as_str());
        format!("{}[{}]", statement.name, iters.collect::<Vec<_>>().join(", "))
    }

    /// Returns the index of the statement with this name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }
}

/// Returns the innermost region that two regions are in; a region comes after the one around it.
fn common_region(timestamps: &Timestamps, mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = timestamps.regions[*later].parent.unwrap_or_default();
    }
    a
}
