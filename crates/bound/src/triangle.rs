//! Pairs of rows: a law for products of a matrix with itself.
//!
//! In `C[i][j] += A[i][k]·A[j][k]` with j ≤ i, n elements of column k of A allow n(n + 1)/2 pairs (i, j), and with j < i
//! n(n − 1)/2, where two matrices would allow n². As there are also at most as many pairs as elements of C, c, a column
//! allows at most n·(√(1 + 8c) ± 1)/4 operations, and all columns together, with N elements, N·(√(1 + 8c) ± 1)/4.
//! (docs/bounds.md.)

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use symloc_polyhedra::Facts;
use symloc_quasi::{Constraint, Poly, Rational};

use crate::candidate::LawMaker;
use crate::encounter::StatementPairs;
use crate::law::OperationLaw;
use crate::roles::SlotRole;
use crate::subspace::Subspace;

/// Two accesses to one array whose subscripts differ in one dimension, and the order of these two subscripts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PairOfRows {
    /// The slot whose subscript is larger, and the other one.
    slots: [usize; 2],
    /// True if they are never equal.
    strict: bool,
    /// The directions in which all other subscripts stay equal.
    column: Subspace,
    /// The subscripts that differ, of the first statement.
    rows: [Poly; 2],
}

/// Returns the laws of a family by pairs of rows; slots are in roles.
pub(crate) fn laws(pairs: &StatementPairs<'_>, maker: &LawMaker<'_>, roles: &[SlotRole]) -> Vec<OperationLaw> {
    let found: Vec<(&SlotRole, PairOfRows)> =
        roles.iter().filter_map(|role| Some((role, pair_of_role(pairs, maker, role)?))).collect();
    let law = |(_, pair): &(&SlotRole, PairOfRows)| {
        let equal = found.iter().filter(|(_, other)| other.rows == pair.rows && other.column == pair.column);
        let (own, equal): (Vec<&SlotRole>, Vec<&PairOfRows>) = equal.map(|(role, pair)| (*role, pair)).unzip();
        let others: Vec<&SlotRole> = roles.iter().filter(|role| !own.contains(role)).collect();
        let strict = equal.iter().any(|pair| pair.strict);
        law(maker, pair, &own, &others, strict)
    };
    let mut laws: Vec<_> = found.iter().filter_map(law).collect();
    laws.dedup();
    laws
}

/// Returns the law of roles that hold equal pairs of rows; the results are in one of the other roles, or in several.
fn law(
    maker: &LawMaker<'_>,
    pair: &PairOfRows,
    own: &[&SlotRole],
    others: &[&SlotRole],
    strict: bool,
) -> Option<OperationLaw> {
    let operands = own.iter().fold(Rational::zero(), |sum, role| sum + maker.weight(role));
    // In a column, operations differ in the elements of the results if no direction has both.
    let counts = |kernel: &Subspace| kernel.intersection(&pair.column).rank() == 0;
    let kernels = others.iter().flat_map(|role| role.iter().map(|slot| &maker.slots[*slot].kernel));
    let weight_of = |kernel: &Subspace| {
        let holds = |role: &&&SlotRole| role.iter().any(|slot| maker.slots[*slot].kernel == *kernel);
        others.iter().filter(holds).fold(Rational::zero(), |sum, role| sum + maker.weight(role))
    };
    let results = kernels.filter(|kernel| counts(kernel)).map(weight_of).max()?;
    let square = &operands * &operands * &results * Rational::from_integer(27.into());
    let law = OperationLaw {
        root: 2,
        degree: 3,
        coefficient: Rational::from_integer(2.into()) / square,
        shift: BigInt::zero(),
        linear: Rational::zero(),
    };
    let quarter = Rational::new(BigInt::one(), 4.into());
    Some(match strict {
        true => law,
        false => {
            OperationLaw { shift: results.numer().div_ceil(&(results.denom() * 8)), linear: quarter / operands, ..law }
        }
    })
}

/// Returns the pair of rows that the slots of a role hold; the first one if there are several.
fn pair_of_role(pairs: &StatementPairs<'_>, maker: &LawMaker<'_>, role: &SlotRole) -> Option<PairOfRows> {
    let ordered = role.iter().flat_map(|a| role.iter().filter(move |b| *b != a).map(move |b| [*a, *b]));
    ordered.into_iter().find_map(|slots| pair_of_rows(pairs, maker, slots))
}

/// Returns two slots as a pair of rows, if the subscript of the first one is known to be the larger one everywhere.
fn pair_of_rows(pairs: &StatementPairs<'_>, maker: &LawMaker<'_>, slots: [usize; 2]) -> Option<PairOfRows> {
    let [first, second] = slots.map(|slot| &maker.slots[slot]);
    let mut strict = true;
    let mut found = None;
    for (a, b) in first.places.iter().zip(&second.places) {
        let [upper, lower] = [a, b].map(|place| &pairs.text.tree.subscripts[place.access]);
        let differing: Vec<usize> = (0..upper.len()).filter(|index| upper[*index] != lower[*index]).collect();
        let [dimension] = differing[..] else { return None };
        let difference = &upper[dimension] - &lower[dimension];
        let statement = &pairs.statements[a.statement];
        let facts = Facts::new(pairs.text.context).with(&statement.domain);
        if !facts.imply(&Constraint::non_negative(difference.clone())) {
            return None;
        }
        strict &= facts.imply(&Constraint::non_negative(&difference - &Poly::one()));
        let iterators = statement.iterators();
        let others = upper.iter().enumerate().filter(|(index, _)| *index != dimension);
        let rows = others.map(|(_, poly)| pairs.text.linear_form(poly, &iterators)).collect::<Option<Vec<_>>>()?;
        let column = Subspace::kernel(iterators.len(), rows);
        found.get_or_insert((column, [upper[dimension].clone(), lower[dimension].clone()]));
    }
    let (column, rows) = found?;
    // The two elements determine the operation.
    let determined = first.kernel.intersection(&second.kernel).rank() == 0;
    determined.then_some(PairOfRows { slots, strict, column, rows })
}
