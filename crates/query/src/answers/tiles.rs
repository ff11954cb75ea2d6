//! The search for the tile size with which a cache misses least, among all values.

use num_bigint::BigInt;
use symloc_evaluate::{EvalError, Evaluator, Int, Misses, Prediction};
use symloc_machine::ranges::product;
use symloc_model::{LineCount, Model, NamedSizes};
use symloc_quasi::{Poly, Relation, Var};
use symloc_report::MissModel;
use symloc_report::answers::found_tiles::{BestUpTo, TriedTiles};

use crate::error::CliError;
use crate::options::grid::{ParameterAxis, Point};
use crate::progress::{Progress, ProgressBarUse};

/// Returns parameters with a value.
pub(crate) fn named(axis: &ParameterAxis, value: Option<i128>) -> Point {
    let value = value.and_then(|value| i64::try_from(value).ok());
    axis.names.iter().filter_map(|name| Some((name.clone(), value?))).collect()
}

/// Returns the names of the parameters that are tile sizes.
pub(crate) fn tile_names(model: &Model) -> Vec<&String> {
    let mut names: Vec<&String> = Vec::new();
    for count in model.tiled() {
        names.extend(model.parameters.get(count.by).filter(|name| !names.contains(name)));
    }
    names
}

/// Returns true if a size is divided into tiles.
pub(crate) fn is_tiled(model: &Model, name: &str) -> bool {
    model.tiled().any(|count| model.parameters.get(count.of).is_some_and(|size| size == name))
}

/// A tile size, or several equal ones, and its values.
pub(crate) struct TileAxis {
    names: Vec<String>,
    values: TileValues,
}

#[derive(Clone, Debug)]
enum TileValues {
    Given(Vec<i64>),
    /// From the least that the model allows up to the first that holds the largest size that is divided.
    All {
        least: i64,
        largest: i64,
    },
}

/// Returns the tile sizes to search: those with ranges, and those that are not given.
pub(crate) fn tile_axes(model: &Model, point: &Point, given: Vec<ParameterAxis>) -> Result<Vec<TileAxis>, CliError> {
    let as_given = |axis: ParameterAxis| {
        let values = axis.values.iter().filter_map(|value| i64::try_from(value).ok()).collect();
        TileAxis { names: axis.names, values: TileValues::Given(values) }
    };
    let mut axes: Vec<TileAxis> = given.into_iter().map(as_given).collect();
    let known = |name: &String, axes: &[TileAxis]| {
        point.iter().any(|(given, _)| given == name) || axes.iter().any(|axis| axis.names.contains(name))
    };
    for name in tile_names(model) {
        if !known(name, &axes) {
            axes.push(TileAxis { names: vec![name.clone()], values: all_values(model, name, point) });
        }
    }
    match axes.is_empty() {
        false => Ok(axes),
        true => Err(CliError::with_hint(
            "all tile sizes are given",
            "leave out the one that is looked for, or give it a range: -D T=8..512:+8",
        )),
    }
}

/// The numbers among which one is looked for that is a multiple of what tiles have to be multiples of.
const MOST_BETWEEN: i64 = 4096;

fn variable_of(parameter: usize) -> Var {
    Var(parameter as u32)
}

/// Returns all values of a tile size that make a difference at these sizes.
fn all_values(model: &Model, name: &str, point: &Point) -> TileValues {
    let tile = model.parameters.iter().position(|known| known == name).unwrap_or_default();
    let of = |count: &&LineCount| count.by == tile;
    let sizes = model.tiled().filter(of).filter_map(|count| model.parameters.get(count.of));
    let value = |size: &String| point.iter().find(|(name, _)| name == size).map(|(_, value)| *value);
    let largest = sizes.filter_map(value).max().unwrap_or(1);
    let variable = Poly::var(variable_of(tile));
    let least = model.context.iter().filter(|condition| condition.relation == Relation::NonNegative).filter_map(|c| {
        let least = (&variable - &c.poly).as_constant().filter(|least| least.is_integer())?;
        i64::try_from(least.to_integer()).ok()
    });
    let least = least.max().unwrap_or(1).max(1);
    let largest = largest.max(least);
    // One tile of all iterations may be a little larger, where tiles are multiples of a number.
    let own: Vec<_> =
        model.context.iter().filter(|c| c.poly.vars().iter().all(|var| *var == variable_of(tile))).collect();
    let is_allowed = |value: &i64| own.iter().all(|c| c.holds_at(&vec![BigInt::from(*value); tile + 1]));
    let whole = (largest..=largest.saturating_add(MOST_BETWEEN)).find(is_allowed);
    TileValues::All { least, largest: whole.unwrap_or(largest) }
}

