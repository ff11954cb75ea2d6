//! Errors on a command line, and their messages.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use symloc_evaluate::EvalError;
use symloc_machine::{CacheRequestError, DescriptionError};
use symloc_model::{LineChoice, ModelError, RequestError};
use symloc_replay::ReplayError;
use symloc_report::plot::PictureError;

/// The status of a command that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the program ends with it"]
pub enum ExitStatus {
    /// Done.
    Success,
    /// Done, and a requested check failed.
    CheckFailed,
    /// Part of a requested check could not be made; the answer says why.
    Incomplete,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Success => ExitCode::SUCCESS,
            ExitStatus::CheckFailed => ExitCode::from(1),
            ExitStatus::Incomplete => ExitCode::from(2),
        }
    }
}

/// The reason why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Bad input, an unsupported request, or a limit.
    #[error("{message}")]
    Refused {
        /// The error.
        message: String,
        /// A remedy.
        hint: Option<String>,
    },
    /// Errors of an input with places in it, already as text: `file:line:col: error: …`.
    #[error("{0}")]
    Diagnostics(String),
    /// The result could not be written.
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

impl CliError {
    /// Creates a refusal without advice.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), hint: None }
    }

    /// Creates a refusal with advice.
    pub fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), hint: Some(hint.into()) }
    }

    /// Returns the error as it is printed, with its remedy.
    pub fn rendered(&self) -> String {
        match self {
            Self::Diagnostics(text) => text.clone(),
            Self::Refused { message, hint: Some(hint) } => format!("error: {message}\nhelp: {hint}\n"),
            Self::Refused { .. } | Self::Output(_) => format!("error: {self}\n"),
        }
    }

    /// Creates the refusal of everything that needs reuse distances.
    pub fn no_distances() -> Self {
        Self::with_hint(
            "the model holds no reuse distances",
            "derive it with --exact; `symloc simulate` measures them too, with --histogram --distance",
        )
    }

    /// Creates the refusal of formulas for the shares in LRU's misses.
    pub fn unattributed() -> Self {
        Self::with_hint(
            "a table tells accesses, arrays and nests apart by their reuse intervals, not by their reuse distances",
            "choose `--model denning`, or ask `query --by` about sizes and caches",
        )
    }

    /// Creates the error for a model file that could not be used.
    pub fn model(path: &Path, error: &ModelError) -> Self {
        let hint = match error {
            ModelError::Io(_) => None,
            ModelError::NotJson(_) | ModelError::NoSchema | ModelError::OtherSchema(_) => {
                Some("models are made by `symloc derive FILE -o MODEL`")
            }
            ModelError::Newer { .. } => Some("use the version of symloc that made it, or a later one"),
            ModelError::Truncated { .. } | ModelError::Damaged(_) | ModelError::Inconsistent(_) => {
                Some("derive the model again")
            }
        };
        let name = if path.as_os_str() == "-" { "<stdin>".into() } else { path.display().to_string() };
        Self::Refused { message: format!("{name}: {error}"), hint: hint.map(str::to_owned) }
    }
}

impl From<RequestError> for CliError {
    fn from(error: RequestError) -> Self {
        let hint = match &error {
            RequestError::Missing { names } => {
                let options: Vec<_> = names.iter().map(|name| format!("-D {name}=…")).collect();
                Some(format!("give it with {}", options.join(" ")))
            }
            RequestError::Unknown { .. } | RequestError::Unused { .. } => None,
            RequestError::Line { choice: LineChoice::Only, .. } => {
                Some("choose one of them with --line-bytes".to_owned())
            }
            RequestError::Line { choice: LineChoice::Bytes(bytes), .. } => {
                Some(format!("`symloc derive --line-bytes {bytes}` makes a model that does"))
            }
            RequestError::Unattributed { .. } | RequestError::NoNests { .. } => {
                Some("derive the model again".to_owned())
            }
        };
        Self::Refused { message: error.to_string(), hint }
    }
}

