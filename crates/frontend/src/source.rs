//! The input of a front end, its result, and the stack for reading.

use symloc_affine::Program;

use crate::diagnostics::{Diagnostic, Errors, Kind, Note, Notes, Text};
use crate::parallel::ParallelMarks;

/// The bytes of an input, and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file as the user named it, or `<stdin>`.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Room for recursion, LLVM's and ours; only the part that is used costs memory.
const STACK_BYTES: usize = 256 << 20;

/// Runs `work` on a thread with a large stack.
///
/// # Errors
///
/// Those of `work`; an internal one if no thread can be started.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send) -> Result<T, Vec<Diagnostic>> {
    let internal = |message: String| vec![Diagnostic::new(Kind::Internal, None, message)];
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("front end".to_owned()).stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|error| internal(format!("no thread to read on: {error}")))?;
        // A panic is a fault of the front end; the caller gets it.
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A program, with the notes about reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The program.
    pub program: Program,
    /// Facts that belong to the result, such as that parallel loops are analysed in sequential order.
    pub notes: Notes,
    /// The loops that the source marks as parallel; in the program they are sequential.
    pub marks: ParallelMarks,
}

impl Reading {
    /// Returns the result of a front end, with the texts that its locations refer to; the first is the user's file.
    ///
    /// # Errors
    ///
    /// Those that it found, with the texts.
    pub fn new(texts: Vec<Text>, found: Result<(Program, Vec<Note>), Vec<Diagnostic>>) -> Result<Self, Errors> {
        match found {
            Ok((mut program, notes)) => {
                let marks = ParallelMarks::taken_from(&mut program);
                Ok(Self { program, notes: Notes::new(texts, notes), marks })
            }
            Err(diagnostics) => Err(Errors::new(texts, diagnostics)),
        }
    }
}
