//! The time of derivations and questions with threads, beside those without.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use symloc_evaluate::{Evaluator, Int, MissModel, ThreadSum};
use symloc_model::{LineChoice, Model, NamedSizes};

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
    threads: u64,
}

/// Prints a line for each kernel, and the medians.
pub(crate) fn run(args: &ThreadTimesArgs) -> Result<(), BoxedError> {
    let symloc = std::env::current_exe()?.with_file_name("symloc");
    let folder = std::env::temp_dir().join(format!("symloc-thread-times-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    println!("kernel\tsequential_s\tthreads_s\tratio\tfirst_question_ms\tsecond_question_ms");
    let (mut ratios, mut questions) = (Vec::new(), [Vec::new(), Vec::new()]);
    for (kernel, lines) in parallel_loops() {
        let bench = ThreadTimes { symloc: &symloc, folder: &folder, args, kernel };
        let [sequential, threads] = bench.derivations(&lines)?;
        let ratio = threads.as_secs_f64() / sequential.as_secs_f64();
        print!("{kernel}\t{:.3}\t{:.3}\t{ratio:.2}\t", sequential.as_secs_f64(), threads.as_secs_f64());
        match bench.questions()? {
            Some([first, second]) => {
                println!("{first:.1}\t{second:.1}");
                ratios.push(ratio);
                questions[0].push(first);
                questions[1].push(second);
            }
            None => println!("(the program is run)"),
        }
    }
    std::fs::remove_dir_all(&folder)?;
    let [first, second] = questions.each_mut().map(|milliseconds| median(milliseconds));
    println!("median of {}\t\t\t{:.2}\t{first:.1}\t{second:.1}", ratios.len(), median(&mut ratios));
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

    /// Returns the milliseconds of the first question to a loaded model, and of the second, at another size, on one core; `None` if there are
    /// no formulas.
    fn questions(&self) -> Result<Option<[f64; 2]>, BoxedError> {
        let model = Model::parse(&std::fs::read_to_string(self.model())?)?;
        let Some(threads) = &model.threads else { return Ok(None) };
        let of_thread: Vec<_> = threads.names(&model).collect();
        let names = || model.parameters.iter().filter(|name| !of_thread.contains(name)).map(String::as_str);
        let miss_model = if self.args.exact { MissModel::Lru } else { MissModel::Denning };
        let (lines, count) = (Int::from(512), self.args.threads);
        let mut best = [f64::INFINITY; 2];
        for _ in 0..self.args.runs {
            let evaluator = Evaluator::new(&model, LineChoice::Only)?;
            for (best, n) in best.iter_mut().zip([2000, 2008]) {
                let sizes: NamedSizes = names().map(|name| (name, if name == "tsteps" { 500 } else { n })).collect();
                let start = Instant::now();
                let threads = evaluator.threads(miss_model, &sizes, 0..count, count)?;
                ThreadSum::new(&threads, &lines, |prediction| prediction.misses(&lines))?;
                *best = best.min(start.elapsed().as_secs_f64() * 1000.0);
            }
        }
        Ok(Some(best))
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
