//! Objects of three iterators and three sizes. Rows are checked point by point: each subscript but the outermost lies
//! within its row, and the subscripts give the address.

use std::collections::BTreeSet;

use symloc_affine::{Constraint, Expr, Extent, IterId, ParamId};

use super::{Offset, Reference, Refusal, Rows, Sizes, Stride, delinearize};
use crate::arithmetic::sum_of_sizes;
use crate::poly::{Poly, row_mark};
use crate::ranges::Ranges;

mod choice;
mod sums;

const BYTES: i64 = 8;

fn n() -> Expr {
    Expr::param(ParamId(0))
}

fn m() -> Expr {
    Expr::param(ParamId(1))
}

fn o() -> Expr {
    Expr::param(ParamId(2))
}

fn i() -> Expr {
    Expr::iter(IterId(0))
}

fn j() -> Expr {
    Expr::iter(IterId(1))
}

fn k() -> Expr {
    Expr::iter(IterId(2))
}

fn number(value: i64) -> Expr {
    Expr::constant(value)
}

/// `rows · length + columns`, the sum multiplied out as front ends do.
fn flat(rows: &Expr, length: &Expr, columns: &Expr) -> Poly {
    let product = Poly::from(rows.clone()).product(&Poly::from(length.clone())).unwrap();
    product.plus(&Poly::from(columns.clone())).unwrap()
}

fn plus(a: &Expr, b: &Expr) -> Expr {
    a.plus(b).unwrap()
}

/// An object, and the bounds of the iterators.
#[derive(Default)]
struct Object {
    references: Vec<Reference>,
    /// Lower and upper bounds, the latter exclusive.
    bounds: Vec<(Expr, Expr)>,
    factors: BTreeSet<Expr>,
}

impl Object {
    fn new(bounds: &[(Expr, Expr)]) -> Self {
        Self { bounds: bounds.to_vec(), ..Self::default() }
    }

    /// Adds an access to the element at a number of elements from the start.
    fn at(mut self, elements: &Poly) -> Self {
        let offset = Offset::default().advanced(elements, BYTES).unwrap();
        self.references.push(Reference { offset, bytes: BYTES, is_aligned: true, facts: Vec::new() });
        self
    }

    /// Adds an access by steps of numbers of bytes.
    fn stepped(mut self, steps: &[(i64, Expr)]) -> Self {
        let mut offset = Offset::default();
        steps.iter().for_each(|(bytes, count)| offset.add(Stride::of_bytes(*bytes), count).unwrap());
        self.references.push(Reference { offset, bytes: BYTES, is_aligned: true, facts: Vec::new() });
        self
    }

    /// Adds a fact that holds at the last access.
    fn where_not_negative(mut self, expr: Expr) -> Self {
        let last = self.references.last_mut().unwrap();
        last.facts.push(Constraint::non_negative(expr));
        self
    }

    fn with_factor(mut self, factor: &Expr) -> Self {
        self.factors.extend(sum_of_sizes(factor));
        self
    }

    fn divided(&self) -> Result<Rows, Refusal> {
        let mut ranges = Ranges::default();
        for (iter, (lower, upper)) in self.bounds.iter().enumerate() {
            ranges.set(IterId(iter as u32), std::slice::from_ref(lower), std::slice::from_ref(upper));
        }
        delinearize(&self.references, &Sizes { count: 3, factors: &self.factors }, &mut ranges)
    }

    /// Divides the object and checks the rows at six sizes; returns the rows, and at how many sizes their conditions
    /// hold.
    fn checked(&self) -> (Rows, usize) {
        let rows = self.divided().unwrap();
        let sizes = [[1, 1, 1], [5, 3, 2], [6, 6, 1], [9, 4, 3], [10, 7, 4], [2, 5, 1]];
        let checked = sizes.iter().filter(|sizes| self.holds_at(&rows, sizes)).count();
        (rows, checked)
    }

