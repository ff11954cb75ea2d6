//! Measures the accesses per second of each measurement: gemm with n = 256 (67 million accesses).
//!
//! `cargo run --release --example throughput`

use std::error::Error;
use std::time::Instant;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Layout, Line, Program};
use symloc_sim::{Cache, DistanceHistogram, IntervalHistogram, SimError, Trace, simulate};

fn gemm() -> Program {
    let mut b = ProgramBuilder::new("gemm");
    let n = b.param("n");
    let [c, a, x] = ["C", "A", "B"].map(|name| b.array(name, 8, 2));
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.for_("k", 0, n, |b, k| {
                b.read(c, [i, j]);
                b.read(a, [i, k]);
                b.read(x, [k, j]);
                b.write(c, [i, j]);
            });
        });
    });
    b.build()
}

fn main() -> Result<(), Box<dyn Error>> {
    let program = gemm();
    let line = Line::Bytes(64);
    let timed = |name: &str, work: &dyn Fn() -> Result<u64, SimError>| {
        let start = Instant::now();
        let accesses = work()?;
        let rate = accesses as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!("{name:10} {rate:8.1} million accesses/s");
        Ok::<(), SimError>(())
    };
    let trace = Trace::new(&program, &[256], Layout::Rows, line)?;
    let accesses = trace.accesses();
    timed("new", &|| Ok(Trace::new(&program, &[256], Layout::Rows, line)?.accesses()))?;
    timed("for_each", &|| {
        let mut last = 0;
        trace.for_each(|_, block| last = block.0)?;
        Ok(accesses + u64::from(last) / (1 << 31))
    })?;
    timed("intervals", &|| Ok(IntervalHistogram::of(&trace)?.accesses))?;
    timed("distances", &|| Ok(DistanceHistogram::of(&trace)?.accesses))?;
    timed("full LRU", &|| Ok(simulate(&trace, &[Cache::fully_associative(512, line)])?[0].accesses))?;
    let eight_ways = Cache::new(32 << 10, 8, 64)?;
    timed("8 ways", &|| Ok(simulate(&trace, &[eight_ways])?[0].accesses))?;
    Ok(())
}
