//! The models of kernels: those that were derived before, and else new ones.
//!
//! A kernel is derived by `symloc derive` in a process of its own: kernels are derived side by side, although the libraries of sets
//! allow one derivation in a process, and what one of them does to its process is a message about this kernel.
//!
//! - `dependencies`: the files that a program was read from.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use symloc_query::CliError;

use crate::config::KernelSource;
use crate::store::CheckStore;
use crate::tree::SourceTree;
use crate::tree::folder::checksum;
use dependencies::{Dependencies, Inputs, read_rule};

pub(crate) mod dependencies;

/// The programs that derive.
#[derive(Clone, Debug)]
pub struct Tools {
    /// `symloc` itself.
    pub program: PathBuf,
    /// Returns the compiler that reads a file, if one does.
    pub compiler: fn(&Path) -> Option<&'static str>,
}

impl Tools {
    /// Returns a text that differs between builds of this program.
    pub(crate) fn identity(&self) -> String {
        format!("{:?}", identity(&self.program))
    }
}

/// A model in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredModel {
    /// The checksum of its text.
    pub(crate) key: String,
}

/// The models that were derived with the same request, from the files of several revisions.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Requests {
    known: Vec<(Dependencies, String)>,
}

/// The most revisions whose models are known for one request.
const REVISIONS: usize = 16;

/// Derives models, or finds those that were derived before.
#[derive(Debug)]
pub(crate) struct Deriver<'s> {
    pub(crate) tools: &'s Tools,
    pub(crate) store: &'s CheckStore,
    /// The folder of the check: a revision must not read files in it.
    pub(crate) root: &'s Path,
}

impl Deriver<'_> {
    /// Returns the model of a program in a tree, for lines of so many bytes.
    ///
    /// # Errors
    ///
    /// The messages of `symloc derive`, and that the store cannot be written to.
    pub(crate) fn model(
        &self,
        source: &KernelSource,
        line_bytes: Option<u64>,
        tree: &dyn SourceTree,
    ) -> Result<StoredModel, CliError> {
        let key = self.key(source, line_bytes);
        let mut requests: Requests = self.store.find("requests", &key).unwrap_or_default();
        if let Some((_, key)) = requests.known.iter().find(|(files, _)| files.are_in(tree)) {
            return Ok(StoredModel { key: key.clone() });
        }
        let derived = self.derive(source, line_bytes, &tree.folder()?)?;
        let model = StoredModel { key: checksum(derived.text.as_bytes()) };
        self.store.keep_text("models", &model.key, &derived.text)?;
        self.refuse_files_of_today(&derived.files, tree)?;
        if let Some(files) = Dependencies::new(source, derived.files, tree).filter(|_| !derived.asks_for_files) {
            requests.known.retain(|(known, _)| *known != files);
            requests.known.insert(0, (files, model.key.clone()));
            requests.known.truncate(REVISIONS);
            self.store.keep("requests", &key, &requests)?;
        }
        Ok(model)
    }

    /// Refuses a revision that was compiled with a file of the folder as it is now, by an absolute path.
    fn refuse_files_of_today(&self, files: &[String], tree: &dyn SourceTree) -> Result<(), CliError> {
        let Some(name) = tree.name() else { return Ok(()) };
        let own = |file: &&String| {
            Path::new(file.as_str())
                .strip_prefix(self.root)
                .is_ok_and(|file| file.to_str().is_some_and(|file| tree.has(file)))
        };
        match files.iter().find(own) {
            None => Ok(()),
            Some(file) => Err(CliError::with_hint(
                format!("the kernel as of {name} would be compiled with {file} as it is now"),
                "write folders in `flags` relative to the symloc.toml",
            )),
        }
    }

    /// Returns the checksum of everything that a model depends on besides the files of the program.
    fn key(&self, source: &KernelSource, line_bytes: Option<u64>) -> String {
        let compiler = (self.tools.compiler)(Path::new(&source.file)).and_then(executable);
        let programs =
            [Some(self.tools.program.clone()), compiler].map(|program| program.as_deref().and_then(identity));
        let searched = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"].map(std::env::var_os);
        checksum(format!("{source:?} {line_bytes:?} {programs:?} {searched:?}").as_bytes())
    }

    fn derive(&self, source: &KernelSource, line_bytes: Option<u64>, folder: &Path) -> Result<NewModel, CliError> {
        let scratch = tempfile::tempdir_in(self.store.folder());
        let scratch = scratch.map_err(|error| CliError::refused(format!("cannot make a temporary folder: {error}")))?;
        let [model, rule] = ["model", "rule"].map(|name| scratch.path().join(name));
        let mut command = Command::new(&self.tools.program);
        command.arg("derive").current_dir(folder).stdin(Stdio::null());
        command.arg("--cache-dir").arg(self.store.folder().join("programs")).arg("--output").arg(&model);
        command.args(line_bytes.map(|bytes| format!("--line-bytes={bytes}")));
        command.args(source.function.iter().map(|function| format!("--function={function}")));
        command.args(&source.options).arg(&source.file);
        let inputs = Inputs::of(&source.file);
        if inputs == Inputs::Listed {
            command.arg("--").args(&source.flags).args(["-MD", "-MF"]).arg(&rule);
        } else if !source.flags.is_empty() {
            command.arg("--").args(&source.flags);
        }
        let output = command.output();
        let output = output.map_err(|error| CliError::refused(format!("symloc derive could not be run: {error}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(CliError::Diagnostics(if said.is_empty() {
                format!("symloc derive: {}\n", output.status)
            } else {
                said
            }));
        }
        let text = std::fs::read_to_string(&model);
        let text = text.map_err(|error| CliError::refused(format!("symloc derive has written no model: {error}")))?;
        let files = match inputs {
            Inputs::Listed => read_rule(&std::fs::read_to_string(&rule).unwrap_or_default()),
            Inputs::Alone => vec![source.file.clone()],
            Inputs::Unknown => Vec::new(),
        };
        let asks = |file: &String| !file.starts_with('/') && asks_for_files(&folder.join(file));
        Ok(NewModel { asks_for_files: files.iter().any(asks), text, files })
    }
}

/// A model that was derived.
struct NewModel {
    text: String,
    /// The files that the program was read from, as far as they are known.
    files: Vec<String>,
    /// True if the program asks which files there are.
    asks_for_files: bool,
}

fn asks_for_files(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains("__has_include"))
}

/// Finds a program on the search path.
fn executable(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns the size and the time of a program's file, because another build may derive another model.
fn identity(path: &Path) -> Option<(u64, u128)> {
    let file = std::fs::metadata(path).ok()?;
    Some((file.len(), file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos()))
}
