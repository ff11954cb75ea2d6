//! Text to a verified module.

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::utility::{register_all_dialects, register_all_passes};
use symloc_frontend::{Diagnostic, Kind};

use crate::ffi::{Message, Messages, collect_messages, parse_module};
use crate::places::{Inserted, Places};
use crate::recover::{self, Keep};
use crate::source::Readable;

/// An MLIR context with every dialect and pass, whose diagnostics are collected and never printed.
pub(crate) struct Session {
    pub(crate) context: Context,
    messages: Messages,
}

impl Session {
    pub(crate) fn new() -> Self {
        let registry = DialectRegistry::new();
        register_all_dialects(&registry);
        register_all_passes();
        let context = Context::new_with_registry(&registry, false);
        // Unknown operations may stand in functions that are not analysed; in the one that is, the walk refuses them.
        context.set_allow_unregistered_dialects(true);
        let messages = collect_messages(&context);
        Self { context, messages }
    }

    /// The messages since the last call.
    pub(crate) fn take_messages(&self) -> Vec<Message> {
        self.messages.take()
    }

    /// The errors since the last call, as diagnostics of this kind.
    pub(crate) fn take_errors(&self, kind: Kind, places: &Places) -> Vec<Diagnostic> {
        let errors = self.take_messages().into_iter().filter(|message| message.is_error);
        errors.map(|message| diagnostic(kind, &message, places)).collect()
    }
}

/// Notes of MLIR that print the IR again or list every dialect.
const VERBOSE_NOTES: &[&str] = &["see current operation", "Available dialects"];

fn diagnostic(kind: Kind, message: &Message, places: &Places) -> Diagnostic {
    let place = |message: &Message| message.position.as_ref().and_then(|p| places.at_position(p));
    let location = place(message);
    let is_useful = |note: &&Message| !VERBOSE_NOTES.iter().any(|start| note.text.starts_with(start));
    let start = Diagnostic::new(kind, location.clone(), message.text.trim_end());
    message.notes.iter().filter(is_useful).fold(start, |diagnostic, note| {
        let elsewhere = place(note).filter(|place| Some(place) != location.as_ref());
        diagnostic.note_at(elsewhere, note.text.trim_end())
    })
}

/// A module and where its text differs from the source.
pub(crate) struct Parsed<'c> {
    pub(crate) module: Module<'c>,
    pub(crate) inserted: Vec<Inserted>,
}

/// Parses a source; what another MLIR version wrote is tried again without the parts that the analysis does not need.
/// The errors are those of the source as it stands.
pub(crate) fn parse<'c>(
    session: &'c Session,
    source: &Readable,
    function: Option<&str>,
) -> Result<Parsed<'c>, Vec<Diagnostic>> {
    if let Some(module) = parse_module(&session.context, source.bytes) {
        session.take_messages();
        return Ok(Parsed { module, inserted: Vec::new() });
    }
    let mut errors = session.take_errors(Kind::Syntax, &Places::new(source, Vec::new()));
    let outline = recover::outline(source.text());
    let has = |wanted: Option<&str>| recover::functions(&outline).any(|name| wanted.is_none_or(|w| w == name));
    let keeps = [has(None).then_some(Keep::AllFunctions), function.filter(|name| has(Some(name))).map(Keep::Function)];
    for keep in keeps.into_iter().flatten() {
        let cleaned = recover::clean(source.text(), &outline, keep);
        let module = parse_module(&session.context, cleaned.text.as_bytes());
        session.take_messages();
        if let Some(module) = module {
            return Ok(Parsed { module, inserted: cleaned.inserted });
        }
    }
    if errors.is_empty() {
        errors.push(Diagnostic::new(Kind::Internal, None, "MLIR refused the source and did not say why"));
    }
    if function.is_none() && recover::functions(&outline).count() > 1 {
        errors = errors.into_iter().map(|e| e.hint("`--function NAME` reads that function alone")).collect();
    }
    Err(errors)
}
