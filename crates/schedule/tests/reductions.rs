//! Orders that exchange updates of reductions compute the same sums; those that exchange anything else have a witness.

use std::collections::BTreeSet;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{AccessId, AccessKind, Expr, Program};
use symloc_isl::{Context, Strategy};
use symloc_schedule::find::find_order;
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::{is_complete, violation};
use symloc_schedule::{Carried, Dependences, OrderTree, Reduction, Scop};
use symloc_sim::random::{ProgramShape, Rng, program, sizes};

use crate::interpreter::{ProgramRun, innermost, is_turned_round, origins, with_groups, with_instances};
use crate::orders::changed;

/// Makes an update of each group of several accesses: its last access writes, the first reads the same element, and what is
/// between reads. Returns the groups that are reductions.
fn with_updates(program: &mut Program, groups: &[Vec<AccessId>]) -> Vec<Reduction> {
    for group in groups.iter().filter(|group| group.len() > 1) {
        let (first, last) = (group[0].index(), group[group.len() - 1].index());
        for access in group {
            program.accesses[access.index()].kind = AccessKind::Read;
        }
        let subscripts = program.accesses[last].subscripts.clone();
        program.accesses[last].kind = AccessKind::Write;
        program.accesses[first].array = program.accesses[last].array;
        program.accesses[first].subscripts = subscripts;
    }
    groups.iter().filter_map(|group| Reduction::of_update(program, group)).collect()
}

/// The limit on isl's operations for the orders of one program.
const OPERATIONS: u64 = 300_000;
/// The sizes from which on witnesses are not run.
const LARGE: i32 = 50;

#[test]
fn legal_orders_of_random_reductions_compute_the_same_sums() {
    let isl = Context::new().unwrap();
    let (mut legal, mut refused, mut different, mut exchanged, mut rounded, mut parallel) = (0, 0, 0, 0, 0, 0);
    for seed in 0..100 {
        let shape = ProgramShape { depth: 3, accesses: 6, arrays: 1 + (seed % 3) as usize, ..ProgramShape::default() };
        let mut program = program(seed, shape);
        let mut rng = Rng::new(seed + 2000);
        let sizes = sizes(&mut rng, &program, 5);
        let (groups, mut by_access) = with_groups(&program);
        let reductions = with_updates(&mut program, &groups);
        let scop = Scop::new(&isl, program.clone(), &groups).unwrap();
        with_instances(&scop, &mut by_access);
        let dependences = Dependences::with_reductions(&isl, &scop, &reductions).unwrap();
        let strict = Dependences::of(&isl, &scop).unwrap();
        let written = ProgramRun { program: &program, sizes: &sizes, groups: &by_access, reductions: &reductions };
        let expected = written.memory();
        // isl works on some orders for very long; these are left out.
        isl.reset_operations();
        isl.set_max_operations(OPERATIONS);
        let orders = [Strategy::Fuse, Strategy::Separate].map(|s| find_order(&scop, &dependences, s).ok());
        isl.set_max_operations(0);
        let orders = [Some(OrderTree::as_written(&scop))].into_iter().chain(orders).flatten();
        for found in orders {
            assert_eq!(violation(&isl, &scop, &dependences, &found).unwrap(), None, "program {seed}");
            for order in [found.clone(), changed(&found, &mut rng)] {
                let broken = violation(&isl, &scop, &dependences, &order).unwrap();
                isl.reset_operations();
                isl.set_max_operations(OPERATIONS);
                let new = generate_program(&isl, &scop, &dependences, &order);
                let is_whole = new.as_ref().is_ok_and(|new| is_complete(&isl, &scop, &order, new).unwrap_or(false));
                isl.set_max_operations(0);
                let Some(new) = new.ok().filter(|_| is_whole) else { continue };
                let origins = origins(&new, &by_access);
                let turned = ProgramRun { program: &new.program, groups: &origins, ..written };
                if let Some(broken) = broken {
                    refused += 1;
                    // A witness with large sizes takes too long to run.
                    if broken.sizes.iter().all(|(_, size)| *size < LARGE.into()) {
                        different += usize::from(is_turned_round(&broken, written, turned));
                    }
                    continue;
                }
                legal += 1;
                assert_eq!(turned.memory(), expected, "program {seed}: {order:?}");
                // Iterations of loops that carry reductions only may run in any order.
                let mut loops = BTreeSet::new();
                innermost(&new.program.body, &mut loops);
                loops.retain(|iter| !matches!(new.carried.get(iter), Some(Carried::Dependences(_))));
                let backwards = loops.iter().filter(|iter| new.carried.contains_key(iter)).count();
                parallel += backwards;
                assert_eq!(turned.memory_backwards(&loops), expected, "program {seed}, {loops:?} backwards: {order:?}");
                // With numbers that depend on what was there before, many of these runs would differ.
                if backwards > 0 || violation(&isl, &scop, &strict, &order).unwrap().is_some() {
                    exchanged += 1;
                    let found = ProgramRun { reductions: &[], ..turned }.memory_backwards(&loops);
                    rounded += usize::from(found != ProgramRun { reductions: &[], ..written }.memory());
                }
            }
        }
    }
    let counts = format!(
        "{legal} legal, {exchanged} run with sums in another order, {rounded} of which would differ, {parallel} loops \
         of reductions backwards; {refused} refused, {different} different"
    );
    println!("{counts}");
    assert!(legal > 400 && rounded > 15 && parallel > 60 && refused > 20 && different > 8, "{counts}");
}

