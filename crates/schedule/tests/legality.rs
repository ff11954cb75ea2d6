//! What is called legal computes the same values; what is refused has a witness.

use std::collections::BTreeSet;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{AccessId, Expr, Program};
use symloc_isl::{Context, Strategy};
use symloc_schedule::find::{find_order, written_order};
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::{is_complete, violation};
use symloc_schedule::{Band, Dependences, OrderTree, Scop};
use symloc_sim::random::{ProgramShape, Rng, program, sizes};

use crate::interpreter::{Origins, ProgramRun, innermost, is_turned_round, origins, with_groups, with_instances};
use crate::orders::changed;

fn run<'r>(program: &'r Program, sizes: &'r [i64], groups: &'r Origins) -> ProgramRun<'r> {
    ProgramRun { program, sizes, groups, reductions: &[] }
}

#[test]
fn legal_orders_of_random_programs_compute_the_same_values() {
    let isl = Context::new().unwrap();
    let (mut legal, mut refused, mut different, mut incomplete, mut parallel) = (0, 0, 0, 0, 0);
    for seed in 0..300 {
        let shape = ProgramShape { depth: 3, accesses: 6, arrays: 1 + (seed % 2) as usize, ..ProgramShape::default() };
        let program = program(seed, shape);
        let mut rng = Rng::new(seed + 1000);
        let sizes = sizes(&mut rng, &program, 5);
        let (groups, mut by_access) = with_groups(&program);
        let scop = Scop::new(&isl, program.clone(), &groups).unwrap();
        with_instances(&scop, &mut by_access);
        let dependences = Dependences::of(&isl, &scop).unwrap();
        let expected = run(&program, &sizes, &by_access).memory();
        let mut orders = vec![OrderTree::as_written(&scop)];
        orders.extend(
            [Strategy::Fuse, Strategy::Separate].iter().filter_map(|s| find_order(&scop, &dependences, *s).ok()),
        );
        for found in orders {
            // What isl finds, and the order as written, are legal.
            assert_eq!(violation(&isl, &scop, &dependences, &found).unwrap(), None, "program {seed}");
            for order in [found.clone(), changed(&found, &mut rng)] {
                let broken = violation(&isl, &scop, &dependences, &order).unwrap();
                let Ok(new) = generate_program(&isl, &scop, &dependences, &order) else { continue };
                // isl's code is checked as well: it may leave out instances.
                if !is_complete(&isl, &scop, &order, &new).unwrap() {
                    incomplete += 1;
                    continue;
                }
                let origins = origins(&new, &by_access);
                let found = run(&new.program, &sizes, &origins).memory();
                if let Some(broken) = broken {
                    refused += 1;
                    different += usize::from(is_turned_round(
                        &broken,
                        run(&program, &sizes, &by_access),
                        run(&new.program, &sizes, &origins),
                    ));
                    continue;
                }
                legal += 1;
                assert_eq!(found, expected, "program {seed}: {order:?}");
                // Iterations of loops that carry no dependence may run in any order.
                let mut loops = BTreeSet::new();
                innermost(&new.program.body, &mut loops);
                loops.retain(|iter| !new.carried.contains_key(iter));
                parallel += loops.len();
                let backwards = run(&new.program, &sizes, &origins).memory_backwards(&loops);
                assert_eq!(backwards, expected, "program {seed}, {loops:?} backwards: {order:?}");
            }
        }
    }
    // Where the values are equal all the same, what the witness exchanges is overwritten.
    let counts = format!("{legal} legal, {refused} refused, {different} different, {parallel} loops backwards");
    assert!(legal > 900 && refused > 90 && different > 20 && parallel > 900, "{counts}");
    println!("{counts}, {incomplete} not complete");
}

/// seidel-2d: each element from its neighbours, in place.
fn seidel() -> (Program, Vec<Vec<AccessId>>) {
    let mut b = ProgramBuilder::new("seidel");
    let (steps, n) = (b.param("steps"), b.param("n"));
    let a = b.array("A", 8, 2);
    let inner = || Expr::param(n).plus_constant(-1).unwrap();
    b.for_("t", Expr::constant(0), Expr::param(steps), |b, _| {
        b.for_("i", Expr::constant(1), inner(), |b, i| {
            b.for_("j", Expr::constant(1), inner(), |b, j| {
                for row in -1..=1 {
                    for column in -1..=1 {
                        let at = |iter, by| Expr::iter(iter).plus_constant(by).unwrap();
                        b.read(a, [at(i, row), at(j, column)]);
                    }
                }
                b.write(a, [Expr::iter(i), Expr::iter(j)]);
            });
        });
    });
    let program = b.build();
    let groups = vec![(0..10).map(AccessId).collect()];
    (program, groups)
}

