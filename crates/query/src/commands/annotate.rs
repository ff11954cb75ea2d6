//! `annotate`: the lines of the source, with the misses of their accesses beside them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use symloc_model::Model;
use symloc_report::annotation::{AnnotatedFile, Annotation};
use symloc_report::attribution::FillRow;
use symloc_report::{MissModel, Terminal};

use super::attribution::{Fills, SizeAttribution};
use super::cache_in_lines::CacheInLines;
use crate::caches::{CacheArgs, single};
use crate::error::{CliError, ExitStatus};
use crate::options::{ModelArgs, SizeArgs};
use crate::output::tell;
use crate::source::{self, locate};

/// The options of `annotate`.
#[derive(Clone, Debug, Args)]
pub struct AnnotateArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// The source, if it is not where the model says; several, where its places lead to several files
    #[arg(value_name = "SOURCE")]
    sources: Vec<PathBuf>,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// Show only lines with accesses, and so many lines around them
    #[arg(long, value_name = "LINES")]
    context: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl AnnotateArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let (levels, note) = self.caches.fully_associative(|_| Ok(()))?;
        let caches = single(&levels)?;
        let line = levels.line(self.model.line_bytes)?;
        let evaluator = self.sizes.evaluator(&model, line)?;
        let prediction = evaluator.predict(MissModel::Denning, &self.sizes.sizes(&model)?)?;
        let line_bytes = prediction.place().line_bytes;
        let in_lines =
            caches.into_iter().map(|cache| CacheInLines::new(cache, line_bytes)).collect::<Result<Vec<_>, _>>()?;
        let at = SizeAttribution::new(&model, &evaluator, &prediction)?;
        let Fills { levels: filled, by_access, .. } = at.fills(MissModel::Denning.into(), &in_lines)?;
        let files = self.files(&model, at.rows(by_access))?;
        let annotation = Annotation { header: at.header, levels: filled, files };
        match self.json {
            true => annotation.write_json(out)?,
            false => annotation.write_text(out, self.context, Terminal::of_stdout())?,
        }
        out.flush()?;
        note.iter().for_each(|note| tell("note", note));
        Ok(ExitStatus::Success)
    }

    /// Groups the accesses by file and line; the model's own source comes first.
    fn files<'m>(&self, model: &'m Model, rows: Vec<FillRow<'m>>) -> Result<Vec<AnnotatedFile<'m>>, CliError> {
        let mut files: BTreeMap<Option<&str>, BTreeMap<u32, Vec<FillRow<'m>>>> = BTreeMap::new();
        for row in rows {
            let Some((_, access)) = row.subject.access() else { continue };
            files.entry(access.file.as_deref()).or_default().entry(access.line).or_default().push(row);
        }
        let names: Vec<&str> = files.keys().map(|file| file.unwrap_or(&model.source)).collect();
        self.refuse_unknown(&names)?;
        let single = names.len() == 1;
        let file = |(file, rows): (Option<&str>, BTreeMap<u32, Vec<FillRow<'m>>>)| {
            let name = file.unwrap_or(&model.source);
            let accesses = rows.values().flatten().filter_map(|row| Some(row.subject.access()?.1));
            let places = accesses.map(|access| (access.line, access.column));
            let source = source::read(model, name, &locate(name, single, &self.sources), places)?;
            Ok(AnnotatedFile { source, rows })
        };
        files.into_iter().map(file).collect()
    }

    /// Refuses a source file in which the model has no accesses.
    fn refuse_unknown(&self, names: &[&str]) -> Result<(), CliError> {
        let known = |path: &&PathBuf| names.iter().any(|name| Path::new(name).file_name() == path.file_name());
        let single = names.len() == 1 && self.sources.len() == 1;
        match self.sources.iter().find(|path| !single && !known(path)) {
            None => Ok(()),
            Some(unknown) => Err(CliError::with_hint(
                format!("{}: the model has no accesses in a file of this name", unknown.display()),
                format!("it has some in {}", names.join(", ")),
            )),
        }
    }
}
