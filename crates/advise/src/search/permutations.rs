//! The permutations of a nest's loops that are tried.
//!
//! Of up to four loops they are all tried. Of more, each loop is tried as the innermost one, and the others around it stand
//! in two orders: that of the scheduler, and *memory order* (McKinley, Carr and Tseng, *Improving data locality with loop
//! transformations*, 1996), where the loop whose next iteration touches the most other lines is outermost.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessId, Atom, Expr, IterId, Line};
use symloc_schedule::{Band, BandMember, Scop, ScopStatement};

use crate::cost::count::Counts;
use crate::cost::innermost::stride;

/// The largest number of loops whose permutations are all tried.
const PERMUTED: usize = 4;

/// A loop of a nest, as far as permutations depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NestLoop {
    /// The number of its band, 0 for the outermost; only the loops of that one may be tiled.
    pub(crate) band: usize,
    /// True if it carries no dependence.
    coincident: bool,
    /// The lines that its next iteration touches and this one does not.
    lines: f64,
    /// Its iterations, about; tiles of more are of no use.
    pub(crate) trips: f64,
}

impl NestLoop {
    /// Returns the loops of a nest and those directly below it, outermost first.
    pub(crate) fn of_nest(nest: &Band, scop: &Scop, sizes: &[i64], line: Line) -> Vec<Self> {
        let bands = nest.bands_of_loops();
        let lines = TouchedLines { scop, sizes, line };
        let trips = Counts::of(&scop.program, sizes).trips;
        let found = |(member, band): (&BandMember, usize)| Self {
            band,
            coincident: member.coincident,
            lines: lines.of_loop(member),
            trips: trips_of_loop(member, scop, &trips),
        };
        nest.with_loops_below().members.iter().zip(bands).map(found).collect()
    }

    /// Returns true if a loop has to stay around another: dependences that this one carries may go backwards in loops of
    /// bands further inside.
    fn stays_around(&self, other: &Self) -> bool {
        !self.coincident && self.band < other.band
    }
}

/// Returns the iterations of a loop, about: a skewed one has those of all variables in its value.
fn trips_of_loop(member: &BandMember, scop: &Scop, trips: &BTreeMap<IterId, f64>) -> f64 {
    let of_statement = |(statement, value): (&usize, &Expr)| {
        let iters = iters_of(&scop.statements[*statement], value);
        iters.map(|iter| trips.get(&iter).copied().unwrap_or_default()).sum::<f64>()
    };
    member.values.iter().map(of_statement).fold(0.0, f64::max)
}

/// Returns the iterators of a statement that are in an expression.
fn iters_of(statement: &ScopStatement, value: &Expr) -> impl Iterator<Item = IterId> {
    statement.iters.iter().copied().filter(|iter| value.mentions(&|atom| *atom == Atom::Iter(*iter)))
}

/// The lines that loops touch.
struct TouchedLines<'l> {
    scop: &'l Scop,
    sizes: &'l [i64],
    line: Line,
}

impl TouchedLines<'_> {
    /// Returns the lines that the next iteration of a loop touches and this one does not, in all accesses together.
    fn of_loop(&self, member: &BandMember) -> f64 {
        let of_statement = |(statement, value): (&usize, &Expr)| {
            let statement = &self.scop.statements[*statement];
            // A skewed loop moves the variable that no loop around it has: the nearest, where it is not known which.
            let lines = iters_of(statement, value)
                .map(|iter| statement.accesses.iter().map(|access| self.of_access(*access, iter)).sum::<f64>());
            lines.min_by(f64::total_cmp).unwrap_or(0.0)
        };
        member.values.iter().map(of_statement).sum()
    }

    fn of_access(&self, access: AccessId, iter: IterId) -> f64 {
        let program = &self.scop.program;
        let access = program.access(access);
        let elements = stride(program, self.sizes, access, iter).unsigned_abs() as f64;
        // An element that is no part of a line is one.
        let in_line = self.line.elements(program.array(access.array)).unwrap_or(1);
        (elements / in_line as f64).min(1.0)
    }
}

