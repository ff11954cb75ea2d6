//! Sources in C and C++ that are compiled and run.

use std::path::Path;
use std::process::Command;

use symloc_affine::Program;

use super::driver::{Driver, DriverText};
use super::reading::source::SourceFunction;
use crate::error::AdviseError;
use crate::results::ResultComparison;
use crate::run::{Measured, RunResults, compile, measure_in_turns, unwritten};

/// The compiler and the function.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'r> {
    /// The compiler.
    pub compiler: &'r str,
    /// Its flags.
    pub flags: &'r [String],
    /// The folder of the source, for what it includes.
    pub folder: &'r Path,
    /// True for C++.
    pub is_cpp: bool,
    /// The function.
    pub source: &'r SourceFunction,
    /// The program.
    pub program: &'r Program,
    /// The sizes, in the order of the program's parameters.
    pub sizes: &'r [i64],
    /// The comparison of results.
    pub comparison: ResultComparison,
}

impl Runner<'_> {
    /// Runs sources, the one as written first.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Run`] if a program cannot be built or run.
    pub fn measure(&self, sources: &[String]) -> Result<Vec<Measured>, AdviseError> {
        let folder = tempfile::tempdir().map_err(|error| unwritten(&error))?;
        let driver = Driver { source: self.source, program: self.program, sizes: self.sizes, is_cpp: self.is_cpp };
        let DriverText { text: driver, results: kinds } = driver.text()?;
        let ending = if self.is_cpp { "cpp" } else { "c" };
        let programs = sources.iter().enumerate().map(|(index, source)| {
            let file = folder.path().join(format!("order{index}.{ending}"));
            std::fs::write(&file, format!("{source}\n{driver}")).map_err(|error| unwritten(&error))?;
            let program = folder.path().join(format!("order{index}"));
            let mut command = Command::new(self.compiler);
            command.args(self.flags).arg("-iquote").arg(self.folder).args(["-w", "-Dmain=symloc_main"]);
            if !self.is_cpp {
                // For the clock, whatever -std says.
                command.arg("-D_GNU_SOURCE");
            }
            compile(command.arg("-o").arg(&program).arg(&file).arg("-lm"))?;
            Ok(program)
        });
        let results = RunResults { kinds, comparison: self.comparison };
        measure_in_turns(&programs.collect::<Result<Vec<_>, AdviseError>>()?, &results)
    }
}
