//! Regimes: the formulas of a model at large sizes.
//!
//! All parameters are large and of like size. One order p ≥ q ≥ … among them is chosen: the first that the context allows, beginning with
//! the order of the parameters themselves. A sample far out in this direction, p = n + k·s with n ≫ s ≫ 1, decides which pieces hold. A
//! symbolic line size is large too, but small against all sizes. One sample is taken for each vector of residues ([`crate::residue`]);
//! residues with the same pieces make one regime.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::Zero;
use symloc_model::{Distances, LineModel, Model, ReuseClass};
use symloc_quasi::{Constraint, Evaluator, Poly, Rational, Var};

use crate::class::{Class, ClassExtent};
use crate::conditions::Conditions;
use crate::context::Solved;
use crate::error::LocalityError;
use crate::growth::Growth;
use crate::lines::Outward;
use crate::pieces::{Counts, Held, Pieces};
use crate::residue::{Periods, Residues};

/// The largest number of residue vectors that are tried.
const MAX_VECTORS: u64 = 1 << 14;

/// The largest number of regimes; more are of no use to a reader.
const MAX_REGIMES: usize = 16;

/// The formulas for large sizes with certain residues.
#[derive(Clone, Debug)]
pub struct Regime {
    /// The names of the parameters and of the line counts.
    pub parameters: Vec<String>,
    /// The context of the model.
    pub context: Vec<Constraint>,
    /// The condition on residues that distinguishes this regime from the others; empty if there is only one.
    pub distinction: String,
    /// The parameters from the largest to the smallest, without those that the context expresses by others. A line count stands for its
    /// size, and the line size is small against all sizes.
    pub order: Vec<usize>,
    /// N.
    pub accesses: Poly,
    /// m.
    pub blocks: Poly,
    /// The number of floating-point operations, if it is [counted](Counts) and known.
    pub operations: Option<Poly>,
    /// Bytes per line; `None` if lines are elements of different sizes.
    pub line_bytes: Option<Poly>,
    /// The classes that have members, with their extents.
    pub classes: Vec<(Class, ClassExtent)>,
    /// The conditions on the sizes under which the formulas hold.
    pub conditions: Conditions,
    /// The substitution from the variables of these formulas to those of the model.
    pub(crate) outward: Outward,
    /// The residues of its sizes.
    pub(crate) residues: Residues,
    /// A size of the regime, far out.
    pub(crate) sample: Vec<BigInt>,
}

/// A size far out.
pub(crate) struct Sample {
    pub(crate) point: Vec<i128>,
    pub(crate) residues: Vec<u64>,
}

/// Sizes far out in one direction, one for each vector of residues that the context allows.
pub(crate) struct FarOut {
    /// The parameters from the largest to the smallest.
    pub(crate) order: Vec<usize>,
    /// The residues of all samples.
    pub(crate) residues: Residues,
    pub(crate) samples: Vec<Sample>,
}

/// Returns the regimes of a model at one line size, by ascending residues.
///
/// # Errors
///
/// [`LocalityError::NoLargeSizes`] if the context allows no large sizes, [`LocalityError::Residues`] if the formulas
/// differ between too many residues.
pub fn regimes(model: &Model, line: &LineModel) -> Result<Vec<Regime>, LocalityError> {
    regimes_counting(model, line, Counts::default())
}

/// Like [`regimes`], but fails if there are more than `most`, which takes little time to find out.
///
/// # Errors
///
/// As for [`regimes`].
pub fn regimes_up_to(model: &Model, line: &LineModel, most: usize) -> Result<Vec<Regime>, LocalityError> {
    at_most(most, model, line, Counts::default())
}

/// Like [`regimes`], but counts further quantities.
///
/// # Errors
///
/// As for [`regimes`].
pub fn regimes_counting(model: &Model, line: &LineModel, counts: Counts) -> Result<Vec<Regime>, LocalityError> {
    at_most(MAX_REGIMES, model, line, counts)
}

fn at_most(most: usize, model: &Model, line: &LineModel, counts: Counts) -> Result<Vec<Regime>, LocalityError> {
    let program = Pieces::new(model, line, counts, None)?;
    let far = FarOut::of(&program, model.variables(), &Growth::default(), every)?;
    let (order, residues) = (far.order.clone(), far.residues.clone());
    let groups = far.groups(&program);
    if groups.len() > most {
        return Err(LocalityError::Residues(groups.len().to_string()));
    }
    let of_group = |group: Vec<Sample>| {
        let first = group[0].point.clone();
        let own = residues.only(group.into_iter().map(|sample| sample.residues).collect());
        let conditions = program.conditions(own);
        regime(model, &program, &order, &first, conditions, &residues)
    };
    Ok(groups.into_iter().map(of_group).collect())
}

