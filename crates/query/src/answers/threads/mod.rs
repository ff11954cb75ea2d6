//! The misses of a parallel program on several threads: by formulas where there are such, and else by running the program.
//!
//! - [`run`]: one run of the program on threads; [`orders`]: runs in several orders, for caches that all share,
//! - `formulas`: the formulas of the program of one thread,
//! - `size`: the program of a model at one size, on threads,
//! - `every_count`: several numbers of threads at one size, by formulas or by runs; `traffic`: their bytes on the caches of a machine.

use symloc_affine::Program;
use symloc_model::Model;

use crate::answers::program::program;
use crate::error::CliError;
use crate::options::threads::ThreadArgs;

pub(crate) mod every_count;
pub(crate) mod formulas;
pub mod orders;
pub mod run;
pub(crate) mod size;
pub(crate) mod traffic;

/// A question about threads.
pub(crate) struct ThreadNeeds<'n> {
    pub(crate) model: &'n Model,
    pub(crate) args: &'n ThreadArgs,
    /// True if caches are as they are built, or the user asks for that.
    pub(crate) built: bool,
    /// True if the user asks for formulas.
    pub(crate) formulas: bool,
}

impl ThreadNeeds<'_> {
    /// Returns true if the program has to be run, and false if formulas answer.
    ///
    /// # Errors
    ///
    /// A refusal of a model without a parallel loop, or without its program, or if formulas are asked for that there are not.
    pub(crate) fn a_run(&self) -> Result<bool, CliError> {
        let reason = self.reason()?;
        match reason {
            Some(reason) if self.formulas => Err(CliError::with_hint(
                format!("{reason}, so no formulas answer"),
                "leave --model out, and the program is run",
            )),
            reason => Ok(self.built || reason.is_some()),
        }
    }

    /// Returns the reason why no formulas answer.
    fn reason(&self) -> Result<Option<&'static str>, CliError> {
        if self.model.threads.is_none() {
            return match is_parallel(&program(self.model)?) {
                true => Ok(Some("shares of the parallel loops are not intervals between two parameters")),
                false => Err(CliError::with_hint(
                    "the model has no parallel loop that threads could share",
                    "derive it again with --parallel LOOP",
                )),
            };
        }
        Ok(match (self.args.shared_levels, self.args.interleave) {
            (0, None) => None,
            (0, Some(_)) => Some("formulas hold for every order of the threads, and --interleave is about one"),
            _ => Some("the misses of a shared level depend on the order of the threads"),
        })
    }
}

fn is_parallel(program: &Program) -> bool {
    program.iters.iter().any(|iter| iter.parallel.is_some())
}
