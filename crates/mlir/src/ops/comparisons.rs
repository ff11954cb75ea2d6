//! The comparisons of `arith.cmpi`, `index.cmp` and `arith.cmpf`.

use melior::ir::operation::OperationLike;
use symloc_frontend::arithmetic::Comparison;

use crate::ffi::{self, Op};

/// Whether an operation reads its operands as signed or as unsigned numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signedness {
    Signed,
    Unsigned,
}

/// The predicate of a comparison: a comparison of its operands, perhaps in reverse order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Predicate {
    pub(crate) comparison: Comparison,
    is_reversed: bool,
}

impl Predicate {
    const fn written(comparison: Comparison) -> Self {
        Self { comparison, is_reversed: false }
    }

    const fn reversed(comparison: Comparison) -> Self {
        Self { comparison, is_reversed: true }
    }

    /// Returns the operands, or their positions, in the order of the comparison.
    pub(crate) fn ordered<T>(self, [left, right]: [T; 2]) -> [T; 2] {
        if self.is_reversed { [right, left] } else { [left, right] }
    }

    /// Returns the predicate of `arith.cmpi` (a number) or `index.cmp` (a word).
    pub(crate) fn of_integers(op: Op) -> Option<Self> {
        use Comparison::{Equal, Unequal};
        const BY_NUMBER: [(&str, Predicate); 10] = [
            ("eq", Predicate::written(Equal)),
            ("ne", Predicate::written(Unequal)),
            ("slt", Predicate::written(LESS)),
            ("sle", Predicate::written(AT_MOST)),
            ("sgt", Predicate::reversed(LESS)),
            ("sge", Predicate::reversed(AT_MOST)),
            ("ult", Predicate::written(BELOW)),
            ("ule", Predicate::written(BELOW_OR_EQUAL)),
            ("ugt", Predicate::reversed(BELOW)),
            ("uge", Predicate::reversed(BELOW_OR_EQUAL)),
        ];
        let chosen = if let Some(number) = ffi::integer(op, "predicate") {
            BY_NUMBER.get(usize::try_from(number).ok()?)
        } else {
            let text = op.attribute("pred").ok()?.to_string();
            let word = text.trim_end_matches(')').trim_end_matches('>').rsplit([' ', '(', '<']).next()?;
            BY_NUMBER.iter().find(|(name, _)| *name == word)
        };
        chosen.map(|(_, predicate)| *predicate)
    }

    /// Returns the predicate of `arith.cmpf`. Ordered and unordered predicates, which differ for NaN only, are the same.
    pub(crate) fn of_floats(op: Op) -> Option<Self> {
        match ffi::integer(op, "predicate")? {
            1 | 8 => Some(Self::written(Comparison::Equal)),
            2 | 9 => Some(Self::reversed(LESS)),
            3 | 10 => Some(Self::reversed(AT_MOST)),
            4 | 11 => Some(Self::written(LESS)),
            5 | 12 => Some(Self::written(AT_MOST)),
            6 | 13 => Some(Self::written(Comparison::Unequal)),
            _ => None,
        }
    }
}

const LESS: Comparison = Comparison::Less { unsigned: false };
const AT_MOST: Comparison = Comparison::LessOrEqual { unsigned: false };
const BELOW: Comparison = Comparison::Less { unsigned: true };
const BELOW_OR_EQUAL: Comparison = Comparison::LessOrEqual { unsigned: true };
