//! Programs interpreted on values, in any order of their loops.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use symloc_affine::{AccessId, AccessKind, Expr, IterId, Node, Program};
use symloc_schedule::{Generated, Reduction, Scop, Violation};

/// The elements that were written, with their values.
pub(crate) type WrittenValues = BTreeMap<(u32, Vec<i128>), u64>;

/// By access, its group, the access of the program as written, and the instance of its statement.
pub(crate) type Origins = Vec<(usize, AccessId, Vec<Expr>)>;

/// Interprets a program on values: each group of accesses reads, and writes a number made of its instance and all that it
/// has read. A reduction adds this number to its element.
pub(crate) struct Interpreter<'p> {
    program: &'p Program,
    sizes: &'p [i64],
    iters: Vec<i128>,
    memory: WrittenValues,
    groups: &'p Origins,
    /// The reductions, by accesses of the program as written.
    reductions: &'p [Reduction],
    /// The loops that run from their last iteration to the first.
    backwards: &'p BTreeSet<IterId>,
    value: (usize, u64),
    /// The instances so far.
    instances: Vec<(usize, Vec<i128>)>,
}

pub(crate) static NONE: BTreeSet<IterId> = BTreeSet::new();

impl<'p> Interpreter<'p> {
    fn new(run: ProgramRun<'p>, backwards: &'p BTreeSet<IterId>) -> Self {
        let ProgramRun { program, sizes, groups, reductions } = run;
        let (iters, memory) = (vec![0; program.iters.len()], WrittenValues::new());
        let value = (usize::MAX, 0);
        Self { program, sizes, iters, memory, groups, reductions, backwards, value, instances: Vec::new() }
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
                    let mut values: Vec<i128> = (lower..upper).step_by(l.step.constant().unwrap() as usize).collect();
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
        let is_update = |reduction: &&Reduction| reduction.read == *origin || reduction.write == *origin;
        match access.kind {
            // The number that is added does not depend on the element.
            AccessKind::Read if self.reductions.iter().any(|reduction| is_update(&reduction)) => {}
            AccessKind::Write if self.reductions.iter().any(|reduction| is_update(&reduction)) => {
                let sum = self.memory.get(&element).copied().unwrap_or(7).wrapping_add(self.value.1);
                self.memory.insert(element, sum);
            }
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

/// A program at one size, with what its accesses are.
#[derive(Clone, Copy)]
pub(crate) struct ProgramRun<'r> {
    pub(crate) program: &'r Program,
    pub(crate) sizes: &'r [i64],
    pub(crate) groups: &'r Origins,
    /// The reductions, by accesses of the program as written; without them each update is another number.
    pub(crate) reductions: &'r [Reduction],
}

impl ProgramRun<'_> {
    /// Returns the elements after the run.
    pub(crate) fn memory(self) -> WrittenValues {
        self.memory_backwards(&NONE)
    }

    /// Returns the elements after a run in which some loops go backwards.
    pub(crate) fn memory_backwards(self, backwards: &BTreeSet<IterId>) -> WrittenValues {
        let mut run = Interpreter::new(self, backwards);
        run.run(&self.program.body);
        run.memory
    }
}

/// Adds the innermost loops under some nodes; returns true if there is a loop.
pub(crate) fn innermost(nodes: &[Node], found: &mut BTreeSet<IterId>) -> bool {
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
pub(crate) fn statements(nodes: &[Node], groups: &mut Vec<Vec<AccessId>>) {
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

pub(crate) fn with_groups(program: &Program) -> (Vec<Vec<AccessId>>, Origins) {
    let mut groups = Vec::new();
    statements(&program.body, &mut groups);
    let mut by_access = vec![(0, AccessId(0), Vec::new()); program.accesses.len()];
    for (index, group) in groups.iter().enumerate() {
        group.iter().for_each(|id| by_access[id.index()] = (index, *id, Vec::new()));
    }
    (groups, by_access)
}

/// Sets the instances of the program as written: the iterators around.
pub(crate) fn with_instances(scop: &Scop, origins: &mut Origins) {
    for statement in &scop.statements {
        let instance: Vec<Expr> = statement.iters.iter().map(|iter| Expr::iter(*iter)).collect();
        statement.accesses.iter().for_each(|id| origins[id.index()].2.clone_from(&instance));
    }
}

pub(crate) fn origins(new: &Generated, by_access: &Origins) -> Origins {
    let origin = |(origin, instance): (&AccessId, &Vec<Expr>)| {
        let (group, id, _) = by_access[origin.index()];
        (group, id, instance.clone())
    };
    new.origins.iter().zip(&new.instances).map(origin).collect()
}

/// Checks that a program runs the instances of a witness the wrong way round; returns true if its values differ there.
pub(crate) fn is_turned_round(broken: &Violation, written: ProgramRun<'_>, turned: ProgramRun<'_>) -> bool {
    let size = |name: &String| broken.sizes.iter().find(|(other, _)| other == name).map(|(_, size)| size);
    let sizes =
        written.program.params.iter().map(|param| size(&param.name).map_or(1, |size| i64::try_from(size).unwrap()));
    let sizes: Vec<i64> = sizes.collect();
    let instances = |of: ProgramRun<'_>| {
        let mut run = Interpreter::new(ProgramRun { sizes: &sizes, ..of }, &NONE);
        run.run(&of.program.body);
        (run.instances, run.memory)
    };
    let ((written, expected), (turned, found)) = (instances(written), instances(turned));
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
