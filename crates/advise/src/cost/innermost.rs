//! The cost of a program in an order, in cycles: misses, and how its innermost loops run.
//!
//! ```text
//! Σ innermost loops  the longer of computing and waiting for memory, and a part of the shorter
//! ```
//!
//! Computing is [`Work`], waiting is misses; the cycles of each are in `crates/advise/src/cost/cycles.rs`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{Access, AccessKind, Atom, IterId, Node, Program};
use symloc_schedule::{Carried, CollectedUpdates, Generated};

use super::count::Counts;
use super::cycles::{self, MissCycles};
use super::recurrence::{LoopStatement, longest_recurrence};
use crate::nest::Nests;

/// The misses of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelMisses {
    /// Those of accesses that run over neighbours in their innermost loop: the processor fetches these ahead.
    pub streamed: f64,
    /// Those of others.
    pub scattered: f64,
    /// By array of the program, all of them.
    pub arrays: Vec<f64>,
    /// By innermost loop, and last for those that are in no known one, the cycles of waiting for them.
    pub(crate) waiting: Vec<f64>,
}

impl LevelMisses {
    /// Gathers the misses of accesses.
    pub(crate) fn of_accesses(costed: &Costed<'_>, cycles: MissCycles, by_access: &[f64]) -> Self {
        let mut found = Self {
            arrays: vec![0.0; costed.program.arrays.len()],
            waiting: vec![0.0; costed.loops.len() + 1],
            ..Self::default()
        };
        for (access, misses) in by_access.iter().enumerate() {
            found.arrays[costed.program.accesses[access].array.index()] += misses;
            let (kind, cycles) = match costed.streams[access] {
                true => (&mut found.streamed, cycles.streamed),
                false => (&mut found.scattered, cycles.scattered),
            };
            *kind += misses;
            found.waiting[costed.loop_of[access]] += misses * cycles;
        }
        found
    }

    /// Returns the sum.
    pub fn all(&self) -> f64 {
        self.streamed + self.scattered
    }
}

/// The work of innermost loops.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Accesses in loops that run in vectors, in elements of 8 bytes; those to the same element in all iterations do not
    /// count, as they are in registers.
    pub vectors: f64,
    /// Accesses in vectors whose elements lie apart.
    pub gathers: f64,
    /// Accesses in other loops.
    pub scalars: f64,
    /// Cycles of waiting for the result of the iteration before.
    pub chain: f64,
    /// Divisions in loops that run in vectors.
    pub vector_divisions: f64,
    /// Divisions in other loops.
    pub scalar_divisions: f64,
    /// Entries of innermost loops.
    pub entries: f64,
    /// Accesses to another page than in the iteration before.
    pub pages: f64,
    /// Those in loops that touch more pages than the processor keeps the addresses of.
    pub page_walks: f64,
}

impl Work {
    fn cycles(&self) -> f64 {
        let vectors = self.vectors * cycles::VECTOR + self.gathers * cycles::GATHER;
        let scalars = self.scalars * cycles::SCALAR + self.scalar_divisions * cycles::SCALAR_DIVISION;
        let divisions = self.vector_divisions * cycles::VECTOR_DIVISION;
        vectors.max(divisions) + scalars.max(self.chain) + self.entries * cycles::ENTRY
    }

    /// Returns the cycles for addresses of pages.
    fn page_cycles(&self) -> f64 {
        self.pages * cycles::PAGE + self.page_walks * cycles::PAGE_WALK
    }

    fn add(&mut self, other: &Self) {
        self.vectors += other.vectors;
        self.gathers += other.gathers;
        self.scalars += other.scalars;
        self.chain += other.chain;
        self.vector_divisions += other.vector_divisions;
        self.scalar_divisions += other.scalar_divisions;
        self.entries += other.entries;
        self.pages += other.pages;
        self.page_walks += other.page_walks;
    }
}

/// The cost of a program in an order, at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// By level.
    pub misses: Vec<LevelMisses>,
    /// True if the misses are counted, and not estimated from samples.
    pub is_exact: bool,
    /// The work of innermost loops.
    pub work: Work,
    /// Cycles in all.
    pub cycles: f64,
}

