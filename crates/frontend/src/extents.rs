//! Symbolic extents of arrays: the choice of those that are kept, and their parameters.
//!
//! The length of a row decides where the next one lies, so the sizes in it are parameters even if they are not
//! mentioned elsewhere. The outermost extent does not affect addresses, so it is no reason for a parameter.

use symloc_affine::{Array, Atom, Expr, Extent, Overflow};

use crate::draft::{Candidate, Origin};

/// Replaces products of sizes that are not `used` elsewhere by their factors, and drops the outermost extents that
/// mention sizes not used elsewhere.
pub(crate) fn settle(arrays: &mut [Array], candidates: &[Candidate], used: &[usize]) {
    for extent in arrays.iter_mut().flat_map(|array| array.shape.iter_mut()) {
        if let Extent::Size(factors) = extent {
            *factors = factors.iter().flat_map(|factor| in_factors(factor, candidates, used)).collect();
        }
    }
    let mut known = used.to_vec();
    let inner = arrays.iter().flat_map(|array| array.shape.iter().skip(1)).filter_map(Extent::factors).flatten();
    known.extend(inner.flat_map(sizes));
    for outermost in arrays.iter_mut().filter_map(|array| array.shape.first_mut()) {
        let unknown = |factors: &[Expr]| factors.iter().flat_map(sizes).any(|size| !known.contains(&size));
        if outermost.factors().is_some_and(unknown) {
            *outermost = Extent::Dynamic;
        }
    }
}

/// Visits the expressions in all extents.
pub(crate) fn each(
    arrays: &mut [Array],
    visit: &mut dyn FnMut(&mut Expr) -> Result<(), Overflow>,
) -> Result<(), Overflow> {
    for extent in arrays.iter_mut().flat_map(|array| array.shape.iter_mut()) {
        if let Extent::Size(factors) = extent {
            factors.iter_mut().try_for_each(&mut *visit)?;
        }
    }
    Ok(())
}

/// Splits an expression into the factors of a product of sizes, if it is a multiple of one that is not used elsewhere.
fn in_factors(expr: &Expr, candidates: &[Candidate], used: &[usize]) -> Vec<Expr> {
    let mut terms = expr.terms();
    let only = terms.next().filter(|_| terms.next().is_none() && expr.constant_term() == 0);
    let Some((Atom::Param(size), factor)) = only else { return vec![expr.clone()] };
    match candidates.get(size.index()).map(|candidate| &candidate.origin) {
        Some(Origin::Product(factors)) if !used.contains(&size.index()) => {
            let constant = (factor != 1).then(|| Expr::constant(factor));
            factors.iter().map(|factor| Expr::param(*factor)).chain(constant).collect()
        }
        _ => vec![expr.clone()],
    }
}

/// Returns the numbers of the sizes in an expression.
fn sizes(expr: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    expr.each_atom(&mut |atom| {
        if let Atom::Param(size) = atom {
            found.push(size.index());
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_affine::{Location, ParamId};

    fn array(shape: Vec<Extent>) -> Array {
        let location = Location::new("f.c", 1, 1);
        Array { name: String::new(), element_bytes: 8, shape, strides: None, location, per_thread: false }
    }

    fn size(number: u32) -> Expr {
        Expr::param(ParamId(number))
    }

    #[test]
    fn sizes_are_asked_for_where_they_move_rows() {
        let candidate = |origin| Candidate::size(origin, None);
        let product = Origin::Product(vec![ParamId(0), ParamId(1)]);
        let candidates = [Origin::Argument(0), Origin::Argument(1), Origin::Argument(2), product].map(candidate);
        let shape = vec![Extent::Size(vec![size(2)]), Extent::Size(vec![size(3).times(2).unwrap()])];
        let mut arrays = [array(shape.clone()), array(shape.clone())];
        arrays[1].shape.remove(1);
        settle(&mut arrays, &candidates, &[0]);
        assert_eq!(arrays[0].shape[0], Extent::Dynamic, "nothing else mentions it, and it is the outermost");
        assert_eq!(arrays[0].shape[1], Extent::Size(vec![size(0), size(1), Expr::constant(2)]));
        assert_eq!(arrays[1].shape, [Extent::Dynamic]);
        let mut arrays = [array(shape.clone())];
        settle(&mut arrays, &candidates, &[2, 3]);
        assert_eq!(arrays[0].shape, shape, "both are used");
    }
}
