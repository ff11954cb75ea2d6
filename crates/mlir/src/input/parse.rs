//! Parsing of text to a verified module.

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::utility::{register_all_dialects, register_all_passes};
use symloc_affine::{AssumptionKind, Location};
use symloc_frontend::{Diagnostic, Kind, Note};

use super::places::Places;
use super::select::{self, Candidate, Wanted};
use super::source::Readable;
use crate::ffi::{Message, Messages, collect_messages, parse_module};
use crate::upgrade::{Edited, Item, Outline, upgrade};

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
        // Unknown operations are allowed in functions that are not analysed; the walk refuses them in the one that is.
        context.set_allow_unregistered_dialects(true);
        let messages = collect_messages(&context);
        Self { context, messages }
    }

    /// Takes the messages since the last call.
    pub(crate) fn take_messages(&self) -> Vec<Message> {
        self.messages.take()
    }

    /// Takes the errors since the last call, as diagnostics of this kind.
    pub(crate) fn take_errors(&self, kind: Kind, places: &Places) -> Vec<Diagnostic> {
        let errors = self.take_messages().into_iter().filter(|message| message.is_error);
        errors.map(|message| diagnostic(kind, &message, places)).collect()
    }
}

/// Notes of MLIR that print the IR again or list every dialect.
const VERBOSE_NOTES: &[&str] = &["see current operation", "Available dialects"];

/// Returns the hint for operations of dialects that are not MLIR's own.
fn unknown_operation(message: &str) -> String {
    let lower = "lower it with the tool that it comes from, or have that print the generic form \
                 (`--mlir-print-op-generic`), which needs no dialect";
    match message.rsplit('\'').nth(1).filter(|name| name.contains('.')) {
        Some(name) => format!("{lower}; if it touches none of the arrays, leave it out with --ignore-calls {name}"),
        None => lower.to_owned(),
    }
}

fn diagnostic(kind: Kind, message: &Message, places: &Places) -> Diagnostic {
    let place = |message: &Message| message.position.as_ref().and_then(|p| places.at_position(p));
    let location = place(message);
    let is_useful = |note: &&Message| !VERBOSE_NOTES.iter().any(|start| note.text.starts_with(start));
    let mut start = Diagnostic::new(kind, location.clone(), message.text.trim_end());
    if message.text.contains("for custom op") || message.text.contains("is unknown (tried") {
        start = start.hint(unknown_operation(&message.text));
    }
    message.notes.iter().filter(is_useful).fold(start, |diagnostic, note| {
        let elsewhere = place(note).filter(|place| Some(place) != location.as_ref());
        diagnostic.note_at(elsewhere, note.text.trim_end())
    })
}

/// A module, and the text that it was rewritten to, if MLIR refused the original.
pub(crate) struct Parsed<'c> {
    pub(crate) module: Module<'c>,
    pub(crate) rewritten: Option<Rewritten>,
}

/// The part of a source that one function needs, in the syntax of this MLIR.
pub(crate) struct Rewritten {
    pub(crate) edited: Edited,
    /// The function to analyse.
    pub(crate) chosen: Wanted,
    /// Notes about the parts that were left out.
    pub(crate) notes: Vec<Note>,
    /// The functions and variables that it does not need, with their places.
    pub(crate) lost: Vec<(String, Option<Location>)>,
}

/// Parses a source. If MLIR refuses it, only the part that the function needs is parsed, in the syntax of this MLIR;
/// errors are then those of that text.
pub(crate) fn parse<'c>(
    session: &'c Session,
    source: &Readable,
    wanted: Option<&Wanted>,
    ignored: &[String],
) -> Result<Parsed<'c>, Vec<Diagnostic>> {
    if let Some(module) = parse_module(&session.context, source.bytes) {
        session.take_messages();
        return Ok(Parsed { module, rewritten: None });
    }
    let mut errors = session.take_errors(Kind::Syntax, &Places::new(source, None));
    let rewritten = rewritten(source, wanted, ignored)?;
    if rewritten.is_none()
        && let Some(first) = errors.first_mut()
        && let Some(hint) = other_input(source)
    {
        first.hint = Some(hint);
    }
    if let Some(rewritten) = rewritten {
        let module = parse_module(&session.context, rewritten.edited.text.as_bytes());
        let left = session.take_errors(Kind::Syntax, &Places::new(source, Some(&rewritten.edited)));
        match module {
            Some(module) => return Ok(Parsed { module, rewritten: Some(rewritten) }),
            None if !left.is_empty() => errors = left,
            None => {}
        }
    }
    if errors.is_empty() {
        errors.push(Diagnostic::new(Kind::Internal, None, "MLIR refused the source and did not say why"));
    }
    Err(errors)
}

/// Returns the hint for a text without functions of MLIR that is likely to be something else; `None` if its name says MLIR.
fn other_input(source: &Readable) -> Option<String> {
    let ending = std::path::Path::new(source.name).extension().and_then(|ending| ending.to_str());
    Some(match ending {
        Some("mlir" | "mlirbc") => return None,
        Some("rs") => "Rust is read as LLVM IR: `rustc --emit=llvm-ir -C opt-level=1 -C no-prepopulate-passes FILE.rs`".to_owned(),
        _ if source.text().trim_start().starts_with("{\"") => {
            format!("this may be a model: `symloc query {}` asks it", source.name)
        }
        _ => "this was read as MLIR; a file in another language is known by the end of its name, such as .c, .cpp, .f90 or .ll".to_owned(),
    })
}

/// Returns the part of the source that the function needs; `None` if the text has no functions.
fn rewritten(
    source: &Readable,
    wanted: Option<&Wanted>,
    ignored: &[String],
) -> Result<Option<Rewritten>, Vec<Diagnostic>> {
    let outline = Outline::new(source.text());
    let location = |line, column| {
        let at = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Some(Location::new(source.name, at(line), at(column)))
    };
    let candidate = |item| {
        let (line, column) = outline.position(item);
        Candidate { name: item.name.clone(), location: location(line, column), is: item }
    };
    let defined: Vec<Candidate<&Item>> = outline.defined().map(candidate).collect();
    let declared: Vec<Candidate<&Item>> = outline.declared().map(candidate).collect();
    if defined.is_empty() && declared.is_empty() {
        return Ok(None);
    }
    let root = select::choose(&defined, &declared, wanted).map_err(|error| vec![error])?;
    let chosen = Wanted { name: root.name.clone(), line: root.location.as_ref().map(|location| location.line) };
    let (edited, omissions) = upgrade(&outline, root.is, ignored);
    let note = |(line, column, text)| Note::assuming(AssumptionKind::LeftOutText, location(line, column), text);
    let lost = outline.unneeded(root.is).map(|item| {
        let (line, column) = outline.position(item);
        (item.name.clone(), location(line, column))
    });
    let lost = lost.collect();
    Ok(Some(Rewritten { edited, chosen, notes: omissions.into_iter().map(note).collect(), lost }))
}
