//! What is known of a value: an integer, a condition or a pointer, case by case, or why it is none of these.

use std::collections::BTreeMap;
use std::rc::Rc;

use symloc_affine::{Constraint, Expr, IterId, Location, Overflow, ParamId};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::{Cases, TooMany};
use symloc_frontend::ranges::Ranges;

use symloc_frontend::poly::{Monomial, Poly, is_row_mark};

/// What is known of a value.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// An integer.
    Integer(Cases<Poly>),
    /// A condition.
    Flag(Cases<bool>),
    /// An address.
    Pointer(Cases<Pointer>),
    /// Neither: it depends on data, or it is not affine.
    Unknown(Reason),
}

/// Why a value is of no use where it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason(Rc<ReasonText>);

#[derive(Debug, PartialEq, Eq)]
struct ReasonText {
    why: String,
    at: Option<Location>,
    hint: Option<String>,
}

impl Reason {
    pub(crate) fn new(why: impl Into<String>, at: Option<Location>, hint: Option<&str>) -> Self {
        Self(Rc::new(ReasonText { why: why.into(), at, hint: hint.map(str::to_owned) }))
    }

    /// The reason of a value that is undefined: any value will do.
    pub(crate) fn undefined() -> Self {
        Self::new("it is not initialised", None, Some("give it a value, or let it be an argument"))
    }

    pub(crate) fn is_undefined(&self) -> bool {
        *self == Self::undefined()
    }

    pub(crate) fn why(&self) -> &str {
        &self.0.why
    }

    pub(crate) fn at(&self) -> Option<&Location> {
        self.0.at.as_ref()
    }

    pub(crate) fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

/// Why an operation has no affine value: it has a reason of its own, or an operand has.
#[derive(Clone, Debug)]
pub(crate) enum Cause {
    Operand(Reason),
    Trouble(Trouble),
    Here { why: String, hint: Option<&'static str> },
}

impl Cause {
    pub(crate) fn here(why: impl Into<String>) -> Self {
        Cause::Here { why: why.into(), hint: None }
    }

    pub(crate) fn hinted(why: impl Into<String>, hint: &'static str) -> Self {
        Cause::Here { why: why.into(), hint: Some(hint) }
    }
}

impl From<Trouble> for Cause {
    fn from(trouble: Trouble) -> Self {
        Cause::Trouble(trouble)
    }
}

impl From<Overflow> for Cause {
    fn from(overflow: Overflow) -> Self {
        Cause::Trouble(overflow.into())
    }
}

impl From<TooMany> for Cause {
    fn from(error: TooMany) -> Self {
        Cause::Trouble(error.into())
    }
}

/// The number of an object in memory; see `roots`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RootId(pub(crate) usize);

/// A distance that subscripts are multiplied by: so many bytes times a product of sizes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stride {
    pub(crate) sizes: Monomial,
    pub(crate) bytes: i64,
}

impl Stride {
    /// Is it the distance of rows that lie anywhere?
    pub(crate) fn is_marked(&self) -> bool {
        self.sizes.iter().any(|size| is_row_mark(*size))
    }
}

/// An address: a root and how many of each stride behind its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub(crate) root: RootId,
    /// The subscripts, in the steps in which the source made them; none is zero.
    pub(crate) steps: BTreeMap<Stride, Expr>,
    /// Bytes of the largest struct on the way here: what is inside has the struct's own layout, without rows.
    pub(crate) within: i64,
    /// Has a subscript within a row been given, be it zero?
    pub(crate) has_columns: bool,
}

impl Pointer {
    pub(crate) fn to(root: RootId) -> Self {
        Self { root, steps: BTreeMap::new(), within: 0, has_columns: false }
    }

    /// `count` elements of so many bytes further on. A product of sizes becomes a stride of its own.
    pub(crate) fn advanced(&self, count: &Poly, bytes: i64) -> Result<Self, Trouble> {
        let mut moved = self.clone();
        if let Some(count) = count.affine() {
            moved.add(Stride { sizes: Monomial::new(), bytes }, &count)?;
            return Ok(moved);
        }
        let rows: Vec<&Monomial> = count
            .terms()
            .filter(|(_, coefficient)| coefficient.as_constant().is_none())
            .map(|(sizes, _)| sizes)
            .collect();
        for (sizes, coefficient) in count.terms() {
            // `n·n − i·n` is n − i rows of n: a multiple of a size is a subscript where there are such rows.
            let split = coefficient.as_constant().and_then(|factor| Some((factor, a_size_times(sizes, &rows)?)));
            match split {
                Some((factor, (size, row))) => {
                    moved.add(Stride { sizes: row, bytes }, &Expr::param(size).times(factor)?)?;
                }
                None => moved.add(Stride { sizes: sizes.clone(), bytes }, coefficient)?,
            }
        }
        Ok(moved)
    }

