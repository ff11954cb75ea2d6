//! The flags of a file, from a compilation database.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::DerivationError;

/// The compilation of a file, from a compilation database.
pub(crate) struct Recorded {
    pub(crate) flags: Vec<String>,
    pub(crate) directory: PathBuf,
    pub(crate) file: PathBuf,
}

/// An entry of `compile_commands.json`.
#[derive(Deserialize)]
struct CompileCommand {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// Returns the compilation of a file.
pub(crate) fn recorded(directory: &Path, path: &Path) -> Result<Recorded, DerivationError> {
    let database = directory.join("compile_commands.json");
    let refused = |why: String| DerivationError::refused(format!("{}: {why}", database.display()));
    let text = std::fs::read_to_string(&database).map_err(|error| refused(format!("cannot read it: {error}")))?;
    let entries: Vec<CompileCommand> =
        serde_json::from_str(&text).map_err(|error| refused(format!("it is no compilation database: {error}")))?;
    let wanted = path.canonicalize().map_err(|error| refused(format!("{}: {error}", path.display())))?;
    let is_wanted =
        |entry: &&CompileCommand| entry.directory.join(&entry.file).canonicalize().is_ok_and(|file| file == wanted);
    let entry = entries.iter().find(is_wanted).ok_or_else(|| {
        DerivationError::with_hint(
            format!("{}: {} is not in it", database.display(), path.display()),
            "leave -p out, and give the flags after `--`",
        )
    })?;
    let words = match entry.arguments.is_empty() {
        true => shlex::split(&entry.command).ok_or_else(|| refused("a command has an unclosed quote".to_owned()))?,
        false => entry.arguments.clone(),
    };
    Ok(Recorded { flags: flags(&words, &entry.file), directory: entry.directory.clone(), file: wanted })
}

/// Returns the flags of a compiler's command line, without the input and output files.
fn flags(words: &[String], file: &Path) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-c" | "-S" | "-E" | "--" => {}
            "-o" | "-MF" | "-MT" | "-MQ" => {
                words.next();
            }
            "-MD" | "-MMD" | "-MP" => {}
            _ if Path::new(word) == file => {}
            _ => kept.push(word.clone()),
        }
    }
    kept
}
