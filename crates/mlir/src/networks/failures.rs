//! Errors from the messages of torch-mlir's programs.

use symloc_affine::Location;
use symloc_frontend::{Diagnostic, Kind, Text};

/// The prefix of the importer's messages.
const IMPORTER: &str = "symloc: ";

/// The text before the name of an ONNX operator.
const OPERATOR: &str = "<{name = \"onnx.";

/// Operators that execute parts of a network a number of times that depends on their inputs.
const CONTROL_FLOW: [&str; 4] = ["If", "Loop", "Scan", "SequenceMap"];

/// Replaces the name of standard input by that of the file.
pub(super) fn named(text: &str, name: &str) -> String {
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    let renamed = text.replace("loc(\"<stdin>\":", &format!("loc(\"{quoted}\":"));
    let line = |line: &str| match line.strip_prefix("<stdin>:") {
        Some(rest) => format!("{name}:{rest}\n"),
        None => format!("{line}\n"),
    };
    renamed.lines().map(line).collect()
}

/// Returns the error of a failed import; `Err` names a package that is not installed.
pub(super) fn of_import(messages: &str) -> Result<Diagnostic, String> {
    let said = messages.lines().rev().find_map(|line| line.strip_prefix(IMPORTER)?.split_once(": "));
    match said {
        Some(("missing", why)) => Err(why.to_owned()),
        Some(("format", why)) => {
            let error = Diagnostic::new(Kind::Syntax, None, why);
            Ok(error.hint("a file whose name ends in .onnx is read as ONNX, which is a binary format"))
        }
        Some((_, why)) => Ok(Diagnostic::new(Kind::Unsupported, None, "the network was not imported").note(why)),
        None => {
            let last = messages.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
            Ok(Diagnostic::new(Kind::Unsupported, None, "torch-mlir's importer failed").note(last.trim()))
        }
    }
}

/// The signal that cannot be caught; the system sends it when memory is exhausted.
const KILL: i32 = 9;

/// Returns the error for a program of torch-mlir that was ended by a signal.
pub(super) fn killed(program: &str, signal: i32) -> Diagnostic {
    let error = Diagnostic::new(Kind::Unsupported, None, format!("`{program}` was ended by signal {signal}"));
    let why = match signal {
        KILL => "somebody has ended it, or the system had no memory left for it",
        _ => "it has crashed, or had no memory left",
    };
    error.note(why).hint(
        "take parts of the network out until it goes through (`onnx.utils.extract_model` does), or give it more memory",
    )
}

/// A failed lowering of a network.
pub(super) struct Failure {
    pub(super) error: Box<Diagnostic>,
    /// The ONNX operator that torch-mlir does not lower, if that is the reason.
    pub(super) operator: Option<String>,
}

impl From<Diagnostic> for Failure {
    fn from(error: Diagnostic) -> Self {
        Self { error: Box::new(error), operator: None }
    }
}

/// Returns the failure that messages of a lowering report.
pub(super) fn of_lowering(messages: &str, original: &Text) -> Failure {
    let operator = messages.lines().find_map(|line| quoted(line.split_once("error: ")?.1, OPERATOR, "\""));
    let operator = operator.filter(|operator| !CONTROL_FLOW.contains(operator)).map(str::to_owned);
    Failure { error: Box::new(reason(messages, original)), operator }
}

