//! Predictions of models for one kernel, in the caches of the study.
//!
//! - *Denning*: the program is derived, and queried as by `symloc query`.
//! - *LRU*: derived with the reuse distances of `derive --exact`; with ways, by Smith's estimate.
//! - *By phase*: Denning's recursion for each top-level nest as a program by itself, for reuses within it; reuses between nests
//!   by the recursion over the whole program.
//! - *Without imaginary reuse*: Denning's recursion in which a first touch has no interval, or an infinite one.

use symloc_affine::{AccessId, Line, Node, Program};
use symloc_evaluate::{Bin, Distribution, Evaluator, Int, MissModel, Misses, Prediction, Sets, WholeCurve};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_verify::named;

use super::kernels::Sized;
use super::measure::{Measurement, bins};
use super::{ABLATION, LINE_BYTES, SIZES, WAYS};
use crate::{BoxedError, model};

/// Misses by one model, in the caches of [`SIZES`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Predicted {
    pub(crate) full: Vec<u64>,
    pub(crate) ways: Vec<u64>,
}

/// Misses in a fully associative cache of [`ABLATION`] bytes.
#[derive(Clone, Debug)]
pub(crate) struct Ablation {
    /// With the imaginary intervals of first touches.
    pub(crate) imaginary: u64,
    /// With first touches left out of the recursion.
    pub(crate) ignored: u64,
    /// With first touches as infinite intervals.
    pub(crate) infinite: u64,
}

/// The predictions of all models.
#[derive(Clone, Debug)]
pub(crate) struct Predictions {
    pub(crate) denning: Predicted,
    pub(crate) phases: Predicted,
    pub(crate) lru: Predicted,
    /// The number of reuses that are judged by their interval in `lru`, because the model does not hold their distance.
    pub(crate) estimated: u64,
    pub(crate) ablation: Ablation,
    /// Denning's window for each of [`SIZES`]; `None` where all windows fit.
    pub(crate) windows: Vec<Option<u64>>,
}

/// Predicts a program that was measured. Its derived intervals and distances must be those of the trace.
pub(crate) fn predict(sized: &Sized, measurement: &Measurement) -> Result<Predictions, BoxedError> {
    let model = model::derive(&sized.program, Line::Bytes(LINE_BYTES), true, &|_| ())?;
    let (evaluator, sizes) = (evaluator(&model)?, named(&model, &sized.sizes));
    let (denning, lru) = (evaluator.predict(MissModel::Denning, &sizes)?, evaluator.predict(MissModel::Lru, &sizes)?);
    let distribution = evaluator.distribution(MissModel::Denning, &sizes)?;
    check(&distribution, measurement)?;
    check_distances(&evaluator, &sizes, &lru, measurement)?;
    let phases = phases(&sized.program)?;
    let phases: Vec<_> =
        phases.iter().map(|phase| intervals(phase, &sized.sizes)).collect::<Result<_, BoxedError>>()?;
    let windows = SIZES.iter().map(|bytes| denning.window(&Int::from(bytes / LINE_BYTES)));
    Ok(Predictions {
        denning: by_prediction(&denning)?,
        phases: by_phase(&distribution, &phases)?,
        lru: by_prediction(&lru)?,
        estimated: word(&lru.estimated())?,
        ablation: ablation(&distribution)?,
        windows: windows.map(|window| window?.map(|x| word(&x)).transpose()).collect::<Result<_, _>>()?,
    })
}

/// Returns the misses by LRU alone, and the number of estimated reuses.
pub(crate) fn lru(sized: &Sized) -> Result<(Predicted, u64), BoxedError> {
    let model = model::derive(&sized.program, Line::Bytes(LINE_BYTES), true, &|_| ())?;
    let lru = evaluator(&model)?.predict(MissModel::Lru, &named(&model, &sized.sizes))?;
    Ok((by_prediction(&lru)?, word(&lru.estimated())?))
}

fn by_prediction(prediction: &Prediction) -> Result<Predicted, BoxedError> {
    each(|lines, sets| match sets {
        None => total(&prediction.misses(&lines.into())?),
        Some(sets) => total(&prediction.misses_in_sets(sets)?),
    })
}

fn evaluator(model: &Model) -> Result<Evaluator<'_>, BoxedError> {
    Ok(Evaluator::new(model, LineChoice::Only)?.with_limit(u64::MAX))
}

/// Returns the reuse intervals of a program.
fn intervals(program: &Program, values: &[i64]) -> Result<Distribution, BoxedError> {
    let model = model::derive(program, Line::Bytes(LINE_BYTES), false, &|_| ())?;
    Ok(evaluator(&model)?.distribution(MissModel::Denning, &named(&model, values))?)
}

/// Computes a value for each cache of the study.
fn each(mut misses: impl FnMut(u64, Option<&Sets>) -> Result<u64, BoxedError>) -> Result<Predicted, BoxedError> {
    let mut predicted = Predicted::default();
    for lines in SIZES.map(|bytes| bytes / LINE_BYTES) {
        let sets = Sets::new(lines, WAYS).ok_or("a cache of the study has no whole sets")?;
        predicted.full.push(misses(lines, None)?);
        predicted.ways.push(misses(lines, Some(&sets))?);
    }
    Ok(predicted)
}

fn word(value: &Int) -> Result<u64, BoxedError> {
    let word = value.to_i128().and_then(|value| u64::try_from(value).ok());
    word.ok_or_else(|| format!("{value} is too large for the study").into())
}

fn total(misses: &Misses) -> Result<u64, BoxedError> {
    word(&misses.total())
}

fn check(derived: &Distribution, measured: &Measurement) -> Result<(), BoxedError> {
    let intervals = measured.intervals();
    let imaginary = bins(measured.imaginary.iter().copied());
    match derived.real == intervals && derived.imaginary == imaginary {
        true => Ok(()),
        false => Err("the derived intervals are not those of the trace".into()),
    }
}

