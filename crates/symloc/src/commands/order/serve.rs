//! Questions in JSON, a line each, and their answers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::path::Path;

use clap::{Args, Command, FromArgMatches};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use symloc_query::{CliError, ExitStatus};
use symloc_report::answers::Answer;
use symloc_report::answers::advice::orders::OrdersReport;

use super::question::OrderQuestion;
use crate::scratch::Scratch;

/// A question: the options of `order` as JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct OrderRequest {
    /// Any value; the answer repeats it.
    id: Option<Value>,
    /// The file with the program.
    file: Option<String>,
    /// The program itself, in place of a file.
    text: Option<String>,
    /// The language of the text.
    language: TextLanguage,
    function: Option<String>,
    /// By parameter, its value.
    sizes: BTreeMap<String, i64>,
    /// As for `--cache`, one for each level.
    caches: Vec<String>,
    machine: Option<String>,
    /// As for `--order`.
    orders: Vec<String>,
    /// Further options of the command.
    options: Vec<String>,
    /// Flags of the compiler.
    flags: Vec<String>,
}

/// The language of a program that is given as text.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TextLanguage {
    C,
    Cpp,
    Einsum,
    #[default]
    Mlir,
}

impl TextLanguage {
    /// Returns the name of a file with such a text.
    fn file_name(self) -> &'static str {
        match self {
            Self::C => "text.c",
            Self::Cpp => "text.cpp",
            Self::Einsum => "text.einsum",
            Self::Mlir => "text.mlir",
        }
    }
}

/// The answer to a question that has one.
#[derive(Serialize)]
struct ServedAnswer<'a, A> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(flatten)]
    answer: A,
}

/// The answer to a question that cannot be answered: `symloc.error/1`.
#[derive(Serialize)]
struct ServedError<'a> {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    error: String,
}

/// Answers the questions of a stream until it ends.
pub(super) fn serve(questions: impl BufRead, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
    for line in questions.lines() {
        let line = line.map_err(|error| CliError::refused(format!("cannot read the next question: {error}")))?;
        if !line.trim().is_empty() {
            writeln!(out, "{}", answer(&line).map_err(std::io::Error::from)?)?;
            // Whoever asks waits for the answer before the next question.
            out.flush()?;
        }
    }
    Ok(ExitStatus::Success)
}

/// Returns the answer to a question, or the error, in JSON.
fn answer(line: &str) -> serde_json::Result<String> {
    let request: OrderRequest = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return failed(None, format!("error: this is no question: {error}\n")),
    };
    let id = request.id.as_ref();
    match request.answer() {
        Ok(answer) => serde_json::to_string(&ServedAnswer { id, answer: answer.json() }),
        Err(error) => failed(id, error),
    }
}

fn failed(id: Option<&Value>, error: String) -> serde_json::Result<String> {
    serde_json::to_string(&ServedError { schema: "symloc.error/1", id, error })
}

impl OrderRequest {
    /// Returns the answer, or the error as it would be printed.
    fn answer(&self) -> Result<OrdersReport, String> {
        let printed = |error: CliError| error.rendered();
        let scratch = self.scratch().map_err(printed)?;
        let folder = scratch.as_ref().map(Scratch::path);
        // The user knows nothing of the folder.
        let without_folder = |message: String| match folder {
            Some(folder) => message.replace(&format!("{}/", folder.display()), ""),
            None => message,
        };
        let question = self.question(folder).map_err(without_folder)?;
        question.answer(&mut |_| ()).map_err(printed).map_err(without_folder)
    }

    /// Writes the text of the program to a file in a temporary folder, if it is given as text.
    fn scratch(&self) -> Result<Option<Scratch>, CliError> {
        let Some(text) = &self.text else { return Ok(None) };
        let unwritten = |error| CliError::refused(format!("cannot write the text to a temporary file: {error}"));
        let scratch = Scratch::new().map_err(unwritten)?;
        std::fs::write(scratch.path().join(self.language.file_name()), text).map_err(unwritten)?;
        Ok(Some(scratch))
    }

    /// Returns the question with its options read as those of the command line.
    fn question(&self, folder: Option<&Path>) -> Result<OrderQuestion, String> {
        let command = OrderQuestion::augment_args(Command::new("symloc order")).no_binary_name(true);
        let file = match (&self.file, folder) {
            (Some(file), None) => OsString::from(file),
            (None, Some(folder)) => folder.join(self.language.file_name()).into_os_string(),
            _ => return Err(CliError::refused("a question has either a `file` or a `text`").rendered()),
        };
        let matches = command.try_get_matches_from(self.arguments(file)).map_err(|error| error.to_string())?;
        OrderQuestion::from_arg_matches(&matches).map_err(|error| error.to_string())
    }

    /// Returns the arguments of the command line.
    fn arguments(&self, file: OsString) -> Vec<OsString> {
        let mut arguments = vec![file];
        let mut option = |name: &str, value: &str| arguments.push(format!("{name}={value}").into());
        self.function.iter().for_each(|name| option("--function", name));
        self.sizes.iter().for_each(|(name, size)| option("--define", &format!("{name}={size}")));
        self.caches.iter().for_each(|cache| option("--cache", cache));
        self.machine.iter().for_each(|machine| option("--machine", machine));
        self.orders.iter().for_each(|order| option("--order", order));
        arguments.extend(self.options.iter().map(OsString::from));
        if !self.flags.is_empty() {
            arguments.push("--".into());
            arguments.extend(self.flags.iter().map(OsString::from));
        }
        arguments
    }
}
