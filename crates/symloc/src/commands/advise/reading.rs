//! The program of a command line, in a language in which orders of loops can be looked at.

use symloc_llvm::Language;
use symloc_query::CliError;

use super::c::CProgram;
use super::mlir::{MlirProgram, not_read};
use super::written::WrittenProgram;
use crate::input::{Enter, ProgramArgs};

/// Reads a program with every access that may happen.
pub(in crate::commands) fn read_program<'p>(
    program: &'p ProgramArgs,
    enter: Enter,
) -> Result<Box<dyn WrittenProgram + 'p>, CliError> {
    let path = program.path();
    match Language::of(path) {
        Some(Language::C | Language::Cpp) => Ok(Box::new(CProgram::read(program, enter)?)),
        None => Ok(Box::new(MlirProgram::read(program, enter)?)),
        _ => Err(not_read(&path.display().to_string())),
    }
}
