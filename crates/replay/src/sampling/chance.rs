//! Pseudo-random numbers between 0 and 1.

use symloc_cache::splitmix;

/// The numbers for one draw. Over all draws of a source, the first numbers are spread evenly, and so are the second and the third
/// ones: multiples of the powers of 1/g modulo 1, where g^4 = g + 1; later ones are not. Source: M. Roberts, "The unreasonable
/// effectiveness of quasirandom sequences", 2018.
pub(super) struct Chance {
    draw: u64,
    /// The number of numbers taken.
    dimension: i32,
    even: u64,
    uneven: u64,
}

const G: f64 = 1.220_744_084_605_759_5;
/// The number of numbers that are spread evenly.
const EVEN: i32 = 3;

impl Chance {
    /// Creates the numbers for a draw.
    pub(super) fn new(seed: u64, draw: u64) -> Self {
        Self { draw, dimension: 0, even: seed, uneven: seed ^ draw << 20 }
    }

    pub(super) fn next(&mut self) -> f64 {
        self.dimension += 1;
        if self.dimension > EVEN {
            return fraction(splitmix::next(&mut self.uneven));
        }
        let shift = fraction(splitmix::next(&mut self.even));
        (shift + (self.draw as f64 * G.powi(-self.dimension)).fract()).fract()
    }

    /// Returns a number below `count`.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        ((self.next() * count as f64) as u64).min(count - 1)
    }
}

fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}
