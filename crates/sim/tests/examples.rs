//! Examples worked out by hand, and refusals.

#![allow(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::collections::BTreeMap;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Constraint, Expr, Extent, IterId, Layout, LayoutError, Line, Loop, Node, Program, Strides};
use symloc_sim::{Cache, CacheError, DistanceHistogram, IntervalHistogram, SimError, Trace, simulate};

const DOUBLES: Line = Line::Bytes(64);

/// Returns `for i, j, k` with the given order of `C` (`C[i][j]`, the last one written), `A` (`A[i][k]`) and `B` (`B[k][j]`).
fn gemm(order: &str) -> Program {
    let mut b = ProgramBuilder::new("gemm");
    let n = b.param("n");
    let arrays = ["C", "A", "B"].map(|name| b.array(name, 8, 2));
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.for_("k", 0, n, |b, k| {
                for (position, name) in order.char_indices() {
                    match name {
                        'A' => b.read(arrays[1], [i, k]),
                        'B' => b.read(arrays[2], [k, j]),
                        _ if position == 3 => b.write(arrays[0], [i, j]),
                        _ => b.read(arrays[0], [i, j]),
                    };
                }
            });
        });
    });
    b.build()
}

/// Returns one access `A[subscript(i)]` in `for i = 0 to n`.
fn one_loop(subscript: impl Fn(Expr) -> Expr) -> Program {
    let mut b = ProgramBuilder::new("one_loop");
    let n = b.param("n");
    let a = b.array("A", 8, 1);
    b.for_("i", 0, n, |b, i| _ = b.read(a, [subscript(i.into())]));
    b.build()
}

fn lines(program: &Program, sizes: &[i64], layout: Layout) -> Vec<u64> {
    let mut lines = Vec::new();
    let trace = Trace::new(program, sizes, layout, DOUBLES).unwrap();
    trace.for_each_address(|_, _, line| lines.push(line.0)).unwrap();
    lines
}

#[test]
fn gemm_has_the_published_figures() {
    let program = gemm("CABC");
    let trace = Trace::new(&program, &[128], Layout::Rows, DOUBLES).unwrap();
    let by_access = DistanceHistogram::by_access(&trace).unwrap();
    let sum = |f: &dyn Fn(&DistanceHistogram) -> u64| by_access.iter().map(f).sum::<u64>();
    assert_eq!((sum(&|h| h.accesses), sum(&|h| h.first_touches)), (8_388_608, 6_144));
    assert_eq!(by_access.iter().map(|h| h.misses(512)).collect::<Vec<_>>(), [2_048, 2_048, 262_144, 0]);

    let bytes = 32 << 10;
    let caches = [Cache::fully_associative(512, DOUBLES), Cache::new(bytes, 8, 64).unwrap()];
    let [full, eight_ways] = simulate(&trace, &caches).unwrap()[..] else { panic!() };
    assert_eq!((full.accesses, full.first_touches, full.misses), (8_388_608, 6_144, 266_240));
    // A column of B falls into 4 of the 64 sets, so every read of B misses. Cachegrind, on the compiled loops with the
    // arrays one behind the other, counts 2,118,689.
    assert_eq!(eight_ways.misses, 2_118_688);
}

#[test]
fn gemm_of_order_19_as_in_the_design() {
    let program = gemm("ABCC");
    let trace = Trace::new(&program, &[19], Layout::Rows, DOUBLES).unwrap();
    let histogram = IntervalHistogram::of(&trace).unwrap();
    assert_eq!((histogram.accesses, histogram.blocks), (27_436, 171));
    assert_eq!(histogram.real.first_key_value(), Some((&1, &6_859)));
    assert_eq!(histogram.imaginary.first_key_value(), Some((&912, &38)));
}

#[test]
fn intervals_of_a_b_b_a() {
    let program = one_loop(|i| i.plus_constant(1).unwrap().floor_div(2).unwrap().modulo(2).unwrap().times(8).unwrap());
    let trace = Trace::new(&program, &[4], Layout::Rows, DOUBLES).unwrap();
    let histogram = IntervalHistogram::of(&trace).unwrap();
    assert_eq!((histogram.accesses, histogram.blocks), (4, 2));
    assert_eq!(histogram.real, BTreeMap::from([(1, 1), (3, 1)]));
    assert_eq!(histogram.imaginary, BTreeMap::from([(1, 1), (3, 1)]));
    let distances = DistanceHistogram::of(&trace).unwrap();
    assert_eq!((distances.first_touches, distances.distances), (2, BTreeMap::from([(0, 1), (1, 1)])));
}

