//! `cargo run --release -p symloc-benchmarks -- derivation`
//!
//! Machines are noisy, so only ratios of processor time between columns of one run are significant. Each measurement
//! runs in a separate process, which also makes limits possible.

mod accuracy;
mod advise;
mod cachegrind;
mod child;
mod compilers;
mod derivation;
mod evaluation;
mod field;
mod formulas;
mod from_c;
mod growth;
mod kernels;
mod layouts;
mod model;
mod page;
mod paper;
mod profiles;
mod python;
mod random;
mod sets;
mod simulation;
mod threads;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

/// Measure symloc
#[derive(Parser)]
struct BenchmarkArgs {
    /// Seconds of processor time after which this process ends
    #[arg(long, hide = true)]
    cpu_limit: Option<u64>,
    #[command(subcommand)]
    command: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    /// Derivation times per kernel and phase, beside the paper's own formulation
    Derivation {
        /// MLIR and .einsum files; by default the 30 kernels of PolyBench and the paper's 11 einsums
        files: Vec<PathBuf>,
        /// Also time the paper's formulation (section 3.3), with exact counts or approximate ones or both
        #[arg(
            long,
            value_enum,
            value_name = "COUNTS",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "exact",
            value_delimiter = ','
        )]
        paper: Vec<Formulation>,
        /// Also derive reuse distances
        #[arg(long)]
        exact: bool,
        /// Seconds of processor time after which a measurement is given up
        #[arg(long, default_value_t = 120)]
        limit: u64,
    },
    /// How much longer it takes from C to a model than from MLIR, the compiler included
    FromC {
        /// How many rounds in a row must bring no shorter times before a kernel is done
        #[arg(long, default_value_t = 4, value_name = "ROUNDS")]
        patience: u32,
    },
    /// Derivation times of arrays as they lie in memory, beside those of arrays whose rows start lines
    Layouts {
        /// Also derive reuse distances
        #[arg(long)]
        exact: bool,
    },
    /// Query times per kernel and size, beside the time of a simulation
    Evaluation {
        /// MLIR and .einsum files; PolyBench and 11 contractions by default
        files: Vec<PathBuf>,
        /// Misses of LRU caches, from exact reuse distances
        #[arg(long)]
        exact: bool,
    },
    /// Random programs against the trace interpreter, in numbers that do not fit into a test
    Random {
        /// How many programs
        #[arg(long, default_value_t = 2000)]
        count: u64,
        /// The first seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Derive reuse distances too, and compare them; of programs of depth up to 3
        #[arg(long)]
        exact: bool,
        /// Seconds of processor time after which a program is given up
        #[arg(long, default_value_t = 30)]
        limit: u64,
        /// Programs at a time
        #[arg(long, default_value_t = 2)]
        jobs: usize,
    },
    /// Time and memory as programs grow
    Growth {
        /// Derive reuse distances too
        #[arg(long)]
        exact: bool,
        /// Seconds of processor time after which larger programs of a family are not tried
        #[arg(long, default_value_t = 120)]
        limit: u64,
    },
    /// People's programs: solvers, stencils, flags, skewed and tiled loops, layers; with and without reuse distances
    Field(field::FieldArgs),
    /// Formulas of misses at random sizes and caches, beside the evaluator
    Formulas(formulas::FormulasArgs),
    /// A million questions in arrays from Python, beside the library in Rust
    Python {
        /// An interpreter that finds the module as it is released: `pip install ./python` (that of the tests is slower)
        interpreter: PathBuf,
    },
    /// Times of kernels as written, in the orders of `symloc advise` and of Pluto, and by Polly
    Advise(advise::AdviseBenchmarkArgs),
    /// Misses of the orders of loops and the tiles that LLVM, Polly, MLIR and Pluto choose, beside symloc's
    Compilers(compilers::CompilersArgs),
    /// Predicted misses beside simulated ones
    Accuracy(accuracy::AccuracyArgs),
    /// Histograms of reuse distances beside those of the trace, and hit rates from them
    Profiles(profiles::ProfilesArgs),
    /// Times of simulations, samples of them, and what a processor counted
    Simulation(simulation::SimulationArgs),
    /// Misses of caches that threads share, in random orders, beside the interval for them
    SharedCaches(threads::orders::SharedCachesArgs),
    /// Times of derivations and questions with threads, beside those without; run in the root of the repository
    ThreadTimes(threads::times::ThreadTimesArgs),
    /// Variants of parallel loops ranked by misses, and by the time of two real threads
    FalseSharing(threads::sharing::FalseSharingArgs),
    /// Misses of compiled kernels as valgrind counts them, beside those of a simulation
    Cachegrind(cachegrind::CachegrindArgs),
    /// What misses in sets by default, at sizes around powers of two, beside what valgrind counts for the compiled
    /// programs
    Sets {
        /// Fail if an answer is further away from valgrind's count, in parts of it
        #[arg(long, default_value_t = 0.01, value_name = "RATIO")]
        tolerance: f64,
        /// The compiler
        #[arg(long, default_value = "cc")]
        compiler: String,
    },
    /// One program of a family, time and memory on standard output
    #[command(hide = true)]
    GrowthOne {
        /// The family
        family: growth::Family,
        /// Which of the family
        number: usize,
        /// With reuse distances
        #[arg(long)]
        exact: bool,
    },
    /// One program of `field`; time, memory and size of the model on standard output
    #[command(hide = true)]
    FieldOne {
        /// Its name
        name: String,
        /// With reuse distances
        #[arg(long)]
        exact: bool,
    },
    /// One kernel of `formulas`; the numbers of its row on standard output
    #[command(hide = true)]
    FormulasOne {
        /// An MLIR or .einsum file
        file: PathBuf,
        /// The number of sizes
        sizes: usize,
    },
    /// One random program, phases on standard output
    #[command(hide = true)]
    RandomOne {
        /// The seed
        seed: u64,
        /// With reuse distances
        #[arg(long)]
        exact: bool,
    },
    /// One model of arrays in one layout, its time on standard output
    #[command(hide = true)]
    OneLayout {
        /// A file that a front end reads
        file: PathBuf,
        /// Rows that start lines
        #[arg(long)]
        rows: bool,
        /// With reuse distances
        #[arg(long)]
        exact: bool,
    },
    /// One model, times on standard output
    #[command(hide = true)]
    OneModel {
        /// A file that a front end reads
        file: PathBuf,
    },
    /// One derivation, phases on standard output
    #[command(hide = true)]
    One {
        /// An MLIR or .einsum file
        file: PathBuf,
    },
    /// One derivation with reuse distances
    #[command(hide = true)]
    OneExact {
        /// An MLIR or .einsum file
        file: PathBuf,
    },
    /// One derivation by the paper's formulation
    #[command(hide = true)]
    Paper {
        /// How to count
        formulation: Formulation,
        /// An MLIR or .einsum file
        file: PathBuf,
    },
}

