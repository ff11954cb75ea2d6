//! How long queries take: for each model and size the first query and further ones, and how much was enumerated.
//!
//! ```text
//! cargo run --release -p symloc-model --example evaluation -- MODEL…
//! ```
//!
//! All parameters have the same value. The first query evaluates the classes at the size and finds the misses of one cache;
//! further ones are caches of other sizes that have not been asked for yet; then the same ones are asked for again.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use symloc_model::eval::Evaluator;
use symloc_model::{Int, LineChoice, Model, Sizes};

const SIZES: [i64; 4] = [100, 1_000, 10_000, 100_000];
/// Blocks of 64 bytes: 32 KiB, then from 4 KiB to 32 MiB.
const FIRST: i64 = 512;
const FURTHER: [i64; 12] = [64, 128, 256, 700, 1024, 3000, 4096, 8192, 16384, 40000, 131072, 524288];

struct Measurement {
    first: Duration,
    further: Duration,
    again: Duration,
    enumerated: u64,
    parts: (usize, usize),
}

fn median<T: Ord + Copy>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}

fn measure(evaluator: &Evaluator<'_>, sizes: &Sizes) -> Result<Measurement, symloc_model::EvalError> {
    let (mut first, mut further, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let begin = Instant::now();
    let mut last = None;
    // The median of up to 15 fresh evaluations.
    while first.is_empty() || (first.len() < 15 && begin.elapsed() < Duration::from_millis(300)) {
        let start = Instant::now();
        let locality = evaluator.locality(sizes)?;
        black_box(locality.misses(&Int::from(FIRST)));
        first.push(start.elapsed());
        for times in [&mut further, &mut again] {
            let start = Instant::now();
            for blocks in FURTHER {
                black_box(locality.misses(&Int::from(blocks)));
            }
            times.push(start.elapsed() / FURTHER.len() as u32);
        }
        last = Some((locality.enumerated(), locality.parts()));
    }
    let (enumerated, parts) = last.unwrap_or_default();
    Ok(Measurement { first: median(first), further: median(further), again: median(again), enumerated, parts })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:<24}{:>9}{:>12}{:>13}{:>12}{:>14}",
        "model", "n", "first µs", "further ns", "enumerated", "atoms+parts"
    );
    for n in SIZES {
        let mut all = Vec::new();
        for path in &paths {
            let model = Model::load(Path::new(path))?;
            let evaluator = model.evaluator(LineChoice::Only)?;
            let sizes: Sizes = model.parameters.iter().map(|name| (name.clone(), n)).collect();
            let name =
                Path::new(path).file_stem().map_or("-".into(), |stem| stem.to_string_lossy().replace(".loc", ""));
            let m = measure(&evaluator, &sizes)?;
            let (first, further) = (m.first.as_nanos() as f64 / 1e3, m.further.as_nanos());
            let parts = format!("{}+{}", m.parts.0, m.parts.1);
            let again = m.again.as_nanos();
            println!("{name:<24}{n:>9}{first:>12.1}{further:>13}{again:>10}{:>12}{parts:>14}", m.enumerated);
            all.push((m, name));
        }
        let Some(slowest) = all.iter().max_by_key(|(m, _)| m.first) else { return Ok(()) };
        let Some(late) = all.iter().max_by_key(|(m, _)| m.further) else { return Ok(()) };
        println!(
            "n = {n}: first query: median {:?}, worst {:?} ({}); further: median {:?}, worst {:?} ({})\n",
            median(all.iter().map(|(m, _)| m.first).collect()),
            slowest.0.first,
            slowest.1,
            median(all.iter().map(|(m, _)| m.further).collect()),
            late.0.further,
            late.1,
        );
    }
    Ok(())
}