/// A program with estimated executions, whose innermost loops are known.
#[derive(Clone, Debug)]
pub struct Costed<'c> {
    pub(crate) program: &'c Program,
    /// The program with accesses as they run in what is written.
    pub(crate) executed: Cow<'c, Program>,
    sizes: &'c [i64],
    pub(crate) counts: Counts,
    /// By access, the number of times that its statement runs: a loop may collect what it updates, which is accessed less often.
    instances: Vec<f64>,
    /// By access, true if it runs over neighbours.
    streams: Vec<bool>,
    /// By access, the innermost loop that it is in; what is in none is a loop of its own here.
    loop_of: Vec<usize>,
    /// The work of each innermost loop.
    pub(crate) loops: Vec<Work>,
}

impl<'c> Costed<'c> {
    /// Looks at the innermost loops of a program that was generated from nests.
    pub fn new(generated: &'c Generated, nests: &Nests, sizes: &'c [i64]) -> Self {
        let (program, executed) = (&generated.program, generated.executed());
        let count = program.accesses.len();
        let counts = Counts::of(&executed, sizes);
        let mut costed = Self {
            program,
            sizes,
            instances: counts.accesses.clone(),
            counts,
            executed,
            streams: vec![false; count],
            loop_of: vec![0; count],
            loops: Vec::new(),
        };
        let mut loops = Vec::new();
        each_innermost(&program.body, None, &mut |iter, accesses| loops.push((iter, accesses.to_vec())));
        for (index, (iter, accesses)) in loops.iter().enumerate() {
            accesses.iter().for_each(|access| costed.loop_of[*access] = index);
            let updates = updates(*iter, accesses, generated);
            let iterations = iter.and_then(|iter| costed.counts.iterations.get(&iter)).copied().unwrap_or_default();
            for update in updates.iter().flatten() {
                costed.instances[*update] = iterations;
            }
            let (statements, divisions) = costed.statements(accesses, generated, nests);
            let carried = iter.and_then(|iter| generated.carried.get(&iter)).unwrap_or(&Carried::Nothing);
            let loop_body = InnermostLoop { accesses, statements: &statements, carried, updates, divisions };
            let work = costed.innermost(*iter, &loop_body);
            let (pages, page_walks) = iter.map_or((0.0, 0.0), |iter| costed.pages(accesses, iter));
            costed.loops.push(Work { pages, page_walks, ..work });
        }
        costed
    }

    /// Returns the accesses of a loop to another page than in the iteration before, and those of them for which the
    /// processor has to look for the page, since the loop touches more pages than it keeps the addresses of.
    fn pages(&self, accesses: &[usize], iter: IterId) -> (f64, f64) {
        let mut far: Vec<usize> = Vec::new();
        for access in accesses.iter().copied().filter(|access| self.bytes(*access, iter) >= PAGE) {
            // Two accesses to one element need its page once.
            if !far.iter().any(|other| self.is_same_element(access, *other)) {
                far.push(access);
            }
        }
        let pages = far.iter().map(|access| self.counts.accesses[*access]).sum();
        let at_once = far.len() as f64 * self.counts.trips.get(&iter).copied().unwrap_or_default();
        (pages, if at_once > cycles::PAGES { pages } else { 0.0 })
    }

    /// Returns the cost, with misses by level.
    pub(crate) fn with_misses(&self, misses: Vec<LevelMisses>, is_exact: bool) -> Cost {
        let mut waiting = vec![0.0; self.loops.len() + 1];
        misses.iter().for_each(|level| add(&mut waiting, &level.waiting));
        let mut work = Work::default();
        self.loops.iter().for_each(|other| work.add(other));
        Cost { misses, is_exact, work, cycles: self.cycles(&waiting) }
    }

