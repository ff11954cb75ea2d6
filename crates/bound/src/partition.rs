//! The largest bound by partitions of an execution.
//!
//! An execution is cut after every `t` misses. In each part at most `C + t` lines are touched, C that were there and t
//! that came. If those allow at most F operations, n parts have at most n·F operations, and at most n − 1 more that are
//! cut in two. So if there are `n·(F + 1)` operations or more, n parts are not enough, and there are at least n·t misses.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::law::OperationLaw;

/// A number of operations that obey a law, beside a cache.
#[derive(Clone, Debug)]
pub(crate) struct Partition<'l> {
    pub(crate) law: &'l OperationLaw,
    /// The number of operations.
    pub(crate) operations: &'l BigInt,
    /// The number of lines of the cache.
    pub(crate) lines: &'l BigInt,
    /// The weight of all elements in a line.
    pub(crate) line_weight: &'l BigInt,
    /// The weight by which a part may be too heavy, because an element is loaded as a whole.
    pub(crate) excess: &'l BigInt,
}

/// Numbers of parts beside the best one of the coarse search that are looked at.
const NEIGHBOURS: i64 = 8;

impl Partition<'_> {
    /// Returns a number of misses that no order can avoid: the largest that is found.
    pub(crate) fn misses(&self) -> BigInt {
        let mut best = (BigInt::zero(), BigInt::zero());
        for misses in self.coarse() {
            let parts = self.parts(&misses);
            if parts.is_zero() {
                break;
            }
            let bound = &parts * &misses;
            if bound > best.0 {
                best = (bound, parts);
            }
        }
        let (bound, parts) = best;
        let near = (-NEIGHBOURS..=NEIGHBOURS).map(|step| &parts + step).filter(BigInt::is_positive);
        near.map(|parts| &parts * self.longest(&parts)).chain([bound]).max().unwrap_or_default()
    }

    /// Returns misses of one part to be tried: a geometric row, and C·root/(degree − root), where the bound is largest if
    /// there are many parts.
    fn coarse(&self) -> Vec<BigInt> {
        let OperationLaw { root, degree, .. } = *self.law;
        let mut all: Vec<BigInt> = Vec::new();
        if degree > root {
            all.push((self.lines * root).div_ceil(&(degree - root).into()).max(BigInt::one()));
        }
        let mut next = BigInt::one();
        while next.bits() <= self.operations.bits() {
            let step = (&next / 8_u32).max(BigInt::one());
            all.push(next.clone());
            next += step;
        }
        all.sort();
        all
    }

    /// Returns the number of parts with so many misses each that are not enough.
    fn parts(&self, misses: &BigInt) -> BigInt {
        let weight = (self.lines + misses) * self.line_weight + self.excess;
        self.operations / (self.law.most_operations(&weight) + 1_u32)
    }

    /// Returns the largest number of misses for which so many parts are not enough, or 0.
    fn longest(&self, parts: &BigInt) -> BigInt {
        let enough = |misses: &BigInt| self.parts(misses) < *parts;
        let (mut low, mut high) = (BigInt::zero(), BigInt::one());
        while !enough(&high) {
            low.clone_from(&high);
            high *= 2_u32;
        }
        while &high - &low > BigInt::one() {
            let middle: BigInt = (&low + &high) / 2_u32;
            if enough(&middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    }
}