    /// Checks all iterations at one size; returns false if the conditions do not hold there.
    fn holds_at(&self, rows: &Rows, sizes: &[i128; 3]) -> bool {
        let fixed = |expr: &Expr| value(expr, sizes, &[]);
        if rows.conditions.iter().any(|condition| fixed(&condition.expr) < 0) {
            return false;
        }
        let lengths: Vec<i128> = rows.lengths.iter().map(|length| extent(length, sizes)).collect();
        each_point(&self.bounds, sizes, &mut Vec::new(), &mut |point| {
            for (reference, subscripts) in self.references.iter().zip(&rows.subscripts) {
                if !reference.facts.iter().all(|fact| value(&fact.expr, sizes, point) >= 0) {
                    continue;
                }
                let subscripts = subscripts.as_ref().unwrap();
                let subscripts: Vec<i128> = subscripts.iter().map(|s| value(s, sizes, point)).collect();
                // An object of one element has no dimension.
                let (outermost, inner) = subscripts.split_first().unwrap_or((&0, &[]));
                let mut address = *outermost;
                for (subscript, length) in inner.iter().zip(&lengths) {
                    assert!((0..*length).contains(subscript), "{subscripts:?} in rows of {lengths:?} at {sizes:?}");
                    address = address * length + subscript;
                }
                let bytes = polynomial(&reference.offset.bytes().unwrap(), sizes, point);
                assert_eq!(address * i128::from(rows.element), bytes, "{subscripts:?}, {sizes:?}, {point:?}");
            }
        });
        true
    }
}

fn value(expr: &Expr, sizes: &[i128; 3], point: &[i128]) -> i128 {
    expr.eval(&|param| sizes[param.index()], &|iter| point[iter.index()]).unwrap()
}

fn polynomial(poly: &Poly, sizes: &[i128; 3], point: &[i128]) -> i128 {
    let term = |(product, count): (&Vec<ParamId>, &Expr)| {
        product.iter().map(|size| sizes[size.index()]).product::<i128>() * value(count, sizes, point)
    };
    poly.terms().map(term).sum()
}

fn extent(extent: &Extent, sizes: &[i128; 3]) -> i128 {
    match extent {
        Extent::Known(length) => i128::from(*length),
        Extent::Size(factors) => factors.iter().map(|factor| value(factor, sizes, &[])).product(),
        Extent::Dynamic => panic!("rows of any length"),
    }
}

fn each_point(bounds: &[(Expr, Expr)], sizes: &[i128; 3], point: &mut Vec<i128>, visit: &mut dyn FnMut(&[i128])) {
    let Some((lower, upper)) = bounds.get(point.len()) else { return visit(point) };
    for next in value(lower, sizes, point)..value(upper, sizes, point) {
        point.push(next);
        each_point(bounds, sizes, point, visit);
        point.pop();
    }
}

fn zero_to(end: Expr) -> (Expr, Expr) {
    (number(0), end)
}

/// Returns the subscripts of a reference.
fn subscripts(rows: &Rows, reference: usize) -> &[Expr] {
    rows.subscripts[reference].as_ref().unwrap()
}

#[test]
fn rows_are_as_long_as_a_size() {
    let object = Object::new(&[zero_to(m()), zero_to(n())]).at(&flat(&i(), &n(), &j()));
    let (rows, checked) = object.checked();
    assert_eq!(rows.lengths, [Extent::Size(vec![n()])]);
    assert_eq!(subscripts(&rows, 0), [i(), j()]);
    assert_eq!((rows.conditions.len(), checked), (0, 6));
    assert_eq!(rows.strides, [None, Some(BYTES)]);
}

