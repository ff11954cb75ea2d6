//! The states of lines, and the messages between the caches of threads, by hand and on random accesses.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use proptest::prelude::*;
use symloc_cache::MesiState::{Exclusive, Invalid, Modified, Shared};
use symloc_cache::{
    CoherenceTraffic, Design, Geometry, GeometryError, Hierarchy, Inclusion, IndexFunction, LostLine, MesiState,
    Replacement, Request, ThreadCaches, ThreadCachesError, ThreadOutcome, ThreadRequest, Writes,
};

fn cache(lines: u64, ways: u64) -> Design {
    Design::new(Geometry::new(lines, ways, IndexFunction::Modulo).unwrap(), Replacement::Lru)
}

fn request(thread: usize, phase: u64, block: u64, request: Request) -> ThreadRequest {
    ThreadRequest { thread, phase, block, request }
}

/// Returns the states of a block in the caches of all threads.
fn states(caches: &ThreadCaches, threads: usize, block: u64) -> Vec<MesiState> {
    (0..threads).map(|thread| caches.state(thread, block)).collect()
}

#[test]
fn a_line_goes_through_all_states() {
    let mut caches = ThreadCaches::new(2, &[cache(2, 2)], &[cache(8, 8)]).unwrap();
    let steps = [
        (0, Request::Read, [Exclusive, Invalid], (0, 0, 0)),
        (0, Request::Write, [Modified, Invalid], (0, 0, 0)),
        (1, Request::Read, [Shared, Shared], (0, 0, 1)),
        (1, Request::Write, [Invalid, Modified], (1, 1, 1)),
        (0, Request::Write, [Modified, Invalid], (1, 2, 2)),
        (0, Request::Read, [Modified, Invalid], (1, 2, 2)),
        (1, Request::Write, [Invalid, Modified], (1, 3, 3)),
    ];
    for (at, (thread, what, expected, (upgrades, invalidations, transfers))) in steps.into_iter().enumerate() {
        let _ = caches.access(&request(thread, 0, 5, what));
        assert_eq!(states(&caches, 2, 5), expected, "{at}");
        assert_eq!(caches.coherence(), CoherenceTraffic { upgrades, invalidations, transfers }, "{at}");
    }
    // Two other blocks drive the modified line out, and nobody has it.
    for block in [6, 7] {
        let _ = caches.access(&request(1, 0, block, Request::Read));
    }
    assert_eq!(states(&caches, 2, 5), [Invalid, Invalid]);
    let again = caches.access(&request(0, 1, 5, Request::Read));
    assert_eq!(again, ThreadOutcome { own: 0, lost: Some(LostLine::FalseSharing), shared: Some(0) });
    assert_eq!(caches.state(0, 5), Exclusive);
    // The requests of the shared cache: 4 for block 5, and those for 6 and 7; the last of each write is in it.
    let shared = caches.shared_traffic()[0];
    assert_eq!((shared.accesses, shared.misses, shared.write_backs), (7, 3, 0));
}

#[test]
fn phases_tell_true_sharing_from_false_sharing() {
    // Thread 0 reads in phase 1 and in phase `again`; between, thread 1 writes in phase `written`.
    let lost = |written, again| {
        let mut caches = ThreadCaches::new(2, &[cache(2, 2)], &[]).unwrap();
        let _ = caches.access(&request(0, 1, 3, Request::Read));
        let _ = caches.access(&request(1, written, 3, Request::Write));
        caches.access(&request(0, again, 3, Request::Read)).lost
    };
    assert_eq!(lost(1, 1), Some(LostLine::FalseSharing));
    assert_eq!(lost(1, 2), Some(LostLine::FalseSharing));
    assert_eq!(lost(2, 2), Some(LostLine::FalseSharing));
    assert_eq!(lost(2, 3), Some(LostLine::TrueSharing));
    assert_eq!(lost(2, 9), Some(LostLine::TrueSharing));
}

#[test]
fn what_threads_cannot_have_is_refused() {
    let plain = cache(8, 2);
    let refused = |own: &[Design], shared: &[Design]| ThreadCaches::new(2, own, shared).err();
    let prefetch = Design { prefetch: true, ..plain };
    assert_eq!(refused(&[plain, prefetch], &[]), Some(ThreadCachesError::Prefetch { level: 2 }));
    assert_eq!(refused(&[plain], &[prefetch]), None);
    let through = Design { writes: Writes { allocate: true, back: false }, ..plain };
    assert_eq!(refused(&[through], &[plain]), Some(ThreadCachesError::Writes { level: 1 }));
    for inclusion in [Inclusion::Inclusive, Inclusion::Exclusive] {
        let depends = Design { inclusion, ..plain };
        assert_eq!(refused(&[plain], &[depends]), Some(ThreadCachesError::Inclusion { level: 2 }));
        assert_eq!(refused(&[plain, depends], &[]), None);
        assert_eq!(refused(&[], &[plain, depends]), None);
    }
    let tree = Design { replacement: Replacement::TreePlru, ..cache(6, 3) };
    let error = ThreadCachesError::Geometry(GeometryError::Tree { ways: 3 });
    assert_eq!((refused(&[tree], &[]), refused(&[], &[tree])), (Some(error), Some(error)));
}

