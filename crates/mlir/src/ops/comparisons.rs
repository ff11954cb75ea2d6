//! The comparisons of `arith.cmpi` and `index.cmp`.

use melior::ir::operation::OperationLike;
use symloc_frontend::arithmetic::Comparison;

use crate::ffi::{self, Op};

/// Returns the comparison of `arith.cmpi` (a number) or `index.cmp` (a word), and true if its operands are swapped.
pub(crate) fn predicate(op: Op) -> Option<(Comparison, bool)> {
    use Comparison::{Equal, Less, LessOrEqual, Unequal};
    const BY_NUMBER: [(&str, Comparison, bool); 10] = [
        ("eq", Equal, false),
        ("ne", Unequal, false),
        ("slt", Less { unsigned: false }, false),
        ("sle", LessOrEqual { unsigned: false }, false),
        ("sgt", Less { unsigned: false }, true),
        ("sge", LessOrEqual { unsigned: false }, true),
        ("ult", Less { unsigned: true }, false),
        ("ule", LessOrEqual { unsigned: true }, false),
        ("ugt", Less { unsigned: true }, true),
        ("uge", LessOrEqual { unsigned: true }, true),
    ];
    let chosen = if let Some(number) = ffi::integer(op, "predicate") {
        BY_NUMBER.get(usize::try_from(number).ok()?)
    } else {
        let text = op.attribute("pred").ok()?.to_string();
        let word = text.trim_end_matches(')').trim_end_matches('>').rsplit([' ', '(', '<']).next()?;
        BY_NUMBER.iter().find(|(name, ..)| *name == word)
    };
    chosen.map(|(_, comparison, swapped)| (*comparison, *swapped))
}