/// Returns the regime of sizes like these, one value for each parameter: the formulas that hold there, with the range of sizes for which
/// they hold as its conditions.
///
/// # Errors
///
/// [`LocalityError::Outside`] if the context does not allow these sizes, [`LocalityError::Residues`] if the formulas
/// differ between too many residues.
pub fn regime_near(model: &Model, line: &LineModel, counts: Counts, sizes: &[i128]) -> Result<Regime, LocalityError> {
    let program = Pieces::new(model, line, counts, Some(sizes))?;
    let size = allowed(&program, model.variables(), sizes)?;
    let periods = Periods::of(program.deciding(), sizes.len()).ok_or_else(too_many)?;
    let (own, all) = residues_at(&program, &periods, sizes);
    let conditions = program.conditions(own).near(size);
    Ok(regime(model, &program, &[], sizes, conditions, &all))
}

/// Returns a size that the context allows, as big integers.
pub(crate) fn allowed(program: &Pieces, variables: usize, size: &[i128]) -> Result<Vec<BigInt>, LocalityError> {
    if size.len() != variables || !program.allows(size) {
        return Err(LocalityError::Outside);
    }
    Ok(size.iter().map(|&size| BigInt::from(size)).collect())
}

pub(crate) fn too_many() -> LocalityError {
    LocalityError::Residues(format!("more than {MAX_VECTORS}"))
}

/// Returns the residues of a size, and those that the context allows: [some] of them if there are too many.
pub(crate) fn residues_at(program: &Pieces, periods: &Periods, size: &[i128]) -> (Residues, Residues) {
    let all = Residues::new(periods.clone(), some(periods));
    let holds = |one: &Residues, c: &Constraint| {
        let decided = one.resolve(&c.poly).as_constant();
        decided.is_none_or(|value| c.relation.holds(value.cmp(&Rational::zero())))
    };
    let allowed = |vector: &Vec<u64>| {
        let one = all.only(vec![vector.clone()]);
        program.context.iter().all(|constraint| holds(&one, constraint))
    };
    let allowed = all.vectors().iter().filter(|vector| allowed(vector)).cloned().collect();
    let size: Vec<BigInt> = size.iter().map(|&size| BigInt::from(size)).collect();
    (all.only(vec![periods.residues_of(&size)]), all.only(allowed))
}

/// Returns all vectors of residues; `None` if there are too many.
pub(crate) fn every(periods: &Periods) -> Option<Vec<Vec<u64>>> {
    periods.vectors().filter(|&count| count <= MAX_VECTORS).map(|_| periods.all())
}

/// Returns all vectors of residues; if there are too many, one parameter is varied at a time.
pub(crate) fn some(periods: &Periods) -> Vec<Vec<u64>> {
    every(periods).unwrap_or_else(|| periods.one_by_one())
}

impl FarOut {
    /// Returns the sizes that decide which pieces of a program hold, one for each vector of residues; `None` if there are too many.
    pub(crate) fn of(
        program: &Pieces,
        parameters: usize,
        growth: &Growth,
        vectors: impl Fn(&Periods) -> Option<Vec<Vec<u64>>>,
    ) -> Result<Self, LocalityError> {
        let periods = Periods::of(program.deciding(), parameters).ok_or_else(too_many)?;
        let vectors = vectors(&periods).ok_or_else(too_many)?;
        let free = program.variables().into_iter().filter(|var| program.solved.grows(*var)).map(|var| var.0 as usize);
        let free: Vec<usize> = free.filter(|variable| *variable < parameters).collect();
        let large = |order: Vec<usize>| {
            let sample = |residues: Vec<u64>| Sample {
                point: point(&program.solved, growth, &order, &periods, &residues),
                residues,
            };
            let samples = vectors.iter().cloned().map(sample).filter(|sample| program.allows(&sample.point));
            let samples: Vec<Sample> = samples.collect();
            (order, samples)
        };
        let orders = orders(&free).into_iter().filter(|order| growth.allows(order));
        let allowed = orders.map(large).find(|(_, samples)| !samples.is_empty());
        let (order, samples) = allowed.ok_or(LocalityError::NoLargeSizes)?;
        let residues = Residues::new(periods.clone(), samples.iter().map(|sample| sample.residues.clone()).collect());
        Ok(Self { order, residues, samples })
    }

