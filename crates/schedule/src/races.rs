//! The check that the iterations of a loop may run at the same time.
//!
//! Two accesses race if they touch one element in different iterations of the loop, with the loops around in the same
//! iterations, and one of them writes. Arrays of which each thread has its own have no races. Loops inside may be in any iterations. If threads share the iterations of a nest as one
//! sequence, an iteration is one of all its loops.

use std::collections::BTreeMap;
use std::ops::Range;

use num_bigint::BigInt;
use symloc_affine::{AccessId, AccessKind, Atom, Expr, IterId, Program};
use symloc_isl::{Context, Map, Point, Set};
use symloc_reuse::schedule::timestamps::{Timestamps, params_text};

use crate::error::ScheduleError;

/// Two accesses to one element in different iterations of a loop or of a nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The access of the earlier iteration.
    pub first: AccessId,
    /// The access of the later iteration.
    pub second: AccessId,
    /// Sizes at which they race, by the names of parameters.
    pub sizes: Vec<(String, BigInt)>,
    /// The iterators around the first access, outermost first, with their values.
    pub first_instance: Vec<(IterId, BigInt)>,
    /// The iterators around the second access, outermost first, with their values.
    pub second_instance: Vec<(IterId, BigInt)>,
}

/// The largest sizes to search for a race, before any sizes.
const SMALL: [u32; 4] = [2, 4, 8, 16];

/// Returns two accesses that race if the iterations of a loop, or of a nest of so many loops of which it is the outermost one, run
/// at the same time; `None` if none do. Sizes are small if there is a race at small ones.
///
/// # Errors
///
/// [`ScheduleError::Isl`] or [`ScheduleError::Reuse`] if isl fails or reaches the limit on its operations.
pub fn race(isl: &Context, program: &Program, iter: IterId, loops: u32) -> Result<Option<Race>, ScheduleError> {
    let timestamps = Timestamps::new(isl, program)?;
    let bodies = Bodies::new(program, &timestamps, iter, loops as usize);
    let mut found: Option<Race> = None;
    for (first, second) in bodies.pairs() {
        let conflicts = bodies.conflicts(isl, first, second)?;
        if conflicts.is_empty()? {
            continue;
        }
        let point = smallest(isl, program, &conflicts.wrap()?)?;
        let witness = point.map(|point| bodies.race(first, second, point));
        found = match (found, witness) {
            (Some(known), Some(new)) => Some(if new.largest_size() < known.largest_size() { new } else { known }),
            (known, new) => known.or(new),
        };
        if found.as_ref().is_some_and(|race| race.largest_size() <= BigInt::from(SMALL[0])) {
            break;
        }
    }
    Ok(found)
}

/// Returns an element of a set of pairs, with sizes that are small if possible.
fn smallest(isl: &Context, program: &Program, pairs: &Set) -> Result<Option<Point>, ScheduleError> {
    for most in SMALL {
        let bounds: Vec<_> = program.params.iter().map(|param| format!("{} <= {most}", param.name)).collect();
        let bounds = if bounds.is_empty() { "true".to_owned() } else { bounds.join(" and ") };
        let small = Set::read(isl, &format!("{} -> {{ : {bounds} }}", params_text(program)))?;
        if let Some(point) = pairs.intersect_params(&small.params()?)?.sample_point()? {
            return Ok(Some(point));
        }
    }
    Ok(pairs.sample_point()?)
}

impl Race {
    fn largest_size(&self) -> BigInt {
        self.sizes.iter().map(|(_, size)| size.clone()).max().unwrap_or_default()
    }
}

/// The accesses in a loop, with the iterations in which they run.
struct Bodies<'b> {
    program: &'b Program,
    timestamps: &'b Timestamps,
    /// The number of loops around the loop.
    depth: usize,
    /// The number of loops of the nest, at least 1.
    loops: usize,
    /// Accesses to arrays that threads share; they differ in their region, array, subscripts or kind, by array.
    by_array: BTreeMap<u32, Vec<AccessId>>,
}

