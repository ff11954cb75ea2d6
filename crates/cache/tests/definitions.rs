//! Compares caches with their definitions, written as plainly as possible: lists of blocks, searched and shifted.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use proptest::prelude::*;
use symloc_cache::{
    Caches, Design, Geometry, Hierarchy, Inclusion, IndexFunction, LineState, Replacement, Request, Traffic, Whole,
    Writes,
};

/// A set as a list of its lines.
#[derive(Clone, Debug, Default)]
struct PlainSet {
    /// The lines, by way.
    lines: Vec<Option<PlainLine>>,
    /// The last way used in every aligned group of ways, by (first way, size).
    tree: std::collections::HashMap<(usize, usize), usize>,
}

#[derive(Clone, Debug)]
struct PlainLine {
    block: u64,
    dirty: bool,
    /// The time when it came, and the time when it was used last.
    came: u64,
    used: u64,
    age: u32,
}

/// One cache that writes back.
struct PlainCache {
    geometry: Geometry,
    replacement: Replacement,
    sets: Vec<PlainSet>,
    now: u64,
    traffic: Traffic,
}

impl PlainCache {
    fn new(geometry: Geometry, replacement: Replacement) -> Self {
        let set = PlainSet { lines: vec![None; geometry.ways() as usize], ..PlainSet::default() };
        Self { geometry, replacement, sets: vec![set; geometry.sets() as usize], now: 0, traffic: Traffic::default() }
    }

    fn access(&mut self, block: u64, request: Request) -> bool {
        let write = request == Request::Write;
        self.now += 1;
        self.traffic.accesses += 1;
        let (now, replacement) = (self.now, self.replacement);
        let set = &mut self.sets[self.geometry.set(block) as usize];
        let found = set.lines.iter().position(|line| line.as_ref().is_some_and(|line| line.block == block));
        let way = match found {
            Some(way) => {
                let line = set.lines[way].as_mut().unwrap();
                line.dirty |= write;
                line.used = now;
                line.age = [0, 0, 1, 1][line.age as usize];
                way
            }
            None => {
                let way = set.victim(replacement);
                if set.lines[way].as_ref().is_some_and(|line| line.dirty) {
                    self.traffic.write_backs += 1;
                }
                self.traffic.misses += 1;
                self.traffic.fills += 1;
                set.lines[way] = Some(PlainLine { block, dirty: write, came: now, used: now, age: 1 });
                way
            }
        };
        set.use_way(way);
        found.is_some()
    }
}

impl PlainSet {
    fn victim(&self, replacement: Replacement) -> usize {
        if let Some(way) = self.lines.iter().position(Option::is_none) {
            return way;
        }
        let first = |key: &dyn Fn(&PlainLine) -> u64| {
            let lines = self.lines.iter().flatten().enumerate();
            lines.min_by_key(|(_, line)| key(line)).unwrap().0
        };
        match replacement {
            Replacement::Lru => first(&|line| line.used),
            Replacement::Fifo => first(&|line| line.came),
            Replacement::Qlru => self.lines.iter().flatten().position(|line| line.age == 3).unwrap(),
            Replacement::TreePlru => {
                let (mut start, mut size) = (0, self.lines.len());
                while size > 1 {
                    let used = self.tree[&(start, size)];
                    size /= 2;
                    start += if used < start + size { size } else { 0 };
                }
                start
            }
            Replacement::Random(_) => unreachable!("there is no definition of what is random"),
        }
    }

    fn use_way(&mut self, way: usize) {
        let mut size = 2;
        while size <= self.lines.len() {
            self.tree.insert((way / size * size, size), way);
            size *= 2;
        }
        if self.lines.iter().all(Option::is_some) {
            let oldest = self.lines.iter().flatten().map(|line| line.age).max().unwrap();
            self.lines.iter_mut().flatten().for_each(|line| line.age += 3 - oldest);
        }
    }
}

const POLICIES: [Replacement; 4] = [Replacement::Lru, Replacement::Fifo, Replacement::TreePlru, Replacement::Qlru];

fn ignore(_: usize, _: u64, _: LineState) {}

fn trace() -> impl Strategy<Value = Vec<(u64, Request)>> {
    let request = prop::bool::weighted(0.3).prop_map(|write| if write { Request::Write } else { Request::Read });
    prop::collection::vec((0_u64..60, request), 1..400)
}

fn geometry(lines: u64, ways: u64, xor: bool) -> Geometry {
    let index = if xor && (lines / ways).is_power_of_two() { IndexFunction::Xor } else { IndexFunction::Modulo };
    Geometry::new(lines, ways, index).unwrap()
}

