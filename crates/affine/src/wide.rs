//! Accesses to several elements at once, where they are not blocks.
//!
//! A structure of numbers of several sizes has the greatest common divisor of these for an element, so that a `double` in it is two elements
//! or more. Its first one stands for it, as no other access touches the others by themselves. A `double` written over two
//! `float`s is different: there the second is an element of its own.

use crate::expr::gcd;
use crate::ids::ArrayId;
use crate::program::{Access, Program};

/// Returns true if some accesses to an array may overlap without touching the same elements.
pub(crate) fn overlaps_partly(program: &Program, array: ArrayId) -> bool {
    let accesses = || program.accesses.iter().filter(|access| access.array == array);
    // Of subscripts in digits (`crate::radix`) it is not known.
    if accesses().any(|access| !access.cases.is_empty()) {
        return true;
    }
    let last = |access: &Access| access.subscripts.last().cloned().unwrap_or_default();
    // The last subscripts of an access are equal modulo this number, whatever the iterators; 0 if they are numbers.
    let period = accesses().fold(0, |period, access| {
        last(access).terms().fold(period, |period, (_, coefficient)| gcd(period, coefficient))
    });
    let place = |access: &Access| match period {
        0 => last(access).constant_term(),
        _ => last(access).constant_term().rem_euclid(period),
    };
    let mut fields: Vec<(i64, i64)> = accesses().map(|access| (place(access), access.elements)).collect();
    fields.sort_unstable();
    fields.dedup();
    let meet = fields.windows(2).any(|pair| pair[0].0.saturating_add(pair[0].1) > pair[1].0);
    let wraps = period > 0 && fields.iter().any(|(first, elements)| first.saturating_add(*elements) > period);
    meet || wraps
}

#[cfg(test)]
mod tests {
    use crate::builder::ProgramBuilder;
    use crate::expr::Expr;
    use crate::ids::ArrayId;
    use crate::wide::overlaps_partly;

    /// Returns true if accesses of a loop over i to the elements `step·i + place`, so many at once, overlap partly.
    fn overlap(accesses: &[(i64, i64, i64)]) -> bool {
        let mut b = ProgramBuilder::new("fields");
        let a = b.array("a", 4, 1);
        b.for_("i", 0, 10, |b, i| {
            for (step, place, _) in accesses {
                b.read(a, [Expr::iter(i).times(*step).unwrap().plus_constant(*place).unwrap()]);
            }
        });
        let mut program = b.build();
        for (access, (_, _, elements)) in program.accesses.iter_mut().zip(accesses) {
            access.elements = *elements;
        }
        overlaps_partly(&program, ArrayId(0))
    }

    #[test]
    fn fields_of_structures_do_not_overlap_partly() {
        assert!(!overlap(&[(4, 0, 2), (4, 2, 1), (4, 3, 1), (8, 4, 2)]));
        // The same pair of elements from its start and its middle, by one loop or by two accesses; beyond the structure.
        for partly in [&[(1, 0, 2)][..], &[(2, 0, 2), (2, 1, 1)], &[(4, 0, 2), (6, 0, 2), (2, 1, 2)], &[(4, 3, 2)]] {
            assert!(overlap(partly), "{partly:?}");
        }
        assert!(overlap(&[(0, 3, 2), (0, 4, 1)]) && !overlap(&[(0, 3, 2), (0, 5, 1)]));
    }
}
