//! `explain`: states in sentences which accesses miss in a cache, why, and which changes would matter.

use std::io::Write;

use clap::Args;
use symloc_evaluate::Int;
use symloc_machine::NamedCache;
use symloc_report::answers::explanation::Asked;
use symloc_report::{MissModel, Terminal, miss_model};

use crate::answers::cache_in_lines::CacheInLines;
use crate::answers::explain::explain;
use crate::answers::explain::threads::ThreadPart;
use crate::answers::predictor::Predictor;
use crate::error::{CliError, ExitStatus};
use crate::options::caches::{CacheArgs, single};
use crate::options::{ModelArgs, SizeArgs};
use crate::output::tell;

/// The options of `explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// How misses are predicted: lru by default, where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    /// Print one JSON object: each sentence with the question behind each of its numbers
    #[arg(long)]
    json: bool,
}

impl ExplainArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let in_file = self.model.source.load_with_threads()?;
        let model = in_file.on_one_thread();
        let (levels, note) = self.caches.fully_associative(|_| Ok(()))?;
        let caches = single(&levels)?;
        let line = levels.line(self.model.line_bytes)?;
        let miss_model = MissModel::choose(self.miss_model, &model, line)?;
        let evaluator = self.sizes.evaluator(&model, line)?;
        let sizes = self.sizes.sizes(&model)?;
        let prediction = evaluator.predict(miss_model, &sizes)?;
        let of_threads = in_file.threads.as_ref().map(|_| self.sizes.evaluator(&in_file, line)).transpose()?;
        let part = of_threads.as_ref().map(|evaluator| ThreadPart { evaluator, sizes: &sizes, miss_model });
        let asked = |cache: &NamedCache| {
            let in_lines = CacheInLines::new(cache, prediction.place().line_bytes)?;
            Ok(Asked { name: cache.name.clone(), lines: Int::from(in_lines.fully_associative()?) })
        };
        let asked = caches.into_iter().map(asked).collect::<Result<Vec<_>, CliError>>()?;
        let explanation = explain(&model, Predictor { evaluator: &evaluator, miss_model }, &prediction, part, &asked)?;
        match self.json {
            true => explanation.write_json(out)?,
            false => explanation.write_text(out, Terminal::of_stdout().map(|terminal| terminal.width))?,
        }
        out.flush()?;
        note.iter().for_each(|note| tell("note", note));
        Ok(ExitStatus::Success)
    }
}