proptest! {
    #[test]
    fn one_cache(trace in trace(), sets in 1_u64..6, ways in 0_u32..4, xor: bool, policy in 0_usize..4) {
        let geometry = geometry(sets << ways, 1 << ways, xor);
        let mut plain = PlainCache::new(geometry, POLICIES[policy]);
        let mut cache = Hierarchy::new(&[Design::new(geometry, POLICIES[policy])]).unwrap();
        let mut gone = 0;
        for (block, request) in trace {
            prop_assert_eq!(cache.access(block, request, &mut |_, _, _| gone += 1) == 0, plain.access(block, request));
        }
        prop_assert_eq!(cache.traffic(), [plain.traffic]);
        prop_assert_eq!(gone, plain.traffic.write_backs);
    }

    /// After unknown lines have left, an LRU cache knows which lines that leave were written before.
    #[test]
    fn unknown_lines(trace in trace(), sets in 1_u64..4, ways in 1_u64..4, ends in (0_usize..200, 0_usize..200)) {
        let design = Design::new(geometry(sets * ways, ways, false), Replacement::Lru);
        let (mut whole, mut part) = (Hierarchy::new(&[design]).unwrap(), Hierarchy::new(&[design]).unwrap());
        part.forget(0);
        let (start, doubted) = (ends.0, ends.0 + ends.1);
        let mut unknown = None;
        for (at, (block, request)) in trace.into_iter().enumerate() {
            let (mut truth, mut told) = (None, None);
            let hit = whole.access(block, request, &mut |_, block, state| truth = Some((block, state)));
            if at < start {
                continue;
            }
            if at == doubted {
                part.doubt(&|_| true);
                unknown = Some(part.unknown());
            }
            let before = part.unknown();
            let found = part.access(block, request, &mut |_, block, state| told = Some((block, state)));
            if part.unknown() == before {
                prop_assert_eq!(found, hit);
            }
            if unknown == Some(part.unknown()) {
                match told {
                    Some((block, LineState::PerhapsDirty)) => prop_assert!(truth.is_none_or(|(left, _)| left == block)),
                    _ => prop_assert_eq!(told, truth),
                }
            }
        }
    }

    #[test]
    fn one_large_set(trace in trace(), lines in 1_u32..70) {
        let geometry = geometry(u64::from(lines), u64::from(lines), false);
        let mut plain = PlainCache::new(geometry, Replacement::Lru);
        let mut cache = Whole::new(lines);
        for (block, request) in trace {
            prop_assert_eq!(cache.access(block, request, &mut ignore) == 0, plain.access(block, request));
        }
        prop_assert_eq!(cache.traffic(), [plain.traffic]);
    }

    #[test]
    fn ways_need_not_be_a_power_of_two(trace in trace(), ways in 1_u64..12, policy in prop::sample::select(vec![0, 1, 3])) {
        let geometry = geometry(2 * ways, ways, false);
        let mut plain = PlainCache::new(geometry, POLICIES[policy]);
        let mut cache = Hierarchy::new(&[Design::new(geometry, POLICIES[policy])]).unwrap();
        for (block, request) in trace {
            prop_assert_eq!(cache.access(block, request, &mut ignore) == 0, plain.access(block, request));
        }
        prop_assert_eq!(cache.traffic(), [plain.traffic]);
    }

    /// The second level gets the misses of the first as reads, and the blocks that the first writes back.
    #[test]
    fn a_second_level_sees_what_the_first_misses(trace in trace(), policies in (0_usize..4, 0_usize..4)) {
        let (near, far) = (geometry(4, 2, false), geometry(16, 4, false));
        let mut first = PlainCache::new(near, POLICIES[policies.0]);
        let mut second = PlainCache::new(far, POLICIES[policies.1]);
        let designs = [Design::new(near, POLICIES[policies.0]), Design::new(far, POLICIES[policies.1])];
        let mut both = Hierarchy::new(&designs).unwrap();
        let (mut levels, mut expected) = ([0_u64; 3], [0_u64; 3]);
        for (block, request) in trace {
            levels[both.access(block, request, &mut ignore)] += 1;
            // The block that the first level evicts is the one that it no longer holds.
            let set = near.set(block) as usize;
            let before = first.sets[set].clone();
            let hit = first.access(block, request);
            expected[if hit { 0 } else if second.access(block, Request::Read) { 1 } else { 2 }] += 1;
            let gone = before.lines.iter().flatten().find(|line| {
                !first.sets[set].lines.iter().flatten().any(|kept| kept.block == line.block)
            });
            if let Some(line) = gone.filter(|line| line.dirty) {
                let misses = second.traffic;
                second.access(line.block, Request::Write);
                // It was not asked for.
                (second.traffic.accesses, second.traffic.misses) = (misses.accesses, misses.misses);
            }
        }
        prop_assert_eq!(levels, expected);
        prop_assert_eq!(both.traffic(), [first.traffic, second.traffic]);
    }

    #[test]
    fn what_is_included_and_what_is_not(trace in trace(), policies in (0_usize..4, 0_usize..4), exclusive: bool) {
        let inclusion = if exclusive { Inclusion::Exclusive } else { Inclusion::Inclusive };
        let designs = [
            Design::new(geometry(4, 2, false), POLICIES[policies.0]),
            Design { inclusion, ..Design::new(geometry(8, 4, false), POLICIES[policies.1]) },
        ];
        let mut caches = Hierarchy::new(&designs).unwrap();
        let mut written = std::collections::HashSet::new();
        let mut writes = 0;
        for (block, request) in trace {
            caches.access(block, request, &mut ignore);
            writes += u64::from(request == Request::Write && written.insert(block));
            let held = |level: usize| caches.blocks(level).collect::<Vec<_>>();
            let (near, far) = (held(0), held(1));
            for (block, _) in near {
                prop_assert_eq!(far.iter().any(|(other, _)| *other == block), !exclusive);
            }
        }
        // Every block that was written is still there, changed, or has been written to memory.
        let dirty: std::collections::HashSet<u64> =
            (0..2).flat_map(|level| caches.blocks(level).collect::<Vec<_>>()).filter(|(_, state)| *state == LineState::Dirty).map(|(b, _)| b).collect();
        prop_assert!(caches.traffic()[1].write_backs + dirty.len() as u64 >= writes);
        prop_assert!(dirty.is_subset(&written));
    }

    #[test]
    fn writes_go_through(trace in trace(), allocate: bool) {
        let writes = Writes { allocate, back: false };
        let design = Design { writes, ..Design::new(geometry(8, 2, false), Replacement::Lru) };
        let mut cache = Hierarchy::new(&[design]).unwrap();
        let mut reads = PlainCache::new(geometry(8, 2, false), Replacement::Lru);
        for (block, request) in &trace {
            let hit = cache.access(*block, *request, &mut ignore) == 0;
            let held = reads.sets[reads.geometry.set(*block) as usize].lines.iter().flatten().any(|l| l.block == *block);
            prop_assert_eq!(hit, held);
            if allocate || *request == Request::Read || held {
                reads.access(*block, Request::Read);
            }
        }
        let traffic = cache.traffic()[0];
        prop_assert_eq!(traffic.writes_through, trace.iter().filter(|(_, request)| *request == Request::Write).count() as u64);
        prop_assert_eq!((traffic.write_backs, traffic.fills), (0, reads.traffic.fills));
    }

    /// The choices depend on the seed alone; all lines are evicted in time.
    #[test]
    fn random_is_the_same_each_time(trace in trace(), seed: u64) {
        let design = Design::new(geometry(8, 4, false), Replacement::Random(seed));
        let (mut one, mut other) = (Hierarchy::new(&[design]).unwrap(), Hierarchy::new(&[design]).unwrap());
        for (block, request) in trace {
            prop_assert_eq!(one.access(block, request, &mut ignore), other.access(block, request, &mut ignore));
        }
    }
}

