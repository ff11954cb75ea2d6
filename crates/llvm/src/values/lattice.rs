//! The lattice of values: a piecewise affine integer, condition or pointer, or the reason why a value is none of these.

use symloc_affine::{Constraint, Expr, IterId};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::Cases;
use symloc_frontend::delinearize::{Offset, Steps};
use symloc_frontend::poly::Poly;
use symloc_frontend::raising::{Cause, Reason};
use symloc_frontend::ranges::Ranges;

use crate::memory::base_objects::RootId;

/// A value, as far as it is known.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// An integer.
    Integer(Cases<Poly>),
    /// A condition.
    Flag(Cases<bool>),
    /// An address.
    Pointer(Cases<Pointer>),
    /// Unknown: it depends on data, or it is not affine.
    Unknown(Reason),
}

/// Returns the reason of an undefined value, which may be any value.
pub(crate) fn undefined() -> Reason {
    Reason::new("it is not initialised", None, Some("give it a value, or let it be an argument"))
}

/// Returns true for the reason of an undefined value.
pub(crate) fn is_undefined(reason: &Reason) -> bool {
    *reason == undefined()
}

/// An address: a place in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub(crate) root: RootId,
    pub(crate) offset: Offset,
}

impl Pointer {
    /// Returns the start of an object.
    pub(crate) fn to(root: RootId) -> Self {
        Self { root, offset: Offset::default() }
    }

    /// Returns the address `count` elements of a number of `bytes` further on.
    pub(crate) fn advanced(&self, count: &Poly, bytes: i64) -> Result<Self, Trouble> {
        Ok(Self { root: self.root, offset: self.offset.advanced(count, bytes)? })
    }

    /// Returns the address `factor` times some steps further on.
    pub(crate) fn moved_by(&self, steps: &Steps, factor: &Poly) -> Result<Self, Trouble> {
        Ok(Self { root: self.root, offset: self.offset.moved_by(steps, factor)? })
    }

    /// Returns the bytes from the start of the root.
    pub(crate) fn bytes(&self) -> Result<Poly, Trouble> {
        self.offset.bytes()
    }

    /// Replaces an iterator by a value.
    pub(crate) fn substitute(&self, iter: IterId, value: &Poly) -> Result<Self, Trouble> {
        Ok(Self { root: self.root, offset: self.offset.substitute(iter, value)? })
    }
}

impl Known {
    pub(crate) fn integer(value: Poly) -> Self {
        Known::Integer(Cases::Always(value))
    }

    /// Returns the value without the conditions that are known to hold always or never.
    pub(crate) fn decided(self, ranges: &Ranges) -> Self {
        let decide = |constraint: &Constraint| ranges.decide(constraint);
        match self {
            Known::Integer(cases) => Known::Integer(cases.decided(&decide)),
            Known::Flag(cases) => Known::Flag(cases.decided(&decide)),
            Known::Pointer(cases) => Known::Pointer(cases.decided(&decide)),
            Known::Unknown(reason) => Known::Unknown(reason),
        }
    }

    /// Returns the value where a condition holds, or where it does not hold.
    pub(crate) fn given(self, condition: &[Constraint], holds: bool) -> Self {
        match self {
            Known::Integer(cases) => Known::Integer(cases.given(condition, holds)),
            Known::Flag(cases) => Known::Flag(cases.given(condition, holds)),
            Known::Pointer(cases) => Known::Pointer(cases.given(condition, holds)),
            Known::Unknown(reason) => Known::Unknown(reason),
        }
    }

    /// Replaces an iterator by a piecewise affine value.
    pub(crate) fn substitute(&self, iter: IterId, value: &Cases<Poly>) -> Result<Self, Cause> {
        Ok(match self {
            Known::Integer(cases) => Known::Integer(
                value.and_then(&mut |value: &Poly| substituted(cases, iter, value, &|p| p.substitute(iter, value)))?,
            ),
            Known::Pointer(cases) => Known::Pointer(
                value.and_then(&mut |value: &Poly| substituted(cases, iter, value, &|p| p.substitute(iter, value)))?,
            ),
            Known::Flag(cases) => {
                Known::Flag(value.and_then(&mut |value: &Poly| substituted(cases, iter, value, &|b| Ok(*b)))?)
            }
            Known::Unknown(reason) => Known::Unknown(reason.clone()),
        })
    }
}

/// Replaces an iterator in the conditions and leaves of a tree.
fn substituted<T>(
    cases: &Cases<T>,
    iter: IterId,
    value: &Poly,
    leaf: &impl Fn(&T) -> Result<T, Trouble>,
) -> Result<Cases<T>, Cause> {
    match cases {
        Cases::Always(inner) => Ok(Cases::Always(leaf(inner)?)),
        Cases::When(when) => {
            let mut condition = when.condition.clone();
            for constraint in &mut condition {
                let expr = Poly::from(constraint.expr.clone()).substitute(iter, value)?;
                constraint.expr = expr.to_affine()?;
            }
            let then = substituted(&when.then, iter, value, leaf)?;
            Ok(Cases::when(condition, then, substituted(&when.otherwise, iter, value, leaf)?))
        }
    }
}

/// Chooses one of two values by a condition.
pub(crate) fn choose(condition: &Cases<bool>, then: &Known, otherwise: &Known) -> Result<Known, Cause> {
    fn pick<T: Clone>(condition: &Cases<bool>, then: &Cases<T>, otherwise: &Cases<T>) -> Result<Cases<T>, Cause> {
        condition.and_then(&mut |&holds| Ok(if holds { then.clone() } else { otherwise.clone() }))
    }
    match (then, otherwise) {
        (Known::Unknown(reason), known) | (known, Known::Unknown(reason)) if is_undefined(reason) => Ok(known.clone()),
        (Known::Integer(a), Known::Integer(b)) => Ok(Known::Integer(pick(condition, a, b)?)),
        (Known::Flag(a), Known::Flag(b)) => Ok(Known::Flag(pick(condition, a, b)?.merged()?)),
        (Known::Pointer(a), Known::Pointer(b)) => Ok(Known::Pointer(pick(condition, a, b)?)),
        (Known::Unknown(reason), _) | (_, Known::Unknown(reason)) => match condition {
            Cases::Always(true) => Ok(then.clone()),
            Cases::Always(false) => Ok(otherwise.clone()),
            Cases::When(_) => Err(Cause::Operand(reason.clone())),
        },
        _ => Err(Cause::here("it is chosen between values of different kinds")),
    }
}

/// Returns true if two values are known to be equal.
pub(crate) fn same(a: &Known, b: &Known) -> bool {
    match (a, b) {
        (Known::Integer(a), Known::Integer(b)) => a == b,
        (Known::Flag(a), Known::Flag(b)) => a == b,
        (Known::Pointer(a), Known::Pointer(b)) => a == b,
        _ => false,
    }
}

/// Returns affine cases as polynomials.
pub(crate) fn polys(cases: Cases<Expr>) -> Result<Cases<Poly>, Cause> {
    cases.try_map(&mut |expr: &Expr| Ok(expr.clone().into()))
}
