//! `symloc check`: the kernels of a repository against limits, and against what they were before.
//!
//! Counts of misses do not vary from run to run, so they can be tested where time on a shared machine cannot.
//!
//! - [`config`]: `symloc.toml`, which names the kernels and says what must hold,
//! - `tree`: the files in the folder, and those of a revision,
//! - [`mod@derive`]: models, `store`: what was derived and measured before,
//! - `measurement`: the misses of a kernel at its sizes,
//! - `baseline`: the models that it is compared with,
//! - `judge`: the conditions that do not hold; `matching`: which access was which before,
//! - `runner`: all kernels side by side.
//!
//! The form of the answer is in [`symloc_report::answers::check`].

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use symloc_query::{CliError, ExitStatus, output};
use symloc_report::answers::check::{CheckAnswer, CheckFormat};

mod baseline;
pub mod config;
pub mod derive;
mod judge;
mod matching;
mod measurement;
mod runner;
mod store;
mod tree;

use config::CheckedKernel;
use derive::{Deriver, Tools};
use measurement::Measurer;
use runner::KernelChecker;
use store::CheckStore;
use tree::folder::WorkingFolder;
use tree::git::Repository;

/// The options of `check`.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// The symloc.toml, or its folder [default: the nearest one in this folder and those above]
    #[arg(value_name = "FILE")]
    path: Option<PathBuf>,
    /// Check this kernel only; one for each
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Accept the kernels as they are: write their models to .symloc, to be committed
    #[arg(long)]
    update: bool,
    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: CheckFormat,
    /// Write the answer to a file as well: sarif=check.sarif; one for each
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report)]
    report: Vec<(CheckFormat, PathBuf)>,
    /// Keep models and misses in this folder [default: .symloc/cache beside the symloc.toml]
    #[arg(long, value_name = "FOLDER")]
    cache_dir: Option<PathBuf>,
    /// Check so many kernels at once [default: one for each core]
    #[arg(long, value_name = "COUNT")]
    jobs: Option<NonZeroUsize>,
}

fn report(text: &str) -> Result<(CheckFormat, PathBuf), String> {
    let (format, file) =
        text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form sarif=check.sarif"))?;
    let format = <CheckFormat as clap::ValueEnum>::from_str(format, false);
    let format = format.map_err(|_| format!("`{text}`: the formats are text, json, junit, sarif and markdown"))?;
    Ok((format, file.into()))
}

/// The name of the file that is looked for.
const FILE: &str = "symloc.toml";

impl CheckArgs {
    /// Runs the command and writes the answer to `out`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, if there is no such revision or kernel, or if a result cannot be written.
    pub fn run(&self, tools: &Tools, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let path = self.file()?;
        let root = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let root = root.canonicalize().map_err(|error| CliError::refused(format!("{}: {error}", root.display())))?;
        let kernels = read(&path, &root)?;
        let kernels = self.chosen(&path, &kernels)?;
        let store = CheckStore::open(self.cache_dir.clone().unwrap_or_else(|| root.join(".symloc/cache")))?;
        let answer = self.check(tools, &path, WorkingFolder::new(root), &store, &kernels)?;
        answer.write(out, self.format)?;
        for (format, file) in &self.report {
            let mut text = Vec::new();
            answer.write(&mut text, *format)?;
            output::write(out, file, &String::from_utf8_lossy(&text))?;
        }
        let counts = answer.counts();
        Ok(match (counts.unchecked, counts.failed) {
            (0, 0) => ExitStatus::Success,
            (0, _) => ExitStatus::CheckFailed,
            _ => ExitStatus::Incomplete,
        })
    }

    fn check(
        &self,
        tools: &Tools,
        path: &Path,
        folder: WorkingFolder,
        store: &CheckStore,
        kernels: &[&CheckedKernel],
    ) -> Result<CheckAnswer, CliError> {
        let jobs = self.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
        let file = path.file_name().map_or_else(|| FILE.to_owned(), |name| name.to_string_lossy().into_owned());
        let revisions = baseline::revisions(kernels, &file, &folder)?;
        let program = tools.identity();
        let deriver = Deriver { tools, store, root: folder.root() };
        let measurer = Measurer { store, program: &program };
        let runner = KernelChecker { folder: &folder, revisions: &revisions, deriver: &deriver, measurer: &measurer };
        if self.update {
            for file in runner.accept_all(kernels, jobs)? {
                output::tell("accepted", &file);
            }
        }
        // Files have a path from the top of the repository, if there is one.
        let prefix = Repository::around(folder.root()).map_or_else(|_| String::new(), |repository| repository.prefix);
        Ok(CheckAnswer { file, prefix, kernels: runner.check_all(kernels, jobs) })
    }

    /// Returns the path of the `symloc.toml`.
    fn file(&self) -> Result<PathBuf, CliError> {
        if let Some(path) = &self.path {
            return Ok(if path.is_dir() { path.join(FILE) } else { path.clone() });
        }
        if Path::new(FILE).is_file() {
            return Ok(FILE.into());
        }
        let here = std::env::current_dir().map_err(|error| CliError::refused(format!("this folder: {error}")))?;
        let found = here.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file());
        found.ok_or_else(|| {
            CliError::with_hint(
                format!("no {FILE} in {} and the folders above", here.display()),
                "write one, or name it: `symloc check PATH/symloc.toml`",
            )
        })
    }

    /// Returns the kernels that are to be checked.
    fn chosen<'k>(&self, path: &Path, kernels: &'k [CheckedKernel]) -> Result<Vec<&'k CheckedKernel>, CliError> {
        if let Some(name) = self.only.iter().find(|name| kernels.iter().all(|kernel| kernel.name != **name)) {
            let names: Vec<_> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
            return Err(CliError::with_hint(
                format!("{}: there is no kernel `{name}`", path.display()),
                format!("its kernels are {}", names.join(", ")),
            ));
        }
        Ok(kernels.iter().filter(|kernel| self.only.is_empty() || self.only.contains(&kernel.name)).collect())
    }
}

/// Reads the `symloc.toml`.
fn read(path: &Path, root: &Path) -> Result<Vec<CheckedKernel>, CliError> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| CliError::refused(format!("{}: cannot read it: {error}", path.display())))?;
    config::read(&text, root).map_err(|error| CliError::Diagnostics(format!("{}:{error}\n", path.display())))
}