#[test]
fn random_lines_are_those_of_all_ways() {
    let mut cache = Hierarchy::new(&[Design::new(geometry(8, 8, false), Replacement::Random(7))]).unwrap();
    (0..8).for_each(|block| _ = cache.access(block, Request::Read, &mut ignore));
    (8..200).for_each(|block| _ = cache.access(block, Request::Read, &mut ignore));
    assert!((0..8).all(|block| cache.blocks(0).all(|(held, _)| held != block)));
}

#[test]
fn the_next_block_is_fetched_too() {
    let design = Design { prefetch: true, ..Design::new(geometry(8, 2, false), Replacement::Lru) };
    let mut cache = Hierarchy::new(&[design]).unwrap();
    let hits: Vec<bool> = (0..6).map(|block| cache.access(block, Request::Read, &mut ignore) == 0).collect();
    assert_eq!(hits, [false, true, false, true, false, true]);
    assert_eq!(cache.traffic(), [Traffic { accesses: 6, misses: 3, fills: 6, ..Traffic::default() }]);
}

#[test]
fn policies_refuse_what_they_cannot_keep() {
    let refused = |ways, replacement| {
        Hierarchy::new(&[Design::new(geometry(ways, ways, false), replacement)]).unwrap_err().to_string()
    };
    assert_eq!(
        refused(12, Replacement::TreePlru),
        "the tree of a PLRU cache needs ways that are a power of two, at most 64, and here they are 12"
    );
    assert_eq!(refused(33, Replacement::Qlru), "QLRU keeps at most 32 ways, and here they are 33");
}