/// Returns true if not all permutations of so many loops are tried.
pub(crate) fn is_deep(loops: usize) -> bool {
    loops > PERMUTED
}

/// Returns the permutations of a nest's loops that are tried, without repetitions: by new loop, the old one. If there are
/// many loops, all of these are legal.
pub(crate) fn permutations(loops: &[NestLoop]) -> Vec<Vec<usize>> {
    if !is_deep(loops.len()) {
        return all_permutations(loops.len());
    }
    let places = 0..loops.len();
    let may_be_innermost = |place: &usize| !loops.iter().any(|other| loops[*place].stays_around(other));
    let innermost: Vec<usize> = places.clone().filter(may_be_innermost).collect();
    let around = |place: usize| places.clone().filter(move |other| *other != place).collect::<Vec<_>>();
    let with = |outer: Vec<usize>, place: usize| [outer, vec![place]].concat();
    let in_memory_order = innermost.iter().map(|place| with(memory_order(loops, around(*place)), *place));
    let as_found = innermost.iter().map(|place| with(around(*place), *place));
    let mut seen = BTreeSet::new();
    in_memory_order.chain(as_found).filter(|permutation| seen.insert(permutation.clone())).collect()
}

/// Returns loops with the one outermost that touches the most other lines in its next iteration, and so on.
fn memory_order(loops: &[NestLoop], mut open: Vec<usize>) -> Vec<usize> {
    let mut order = Vec::new();
    while !open.is_empty() {
        let is_free = |place: &usize| !open.iter().any(|other| loops[*other].stays_around(&loops[*place]));
        let free = open.iter().copied().filter(is_free);
        // Of equals the first.
        let next = free.reduce(|best, other| if loops[other].lines > loops[best].lines { other } else { best });
        let Some(next) = next else { break };
        open.retain(|place| *place != next);
        order.push(next);
    }
    order
}

/// Returns the permutations of `0..count`, in lexicographic order.
fn all_permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |start: &Vec<usize>| {
            let start = start.clone();
            (0..count).filter(move |next| !start.contains(next)).collect::<Vec<_>>()
        };
        all = all
            .iter()
            .flat_map(|start| longer(start).into_iter().map(|next| start.iter().copied().chain([next]).collect()))
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nest_loop(band: usize, coincident: bool, lines: f64) -> NestLoop {
        NestLoop { band, coincident, lines, trips: 100.0 }
    }

    /// A convolution: n, k, y, x, c in one band, r and s in bands of their own. Sums go through c, r, s in this order.
    #[test]
    fn deep_nests_are_permuted_by_rule() {
        let loops = [
            nest_loop(0, true, 3.0),
            nest_loop(0, true, 3.5),
            nest_loop(0, true, 3.0),
            nest_loop(0, true, 0.2),
            nest_loop(0, false, 1.5),
            nest_loop(1, false, 1.6),
            nest_loop(2, false, 0.1),
        ];
        let tried = permutations(&loops);
        // c and r cannot be innermost; around x the lines decide, except that c stays around r.
        assert!(tried.contains(&vec![1, 0, 2, 4, 5, 6, 3]) && tried.contains(&vec![0, 1, 2, 4, 5, 6, 3]), "{tried:?}");
        assert!(tried.iter().all(|order| ![Some(&4), Some(&5)].contains(&order.last())), "{tried:?}");
        let place = |order: &[usize], wanted| order.iter().position(|other| *other == wanted);
        let keeps_sums = |order: &Vec<usize>| place(order, 4) < place(order, 5) && place(order, 5) < place(order, 6);
        assert!(tried.iter().all(keeps_sums), "{tried:?}");
        assert_eq!(tried.len(), 10, "{tried:?}");
    }

    #[test]
    fn few_loops_are_permuted_in_all_ways() {
        let loops = [nest_loop(0, false, 1.0), nest_loop(0, true, 0.0), nest_loop(1, true, 2.0)];
        assert_eq!(permutations(&loops).len(), 6);
    }
}
