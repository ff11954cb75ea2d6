//! Replacement policies: the choice of the line that a full set evicts for a new one.
//!
//! A policy sees one set: its lines, way by way, and a word of state. Policies whose order is that of the ways
//! themselves, [`Lru`] and [`Fifo`], keep the newest line in way 0 and the empty ways behind all lines; the others
//! leave lines where they are and fill empty ways from the first on.
//!
//! Sources: Hennessy and Patterson, "Computer Architecture", appendix B, for LRU, FIFO, random and the tree; Abel and
//! Reineke, "nanoBench" (ISPASS 2020), for quad-age LRU and its parameters.

use crate::geometry::{Geometry, GeometryError};
use crate::splitmix::{below, mixed};

/// A way of a set that holds no line.
pub const EMPTY: u64 = u64::MAX;
/// A way of a set that holds a line of which nothing is known: it makes room as any other.
pub const UNKNOWN: u64 = u64::MAX - 4;

/// A replacement policy. Lines are opaque words here; [`EMPTY`] ways hold none.
pub trait Policy: Clone {
    /// True if hits on some lines, repeated in the same order, leave the set in the state after the first round.
    const SETTLES: bool = true;

    /// True if accesses to as many lines as there are ways, each used at least once, leave all of them in the set.
    const KEEPS: bool = false;

    /// Checks that the policy can keep sets of this geometry.
    ///
    /// # Errors
    ///
    /// [`GeometryError`] if the ways are too many, or not a power of two where they have to be.
    fn check(&self, geometry: &Geometry) -> Result<(), GeometryError>;

    /// Returns the state of a set whose ways all hold unknown lines: one that the policy may have reached, chosen by the seed.
    fn unknown(&self, _seed: u64, set: u64, _ways: usize) -> u64 {
        self.start(set)
    }

    /// Returns the state of a set without lines.
    fn start(&self, _set: u64) -> u64 {
        0
    }

    /// Updates the set after a hit on a line.
    fn hit(&self, lines: &mut [u64], state: &mut u64, way: usize);

    /// Makes room, and returns the way whose line is replaced.
    fn replace(&self, lines: &mut [u64], state: &mut u64) -> usize;

    /// Removes a line from the set, without another in its place.
    fn remove(&self, lines: &mut [u64], _state: &mut u64, way: usize) {
        lines[way] = EMPTY;
    }
}

/// Least recently used: evicts the line that was not used for the longest time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lru;

impl Policy for Lru {
    const KEEPS: bool = true;

    fn check(&self, _: &Geometry) -> Result<(), GeometryError> {
        Ok(())
    }

    #[inline]
    fn hit(&self, lines: &mut [u64], _: &mut u64, way: usize) {
        to_front(lines, way);
    }

    #[inline]
    fn replace(&self, lines: &mut [u64], _: &mut u64) -> usize {
        to_front(lines, lines.len() - 1);
        0
    }

    fn remove(&self, lines: &mut [u64], _: &mut u64, way: usize) {
        to_back(lines, way);
    }
}

/// First in, first out: evicts the line that came first, independent of its use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fifo;

impl Policy for Fifo {
    fn check(&self, _: &Geometry) -> Result<(), GeometryError> {
        Ok(())
    }

    #[inline]
    fn hit(&self, _: &mut [u64], _: &mut u64, _: usize) {}

    #[inline]
    fn replace(&self, lines: &mut [u64], _: &mut u64) -> usize {
        to_front(lines, lines.len() - 1);
        0
    }

    fn remove(&self, lines: &mut [u64], _: &mut u64, way: usize) {
        to_back(lines, way);
    }
}

/// Moves a line to way 0, and those before it one further.
#[inline]
fn to_front(lines: &mut [u64], way: usize) {
    if way == 0 {
        return;
    }
    let line = lines[way];
    // The way of a hit is hard to predict: with eight ways, a selection in each is faster than a loop that stops at the
    // right one.
    match <&mut [u64; 8]>::try_from(&mut *lines) {
        Ok(eight) => {
            let old = *eight;
            (1..8).for_each(|later| eight[later] = if later <= way { old[later - 1] } else { old[later] });
        }
        Err(_) => lines.copy_within(..way, 1),
    }
    lines[0] = line;
}

/// Empties a way, and closes the gap.
fn to_back(lines: &mut [u64], way: usize) {
    lines[way..].rotate_left(1);
    if let Some(last) = lines.last_mut() {
        *last = EMPTY;
    }
}

/// Returns the first way without a line.
fn vacant(lines: &[u64]) -> Option<usize> {
    lines.iter().position(|line| *line == EMPTY)
}

/// A binary tree over the ways, whose nodes point away from the half that was used last.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreePlru;

impl TreePlru {
    /// Makes the nodes on the path to a way point to the other halves.
    #[inline]
    fn touch(ways: usize, state: &mut u64, way: usize) {
        let mut node = 1;
        let mut half = ways / 2;
        while half > 0 {
            let right = way & half != 0;
            match right {
                true => *state &= !(1 << node),
                false => *state |= 1 << node,
            }
            node = 2 * node + usize::from(right);
            half /= 2;
        }
    }
}

