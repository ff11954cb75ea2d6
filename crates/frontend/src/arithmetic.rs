//! Integer arithmetic on piecewise affine values: division, remainders, comparison, minima.
//!
//! Arithmetic is that of the integers, without wrapping. Unsigned operations read a negative number as a huge one; they
//! are supported where their operands are known not to be negative.

use symloc_affine::{Atom, Constraint, Expr, Overflow, ParamId};

use crate::cases::{Cases, Extreme, LIMIT, TooMany, gcd, join};
use crate::ranges::Ranges;

/// A reason why an operation has no affine value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A coefficient does not fit in 64 bits.
    Overflow(Overflow),
    /// There are too many cases.
    TooMany,
    /// The expression has too many terms.
    Size,
    /// Two values that are not constant are multiplied: iterators by these parameters, or others if there are none.
    Product(Vec<ParamId>),
    /// The divisor is not a positive constant.
    Divisor,
    /// The divisor is made of these sizes, and the quotient may have many values.
    Quotient(Vec<ParamId>),
    /// An unsigned operand that may be negative.
    MayBeNegative(Expr),
    /// An operation on bits that is not affine, with the reason.
    Bits(&'static str),
}

impl From<Overflow> for Trouble {
    fn from(overflow: Overflow) -> Self {
        Trouble::Overflow(overflow)
    }
}

impl From<TooMany> for Trouble {
    fn from(TooMany: TooMany) -> Self {
        Trouble::TooMany
    }
}

impl Trouble {
    /// Returns the reason, as the end of a sentence that starts with the value's name.
    pub fn why(&self) -> String {
        match self {
            Trouble::Overflow(overflow) => overflow.to_string(),
            Trouble::TooMany => format!("limit: it has more than {LIMIT} cases"),
            Trouble::Size => "limit: the expression has more than a thousand terms".to_owned(),
            Trouble::Product(_) => "it multiplies two values that are not constant".to_owned(),
            Trouble::Divisor => "it divides by a value that is not a positive constant".to_owned(),
            Trouble::Quotient(_) => {
                "it divides by a value that is not constant, and the quotient may have many values".to_owned()
            }
            Trouble::MayBeNegative(_) => "it reads an operand that may be negative as unsigned".to_owned(),
            Trouble::Bits(why) => (*why).to_owned(),
        }
    }

    /// Returns the hint, if there is one.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Trouble::Product(_) => Some(
                "give a size among the factors its value with --assume, or multiply by constants; a product of sizes may be an argument of its own",
            ),
            Trouble::Divisor => Some("divide by positive constants"),
            Trouble::Quotient(_) => Some(
                "divide by constants; `(i + n) % n` is followed where the bounds of the loops keep `i + n` from 0 to 4*n - 1",
            ),
            Trouble::MayBeNegative(_) => Some("use the signed operation, or a loop that starts at 0"),
            _ => None,
        }
    }
}

/// A comparison of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `a = b`
    Equal,
    /// `a ≠ b`
    Unequal,
    /// `a < b`, signed or not.
    Less {
        /// True if negative numbers are read as huge ones.
        unsigned: bool,
    },
    /// `a ≤ b`, signed or not.
    LessOrEqual {
        /// True if negative numbers are read as huge ones.
        unsigned: bool,
    },
}

impl Comparison {
    /// Returns true if negative numbers are read as huge ones.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Comparison::Less { unsigned: true } | Comparison::LessOrEqual { unsigned: true })
    }
}

/// The most terms of one expression, those inside floors included: each remainder doubles them.
const MOST_TERMS: usize = 1000;

/// Returns the expression unchanged.
///
/// # Errors
///
/// [`Trouble::Size`] if it is too large for further arithmetic.
pub fn small(expr: Expr) -> Result<Expr, Trouble> {
    if terms(&expr) > MOST_TERMS { Err(Trouble::Size) } else { Ok(expr) }
}

fn terms(expr: &Expr) -> usize {
    let inside = |atom: &Atom| match atom {
        Atom::Floor(numerator, _) => terms(numerator),
        Atom::Param(_) | Atom::Iter(_) => 0,
    };
    expr.terms().map(|(atom, _)| 1 + inside(atom)).sum()
}

/// Returns the greatest common divisor of the coefficients and the constant of an expression.
pub fn common_divisor(expr: &Expr) -> i64 {
    let numbers = std::iter::once(expr.constant_term()).chain(expr.terms().map(|(_, coefficient)| coefficient));
    numbers.fold(0_i64, |a, b| gcd(a, b.saturating_abs()))
}

/// Returns the sum of sizes, without common divisor, that a factor is a multiple of; `None` if it is not such a sum.
pub fn sum_of_sizes(factor: &Expr) -> Option<Expr> {
    let parts = factor.terms().count() + usize::from(factor.constant_term() != 0);
    let in_sizes = factor.terms().all(|(atom, _)| matches!(atom, Atom::Param(_)));
    if parts > 1 && in_sizes { factor.floor_div(common_divisor(factor).max(1)).ok() } else { None }
}

/// Returns numerator and divisor of a quotient with the divisor positive.
///
/// # Errors
///
/// [`Trouble::Divisor`] for zero.
pub fn positive(value: &Expr, by: i64) -> Result<(Expr, i64), Trouble> {
    match by {
        1.. => Ok((value.clone(), by)),
        0 => Err(Trouble::Divisor),
        _ => Ok((value.times(-1)?, by.checked_neg().ok_or(Trouble::Divisor)?)),
    }
}

