//! Rows as long as a sum of sizes.

use symloc_affine::{Expr, Extent};

use super::{Object, flat, i, j, k, m, n, number, subscripts, zero_to};
use crate::poly::Poly;

/// The element of an array of three dimensions whose inner two have these extents.
fn element(subscripts: [Expr; 3], extents: [&Expr; 2]) -> Poly {
    let [plane, row, column] = subscripts;
    let whole = Poly::from(extents[0].clone()).product(&Poly::from(extents[1].clone())).unwrap();
    Poly::from(plane).product(&whole).unwrap().plus(&flat(&row, extents[1], &column)).unwrap()
}

#[test]
fn rows_may_be_a_sum_of_sizes_long() {
    let length = n().plus_constant(2).unwrap();
    let object = Object::new(&[zero_to(m()), zero_to(length.clone())]).at(&flat(&i(), &length, &j())).at(&flat(
        &i().plus_constant(1).unwrap(),
        &length,
        &j(),
    ));
    assert!(object.divided().is_ok_and(|rows| rows.subscripts.iter().any(Result::is_err)), "nothing says n + 2");
    let (rows, checked) = object.with_factor(&length).checked();
    assert_eq!(rows.lengths, [Extent::Size(vec![length])]);
    assert_eq!(subscripts(&rows, 1), [i().plus_constant(1).unwrap(), j()]);
    assert_eq!(checked, 6);
}

#[test]
fn planes_may_have_a_size_that_is_in_the_sum() {
    let longer = n().plus_constant(2).unwrap();
    let inside = (number(1), n().plus_constant(-1).unwrap());
    for (extents, inner) in [([n(), longer.clone()], 0), ([longer.clone(), n()], 1)] {
        let extents_of = [&extents[0], &extents[1]];
        let bounds = [inside.clone(), inside.clone(), inside.clone()];
        let moved = [i().plus_constant(1), j().plus_constant(-1), k().plus_constant(1)].map(Result::unwrap);
        let object = Object::new(&bounds)
            .at(&element([i(), j(), k()], extents_of))
            .at(&element(moved.clone(), extents_of))
            .with_factor(&longer);
        let (rows, checked) = object.checked();
        assert_eq!(rows.lengths, extents.clone().map(|extent| Extent::Size(vec![extent])), "{inner}");
        assert_eq!(subscripts(&rows, 0), [i(), j(), k()]);
        assert_eq!(subscripts(&rows, 1), moved);
        assert_eq!((rows.conditions.len(), checked), (0, 6));
    }
}

#[test]
fn a_diagonal_and_a_fixed_row_are_in_rows_of_a_sum() {
    let (longer, one_longer) = (n().plus_constant(2).unwrap(), n().plus_constant(1).unwrap());
    let below = i().plus_constant(1).unwrap();
    let diagonal = Object::new(&[zero_to(n())]).at(&flat(&below, &longer, &i())).with_factor(&longer);
    let (rows, checked) = diagonal.checked();
    assert_eq!(rows.lengths, [Extent::Size(vec![longer])]);
    assert_eq!(subscripts(&rows, 0), [below, i()]);
    assert_eq!((rows.conditions.len(), checked), (0, 6));
    let last = n().plus_constant(-1).unwrap();
    let fixed =
        Object::new(&[zero_to(n())]).at(&flat(&last, &one_longer, &i())).at(&Poly::from(i())).with_factor(&one_longer);
    let (rows, checked) = fixed.checked();
    assert_eq!(rows.lengths, [Extent::Size(vec![one_longer])]);
    assert_eq!(subscripts(&rows, 0), [last, i()]);
    assert_eq!(subscripts(&rows, 1), [number(0), i()]);
    assert_eq!((rows.conditions.len(), checked), (0, 6));
}