#[test]
fn rows_start_new_lines_and_arrays_follow_each_other() {
    let mut b = ProgramBuilder::new("rows");
    let [n, m] = ["n", "m"].map(|name| b.param(name));
    let scalar = b.array("s", 8, 0);
    let a = b.array("A", 8, 2);
    let x = b.array("x", 4, 1);
    b.for_("i", 1, n, |b, i| {
        b.for_step("j", -1, m, 9, |b, j| {
            b.read(scalar, [0; 0]);
            b.read(a, [i, j]);
            b.write(x, [j]);
        });
    });
    // j is −1, 8 and 17: lines −1 to 2 of each of the three rows of A; row 0 is never touched; in x, of 16
    // elements per line, −1 to 1.
    let expected = [[0, 5, 13], [0, 7, 14], [0, 8, 15], [0, 9, 13], [0, 11, 14], [0, 12, 15]].concat();
    assert_eq!(lines(&b.build(), &[3, 18], Layout::Rows), expected);
}

#[test]
fn declared_extents_are_kept_free() {
    let mut b = ProgramBuilder::new("declared");
    let a = b.fixed_array("A", 8, &[4, 20]);
    let x = b.fixed_array("x", 8, &[9]);
    b.read(a, [2, 19]);
    b.read(x, [8]);
    let program = b.build();
    assert_eq!(lines(&program, &[], Layout::Rows), [2 * 3 + 2, 12 + 1]);
    assert_eq!(lines(&program, &[], Layout::Linear), [59 / 8, 10 + 1]);
}

#[test]
fn the_linear_layout_follows_strides_and_offset() {
    let mut b = ProgramBuilder::new("strided");
    let n = b.param("n");
    let a = b.strided_array("A", 8, Strides { offset: 3, strides: vec![10, -1] });
    b.for_("i", 0, n, |b, i| _ = b.read(a, [i, i]));
    // Elements 3, 12, 21, 30.
    assert_eq!(lines(&b.build(), &[4], Layout::Linear), [0, 1, 2, 3]);
}

#[test]
fn linear_arrays_reach_from_element_0_to_both_ends() {
    let touched = |offset, stride, extent| {
        let mut b = ProgramBuilder::new("ends");
        let a = b.fixed_array("A", 8, &[extent]);
        let x = b.fixed_array("x", 8, &[1]);
        b.read(a, [0]);
        b.read(x, [0]);
        let mut program = b.build();
        program.arrays[0].strides = Some(Strides { offset, strides: vec![stride] });
        lines(&program, &[], Layout::Linear)
    };
    // A has its elements at 16 … 35 (lines 0 to 4), −16 … 3 (lines −2 to 0), and −20 … −17 (lines −3 to 0).
    assert_eq!([touched(16, 1, 20), touched(3, -1, 20), touched(-20, 1, 4)], [[2, 5], [2, 3], [0, 4]]);
}

#[test]
fn conflicts_in_a_set() {
    // Lines 0 2 4 0 2 4 …: with two sets of two ways all in one set.
    let program = one_loop(|i| i.modulo(3).unwrap().times(16).unwrap());
    let trace = Trace::new(&program, &[9], Layout::Rows, DOUBLES).unwrap();
    let caches = [(4, 2), (4, 4), (3, 1), (3, 3), (2, 2)].map(|(l, w)| Cache::new(l * 64, w, 64).unwrap());
    let misses: Vec<_> = simulate(&trace, &caches).unwrap().iter().map(|m| m.misses).collect();
    assert_eq!(misses, [9, 3, 3, 3, 9]);
}

#[test]
fn sparse_arrays_need_no_table() {
    let program = one_loop(|i| i.modulo(5).unwrap().times(1 << 50).unwrap());
    let trace = Trace::new(&program, &[100], Layout::Rows, DOUBLES).unwrap();
    let histogram = DistanceHistogram::of(&trace).unwrap();
    assert_eq!((histogram.first_touches, histogram.distances), (5, BTreeMap::from([(4, 95)])));
}

#[test]
fn the_stack_outgrows_its_slots() {
    let program = one_loop(|i| i.modulo(3000).unwrap().times(8).unwrap());
    let trace = Trace::new(&program, &[10_000], Layout::Rows, DOUBLES).unwrap();
    let histogram = DistanceHistogram::of(&trace).unwrap();
    assert_eq!((histogram.first_touches, histogram.distances), (3000, BTreeMap::from([(2999, 7000)])));
}

#[test]
fn an_empty_trace_is_no_error() {
    let program = one_loop(|i| i);
    let mut shifted = program.clone();
    shifted.context.clear();
    let trace = Trace::new(&shifted, &[-5], Layout::Rows, DOUBLES).unwrap();
    assert_eq!(IntervalHistogram::of(&trace).unwrap(), IntervalHistogram::default());
    assert_eq!(DistanceHistogram::of(&trace).unwrap(), DistanceHistogram::default());
}

#[test]
fn a_loop_may_end_at_the_largest_integer() {
    let mut b = ProgramBuilder::new("end");
    let a = b.array("A", 8, 0);
    b.for_step("i", i64::MAX - 7, i64::MAX, 5, |b, _| _ = b.read(a, [0; 0]));
    assert_eq!(lines(&b.build(), &[], Layout::Rows), [0, 0]);
}