    /// The same address with a multiple of a size as a subscript where there are rows for it.
    pub(crate) fn in_rows(&self, rows: &[&Monomial]) -> Result<Self, Trouble> {
        let mut same = Self { steps: BTreeMap::new(), ..self.clone() };
        for (stride, count) in &self.steps {
            let split = count.as_constant().and_then(|factor| Some((factor, a_size_times(&stride.sizes, rows)?)));
            match split {
                Some((factor, (size, row))) if !row.is_empty() => {
                    let count = Expr::param(size).times(factor)?;
                    same.add(Stride { sizes: row, bytes: stride.bytes }, &count)?;
                }
                _ => same.add(stride.clone(), count)?,
            }
        }
        Ok(same)
    }

    /// So many of a stride further on.
    pub(crate) fn add(&mut self, stride: Stride, count: &Expr) -> Result<(), Trouble> {
        let sum = match self.steps.get(&stride) {
            Some(before) => before.plus(count)?,
            None => count.clone(),
        };
        if sum == Expr::default() {
            self.steps.remove(&stride);
        } else {
            self.steps.insert(stride, sum);
        }
        Ok(())
    }

    /// `factor` times the steps of `other` further on.
    pub(crate) fn moved_by(&self, steps: &BTreeMap<Stride, Expr>, factor: &Poly) -> Result<Self, Trouble> {
        let mut moved = self.clone();
        for (stride, count) in steps {
            let size = stride
                .sizes
                .iter()
                .try_fold(Poly::constant(1), |product, size| product.product(&Poly::from(Expr::param(*size))))?;
            let count = Poly::from(count.clone()).product(factor)?;
            match (count.affine(), stride.sizes.is_empty()) {
                (Some(count), false) => moved.add(stride.clone(), &count)?,
                _ => moved = moved.advanced(&size.product(&count)?, stride.bytes)?,
            }
        }
        Ok(moved)
    }

    /// Bytes from the start of the root.
    pub(crate) fn bytes(&self) -> Result<Poly, Trouble> {
        let mut sum = Poly::default();
        for (stride, count) in &self.steps {
            let size = stride.sizes.iter().try_fold(Poly::constant(stride.bytes), |product, size| {
                product.product(&Poly::from(Expr::param(*size)))
            })?;
            sum = sum.plus(&size.product(&Poly::from(count.clone()))?)?;
        }
        Ok(sum)
    }

    /// Replaces an iterator.
    pub(crate) fn substitute(&self, iter: IterId, value: &Poly) -> Result<Self, Trouble> {
        let mut moved = Self { steps: BTreeMap::new(), ..self.clone() };
        for (stride, count) in &self.steps {
            let count = Poly::from(count.clone()).substitute(iter, value)?;
            match count.affine() {
                Some(count) => moved.add(stride.clone(), &count)?,
                None => {
                    let one = BTreeMap::from([(stride.clone(), Expr::constant(1))]);
                    moved = moved.moved_by(&one, &count)?;
                }
            }
        }
        Ok(moved)
    }
}

/// A product of sizes as one size times the longest of some rows, or times one element.
fn a_size_times(sizes: &Monomial, rows: &[&Monomial]) -> Option<(ParamId, Monomial)> {
    let without = |position: usize| {
        let mut rest = sizes.clone();
        let size = rest.remove(position);
        (size, rest)
    };
    let splits = (0..sizes.len()).map(without);
    splits
        .filter(|(size, _)| !is_row_mark(*size))
        .filter(|(_, rest)| rest.is_empty() || rows.contains(&rest))
        .max_by_key(|(_, rest)| rest.len())
}

impl Known {
    pub(crate) fn integer(value: Poly) -> Self {
        Known::Integer(Cases::Always(value))
    }

    /// The value by what is known of the conditions.
    pub(crate) fn decided(self, ranges: &Ranges) -> Self {
        let decide = |constraint: &Constraint| ranges.decide(constraint);
        match self {
            Known::Integer(cases) => Known::Integer(cases.decided(&decide)),
            Known::Flag(cases) => Known::Flag(cases.decided(&decide)),
            Known::Pointer(cases) => Known::Pointer(cases.decided(&decide)),
            Known::Unknown(reason) => Known::Unknown(reason),
        }
    }

    /// The value where a condition holds, or where it does not.
    pub(crate) fn given(self, condition: &[Constraint], holds: bool) -> Self {
        match self {
            Known::Integer(cases) => Known::Integer(cases.given(condition, holds)),
            Known::Flag(cases) => Known::Flag(cases.given(condition, holds)),
            Known::Pointer(cases) => Known::Pointer(cases.given(condition, holds)),
            Known::Unknown(reason) => Known::Unknown(reason),
        }
    }

    /// Replaces an iterator by values that may differ from case to case.
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

/// A tree with an iterator replaced in its conditions and leaves.
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
                constraint.expr = expr.affine().ok_or(Trouble::Product)?;
            }
            let then = substituted(&when.then, iter, value, leaf)?;
            Ok(Cases::when(condition, then, substituted(&when.otherwise, iter, value, leaf)?))
        }
    }
}
