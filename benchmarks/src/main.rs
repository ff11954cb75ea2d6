//! `cargo run --release -p symloc-benchmarks -- derivation`
//!
//! Machines are noisy, so what counts are ratios between columns of one run. Each measurement runs in a process of
//! its own, which also makes time limits possible.

mod accuracy;
mod child;
mod derivation;
mod paper;
mod random;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use symloc_affine::Program;
use symloc_mlir::{Options, Source};

/// Measure symloc
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Derivation times per kernel and phase, beside the paper's own formulation
    Derivation {
        /// MLIR files; all of polybench/ by default
        files: Vec<PathBuf>,
        /// Also time the paper's formulation (section 3.3)
        #[arg(long)]
        paper: bool,
        /// Seconds after which a measurement is given up
        #[arg(long, default_value_t = 120)]
        limit: u64,
    },
    /// Random programs against the trace interpreter, in numbers that do not fit into a test
    Random {
        /// How many programs
        #[arg(long, default_value_t = 2000)]
        count: u64,
        /// The first seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Seconds after which a program is given up
        #[arg(long, default_value_t = 30)]
        limit: u64,
        /// Programs at a time
        #[arg(long, default_value_t = 2)]
        jobs: usize,
    },
    /// Predicted misses beside simulated ones
    Accuracy(accuracy::AccuracyArgs),
    /// One random program
    #[command(hide = true)]
    RandomOne {
        /// The seed
        seed: u64,
    },
    /// One derivation, phases on standard output
    #[command(hide = true)]
    One {
        /// An MLIR file
        file: PathBuf,
    },
    /// One derivation by the paper's formulation
    #[command(hide = true)]
    Paper {
        /// An MLIR file
        file: PathBuf,
    },
}

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Derivation { files, paper, limit } => derivation::run(files, paper, Duration::from_secs(limit)),
        Command::Random { count, seed, limit, jobs } => {
            random::run(seed..seed.saturating_add(count), Duration::from_secs(limit), jobs)
        }
        Command::Accuracy(args) => accuracy::run(&args),
        Command::RandomOne { seed } => random::one(seed),
        Command::One { file } => read(&file).and_then(|program| derivation::one(&program)),
        Command::Paper { file } => read(&file).and_then(|program| {
            let start = Instant::now();
            let classes = paper::classes(&program)?;
            println!("total {} {classes}", start.elapsed().as_secs_f64());
            Ok(())
        }),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn read(file: &PathBuf) -> Result<Program, Failure> {
    let source = Source { name: file.display().to_string(), bytes: std::fs::read(file)? };
    Ok(symloc_mlir::read(&source, &Options::default())?.program)
}