fn accesses() -> impl Strategy<Value = Vec<(usize, u64, u64, bool)>> {
    prop::collection::vec((0..4_usize, 0..2_u64, 0..12_u64, any::<bool>()), 0..200)
}

/// The definition: all that has been done to blocks, searched from the end.
#[derive(Default)]
struct Log(Vec<ThreadRequest>);

impl Log {
    /// Returns why the line of a thread is invalid; `None` if it is valid.
    fn lost(&self, now: &ThreadRequest) -> Option<LostLine> {
        let of_block = || self.0.iter().filter(|before| before.block == now.block);
        let previous = self.0.iter().rposition(|b| b.block == now.block && b.thread == now.thread)?;
        let foreign = |other: &&ThreadRequest| other.thread != now.thread && other.request == Request::Write;
        let since = self.0[previous..].iter().filter(|before| before.block == now.block).any(|other| foreign(&other));
        let phase = self.0[previous].phase;
        let between = of_block().filter(foreign).any(|other| phase < other.phase && other.phase < now.phase);
        since.then_some(if between { LostLine::TrueSharing } else { LostLine::FalseSharing })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Each thread's own levels are those of the thread alone, and lines are invalid as the definition says.
    #[test]
    fn own_levels_are_those_of_the_thread_alone(accesses in accesses(), exclusive in any::<bool>()) {
        let inclusion = if exclusive { Inclusion::Exclusive } else { Inclusion::Inclusive };
        let own = [cache(2, 1), Design { inclusion, ..cache(4, 2) }];
        let mut caches = ThreadCaches::new(4, &own, &[cache(8, 2)]).unwrap();
        let mut alone: Vec<_> = (0..4).map(|_| Hierarchy::new(&own).unwrap()).collect();
        let (mut log, mut phase) = (Log::default(), 0);
        for (thread, later, block, writes) in accesses {
            phase += later;
            let access = request(thread, phase, block, if writes { Request::Write } else { Request::Read });
            let expected = alone[thread].access(block, access.request, &mut |_, _, _| ());
            let lost = log.lost(&access).filter(|_| expected < 2);
            let before = states(&caches, 4, block);
            let outcome = caches.access(&access);
            prop_assert_eq!((outcome.own, outcome.lost), (expected, lost));
            prop_assert_eq!(outcome.shared.is_none(), expected < 2 && lost.is_none());
            prop_assert_eq!(before[thread] == Invalid, outcome.shared.is_some());
            let after = states(&caches, 4, block);
            prop_assert!(after[thread] != Invalid && (!writes || after[thread] == Modified));
            let alone_with_it = after.iter().filter(|state| **state != Invalid).count() == 1;
            prop_assert!(alone_with_it || after.iter().all(|state| matches!(state, Shared | Invalid)));
            log.0.push(access);
        }
        for (thread, alone) in alone.iter().enumerate() {
            prop_assert_eq!(caches.own_traffic(thread), alone.traffic());
        }
    }

    /// One thread has no messages, and its shared level is a level like any other.
    #[test]
    fn one_thread_is_a_hierarchy(accesses in accesses(), shared in 0..=3_usize) {
        let designs = [cache(2, 1), cache(4, 2), cache(8, 2)];
        let (own, shared) = designs.split_at(shared);
        let mut caches = ThreadCaches::new(1, own, shared).unwrap();
        let mut alone = Hierarchy::new(&designs).unwrap();
        for (_, _, block, writes) in accesses {
            let access = request(0, 0, block, if writes { Request::Write } else { Request::Read });
            let outcome = caches.access(&access);
            let level = outcome.own + outcome.shared.unwrap_or(0);
            prop_assert_eq!(level, alone.access(block, access.request, &mut |_, _, _| ()));
        }
        prop_assert_eq!(caches.coherence(), CoherenceTraffic::default());
        let traffic = [caches.own_traffic(0), caches.shared_traffic()].concat();
        prop_assert_eq!(traffic, alone.traffic());
    }
}
