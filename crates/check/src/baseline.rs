//! The models that kernels are compared with: of a revision, accepted ones, and others in files.
//!
//! A kernel of a revision is the one that the revision's own `symloc.toml` describes, so that files, functions and flags may have other
//! names since; the sizes, caches and threads are those of today. A parameter that has another name since is found by its position.
//!
//! An accepted model (`.symloc/NAME.loc.json`) is what `committed` compares with. Beside a revision it counts if it is new: if the
//! revision has not the same file. So accepting is part of a change, and is used up once the change is in the revision.

use std::collections::BTreeMap;
use std::path::Path;

use symloc_model::Model;
use symloc_query::CliError;
use symloc_query::options::grid::{Grid, ParameterAxis};

use crate::config::{self, Baseline, CheckedKernel, KernelQuestion, KernelSource};
use crate::derive::{Deriver, StoredModel};
use crate::judge::{Compared, KernelModel};
use crate::measurement::Measurer;
use crate::tree::SourceTree;
use crate::tree::folder::{WorkingFolder, checksum};
use crate::tree::git::Repository;
use crate::tree::revision::Revision;

/// The folder of accepted models.
const ACCEPTED: &str = ".symloc";

/// Returns the name of the file with the accepted model of a kernel.
pub(crate) fn accepted_file(kernel: &CheckedKernel) -> String {
    match &kernel.requirements.baseline {
        Some(Baseline::File(file)) => file.clone(),
        _ => format!("{ACCEPTED}/{}.loc.json", kernel.name),
    }
}

/// A revision, and the kernels that it describes.
#[derive(Debug)]
pub(crate) struct KnownRevision<'w> {
    tree: Revision<'w>,
    sources: BTreeMap<String, KernelSource>,
}

/// Finds the revisions that kernels are compared with.
pub(crate) fn revisions<'w>(
    kernels: &[&CheckedKernel],
    file: &str,
    folder: &'w WorkingFolder,
) -> Result<BTreeMap<String, KnownRevision<'w>>, CliError> {
    let mut found = BTreeMap::new();
    for kernel in kernels {
        if let Some(Baseline::Revision(name)) = &kernel.requirements.baseline
            && !found.contains_key(name)
        {
            let tree = Revision::new(Repository::around(folder.root())?, name, folder)?;
            let text = tree.read(file).and_then(|bytes| String::from_utf8(bytes).ok());
            // A file that this version does not read tells nothing of other names.
            let described = text.and_then(|text| config::read(&text, folder.root()).ok()).unwrap_or_default();
            let sources = described.into_iter().map(|kernel| (kernel.name, kernel.source)).collect();
            found.insert(name.clone(), KnownRevision { tree, sources });
        }
    }
    Ok(found)
}

/// Finds the models that one kernel is compared with.
#[derive(Debug)]
pub(crate) struct BaselineSearch<'k> {
    pub(crate) kernel: &'k CheckedKernel,
    pub(crate) deriver: &'k Deriver<'k>,
    pub(crate) measurer: &'k Measurer<'k>,
    pub(crate) line_bytes: Option<u64>,
    pub(crate) now: &'k KernelModel,
}

