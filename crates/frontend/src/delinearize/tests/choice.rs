//! The choice among rows that an object may have.

use symloc_affine::{Expr, Extent};

use super::{Object, flat, i, j, m, n, number, o, plus, subscripts, zero_to};
use crate::delinearize::Refusal;

fn conditions(object: &Object) -> Vec<Expr> {
    object.divided().unwrap().conditions.into_iter().map(|condition| condition.expr).collect()
}

#[test]
fn rows_of_the_text_are_taken_where_others_need_as_many_conditions() {
    // Rows of n would need n >= 4·m + o - 4; those of n + 4 need n + 4 >= o, whatever the number of rows is.
    let length = n().plus_constant(4).unwrap();
    let object = Object::new(&[zero_to(m()), zero_to(o())]).at(&flat(&i(), &length, &j())).with_factor(&length);
    let (rows, checked) = object.checked();
    assert_eq!(rows.lengths, [Extent::Size(vec![length.clone()])]);
    assert_eq!(subscripts(&rows, 0), [i(), j()]);
    assert_eq!((conditions(&object), checked), (vec![length.minus(&o()).unwrap()], 6));
    // Beside rows of n elements the sum is a diagonal.
    let both = object.at(&flat(&i(), &n(), &j()));
    assert_eq!(both.checked().0.lengths, [Extent::Size(vec![n()])]);
}

#[test]
fn a_diagonal_is_in_rows_of_the_size() {
    let step = n().plus_constant(1).unwrap();
    let diagonal = Object::new(&[zero_to(m())]).at(&flat(&i(), &step, &number(0))).with_factor(&step);
    let right_of_it =
        Object::new(&[zero_to(m()), zero_to(m().minus(&i()).unwrap())]).at(&flat(&i(), &step, &j())).with_factor(&step);
    for object in [diagonal, right_of_it] {
        let (rows, checked) = object.checked();
        assert_eq!(rows.lengths, [Extent::Size(vec![n()])]);
        assert_eq!((conditions(&object), checked), (vec![n().minus(&m()).unwrap()], 5));
    }
}

#[test]
fn a_column_that_may_be_in_its_row_is_not_in_another() {
    // Columns 3 - o - j and 2 - o + j of rows of n + 4, where j is 1 or 2. In the row before, the first would need o >= 3, and the second
    // needs o <= 3.
    let length = n().plus_constant(4).unwrap();
    let left = number(3).minus(&plus(&o(), &j())).unwrap();
    let right = plus(&number(2), &j()).minus(&o()).unwrap();
    let object = Object::new(&[zero_to(m()), (number(1), number(3))])
        .at(&flat(&i(), &length, &right))
        .at(&flat(&i(), &length, &left))
        .with_factor(&length);
    let (rows, checked) = object.checked();
    assert_eq!(subscripts(&rows, 0), [i(), right]);
    assert_eq!(subscripts(&rows, 1), [i(), left]);
    assert_eq!((conditions(&object), checked), (vec![number(1).minus(&o()).unwrap()], 3));
}

#[test]
fn conditions_that_leave_no_access_are_none() {
    // Rows of n hold m elements if n >= m; 2·m >= 3·n says that they do not.
    let longer = m().times(2).unwrap().add_scaled(&n(), -3).unwrap();
    let never =
        Object::new(&[zero_to(o()), zero_to(m())]).at(&flat(&i(), &n(), &j())).where_not_negative(longer.clone());
    assert_eq!(never.divided().unwrap().subscripts, [Err(Refusal::NeverExecuted)]);
    // Another access is left.
    let partly = never.at(&flat(&i(), &n(), &number(0)));
    let (rows, checked) = partly.checked();
    assert_eq!((rows.lengths, checked), (vec![Extent::Size(vec![n()])], 5));
    // Rows of n + 2 need n + 2 >= m.
    let length = n().plus_constant(2).unwrap();
    let other = Object::new(&[zero_to(o()), zero_to(m())])
        .at(&flat(&i(), &length, &j()))
        .where_not_negative(longer)
        .with_factor(&length);
    let (rows, checked) = other.checked();
    assert_eq!((rows.lengths, checked), (vec![Extent::Size(vec![length])], 5));
}

#[test]
fn a_condition_on_a_column_counts_as_often_as_its_iterator() {
    // Columns 2j of rows of n + 4, where j < m within a loop up to o: rows need 2·(m - 1) < n + 4, whatever o is.
    let length = n().plus_constant(4).unwrap();
    let guard = m().minus(&j()).unwrap().plus_constant(-1).unwrap();
    let object = Object::new(&[zero_to(m()), zero_to(o())])
        .at(&flat(&i(), &length, &j().times(2).unwrap()))
        .where_not_negative(guard)
        .with_factor(&length);
    let room = n().add_scaled(&m(), -2).unwrap().plus_constant(5).unwrap();
    assert_eq!(object.checked().0.lengths, [Extent::Size(vec![length])]);
    assert_eq!(conditions(&object), vec![room]);
}