impl<'b> Bodies<'b> {
    fn new(program: &'b Program, timestamps: &'b Timestamps, iter: IterId, loops: usize) -> Self {
        let mut bodies = Self { program, timestamps, depth: 0, loops, by_array: BTreeMap::new() };
        for statement in &timestamps.statements {
            let iters = &timestamps.regions[statement.region].iters;
            let Some(depth) = iters.iter().position(|other| *other == iter) else { continue };
            bodies.depth = depth;
            let access = program.access(statement.access);
            if program.array(access.array).per_thread {
                continue;
            }
            let known = bodies.by_array.entry(access.array.0).or_default();
            let is_equal = |other: &AccessId| {
                let other_region = timestamps.statements[other.index()].region;
                let other = program.access(*other);
                other_region == statement.region
                    && other.elements == access.elements
                    && other.kind == access.kind
                    && other.subscripts == access.subscripts
            };
            if !known.iter().any(is_equal) {
                known.push(statement.access);
            }
        }
        bodies
    }

    /// Returns the pairs of accesses to one array that may race, writes first.
    fn pairs(&self) -> Vec<(AccessId, AccessId)> {
        let is_write = |access: &AccessId| self.program.access(*access).kind == AccessKind::Write;
        let mut pairs = Vec::new();
        for accesses in self.by_array.values() {
            for write in accesses.iter().filter(|access| is_write(access)) {
                pairs.extend(accesses.iter().filter(|other| !is_write(other) || *other >= write).map(|o| (*write, *o)));
            }
        }
        pairs
    }

    fn iters(&self, access: AccessId) -> &'b [IterId] {
        &self.timestamps.regions[self.timestamps.statements[access.index()].region].iters
    }

    /// Returns the places of the iterators of the nest among those around an access.
    fn nest(&self) -> Range<usize> {
        self.depth..self.depth + self.loops
    }

    /// Returns the pairs of iterations in which two accesses touch one element.
    fn conflicts(&self, isl: &Context, first: AccessId, second: AccessId) -> Result<Map, ScheduleError> {
        let tuple = |access: AccessId, side: char| {
            let names: Vec<_> = (0..self.iters(access).len()).map(|place| format!("symloc_{side}{place}")).collect();
            format!("[{}]", names.join(", "))
        };
        let text = |access: AccessId, side: char, expr: &Expr| {
            expr.show(&|atom| match atom {
                Atom::Param(param) => self.program.params[param.index()].name.clone(),
                Atom::Iter(iter) => {
                    let place = self.iters(access).iter().position(|other| other == iter);
                    format!("symloc_{side}{}", place.unwrap_or_default())
                }
                Atom::Floor(..) => String::new(),
            })
        };
        let subscripts = |access: AccessId| self.program.access(access).subscripts.iter();
        let around = (0..self.depth).map(|place| format!("symloc_a{place} = symloc_b{place}"));
        let equal = subscripts(first).zip(subscripts(second));
        let last = self.program.access(first).subscripts.len().saturating_sub(1);
        let (before, after) = (self.program.access(first).elements - 1, self.program.access(second).elements - 1);
        let equal = equal.enumerate().map(|(dimension, (a, b))| {
            let (a, b) = (text(first, 'a', a), text(second, 'b', b));
            match dimension == last {
                // Elements from a on and from b on.
                true => format!("{b} - {before} <= {a} <= {b} + {after}"),
                false => format!("{a} = {b}"),
            }
        });
        let differ: Vec<_> = self.nest().map(|place| format!("symloc_a{place} != symloc_b{place}")).collect();
        let differ = format!("({})", differ.join(" or "));
        let conditions: Vec<_> = around.chain(equal).chain([differ]).collect();
        let pairs = format!(
            "{} -> {{ {} -> {} : {} }}",
            params_text(self.program),
            tuple(first, 'a'),
            tuple(second, 'b'),
            conditions.join(" and ")
        );
        let domain = |access: AccessId| {
            let region = self.timestamps.statements[access.index()].region;
            &self.timestamps.regions[region].domain
        };
        let pairs = Map::read(isl, &pairs)?.intersect_domain(domain(first))?;
        Ok(pairs.intersect_range(domain(second))?)
    }

    /// Returns the race at a point, the earlier iteration first.
    fn race(&self, first: AccessId, second: AccessId, mut point: Point) -> Race {
        let later = point.set.split_off(self.iters(first).len());
        let instance = |access: AccessId, values: Vec<BigInt>| self.iters(access).iter().copied().zip(values).collect();
        let sizes = self.program.params.iter().map(|param| param.name.clone()).zip(point.params).collect();
        let is_turned = point.set.get(self.nest()) > later.get(self.nest());
        let (first_instance, second_instance) = (instance(first, point.set), instance(second, later));
        match is_turned {
            false => Race { first, second, sizes, first_instance, second_instance },
            true => Race {
                first: second,
                second: first,
                sizes,
                first_instance: second_instance,
                second_instance: first_instance,
            },
        }
    }
}