    /// Groups the samples that have the same pieces, ordered by their first residues.
    pub(crate) fn groups(self, program: &Pieces) -> Vec<Vec<Sample>> {
        let mut groups: BTreeMap<Vec<bool>, Vec<Sample>> = BTreeMap::new();
        for sample in self.samples {
            groups.entry(program.holding(&sample.point)).or_default().push(sample);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by(|a, b| a[0].residues.cmp(&b[0].residues));
        groups
    }
}

/// Returns the classes of reuse distances in the form of intervals, with distance + 1, the place in the LRU stack, as value. `None` if the
/// model does not know all distances.
pub fn stack_places(line: &LineModel) -> Option<LineModel> {
    Some(LineModel { classes: places(line.distances.as_ref()?)?, distances: None, ..line.clone() })
}

/// Returns the writes by the distance that decides whether they are written back, in the form of [places in the
/// stack](stack_places): what is above a cache is written back, and no first touches are added. `None` if the model does not know
/// these distances.
pub fn written_back_places(line: &LineModel) -> Option<LineModel> {
    let classes = places(line.write_backs.as_ref()?.distances.as_ref()?)?;
    Some(LineModel { classes, blocks: Vec::new(), distances: None, ..line.clone() })
}

fn places(distances: &Distances) -> Option<Vec<ReuseClass>> {
    let place = |class: &ReuseClass| ReuseClass { value: &class.value + &Poly::one(), ..class.clone() };
    distances.estimated.is_empty().then(|| distances.classes.iter().map(place).collect())
}

/// Returns the regime of a sample, with conditions on the sizes with its residues.
fn regime(
    model: &Model,
    program: &Pieces,
    order: &[usize],
    sample: &[i128],
    conditions: Conditions,
    all: &Residues,
) -> Regime {
    let residues = conditions.residues().clone();
    let Held { accesses, blocks, operations, classes, mut conditions } = program.at(sample, conditions);
    let sample: Vec<BigInt> = sample.iter().map(|&v| BigInt::from(v)).collect();
    let extent = |class: Class| {
        let extent = class.extent(&sample, &mut conditions);
        (class, extent)
    };
    let classes = classes.into_iter().map(extent).collect();
    Regime {
        parameters: model.names(),
        context: model.context.clone(),
        outward: Outward::new(program.solved.lines(), &|size| program.solved.is_whole(size)),
        distinction: residues.describe(all, &model.names()),
        order: order.to_vec(),
        accesses,
        blocks,
        operations,
        line_bytes: program.line_bytes.clone(),
        classes,
        conditions,
        residues,
        sample,
    }
}

impl Regime {
    /// Returns the signs of a polynomial at large sizes of the regime, over all residues; `None` if they are not known.
    pub(crate) fn signs(&self, poly: &Poly) -> Option<BTreeSet<Ordering>> {
        self.conditions.signs(poly, &self.sample)
    }

    /// Returns true if two polynomials are known to be equal at large sizes of the regime.
    pub(crate) fn equal(&self, one: &Poly, other: &Poly) -> bool {
        one == other || self.signs(&(one - other)) == Some(BTreeSet::from([Ordering::Equal]))
    }
}

/// Returns the large size with these residues in which the first parameter of `order` is the largest.
fn point(solved: &Solved, growth: &Growth, order: &[usize], periods: &Periods, residues: &[u64]) -> Vec<i128> {
    let mut point = vec![0; residues.len()];
    let start = |parameter: usize, steps: i128| {
        let base = growth.start(parameter, steps).unwrap_or_else(|| solved.start(Var(parameter as u32), steps));
        base - base % i128::from(periods.get(parameter)) + i128::from(residues[parameter])
    };
    for (steps, &parameter) in order.iter().rev().enumerate() {
        point[parameter] = start(parameter, steps as i128);
    }
    for parameter in (0..point.len()).filter(|p| !order.contains(p)) {
        let value = solved.value(Var(parameter as u32));
        point[parameter] = match value {
            Some(value) => Evaluator::new(value, point.len()).machine_integer(&point).unwrap_or(0),
            None => start(parameter, 0),
        };
    }
    point
}

/// Returns the orders that are tried: at most those of five parameters.
fn orders(parameters: &[usize]) -> Vec<Vec<usize>> {
    let Some((&last, rest)) = parameters.split_last() else { return vec![Vec::new()] };
    let insert = |order: Vec<usize>| {
        let places = if parameters.len() > 5 { order.len()..=order.len() } else { 0..=order.len() };
        places.rev().map(move |place| [&order[..place], &[last], &order[place..]].concat()).collect::<Vec<_>>()
    };
    let mut orders: Vec<_> = orders(rest).into_iter().flat_map(insert).collect();
    orders.sort();
    orders
}
