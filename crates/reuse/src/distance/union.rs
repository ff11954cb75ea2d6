//! Unions of sets of blocks, as disjoint basic sets.
//!
//! isl can merge basic sets into fewer, but does so by faces that mix coordinates and iterators (`b ≥ u + r − 6`); then
//! boxes are boxes no longer. Merging is therefore done only where it leaves boxes. Of two sets that overlap, the one
//! with more free coordinates stays whole and the other loses what they share: little is left of it, mostly nothing.

use symloc_isl::{BasicSet, Dim, Map, Set};

use crate::Error;

/// Returns a map with fewer basic maps that is equal, if they still are boxes; without those that others contain in any
/// case.
pub(crate) fn merged(map: &Map) -> Result<Map, Error> {
    let set = map.wrap()?;
    let inputs = map.dim(symloc_isl::DimType::In)?;
    let merged = set.coalesce()?;
    let parts = merged.basic_sets()?;
    for part in &parts {
        if !box_like(part, inputs)? {
            return without_subsets(&set)?.unwrap().map_err(Error::from);
        }
    }
    Ok(merged.unwrap()?)
}

fn without_subsets(set: &Set) -> Result<Set, Error> {
    let parts: Vec<Set> = set.basic_sets()?.iter().map(BasicSet::to_set).collect::<Result<_, _>>()?;
    let mut kept: Vec<Set> = Vec::new();
    for part in parts {
        let mut contained = false;
        for other in &kept {
            contained = contained || part.is_subset(other)?;
        }
        if !contained {
            let mut remaining = vec![];
            for other in kept {
                if !other.is_subset(&part)? {
                    remaining.push(other);
                }
            }
            kept = remaining;
            kept.push(part);
        }
    }
    let mut union = Set::empty(&set.space()?)?;
    for part in kept {
        union = union.union(&part)?;
    }
    Ok(union)
}

/// Returns true if each coordinate after the first `inputs` has at most one lower and one upper bound.
fn box_like(set: &BasicSet, inputs: usize) -> Result<bool, Error> {
    let dims = set.dim(symloc_isl::DimType::SET)?;
    let system = set.to_set()?.compute_divs()?.systems()?;
    let [system] = system.as_slice() else { return Ok(false) };
    for coordinate in inputs..dims {
        let (mut lower, mut upper) = (0, 0);
        for constraint in &system.constraints {
            let coefficient = constraint.expression.coefficients.iter().find(|(dim, _)| *dim == Dim::Set(coordinate));
            let Some((_, coefficient)) = coefficient else { continue };
            let positive = coefficient.sign() == num_bigint::Sign::Plus;
            if constraint.equality {
                lower = 1;
                upper = 1;
                break;
            }
            if positive { lower += 1 } else { upper += 1 }
        }
        if lower > 1 || upper > 1 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns disjoint basic sets with the same union.
pub(crate) fn disjoint(sets: &[Set]) -> Result<Vec<Set>, Error> {
    let mut parts = Vec::new();
    for set in sets {
        for part in set.basic_sets()? {
            parts.push((free_coordinates(&part)?, part.to_set()?));
        }
    }
    parts.sort_by_key(|(free, _)| std::cmp::Reverse(*free));
    let mut whole: Vec<Set> = Vec::new();
    for (_, part) in parts {
        let mut rest = part;
        for other in &whole {
            if !rest.is_disjoint(other)? {
                rest = rest.subtract(other)?;
            }
        }
        for part in rest.make_disjoint()?.basic_sets()? {
            if !part.is_empty()? {
                whole.push(part.to_set()?);
            }
        }
    }
    Ok(whole)
}

/// Returns the number of coordinates that have more than one value.
fn free_coordinates(set: &BasicSet) -> Result<usize, Error> {
    let dims = set.dim(symloc_isl::DimType::SET)?;
    let systems = set.to_set()?.systems()?;
    let fixed = |coordinate: &usize| {
        systems
            .iter()
            .flat_map(|s| &s.constraints)
            .any(|c| c.equality && c.expression.coefficients.iter().any(|(dim, _)| *dim == Dim::Set(*coordinate)))
    };
    Ok((0..dims).filter(|c| !fixed(c)).count())
}