impl BaselineSearch<'_> {
    /// Returns the models and remarks.
    ///
    /// # Errors
    ///
    /// If a model that should be there cannot be found or derived.
    pub(crate) fn find(
        &self,
        revisions: &BTreeMap<String, KnownRevision<'_>>,
    ) -> Result<(Vec<Compared>, Vec<String>), CliError> {
        let file = accepted_file(self.kernel);
        match &self.kernel.requirements.baseline {
            None => Ok((Vec::new(), Vec::new())),
            Some(Baseline::Committed | Baseline::File(_)) => match self.in_file(&file)? {
                Some(model) => Ok((vec![self.compared(file, model)?], Vec::new())),
                None => Err(CliError::with_hint(
                    format!("{file}: there is no such model to compare with"),
                    "`symloc check --update` writes it; commit it then",
                )),
            },
            Some(Baseline::Revision(name)) => {
                let revision = revisions.get(name).ok_or_else(|| CliError::refused(format!("{name}: no revision")))?;
                let is_new = self.deriver.root.join(&file).exists()
                    && revision.tree.read(&file).map(|bytes| checksum(&bytes))
                        != checksum_of(&self.deriver.root.join(&file));
                let accepted = if is_new { self.in_file(&file)? } else { None };
                let accepted = accepted.map(|model| self.compared(file, model)).transpose()?;
                let (before, remark) = self.in_revision(revision, accepted.is_some())?;
                Ok((before.into_iter().chain(accepted).collect(), remark.into_iter().collect()))
            }
        }
    }

    /// Returns the kernel in a revision, or a remark that there is none. If there is an accepted model, a revision whose kernel
    /// cannot be read is no error.
    fn in_revision(
        &self,
        revision: &KnownRevision<'_>,
        has_accepted: bool,
    ) -> Result<(Option<Compared>, Option<String>), CliError> {
        let tree = &revision.tree;
        let name = tree.name().unwrap_or_default();
        let source = revision.sources.get(&self.kernel.name).unwrap_or(&self.kernel.source);
        if !tree.has(&source.file) {
            return Ok((None, Some(format!("{name} has no {}: nothing to compare with", source.file))));
        }
        let found =
            self.deriver.model(source, self.line_bytes, tree).and_then(|model| self.compared(name.to_owned(), model));
        match found {
            Ok(compared) => Ok((Some(compared), None)),
            Err(error) if has_accepted => {
                let reason = error.to_string();
                let first = reason.lines().next().unwrap_or_default();
                Ok((None, Some(format!("the kernel as of {name} cannot be read: {first}"))))
            }
            Err(error) => Err(of_revision(name, error)),
        }
    }

    /// Reads a model in a file into the store; `None` if there is no file.
    fn in_file(&self, file: &str) -> Result<Option<StoredModel>, CliError> {
        let path = self.deriver.root.join(file);
        if !path.exists() {
            return Ok(None);
        }
        let read = std::fs::read_to_string(&path);
        let text = read.map_err(|error| CliError::refused(format!("{file}: cannot read it: {error}")))?;
        let key = checksum(text.as_bytes());
        if self.measurer.store.find_text("models", &key).is_none() {
            Model::parse(&text).map_err(|error| CliError::model(Path::new(file), &error))?;
            self.measurer.store.keep_text("models", &key, &text)?;
        }
        Ok(Some(StoredModel { key }))
    }

    /// Measures a model at the sizes of today.
    fn compared(&self, name: String, model: StoredModel) -> Result<Compared, CliError> {
        let question = &self.kernel.question;
        let misses = match self.measurer.misses(&model, question) {
            Ok(misses) => misses,
            Err(error) => match self.renamed(&model)? {
                Some(question) => self.measurer.misses(&model, &question).map_err(|error| of_revision(&name, error))?,
                None => return Err(of_revision(&name, error)),
            },
        };
        Ok(Compared { name, measured: KernelModel { model, misses } })
    }

    /// Returns the question with the names that parameters had before; `None` if that is not clear.
    fn renamed(&self, before: &StoredModel) -> Result<Option<KernelQuestion>, CliError> {
        let [before, now] = [self.measurer.load(before)?, self.measurer.load(&self.now.model)?];
        let [before, now] = [&before.on_one_thread().parameters, &now.on_one_thread().parameters];
        let renames: BTreeMap<&String, &String> = now.iter().zip(before).filter(|(now, old)| now != old).collect();
        let is_clear = before.len() == now.len() && renames.values().all(|old| !now.contains(old));
        if renames.is_empty() || !is_clear {
            return Ok(None);
        }
        let name = |name: &String| renames.get(name).map_or_else(|| name.clone(), |old| (*old).clone());
        let axis = |axis: &ParameterAxis| ParameterAxis {
            names: axis.names.iter().map(name).collect(),
            values: axis.values.clone(),
        };
        let sizes = self.kernel.question.sizes.iter().map(|grid| Grid::new(grid.axes().map(axis).collect())).collect();
        Ok(Some(KernelQuestion { sizes, ..self.kernel.question.clone() }))
    }
}

fn checksum_of(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| checksum(&bytes))
}

/// Returns the error that a model to compare with cannot be used.
fn of_revision(name: &str, error: CliError) -> CliError {
    let accept = "if this kernel cannot be compared with that one, accept it as it is now with `symloc check --update`";
    let text = match &error {
        CliError::Diagnostics(text) => text.clone(),
        CliError::Refused { message, hint: Some(hint) } => format!("error: {message}\nhelp: {hint}\n"),
        error => format!("error: {error}\n"),
    };
    CliError::Diagnostics(format!("in {name}: {}\nhelp: {accept}\n", text.trim_end()))
}
