//! ProgramBounds beside executions: the best of all on tiny programs, tiled ones with the best replacement on larger ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigInt;

use super::programs::{PROGRAMS, TestElement, TestOperation};
use super::{Random, TestProgram};
use crate::bounds::{LineContent, LowerBound, ProgramBounds, ProgramCounts};

/// A program at a size, in lines of so many elements.
struct TinyRun {
    operations: Vec<TestOperation>,
    /// The lines that each operation touches, by their numbers, in its order.
    lines: Vec<Vec<usize>>,
    /// By operation, those that have to come before it.
    earlier: Vec<Vec<usize>>,
    counts: ProgramCounts,
}

impl TinyRun {
    fn new(program: &TestProgram, n: i64, elements: i64) -> Self {
        let operations = program.operations(n);
        let line = |(array, subscripts): &TestElement| {
            let mut subscripts = subscripts.clone();
            subscripts.iter_mut().next_back().into_iter().for_each(|last| *last = last.div_euclid(elements));
            (*array, subscripts)
        };
        let mut numbers: BTreeMap<TestElement, usize> = BTreeMap::new();
        let mut number = |element: &TestElement| {
            let next = numbers.len();
            *numbers.entry(line(element)).or_insert(next)
        };
        let lines = operations.iter().map(|operation| operation.accesses.iter().map(|(e, _)| number(e)).collect());
        let lines = lines.collect();
        let outline = &program.outline;
        let mut executions = vec![BigInt::ZERO; outline.accesses.len()];
        for operation in &operations {
            (0..operation.accesses.len()).for_each(|index| executions[operation.first + index] += 1);
        }
        let of_array = |array: usize| numbers.keys().filter(|(other, _)| *other == array).count().into();
        let counts = ProgramCounts { executions, array_lines: (0..outline.arrays.len()).map(of_array).collect() };
        Self { earlier: dependences(&operations), operations, lines, counts }
    }
}

/// Returns for each operation those that have to come before it, also where the order of a sum is free: if one of two
/// writes what the other one touches otherwise than by updating it.
fn dependences(operations: &[TestOperation]) -> Vec<Vec<usize>> {
    // By element, the operations that write it, and those of which it is an operand. The first access of an update is the
    // read of its target.
    let mut touching: BTreeMap<&TestElement, [Vec<usize>; 2]> = BTreeMap::new();
    for (index, operation) in operations.iter().enumerate() {
        for (position, (element, write)) in operation.accesses.iter().enumerate() {
            if *write || position > 0 {
                touching.entry(element).or_default()[usize::from(!*write)].push(index);
            }
        }
    }
    let mut earlier = vec![BTreeSet::new(); operations.len()];
    for [written, operands] in touching.values() {
        for (a, b) in written.iter().flat_map(|a| operands.iter().map(move |b| (*a, *b))).filter(|(a, b)| a != b) {
            earlier[a.max(b)].insert(a.min(b));
        }
    }
    earlier.into_iter().map(|earlier| earlier.into_iter().collect()).collect()
}

fn bound(program: &TestProgram, run: &TinyRun, elements: u64, cache: usize) -> LowerBound {
    let line = if elements == 1 { LineContent::Element } else { LineContent::Bytes(8 * elements) };
    ProgramBounds::of_text(program.text(), line).at(&run.counts, &cache.into())
}

/// Returns the least misses of all orders and replacements, with a cache of so many lines.
fn least_misses(run: &TinyRun, cache: usize) -> usize {
    let all = (1_u32 << run.operations.len()) - 1;
    let mut states: HashMap<(u32, u64), usize> = HashMap::from([((0, 0), 0)]);
    for _ in 0..run.operations.len() {
        let mut next: HashMap<(u32, u64), usize> = HashMap::new();
        for ((done, held), misses) in states {
            for operation in 0..run.operations.len() {
                let is_ready = run.earlier[operation].iter().all(|earlier| done & 1 << earlier != 0);
                if done & 1 << operation == 0 && is_ready {
                    for (held, more) in executed(held, &run.lines[operation], cache) {
                        let least = next.entry((done | 1 << operation, held)).or_insert(usize::MAX);
                        *least = (*least).min(misses + more);
                    }
                }
            }
        }
        states = next;
    }
    states.into_iter().filter(|((done, _), _)| *done == all).map(|(_, misses)| misses).min().unwrap()
}

/// Returns the contents that a cache may have after some accesses, with the misses until then.
fn executed(held: u64, lines: &[usize], cache: usize) -> Vec<(u64, usize)> {
    let mut states = vec![(held, 0)];
    for line in lines {
        let mut next = Vec::new();
        for (held, misses) in states {
            if held & 1 << line != 0 {
                next.push((held, misses));
            } else if (held.count_ones() as usize) < cache {
                next.push((held | 1 << line, misses + 1));
            } else {
                let victims = (0..64).filter(|victim| held & 1 << victim != 0);
                next.extend(victims.map(|victim| (held & !(1 << victim) | 1 << line, misses + 1)));
            }
        }
        next.sort_unstable();
        next.dedup_by_key(|(held, _)| *held);
        states = next;
    }
    states
}