    /// Returns the cycles in all, where loops wait for memory so long; computing and waiting overlap.
    pub fn cycles(&self, waiting: &[f64]) -> f64 {
        let outside = waiting.get(self.loops.len()).copied().unwrap_or(0.0);
        let one = |(work, waiting): (&Work, &f64)| {
            let (computing, waiting) = (work.cycles(), waiting + work.page_cycles());
            computing.max(waiting) + cycles::APART * computing.min(waiting)
        };
        self.loops.iter().zip(waiting).map(one).sum::<f64>() + outside
    }

    /// Returns the cycles of the innermost loops without misses.
    pub fn loop_cycles(&self) -> f64 {
        self.cycles(&vec![0.0; self.loops.len() + 1])
    }

    /// Returns the statements that accesses in one loop belong to, and the number of their divisions.
    fn statements(&self, accesses: &[usize], generated: &Generated, nests: &Nests) -> (Vec<LoopStatement>, f64) {
        let (mut statements, mut divisions) = (Vec::new(), 0.0);
        for access in accesses {
            let origin = generated.origins[*access];
            // A statement computes once for all its accesses.
            if let Some(statement) = nests.groups.iter().position(|group| group.first() == Some(&origin)) {
                let (count, arithmetic) = (self.instances[*access], nests.arithmetic[statement]);
                divisions += count * arithmetic.divisions;
                let latency = count * arithmetic.latency;
                statements.push(LoopStatement { statement, latency, ..LoopStatement::default() });
            }
            let Some(statement) = statements.last_mut() else { continue };
            let Access { array, kind, .. } = &self.program.accesses[*access];
            match kind {
                AccessKind::Read => statement.reads.insert(array.index()),
                AccessKind::Write => statement.writes.insert(array.index()),
            };
        }
        (statements, divisions)
    }

    /// Returns the work of an innermost loop, and notes those of its accesses that run over neighbours.
    fn innermost(&mut self, iter: Option<IterId>, body: &InnermostLoop<'_>) -> Work {
        let InnermostLoop { accesses, statements, carried, updates, divisions } = body;
        let real: Vec<usize> = accesses.iter().copied().filter(|access| !self.in_register(*access)).collect();
        let executions: f64 = real.iter().map(|access| self.instances[*access]).sum();
        let scalar = Work { scalars: executions, scalar_divisions: *divisions, ..Work::default() };
        let Some(iter) = iter else { return scalar };
        let entries = self.counts.entries.get(&iter).copied().unwrap_or_default();
        let strides: BTreeMap<usize, i128> = real.iter().map(|access| (*access, self.stride(*access, iter))).collect();
        for (access, stride) in &strides {
            self.streams[*access] = matches!(stride.abs(), 1..NEAR);
        }
        if let Carried::Dependences(pairs) = carried {
            // A compiler gives each iteration a temporary variable of its own.
            let has_temporary = accesses.len() > real.len();
            if !pairs.is_empty() || !has_temporary {
                return Work { chain: longest_recurrence(statements, pairs), entries, ..scalar };
            }
        }
        // A vector collects what a reduction adds to one element.
        let is_apart = |access: &&usize, updates: &BTreeSet<usize>| match updates.contains(*access) {
            true => strides[*access] != 0,
            false => self.program.accesses[**access].kind == AccessKind::Write && strides[*access] != 1,
        };
        let in_vectors = updates.as_ref().is_some_and(|updates| !real.iter().any(|access| is_apart(&access, updates)));
        if !in_vectors {
            let chain = match carried {
                Carried::Reductions(alone) => {
                    longest_recurrence(statements, &alone.iter().map(|statement| (*statement, *statement)).collect())
                }
                Carried::Nothing | Carried::Dependences(_) => 0.0,
            };
            return Work { chain, entries, ..scalar };
        }
        let mut work = Work { entries, vector_divisions: *divisions, ..Work::default() };
        for (access, stride) in strides {
            let count = self.instances[access];
            match stride {
                0 => {}
                1 => work.vectors += count * f64::from(self.element_bytes(access)) / 8.0,
                _ => work.gathers += count,
            }
        }
        work
    }

