//! Compares replays with the trace interpreter, which runs every access by itself: the number of distinct blocks, and the levels
//! of every hierarchy that hold them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::HashMap;

use symloc_affine::{AccessId, AccessKind, Layout, Line, Program};
use symloc_cache::{Design, Geometry, Hierarchy, Inclusion, IndexFunction, Replacement, Request, Traffic, Writes};
use symloc_replay::{
    Code, Held, MemoryLayout, MemoryMap, ReplayError, Replaying, Survey, Warping, executions, footprint, replay,
};
use symloc_sim::random::{self, ProgramShape, Rng};
use symloc_sim::{IntervalHistogram, LineAddress, SimError, Trace};

/// Returns small caches of all kinds.
fn designs() -> Vec<Vec<Design>> {
    let cache =
        |lines, ways, replacement| Design::new(Geometry::new(lines, ways, IndexFunction::Modulo).unwrap(), replacement);
    let (small, large) = (cache(8, 2, Replacement::Lru), cache(32, 4, Replacement::TreePlru));
    vec![
        vec![cache(1, 1, Replacement::Lru)],
        vec![cache(6, 2, Replacement::Lru)],
        vec![cache(32, 16, Replacement::Lru)],
        vec![cache(80, 80, Replacement::Lru)],
        vec![cache(8, 4, Replacement::Fifo)],
        vec![cache(16, 8, Replacement::TreePlru)],
        vec![cache(8, 4, Replacement::Qlru)],
        vec![cache(8, 4, Replacement::Random(1))],
        vec![Design { writes: Writes { allocate: false, back: false }, ..small }],
        vec![Design { prefetch: true, ..small }],
        vec![small, large],
        vec![small, Design { inclusion: Inclusion::Inclusive, ..large }, cache(64, 8, Replacement::Qlru)],
        vec![small, Design { inclusion: Inclusion::Exclusive, ..large }],
    ]
}

/// Returns, by cache, the results with warping and without, and the number of blocks.
fn replayed(
    program: &Program,
    sizes: &[i64],
    placement: MemoryLayout,
    line: Line,
) -> Result<([Vec<Held>; 2], u64), ReplayError> {
    let code = Code::new(program, sizes)?;
    let survey = Survey::of(&code)?;
    let accesses: u64 = executions(&code, u64::MAX)?.iter().sum();
    let memory = MemoryMap::new(program, &survey, placement, &[], line)?;
    let held = |warping| {
        let held = designs()
            .into_iter()
            .map(|designs| replay(&code, &memory, &designs, Replaying { warping, ..Replaying::default() }));
        let held = held.collect::<Result<Vec<_>, _>>()?;
        assert!(held.iter().all(|held| held.accesses() == accesses));
        Ok::<_, ReplayError>(held)
    };
    Ok(([held(Warping::On)?, held(Warping::Off)?], footprint(&code, &memory, u64::MAX)?.iter().sum()))
}

/// The levels that held the blocks of each access of the text, the written blocks of each array that each level passed on, and
/// the traffic of each level.
type OracleResult = (Vec<Vec<u64>>, Vec<Vec<u64>>, Vec<Traffic>);

/// Runs the trace on every hierarchy, one access after the other.
fn traced(trace: &Trace<'_>) -> Vec<OracleResult> {
    let accesses = trace.program().accesses.len();
    let found = |designs: &Vec<Design>| {
        let mut hierarchy = Hierarchy::new(designs).unwrap();
        let mut by_access = vec![vec![0; designs.len() + 1]; accesses];
        let mut write_backs = vec![vec![0; designs.len()]; trace.program().arrays.len()];
        let mut arrays = HashMap::new();
        let visit = |access: AccessId, _, line: LineAddress| {
            let asked = trace.program().access(access);
            arrays.insert(line.0, asked.array.index());
            let mut gone = |level: usize, block, _| write_backs[arrays[&block]][level] += 1;
            let request = if asked.kind == AccessKind::Write { Request::Write } else { Request::Read };
            by_access[access.index()][hierarchy.access(line.0, request, &mut gone)] += 1;
        };
        trace.for_each_address(visit).unwrap();
        (by_access, write_backs, hierarchy.traffic())
    };
    designs().iter().map(found).collect()
}

