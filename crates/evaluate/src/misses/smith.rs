//! Set-associative caches: the probability that a reuse at a given distance hits.
//!
//! A reuse at distance D finds D distinct blocks between itself and the access before. If every one of them falls into
//! its set with probability 1/S, independently, the number that fell into the set of the reuse is binomial, and in a set of
//! A ways the reuse hits if fewer than A did:
//!
//! ```text
//! P(hit | D) = Σ_{a < A} C(D, a) (1/S)^a ((S − 1)/S)^(D − a)
//! ```
//!
//! Smith, "A comparative study of set associative memory mapping algorithms and their use for cache and main memory",
//! 1978; with histograms of distances it is known as SDCM (Brehob and Enbody, 1999). It is an *estimate*: addresses are not
//! random, and arrays whose rows are a power of two apart conflict far more often. With one set it is exact.
//!
//! **Numerics.** Exact rationals would have D digits. Terms are positive and follow each other by a factor,
//!
//! ```text
//! ln t(0) = D ln(1 − 1/S)        ln t(a + 1) = ln t(a) + ln((D − a) / ((a + 1)(S − 1)))
//! ```
//!
//! so they are summed as exponentials of that recurrence. Nothing cancels except in the logarithms, whose rounding grows
//! with their size: the error of P is below 2⁻⁵² (D/S + A), and terms that are zero in floating point are below 10⁻³⁰⁰.
//! D/S matters only up to about A, beyond which P vanishes, so that is 10⁻¹² for up to a thousand ways.

/// The geometry of a set-associative cache: sets of `ways` lines each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sets {
    sets: u64,
    ways: u64,
}

/// Probabilities in whole units of 2⁻⁵², so that sums over counts of any size stay exact.
pub(crate) const UNITS: i64 = 1 << 52;

impl Sets {
    /// Creates a cache of `lines` lines in sets of `ways`; `None` if these are not whole sets.
    pub fn new(lines: u64, ways: u64) -> Option<Self> {
        (ways > 0 && lines > 0 && lines.is_multiple_of(ways)).then(|| Self { sets: lines / ways, ways })
    }

    /// Returns the number of sets.
    pub fn sets(&self) -> u64 {
        self.sets
    }

    /// Returns the number of lines in a set.
    pub fn ways(&self) -> u64 {
        self.ways
    }

    /// Returns the number of lines.
    pub fn lines(&self) -> u64 {
        self.sets * self.ways
    }

    /// Returns P(hit | D) for a distance in blocks. Between whole distances it interpolates linearly, as befits an average.
    pub fn hit(&self, distance: f64) -> f64 {
        if distance == f64::INFINITY {
            return 0.0;
        }
        let distance = distance.max(0.0);
        let below = distance.floor();
        let portion = distance - below;
        let hit = self.hit_at(below);
        if portion == 0.0 { hit } else { hit + portion * (self.hit_at(below + 1.0) - hit) }
    }

    /// Returns [`Sets::hit`] in [`UNITS`].
    pub(crate) fn hit_units(&self, distance: f64) -> i64 {
        (self.hit(distance) * UNITS as f64).round() as i64
    }

    /// Returns P(hit | D) at a whole distance.
    fn hit_at(&self, distance: f64) -> f64 {
        let (sets, ways) = (self.sets as f64, self.ways);
        if distance < ways as f64 {
            return 1.0;
        }
        if self.sets == 1 {
            return 0.0;
        }
        let mut log = distance * (-1.0 / sets).ln_1p();
        let mut sum = 0.0_f64;
        for a in 0..ways {
            let term = log.exp();
            sum += term;
            let a = a as f64;
            if a * sets > distance && term < f64::EPSILON * sum {
                break;
            }
            log += ((distance - a) / ((a + 1.0) * (sets - 1.0))).ln();
        }
        sum.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::{One, ToPrimitive, Zero};
    use proptest::prelude::*;

    use super::*;

    /// Returns P(hit | D) by the definition, in rationals.
    fn exact(sets: u64, ways: u64, distance: u64) -> BigRational {
        let chance = BigRational::new(BigInt::one(), BigInt::from(sets));
        let other = BigRational::one() - &chance;
        let mut sum = BigRational::zero();
        let mut choose = BigRational::one();
        for a in 0..ways.min(distance + 1) {
            sum += &choose * chance.pow(a as i32) * other.pow((distance - a) as i32);
            choose *= BigRational::new(BigInt::from(distance - a), BigInt::from(a + 1));
        }
        sum
    }

    #[test]
    fn as_in_the_definition() {
        for sets in [1, 2, 3, 8, 64, 1000] {
            for ways in [1, 2, 3, 12, 40] {
                for distance in (0..40).chain([63, 100, 200, 333]) {
                    let exact = exact(sets, ways, distance).to_f64().unwrap();
                    let hit = Sets { sets, ways }.hit(distance as f64);
                    assert!((hit - exact).abs() < 1e-13, "{sets} {ways} {distance}: {hit} {exact}");
                }
            }
        }
    }

    #[test]
    fn where_the_first_terms_are_zero_in_floating_point() {
        // (1/2)^3000 is too small for floating point, and half of the distribution lies below its mean.
        let hit = Sets { sets: 2, ways: 1501 }.hit(3000.0);
        let exact = exact(2, 1501, 3000).to_f64().unwrap();
        assert!((hit - exact).abs() < 1e-12, "{hit} {exact}");
        assert!(hit > 0.5 && hit < 0.51);
    }

    #[test]
    fn at_the_ends() {
        let cache = Sets::new(96, 12).unwrap();
        assert_eq!((cache.sets(), cache.ways(), cache.lines()), (8, 12, 96));
        assert_eq!([cache.hit(-0.5), cache.hit(0.0), cache.hit(11.0)], [1.0; 3]);
        assert_eq!([cache.hit(1e6), cache.hit(1e300), cache.hit(f64::INFINITY)], [0.0; 3]);
        let full = Sets::new(96, 96).unwrap();
        assert_eq!([full.hit(95.0), full.hit(95.5), full.hit(96.0)], [1.0, 0.5, 0.0]);
        assert_eq!([Sets::new(96, 0), Sets::new(96, 13), Sets::new(0, 1), Sets::new(8, 16)], [None; 4]);
    }

    proptest! {
        #[test]
        fn a_chance_that_falls_with_the_distance(sets in 1..5000_u64, ways in 1..64_u64, from in 0.0..1e6, more in 0.0..1e5) {
            let cache = Sets { sets, ways };
            let (near, far) = (cache.hit(from), cache.hit(from + more));
            prop_assert!((0.0..=1.0).contains(&near) && far <= near + 1e-12, "{near} {far}");
        }
    }
}