#[test]
fn whole_rows_in_a_subscript_are_carried() {
    let behind = plus(&j(), &n().times(2).unwrap());
    let before = j().minus(&n()).unwrap();
    let object = Object::new(&[(number(1), m()), zero_to(n())])
        .at(&flat(&i(), &n(), &behind))
        .at(&flat(&i(), &n(), &before))
        .at(&flat(&i(), &n(), &number(-1)));
    let (rows, checked) = object.checked();
    assert_eq!(subscripts(&rows, 0), [i().plus_constant(2).unwrap(), j()]);
    assert_eq!(subscripts(&rows, 1), [i().plus_constant(-1).unwrap(), j()]);
    assert_eq!(subscripts(&rows, 2), [i().plus_constant(-1).unwrap(), n().plus_constant(-1).unwrap()]);
    assert_eq!(checked, 6);
}

#[test]
fn a_row_whose_number_is_a_size_is_a_row() {
    // (m - 1)*n + j, beside j alone: no access goes from row to row.
    let object = Object::new(&[zero_to(n())]).at(&flat(&m().plus_constant(-1).unwrap(), &n(), &i())).at(&i().into());
    let (rows, checked) = object.checked();
    assert_eq!(subscripts(&rows, 0), [m().plus_constant(-1).unwrap(), i()]);
    assert_eq!(subscripts(&rows, 1), [number(0), i()]);
    assert_eq!((rows.conditions.len(), checked), (0, 6));
}

#[test]
fn sizes_that_decide_become_conditions() {
    let corner = flat(&plus(&o(), &i()), &n(), &plus(&o(), &j()));
    let object = Object::new(&[zero_to(m()), zero_to(m())]).at(&corner);
    let (rows, checked) = object.checked();
    assert_eq!(subscripts(&rows, 0), [plus(&o(), &i()), plus(&o(), &j())]);
    let room = n().minus(&m()).unwrap().minus(&o()).unwrap();
    assert_eq!(rows.conditions.iter().map(|c| &c.expr).collect::<Vec<_>>(), [&room]);
    assert_eq!(checked, 2);
    let guarded = Object::new(&[zero_to(m()), zero_to(m())])
        .at(&corner)
        .where_not_negative(n().minus(&plus(&j(), &o())).unwrap().plus_constant(-1).unwrap());
    let (rows, checked) = guarded.checked();
    assert_eq!((rows.conditions.len(), checked), (0, 6), "the branch around it says so");
}

#[test]
fn a_condition_is_as_weak_as_the_bounds_allow() {
    // i·n + o is in its row for n > o, whatever else is known of n.
    let object = Object::new(&[zero_to(m()), zero_to(m())])
        .at(&flat(&i(), &n(), &j()))
        .at(&flat(&i(), &n(), &o()))
        .where_not_negative(n().minus(&m()).unwrap());
    let (rows, _) = object.checked();
    let needed: Vec<Expr> = rows.conditions.into_iter().map(|condition| condition.expr).collect();
    assert_eq!(needed, [n().minus(&m()).unwrap(), n().minus(&o()).unwrap().plus_constant(-1).unwrap()]);
}

#[test]
fn parts_of_a_row_may_be_sizes_long() {
    // Rows of n + m: n elements, then m others.
    let length = plus(&n(), &m());
    let first = flat(&i(), &length, &j());
    let second = flat(&i(), &length, &plus(&n(), &k()));
    let object = Object::new(&[zero_to(o()), zero_to(n()), zero_to(m())]).at(&first).at(&second).with_factor(&length);
    let (rows, checked) = object.checked();
    assert_eq!(rows.lengths, [Extent::Size(vec![length])]);
    assert_eq!(subscripts(&rows, 1), [i(), plus(&n(), &k())]);
    assert_eq!((rows.conditions.len(), checked), (0, 6));
}

