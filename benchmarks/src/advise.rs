//! `advise`: times of PolyBench as written, in the orders that `symloc advise` proposes, in Pluto's, by Polly, and by MLIR.
//!
//! Each column comes from `symloc advise --run`, which runs the program as written beside the others, in turns. Arrays are
//! as large as in the dataset; loops over time have a tenth of its steps, and the two kernels whose work grows fastest half
//! its size, so that a run takes seconds.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;
use symloc_query::options::datasets::{Dataset, POLYBENCH};
use symloc_report::formats::text::Columns;

use crate::{BoxedError, kernels};

/// The options of `advise`.
#[derive(Args)]
pub(crate) struct AdviseBenchmarkArgs {
    /// Kernels of PolyBench; all by default
    kernels: Vec<String>,
    /// The sizes of arrays
    #[arg(long, value_enum, default_value = "large")]
    dataset: Dataset,
    /// Seconds for each search
    #[arg(long, default_value_t = 25)]
    search_time: u64,
    /// Run so many orders of all predicted costs as well: how well predictions rank them, and what the fastest of all
    /// reaches
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    spread: usize,
    /// The program; by default the one that was built with this one
    #[arg(long)]
    symloc: Option<PathBuf>,
}

/// Loops over time have this part of the dataset's steps.
const STEPS: i64 = 10;
/// Kernels at half the dataset's size.
const HALVED: [&str; 2] = ["floyd-warshall", "nussinov"];
/// Pluto's default.
const PLUTO: [&str; 2] = ["--order", "scheduler:32"];
/// MLIR's own tiling, which makes tiles for a cache of 512 KiB by default and keeps the order of loops.
const MLIR_TILES: &str = "func.func(affine-loop-tile)";
/// The program as written alone.
const WRITTEN: [&str; 4] = ["--top", "0", "--search-time", "0"];
/// Polly in Clang.
const POLLY: [&str; 5] = ["--", "-O3", "-march=native", "-mllvm", "-polly"];

/// The measurements of one kernel, in seconds; infinite for programs that were stopped.
struct MeasuredKernel {
    written: f64,
    /// The orders that are proposed, the cheapest first.
    orders: Vec<MeasuredOrder>,
    /// The program as written and orders of all costs, run beside each other; empty if that was not asked for.
    spread: Vec<MeasuredOrder>,
    pluto: Option<f64>,
    polly: f64,
    /// Of the program in MLIR, as written and in MLIR's tiles; `None` if these cannot be run.
    mlir: Option<f64>,
    /// The seconds that the answer took, runs included.
    answer: f64,
}

/// A program that was run.
struct MeasuredOrder {
    /// The predicted cycles.
    cycles: f64,
    seconds: f64,
}

/// Prints a row for each kernel, and means.
pub(crate) fn run(args: &AdviseBenchmarkArgs) -> Result<(), BoxedError> {
    let program = match &args.symloc {
        Some(program) => program.clone(),
        None => std::env::current_exe()?.with_file_name("symloc"),
    };
    let mut names: Vec<String> = args.kernels.clone();
    if names.is_empty() {
        names = POLYBENCH.kernels().map(str::to_owned).collect();
    }
    let head = ["kernel", "as written, s", "first", "of five", "of all", "Pluto", "Polly", "MLIR", "rank", "answer, s"];
    let mut table = Columns::new(&head, 1);
    let mut measured = Vec::new();
    for name in &names {
        let kernel = measure(args, &program, name)?;
        table.push(row(name, &kernel));
        measured.push(kernel);
    }
    let mean = |speed: &dyn Fn(&MeasuredKernel) -> Option<f64>| {
        let logarithms: Vec<f64> = measured.iter().filter_map(|kernel| speed(kernel).map(f64::ln)).collect();
        format!("{:.2}", (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp())
    };
    let correlations: Vec<f64> = measured.iter().filter_map(MeasuredKernel::correlation).collect();
    let correlation = correlations.iter().sum::<f64>() / correlations.len().max(1) as f64;
    table.push(vec![
        "geometric mean".to_owned(),
        String::new(),
        mean(&|kernel| Some(kernel.first())),
        mean(&|kernel| Some(kernel.best())),
        mean(&MeasuredKernel::best_of_all),
        mean(&|kernel| kernel.pluto),
        mean(&|kernel| Some(kernel.polly)),
        mean(&|kernel| kernel.mlir),
        format!("{correlation:.2}"),
        String::new(),
    ]);
    table.write(&mut std::io::stdout())?;
    Ok(())
}

fn row(name: &str, kernel: &MeasuredKernel) -> Vec<String> {
    let times = |speed: Option<f64>| speed.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.2}"));
    vec![
        name.to_owned(),
        format!("{:.3}", kernel.written),
        times(Some(kernel.first())),
        times(Some(kernel.best())),
        times(kernel.best_of_all()),
        times(kernel.pluto),
        times(Some(kernel.polly)),
        times(kernel.mlir),
        times(kernel.correlation()),
        format!("{:.0}", kernel.answer),
    ]
}

impl MeasuredKernel {
    /// Returns how many times as fast the order is that is predicted to be best.
    fn first(&self) -> f64 {
        self.orders.first().map_or(1.0, |order| self.written / order.seconds)
    }

    /// Returns how many times as fast the fastest of the proposed orders is, the program as written among them.
    fn best(&self) -> f64 {
        self.orders.iter().map(|order| self.written / order.seconds).fold(1.0, f64::max)
    }