#[test]
fn seidel_is_tiled_only_if_it_is_skewed() {
    let isl = Context::new().unwrap();
    let (program, groups) = seidel();
    let scop = Scop::new(&isl, program.clone(), &groups).unwrap();
    let dependences = Dependences::of(&isl, &scop).unwrap();
    // Its loops as one band, in rectangular tiles: refused, with the instances that would be exchanged.
    let OrderTree::Band(t) = OrderTree::as_written(&scop) else { panic!("no loop") };
    let OrderTree::Band(i) = &*t.child else { panic!("no loop") };
    let OrderTree::Band(j) = &*i.child else { panic!("no loop") };
    let members = [&t.members[..], &i.members[..], &j.members[..]].concat();
    let band = Band { members, permutable: true, child: Box::new(OrderTree::Leaf) };
    let rectangular = OrderTree::Band(band.tiled(&[4, 4, 4]).unwrap());
    let broken = violation(&isl, &scop, &dependences, &rectangular).unwrap().unwrap();
    assert_eq!((broken.first, broken.second), (0, 0));
    assert_eq!((broken.first_instance.len(), broken.second_instance.len()), (3, 3), "{broken:?}");
    // isl skews them: legal, and the same values.
    let skewed = find_order(&scop, &dependences, Strategy::Fuse).unwrap();
    let tiled = skewed.with_nests(&mut |band: &Band| band.tiled(&[4, 4, 4]).map(OrderTree::Band)).unwrap();
    assert_ne!(tiled, skewed, "the band is not permutable");
    assert_eq!(violation(&isl, &scop, &dependences, &tiled).unwrap(), None);
    let new = generate_program(&isl, &scop, &dependences, &tiled).unwrap();
    let mut by_access: Origins = (0..10).map(|id| (0, AccessId(id), Vec::new())).collect();
    with_instances(&scop, &mut by_access);
    let origins = origins(&new, &by_access);
    let (found, expected) = (run(&new.program, &[6, 13], &origins), run(&program, &[6, 13], &by_access));
    assert_eq!(found.memory(), expected.memory());
}

/// isl's scheduler has no order for a dependence that is k iterations long; as written, the loops are one band.
#[test]
fn loops_as_written_are_bands_where_they_may_be_permuted() {
    let isl = Context::new().unwrap();
    let mut b = ProgramBuilder::new("shift");
    let (n, k) = (b.param("n"), b.param("k"));
    let a = b.array("A", 8, 2);
    b.for_("j", 0, n, |b, j| {
        b.for_("i", 0, n, |b, i| {
            b.read(a, [Expr::iter(i).plus(&Expr::param(k)).unwrap(), Expr::iter(j)]);
            b.write(a, [Expr::iter(i), Expr::iter(j)]);
        });
    });
    let shift = b.build();
    for ((program, groups), expected) in [((shift, vec![vec![AccessId(0), AccessId(1)]]), vec![2]), (seidel(), vec![1])]
    {
        let scop = Scop::new(&isl, program, &groups).unwrap();
        let dependences = Dependences::of(&isl, &scop).unwrap();
        let found = written_order(&isl, &scop, &dependences).unwrap();
        assert_eq!(found.nests().iter().map(|band| band.depth()).collect::<Vec<_>>(), expected);
        assert_eq!(violation(&isl, &scop, &dependences, &found).unwrap(), None);
    }
    let mut tiled = 0;
    for seed in 0..100 {
        let program = program(seed, ProgramShape { depth: 3, accesses: 5, arrays: 2, ..ProgramShape::default() });
        let (groups, _) = with_groups(&program);
        let scop = Scop::new(&isl, program, &groups).unwrap();
        let dependences = Dependences::of(&isl, &scop).unwrap();
        let found = written_order(&isl, &scop, &dependences).unwrap();
        // What claims to be permutable may be turned round and tiled.
        let changed = found.with_nests(&mut |band: &Band| {
            let places: Vec<usize> = (0..band.depth()).rev().collect();
            band.permuted(&places).tiled(&vec![3; band.depth()]).map(OrderTree::Band)
        });
        tiled += found.nests().iter().filter(|band| band.depth() > 1).count();
        assert_eq!(violation(&isl, &scop, &dependences, &changed.unwrap()).unwrap(), None, "program {seed}");
    }
    assert!(tiled > 30, "{tiled} bands of several loops");
}
