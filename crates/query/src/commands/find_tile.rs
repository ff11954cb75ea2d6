//! `find-tile`: the tile size with which a cache misses least.
//!
//! Misses are no simple function of the tile: the last tile of each loop is as long as a remainder. So every value is evaluated, up to
//! the first that holds the largest size that is divided into tiles, and the answer is that of an exhaustive search. Then each size grows by one as
//! long as no other tile has fewer misses.

use std::io::Write;

use clap::Args;
use symloc_model::Model;
use symloc_report::answers::found_tiles::{FoundTile, FoundTiles};
use symloc_report::answers::{AnswerCount, Answers};
use symloc_report::{AnswerHeader, MissModel, miss_model};

use crate::answers::cache_in_lines::CacheInLines;
use crate::answers::tiles::{TileAxis, TileSearch, is_tiled, named, tile_axes, tile_names};
use crate::error::{CliError, ExitStatus};
use crate::options::caches::CacheArgs;
use crate::options::grid::{ParameterAxis, Point};
use crate::options::{FormatArgs, GridArgs, ModelArgs, SizeArgs};
use crate::output::tell;

/// The most evaluations for sizes that grow.
const GROWTH: u64 = 20_000;

/// The options of `find-tile`.
#[derive(Clone, Debug, Args)]
pub struct FindTileArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    caches: CacheArgs,
    /// The prediction of misses: lru by default, where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    grid: GridArgs,
}

impl FindTileArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let (levels, note) = self.caches.fully_associative(|caches| self.grid.check(caches))?;
        let line = levels.line(self.model.line_bytes)?;
        let miss_model = MissModel::choose(self.miss_model, &model, line)?;
        let evaluator = self.sizes.evaluator(&model, line)?;
        let (sizes, given) = axes(&model, self.sizes.grid(&model)?.axes().cloned().collect())?;
        let point: Point = sizes.iter().flat_map(|axis| named(axis, axis.values.iter().next())).collect();
        let tiles = tile_axes(&model, &point, given)?;
        self.grid.check(tiles.iter().fold(1, |all: u128, axis| all.saturating_mul(axis.count())))?;
        let search = TileSearch { model: &model, evaluator: &evaluator, miss_model, tiles: &tiles };
        let mut header = AnswerHeader::of_prediction(&model, &search.first(&point)?);
        header.parameters.retain(|(name, _)| tiles.iter().all(|axis| !axis.names().contains(name)));
        let caches: Vec<CacheInLines> =
            levels.caches().map(|cache| CacheInLines::new(cache, header.line_bytes)).collect::<Result<_, _>>()?;
        let lines = caches.iter().map(CacheInLines::fully_associative).collect::<Result<Vec<_>, _>>()?;
        let (best, lines_of_all) = (search.best(&point, &lines)?, lines.len());
        let growing: Vec<_> =
            sizes.iter().filter(|axis| axis.names.iter().any(|name| is_tiled(&model, name))).collect();
        let found = caches.into_iter().zip(best.by_cache).filter_map(|(cache, best)| Some((cache, best?)));
        let found = found.map(|(CacheInLines { name, capacity, lines, .. }, (tiles, misses))| {
            let each = self.grid.limit().min(GROWTH) / (growing.len() * lines_of_all).max(1) as u64;
            let best_up_to = growing.iter().map(|axis| search.up_to(axis, &point, lines, &tiles, each));
            let best_up_to = best_up_to.collect::<Result<_, CliError>>()?;
            let tiles = tiles.into_iter().map(i128::from).collect();
            Ok(FoundTile { name, capacity, lines, tiles, misses, best_up_to })
        });
        let caches = found.collect::<Result<_, CliError>>()?;
        let tried = tiles.iter().map(TileAxis::tried);
        let mut answers = Answers::new(out, self.format.format(), AnswerCount::One);
        let tried = tried.collect();
        answers.push(FoundTiles { header, miss_model, tried, left_out: best.left_out, caches })?;
        answers.finish()?;
        note.iter().for_each(|note| tell("note", note));
        Ok(ExitStatus::Success)
    }
}

/// Divides axes into those of single sizes and those of tiles that have several values.
fn axes(model: &Model, all: Vec<ParameterAxis>) -> Result<(Vec<ParameterAxis>, Vec<ParameterAxis>), CliError> {
    let tiles = tile_names(model);
    if tiles.is_empty() {
        return Err(CliError::with_hint(
            "this model has no tile size that is a parameter",
            "derive it with --tile NAME, where a loop goes in steps of NAME",
        ));
    }
    let (ranges, single): (Vec<_>, Vec<_>) = all.into_iter().partition(|axis| axis.values.single().is_none());
    match ranges.iter().find(|axis| !axis.names.iter().all(|name| tiles.contains(&name))) {
        None => Ok((single, ranges)),
        Some(axis) => Err(CliError::with_hint(
            format!("a range of {}: one size is asked about", axis.names.join(" = ")),
            "give it one value; tile sizes may have ranges",
        )),
    }
}
