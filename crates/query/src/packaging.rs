//! The files that a package contains besides the program: completions and a man page, both made from its options.
//!
//! Each program has a single page, with a section for each command. Separate pages for `symloc query` and for the program
//! `symloc-query` would have the same name.

use std::io::{self, Write};

use clap::{Args, Command, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::commands::examples;
use crate::error::{CliError, ExitStatus};

/// A command about the program itself.
#[derive(Clone, Debug, Subcommand)]
pub enum PackagingCommand {
    /// Print a script that completes commands and options in a shell
    #[command(after_help = examples(&["completions bash > completions.bash"]))]
    Completions(CompletionArgs),
    /// Print the manual page
    #[command(after_help = examples(&["man > manual.1"]))]
    Man,
}

/// The options of `completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionArgs {
    /// The shell that will read it
    shell: Shell,
}

impl PackagingCommand {
    /// Writes the script or the page of a program to `out`.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn run(&self, mut program: Command, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            PackagingCommand::Completions(CompletionArgs { shell }) => {
                // The generator does not handle a reader that closes the stream.
                let mut script = Vec::new();
                let name = program.get_name().to_owned();
                clap_complete::generate(*shell, &mut program, name, &mut script);
                out.write_all(&script)?;
            }
            PackagingCommand::Man => page(program, out)?,
        }
        Ok(ExitStatus::Success)
    }
}

/// Writes one page with all commands.
fn page(mut program: Command, out: &mut dyn Write) -> io::Result<()> {
    // Without this, the commands do not know the name of their program.
    program.build();
    let commands: Vec<_> = program.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect();
    let page = Man::new(program);
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    commands.into_iter().try_for_each(|command| section(command, out))?;
    page.render_version_section(out)
}

/// Writes the section of a command, with the sections of its own page as subsections.
fn section(command: Command, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, ".SH {}", command.get_name().to_uppercase())?;
    let examples = command.get_after_help().is_some();
    let man = Man::new(command);
    let mut text = Vec::new();
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if examples {
        man.render_extra_section(&mut text)?;
    }
    let text = String::from_utf8_lossy(&text);
    text.lines().try_for_each(|line| match line.strip_prefix(".SH ") {
        Some(part) => writeln!(out, ".SS {part}"),
        None => writeln!(out, "{line}"),
    })
}
