//! The input: text or bytecode, checked before MLIR parses it.

use symloc_frontend::{Diagnostic, Kind, Source};

use crate::upgrade;

/// Returns the text; `None` for bytecode, and for bytes that are not UTF-8.
pub(crate) fn text(source: &Source) -> Option<&str> {
    std::str::from_utf8(&source.bytes).ok().filter(|_| !is_bytecode(source))
}

pub(crate) fn is_bytecode(source: &Source) -> bool {
    source.bytes.starts_with(BYTECODE)
}

/// The first bytes of MLIR's bytecode.
const BYTECODE: &[u8] = b"ML\xefR";

/// The deepest nesting of brackets that is passed to MLIR, whose parser is recursive.
const DEEPEST: usize = 500;

/// A source that may be passed to MLIR.
pub(crate) struct Readable<'s> {
    pub(crate) name: &'s str,
    pub(crate) bytes: &'s [u8],
    text: Option<&'s str>,
}

impl<'s> Readable<'s> {
    /// Checks that the source is bytecode, or text that is not nested too deeply.
    pub(crate) fn new(source: &'s Source) -> Result<Self, Diagnostic> {
        let text = text(source);
        if let (None, Err(error)) = (text, std::str::from_utf8(&source.bytes))
            && !is_bytecode(source)
        {
            let message = format!("this is not UTF-8 text, from byte {} on", error.valid_up_to());
            let error = Diagnostic::new(Kind::Syntax, None, message);
            return Err(error.hint("symloc reads MLIR as text or as bytecode"));
        }
        if text.is_some_and(|text| upgrade::nesting(text) > DEEPEST) {
            let message = format!("limit: brackets are nested more than {DEEPEST} deep");
            return Err(Diagnostic::new(Kind::Syntax, None, message));
        }
        Ok(Self { name: &source.name, bytes: &source.bytes, text })
    }

    /// Returns the text; empty for bytecode.
    pub(crate) fn text(&self) -> &'s str {
        self.text.unwrap_or_default()
    }
}
