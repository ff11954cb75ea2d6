//! Loops whose iterations race have a witness; those of other loops touch no element together.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Access, AccessId, AccessKind, Constraint, Expr, If, IterId, Loop, Node, ParamId, Program};
use symloc_isl::Context;
use symloc_schedule::races::{Race, race};
use symloc_sim::random::{ProgramShape, program};

/// One access of a run: the access, the iterators around it by number, and the first element.
type ElementTouch = (AccessId, BTreeMap<IterId, i128>, Vec<i128>);

/// Returns all elements that an access touches at once.
fn touched(access: &Access, first: &[i128]) -> BTreeSet<Vec<i128>> {
    let Some((last, outer)) = first.split_last() else { return BTreeSet::from([Vec::new()]) };
    (0..i128::from(access.elements)).map(|next| [outer, &[last + next]].concat()).collect()
}

/// Lets each second access of a random program touch two elements, and some three.
fn widen(program: &mut Program) {
    for (index, access) in program.accesses.iter_mut().enumerate().filter(|(_, access)| !access.subscripts.is_empty()) {
        access.elements = [1, 2, 1, 3][index % 4];
    }
}

/// Returns the accesses of a run, with their iterators and elements.
fn run(program: &Program, sizes: &[i64]) -> Vec<ElementTouch> {
    let mut run = Enumeration { program, sizes, iters: BTreeMap::new(), touches: Vec::new() };
    run.nodes(&program.body);
    run.touches
}

struct Enumeration<'p> {
    program: &'p Program,
    sizes: &'p [i64],
    iters: BTreeMap<IterId, i128>,
    touches: Vec<ElementTouch>,
}

impl Enumeration<'_> {
    fn eval(&self, expr: &Expr) -> i128 {
        expr.eval(&|param: ParamId| i128::from(self.sizes[param.index()]), &|iter| self.iters[&iter]).unwrap()
    }

    fn holds(&self, condition: &Constraint) -> bool {
        condition.holds(&|param: ParamId| i128::from(self.sizes[param.index()]), &|iter| self.iters[&iter]).unwrap()
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Access(id) => {
                    let subscripts = &self.program.access(*id).subscripts;
                    let element = subscripts.iter().map(|subscript| self.eval(subscript)).collect();
                    self.touches.push((*id, self.iters.clone(), element));
                }
                Node::If(If { condition, then, otherwise }) => {
                    let branch = if condition.iter().all(|c| self.holds(c)) { then } else { otherwise };
                    self.nodes(branch);
                }
                Node::Loop(Loop { iter, lower, upper, step, body }) => {
                    let first = lower.iter().map(|bound| self.eval(bound)).max().unwrap();
                    let end = upper.iter().map(|bound| self.eval(bound)).min().unwrap();
                    for at in (first..end).step_by(step.at(self.sizes).unwrap() as usize) {
                        self.iters.insert(*iter, at);
                        self.nodes(body);
                    }
                    self.iters.remove(iter);
                }
                Node::Operations(_) | Node::Mark(_) => {}
            }
        }
    }
}

/// A loop, or a nest whose iterations are one sequence.
struct NestPlace {
    /// The iterators of its loops, at least one.
    iters: Vec<IterId>,
    /// The iterators of the loops around it.
    outer: Vec<IterId>,
}