impl TileAxis {
    /// Returns the parameters, which are equal.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the values at some sizes.
    fn values(&self) -> Vec<i64> {
        match &self.values {
            TileValues::Given(values) => values.clone(),
            TileValues::All { least, largest } => (*least..=*largest).collect(),
        }
    }

    /// Returns the number of values.
    pub(crate) fn count(&self) -> u128 {
        match &self.values {
            TileValues::Given(values) => values.len() as u128,
            TileValues::All { least, largest } => u128::from(largest.abs_diff(*least)) + 1,
        }
    }

    /// Returns the values for an answer.
    pub(crate) fn tried(&self) -> TriedTiles {
        let values = self.values();
        let end = |value: Option<&i64>| i128::from(value.copied().unwrap_or_default());
        TriedTiles {
            names: self.names.clone(),
            count: self.count(),
            ends: [end(values.iter().min()), end(values.iter().max())],
        }
    }
}

/// The tile sizes, and their misses.
type Best = (Vec<i64>, Misses);

/// The outcome of a search.
pub(crate) struct BestTiles {
    /// For each cache, if the model holds for any tiles.
    pub(crate) by_cache: Vec<Option<Best>>,
    /// The number of combinations for which the model does not hold.
    pub(crate) left_out: u128,
}

impl BestTiles {
    /// Takes the tiles for those caches in which they have the fewest misses so far.
    fn take(&mut self, tiles: &[i64], prediction: &Prediction, lines: &[u64]) -> Result<(), EvalError> {
        for (best, lines) in self.by_cache.iter_mut().zip(lines) {
            let misses = prediction.misses(&Int::from(*lines))?;
            if best.as_ref().is_none_or(|(_, least)| misses.total() < least.total()) {
                *best = Some((tiles.to_vec(), misses));
            }
        }
        Ok(())
    }
}

/// A search among all values of the tile sizes.
pub(crate) struct TileSearch<'s> {
    pub(crate) model: &'s Model,
    pub(crate) evaluator: &'s Evaluator<'s>,
    pub(crate) miss_model: MissModel,
    pub(crate) tiles: &'s [TileAxis],
}

/// The parameters of a model, and those of its tiles, at one size and one tile.
fn at(point: &Point, tiles: &[TileAxis], values: &[i64]) -> NamedSizes {
    let tiles = tiles.iter().zip(values);
    let tiles = tiles.flat_map(|(axis, value)| axis.names.iter().map(move |name| (name.clone(), *value)));
    point.iter().cloned().chain(tiles).collect()
}

/// Returns all combinations of values, the last tile size fastest.
fn combinations(tiles: &[TileAxis]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let values: Vec<Vec<i64>> = tiles.iter().map(TileAxis::values).collect();
    let lengths: Vec<usize> = values.iter().map(Vec::len).collect();
    product(&lengths).map(move |indices| indices.iter().zip(&values).map(|(index, values)| values[*index]).collect())
}

