//! Finds sizes of a program at which a cache has another miss ratio.
//!
//! From the size that is explained one parameter is halved repeatedly, and doubled a few times, while the others stay; then all
//! of them alike. At the first value at which the miss ratio is at most 2/3 or at least 3/2 of the original one, the distance to
//! the last value before is halved until the two are neighbours. A parameter that may be less than 1 is a flag or an offset, not
//! a size: it stays as it is. A miss ratio may go up and down with the size, so nothing is concluded about sizes that were not
//! tried.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use symloc_evaluate::{EvalError, Int, Prediction};
use symloc_model::NamedSizes;
use symloc_report::answers::explanation::{AxisChanges, RatioChange, RatioFactor, Tried};

use crate::answers::predictor::Predictor;
use crate::error::CliError;

/// The number of times that a parameter is doubled.
const DOUBLINGS: u32 = 4;
/// The distance within which sizes in the model's context are searched.
const STEPS: i64 = 64;

/// The misses of some caches at any size.
#[derive(Debug)]
pub struct OtherSizes<'e> {
    predictor: Predictor<'e>,
    caches: &'e [Int],
    line_bytes: Option<u64>,
    /// The size that is explained.
    here: Vec<(String, i64)>,
    known: RefCell<BTreeMap<Vec<i64>, Option<Rc<PointMisses>>>>,
}

#[derive(Debug)]
struct PointMisses {
    accesses: Int,
    /// In each cache.
    misses: Vec<Int>,
}

/// A sequence of sizes, given by the value of one of their parameters.
struct Way {
    /// The parameters that change.
    moving: Vec<usize>,
    /// The value at the size that is explained.
    origin: i64,
    /// The distance between values.
    step: i64,
}

impl<'e> OtherSizes<'e> {
    /// Starts at the size of a prediction, with caches in lines.
    pub fn new(predictor: Predictor<'e>, prediction: &Prediction, caches: &'e [Int]) -> Self {
        let place = prediction.place();
        let here =
            place.parameters.iter().filter_map(|(name, value)| Some((name.clone(), i64::try_from(*value).ok()?)));
        let (line_bytes, known) = (place.line_bytes, RefCell::default());
        Self { predictor, caches, line_bytes, here: here.collect(), known }
    }

    /// Returns the changes for a cache, by its position: along all parameters together, if there are several, and along each.
    ///
    /// # Errors
    ///
    /// Those of [`Predictor::predict`] at any size that is tried, except for sizes at which the model does not hold or
    /// that exceed a limit.
    pub fn axes(&self, cache: usize) -> Result<Vec<AxisChanges>, CliError> {
        let model = self.predictor.evaluator.model();
        let sizes: Vec<usize> = (0..self.here.len()).filter(|parameter| model.is_size(*parameter)).collect();
        let each: Vec<Vec<usize>> = sizes.iter().map(|parameter| vec![*parameter]).collect();
        let all = (sizes.len() > 1).then_some(sizes);
        let mut axes = Vec::new();
        for moving in all.into_iter().chain(each) {
            if let Some(way) = self.way(moving)? {
                axes.push(self.axis(&way, cache)?);
            }
        }
        Ok(axes)
    }

    /// Returns the sequence of values of some parameters for which the model was derived.
    fn way(&self, moving: Vec<usize>) -> Result<Option<Way>, CliError> {
        let origin = moving.iter().map(|parameter| self.here[*parameter].1).max().unwrap_or(1);
        let mut way = Way { moving, origin, step: 1 };
        while way.step <= STEPS {
            for value in [origin.saturating_sub(way.step), origin.saturating_add(way.step)] {
                if self.at(&way, value)?.is_some() {
                    return Ok(Some(way));
                }
            }
            way.step += 1;
        }
        Ok(None)
    }

    fn axis(&self, way: &Way, cache: usize) -> Result<AxisChanges, CliError> {
        let (mut changes, mut tried) = (Vec::new(), Vec::new());
        for values in [way.smaller(), way.larger()] {
            changes.extend(self.walk(way, &values, cache, &mut tried)?);
        }
        let names = way.moving.iter().map(|parameter| self.here[*parameter].0.clone()).collect();
        if !changes.is_empty() {
            tried.clear();
        }
        Ok(AxisChanges { names, changes, tried })
    }

    /// Returns the first change along some values.
    fn walk(
        &self,
        way: &Way,
        values: &[i64],
        cache: usize,
        tried: &mut Vec<Tried>,
    ) -> Result<Option<RatioChange>, CliError> {
        let mut without = way.origin;
        for value in values {
            let Some(point) = self.at(way, *value)? else { break };
            tried.push(self.tried(way, *value, &point, cache));
            if let Some(factor) = self.factor(&point, cache)? {
                return self.narrow(way, (without, *value), factor, cache);
            }
            without = *value;
        }
        Ok(None)
    }