/// Adds all loops, and all nests of two or three loops whose iterations are one sequence.
fn around(nodes: &[Node], outer: &mut Vec<IterId>, found: &mut Vec<NestPlace>) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                for nest in (1..=3).filter_map(|loops| l.collapsed(loops).ok()) {
                    found.push(NestPlace { iters: nest.iter().map(|l| l.iter).collect(), outer: outer.clone() });
                }
                outer.push(l.iter);
                around(&l.body, outer, found);
                outer.pop();
            }
            Node::If(guard) => {
                around(&guard.then, outer, found);
                around(&guard.otherwise, outer, found);
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

impl NestPlace {
    /// Returns the values of its iterators.
    fn values(&self, iters: &BTreeMap<IterId, i128>) -> Vec<i128> {
        self.iters.iter().map(|iter| iters[iter]).collect()
    }
}

/// Returns true if two iterations of a nest touch one element of one array at these sizes, and one writes it.
fn races(program: &Program, sizes: &[i64], nest: &NestPlace) -> bool {
    let mut seen: BTreeMap<_, [BTreeSet<Vec<i128>>; 2]> = BTreeMap::new();
    for (id, iters, element) in run(program, sizes).into_iter().filter(|(_, at, _)| at.contains_key(&nest.iters[0])) {
        let entry: Vec<i128> = nest.outer.iter().map(|iter| iters[iter]).collect();
        let access = program.access(id);
        for element in touched(access, &element) {
            let [all, writers] = seen.entry((access.array.0, element, entry.clone())).or_default();
            all.insert(nest.values(&iters));
            if access.kind == AccessKind::Write {
                writers.insert(nest.values(&iters));
            }
        }
    }
    seen.values().any(|[all, writers]| !writers.is_empty() && all.len() > 1)
}

/// Checks that the instances of a race are in the program, and touch one element in different iterations.
fn check_witness(program: &Program, race: &Race, nest: &NestPlace) {
    let sizes: Vec<i64> = race.sizes.iter().map(|(_, size)| i64::try_from(size).unwrap()).collect();
    let touches = run(program, &sizes);
    let instance = |access: AccessId, values: &[(IterId, BigInt)]| {
        let values: BTreeMap<IterId, i128> =
            values.iter().map(|(iter, at)| (*iter, i128::try_from(at).unwrap())).collect();
        touches.iter().find(|(id, iters, _)| *id == access && *iters == values).unwrap()
    };
    let first = instance(race.first, &race.first_instance);
    let second = instance(race.second, &race.second_instance);
    let elements = |id: AccessId, first: &[i128]| touched(program.access(id), first);
    assert!(!elements(first.0, &first.2).is_disjoint(&elements(second.0, &second.2)), "{race:?}");
    assert!(nest.values(&first.1) < nest.values(&second.1), "{race:?}");
    assert!(nest.outer.iter().all(|iter| first.1[iter] == second.1[iter]), "{race:?}");
    let kind = |access: AccessId| program.access(access).kind;
    assert!(kind(race.first) == AccessKind::Write || kind(race.second) == AccessKind::Write);
    assert_eq!(program.access(race.first).array, program.access(race.second).array);
}

#[test]
fn loops_of_random_programs_race_where_their_iterations_meet() {
    let isl = Context::new().unwrap();
    let mut counts = [[0; 2]; 3];
    for seed in 0..500 {
        let shape = ProgramShape { depth: 3, accesses: 5, arrays: 1 + (seed % 3) as usize, ..ProgramShape::default() };
        let mut program = program(seed, shape);
        if seed % 5 == 4 {
            widen(&mut program);
        }
        let mut nests = Vec::new();
        around(&program.body, &mut Vec::new(), &mut nests);
        for nest in &nests {
            let loops = nest.iters.len();
            let found = race(&isl, &program, nest.iters[0], loops as u32).unwrap();
            match &found {
                Some(race) => check_witness(&program, race, nest),
                None => {
                    for size in 1..=5 {
                        let sizes = vec![size; program.params.len()];
                        assert!(!races(&program, &sizes, nest), "program {seed} at {size}: {:?}", nest.iters);
                    }
                }
            }
            counts[loops - 1][usize::from(found.is_some())] += 1;
        }
    }
    let [one, two, three] = counts;
    assert!(one.iter().all(|count| *count > 200), "loops without a race, and with one: {one:?}");
    assert!(two.iter().chain(&three).all(|count| *count > 3), "nests without a race, and with one: {two:?} {three:?}");
}

fn at(iter: IterId, by: i64) -> Expr {
    Expr::iter(iter).plus_constant(by).unwrap()
}

#[test]
fn a_stencil_in_place_races_between_neighbours() {
    let mut b = ProgramBuilder::new("stencil");
    let n = b.param("n");
    let a = b.array("A", 8, 1);
    b.for_("t", Expr::constant(0), Expr::param(n), |b, _| {
        b.for_("i", Expr::constant(1), Expr::param(n), |b, i| {
            b.read(a, [at(i, -1)]);
            b.write(a, [at(i, 0)]);
        });
    });
    let program = b.build();
    let isl = Context::new().unwrap();
    let found = race(&isl, &program, IterId(1), 1).unwrap().unwrap();
    assert_eq!(found.sizes, [("n".to_owned(), BigInt::from(3))].to_vec());
    let values = |instance: &[(IterId, BigInt)]| i64::try_from(&instance[1].1).unwrap();
    assert_eq!(values(&found.second_instance) - values(&found.first_instance), 1);
    assert_eq!((found.first, found.second), (AccessId(1), AccessId(0)));
    // The steps depend on each other as well.
    assert!(race(&isl, &program, IterId(0), 1).unwrap().is_some());
}

#[test]
fn a_reduction_to_one_element_races_and_rows_do_not() {
    let mut b = ProgramBuilder::new("sums");
    let n = b.param("n");
    let (s, a) = (b.array("s", 8, 1), b.array("A", 8, 2));
    b.for_("i", Expr::constant(0), Expr::param(n), |b, i| {
        b.for_("j", Expr::constant(0), Expr::param(n), |b, j| {
            b.read(a, [at(i, 0), at(j, 0)]);
            b.read(s, [at(i, 0)]);
            b.write(s, [at(i, 0)]);
        });
    });
    let program = b.build();
    let isl = Context::new().unwrap();
    assert_eq!(race(&isl, &program, IterId(0), 1).unwrap(), None);
    let found = race(&isl, &program, IterId(1), 1).unwrap().unwrap();
    assert_eq!(found.sizes, [("n".to_owned(), BigInt::from(2))].to_vec());
    // As one sequence they race just so.
    assert!(race(&isl, &program, IterId(0), 2).unwrap().is_some());
    // Reads alone do not race.
    assert_eq!(program.access(found.first).array, s);
}

#[test]
fn the_rows_of_lu_are_independent_in_one_step() {
    let mut b = ProgramBuilder::new("lu");
    let n = b.param("n");
    let a = b.array("A", 8, 2);
    b.for_("k", Expr::constant(0), Expr::param(n), |b, k| {
        b.for_("i", at(k, 1), Expr::param(n), |b, i| {
            b.for_("j", at(k, 1), Expr::param(n), |b, j| {
                b.read(a, [at(i, 0), at(k, 0)]);
                b.read(a, [at(k, 0), at(j, 0)]);
                b.read(a, [at(i, 0), at(j, 0)]);
                b.write(a, [at(i, 0), at(j, 0)]);
            });
        });
    });
    let program = b.build();
    let isl = Context::new().unwrap();
    assert!(race(&isl, &program, IterId(0), 1).unwrap().is_some());
    assert_eq!(race(&isl, &program, IterId(1), 1).unwrap(), None);
    assert_eq!(race(&isl, &program, IterId(2), 1).unwrap(), None);
    assert_eq!(race(&isl, &program, IterId(1), 2).unwrap(), None);
}
