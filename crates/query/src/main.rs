//! `symloc-query`: answers queries about a locality model, without any of the libraries that derived it.

use std::io::BufWriter;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use symloc_query::commands::{CompareArgs, examples};
use symloc_query::packaging::PackagingCommand;
use symloc_query::{ModelCommand, finish};

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
    #[command(after_help = examples(&[
        "compare before.loc.json after.loc.json -D n=1000 --cache 48KiB",
        "compare before.loc.json after.loc.json -D n=1000 --cache 48KiB --fail-above 5%",
    ]))]
    Compare(CompareArgs),
    #[command(flatten)]
    Packaging(PackagingCommand),
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let result = match command {
        Command::Model(command) => command.run(&mut out),
        Command::Compare(args) => args.run(&mut out),
        Command::Packaging(command) => command.run(Cli::command(), &mut out),
    };
    finish(result, &mut out)
}
