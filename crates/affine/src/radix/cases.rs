//! Comparisons and subscripts in digits, carry by carry.

use crate::expr::{Constraint, Expr, Overflow};
use crate::ids::ParamId;
use crate::program::SubscriptCase;
use crate::radix::digits::{Carries, RadixDigits};

/// The condition that a value T·U + R is not negative: a necessary one on U, and conjunctions that exclude it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotNegative {
    /// This is not negative.
    pub(super) necessary: Expr,
    /// None of these holds.
    pub(super) excluded: Vec<Vec<Constraint>>,
}

/// Returns the condition that a value is not negative.
///
/// With a carry c = ⌊R/T⌋ the value is negative if and only if U + c ≤ −1. So U + C ≥ 0 is necessary, C the last carry; and where
/// it holds the value is negative if and only if for some later carry k both U + k ≤ 0 and R < T·k.
pub(super) fn not_negative(value: &RadixDigits, carries: Carries, tile: ParamId) -> Result<NotNegative, Overflow> {
    let necessary = value.whole.plus_constant(carries.last)?;
    let excluded = (carries.first + 1..=carries.last).map(|carry| {
        let whole = value.whole.plus_constant(carry)?.times(-1)?;
        let rest = value.rest_after(carry, tile)?.plus_constant(1)?.times(-1)?;
        Ok(vec![Constraint::non_negative(whole), Constraint::non_negative(rest)])
    });
    Ok(NotNegative { necessary, excluded: excluded.collect::<Result<_, _>>()? })
}

/// Returns the digits of a value for each carry; exactly one of the cases holds.
pub(super) fn subscripts(value: &RadixDigits, carries: Carries, tile: ParamId) -> Result<Vec<SubscriptCase>, Overflow> {
    let case = |carry: i64| {
        let rest = value.rest_after(carry, tile)?;
        let mut conditions = Vec::new();
        if carry > carries.first {
            conditions.push(Constraint::non_negative(rest.clone()));
        }
        if carry < carries.last {
            let room = Expr::param(tile).minus(&rest)?.plus_constant(-1)?;
            conditions.push(Constraint::non_negative(room));
        }
        Ok(SubscriptCase { conditions, subscripts: vec![value.whole.plus_constant(carry)?, rest] })
    };
    (carries.first..=carries.last).map(case).collect()
}