/// Checks that the distances, and the misses in every cache of the study, are those of the trace, if no distance is estimated.
fn check_distances(
    evaluator: &Evaluator<'_>,
    sizes: &NamedSizes,
    lru: &Prediction,
    measured: &Measurement,
) -> Result<(), BoxedError> {
    if !lru.estimated().is_zero() {
        return Ok(());
    }
    let derived = evaluator.distribution(MissModel::Lru, sizes)?;
    if derived.distances != bins(measured.distances().into_iter()) {
        return Err("the derived distances are not those of the trace".into());
    }
    for bytes in SIZES {
        let misses = total(&lru.misses(&Int::from(bytes / LINE_BYTES))?)?;
        let simulated = measured.misses(bytes);
        if misses != simulated {
            return Err(format!("{misses} LRU misses in {bytes} bytes, {simulated} simulated").into());
        }
    }
    Ok(())
}

fn ablation(distribution: &Distribution) -> Result<Ablation, BoxedError> {
    let lines = Int::from(ABLATION / LINE_BYTES);
    let misses = |distribution: &Distribution| total(WholeCurve::new(distribution, distribution).misses(&lines));
    let infinite = Distribution { imaginary: Vec::new(), ..distribution.clone() };
    let reuses = &distribution.accesses - &distribution.blocks;
    let ignored = Distribution { accesses: reuses, ..infinite.clone() };
    Ok(Ablation { imaginary: misses(distribution)?, ignored: misses(&ignored)?, infinite: misses(&infinite)? })
}

/// Returns one program for each top-level node.
fn phases(program: &Program) -> Result<Vec<Program>, BoxedError> {
    let mut phases = Vec::new();
    for node in &program.body {
        let mut accesses = Vec::new();
        let mut node = node.clone();
        renumber(&mut node, program, &mut accesses)?;
        phases.push(Program { accesses, body: vec![node], ..program.clone() });
    }
    phases.retain(|phase| !phase.accesses.is_empty());
    Ok(phases)
}

fn renumber(node: &mut Node, program: &Program, accesses: &mut Vec<symloc_affine::Access>) -> Result<(), BoxedError> {
    match node {
        Node::Loop(l) => l.body.iter_mut().try_for_each(|node| renumber(node, program, accesses)),
        Node::If(guard) => {
            let mut nodes = guard.then.iter_mut().chain(&mut guard.otherwise);
            nodes.try_for_each(|node| renumber(node, program, accesses))
        }
        Node::Operations(_) | Node::Mark(_) => Ok(()),
        Node::Access(id) => {
            accesses.push(program.access(*id).clone());
            *id = AccessId(u32::try_from(accesses.len() - 1)?);
            Ok(())
        }
    }
}

/// s(x) of a distribution, from prefix sums.
struct WorkingSet {
    accesses: f64,
    /// The intervals, ascending, each with N·s and the number of accesses above it.
    points: Vec<(f64, f64, f64)>,
}

impl WorkingSet {
    fn new(distribution: &Distribution) -> Result<Self, BoxedError> {
        let mut bins: Vec<&Bin> = distribution.real.iter().chain(&distribution.imaginary).collect();
        bins.sort();
        let accesses = word(&distribution.accesses)? as f64;
        let (mut x, mut sum, mut above) = (0.0, 0.0, accesses);
        let mut points = vec![(x, sum, above)];
        for bin in bins {
            let interval = word(&bin.interval)? as f64;
            sum += (interval - x) * above;
            x = interval;
            above -= word(&bin.count)? as f64;
            points.push((x, sum, above));
        }
        Ok(Self { accesses, points })
    }

    fn at(&self, x: f64) -> f64 {
        let after = self.points.partition_point(|point| point.0 <= x);
        let (start, sum, above) = self.points[after - 1];
        (sum + (x - start) * above) / self.accesses
    }
}

fn by_phase(whole: &Distribution, phases: &[Distribution]) -> Result<Predicted, BoxedError> {
    let inside =
        phases.iter().map(|phase| Ok((phase, WorkingSet::new(phase)?))).collect::<Result<Vec<_>, BoxedError>>()?;
    let mut across: std::collections::BTreeMap<u64, u64> = Default::default();
    for bin in &whole.real {
        across.insert(word(&bin.interval)?, word(&bin.count)?);
    }
    for bin in phases.iter().flat_map(|phase| &phase.real) {
        let count = across.get_mut(&word(&bin.interval)?).ok_or("a reuse within a nest that is no reuse")?;
        *count = count.checked_sub(word(&bin.count)?).ok_or("more reuses within nests than reuses")?;
    }
    let across: Vec<_> = bins(across.into_iter());
    let whole_set = WorkingSet::new(whole)?;
    let first_touches = word(&whole.blocks)?;
    each(|lines, sets| {
        let one_set = Sets::new(lines, lines).ok_or("a cache of no lines")?;
        let cache = sets.unwrap_or(&one_set);
        let missing = |bins: &[Bin], set: &WorkingSet| -> Result<f64, BoxedError> {
            let mut misses = 0.0;
            for bin in bins {
                // Whole blocks for one set, where Denning's rule is s(x) <= C.
                let distance = set.at(word(&bin.interval)? as f64) - 1.0;
                let distance = if sets.is_none() { (distance - 1e-9).ceil() } else { distance };
                misses += word(&bin.count)? as f64 * (1.0 - cache.hit(distance));
            }
            Ok(misses)
        };
        let mut misses = missing(&across, &whole_set)?;
        for (phase, set) in &inside {
            misses += missing(&phase.real, set)?;
        }
        Ok(first_touches + misses.round() as u64)
    })
}