fn error(program: &Program, sizes: &[i64], layout: Layout) -> String {
    Trace::new(program, sizes, layout, DOUBLES).unwrap_err().to_string()
}

#[test]
fn sizes_are_checked() {
    let mut program = gemm("CABC");
    program.context.push(Constraint::zero(Expr::param(program.param("n").unwrap()).modulo(8).unwrap()));
    assert_eq!(error(&program, &[1, 2], Layout::Rows), "2 sizes given, but the program has 1 parameters (n)");
    assert_eq!(
        error(&program, &[0], Layout::Rows),
        "the sizes n = 0 do not satisfy the condition `n - 1 >= 0` of the program"
    );
    assert_eq!(
        error(&program, &[12], Layout::Rows),
        "the sizes n = 12 do not satisfy the condition `n - 8*floor((n)/8) = 0` of the program"
    );
}

#[test]
fn overflow_is_an_error() {
    let big = one_loop(|i| i.plus_constant(1).unwrap().times(i64::MAX).unwrap());
    assert_eq!(
        error(&big, &[2], Layout::Rows),
        "a subscript of `A` at <builder>:1:1 leaves the range of 64-bit integers at these sizes"
    );
    let mut b = ProgramBuilder::new("bound");
    let n = b.param("n");
    b.for_("i", Expr::param(n).times(4).unwrap(), n, |_, _| ());
    assert!(matches!(Trace::new(&b.build(), &[1 << 62], Layout::Rows, DOUBLES), Err(SimError::Overflow { .. })));
    let mut b = ProgramBuilder::new("guard");
    b.for_("i", i64::MAX - 1, i64::MAX, |b, i| {
        b.if_(vec![Constraint::zero(Expr::iter(i).times(2).unwrap())], |_| ());
    });
    assert!(error(&b.build(), &[], Layout::Rows).starts_with("the condition of an `if` leaves the range"));
}

#[test]
fn arrays_must_have_addresses() {
    assert_eq!(
        error(&gemm("CABC"), &[4], Layout::Linear),
        LayoutError::SymbolicStrides { array: "C".to_owned() }.to_string()
    );
    let mut b = ProgramBuilder::new("wide");
    let a = b.fixed_array("A", 64, &[1 << 40, 1 << 40]);
    b.read(a, [0, 0]);
    let program = b.build();
    let refused = SimError::AddressSpace { array: "A".to_owned() }.to_string();
    assert_eq!([Layout::Rows, Layout::Linear].map(|layout| error(&program, &[], layout)), [&refused[..]; 2]);
}

#[test]
fn malformed_programs_are_refused() {
    let good = one_loop(|i| i);
    let broken: [&dyn Fn(&mut Program); 8] = [
        &|p| p.accesses.clear(),
        &|p| p.arrays.clear(),
        &|p| p.params.clear(),
        &|p| p.arrays[0].shape.push(Extent::Dynamic),
        &|p| p.body.push(Node::Access(symloc_affine::AccessId(0))),
        &|p| edit(p, |l| l.step = 0.into()),
        &|p| edit(p, |l| l.lower.clear()),
        &|p| edit(p, |l| l.iter = IterId(7)),
    ];
    for (number, damage) in broken.iter().enumerate() {
        let mut program = good.clone();
        damage(&mut program);
        program.context.clear();
        let sizes = vec![3; program.params.len()];
        let result = Trace::new(&program, &sizes, Layout::Rows, DOUBLES);
        assert!(matches!(result, Err(SimError::Malformed(_))), "{number}: {result:?}");
    }
}

fn edit(program: &mut Program, change: impl Fn(&mut Loop)) {
    if let Node::Loop(l) = &mut program.body[0] {
        change(l);
    }
}

#[test]
fn caches_are_checked() {
    assert_eq!(Cache::new(0, 1, 64), Err(CacheError::Zero));
    assert_eq!(
        Cache::new(48 << 10, 5, 64).unwrap_err().to_string(),
        "a cache of 49152 bytes is not a whole number of sets of 5 ways of 64-byte lines"
    );
    assert!(Cache::new(1, u64::MAX, 2).is_err());
    assert_eq!(Cache::new(48 << 10, 12, 64).unwrap().sets(), 64);
    assert_eq!(Cache::new(1 << 60, 1, 64).unwrap().sets(), 1 << 54);
    let program = gemm("CABC");
    let trace = Trace::new(&program, &[4], Layout::Rows, Line::Element).unwrap();
    assert_eq!(
        simulate(&trace, &[Cache::new(1 << 60, 1, 64).unwrap()]).unwrap_err().to_string(),
        "the cache has lines of 64 bytes, but the trace was made for lines of one element"
    );
}
