//! `symloc`: derives the locality of affine programs, and evaluates it.
//!
//! - `commands`: a module for each command that needs a program; the commands that need only a model are in
//!   [`symloc_query`],
//! - `input`: from a file on the command line to an affine program,
//! - `dense`: the program at one size, with contiguous rows; `trace`: its trace, up to a limit,
//! - `compiled`: the compiled function, called and compared access by access,
//! - `derivation`: from the program to a model, with phases and progress; `refusal`: its errors as those of a command,
//! - `clock`, `phases`, `progress`: times, and the share that is done, `costs`: the accesses that take long, `store`: models that were derived before, `scratch`: temporary folders,
//! - `watchdog`: limits on time and memory,
//! - `advice`: hints for fewer sizes after a limit is reached, and for accesses that take long,
//! - `ops`: the computation of `symloc ops`,
//! - `emit`: the stages of a derivation as text.

mod advice;
mod clock;
mod commands;
mod compiled;
mod costs;
mod dense;
mod derivation;
mod emit;
mod fitting;
mod input;
mod ops;
mod phases;
mod progress;
mod refusal;
mod scratch;
mod store;
mod trace;
mod watchdog;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use symloc_check::CheckArgs;
use symloc_query::packaging::PackagingCommand;
use symloc_query::{CliError, ExitStatus, ModelCommand, finish};

use commands::{
    AdviseArgs, CompareArgs, DeriveArgs, EinsumArgs, OpsArgs, OrderArgs, SimulateArgs, VerifyArgs, annotate_module,
    tools,
};

/// Derive the cache locality of an affine program once, and ask about any size and cache
#[derive(Parser)]
#[command(name = "symloc", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Derive a program's model: its reuse classes as polynomials in the sizes
    #[command(after_help = "Examples:\n  symloc derive polybench/gemm.mlir -o gemm.loc.json\n  \
        symloc derive polybench/matmul.mlir --assume 'n >= 16, n mod 8 = 0' -o matmul.loc.json\n  \
        symloc derive polybench/gemm.mlir --passes 'func.func(affine-loop-fusion)' -o fused.loc.json\n  \
        symloc derive tests/tiles/matmul.c --tile T --element --assume-noalias -o tiles.loc.json\n  \
        symloc derive polybench/c/jacobi-1d.c --assume-noalias --parallel 12 -o jacobi.loc.json")]
    Derive(DeriveArgs),
    /// Derive the model of an einsum, contracted in a good order
    #[command(after_help = "Examples:\n  symloc einsum 'ik,kl,lj->ij' -o chain.loc.json\n  \
        symloc einsum 'ik,kl,lj->ij' --emit-mlir")]
    Einsum(EinsumArgs),
    #[command(flatten)]
    Model(ModelCommand),
    /// Two models or programs side by side, or one before and after passes: where one misses less than the other
    #[command(
        after_help = "Example:\n  symloc compare polybench/lu.mlir --passes 'func.func(affine-loop-fusion)' -D n=1000 --cache 48KiB"
    )]
    Compare(Box<CompareArgs>),
    /// The kernels that symloc.toml names: whether they miss more than they may, or than in another revision
    #[command(after_help = "Examples:\n  symloc check symloc.toml\n  symloc check --only gemm --format markdown\n  \
        symloc check --report sarif=check.sarif --report junit=check.xml\n  symloc check --update")]
    Check(CheckArgs),
    /// The order of loops and the tiles that make a program in C, C++ or MLIR faster at one size
    #[command(
        after_help = "Example:\n  symloc advise polybench/c/gemm.c -D ni=nj=nk=200 --machine this --search-time 5 -o gemm_tiled.c"
    )]
    Advise(Box<AdviseArgs>),
    /// The legal orders of the loops of every nest by their misses, as a compiler asks for them
    #[command(after_help = "Examples:\n  symloc order polybench/c/gemm.c -D ni=nj=nk=64 --cache 4KiB,8\n  \
        symloc order polybench/2mm.mlir --dataset mini --machine this --format json\n  \
        symloc order --serve < /dev/null")]
    Order(Box<OrderArgs>),
    /// Run the program's trace at one size and count reuse intervals, distances or misses
    #[command(
        after_help = "Examples:\n  symloc simulate polybench/matmul.mlir -D n=64 --cache 32KiB,8 --cache 1MiB\n  \
        symloc simulate polybench/gemm.mlir --dataset mini --machine this\n  \
        symloc simulate polybench/matmul.mlir -D n=19 --histogram --distance --json"
    )]
    Simulate(SimulateArgs),
    /// What a program computes: operations, loads, stores and branches, by block, loop, line or kind
    #[command(after_help = "Examples:\n  symloc ops polybench/gemm.mlir\n  \
        symloc ops polybench/gemm.mlir --by block -D ni=nj=nk=1000\n  \
        symloc ops polybench/gemm.mlir --dataset large --svg gemm.svg")]
    Ops(OpsArgs),
    /// Derive, simulate, and compare everything
    #[command(after_help = "Examples:\n  symloc verify polybench/matmul.mlir -D n=16,19,24\n  \
        symloc verify polybench/gemm.mlir -D ni=nj=nk=8..24:+8\n  \
        symloc verify polybench/atax.mlir --dataset mini")]
    Verify(VerifyArgs),
    #[command(flatten)]
    Packaging(PackagingCommand),
}

impl Command {
    fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            Command::Derive(args) => args.run(out),
            Command::Einsum(args) => args.run(out),
            Command::Model(ModelCommand::Annotate(args)) if args.mlir => annotate_module(args, out),
            Command::Model(command) => command.run(out),
            Command::Compare(args) => args.run(out),
            Command::Check(args) => args.run(&tools()?, out),
            Command::Advise(args) => args.run(out),
            Command::Order(args) => args.run(out),
            Command::Simulate(args) => args.run(out),
            Command::Ops(args) => args.run(out),
            Command::Verify(args) => args.run(out),
            Command::Packaging(command) => command.run(Cli::command(), out),
        }
    }
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let mut out = BufWriter::new(std::io::stdout().lock());
    finish(command.run(&mut out), &mut out)
}