/// Compares all results. Returns, by cache, the fraction of the accesses run without warping that is run with it.
fn compare(program: &Program, sizes: &[i64], placement: MemoryLayout, line: Line) -> Vec<f64> {
    let layout = if placement == MemoryLayout::Linear { Layout::Linear } else { Layout::Rows };
    let place = format!("{placement:?} {line:?} at {sizes:?}\n{program}");
    let trace = Trace::new(program, sizes, layout, line).and_then(|trace| match placement {
        MemoryLayout::Padded => trace.padded(),
        _ => Ok(trace),
    });
    match (trace, replayed(program, sizes, placement, line)) {
        (Ok(trace), Ok((replayed, blocks))) => {
            for held in &replayed {
                for ((held, traced), design) in held.iter().zip(traced(&trace)).zip(designs()) {
                    let held = (&held.by_access, &held.write_backs, &held.traffic);
                    assert_eq!(held, (&traced.0, &traced.1, &traced.2), "{design:?} {place}");
                }
            }
            assert_eq!(blocks, IntervalHistogram::of(&trace).unwrap().blocks, "{place}");
            let [warped, plain] = replayed;
            warped.iter().zip(&plain).map(|(warped, plain)| warped.run as f64 / plain.run as f64).collect()
        }
        (Err(SimError::Layout(_)), Err(ReplayError::Layout(_))) => Vec::new(),
        (trace, replayed) => panic!("{:?} {:?}\n{place}", trace.map(|_| ()), replayed.map(|_| ())),
    }
}

#[test]
fn random_programs_find_the_same() {
    for seed in 0..250 {
        let program = random::program(seed, ProgramShape { symbolic: 3, ..ProgramShape::default() });
        let mut rng = Rng::new(seed);
        for line in [Line::Bytes(64), Line::Bytes(16), Line::Element] {
            let sizes = random::sizes(&mut rng, &program, 12);
            for placement in [MemoryLayout::Rows, MemoryLayout::Padded, MemoryLayout::Linear] {
                compare(&program, &sizes, placement, line);
            }
        }
    }
}

/// Rectangular nests at sizes at which iterations repeat, in every cache in which they can repeat.
#[test]
fn what_repeats_is_found_and_changes_nothing() {
    let mut repeated = vec![0; designs().len()];
    for seed in 0..150 {
        let program = random::program(
            seed,
            ProgramShape { arrays: 1 + seed as usize % 3, imperfect: true, ..ProgramShape::simple() },
        );
        let mut rng = Rng::new(seed);
        let sizes: Vec<_> = program.params.iter().map(|_| rng.range(20, 60)).collect();
        let line = *rng.pick(&[Line::Bytes(64), Line::Bytes(16), Line::Element]);
        let placement = *rng.pick(&[MemoryLayout::Rows, MemoryLayout::Padded, MemoryLayout::Linear]);
        for (count, share) in repeated.iter_mut().zip(compare(&program, &sizes, placement, line)) {
            *count += u32::from(share < 0.5);
        }
    }
    assert!(repeated.iter().all(|count| *count >= 10), "{repeated:?}");
}

/// Arrays at bases where they would lie anyway, or by equally many sets further, give the same results.
#[test]
fn bases_are_addresses() {
    for seed in 0..60 {
        let program = random::program(seed, ProgramShape { symbolic: 3, ..ProgramShape::default() });
        let sizes = random::sizes(&mut Rng::new(seed), &program, 10);
        let code = Code::new(&program, &sizes).unwrap();
        let survey = Survey::of(&code).unwrap();
        let placed = |bases: &[(usize, u64)]| {
            MemoryMap::new(&program, &survey, MemoryLayout::Rows, bases, Line::Bytes(64)).unwrap()
        };
        let memory = placed(&[]);
        let design = Design::new(Geometry::new(32, 2, IndexFunction::Modulo).unwrap(), Replacement::Lru);
        let held = |memory: &MemoryMap| replay(&code, memory, &[design], Replaying::default()).unwrap();
        for sets in [0, 16, 48] {
            let touched = (0..program.arrays.len()).filter(|array| memory.lines_of(*array) > 0);
            let bases: Vec<_> = touched.map(|array| (array, memory.origin_of(array) as u64 + 64 * sets)).collect();
            let moved = held(&placed(&bases));
            assert_eq!(moved.by_access, held(&memory).by_access, "{sets}\n{program}");
        }
    }
}
