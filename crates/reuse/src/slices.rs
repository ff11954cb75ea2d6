//! Blocks apart by the value of a remainder (docs/mathematics.md, "The previous access").
//!
//! An access to `A[i mod 9]` touches nine rows, and what else touches each of them is another question: of one row there are few
//! congruences, while in all nine at once isl cuts the pieces of each by the congruences of the others.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use symloc_isl::{Constraint, Dim, DimType, Map, Set, UnionMap};

use crate::Error;

/// More parts of an array's blocks are not told apart.
const SLICES: usize = 16;

/// The blocks that an access touches, apart for each value of those coordinates that are remainders; nothing if there are none.
pub(crate) fn slices(access: &UnionMap) -> Result<Vec<Set>, Error> {
    let mut slices = Vec::new();
    for access in access.maps()? {
        let blocks = access.range()?;
        for coordinate in remainders(&access)? {
            let values = values(&blocks, coordinate)?;
            let whole = if slices.is_empty() { vec![Set::universe(&blocks.space()?)?] } else { slices.clone() };
            if !values.is_empty() && whole.len() * values.len() <= SLICES {
                let pairs = values.iter().flat_map(|value| whole.iter().map(move |slice| (slice, value.clone())));
                let fixed = pairs.map(|(slice, value)| slice.fix(DimType::SET, coordinate, value));
                slices = fixed.collect::<Result<_, _>>()?;
            }
        }
    }
    Ok(slices)
}

/// The values of a coordinate, or nothing if they depend on sizes or are too many.
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

/// The coordinates of blocks of which constraints say what they are modulo a number.
fn remainders(access: &Map) -> Result<BTreeSet<usize>, Error> {
    let iterators = access.dim(DimType::In)?;
    let mut remainders = BTreeSet::new();
    for system in access.wrap()?.compute_divs()?.systems()? {
        for Constraint { expression, .. } in &system.constraints {
            let mentioned = |dim: &Dim| expression.coefficients.iter().any(|(other, _)| other == dim);
            if expression.coefficients.iter().any(|(dim, _)| matches!(dim, Dim::Div(_))) {
                let coordinates = access.dim(DimType::Out)?;
                remainders.extend((0..coordinates).filter(|index| mentioned(&Dim::Set(iterators + index))));
            }
        }
    }
    Ok(remainders)
}