#[test]
fn no_order_of_tiny_programs_misses_less() {
    let mut tried = 0;
    for (name, text) in PROGRAMS {
        let program = TestProgram::read(text);
        for (n, elements) in [(2, 1), (3, 1), (2, 2), (3, 2)] {
            let run = TinyRun::new(&program, n, elements);
            if run.operations.len() > 8 {
                continue;
            }
            for cache in [1, 2, 4] {
                let least = least_misses(&run, cache);
                let bound = bound(&program, &run, u64::try_from(elements).unwrap(), cache);
                assert!(bound.misses <= least.into(), "{name} at {n}, {cache} lines: {bound:?}, but {least}");
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried}");
}

/// Programs of one or two statements whose subscripts are chosen at random.
#[test]
fn no_order_of_random_programs_misses_less() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..30 {
        let text = random_text(&mut random);
        let program = TestProgram::read(&text);
        let run = TinyRun::new(&program, 2, 1);
        for cache in [2, 4] {
            let least = least_misses(&run, cache);
            let bound = bound(&program, &run, 1, cache);
            assert!(bound.misses <= least.into(), "{text}\n{cache} lines: {bound:?}, but {least}");
        }
    }
}

fn random_text(random: &mut Random) -> String {
    let statements = 1 + random.below(2);
    let depth = if statements == 1 { 3 } else { 2 };
    let names = &["i", "j", "k"][..depth];
    let statement = |random: &mut Random| {
        let mut access = |arrays: &[&str]| {
            let [a, b] = [names[random.below(depth)], names[random.below(depth)]];
            format!("{}[{a}][{b}]", arrays[random.below(arrays.len())])
        };
        let (target, first, second) = (access(&["A", "B"]), access(&["A", "B", "C"]), access(&["A", "C"]));
        let loops: String = names.iter().map(|name| format!("for {name} 0 n\n")).collect();
        format!("{loops}{target} += {first}, {second}\n{}", "end\n".repeat(depth))
    };
    (0..statements).map(|_| statement(random)).collect()
}

/// Returns the misses of a trace with the best replacement: the line whose next use is furthest away leaves.
fn misses_of_trace(trace: &[usize], cache: usize) -> usize {
    let mut next_use = vec![usize::MAX; trace.len()];
    let mut seen: HashMap<usize, usize> = HashMap::new();
    for (time, line) in trace.iter().enumerate().rev() {
        next_use[time] = seen.insert(*line, time).unwrap_or(usize::MAX);
    }
    let mut held: HashMap<usize, usize> = HashMap::new();
    let mut by_use: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut misses = 0;
    for (time, line) in trace.iter().enumerate() {
        match held.get(line) {
            Some(used) => _ = by_use.remove(&(*used, *line)),
            None => {
                misses += 1;
                if held.len() == cache {
                    let victim = by_use.pop_last().unwrap();
                    held.remove(&victim.1);
                }
            }
        }
        held.insert(*line, next_use[time]);
        by_use.insert((next_use[time], *line));
    }
    misses
}

/// Returns an order of operations by tiles: always the first one that may be executed, in the order of tiles and then of
/// iterators, both permuted.
fn tiled(run: &TinyRun, tiles: &[i64], permutation: &[usize]) -> Vec<usize> {
    let key = |index: usize| {
        let iterators = &run.operations[index].iterators;
        let of = |position: &usize| iterators.get(*position).copied().unwrap_or_default();
        let tile: Vec<i64> = permutation.iter().map(|p| of(p) / tiles[*p]).collect();
        (tile, permutation.iter().map(of).collect::<Vec<_>>(), index)
    };
    let mut open: Vec<usize> = run.earlier.iter().map(Vec::len).collect();
    let mut later: Vec<Vec<usize>> = vec![Vec::new(); open.len()];
    for (operation, earlier) in run.earlier.iter().enumerate() {
        earlier.iter().for_each(|other| later[*other].push(operation));
    }
    let mut ready: BTreeSet<_> = (0..open.len()).filter(|index| open[*index] == 0).map(key).collect();
    let mut order = Vec::new();
    while let Some((.., operation)) = ready.pop_first() {
        order.push(operation);
        for other in &later[operation] {
            open[*other] -= 1;
            if open[*other] == 0 {
                ready.insert(key(*other));
            }
        }
    }
    assert_eq!(order.len(), open.len(), "every operation is executed");
    order
}

/// No tiled order is below the bound, which is above the first touches in small caches.
#[test]
fn tiled_orders_are_above_the_bounds() {
    let mut random = Random(0xda94_2042_e4dd_58b5);
    let mut larger = 0;
    let permutations = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for (name, text) in PROGRAMS {
        let program = TestProgram::read(text);
        let depth = text.lines().filter(|line| line.trim().starts_with("for")).count();
        let n = if depth > 2 { 8 } else { 20 };
        for elements in [1, 4] {
            let run = TinyRun::new(&program, n, elements);
            for cache in [3, 6, 12, 24] {
                let bound = bound(&program, &run, u64::try_from(elements).unwrap(), cache);
                let mut best = usize::MAX;
                for permutation in permutations {
                    for _ in 0..3 {
                        let tiles = [(); 3].map(|()| 1 + i64::try_from(random.below(6)).unwrap());
                        let order = tiled(&run, &tiles, &permutation);
                        let trace: Vec<usize> =
                            order.iter().flat_map(|operation| run.lines[*operation].iter().copied()).collect();
                        best = best.min(misses_of_trace(&trace, cache));
                    }
                }
                larger += usize::from(bound.misses > bound.compulsory);
                assert!(bound.misses <= best.into(), "{name}, {elements} in {cache} lines: {bound:?}, but {best}");
            }
        }
    }
    assert!(larger > 10, "{larger} bounds are larger than the first touches");
}