/// for i for j { s[0] += a[i][j], with more accesses of the statement }.
fn sum(more: impl Fn(&mut ProgramBuilder, symloc_affine::ArrayId)) -> (Program, Vec<Vec<AccessId>>) {
    let mut b = ProgramBuilder::new("sum");
    let n = b.param("n");
    let (s, a) = (b.array("s", 8, 1), b.array("a", 8, 2));
    b.for_("i", Expr::constant(0), Expr::param(n), |b, i| {
        b.for_("j", Expr::constant(0), Expr::param(n), |b, j| {
            b.read(s, [Expr::constant(0)]);
            b.read(a, [Expr::iter(i), Expr::iter(j)]);
            more(b, s);
            b.write(s, [Expr::constant(0)]);
        });
    });
    let program = b.build();
    let groups = vec![(0..program.accesses.len() as u32).map(AccessId).collect()];
    (program, groups)
}

#[test]
fn what_reads_its_element_twice_is_no_reduction() {
    let (program, groups) = sum(|_, _| {});
    assert!(Reduction::of_update(&program, &groups[0]).is_some());
    let (program, groups) = sum(|b, s| {
        b.read(s, [Expr::constant(0)]);
    });
    assert_eq!(Reduction::of_update(&program, &groups[0]), None);
}

/// Returns true if the iterations of the innermost loop of a sum wait for nothing but the sum.
fn carries_only_the_sum(program: Program, groups: &[Vec<AccessId>]) -> bool {
    let isl = Context::new().unwrap();
    let reductions: Vec<_> = groups.iter().filter_map(|group| Reduction::of_update(&program, group)).collect();
    assert!(!reductions.is_empty());
    let scop = Scop::new(&isl, program, groups).unwrap();
    let dependences = Dependences::with_reductions(&isl, &scop, &reductions).unwrap();
    let new = generate_program(&isl, &scop, &dependences, &OrderTree::as_written(&scop)).unwrap();
    new.carried.values().all(|carried| matches!(carried, Carried::Reductions(_)))
}

#[test]
fn a_sum_that_reads_another_element_of_its_array_keeps_what_depends_on_that() {
    let (program, groups) = sum(|_, _| {});
    assert!(carries_only_the_sum(program, &groups));
    let (program, groups) = sum(|b, s| {
        b.read(s, [Expr::constant(1)]);
    });
    assert!(carries_only_the_sum(program, &groups));
    // The element that it reads is the one that is updated where i is 0.
    let mut b = ProgramBuilder::new("prefix");
    let n = b.param("n");
    let s = b.array("s", 8, 1);
    b.for_("i", Expr::constant(0), Expr::param(n), |b, i| {
        b.for_("j", Expr::constant(0), Expr::param(n), |b, j| {
            b.read(s, [Expr::iter(i)]);
            b.read(s, [Expr::iter(j)]);
            b.write(s, [Expr::iter(i)]);
        });
    });
    let program = b.build();
    assert!(!carries_only_the_sum(program, &[(0..3).map(AccessId).collect()]));
}

#[test]
fn two_updates_of_one_element_keep_their_order() {
    let mut b = ProgramBuilder::new("two");
    let n = b.param("n");
    let s = b.array("s", 8, 1);
    b.for_("i", Expr::constant(0), Expr::param(n), |b, _| {
        for _ in 0..2 {
            b.read(s, [Expr::constant(0)]);
            b.write(s, [Expr::constant(0)]);
        }
    });
    let program = b.build();
    let groups = [vec![AccessId(0), AccessId(1)], vec![AccessId(2), AccessId(3)]];
    assert!(!carries_only_the_sum(program, &groups));
}
