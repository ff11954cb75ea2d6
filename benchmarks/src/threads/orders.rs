//! `shared-caches`: the interval that `query --shared-levels` gives, beside the misses of further random orders.
//!
//! Each thread has 4 KiB in sets of 8, and all share a cache in sets of 16 behind it.

use clap::Args;
use symloc_affine::{Line, Program, Schedule};
use symloc_evaluate::Int;
use symloc_machine::NamedCache;
use symloc_query::answers::threads::orders::in_several_orders;
use symloc_query::answers::threads::run::{SharedThreading, Simulation, levels};
use symloc_query::options::cache_design::CacheDesign;
use symloc_query::options::datasets::{Dataset, POLYBENCH};
use symloc_replay::{Code, Interleave, MemoryLayout, MemoryMap, Survey, Threading, footprint};
use symloc_report::formats::text::Columns;

use crate::{BoxedError, kernels};

/// Kernels of PolyBench, with loops whose iterations threads can share.
const KERNELS: [(&str, &[&str]); 12] = [
    ("gemm", &["i"]),
    ("2mm", &["i", "i_1"]),
    ("syrk", &["i"]),
    ("syr2k", &["i"]),
    ("gesummv", &["i"]),
    ("mvt", &["i", "i_1"]),
    ("gemver", &["i", "i_1", "i_2", "i_3"]),
    ("jacobi-2d", &["i", "i_1"]),
    ("fdtd-2d", &["i", "i_1", "i_2"]),
    ("heat-3d", &["i", "i_1"]),
    ("trmm", &["j"]),
    ("lu", &["j_1"]),
];

/// The options of `shared-caches`.
#[derive(Args)]
pub(crate) struct SharedCachesArgs {
    /// The sizes of the kernels
    #[arg(long, value_enum, default_value = "small")]
    dataset: Dataset,
    /// The number of threads
    #[arg(long, default_value_t = 4)]
    threads: usize,
    /// The number of random orders
    #[arg(long, default_value_t = 20)]
    orders: u64,
    /// The shared caches
    #[arg(long, default_values = ["16KiB,16", "64KiB,16"])]
    cache: Vec<String>,
}

/// The comparison of one answer with further orders.
struct HeldOrders {
    /// The number of orders within the interval.
    held: u64,
    /// The mean difference from the answer, as a share of the accesses.
    error: f64,
}

pub(crate) fn run(args: &SharedCachesArgs) -> Result<(), BoxedError> {
    let mut table = Columns::new(&["kernel", "cache", "accesses", "misses", "low", "high", "held", "error"], 2);
    let (mut held, mut error, mut cases) = (0, 0.0, 0);
    for (kernel, loops) in KERNELS {
        let mut program = kernels::read(&kernels::polybench(kernel))?;
        share(&mut program, loops)?;
        let named = POLYBENCH.sizes(kernel, args.dataset).ok_or("no such kernel")?;
        let sizes = kernels::sizes(&program, &named)?;
        for cache in &args.cache {
            let (mut row, found) = compared(&program, &sizes, cache, args)?;
            row.insert(0, kernel.to_owned());
            row.extend([format!("{}/{}", found.held, args.orders), format!("{:.3}%", 100.0 * found.error)]);
            table.push(row);
            held += found.held;
            error += found.error;
            cases += 1;
        }
    }
    table.write(&mut std::io::stdout())?;
    let share = held as f64 / (cases * args.orders) as f64;
    println!("{:.1}% held; mean error of the hit rate {:.3} points", 100.0 * share, 100.0 * error / cases as f64);
    Ok(())
}

/// Makes loops parallel.
fn share(program: &mut Program, loops: &[&str]) -> Result<(), BoxedError> {
    for name in loops {
        let iter = program.iters.iter_mut().find(|iter| iter.name == *name);
        iter.ok_or_else(|| format!("no loop is called {name}"))?.parallel = Some(Schedule::Blocks.into());
    }
    Ok(())
}

/// Returns the cells of an answer, and what other orders miss.
fn compared(
    program: &Program,
    sizes: &[i64],
    shared: &str,
    args: &SharedCachesArgs,
) -> Result<(Vec<String>, HeldOrders), BoxedError> {
    let code = Code::new(program, sizes)?;
    let memory = MemoryMap::new(program, &Survey::of(&code)?, MemoryLayout::Packed, &[], Line::Bytes(64))?;
    let cache = |text: &str| -> Result<CacheDesign, BoxedError> {
        Ok(CacheDesign::new(&NamedCache { name: None, cache: text.parse()? }, Some(64))?)
    };
    let caches = [cache("4KiB,8")?, cache(shared)?];
    let designs = caches.iter().map(|cache| cache.design(false)).collect::<Result<Vec<_>, _>>()?;
    let blocks = footprint(&code, &memory, u64::MAX)?.into_iter().sum();
    let simulation = Simulation { code: &code, memory: &memory, caches: &caches, blocks, apart: false };
    let threading = Threading { threads: args.threads, interleave: Interleave::Lockstep, limit: u64::MAX };
    let threads = SharedThreading::new(program, threading, caches.len(), 1)?;
    let answer = in_several_orders(&simulation, &designs, threads)?;
    let last = answer.last().ok_or("no level")?;
    let (low, high) = last.threads.as_ref().and_then(|threads| threads.orders.clone()).ok_or("no interval")?;
    let accesses: u64 = symloc_replay::executions(&code, u64::MAX)?.into_iter().sum();
    let (mut held, mut error) = (0, 0.0);
    // The answer uses small seeds.
    for seed in 1000..1000 + args.orders {
        let other = levels(&simulation, &designs, &threads.in_order(Interleave::Random(seed)))?;
        let misses = other.last().ok_or("no level")?.misses.total();
        held += u64::from(low <= misses && misses <= high);
        error += (misses.to_f64() - last.misses.total().to_f64()).abs() / accesses as f64;
    }
    let cells = [shared.to_owned(), accesses.to_string()].into_iter();
    let counts = [&last.misses.total(), &low, &high].map(Int::to_string);
    Ok((cells.chain(counts).collect(), HeldOrders { held, error: error / args.orders as f64 }))
}
