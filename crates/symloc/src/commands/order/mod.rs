//! `order`: the legal orders of the loops of every nest, by their misses.
//!
//! - `question`: one program, at one size and in some caches,
//! - `serve`: questions in JSON, one after the other.

mod question;
mod serve;

use std::io::Write;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use symloc_query::{CliError, ExitStatus};

use question::OrderQuestion;

/// The options of `order`.
#[derive(Clone, Debug)]
pub(crate) enum OrderArgs {
    /// Those of one question.
    One(Box<OrderQuestion>),
    /// Questions come from standard input.
    Serve,
}

/// The name of the option.
const SERVE: &str = "serve";

impl Args for OrderArgs {
    fn augment_args(command: Command) -> Command {
        let help = "Answer questions from standard input, a JSON object a line, with one JSON object a line each";
        let serve = Arg::new(SERVE).long(SERVE).action(ArgAction::SetTrue).exclusive(true).help(help);
        OrderQuestion::augment_args(command).arg(serve)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OrderArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.get_flag(SERVE) {
            true => Ok(Self::Serve),
            false => Ok(Self::One(Box::new(OrderQuestion::from_arg_matches(matches)?))),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl OrderArgs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self {
            Self::One(question) => question.run(out),
            Self::Serve => serve::serve(std::io::stdin().lock(), out),
        }
    }
}