#[test]
fn planes_may_be_a_product_long() {
    let place = |rows: &Expr| flat(rows, &n(), &k());
    let planes = |rows: &Expr| place(rows).plus(&flat(&i(), &m(), &number(0)).product(&Poly::from(n())).unwrap());
    let whole = Object::new(&[zero_to(o()), zero_to(m()), zero_to(n())]).at(&planes(&j()).unwrap());
    let (rows, checked) = whole.checked();
    assert_eq!(rows.lengths, [Extent::Size(vec![m()]), Extent::Size(vec![n()])]);
    assert_eq!(checked, 6);
    // Only the first row of each plane: that k < n is enough.
    let first = planes(&number(0)).unwrap();
    let (rows, checked) = Object::new(&[zero_to(o()), zero_to(m()), zero_to(n())]).at(&first).checked();
    assert_eq!(rows.lengths, [Extent::Size(vec![n(), m()])]);
    assert_eq!((subscripts(&rows, 0), checked), ([i(), k()].as_slice(), 6));
    // k is not known to stay below n·m.
    let longer = Object::new(&[zero_to(o()), zero_to(m()), zero_to(o())]).at(&first).divided().unwrap();
    assert_eq!(longer.subscripts, [Err(Refusal::LeavesRow)]);
}

#[test]
fn constant_rows_are_divided_exactly() {
    // 16 elements a row: `row[j − 16]`, `row[j]` for all j, and `row[j + k]`, which ends in the next row.
    let row = 16 * BYTES;
    let object = Object::new(&[(number(1), m()), zero_to(number(16)), zero_to(number(9))])
        .stepped(&[(row, i()), (BYTES, j().plus_constant(-16).unwrap())])
        .stepped(&[(row, i()), (BYTES, j())])
        .stepped(&[(row, i()), (BYTES, plus(&j(), &k()))])
        .stepped(&[(row, number(3)), (BYTES, plus(&j(), &i().times(16).unwrap()))]);
    let (rows, checked) = object.checked();
    assert_eq!(rows.lengths, [Extent::Known(16)]);
    assert_eq!(subscripts(&rows, 0), [i().plus_constant(-1).unwrap(), j()]);
    assert_eq!(subscripts(&rows, 1), [i(), j()]);
    assert_eq!(subscripts(&rows, 3), [i().plus_constant(3).unwrap(), j()]);
    assert_eq!((rows.conditions.len(), checked), (0, 6));
    assert_eq!(rows.strides, [Some(row), Some(BYTES)]);
}

#[test]
fn declared_rows_are_long_enough_for_large_sizes() {
    let row = 16 * BYTES;
    let declared = Object::new(&[zero_to(m()), zero_to(n())]).stepped(&[(row, i()), (BYTES, j())]);
    let (rows, checked) = declared.checked();
    assert_eq!(subscripts(&rows, 0), [i(), j()]);
    let room = number(16).minus(&n()).unwrap();
    assert_eq!((rows.conditions[0].expr == room, checked), (true, 6));
    // One pointer that goes over all elements goes over the rows.
    let (rows, checked) =
        Object::new(&[zero_to(m()), zero_to(n())]).stepped(&[(row, i())]).stepped(&[(BYTES, j())]).checked();
    assert_eq!((rows.conditions.len(), checked), (0, 6));
    // `a[0][j]` stays in the row that `a[i][j]` requires, whichever is first.
    let object = Object::new(&[zero_to(m()), zero_to(n())]).stepped(&[(BYTES, j())]);
    let (rows, checked) = object.stepped(&[(row, i()), (BYTES, j())]).checked();
    assert_eq!((subscripts(&rows, 0), subscripts(&rows, 1)), ([number(0), j()].as_slice(), [i(), j()].as_slice()));
    assert_eq!((rows.conditions[0].expr == room, rows.conditions[0].reference, checked), (true, 1, 6));
}

