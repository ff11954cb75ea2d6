//! What is read: text or bytecode, checked before MLIR sees it.

use crate::diagnostics::{Diagnostic, Kind};
use crate::recover;

/// Text or bytecode of MLIR, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file as the user named it, or `<stdin>`.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Source {
    /// The text; none for bytecode and for what is not text either.
    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok().filter(|_| !self.is_bytecode())
    }

    fn is_bytecode(&self) -> bool {
        self.bytes.starts_with(BYTECODE)
    }
}

/// How MLIR's bytecode begins.
const BYTECODE: &[u8] = b"ML\xefR";

/// The deepest nesting of brackets that is given to MLIR, whose parser is recursive.
const DEEPEST: usize = 500;

/// A source that MLIR may be given.
pub(crate) struct Readable<'s> {
    pub(crate) name: &'s str,
    pub(crate) bytes: &'s [u8],
    text: Option<&'s str>,
}

impl<'s> Readable<'s> {
    /// Checks that the source is bytecode, or text that is not nested too deeply.
    pub(crate) fn new(source: &'s Source) -> Result<Self, Diagnostic> {
        let text = source.text();
        if let (None, Err(error)) = (text, std::str::from_utf8(&source.bytes))
            && !source.is_bytecode()
        {
            let message = format!("this is not UTF-8 text, from byte {} on", error.valid_up_to());
            let error = Diagnostic::new(Kind::Syntax, None, message);
            return Err(error.hint("symloc reads MLIR as text or as bytecode"));
        }
        if text.is_some_and(|text| recover::nesting(text) > DEEPEST) {
            let message = format!("limit: brackets are nested more than {DEEPEST} deep");
            return Err(Diagnostic::new(Kind::Syntax, None, message));
        }
        Ok(Self { name: &source.name, bytes: &source.bytes, text })
    }

    /// The text; empty for bytecode.
    pub(crate) fn text(&self) -> &'s str {
        self.text.unwrap_or_default()
    }
}

/// Room for recursion, MLIR's and ours; only what is used of it costs memory.
const STACK_BYTES: usize = 256 << 20;

/// Runs `work` on a thread with a large stack.
pub(crate) fn on_large_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send,
) -> Result<T, Vec<Diagnostic>> {
    let internal = |message: String| vec![Diagnostic::new(Kind::Internal, None, message)];
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("mlir".to_owned()).stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|error| internal(format!("no thread to read on: {error}")))?;
        // A panic is a fault of the front end; it goes on to whoever asked.
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
