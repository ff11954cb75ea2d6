//! Blocks apart by the value of a remainder (docs/mathematics.md, "The previous access").
//!
//! An access to `A[i mod 9]` touches nine rows, and what else touches each of them is another question: of one row
//! there are few congruences, while in all nine at once isl cuts the pieces of each by the congruences of the others.
//! An access to all rows is asked about these nine by themselves, too, and about all other rows at once.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use symloc_isl::{Dim, DimType, LinearConstraint, Map, Set};

use crate::Error;

/// The most slices of an array's blocks.
const SLICES: usize = 40;

/// Splits the blocks of an array into slices: one for each combination of values of the coordinates that are remainders
/// in some of the accesses, and of all other values. Returns no slices if there are no such coordinates.
pub(crate) fn slices<'a>(accesses: impl Iterator<Item = &'a Map>) -> Result<Vec<Set>, Error> {
    let (mut slices, mut told) = (Vec::new(), BTreeSet::new());
    for access in accesses {
        let blocks = access.range()?;
        for coordinate in remainders(access)? {
            let values = values(&blocks, coordinate)?;
            let parts = slices.len().max(1) * (values.len() + 1);
            if !values.is_empty() && parts <= SLICES && told.insert(coordinate) {
                let whole = if slices.is_empty() { vec![Set::universe(&blocks.space()?)?] } else { slices };
                let parts = whole.iter().map(|slice| apart(slice, coordinate, &values));
                slices = parts.collect::<Result<Vec<_>, _>>()?.concat();
            }
        }
    }
    Ok(slices)
}

/// Returns the parts of a slice with each of the values of a coordinate, and the rest.
fn apart(slice: &Set, coordinate: usize, values: &[BigInt]) -> Result<Vec<Set>, Error> {
    let fixed = values.iter().map(|value| slice.fix(DimType::SET, coordinate, value.clone()));
    let mut parts = fixed.collect::<Result<Vec<_>, _>>()?;
    parts.push(parts.iter().try_fold(slice.clone(), |rest, part| rest.subtract(part))?);
    Ok(parts)
}

/// Returns the values of a coordinate; none if they depend on sizes or are too many.
fn values(blocks: &Set, coordinate: usize) -> Result<Vec<BigInt>, Error> {
    let inner = blocks.dim(DimType::SET)? - coordinate - 1;
    let values = blocks.project_out_all_params()?.project_out(DimType::SET, coordinate + 1, inner)?;
    let values = values.project_out(DimType::SET, 0, coordinate)?;
    if !values.is_bounded()? {
        return Ok(Vec::new());
    }
    let [Some(first), Some(last)] = [values.lexmin()?.sample_point()?, values.lexmax()?.sample_point()?] else {
        return Ok(Vec::new());
    };
    let (first, last) = (&first.set[0], &last.set[0]);
    let count = (last - first).to_usize().filter(|count| *count < SLICES);
    Ok(count.map_or_else(Vec::new, |count| (0..=count).map(|index| first + index).collect()))
}

/// Returns the coordinates of blocks that occur in constraints with divisions.
fn remainders(access: &Map) -> Result<BTreeSet<usize>, Error> {
    let iterators = access.dim(DimType::In)?;
    let mut remainders = BTreeSet::new();
    for system in access.wrap()?.compute_divs()?.systems()? {
        for LinearConstraint { expression, .. } in &system.constraints {
            let mentioned = |dim: &Dim| expression.coefficients.iter().any(|(other, _)| other == dim);
            if expression.coefficients.iter().any(|(dim, _)| matches!(dim, Dim::Div(_))) {
                let coordinates = access.dim(DimType::Out)?;
                remainders.extend((0..coordinates).filter(|index| mentioned(&Dim::Set(iterators + index))));
            }
        }
    }
    Ok(remainders)
}

#[cfg(test)]
mod tests {
    use symloc_isl::Context;

    use super::*;

    #[test]
    fn slices_are_disjoint_and_all_blocks() {
        let isl = Context::new().unwrap();
        let accesses = [
            "[n] -> { S0[i] -> A[n - i, i] : 0 <= i < n }",
            "[n] -> { S1[i] -> A[i, j] : j = i mod 3 and 0 <= i < n }",
        ];
        let accesses = accesses.map(|text| Map::read(&isl, text).unwrap());
        let slices = slices(accesses.iter()).unwrap();
        assert_eq!(slices.len(), 4);
        let mut rest = Set::read(&isl, "[n] -> { A[i, j] }").unwrap();
        for slice in &slices {
            assert!(slice.is_subset(&rest).unwrap(), "{slice} overlaps others");
            rest = rest.subtract(slice).unwrap();
        }
        assert!(rest.is_empty().unwrap(), "{rest} is in no slice");
    }
}