#[test]
fn rows_that_lie_anywhere_are_as_long_as_one_likes() {
    let mut offset = Offset::default();
    offset.add(Stride { sizes: vec![row_mark(1)], bytes: BYTES }, &i()).unwrap();
    offset.add(Stride::of_bytes(BYTES), &j().plus_constant(-3).unwrap()).unwrap();
    let reference = Reference { offset, bytes: BYTES, is_aligned: true, facts: Vec::new() };
    let object = Object { references: vec![reference], ..Object::new(&[zero_to(m()), zero_to(n())]) };
    let rows = object.divided().unwrap();
    assert_eq!(rows.lengths, [Extent::Dynamic]);
    assert_eq!(subscripts(&rows, 0), [i(), j().plus_constant(-3).unwrap()]);
}

#[test]
fn what_cannot_be_told_is_refused() {
    let bounds = [zero_to(m()), zero_to(m())];
    let two_lengths = Object::new(&bounds).at(&flat(&i(), &n(), &j())).at(&flat(&i(), &o(), &j()));
    assert_eq!(two_lengths.divided().unwrap_err(), Refusal::Strides(Some(ParamId(2))));
    let apart = Object::new(&bounds).at(&flat(&i(), &n(), &number(0)));
    assert_eq!(apart.divided().unwrap_err(), Refusal::Apart(ParamId(0)));
    // j + i is below 2·m: rows that are as long as m are left at some iterations.
    let leaves = Object::new(&bounds).at(&flat(&i(), &m(), &plus(&i(), &j())));
    assert_eq!(leaves.divided().unwrap().subscripts, [Err(Refusal::LeavesRow)]);
    let unaligned = Object::new(&bounds).stepped(&[(BYTES, i()), (4, number(1))]).stepped(&[(4, j())]);
    assert_eq!(unaligned.divided().unwrap().subscripts[0], Err(Refusal::Unaligned(BYTES)));
}

/// A linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one_of(&mut self, exprs: &[Expr]) -> Expr {
        exprs[self.below(exprs.len() as u64) as usize].clone()
    }

    fn sum(&mut self, exprs: &[Expr]) -> Expr {
        (0..1 + self.below(3)).fold(Expr::default(), |sum, _| {
            let factor = [1, 1, 1, -1, 2][self.below(5) as usize];
            sum.add_scaled(&self.one_of(exprs), factor).unwrap()
        })
    }
}

#[test]
fn objects_at_random_are_divided_right_or_refused() {
    let mut numbers = Numbers(7);
    let (mut divided, mut refused, mut points) = (0, 0, 0);
    let constants = [number(1), number(-1), number(16), number(-16), number(5)];
    for _ in 0..600 {
        let ends = [n(), m(), n().plus_constant(-1).unwrap(), number(16), number(4), m().plus_constant(2).unwrap()];
        let mut bounds: Vec<(Expr, Expr)> = Vec::new();
        for _ in 0..3 {
            let lower = numbers.one_of(&[number(0), number(0), number(1)]);
            bounds.push((lower, numbers.one_of(&ends)));
        }
        let lengths = [n(), n(), m(), n().plus_constant(2).unwrap(), n().times(2).unwrap()];
        let length = numbers.one_of(&lengths);
        let constant = numbers.below(4) == 0;
        let mut object = Object::new(&bounds).with_factor(&length);
        for _ in 0..1 + numbers.below(3) {
            let columns = [j(), j(), k(), i(), o(), length.clone()].into_iter().chain(constants.clone());
            let columns: Vec<Expr> = columns.collect();
            let (row, column) = (numbers.sum(&[i(), i(), k(), number(1), o()]), numbers.sum(&columns));
            object = match constant {
                true => object.stepped(&[(16 * BYTES, row), (BYTES, column)]),
                false => object.at(&flat(&row, &length, &column)),
            };
        }
        match object.divided() {
            Ok(rows) if rows.subscripts.iter().all(Result::is_ok) => {
                divided += 1;
                points += object.checked().1;
            }
            _ => refused += 1,
        }
    }
    assert!(divided > 300 && refused > 100 && points > 1000, "{divided} divided, {refused} refused, {points} sizes");
}
