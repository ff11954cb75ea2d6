//! The largest number of operations that a set of elements allows.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Pow, ToPrimitive, Zero};
use symloc_quasi::Rational;

use crate::subspace::Subspace;

/// The number of operations that touch elements of total weight Y is at most the root of index `root` of
/// `coefficient·(Y + shift)^degree`, plus `linear·Y`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OperationLaw {
    pub(crate) root: u32,
    pub(crate) degree: u32,
    pub(crate) coefficient: Rational,
    pub(crate) shift: BigInt,
    pub(crate) linear: Rational,
}

/// A projection, its exponent, and the weight of an element in its image.
#[derive(Clone, Debug)]
pub(crate) struct WeightedKernel {
    pub(crate) kernel: Subspace,
    pub(crate) exponent: Rational,
    pub(crate) weight: Rational,
}

impl OperationLaw {
    /// Returns the law of a Brascamp-Lieb inequality: the largest Π nⱼ^sⱼ with Σ wⱼ·nⱼ ≤ Y, where all wⱼ·nⱼ/sⱼ are equal.
    /// Exponents and weights are positive. `None` if numbers become unusually large.
    pub(crate) fn of_projections(projections: &[WeightedKernel]) -> Option<Self> {
        let sum = projections.iter().fold(Rational::zero(), |sum, projection| sum + &projection.exponent);
        let root = projections.iter().fold(BigInt::one(), |root, p| root.lcm(p.exponent.denom()));
        let power = |exponent: &Rational| (exponent * Rational::from_integer(root.clone())).to_integer().to_u32();
        let mut coefficient = Rational::one();
        for WeightedKernel { exponent, weight, .. } in projections {
            let share = exponent / (&sum * weight);
            coefficient *= Pow::pow(share, power(exponent)?);
        }
        let (root, degree) = (root.to_u32()?, power(&sum)?);
        Some(Self { root, degree, coefficient, shift: BigInt::zero(), linear: Rational::zero() })
    }

    /// Returns true if twice the elements allow more than twice the operations: only then there is reuse to be had.
    pub(crate) fn is_superlinear(&self) -> bool {
        self.degree > self.root
    }

    /// Returns the largest number of operations that touch elements of this total weight.
    pub(crate) fn most_operations(&self, weight: &BigInt) -> BigInt {
        let power = Pow::pow(weight + &self.shift, self.degree);
        let radicand = (power * self.coefficient.numer()).div_floor(self.coefficient.denom());
        let root = radicand.nth_root(self.root);
        match self.linear.is_zero() {
            true => root,
            // The sum of two numbers rounded down is less than their sum rounded down by at most one.
            false => root + (weight * self.linear.numer()).div_floor(self.linear.denom()) + 1,
        }
    }
}
