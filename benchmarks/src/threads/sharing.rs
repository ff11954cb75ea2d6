//! `false-sharing`: variants of two parallel loops, ranked by the misses that threads cause each other, and by the time that two
//! real threads take and lose.
//!
//! The programs of `tests/threads` are compiled without optimisation, so that every access of the source is one. Every round times
//! each variant once on one thread and once on two, and the shortest times count: other programs run beside. What two threads lose
//! is their time over half of that of one thread. The vector is small: in a larger one the prefetcher of a thread takes lines
//! at the end of its chunk from the other thread, which nothing here counts.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;
use symloc_report::formats::text::Columns;

use crate::cachegrind::command;
use crate::{BoxedError, kernels};

/// The options of `false-sharing`.
#[derive(Args)]
pub(crate) struct FalseSharingArgs {
    /// The number of times that each variant is timed
    #[arg(long, default_value_t = 15)]
    rounds: u32,
    /// Fail if the rank correlation of misses and time of a call on two threads is below this
    #[arg(long, value_name = "CORRELATION")]
    least: Option<f64>,
    /// The compiler
    #[arg(long, default_value = "cc")]
    compiler: String,
}

/// A program, with its sizes, its call and its number of accesses.
struct SharingProgram {
    name: &'static str,
    sizes: &'static str,
    driver: &'static str,
    accesses: f64,
}

const UPDATE: SharingProgram = SharingProgram {
    name: "update",
    sizes: "m=10,n=1536,k=10",
    driver: "void update(int, int, int, double *);\nstatic void call(void) { update(10, 1536, 10, memory); }\n",
    accesses: 2.0 * 10.0 * 1536.0 * 10.0,
};

const HISTOGRAM: SharingProgram = SharingProgram {
    name: "histogram",
    sizes: "m=8,n=8192",
    driver: "void histogram(int, int, void *, void *);\n\
             static void call(void) { histogram(8, 8192, memory, memory + 4096); }\n",
    accesses: 6.0 * 8.0 * 8192.0,
};

/// The program, with its macros.
const VARIANTS: [(&SharingProgram, &[&str]); 14] = [
    (&UPDATE, &["CHUNK=1"]),
    (&UPDATE, &["CHUNK=2"]),
    (&UPDATE, &["CHUNK=4"]),
    (&UPDATE, &["CHUNK=8"]),
    (&UPDATE, &["CHUNK=12"]),
    (&UPDATE, &["CHUNK=64"]),
    (&HISTOGRAM, &["BINS=2", "WIDTH=2"]),
    (&HISTOGRAM, &["BINS=2", "WIDTH=8"]),
    (&HISTOGRAM, &["BINS=4", "WIDTH=4"]),
    (&HISTOGRAM, &["BINS=4", "WIDTH=16"]),
    (&HISTOGRAM, &["BINS=6", "WIDTH=6"]),
    (&HISTOGRAM, &["BINS=6", "WIDTH=8"]),
    (&HISTOGRAM, &["BINS=12", "WIDTH=12"]),
    (&HISTOGRAM, &["BINS=12", "WIDTH=16"]),
];

/// Prints the shortest time of some calls, in nanoseconds.
const TIMING: &str = r#"#include <stdio.h>
#include <time.h>
static char memory[1 << 20] __attribute__((aligned(4096)));
CALL
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}
int main(void) {
  double best = 1e18;
  for (int i = 0; i < 30; i++) {
    double start = now();
    call();
    double time = now() - start;
    best = time < best ? time : best;
  }
  printf("%f\n", best);
  return 0;
}
"#;

/// A variant that is compiled, with what is known of it.
struct TimedVariant {
    program: &'static SharingProgram,
    macros: &'static [&'static str],
    binary: PathBuf,
    /// Misses by sharing, for an access.
    misses: f64,
    /// The shortest time of an access on one thread and on two, in nanoseconds.
    times: [f64; 2],
}

impl TimedVariant {
    fn new(index: usize, folder: &Path, compiler: &str) -> Result<Self, BoxedError> {
        let (program, macros) = VARIANTS[index];
        let source = kernels::root().join("tests/threads").join(program.name).with_extension("c");
        let [driver, object, binary] =
            ["driver.c", "object.o", "binary"].map(|name| folder.join(format!("{index}-{name}")));
        std::fs::write(&driver, TIMING.replace("CALL", program.driver))?;
        let defined: Vec<_> = macros.iter().map(|text| format!("-D{text}")).collect();
        command(Command::new(compiler).args(["-O0", "-fopenmp", "-c", "-o"]).args([&object, &source]).args(&defined))?;
        command(Command::new(compiler).args(["-O1", "-fopenmp", "-o"]).args([&binary, &driver, &object]))?;
        let misses = counted(program, &source, &defined)?;
        Ok(Self { program, macros, binary, misses, times: [f64::INFINITY; 2] })
    }

