//! Numbers in floating point side by side: as many as the processor at hand computes with at once.

use std::ops::{Add, Div, Mul, Sub};

use pulp::Simd;

/// Numbers side by side.
#[derive(Clone, Copy)]
pub(super) struct Vector<S: Simd>(S, S::f64s);

impl<S: Simd> Vector<S> {
    /// The same number everywhere.
    #[inline(always)]
    pub(super) fn of(simd: S, number: f64) -> Self {
        Self(simd, simd.splat_f64s(number))
    }

    /// Another number everywhere.
    #[inline(always)]
    pub(super) fn same(self, number: f64) -> Self {
        Self::of(self.0, number)
    }

    /// The first numbers of a slice, which are enough to fill a vector.
    #[inline(always)]
    pub(super) fn load(self, numbers: &[f64]) -> Self {
        Self(self.0, S::as_simd_f64s(numbers).0[0])
    }

    /// The numbers of a slice, as far as they fill whole vectors.
    #[inline(always)]
    pub(super) fn read(self, numbers: &[f64]) -> impl Iterator<Item = Self> {
        S::as_simd_f64s(numbers).0.iter().map(move |numbers| Self(self.0, *numbers))
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        Self(self.0, self.0.abs_f64s(self.1))
    }

    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        Self(self.0, self.0.min_f64s(self.1, other.1))
    }

    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        Self(self.0, self.0.max_f64s(self.1, other.1))
    }

    /// `self + a·b`
    #[inline(always)]
    pub(super) fn plus(self, a: Self, b: Self) -> Self {
        Self(self.0, self.0.mul_add_e_f64s(a.1, b.1, self.1))
    }

    /// `self − a·b`
    #[inline(always)]
    pub(super) fn minus(self, a: Self, b: Self) -> Self {
        Self(self.0, self.0.negate_mul_add_e_f64s(a.1, b.1, self.1))
    }

    #[inline(always)]
    pub(super) fn sum(self) -> f64 {
        self.0.reduce_sum_f64s(self.1)
    }
}

macro_rules! operators {
    ($($operator:ident :: $method:ident = $simd:ident),*) => {$(
        impl<S: Simd> $operator for Vector<S> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0, self.0.$simd(self.1, other.1))
            }
        }
    )*};
}

operators!(Add::add = add_f64s, Sub::sub = sub_f64s, Mul::mul = mul_f64s, Div::div = div_f64s);
