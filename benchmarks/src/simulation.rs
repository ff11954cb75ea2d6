//! `simulation`: measures the time to run kernels on caches, and compares samples and the counters of a processor with the
//! result.
//!
//! Arrays are consecutive, with rows unpadded. The caches are those of the processor whose counters are in `hardware-misses.tsv`:
//! 32 KiB in sets of 8, and 1 MiB in sets of 16 behind it, both LRU here.

use std::time::Instant;

use clap::Args;
use symloc_affine::{Layout, Line, Program};
use symloc_cache::{Design, Geometry, IndexFunction, Replacement};
use symloc_query::options::datasets::{Dataset, POLYBENCH};
use symloc_replay::{
    Code, Held, MemoryLayout, MemoryMap, Replaying, Sampling, Survey, Warping, executions, replay, sample,
};
use symloc_sim::{Cache, Trace, simulate};

use crate::{BoxedError, kernels};

/// Misses of PolyBench at SMALL, MEDIUM and LARGE, first and second level, by data set and kernel: counters of an i9-10980XE at -O2.
/// Source: C. Morelli and J. Reineke, "Warping Cache Simulation of Polyhedral Programs" (PLDI 2022), artifact.
const HARDWARE: &str = include_str!("../hardware-misses.tsv");

/// The options of `simulation`.
#[derive(Args)]
pub(crate) struct SimulationArgs {
    /// Kernels of PolyBench; all by default
    kernels: Vec<String>,
    /// Their sizes
    #[arg(long, value_enum, default_value = "medium")]
    dataset: Dataset,
    /// Sizes that many times as large
    #[arg(long, default_value_t = 1)]
    scale: i64,
    /// Also without warping
    #[arg(long)]
    plain: bool,
    /// Also by the trace interpreter, on the first level
    #[arg(long)]
    interpreter: bool,
    /// Also from samples, with so many seeds
    #[arg(long, default_value_t = 0)]
    seeds: u64,
    /// Samples only
    #[arg(long)]
    no_simulation: bool,
}

/// Returns the hierarchies of caches, with their names here.
fn hierarchies() -> Result<[(&'static str, Vec<Design>); 3], BoxedError> {
    let cache = |lines, ways, replacement| {
        Ok::<_, BoxedError>(Design::new(Geometry::new(lines, ways, IndexFunction::Modulo)?, replacement))
    };
    let first = cache(512, 8, Replacement::Lru)?;
    Ok([
        ("32 KiB LRU", vec![first]),
        ("32 KiB PLRU", vec![cache(512, 8, Replacement::TreePlru)?]),
        ("two levels", vec![first, cache(16384, 16, Replacement::Lru)?]),
    ])
}

pub(crate) fn run(args: &SimulationArgs) -> Result<(), BoxedError> {
    let all: Vec<String> = POLYBENCH.kernels().map(str::to_owned).collect();
    for kernel in if args.kernels.is_empty() { &all } else { &args.kernels } {
        let program = kernels::read(&kernels::polybench(kernel))?;
        let named = POLYBENCH.sizes(kernel, args.dataset).ok_or("no such kernel")?;
        let sizes: Vec<_> = kernels::sizes(&program, &named)?.into_iter().map(|size| size * args.scale).collect();
        SimulatedKernel { kernel, program: &program, sizes: &sizes }.measure(args)?;
    }
    Ok(())
}

struct SimulatedKernel<'s> {
    kernel: &'s str,
    program: &'s Program,
    sizes: &'s [i64],
}

impl SimulatedKernel<'_> {
    fn measure(&self, args: &SimulationArgs) -> Result<(), BoxedError> {
        let code = Code::new(self.program, self.sizes)?;
        let memory = MemoryMap::new(self.program, &Survey::of(&code)?, MemoryLayout::Packed, &[], Line::Bytes(64))?;
        let executions: Vec<f64> = executions(&code, u64::MAX)?.into_iter().map(|count| count as f64).collect();
        let accesses: f64 = executions.iter().sum();
        println!("{}: {accesses:.3e} accesses", self.kernel);
        for (name, designs) in hierarchies()? {
            let mut exact = None;
            if !args.no_simulation {
                let (held, warped) = timed(|| Ok(replay(&code, &memory, &designs, Replaying::default())?))?;
                println!("  {name}: {} misses in {warped:.3} s{}", misses(&held), self.beside_hardware(&held, args));
                if args.plain {
                    let plain = Replaying { warping: Warping::Off, ..Replaying::default() };
                    let (same, plain) = timed(|| Ok(replay(&code, &memory, &designs, plain)?))?;
                    let agree = (&same.by_access, &same.traffic) == (&held.by_access, &held.traffic);
                    println!("    without warping {plain:.3} s, {:.2} times as long, equal: {agree}", plain / warped);
                }
                if args.interpreter && designs.len() == 1 && name.ends_with(" LRU") {
                    let trace = Trace::new(self.program, self.sizes, Layout::Rows, Line::Bytes(64))?;
                    let (_, interpreted) = timed(|| Ok(simulate(&trace, &[Cache::new(32 << 10, 8, 64)?])?))?;
                    println!("    trace interpreter {interpreted:.3} s, {:.1} times as long", interpreted / warped);
                }
                exact = Some(held);
            }
            for seed in 0..args.seeds {
                let sampling = Sampling { seed, ..Sampling::default() };
                let (estimate, seconds) = timed(|| Ok(sample(&code, &memory, &designs, &executions, &[], sampling)?))?;
                for (level, rates) in estimate.levels.iter().enumerate() {
                    let share = rates.misses;
                    let (low, high) = share.interval;
                    let truth = exact.as_ref().map(|held| held.misses(level) as f64 / accesses);
                    let holds =
                        truth.map_or("", |truth| if low <= truth && truth <= high { ", holds" } else { ", FAILS" });
                    let half = 100.0 * (high - low) / 2.0;
                    println!(
                        "    sampled, level {}: {:.3} % ± {half:.3} %{holds}, {seconds:.3} s",
                        level + 1,
                        100.0 * share.value
                    );
                }
            }
        }
        Ok(())
    }

    /// Returns the simulated misses of two levels as fractions of those that the processor counted.
    fn beside_hardware(&self, held: &Held, args: &SimulationArgs) -> String {
        let dataset = format!("{:?}", args.dataset).to_lowercase();
        let row = HARDWARE.lines().find(|row| row.split('\t').take(2).eq([dataset.as_str(), self.kernel]));
        let (Some(row), 1) = (row, args.scale) else { return String::new() };
        let counted = row.split('\t').skip(2).filter_map(|count| count.parse::<f64>().ok());
        let ratios = counted.take(held.traffic.len()).enumerate().map(|(level, counted)| {
            format!(
                ", {:.3} of the processor's {}",
                held.misses(level) as f64 / counted,
                ["first", "second"][level.min(1)]
            )
        });
        ratios.collect()
    }
}

fn misses(held: &Held) -> String {
    let levels = (0..held.traffic.len()).map(|level| held.misses(level).to_string());
    levels.collect::<Vec<_>>().join(" and ")
}

fn timed<T>(work: impl FnOnce() -> Result<T, BoxedError>) -> Result<(T, f64), BoxedError> {
    let start = Instant::now();
    let result = work()?;
    Ok((result, start.elapsed().as_secs_f64()))
}