/// The counting of the paper's formulation.
#[derive(Clone, Copy, ValueEnum)]
enum Formulation {
    /// Exactly
    Exact,
    /// With Barvinok's --approximation-method=scale, as the paper's prototype does
    Scale,
}

impl Formulation {
    fn name(self) -> &'static str {
        match self {
            Formulation::Exact => "exact",
            Formulation::Scale => "scale",
        }
    }
}

type BoxedError = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run(BenchmarkArgs::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: BenchmarkArgs) -> Result<(), BoxedError> {
    if let Some(seconds) = cli.cpu_limit {
        child::limit_self(seconds)?;
    }
    match cli.command {
        Benchmark::Derivation { files, paper, exact, limit } => derivation::run(files, &paper, exact, limit),
        Benchmark::FromC { patience } => from_c::run(patience),
        Benchmark::Layouts { exact } => layouts::run(exact),
        Benchmark::OneLayout { file, rows, exact } => layouts::one(&file, rows, exact),
        Benchmark::Evaluation { files, exact } => evaluation::run(files, exact),
        Benchmark::Advise(args) => advise::run(&args),
        Benchmark::Compilers(args) => compilers::run(&args),
        Benchmark::Accuracy(args) => accuracy::run(&args),
        Benchmark::Profiles(args) => profiles::run(&args),
        Benchmark::Simulation(args) => simulation::run(&args),
        Benchmark::SharedCaches(args) => threads::orders::run(&args),
        Benchmark::ThreadTimes(args) => threads::times::run(&args),
        Benchmark::FalseSharing(args) => threads::sharing::run(&args),
        Benchmark::Cachegrind(args) => cachegrind::run(&args),
        Benchmark::Sets { tolerance, compiler } => sets::run(tolerance, &compiler),
        Benchmark::Random { count, seed, exact, limit, jobs } => {
            random::run(seed..seed.saturating_add(count), exact, limit, jobs)
        }
        Benchmark::Growth { exact, limit } => growth::run(exact, limit),
        Benchmark::Field(args) => field::run(&args),
        Benchmark::FieldOne { name, exact } => field::one(&name, exact),
        Benchmark::Formulas(args) => formulas::run(args),
        Benchmark::FormulasOne { file, sizes } => formulas::one(&file, sizes),
        Benchmark::Python { interpreter } => python::run(&interpreter),
        Benchmark::GrowthOne { family, number, exact } => growth::one(family, number, exact),
        Benchmark::RandomOne { seed, exact } => random::one(seed, exact),
        Benchmark::OneModel { file } => from_c::one(&file),
        Benchmark::One { file } => derivation::one(&kernels::read(&file)?, false),
        Benchmark::OneExact { file } => derivation::one(&kernels::read(&file)?, true),
        Benchmark::Paper { formulation, file } => derivation::one_of_paper(&kernels::read(&file)?, formulation),
    }
}
