//! `symloc-query`: answers questions about a locality model, without any of the libraries that derived it.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use symloc_query::commands::{CompareArgs, example};
use symloc_query::{CliError, ExitStatus, ModelCommand, finish};

/// Ask a locality model about misses, reuse intervals and cache sizes
#[derive(Parser)]
#[command(name = "symloc-query", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Model(ModelCommand),
    /// Two models side by side: where one misses less than the other
    #[command(after_help = example("compare before.loc.json after.loc.json -D n=1000 --cache 48KiB"))]
    Compare(CompareArgs),
}

impl Command {
    fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            Command::Model(command) => command.run(out),
            Command::Compare(args) => args.run(out),
        }
    }
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let mut out = BufWriter::new(std::io::stdout().lock());
    finish(command.run(&mut out), &mut out)
}