fn reason(messages: &str, original: &Text) -> Diagnostic {
    let Some((before, error)) = messages.lines().find_map(|line| line.split_once("error: ")) else {
        let error = Diagnostic::new(Kind::Unsupported, None, "`torch-mlir-opt` ended without a reason");
        return error
            .hint("take parts of the network out until it goes through: one of its operators breaks torch-mlir");
    };
    let place = place(before, original);
    let operator = quoted(error, OPERATOR, "\"");
    let operation = quoted(error, "failed to legalize operation '", "'");
    match (operator, operation) {
        (Some(operator), _) if CONTROL_FLOW.contains(&operator) => {
            let message = format!("the operator `{operator}` is not supported");
            let error = Diagnostic::new(Kind::Unsupported, place, message);
            error
                .note("the operations that it runs, and how often, depend on data")
                .hint("export the network with the loop unrolled or the branch decided")
        }
        (Some(operator), _) => {
            let message = format!("the operator `{operator}` is not supported");
            let error = Diagnostic::new(Kind::Unsupported, place, message);
            error.note("torch-mlir does not lower it, or not with these attributes").hint(AVOID)
        }
        (None, Some(operation)) => {
            let error = Diagnostic::new(Kind::Unsupported, place, format!("`{operation}` is not supported"));
            error.note("torch-mlir does not lower it to loops").hint(AVOID)
        }
        (None, None) if error.contains("unexpected result less than 0") => {
            let error = Diagnostic::new(Kind::Unsupported, place, "this needs sizes that are constants");
            error.note("torch-mlir takes a size that is not known for a number when it lowers it").hint(FIX)
        }
        (None, None) if error.contains("marked as backend illegal") => {
            let error = Diagnostic::new(Kind::Unsupported, place, "this operator is not supported with these sizes");
            error
                .note("torch-mlir does not lower it: a product of tensors of three dimensions needs a constant batch")
                .hint(BATCH)
        }
        (None, None) => Diagnostic::new(Kind::Unsupported, place, error.trim()).note("so says `torch-mlir-opt`"),
    }
}

/// Returns the lowered text, if no operation of a network is left in it.
pub(super) fn complete(text: String, original: &Text) -> Result<String, Diagnostic> {
    let mut lines = text.lines();
    let Some((line, left)) = lines.find_map(|line| Some((line, left(line)?))) else { return Ok(text) };
    // The location of an operation with a region is after the region; the operations inside have the same one.
    let place = std::iter::once(line).chain(lines).find_map(|line| location(line, &text, original));
    let error = Diagnostic::new(Kind::Unsupported, place, format!("`{left}` is not supported"));
    Err(error.note("torch-mlir does not lower it to loops").hint(match left.starts_with("stablehlo.") {
        true => "sizes that the network computes are the usual reason: print it with constant sizes",
        false => AVOID,
    }))
}

/// Returns the operation of a network in a line, if there is one.
fn left(line: &str) -> Option<&str> {
    const DIALECTS: [&str; 4] = ["stablehlo.", "chlo.", "torch.", "tm_tensor."];
    let code = line.trim_start();
    let code = code.split_once(" = ").map_or(code, |(_, operation)| operation).trim_start_matches('"');
    let name = code.split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c))).next()?;
    DIALECTS.iter().any(|dialect| name.starts_with(dialect)).then_some(name)
}

/// Returns the place of an operation in printed MLIR, which follows it or is in aliases at the end: `loc(#loc5)`.
fn location(line: &str, text: &str, original: &Text) -> Option<Location> {
    let mut found = line.rsplit_once(" loc(")?.1;
    // Aliases are nested a few times at most.
    for _ in 0..8 {
        if let Some((_, position)) = found.split_once(&format!("\"{}\":", original.name)) {
            return place(&format!("{}:{}", original.name, position.trim_end_matches(')')), original);
        }
        let alias = found.split_once('#')?.1.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        let definition = format!("#{alias} = loc(");
        found = text.lines().find_map(|line| line.strip_prefix(&definition))?;
    }
    None
}

/// The hint for an operator that is not supported.
const AVOID: &str = "export the network with other operators in its place, or cut it there \
                     (`onnx.utils.extract_model` takes the part between two tensors)";

/// The hint for an operator that torch-mlir lowers for constant sizes only.
const FIX: &str = "export the network with constant sizes there: of GRU and RNN, those of the batch and the sequence";

/// The hint for a product that torch-mlir lowers for a constant batch only.
const BATCH: &str =
    "export the network with a constant batch there, or the product with a further dimension of one element";

/// Returns the text between two texts.
fn quoted<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.split_once(before)?.1.split_once(after).map(|(found, _)| found)
}

/// Returns the place in `net.onnx:7:1: `.
fn place(text: &str, original: &Text) -> Option<Location> {
    let mut numbers = text.strip_prefix(original.name.as_str())?.strip_prefix(':')?.split(':');
    let mut number = || {
        let text = numbers.next()?;
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse::<u32>().ok().filter(|number| *number > 0)
    };
    Some(Location::new(original.name.as_str(), number()?, number()?))
}
