//! Replays against the trace interpreter, which takes every access by itself: the same blocks at the same lines, and the same
//! levels of every hierarchy that hold them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use symloc_affine::{Layout, Line, Program};
use symloc_cache::{Design, Geometry, Hierarchy, Inclusion, Index, Replacement, Traffic, Writes};
use symloc_replay::{Code, Held, Memory, Placement, ReplayError, Survey, caches, replay};
use symloc_sim::random::{self, Rng, Shape};
use symloc_sim::{IntervalHistogram, SimError, Trace};

/// Small caches of all kinds.
fn designs() -> Vec<Vec<Design>> {
    let cache = |lines, ways, replacement| Design::new(Geometry::new(lines, ways, Index::Modulo).unwrap(), replacement);
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

/// All caches at once, with what each access of the text found.
fn replayed(
    program: &Program,
    sizes: &[i64],
    placement: Placement,
    line: Line,
) -> Result<Vec<(Held, Vec<Traffic>)>, ReplayError> {
    let code = Code::new(program, sizes)?;
    let survey = Survey::of(&code, u64::MAX)?;
    let memory = Memory::new(program, &survey, placement, line)?;
    let mut runs: Vec<_> = designs().iter().map(|design| caches(design, program.accesses.len()).unwrap()).collect();
    replay(&code, &memory, &mut runs)?;
    assert!(runs.iter().all(|run| run.held().accesses() == survey.accesses));
    Ok(runs.iter().map(|run| (run.held(), run.traffic())).collect())
}

/// The same from the trace, one access after the other.
fn traced(trace: &Trace<'_>) -> Vec<(Held, Vec<Traffic>)> {
    let accesses = trace.program().accesses.len();
    let held = |designs: &Vec<Design>| {
        let mut hierarchy = Hierarchy::new(designs).unwrap();
        let mut held = Held { by_access: vec![vec![0; designs.len() + 1]; accesses], first_touches: vec![0; accesses] };
        let mut fetched = std::collections::HashSet::new();
        let visit = |access: symloc_affine::AccessId, _, line: symloc_sim::LineAddress| {
            let write = trace.program().access(access).kind == symloc_affine::AccessKind::Write;
            let level = hierarchy.access(line.0, write);
            held.by_access[access.index()][level] += 1;
            held.first_touches[access.index()] += u64::from(level == designs.len() && fetched.insert(line.0));
        };
        trace.for_each_address(visit).unwrap();
        (held, hierarchy.traffic())
    };
    designs().iter().map(held).collect()
}

fn compare(program: &Program, sizes: &[i64], placement: Placement, line: Line) {
    let layout = if placement == Placement::Linear { Layout::Linear } else { Layout::Rows };
    let place = format!("{placement:?} {line:?} at {sizes:?}\n{program}");
    let trace = Trace::new(program, sizes, layout, line).and_then(|trace| match placement {
        Placement::Padded => trace.padded(),
        _ => Ok(trace),
    });
    match (trace, replayed(program, sizes, placement, line)) {
        (Ok(trace), Ok(replayed)) => {
            for ((replayed, traced), design) in replayed.iter().zip(traced(&trace)).zip(designs()) {
                assert_eq!(*replayed, traced, "{design:?} {place}");
            }
            let blocks = IntervalHistogram::of(&trace).unwrap().blocks;
            assert_eq!(replayed[0].0.blocks(), blocks, "{place}");
        }
        (Err(SimError::Layout(_)), Err(ReplayError::Layout(_))) => {}
        (trace, replayed) => panic!("{:?} {:?}\n{place}", trace.map(|_| ()), replayed.map(|_| ())),
    }
}

#[test]
fn random_programs_find_the_same() {
    for seed in 0..150 {
        let program = random::program(seed, Shape { symbolic: 3, ..Shape::default() });
        let mut rng = Rng::new(seed);
        for line in [Line::Bytes(64), Line::Bytes(16), Line::Element] {
            let sizes = random::sizes(&mut rng, &program, 12);
            for placement in [Placement::Rows, Placement::Padded, Placement::Linear] {
                compare(&program, &sizes, placement, line);
            }
        }
    }
}
