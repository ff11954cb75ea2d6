//! What is called legal computes the same values; what is refused has a witness.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{AccessId, AccessKind, Expr, Node, Program};
use symloc_isl::{Context, Strategy};
use symloc_schedule::find::find_order;
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::violation;
use symloc_schedule::{Band, Dependences, OrderTree, Scop};
use symloc_sim::random::{ProgramShape, Rng, program, sizes};

/// The elements that were written, with their values.
type WrittenValues = BTreeMap<(u32, Vec<i128>), u64>;

/// Interprets a program on values: each group of accesses reads, and writes a number made of all that it has read.
struct Interpreter<'p> {
    program: &'p Program,
    sizes: &'p [i64],
    iters: Vec<i128>,
    memory: WrittenValues,
    /// By access, its group, and the access of the program as written.
    groups: &'p [(usize, AccessId)],
    value: (usize, u64),
}

impl Interpreter<'_> {
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
                    let mut at = lower;
                    while at < upper {
                        self.iters[l.iter.index()] = at;
                        self.run(&l.body);
                        at += i128::from(l.step);
                    }
                }
            }
        }
    }

    fn access(&mut self, id: AccessId) {
        let access = self.program.access(id);
        let element = (access.array.0, access.subscripts.iter().map(|subscript| self.eval(subscript)).collect());
        let (group, origin) = self.groups[id.index()];
        if self.value.0 != group || origin.0 == self.first_of(group) {
            self.value = (group, group as u64 + 1);
        }
        let mixed = |a: u64, b: u64| (a ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
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
        self.groups.iter().filter(|(other, _)| *other == group).map(|(_, origin)| origin.0).min().unwrap_or(0)
    }
}

fn memory(program: &Program, sizes: &[i64], groups: &[(usize, AccessId)]) -> WrittenValues {
    let iters = vec![0; program.iters.len()];
    let mut run = Interpreter { program, sizes, iters, memory: WrittenValues::new(), groups, value: (usize::MAX, 0) };
    run.run(&program.body);
    run.memory
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

fn with_groups(program: &Program) -> (Vec<Vec<AccessId>>, Vec<(usize, AccessId)>) {
    let mut groups = Vec::new();
    statements(&program.body, &mut groups);
    let mut by_access = vec![(0, AccessId(0)); program.accesses.len()];
    for (index, group) in groups.iter().enumerate() {
        group.iter().for_each(|id| by_access[id.index()] = (index, *id));
    }
    (groups, by_access)
}

fn changed(order: &OrderTree, rng: &mut Rng) -> OrderTree {
    let mut change = |band: &Band| {
        let mut places: Vec<usize> = (0..band.depth()).collect();
        (0..places.len()).for_each(|place| {
            let other = rng.range(0, band.depth() as i64 - 1) as usize;
            places.swap(place, other);
        });
        let tiles: Vec<i64> = places.iter().map(|_| [0, 2, 3][rng.range(0, 2) as usize]).collect();
        band.permuted(&places).tiled(&tiles)
    };
    // Bands that are not permutable are changed as well: this is what may be illegal.
    let order = all_permutable(order).with_bands(&mut change).unwrap();
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

#[test]
fn legal_orders_of_random_programs_compute_the_same_values() {
    let isl = Context::new().unwrap();
    let (mut legal, mut refused, mut generated) = (0, 0, 0);
    for seed in 0..100 {
        let shape = ProgramShape { depth: 3, accesses: 6, arrays: 1 + (seed % 2) as usize, ..ProgramShape::default() };
        let program = program(seed, shape);
        let mut rng = Rng::new(seed + 1000);
        let sizes = sizes(&mut rng, &program, 5);
        let (groups, by_access) = with_groups(&program);
        let scop = Scop::new(&isl, program.clone(), &groups).unwrap();
        let dependences = Dependences::of(&scop).unwrap();
        let expected = memory(&program, &sizes, &by_access);
        let mut orders = vec![OrderTree::as_written(&scop)];
        orders.extend(
            [Strategy::Fuse, Strategy::Separate].iter().filter_map(|s| find_order(&scop, &dependences, *s).ok()),
        );
        for found in orders {
            // What isl finds, and the order as written, are legal.
            assert_eq!(violation(&isl, &scop, &dependences, &found).unwrap(), None, "program {seed}");
            for order in [found.clone(), changed(&found, &mut rng)] {
                if violation(&isl, &scop, &dependences, &order).unwrap().is_some() {
                    refused += 1;
                    continue;
                }
                legal += 1;
                let Ok(new) = generate_program(&isl, &scop, &order) else { continue };
                generated += 1;
                let origins: Vec<_> = new.origins.iter().map(|origin| by_access[origin.index()]).collect();
                assert_eq!(memory(&new.program, &sizes, &origins), expected, "program {seed}: {order:?}");
            }
        }
    }
    let counts = format!("{legal} legal, {refused} refused, {generated} generated");
    assert!(legal > 300 && refused > 30 && generated > 300, "{counts}");
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
    let dependences = Dependences::of(&scop).unwrap();
    // Its loops as one band, in rectangular tiles: refused, with the instances that would be exchanged.
    let OrderTree::Band(t) = OrderTree::as_written(&scop) else { panic!("no loop") };
    let OrderTree::Band(i) = &*t.child else { panic!("no loop") };
    let OrderTree::Band(j) = &*i.child else { panic!("no loop") };
    let members = [&t.members[..], &i.members[..], &j.members[..]].concat();
    let band = Band { members, permutable: true, child: Box::new(OrderTree::Leaf) };
    let rectangular = OrderTree::Band(band.tiled(&[4, 4, 4]).unwrap());
    let broken = violation(&isl, &scop, &dependences, &rectangular).unwrap().unwrap();
    assert_eq!((broken.first, broken.second), (0, 0));
    assert!(broken.instances.contains("S0["), "{}", broken.instances);
    // isl skews them: legal, and the same values.
    let skewed = find_order(&scop, &dependences, Strategy::Fuse).unwrap();
    let tiled = skewed.with_bands(&mut |band: &Band| band.tiled(&[4, 4, 4])).unwrap();
    assert_ne!(tiled, skewed, "the band is not permutable");
    assert_eq!(violation(&isl, &scop, &dependences, &tiled).unwrap(), None);
    let new = generate_program(&isl, &scop, &tiled).unwrap();
    let by_access: Vec<_> = (0..10).map(|id| (0, AccessId(id))).collect();
    let origins: Vec<_> = new.origins.iter().map(|origin| by_access[origin.index()]).collect();
    assert_eq!(memory(&new.program, &[6, 13], &origins), memory(&program, &[6, 13], &by_access));
}
