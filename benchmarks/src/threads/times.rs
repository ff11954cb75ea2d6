//! The time of derivations and questions with threads, beside those without.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::Value;

use crate::BoxedError;

/// The loops of PolyBench's kernels that may run in parallel.
const LOOPS: &str = include_str!("../../../tests/parallel/polybench.tsv");

/// The options of the benchmark.
#[derive(Args)]
pub(crate) struct ThreadTimesArgs {
    /// With reuse distances
    #[arg(long)]
    exact: bool,
    /// Of how many runs the shortest counts
    #[arg(long, default_value_t = 3, value_name = "COUNT")]
    runs: u32,
    /// The number of threads of a question
    #[arg(long, default_value_t = 64, value_name = "COUNT")]
    threads: u32,
}

/// Prints a line for each kernel, and the medians.
pub(crate) fn run(args: &ThreadTimesArgs) -> Result<(), BoxedError> {
    let symloc = std::env::current_exe()?.with_file_name("symloc");
    let folder = std::env::temp_dir().join(format!("symloc-thread-times-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    println!("kernel\tsequential_s\tthreads_s\tratio\tquestion_ms");
    let (mut ratios, mut questions) = (Vec::new(), Vec::new());
    for (kernel, lines) in parallel_loops() {
        let bench = ThreadTimes { symloc: &symloc, folder: &folder, args, kernel };
        let [sequential, threads] = bench.derivations(&lines)?;
        let ratio = threads.as_secs_f64() / sequential.as_secs_f64();
        print!("{kernel}\t{:.3}\t{:.3}\t{ratio:.2}\t", sequential.as_secs_f64(), threads.as_secs_f64());
        match bench.question()? {
            Some(milliseconds) => {
                println!("{milliseconds:.1}");
                ratios.push(ratio);
                questions.push(milliseconds);
            }
            None => println!("(the program is run)"),
        }
    }
    std::fs::remove_dir_all(&folder)?;
    println!("median of {}\t\t\t{:.2}\t{:.1}", ratios.len(), median(&mut ratios), median(&mut questions));
    Ok(())
}

fn parallel_loops() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut kernels = BTreeMap::<_, Vec<_>>::new();
    for row in LOOPS.lines().skip(1) {
        if let [kernel, line, ..] = row.split('\t').collect::<Vec<_>>()[..] {
            kernels.entry(kernel).or_default().push(line);
        }
    }
    kernels
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

struct ThreadTimes<'t> {
    symloc: &'t Path,
    folder: &'t Path,
    args: &'t ThreadTimesArgs,
    kernel: &'t str,
}

impl ThreadTimes<'_> {
    /// Returns the shortest time of a derivation without threads, and of one with them; runs alternate.
    fn derivations(&self, lines: &[&str]) -> Result<[Duration; 2], BoxedError> {
        let source = PathBuf::from(format!("polybench/c/{}.c", self.kernel));
        let mut best = [Duration::MAX; 2];
        for _ in 0..self.args.runs {
            for (with_threads, best) in best.iter_mut().enumerate() {
                let mut derive = Command::new(self.symloc);
                derive.arg("derive").arg(&source).args(["--assume-noalias", "-o"]).arg(self.model());
                derive.args(self.args.exact.then_some("--exact"));
                if with_threads == 1 {
                    lines.iter().for_each(|line| _ = derive.args(["--parallel", line]));
                }
                *best = timed(&mut derive)?.min(*best);
            }
        }
        Ok(best)
    }

    /// Returns the milliseconds that the threads of a question add to one without them; `None` if there are no formulas.
    fn question(&self) -> Result<Option<f64>, BoxedError> {
        let model: Value = serde_json::from_str(&std::fs::read_to_string(self.model())?)?;
        let shares = &model["threads"]["shares"];
        let of_thread = |index: usize| {
            let is = |value: &Value| value.as_u64() == Some(index as u64);
            let of_share = |share: &Value| is(&share["first"]) || is(&share["end"]);
            is(&model["threads"]["thread"]) || shares.as_array().into_iter().flatten().any(of_share)
        };
        if shares.is_null() {
            return Ok(None);
        }
        let names = model["parameters"].as_array().into_iter().flatten().filter_map(Value::as_str).enumerate();
        let sizes = names.filter(|(index, _)| !of_thread(*index)).map(|(_, name)| match name {
            "tsteps" => "tsteps=500".to_owned(),
            name => format!("{name}=2000"),
        });
        let sizes = sizes.collect::<Vec<_>>().join(",");
        let mut best = [Duration::MAX; 2];
        for _ in 0..self.args.runs {
            for (best, threads) in best.iter_mut().zip([None, Some(self.args.threads.to_string())]) {
                let mut query = Command::new(self.symloc);
                query.arg("query").arg(self.model()).args(["-D", &sizes, "--cache", "32KiB", "--json"]);
                threads.iter().for_each(|threads| _ = query.args(["--threads", threads]));
                *best = timed(&mut query)?.min(*best);
            }
        }
        Ok(Some((best[1].as_secs_f64() - best[0].as_secs_f64()) * 1000.0))
    }

    fn model(&self) -> PathBuf {
        self.folder.join(format!("{}.loc.json", self.kernel))
    }
}

fn timed(command: &mut Command) -> Result<Duration, BoxedError> {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(start.elapsed()) } else { Err(format!("{command:?}: {status}").into()) }
}