impl From<EvalError> for CliError {
    fn from(error: EvalError) -> Self {
        let hint = match &error {
            EvalError::Request(error) => return error.clone().into(),
            EvalError::Sampled => {
                "`query` estimates misses at given sizes; for formulas derive fewer sizes with --assume, raise --max-operations, or wait for them with --time-limit"
                    .to_owned()
            }
            EvalError::NoDistances => return Self::no_distances(),
            EvalError::LineBytes { .. } => "choose another --line-bytes".to_owned(),
            EvalError::TwoLines { .. } => "leave one of them out".to_owned(),
            EvalError::OutsideContext { line_bytes: Some(bytes), .. } => {
                format!("`symloc derive --line-bytes {bytes}` makes a model for lines of this size")
            }
            EvalError::OutsideContext { .. } => {
                "the model was derived for these sizes only; `symloc derive --assume` states them, and the value of a flag, as in \
                 'flag = 0', drops what accesses require that are then not executed"
                    .to_owned()
            }
            EvalError::NoPrevious { .. } => "derive the model again".to_owned(),
            EvalError::Limit { .. } => "raise the limit with --max-points".to_owned(),
            EvalError::Inconsistent { .. } => {
                "derive the model again; if the message stays, it is a bug of symloc, please report it".to_owned()
            }
        };
        Self::Refused { message: error.to_string(), hint: Some(hint) }
    }
}

impl From<CacheRequestError> for CliError {
    fn from(error: CacheRequestError) -> Self {
        let hint = match &error {
            CacheRequestError::PartOfLine { .. } => None,
            CacheRequestError::NoLineBytes => {
                Some("give the number of elements that the cache holds, as in `--cache 512lines`")
            }
            CacheRequestError::PartOfSet { .. } => {
                Some("leave the ways out, or write `full`, for a fully associative cache")
            }
            CacheRequestError::Special => {
                Some("`query --model sampled` and `symloc simulate` run the program on such caches")
            }
            CacheRequestError::TwoLines { .. } => Some("ask about each line size apart"),
        };
        Self::Refused { message: error.to_string(), hint: hint.map(str::to_owned) }
    }
}

impl From<ReplayError> for CliError {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::TooManyAccesses { .. } => {
                Self::with_hint(format!("limit: {error}"), "raise it with --max-accesses")
            }
            _ => Self::refused(error.to_string()),
        }
    }
}

impl From<DescriptionError> for CliError {
    fn from(error: DescriptionError) -> Self {
        let help = "help: --machine reads `this`, .toml, kerncraft's .yml and lstopo's .xml";
        Self::Diagnostics(format!("{error}\n{help}\n"))
    }
}

impl From<PictureError> for CliError {
    fn from(error: PictureError) -> Self {
        let hint = match error {
            PictureError::Evaluation(error) => return error.into(),
            PictureError::TooManyCurves(_) => Some("--csv and --json hold any number"),
            PictureError::NoCommonAxis => None,
            PictureError::MarkInLines => Some("mark a size in bytes, as in `--mark 32KiB`"),
            PictureError::MarkInBytes => Some("mark a number of elements, as in `--mark 512lines`"),
        };
        Self::Refused { message: error.to_string(), hint: hint.map(str::to_owned) }
    }
}

/// Ends a program: flushes the result, reports an error on standard error and returns the exit code. It is no error if the reader
/// of the result has closed it.
pub fn finish(result: Result<ExitStatus, CliError>, out: &mut dyn Write) -> ExitCode {
    let result = result.and_then(|status| out.flush().map(|()| status).map_err(CliError::from));
    match result {
        Ok(status) => status.into(),
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed as well, the error cannot be reported.
            let _ = report(&error, &mut io::stderr().lock());
            ExitCode::from(2)
        }
    }
}

fn report(error: &CliError, stream: &mut dyn Write) -> io::Result<()> {
    stream.write_all(error.rendered().as_bytes())
}
