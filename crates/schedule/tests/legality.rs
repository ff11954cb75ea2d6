//! What is called legal computes the same values; what is refused has a witness.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{AccessId, AccessKind, Expr, IterId, Node, Program};
use symloc_isl::{Context, Strategy};
use symloc_schedule::find::find_order;
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::{Violation, is_complete, violation};
use symloc_schedule::{Band, Dependences, Generated, OrderTree, Scop};
use symloc_sim::random::{ProgramShape, Rng, program, sizes};

/// The elements that were written, with their values.
type WrittenValues = BTreeMap<(u32, Vec<i128>), u64>;

/// By access, its group, the access of the program as written, and the instance of its statement.
type Origins = Vec<(usize, AccessId, Vec<Expr>)>;

/// Interprets a program on values: each group of accesses reads, and writes a number made of its instance and all that it
/// has read.
struct Interpreter<'p> {
    program: &'p Program,
    sizes: &'p [i64],
    iters: Vec<i128>,
    memory: WrittenValues,
    groups: &'p Origins,
    /// The loops that run from their last iteration to the first.
    backwards: &'p BTreeSet<IterId>,
    value: (usize, u64),
    /// The instances so far.
    instances: Vec<(usize, Vec<i128>)>,
}

static NONE: BTreeSet<IterId> = BTreeSet::new();

impl<'p> Interpreter<'p> {
    fn new(program: &'p Program, sizes: &'p [i64], groups: &'p Origins, backwards: &'p BTreeSet<IterId>) -> Self {
        let (iters, memory) = (vec![0; program.iters.len()], WrittenValues::new());
        Self { program, sizes, iters, memory, groups, backwards, value: (usize::MAX, 0), instances: Vec::new() }
    }

    fn eval(&self, expr: &Expr) -> i128 {
        let size = |param: symloc_affine::ParamId| i128::from(self.sizes[param.index()]);
        expr.eval(&size, &|iter| self.iters[iter.index()]).unwrap()
    }

    fn run(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Access(id) => self.access(*id),
                Node::Operations(_) | Node::Mark(_) => {}
                Node::If(guard) => {
                    let size = |param: symloc_affine::ParamId| i128::from(self.sizes[param.index()]);
                    let holds =
                        |c: &symloc_affine::Constraint| c.holds(&size, &|iter| self.iters[iter.index()]).unwrap();
                    let branch = if guard.condition.iter().all(holds) { &guard.then } else { &guard.otherwise };
                    self.run(branch);
                }
                Node::Loop(l) => {
                    let lower = l.lower.iter().map(|bound| self.eval(bound)).max().unwrap();
                    let upper = l.upper.iter().map(|bound| self.eval(bound)).min().unwrap();
                    let mut values: Vec<i128> = (lower..upper).step_by(l.step as usize).collect();
                    if self.backwards.contains(&l.iter) {
                        values.reverse();
                    }
                    for at in values {
                        self.iters[l.iter.index()] = at;
                        self.run(&l.body);
                    }
                }
            }
        }
    }

    fn access(&mut self, id: AccessId) {
        let access = self.program.access(id);
        let element = (access.array.0, access.subscripts.iter().map(|subscript| self.eval(subscript)).collect());
        let (group, origin, instance) = &self.groups[id.index()];
        let mixed = |a: u64, b: u64| (a ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        if self.value.0 != *group || origin.0 == self.first_of(*group) {
            let instance: Vec<i128> = instance.iter().map(|value| self.eval(value)).collect();
            self.value = (*group, instance.iter().map(|value| *value as u64).fold(*group as u64 + 1, mixed));
            self.instances.push((*group, instance));
        }
        match access.kind {
            AccessKind::Read => {
                let read = self.memory.get(&element).copied().unwrap_or(7);
                self.value.1 = mixed(self.value.1, read);
            }
            AccessKind::Write => {
                self.memory.insert(element, mixed(self.value.1, u64::from(origin.0)));
            }
        }
    }

    fn first_of(&self, group: usize) -> u32 {
        self.groups.iter().filter(|(other, ..)| *other == group).map(|(_, origin, _)| origin.0).min().unwrap_or(0)
    }
}

fn memory(program: &Program, sizes: &[i64], groups: &Origins) -> WrittenValues {
    memory_backwards(program, sizes, groups, &NONE)
}

/// Returns the elements after a run in which some loops go backwards.
fn memory_backwards(program: &Program, sizes: &[i64], groups: &Origins, backwards: &BTreeSet<IterId>) -> WrittenValues {
    let mut run = Interpreter::new(program, sizes, groups, backwards);
    run.run(&program.body);
    run.memory
}

/// Adds the innermost loops under some nodes; returns true if there is a loop.
fn innermost(nodes: &[Node], found: &mut BTreeSet<IterId>) -> bool {
    nodes.iter().fold(false, |any, node| {
        any | match node {
            Node::Loop(l) => {
                if !innermost(&l.body, found) {
                    found.insert(l.iter);
                }
                true
            }
            Node::If(guard) => innermost(&guard.then, found) | innermost(&guard.otherwise, found),
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => false,
        }
    })
}