/// Returns the bits under a mask, by remainders: in two's complement that is right for negative numbers too.
///
/// # Errors
///
/// [`Trouble::Bits`] if the ones of the mask are not contiguous.
pub fn masked(value: &Expr, mask: i64) -> Result<Expr, Trouble> {
    let low = mask & mask.wrapping_neg();
    let modulus = mask.checked_add(low).filter(|m| *m > 0 && m & mask == 0);
    let modulus = modulus.ok_or(Trouble::Bits("a bit mask with zeros between its ones is not affine"))?;
    small(value.modulo(modulus)?.minus(&value.modulo(low)?)?)
}

/// Returns `2^exponent`.
///
/// # Errors
///
/// [`Trouble::Bits`] if the exponent is not from 0 to 62.
pub fn power_of_two(exponent: i64) -> Result<i64, Trouble> {
    match exponent {
        0..=62 => Ok(1 << exponent),
        _ => Err(Trouble::Bits("it shifts by more bits than there are")),
    }
}

impl Ranges {
    /// Returns the quotient rounded toward zero.
    ///
    /// # Errors
    ///
    /// If the divisor is zero, or on overflow.
    pub fn truncated(&self, value: &Expr, by: i64) -> Result<Cases<Expr>, Trouble> {
        let (value, by) = positive(value, by)?;
        let (down, up) = (value.floor_div(by)?, value.ceil_div(by)?);
        let is_positive = Constraint::non_negative(value);
        Ok(match self.decide(&is_positive) {
            Some(true) => Cases::Always(down),
            Some(false) => Cases::Always(up),
            None if down == up => Cases::Always(down),
            None => Cases::when(vec![is_positive], Cases::Always(down), Cases::Always(up)),
        })
    }

    /// Returns the remainder of a division that rounds toward zero; it has the sign of the value.
    ///
    /// # Errors
    ///
    /// If the divisor is zero, or on overflow.
    pub fn remainder(&self, value: &Expr, by: i64) -> Result<Cases<Expr>, Trouble> {
        let minus = by.checked_neg().ok_or(Trouble::Divisor)?;
        self.truncated(value, by)?.try_map(&mut |quotient| small(value.add_scaled(quotient, minus)?))
    }

    /// Checks that a value may be read as unsigned.
    ///
    /// # Errors
    ///
    /// [`Trouble::MayBeNegative`] if it is not known to be non-negative.
    pub fn unsigned(&self, value: &Expr) -> Result<(), Trouble> {
        if self.non_negative(value) { Ok(()) } else { Err(Trouble::MayBeNegative(value.clone())) }
    }

    /// Returns the truth value of a comparison.
    ///
    /// # Errors
    ///
    /// If the right operand of an unsigned comparison may be negative, or on overflow.
    pub fn compare(&self, comparison: Comparison, a: &Expr, b: &Expr) -> Result<Cases<bool>, Trouble> {
        match comparison {
            Comparison::Equal => Ok(self.holds(Constraint::zero(a.minus(b)?))),
            Comparison::Unequal => {
                self.holds(Constraint::zero(a.minus(b)?)).try_map(&mut |&holds| Ok::<_, Trouble>(!holds))
            }
            Comparison::Less { unsigned } => self.ordered(unsigned, a, b, b.minus(a)?.plus_constant(-1)?),
            Comparison::LessOrEqual { unsigned } => self.ordered(unsigned, a, b, b.minus(a)?),
        }
    }

    /// Returns true where `difference` is not negative; if `unsigned`, only where `a` is not negative either, because a
    /// negative `a` is then larger than any non-negative `b`.
    fn ordered(&self, unsigned: bool, a: &Expr, b: &Expr, difference: Expr) -> Result<Cases<bool>, Trouble> {
        let holds = self.holds(Constraint::non_negative(difference));
        if !unsigned {
            return Ok(holds);
        }
        self.unsigned(b)?;
        let both = join(&[self.holds(Constraint::non_negative(a.clone())), holds])?;
        let both = both.try_map(&mut |values: &Vec<bool>| Ok::<_, Trouble>(values[0] && values[1]))?;
        Ok(both.merged()?)
    }

    /// Returns the truth value of a constraint.
    pub fn holds(&self, constraint: Constraint) -> Cases<bool> {
        match self.decide(&constraint) {
            Some(value) => Cases::Always(value),
            None => Cases::when(vec![constraint], Cases::Always(true), Cases::Always(false)),
        }
    }

    /// Returns the minimum or maximum of at least one expression.
    ///
    /// # Errors
    ///
    /// On overflow.
    pub fn extreme(&self, extreme: Extreme, values: &[Expr]) -> Result<Cases<Expr>, Trouble> {
        let mut kept: Vec<&Expr> = Vec::new();
        for value in values {
            let beats = |x: &Expr, y: &Expr| Ok::<_, Trouble>(self.decide(&extreme.prefers(x, y)?) == Some(true));
            let mut beaten = false;
            for other in &kept {
                beaten |= beats(other, value)?;
            }
            if !beaten {
                let worse = kept.iter().map(|other| beats(value, other)).collect::<Result<Vec<_>, _>>()?;
                let mut worse = worse.into_iter();
                kept.retain(|_| !worse.next().unwrap_or(false));
                kept.push(value);
            }
        }
        let Some((last, others)) = kept.split_last() else { return Ok(Cases::Always(Expr::default())) };
        let mut chosen = Cases::Always((*last).clone());
        for (position, first) in others.iter().enumerate().rev() {
            let rest = &kept[position + 1..];
            let preferred = rest.iter().map(|other| extreme.prefers(first, other)).collect::<Result<_, _>>()?;
            chosen = Cases::when(preferred, Cases::Always((*first).clone()), chosen);
        }
        Ok(chosen)
    }
}
