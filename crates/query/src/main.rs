//! `symloc-query`: answers questions about a locality model, without any of the libraries that derived it.

use std::io::BufWriter;
use std::process::ExitCode;

use clap::Parser;
use symloc_query::{ModelCommand, finish};

/// Ask a locality model about misses, reuse intervals and cache sizes
#[derive(Parser)]
#[command(name = "symloc-query", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: ModelCommand,
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let mut out = BufWriter::new(std::io::stdout().lock());
    finish(command.run(&mut out), &mut out)
}