/// Returns the accesses of each statement: reads that follow each other in one body, up to a write.
fn statements(nodes: &[Node], groups: &mut Vec<Vec<AccessId>>) {
    let mut open = false;
    for node in nodes {
        match node {
            Node::Access(id) if open => groups.last_mut().unwrap().push(*id),
            Node::Access(id) => groups.push(vec![*id]),
            Node::Loop(l) => statements(&l.body, groups),
            Node::If(guard) => {
                statements(&guard.then, groups);
                statements(&guard.otherwise, groups);
            }
            Node::Operations(_) | Node::Mark(_) => {}
        }
        open = matches!(node, Node::Access(_));
    }
}

fn with_groups(program: &Program) -> (Vec<Vec<AccessId>>, Origins) {
    let mut groups = Vec::new();
    statements(&program.body, &mut groups);
    let mut by_access = vec![(0, AccessId(0), Vec::new()); program.accesses.len()];
    for (index, group) in groups.iter().enumerate() {
        group.iter().for_each(|id| by_access[id.index()] = (index, *id, Vec::new()));
    }
    (groups, by_access)
}

/// Sets the instances of the program as written: the iterators around.
fn with_instances(scop: &Scop, origins: &mut Origins) {
    for statement in &scop.statements {
        let instance: Vec<Expr> = statement.iters.iter().map(|iter| Expr::iter(*iter)).collect();
        statement.accesses.iter().for_each(|id| origins[id.index()].2.clone_from(&instance));
    }
}

fn origins(new: &Generated, by_access: &Origins) -> Origins {
    let origin = |(origin, instance): (&AccessId, &Vec<Expr>)| {
        let (group, id, _) = by_access[origin.index()];
        (group, id, instance.clone())
    };
    new.origins.iter().zip(&new.instances).map(origin).collect()
}

fn changed(order: &OrderTree, rng: &mut Rng) -> OrderTree {
    let mut change = |band: &Band| {
        let mut places: Vec<usize> = (0..band.depth()).collect();
        (0..places.len()).for_each(|place| {
            let other = rng.range(0, band.depth() as i64 - 1) as usize;
            places.swap(place, other);
        });
        let tiles: Vec<i64> = places.iter().map(|_| [0, 2, 3][rng.range(0, 2) as usize]).collect();
        // Every other time in larger tiles.
        let larger = tiles.iter().map(|size| size * rng.range(0, 1)).map(|size| 2 * size).collect();
        band.permuted(&places).tiled_in_levels(&[larger, tiles]).map(OrderTree::Band)
    };
    // Bands that are not permutable are changed as well: this is what may be illegal.
    let order = all_permutable(order).with_nests(&mut change).unwrap();
    if rng.one_in(2) { order.distributed() } else { order }
}

/// Returns the order with loops that are nested in each other as one band, which claims to be permutable.
fn all_permutable(order: &OrderTree) -> OrderTree {
    match order {
        OrderTree::Leaf => OrderTree::Leaf,
        OrderTree::Band(band) => match all_permutable(&band.child) {
            OrderTree::Band(inner) => {
                let members = [band.members.clone(), inner.members].concat();
                OrderTree::Band(Band { members, permutable: true, child: inner.child })
            }
            child => OrderTree::Band(Band { members: band.members.clone(), permutable: true, child: Box::new(child) }),
        },
        OrderTree::Sequence(parts) => {
            OrderTree::Sequence(parts.iter().map(|(part, order)| (part.clone(), all_permutable(order))).collect())
        }
    }
}

/// Checks that a program runs the instances of a witness the wrong way round; returns true if its values differ there.
fn is_turned_round(
    broken: &Violation,
    program: &Program,
    new: &Generated,
    origins: &Origins,
    by_access: &Origins,
) -> bool {
    let size = |name: &String| broken.sizes.iter().find(|(other, _)| other == name).map(|(_, size)| size);
    let sizes = program.params.iter().map(|param| size(&param.name).map_or(1, |size| i64::try_from(size).unwrap()));
    let sizes: Vec<i64> = sizes.collect();
    let instances = |program, origins| {
        let mut run = Interpreter::new(program, &sizes, origins, &NONE);
        run.run(&program.body);
        (run.instances, run.memory)
    };
    let ((written, expected), (turned, found)) = (instances(program, by_access), instances(&new.program, origins));
    let place = |all: &[(usize, Vec<i128>)], statement: usize, instance: &[BigInt]| {
        let instance: Vec<i128> = instance.iter().map(|value| i128::try_from(value).unwrap()).collect();
        all.iter().position(|other| *other == (statement, instance.clone())).unwrap()
    };
    let places = |all: &[_]| {
        let first = place(all, broken.first, &broken.first_instance);
        (first, place(all, broken.second, &broken.second_instance))
    };
    let ((first, second), (first_turned, second_turned)) = (places(&written), places(&turned));
    assert!(first < second && second_turned <= first_turned, "{broken:?}");
    found != expected
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
        let expected = memory(&program, &sizes, &by_access);
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
                let found = memory(&new.program, &sizes, &origins);
                if let Some(broken) = broken {
                    refused += 1;
                    different += usize::from(is_turned_round(&broken, &program, &new, &origins, &by_access));
                    continue;
                }
                legal += 1;
                assert_eq!(found, expected, "program {seed}: {order:?}");
                // Iterations of loops that carry no dependence may run in any order.
                let mut loops = BTreeSet::new();
                innermost(&new.program.body, &mut loops);
                loops.retain(|iter| !new.carried.contains_key(iter));
                parallel += loops.len();
                let backwards = memory_backwards(&new.program, &sizes, &origins, &loops);
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
    assert_eq!(memory(&new.program, &[6, 13], &origins), memory(&program, &[6, 13], &by_access));
}