impl Policy for TreePlru {
    fn check(&self, geometry: &Geometry) -> Result<(), GeometryError> {
        let ways = geometry.ways();
        if ways.is_power_of_two() && ways <= 64 { Ok(()) } else { Err(GeometryError::Tree { ways }) }
    }

    fn unknown(&self, seed: u64, set: u64, _: usize) -> u64 {
        mixed(seed ^ mixed(set))
    }

    #[inline]
    fn hit(&self, lines: &mut [u64], state: &mut u64, way: usize) {
        Self::touch(lines.len(), state, way);
    }

    fn replace(&self, lines: &mut [u64], state: &mut u64) -> usize {
        let way = vacant(lines).unwrap_or_else(|| {
            let mut node = 1;
            while node < lines.len() {
                node = 2 * node + (*state >> node & 1) as usize;
            }
            node - lines.len()
        });
        Self::touch(lines.len(), state, way);
        way
    }
}

/// Quad-age LRU, as in last levels of Intel: QLRU_H11_M1_R0_U0.
///
/// Lines have ages 0 to 3. A new line has age 1. A hit makes ages 3 and 2 to 1, and 1 to 0. The first line of age 3 is
/// evicted; after an access that leaves none of that age, all ages grow by the amount that the oldest lacks. Empty ways
/// have age 3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Qlru;

impl Qlru {
    /// The largest number of ways whose ages fit in a word.
    const WAYS: u64 = 32;
    /// The age 1 in every way.
    const ONES: u64 = u64::MAX / 3;

    fn set_age(state: &mut u64, way: usize, age: u64) {
        *state = *state & !(3 << (2 * way)) | age << (2 * way);
    }

    /// Raises all ages so that the oldest lines have age 3.
    fn grow(lines: &[u64], state: &mut u64) {
        let ages = u64::MAX >> (64 - 2 * lines.len());
        let (high, low) = (*state >> 1 & Self::ONES & ages, *state & Self::ONES & ages);
        let lacking = match (high & low != 0, high != 0, low != 0) {
            (true, ..) => 0,
            (_, true, _) => 1,
            (_, _, true) => 2,
            _ => 3,
        };
        // No age becomes more than 3, so that none is carried into the next.
        *state += lacking * (Self::ONES & ages);
    }
}

impl Policy for Qlru {
    // Ages grow whenever no line is of age 3.
    const SETTLES: bool = false;

    fn check(&self, geometry: &Geometry) -> Result<(), GeometryError> {
        let ways = geometry.ways();
        match ways <= Self::WAYS {
            true => Ok(()),
            false => Err(GeometryError::Ways { policy: "QLRU", ways, most: Self::WAYS }),
        }
    }

    fn start(&self, _: u64) -> u64 {
        u64::MAX
    }

    fn unknown(&self, seed: u64, set: u64, ways: usize) -> u64 {
        let mut state = mixed(seed ^ mixed(set)) | u64::MAX.checked_shl(2 * ways as u32).unwrap_or(0);
        Self::grow(&[UNKNOWN; Self::WAYS as usize][..ways], &mut state);
        state
    }

    fn hit(&self, lines: &mut [u64], state: &mut u64, way: usize) {
        let age = u64::from(*state >> (2 * way) & 2 != 0);
        Self::set_age(state, way, age);
        Self::grow(lines, state);
    }

    fn replace(&self, lines: &mut [u64], state: &mut u64) -> usize {
        let oldest = *state & (*state >> 1) & Self::ONES;
        let way = vacant(lines).unwrap_or(oldest.trailing_zeros() as usize / 2).min(lines.len() - 1);
        Self::set_age(state, way, 1);
        Self::grow(lines, state);
        way
    }

    fn remove(&self, lines: &mut [u64], state: &mut u64, way: usize) {
        lines[way] = EMPTY;
        Self::set_age(state, way, 3);
    }
}

/// Evicts any line, by a generator of its own for each set ([`splitmix`](crate::splitmix)): the choices depend on the
/// seed alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random {
    /// The seed of the generators.
    pub seed: u64,
}

impl Policy for Random {
    fn check(&self, _: &Geometry) -> Result<(), GeometryError> {
        Ok(())
    }

    fn unknown(&self, seed: u64, set: u64, _: usize) -> u64 {
        mixed(self.seed ^ mixed(seed ^ mixed(set)))
    }

    fn start(&self, set: u64) -> u64 {
        mixed(self.seed ^ mixed(set))
    }

    fn hit(&self, _: &mut [u64], _: &mut u64, _: usize) {}

    fn replace(&self, lines: &mut [u64], state: &mut u64) -> usize {
        vacant(lines).unwrap_or_else(|| below(state, lines.len() as u64) as usize)
    }
}