    /// Halves the distance between a value without a change and one with it until they are neighbours.
    fn narrow(
        &self,
        way: &Way,
        (mut without, mut with): (i64, i64),
        factor: RatioFactor,
        cache: usize,
    ) -> Result<Option<RatioChange>, CliError> {
        loop {
            let middle = without + (with - without) / way.step / 2 * way.step;
            let Some(point) = self.at(way, middle)?.filter(|_| middle != without) else { break };
            match self.factor(&point, cache)? == Some(factor) {
                true => with = middle,
                false => without = middle,
            }
        }
        let tried = |value| Ok::<_, CliError>(self.at(way, value)?.map(|point| self.tried(way, value, &point, cache)));
        let (Some(with), Some(without)) = (tried(with)?, tried(without)?) else { return Ok(None) };
        Ok(Some(RatioChange { factor, with, without }))
    }

    /// Compares the miss ratio with the one that is explained.
    fn factor(&self, point: &PointMisses, cache: usize) -> Result<Option<RatioFactor>, CliError> {
        let here: Vec<i64> = self.here.iter().map(|(_, value)| *value).collect();
        let Some(here) = self.point(here)? else { return Ok(None) };
        // Both ratios, multiplied by both numbers of accesses.
        let (own, other) = (&here.misses[cache] * &point.accesses, &point.misses[cache] * &here.accesses);
        if own.is_zero() || point.accesses.is_zero() {
            return Ok(None);
        }
        let times = |ratio: &Int, factor: i64| ratio * &Int::from(factor);
        Ok(match (times(&other, 3) <= times(&own, 2), times(&other, 2) >= times(&own, 3)) {
            (true, _) => Some(RatioFactor::Less),
            (_, true) => Some(RatioFactor::More),
            _ => None,
        })
    }

    fn tried(&self, way: &Way, value: i64, point: &PointMisses, cache: usize) -> Tried {
        let names = self.here.iter().map(|(name, _)| name.clone());
        let sizes = names.zip(self.sizes(way, value).into_iter().map(i128::from)).collect();
        Tried { sizes, accesses: point.accesses.clone(), misses: point.misses[cache].clone() }
    }

    /// Returns the size for a value of a sequence: the moving parameters keep their proportions, up to rounding.
    fn sizes(&self, way: &Way, value: i64) -> Vec<i64> {
        let scaled = |size: i64| {
            let scaled = i128::from(size) * i128::from(value) / i128::from(way.origin.max(1));
            i64::try_from(scaled).unwrap_or(i64::MAX).max(1)
        };
        let size = |(parameter, (_, size)): (usize, &(String, i64))| match way.moving.contains(&parameter) {
            true => scaled(*size),
            false => *size,
        };
        self.here.iter().enumerate().map(size).collect()
    }

    fn at(&self, way: &Way, value: i64) -> Result<Option<Rc<PointMisses>>, CliError> {
        if value < 1 { Ok(None) } else { self.point(self.sizes(way, value)) }
    }

    /// Returns the misses at a size, which are remembered; `None` where the model does not hold.
    fn point(&self, sizes: Vec<i64>) -> Result<Option<Rc<PointMisses>>, CliError> {
        if let Some(known) = self.known.borrow().get(&sizes) {
            return Ok(known.clone());
        }
        let named: NamedSizes = self.here.iter().map(|(name, _)| name.clone()).zip(sizes.iter().copied()).collect();
        let point = match self.misses_at(&named) {
            Ok(point) => point.map(Rc::new),
            Err(EvalError::OutsideContext { .. } | EvalError::Limit { .. } | EvalError::TwoLines { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        self.known.borrow_mut().insert(sizes, point.clone());
        Ok(point)
    }

    /// Computes the misses at a size. `None` if the line size is a parameter that differs there, so that the caches have other
    /// lines.
    fn misses_at(&self, sizes: &NamedSizes) -> Result<Option<PointMisses>, EvalError> {
        let prediction = self.predictor.predict(sizes)?;
        if prediction.place().line_bytes != self.line_bytes {
            return Ok(None);
        }
        let misses = self.caches.iter().map(|lines| Ok(prediction.misses(lines)?.total()));
        let misses = misses.collect::<Result<_, EvalError>>()?;
        Ok(Some(PointMisses { accesses: prediction.accesses().clone(), misses }))
    }
}

impl Way {
    /// Returns the repeatedly halved values.
    fn smaller(&self) -> Vec<i64> {
        let halved = (1..i64::BITS).map(|times| self.origin >> times).take_while(|value| *value > 0);
        self.on_the_way(halved)
    }

    /// Returns the values doubled a few times.
    fn larger(&self) -> Vec<i64> {
        self.on_the_way((1..=DOUBLINGS).map_while(|times| self.origin.checked_mul(1 << times)))
    }

    /// Returns the nearest values on the sequence, towards the origin, each once.
    fn on_the_way(&self, values: impl Iterator<Item = i64>) -> Vec<i64> {
        let near = values.map(|value| self.origin + (value - self.origin) / self.step * self.step);
        let mut values: Vec<i64> = near.filter(|value| *value != self.origin).collect();
        values.dedup();
        values
    }
}