    /// Times the variant on one thread and on two.
    fn time(&mut self) -> Result<(), BoxedError> {
        for (threads, shortest) in ["1", "2"].iter().zip(&mut self.times) {
            let mut run = Command::new(&self.binary);
            let told = command(run.env("OMP_NUM_THREADS", threads).env("OMP_PROC_BIND", "true"))?;
            *shortest = shortest.min(told.trim().parse::<f64>()? / self.program.accesses);
        }
        Ok(())
    }

    /// Returns the time on two threads over half of that on one.
    fn slowdown(&self) -> f64 {
        2.0 * self.times[1] / self.times[0]
    }

    /// Returns the nanoseconds of a call on two threads.
    fn time_of_call(&self) -> f64 {
        self.times[1] * self.program.accesses
    }

    /// Returns the misses by sharing of a call.
    fn misses_of_call(&self) -> f64 {
        self.misses * self.program.accesses
    }
}

pub(crate) fn run(args: &FalseSharingArgs) -> Result<(), BoxedError> {
    let folder = tempfile::tempdir()?;
    let variants = (0..VARIANTS.len()).map(|index| TimedVariant::new(index, folder.path(), &args.compiler));
    let mut variants = variants.collect::<Result<Vec<_>, _>>()?;
    for _ in 0..args.rounds {
        variants.iter_mut().try_for_each(TimedVariant::time)?;
    }
    let mut table = Columns::new(&["program", "variant", "misses/access", "ns, one", "ns, two", "two/half of one"], 2);
    for variant in &variants {
        let numbers = [variant.misses, variant.times[0], variant.times[1], variant.slowdown()];
        let mut row = vec![variant.program.name.to_owned(), variant.macros.join(" ")];
        row.extend(numbers.map(|number| format!("{number:.4}")));
        table.push(row);
    }
    table.write(&mut std::io::stdout())?;
    for program in [&UPDATE, &HISTOGRAM] {
        let of: Vec<_> = variants.iter().filter(|variant| variant.program.name == program.name).collect();
        println!(
            "rank correlation (Spearman) of misses and slowdown, {}: {:.3}",
            program.name,
            correlation(&ranks(&of, [TimedVariant::slowdown, |variant| variant.misses]))
        );
    }
    let all: Vec<_> = variants.iter().collect();
    println!("of all: {:.3}", correlation(&ranks(&all, [TimedVariant::slowdown, |variant| variant.misses])));
    let found = correlation(&ranks(&all, [TimedVariant::time_of_call, TimedVariant::misses_of_call]));
    println!("of misses and time of a call on two threads, of all: {found:.3}");
    match args.least {
        Some(least) if found < least => Err(format!("it should be at least {least}").into()),
        _ => Ok(()),
    }
}

/// Returns the misses by sharing for an access, when the threads interleave access by access.
fn counted(program: &SharingProgram, source: &Path, defined: &[String]) -> Result<f64, BoxedError> {
    let mut symloc = Command::new(std::env::current_exe()?.with_file_name("symloc"));
    symloc.arg("simulate").arg(source).args(["--parallel", "marked", "-D", program.sizes]);
    symloc.args(["--threads", "2", "--interleave", "random:1", "--cache", "32KiB,8", "--json", "--", "-fopenmp"]);
    let text = command(symloc.args(defined))?;
    let answer: Value = serde_json::from_str(&text)?;
    let count = |name: &str| answer["levels"][0][name].as_f64().ok_or_else(|| format!("no {name} in {text}"));
    let accesses = answer["accesses"].as_f64().filter(|accesses| *accesses == program.accesses);
    Ok((count("coherence_misses")? + count("false_sharing_misses")?)
        / accesses.ok_or("other accesses than expected")?)
}

/// Returns the rank of each variant by two numbers; equal ones share the mean of theirs.
fn ranks(variants: &[&TimedVariant], of: [fn(&TimedVariant) -> f64; 2]) -> [Vec<f64>; 2] {
    of.map(|of| {
        let numbers: Vec<f64> = variants.iter().map(|variant| of(variant)).collect();
        let rank = |number: &f64| {
            let below = numbers.iter().filter(|other| *other < number).count() as f64;
            let equal = numbers.iter().filter(|other| *other == number).count() as f64;
            below + (equal + 1.0) / 2.0
        };
        numbers.iter().map(rank).collect()
    })
}

/// Returns the linear correlation.
fn correlation([a, b]: &[Vec<f64>; 2]) -> f64 {
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |of: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(a, b)| of(a - mean_a, b - mean_b)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}
