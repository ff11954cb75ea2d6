//! The check of all kernels, side by side.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use symloc_model::LineChoice;
use symloc_query::CliError;
use symloc_report::answers::check::{CheckResult, CheckRule, CheckedAnswer, Finding};

use crate::baseline::{BaselineSearch, KnownRevision, accepted_file};
use crate::config::{Baseline, CheckedKernel};
use crate::derive::Deriver;
use crate::judge::{Judge, KernelModel, improvement};
use crate::measurement::Measurer;
use crate::tree::folder::WorkingFolder;

/// Checks kernels.
#[derive(Debug)]
pub(crate) struct KernelChecker<'r> {
    pub(crate) folder: &'r WorkingFolder,
    pub(crate) revisions: &'r BTreeMap<String, KnownRevision<'r>>,
    pub(crate) deriver: &'r Deriver<'r>,
    pub(crate) measurer: &'r Measurer<'r>,
}

impl KernelChecker<'_> {
    /// Checks kernels, so many at once; the answers are in their order.
    pub(crate) fn check_all(&self, kernels: &[&CheckedKernel], jobs: NonZeroUsize) -> Vec<CheckedAnswer> {
        on_threads(kernels, jobs, |kernel| {
            let result = self.check(kernel).unwrap_or_else(|error| CheckResult::Unchecked(text_of(&error)));
            CheckedAnswer { name: kernel.name.clone(), file: kernel.source.file.clone(), line: kernel.place.0, result }
        })
    }

    /// Accepts kernels as they are: writes the models of those that are compared with models, and of those that are worse than a
    /// revision. Returns the files that have changed.
    pub(crate) fn accept_all(&self, kernels: &[&CheckedKernel], jobs: NonZeroUsize) -> Result<Vec<String>, CliError> {
        let written = on_threads(kernels, jobs, |kernel| self.accept(kernel));
        let written = written.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(written.into_iter().flatten().collect())
    }

    fn check(&self, kernel: &CheckedKernel) -> Result<CheckResult, CliError> {
        let now = self.measured(kernel)?;
        let search = self.search(kernel, &now);
        let (compared, mut remarks) = search.find(self.revisions)?;
        let judge = Judge { kernel, measurer: self.measurer, now: &now, compared: &compared };
        let findings = judge.findings()?;
        if !findings.is_empty() {
            return Ok(CheckResult::Failed(findings));
        }
        remarks.extend(compared.first().and_then(|before| improvement(&kernel.question, before, &now)));
        Ok(CheckResult::Holds(remarks))
    }

    fn accept(&self, kernel: &CheckedKernel) -> Result<Option<String>, CliError> {
        let is_accepted = match &kernel.requirements.baseline {
            None => true,
            Some(Baseline::Committed | Baseline::File(_)) => false,
            Some(Baseline::Revision(_)) => match self.check(kernel) {
                Ok(CheckResult::Failed(findings)) => !findings.iter().any(is_comparison),
                Ok(_) => true,
                // The kernel in the revision cannot be compared with.
                Err(_) => false,
            },
        };
        if is_accepted {
            return Ok(None);
        }
        let name = accepted_file(kernel);
        let path = self.folder.root().join(&name);
        // The answer that follows says why a kernel cannot be measured.
        let Ok(KernelModel { model, .. }) = self.measured(kernel) else { return Ok(None) };
        let text = self.measurer.store.find_text("models", &model.key).unwrap_or_default();
        if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
            return Ok(None);
        }
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| CliError::refused(format!("{name}: cannot write it: {error}")))?;
        Ok(Some(name))
    }

    fn search<'k>(&'k self, kernel: &'k CheckedKernel, now: &'k KernelModel) -> BaselineSearch<'k> {
        BaselineSearch { kernel, deriver: self.deriver, measurer: self.measurer, line_bytes: line_bytes(kernel), now }
    }

    /// Returns the kernel as it is, measured.
    fn measured(&self, kernel: &CheckedKernel) -> Result<KernelModel, CliError> {
        let path = self.folder.root().join(&kernel.source.file);
        if !path.is_file() {
            return Err(CliError::refused(format!("{}: there is no such file", kernel.source.file)));
        }
        let model = self.deriver.model(&kernel.source, line_bytes(kernel), self.folder)?;
        let misses = self.measurer.misses(&model, &kernel.question)?;
        Ok(KernelModel { model, misses })
    }
}

fn is_comparison(finding: &Finding) -> bool {
    finding.rule == CheckRule::NotWorseThan
}

/// Returns the line size that the caches of a kernel name, unless its options give one.
fn line_bytes(kernel: &CheckedKernel) -> Option<u64> {
    let is_given = |option: &String| option.starts_with("--line") || option == "--element";
    match kernel.question.levels.line(None) {
        Ok(LineChoice::Bytes(bytes)) if !kernel.source.options.iter().any(is_given) => Some(bytes),
        _ => None,
    }
}

/// Returns the text of an error, as it is for a single command.
fn text_of(error: &CliError) -> String {
    match error {
        CliError::Diagnostics(text) => text.clone(),
        CliError::Refused { message, hint: Some(hint) } => format!("error: {message}\nhelp: {hint}"),
        error => format!("error: {error}"),
    }
}

/// Returns the results for some items, in their order, which are computed by so many threads.
fn on_threads<T: Sync, R: Send>(items: &[T], jobs: NonZeroUsize, compute: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, R)>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(items.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    let result = compute(item);
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, result)| result).collect()
}