    /// Returns the distance in bytes from one iteration of a loop to the next.
    fn bytes(&self, access: usize, iter: IterId) -> i128 {
        self.stride(access, iter).abs() * i128::from(self.element_bytes(access))
    }

    fn is_same_element(&self, first: usize, second: usize) -> bool {
        let (first, second) = (&self.program.accesses[first], &self.program.accesses[second]);
        first.array == second.array && first.subscripts == second.subscripts
    }

    fn element_bytes(&self, access: usize) -> u32 {
        self.program.array(self.program.accesses[access].array).element_bytes as u32
    }

    /// Returns true for a scalar, which a compiler keeps in a register.
    fn in_register(&self, access: usize) -> bool {
        self.program.accesses[access].subscripts.is_empty()
    }

    /// Returns the distance in elements from one iteration of a loop to the next.
    fn stride(&self, access: usize, iter: IterId) -> i128 {
        stride(self.program, self.sizes, &self.program.accesses[access], iter)
    }
}

/// Returns the distance in elements of an access from one iteration of a loop to the next.
pub(crate) fn stride(program: &Program, sizes: &[i64], access: &Access, iter: IterId) -> i128 {
    let strides = program.array(access.array).strides_at(sizes).map(|strides| strides.strides).unwrap_or_default();
    let step = |(dimension, subscript): (usize, &symloc_affine::Expr)| {
        let factor = subscript.terms().find(|(atom, _)| **atom == Atom::Iter(iter)).map_or(0, |(_, factor)| factor);
        let last = dimension + 1 == access.subscripts.len();
        let stride = strides.get(dimension).copied().unwrap_or(if last { 1 } else { 1 << 20 });
        i128::from(factor) * i128::from(stride)
    };
    access.subscripts.iter().enumerate().map(step).sum()
}

/// The parts that are directly in an innermost loop.
struct InnermostLoop<'l> {
    accesses: &'l [usize],
    statements: &'l [LoopStatement],
    carried: &'l Carried,
    /// The accesses to elements that the loop collects; `None` if it carries a reduction that it cannot collect.
    updates: Option<BTreeSet<usize>>,
    /// The divisions of all statements.
    divisions: f64,
}

/// Returns the accesses of a loop's reductions to the elements that they update; `None` if the loop does not collect them.
fn updates(iter: Option<IterId>, accesses: &[usize], generated: &Generated) -> Option<BTreeSet<usize>> {
    let iter = iter.filter(|iter| matches!(generated.carried.get(iter), Some(Carried::Reductions(_))));
    let Some(iter) = iter else { return Some(BTreeSet::new()) };
    let CollectedUpdates { updates, .. } = generated.collected.get(&iter)?;
    let is_update = |access: &usize| updates.values().any(|update| update.has(generated.origins[*access]));
    Some(accesses.iter().copied().filter(is_update).collect())
}

/// Adds numbers to others, place by place.
pub(crate) fn add(sums: &mut [f64], others: &[f64]) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
}

/// The bytes of a page.
const PAGE: i128 = 4096;
/// Accesses whose elements are less than so many apart are in the same block often enough to be fetched ahead.
const NEAR: i128 = 8;

/// Calls a function with the accesses directly in each loop, and its iterator; `None` outside all loops.
fn each_innermost(nodes: &[Node], iter: Option<IterId>, visit: &mut impl FnMut(Option<IterId>, &[usize])) {
    let mut direct = Vec::new();
    gather(nodes, &mut direct, visit);
    if !direct.is_empty() {
        visit(iter, &direct);
    }
}

fn gather(nodes: &[Node], direct: &mut Vec<usize>, visit: &mut impl FnMut(Option<IterId>, &[usize])) {
    for node in nodes {
        match node {
            Node::Access(id) => direct.push(id.index()),
            Node::Operations(_) | Node::Mark(_) => {}
            Node::If(guard) => {
                gather(&guard.then, direct, visit);
                gather(&guard.otherwise, direct, visit);
            }
            Node::Loop(l) => each_innermost(&l.body, Some(l.iter), visit),
        }
    }
}