impl TileSearch<'_> {
    /// Returns the prediction at a size with some tiles; `None` if the model does not hold there.
    fn predict(&self, point: &Point, values: &[i64]) -> Result<Option<Prediction>, EvalError> {
        match self.evaluator.predict(self.miss_model, &at(point, self.tiles, values)) {
            Ok(prediction) => Ok(Some(prediction)),
            Err(EvalError::OutsideContext { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the prediction with the first tile for which the model holds.
    ///
    /// # Errors
    ///
    /// If it holds for none, or an evaluation fails.
    pub(crate) fn first(&self, point: &Point) -> Result<Prediction, CliError> {
        let mut refused = None;
        for values in combinations(self.tiles) {
            match self.evaluator.predict(self.miss_model, &at(point, self.tiles, &values)) {
                Err(error @ EvalError::OutsideContext { .. }) => refused = refused.or(Some(error)),
                other => return Ok(other?),
            }
        }
        Err(refused.map_or_else(|| CliError::refused("there is no tile size to try"), CliError::from))
    }

    /// Returns the tiles with the fewest misses in caches of so many lines each, the first of several.
    ///
    /// # Errors
    ///
    /// If an evaluation fails.
    pub(crate) fn best(&self, point: &Point, lines: &[u64]) -> Result<BestTiles, CliError> {
        let count = self.tiles.iter().map(TileAxis::count).product();
        let mut progress = Progress::start(count, ProgressBarUse::Shown);
        let mut found = BestTiles { by_cache: vec![None; lines.len()], left_out: 0 };
        for values in combinations(self.tiles) {
            match self.predict(point, &values)? {
                Some(prediction) => found.take(&values, &prediction, lines)?,
                None => found.left_out += 1,
            }
            progress.step();
        }
        Ok(found)
    }

    /// Returns how far a size may grow while no other tile has fewer misses in a cache of so many lines, as far as so many
    /// evaluations tell.
    ///
    /// # Errors
    ///
    /// If an evaluation fails.
    pub(crate) fn up_to(
        &self,
        axis: &ParameterAxis,
        point: &Point,
        lines: u64,
        tiles: &[i64],
        mut evaluations: u64,
    ) -> Result<BestUpTo, CliError> {
        let first = axis.values.iter().next().and_then(|value| i64::try_from(value).ok()).unwrap_or_default();
        let found = |value: i64, is_limit| BestUpTo { names: axis.names.clone(), value: value.into(), is_limit };
        for value in first.. {
            let next = value.saturating_add(1);
            let grown: Point = point
                .iter()
                .map(|(name, old)| (name.clone(), if axis.names.contains(name) { next } else { *old }))
                .collect();
            match self.is_best(&grown, lines, tiles, &mut evaluations)? {
                Some(true) => {}
                Some(false) => return Ok(found(value, false)),
                None => return Ok(found(value, true)),
            }
        }
        Ok(found(i64::MAX, true))
    }

    /// Returns true if no tile has fewer misses; `None` if there are no evaluations left to tell.
    fn is_best(&self, point: &Point, lines: u64, tiles: &[i64], left: &mut u64) -> Result<Option<bool>, CliError> {
        let lines = Int::from(lines);
        let Some(own) = self.predict(point, tiles)? else { return Ok(Some(false)) };
        let own = own.misses(&lines)?.total();
        // Values near by are better most often.
        let distance = |values: &Vec<i64>| values.iter().zip(tiles).map(|(a, b)| a.abs_diff(*b)).max();
        let all = grown(self.model, self.tiles, point);
        let mut others: Vec<Vec<i64>> = combinations(&all).filter(|values| values != tiles).collect();
        others.sort_by_key(distance);
        for values in others {
            let Some(fewer) = left.checked_sub(1) else { return Ok(None) };
            *left = fewer;
            let Some(other) = self.predict(point, &values)? else { continue };
            if other.misses(&lines)?.total() < own {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }
}

/// Returns the tile sizes with all their values at other sizes.
fn grown(model: &Model, tiles: &[TileAxis], point: &Point) -> Vec<TileAxis> {
    let axis = |axis: &TileAxis| {
        let values = match (&axis.values, axis.names.first()) {
            (TileValues::All { .. }, Some(name)) => all_values(model, name, point),
            (values, _) => values.clone(),
        };
        TileAxis { names: axis.names.clone(), values }
    };
    tiles.iter().map(axis).collect()
}
