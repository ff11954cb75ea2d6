//! Derives random programs and compares them with the trace at several sizes.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use symloc_affine::{Layout, Line};
use symloc_evaluate::{Evaluator, Int};
use symloc_model::LineChoice;
use symloc_sim::Trace;
use symloc_sim::random::{self, ProgramShape, Rng};
use symloc_verify::{compare, named};

use crate::child::{self, ChildEnd};
use crate::{BoxedError, model};

/// The number of sizes at which each program is compared.
const SIZES: usize = 4;

/// The largest parameter.
const LARGEST: i64 = 14;

/// The last line of [`one`] if a model does not know all distances.
const ESTIMATED: &str = "estimated";

/// Returns the shape of the programs: with distances, a depth of at most 3.
fn shape(exact: bool) -> ProgramShape {
    if exact { ProgramShape { depth: 3, ..ProgramShape::default() } } else { ProgramShape::default() }
}

/// Derives the program of a seed and compares it; prints its phases.
pub(crate) fn one(seed: u64, exact: bool) -> Result<(), BoxedError> {
    let program = random::program(seed, shape(exact));
    let line = if seed.is_multiple_of(3) { Line::Element } else { Line::Bytes(64) };
    let model = model::derive(&program, line, exact, &|phase| println!("{phase}"))?;
    println!("evaluation");
    let evaluator = Evaluator::new(&model, LineChoice::Only)?;
    let mut rng = Rng::new(seed);
    let mut estimated = Int::ZERO;
    for _ in 0..SIZES {
        let sizes = random::sizes(&mut rng, &program, LARGEST);
        let place = |what: &str| format!("{what} at {sizes:?}, {line:?}:\n{program}");
        let trace = Trace::new(&program, &sizes, Layout::Rows, line)?;
        let found = compare(&evaluator, &trace, &named(&model, &sizes)).map_err(|error| place(&error.to_string()))?;
        if !found.differences.is_empty() {
            return Err(format!("{}\n{}", place("DIFFERENCE"), found.differences.join("\n")).into());
        }
        estimated += &found.distances.map_or(Int::ZERO, |distances| distances.estimated);
    }
    if !estimated.is_zero() {
        println!("{ESTIMATED}");
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    agree: u64,
    /// The seeds among these with estimated distances.
    estimated: Vec<u64>,
    /// The seeds that reached the limit, by the phase that they were in.
    limited: BTreeMap<String, Vec<u64>>,
    failed: Vec<u64>,
    slowest: (Duration, u64),
}

/// The number of programs after which the counts are printed while the others run.
const TOLD: u64 = 100;

impl Tally {
    fn add(&mut self, seed: u64, outcome: ChildEnd, took: Duration) {
        match outcome {
            ChildEnd::Success(phases) => {
                self.agree += 1;
                self.estimated.extend((phases.lines().last() == Some(ESTIMATED)).then_some(seed));
                self.slowest = self.slowest.max((took, seed));
            }
            ChildEnd::Limit(phases) => {
                let phase = phases.lines().last().unwrap_or_default().to_owned();
                self.limited.entry(phase).or_default().push(seed);
            }
            ChildEnd::Failure(text) => {
                eprintln!("seed {seed}: {text}");
                self.failed.push(seed);
            }
        }
        if self.total().is_multiple_of(TOLD) {
            eprintln!("{}", self.counts());
        }
    }

    fn limits(&self) -> u64 {
        self.limited.values().map(|seeds| seeds.len() as u64).sum()
    }

    fn total(&self) -> u64 {
        self.agree + self.limits() + self.failed.len() as u64
    }

    fn counts(&self) -> String {
        let (total, limits) = (self.total(), self.limits());
        format!("{total} programs: {} agree, {} differ or fail, {limits} not done", self.agree, self.failed.len())
    }
}

/// Compares the programs of many seeds.
pub(crate) fn run(seeds: Range<u64>, exact: bool, limit: u64, jobs: usize) -> Result<(), BoxedError> {
    let next = AtomicU64::new(seeds.start);
    let tally = Mutex::new(Tally::default());
    let work = || -> Result<(), String> {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return Ok(());
            }
            let start = Instant::now();
            let text = seed.to_string();
            let mut args = vec!["random-one".as_ref(), text.as_ref()];
            args.extend(exact.then_some(OsStr::new("--exact")));
            let outcome = child::run(&args, limit).map_err(|e| e.to_string())?;
            tally.lock().unwrap_or_else(PoisonError::into_inner).add(seed, outcome, start.elapsed());
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|_| Err("a worker panicked".to_owned())))
    })?;
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{} within {limit} s of processor time", tally.counts());
    if exact {
        println!("{} of those that agree have estimated distances {:?}", tally.estimated.len(), tally.estimated);
    }
    for (phase, seeds) in &tally.limited {
        println!("not done during {phase}: {seeds:?}");
    }
    println!("slowest that agrees: {:.1} s, seed {}", tally.slowest.0.as_secs_f64(), tally.slowest.1);
    match tally.failed.as_slice() {
        [] => Ok(()),
        failed => Err(format!("these programs differ or fail: {failed:?}").into()),
    }
}
