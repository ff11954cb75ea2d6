//! Random programs: derived, and compared with the trace at several sizes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use symloc_affine::{Layout, Line, Program};
use symloc_isl::Context;
use symloc_model::{Bin, Int, LineChoice, Model, Sizes};
use symloc_sim::random::{self, Rng, Shape};
use symloc_sim::{IntervalHistogram, Trace};

use crate::Failure;
use crate::child::{self, Outcome};

/// How many sizes each program is compared at.
const SIZES: usize = 4;

/// The largest parameter.
const LARGEST: i64 = 14;

/// Derives the program of a seed and compares it; tells its phases.
pub(crate) fn one(seed: u64) -> Result<(), Failure> {
    let program = random::program(seed, Shape::default());
    let line = if seed.is_multiple_of(3) { Line::Element } else { Line::Bytes(64) };
    let isl = Context::new()?;
    let derived = symloc_reuse::derive(&isl, &program, Layout::Rows, &[line], &mut |phase| println!("{phase}"))?;
    let model = derived.into_model(&program, Layout::Rows, symloc_reuse::Origin::default());
    println!("evaluation");
    let mut rng = Rng::new(seed);
    for _ in 0..SIZES {
        let sizes = random::sizes(&mut rng, &program, LARGEST);
        compare(&program, line, &model, &sizes)?;
    }
    Ok(())
}

fn compare(program: &Program, line: Line, model: &Model, sizes: &[i64]) -> Result<(), Failure> {
    let named: Sizes = model.parameters.iter().cloned().zip(sizes.iter().copied()).collect();
    let place = || format!("DIFFERENCE at {sizes:?}, {line:?}:\n{program}");
    let derived = model.at(LineChoice::Only, &named).map_err(|error| format!("{}\n{error}", place()))?;
    let trace = IntervalHistogram::of(&Trace::new(program, sizes, Layout::Rows, line)?)?;
    if derived.real != bins(&trace.real) || derived.imaginary != bins(&trace.imaginary) {
        return Err(format!("{}\nderived {derived:?}\nsimulated {trace:?}", place()).into());
    }
    Ok(())
}

fn bins(histogram: &BTreeMap<u64, u64>) -> Vec<Bin> {
    histogram.iter().map(|(value, count)| Bin { interval: Int::from(*value), count: Int::from(*count) }).collect()
}

#[derive(Default)]
struct Tally {
    agree: u64,
    /// By the phase that they were in.
    limited: BTreeMap<String, Vec<u64>>,
    failed: Vec<u64>,
    slowest: (Duration, u64),
}

/// Compares the programs of many seeds.
pub(crate) fn run(seeds: Range<u64>, limit: u64, jobs: usize) -> Result<(), Failure> {
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
            let outcome = child::run(&["random-one".as_ref(), text.as_ref()], limit).map_err(|e| e.to_string())?;
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            match outcome {
                Outcome::Success(_) => {
                    tally.agree += 1;
                    tally.slowest = tally.slowest.max((start.elapsed(), seed));
                }
                Outcome::Limit(phases) => {
                    let phase = phases.lines().last().unwrap_or_default().to_owned();
                    tally.limited.entry(phase).or_default().push(seed);
                }
                Outcome::Failure(text) => {
                    eprintln!("seed {seed}: {text}");
                    tally.failed.push(seed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|_| Err("a worker panicked".to_owned())))
    })?;
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    let total = seeds.end - seeds.start;
    println!("{total} programs: {} agree, {} differ or fail {:?}", tally.agree, tally.failed.len(), tally.failed);
    let limited: usize = tally.limited.values().map(Vec::len).sum();
    println!("{limited} not done within {limit} s of processor time");
    for (phase, seeds) in &tally.limited {
        println!("  during {phase}: {seeds:?}");
    }
    println!("slowest that agrees: {:.1} s, seed {}", tally.slowest.0.as_secs_f64(), tally.slowest.1);
    if tally.failed.is_empty() { Ok(()) } else { Err("some programs differ or fail".into()) }
}
