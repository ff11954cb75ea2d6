//! `annotate`: the lines of the source, with the misses of their accesses beside them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use symloc_machine::CacheRange;
use symloc_model::Model;
use symloc_report::answers::annotation::{AnnotatedFile, Annotation};
use symloc_report::answers::attribution::FillRow;
use symloc_report::subject::RowsBy;
use symloc_report::{MissModel, Terminal};

use crate::answers::attribution::{Fills, SizeAttribution};
use crate::answers::cache_in_lines::CacheInLines;
use crate::answers::formulas::tables::TablesAbout;
use crate::answers::module_attributes::{AccessNumbers, ModuleFacts, NumbersOfAccess};
use crate::error::{CliError, ExitStatus};
use crate::options::caches::{CacheArgs, single};
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
    /// Print the module in MLIR that the model was derived from, with attributes on its loops and accesses; sizes and caches
    /// may be left out
    #[arg(long, conflicts_with_all = ["json", "context"])]
    pub mlir: bool,
}

impl AnnotateArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.mlir {
            return Err(CliError::with_hint("--mlir: this program does not read MLIR", "use the program `symloc`"));
        }
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

    /// Returns the model, and the path of the source, which is the text that the model was derived from.
    ///
    /// # Errors
    ///
    /// A refusal if the model cannot be read, or if the source has changed.
    pub fn model_and_source(&self) -> Result<(Arc<Model>, PathBuf), CliError> {
        let model = self.model.load()?;
        let path = locate(&model.source, true, &self.sources);
        source::read(&model, &model.source, &path, std::iter::empty())?;
        Ok((model, path))
    }

    /// Returns true if numbers are wanted and no caches are given: sizes are, or the model needs none.
    pub fn lacks_caches(&self, model: &Model) -> bool {
        self.caches.is_empty() && (self.sizes.are_given() || model.parameters.is_empty())
    }

    /// Returns the facts about the accesses that become attributes of MLIR; `target` are the caches where none is given.
    ///
    /// # Errors
    ///
    /// A refusal if there are neither formulas nor numbers.
    pub fn facts(&self, model: Arc<Model>, target: Vec<CacheRange>) -> Result<ModuleFacts, CliError> {
        let caches = self.caches.or(target);
        let about = TablesAbout { choice: self.model.line(), miss_model: MissModel::Denning, operations: false };
        let numbers = match caches.is_empty() {
            true => None,
            false => Some(self.numbers(&model, &caches)?),
        };
        let formulas = match about.shares(Arc::clone(&model), RowsBy::Access) {
            Ok(formulas) => Some(formulas),
            Err(error) if numbers.is_none() => return Err(error),
            Err(error) => {
                tell("note", &format!("there are no formulas: {error}"));
                None
            }
        };
        Ok(ModuleFacts { model, formulas, numbers })
    }

    /// Returns the numbers of each access at the given size, in some caches.
    fn numbers(&self, model: &Model, caches: &CacheArgs) -> Result<AccessNumbers, CliError> {
        let (levels, note) = caches.fully_associative(|_| Ok(()))?;
        let evaluator = self.sizes.evaluator(model, levels.line(self.model.line_bytes)?)?;
        let prediction = evaluator.predict(MissModel::Denning, &self.sizes.sizes(model)?)?;
        let line_bytes = prediction.place().line_bytes;
        let caches = single(&levels)?.into_iter().map(|cache| CacheInLines::new(cache, line_bytes));
        let caches = caches.collect::<Result<Vec<_>, _>>()?;
        let at = SizeAttribution::new(model, &evaluator, &prediction)?;
        let Fills { levels, by_access, .. } = at.fills(MissModel::Denning.into(), &caches)?;
        note.iter().for_each(|note| tell("note", note));
        let of_row = |row: FillRow<'_>| NumbersOfAccess {
            executions: row.accesses,
            first_touches: row.first_touches,
            misses: row.fills.into_iter().map(|fill| fill.misses.value).collect(),
        };
        Ok(AccessNumbers {
            sizes: prediction.place().parameters.clone(),
            caches: levels.iter().map(|level| level.lines).collect(),
            by_access: at.rows(by_access).into_iter().map(of_row).collect(),
        })
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