    /// Returns how many times as fast the fastest of all orders is that were run; `None` if no others were.
    fn best_of_all(&self) -> Option<f64> {
        let written = self.spread.first()?.seconds;
        Some(self.spread.iter().map(|order| written / order.seconds).fold(self.best(), f64::max))
    }

    /// Returns Spearman's correlation of predicted cycles and measured times of orders of all costs; `None` of fewer than
    /// three programs.
    fn correlation(&self) -> Option<f64> {
        if self.spread.len() < 3 {
            return None;
        }
        let predicted = ranks(&self.spread.iter().map(|order| order.cycles).collect::<Vec<_>>());
        let times = ranks(&self.spread.iter().map(|order| order.seconds).collect::<Vec<_>>());
        let middle = (self.spread.len() - 1) as f64 / 2.0;
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum::<f64>();
        let spread = (product(&predicted, &predicted) * product(&times, &times)).sqrt();
        (spread > 0.0).then(|| product(&predicted, &times) / spread)
    }
}

/// Values that differ by less than this part count as equal.
const EQUAL: f64 = 0.01;

/// Returns the rank of each value; equal ones share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let is_smaller = |a: f64, b: f64| a < b * (1.0 - EQUAL);
    let rank = |value: &f64| {
        let smaller = values.iter().filter(|other| is_smaller(**other, *value)).count() as f64;
        let larger = values.iter().filter(|other| is_smaller(*value, **other)).count() as f64;
        let equal = values.len() as f64 - smaller - larger;
        smaller + (equal - 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn measure(args: &AdviseBenchmarkArgs, program: &Path, name: &str) -> Result<MeasuredKernel, BoxedError> {
    let sizes = sizes(args, name)?;
    let time = args.search_time.to_string();
    let file = kernels::polybench_c(name);
    let advise = |options: &[&str]| answer(program, &file, &sizes, options);
    let start = std::time::Instant::now();
    let advice = advise(&["--search-time", &time])?;
    let answer = start.elapsed().as_secs_f64();
    let written = seconds(&advice["written"]);
    let spread = match args.spread {
        0 => Vec::new(),
        count => {
            let all = advise(&["--spread", "--top", &count.to_string(), "--search-time", &time])?;
            std::iter::once(measured(&all["written"])).chain(orders(&all)).collect()
        }
    };
    // An order that isl has no code for is none.
    let pluto = advise(&PLUTO).ok().map(|answer| seconds(&answer["written"]) / seconds(&answer["orders"][0]));
    let polly = advise(&[&WRITTEN[..], &POLLY].concat())?;
    let mlir = mlir(program, name, &sizes).ok();
    let orders = orders(&advice);
    Ok(MeasuredKernel { written, orders, spread, pluto, polly: written / seconds(&polly["written"]), mlir, answer })
}

/// Returns how many times as fast a kernel in MLIR is in MLIR's tiles.
fn mlir(program: &Path, name: &str, sizes: &str) -> Result<f64, BoxedError> {
    let file = kernels::polybench(name);
    let written = answer(program, &file, sizes, &WRITTEN)?;
    let tiled = answer(program, &file, sizes, &[&WRITTEN[..], &["--passes", MLIR_TILES]].concat())?;
    Ok(seconds(&written["written"]) / seconds(&tiled["written"]))
}

/// Returns the orders of an answer.
fn orders(answer: &Value) -> Vec<MeasuredOrder> {
    answer["orders"].as_array().into_iter().flatten().map(measured).collect()
}

fn measured(order: &Value) -> MeasuredOrder {
    MeasuredOrder { cycles: order["cycles"].as_f64().unwrap_or(f64::INFINITY), seconds: seconds(order) }
}

/// Returns the time of an order; infinite if it was stopped.
fn seconds(order: &Value) -> f64 {
    order["seconds"].as_f64().unwrap_or(f64::INFINITY)
}

fn sizes(args: &AdviseBenchmarkArgs, name: &str) -> Result<String, BoxedError> {
    let sizes = POLYBENCH.sizes(name, args.dataset).ok_or_else(|| format!("`{name}` is no kernel of PolyBench"))?;
    let of = |(param, size): &(String, i64)| {
        let is_time = ["tsteps", "tmax"].contains(&param.as_str());
        let size = match (is_time, HALVED.contains(&name)) {
            (true, _) => (size / STEPS).max(1),
            (false, true) => size / 2,
            (false, false) => *size,
        };
        format!("{param}={size}")
    };
    Ok(sizes.iter().map(of).collect::<Vec<_>>().join(","))
}

/// Returns what `symloc advise --run` says of a file in JSON; an error if results are not equal.
fn answer(program: &Path, file: &Path, sizes: &str, options: &[&str]) -> Result<Value, BoxedError> {
    let mut command = Command::new(program);
    command.arg("advise").arg(file).args(["-D", sizes, "--machine", "this", "--run"]);
    let output = command.args(["--format", "json"]).args(options).output()?;
    let name = file.display();
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let answer: Value = serde_json::from_slice(&output.stdout)?;
    let orders = answer["orders"].as_array().into_iter().flatten();
    match orders.into_iter().find(|order| order["is_equal"] == false) {
        None => Ok(answer),
        Some(order) => Err(format!("{name}: other results: {order}").into()),
    }
}
