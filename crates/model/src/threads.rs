//! The parts of a program that its threads run, and the model of the program on one thread.
//!
//! A model with [`ThreadParameters`] is of the program of one thread of any number of threads. Where nothing is said of
//! threads, that thread runs everything.

use std::collections::BTreeMap;

use symloc_quasi::{Constraint, Evaluator, Poly, Rational, Var};

use crate::error::RequestError;
use crate::rewrite::{Rewrite, holds, with_values, without_weaker};
use crate::sizes::NamedSizes;
use crate::types::{
    ArrayShape, For, If, LineCount, LineModel, Model, ShareParameters, ThreadParameters, Tree, TreeNode,
};

impl ThreadParameters {
    /// Returns true if a parameter is one of the thread's.
    pub fn contains(&self, parameter: usize) -> bool {
        self.thread == Some(parameter) || self.shares.iter().any(|s| s.first == parameter || s.end == parameter)
    }

    /// Returns the names of the thread's parameters in a model.
    pub fn names<'m>(&self, model: &'m Model) -> impl Iterator<Item = &'m String> {
        model.parameters.iter().enumerate().filter(|(index, _)| self.contains(*index)).map(|(_, name)| name)
    }

    /// Sets the thread's parameters to those of thread `number` of `count`, by the others. The iterations of a loop are
    /// divided as by OpenMP's static schedule: in order, and the first threads have one more if some are left over.
    pub(crate) fn set(&self, point: &mut [i128], number: i128, count: i128) {
        if let Some(thread) = self.thread {
            point[thread] = number;
        }
        for share in &self.shares {
            let iterations = Evaluator::new(&share.iterations, point.len()).machine_integer(point).unwrap_or(0).max(0);
            let start = |number: i128| first_iteration(iterations, number, count);
            (point[share.first], point[share.end]) = (start(number), start(number + 1));
        }
    }
}

impl Model {
    /// Returns the sizes at which the model is that of thread `number` of `count`, for 0 ≤ number < count.
    ///
    /// # Errors
    ///
    /// Those of [`NamedSizes::point`].
    pub fn on_thread(&self, sizes: &NamedSizes, number: u64, count: u64) -> Result<NamedSizes, RequestError> {
        let mut point = sizes.point(self)?;
        point.truncate(self.parameters.len());
        let Some(threads) = &self.threads else { return Ok(sizes.clone()) };
        threads.set(&mut point, i128::from(number), i128::from(count.max(1)));
        let mut sizes = sizes.clone();
        for (index, value) in point.into_iter().enumerate().filter(|(index, _)| threads.contains(*index)) {
            // A share is at most as large as a loop, whose bounds are of 64 bits.
            sizes.insert(self.parameters[index].as_str(), i64::try_from(value).unwrap_or(i64::MAX));
        }
        Ok(sizes)
    }

    /// Returns the model of the program on one thread, which has no parameters of threads.
    #[must_use]
    pub fn on_one_thread(&self) -> Self {
        let Some(threads) = &self.threads else { return self.clone() };
        let ends = threads.shares.iter().map(|share| (share.end, share.iterations.clone()));
        self.with_thread(&ends.collect())
    }

    /// Returns the model of all of `count` threads together, each with caches of its own, at the sizes at which they share
    /// the first loop evenly. It is for LRU alone: threads have no common window of Denning's model.
    ///
    /// # Errors
    ///
    /// [`AllThreadsError`] if the model is not of threads, does not hold all distances, or has loops that do not have x + c
    /// iterations for one size x.
    pub fn on_threads(&self, count: u64) -> Result<AllThreads, AllThreadsError> {
        let threads = self.threads.as_ref().ok_or(AllThreadsError::NoThreads)?;
        let is_exact = |line: &LineModel| line.distances.as_ref().is_some_and(|known| known.estimated.is_empty());
        if !self.lines.iter().all(is_exact) {
            return Err(AllThreadsError::NoDistances);
        }
        self.evenly_shared(threads, i128::from(count.max(1))).ok_or(AllThreadsError::NotOneSize)
    }

    fn evenly_shared(&self, threads: &ThreadParameters, count: i128) -> Option<AllThreads> {
        let of_one_size = |share: &ShareParameters| {
            let size = *share.iterations.vars().first()?;
            let more = (&share.iterations - &Poly::var(size)).as_constant()?;
            Some((size, i128::try_from(more.to_integer()).ok().filter(|_| more.is_integer())?))
        };
        let shares = threads.shares.iter().map(of_one_size).collect::<Option<Vec<_>>>()?;
        let &(size, first_more) = shares.first()?;
        // size = count·m + rest, so that size + first_more is a multiple of count.
        let rest = (-first_more).rem_euclid(count);
        let times = |factor: i128| Poly::var(size).scale(&Rational::from_integer(factor.into()));
        let value = &times(count) + &Poly::integer(rest);
        let of_thread = |number: i128| {
            let mut values = BTreeMap::from([(size.0 as usize, value.clone())]);
            values.extend(threads.thread.map(|thread| (thread, Poly::integer(number))));
            for (share, (_, more)) in threads.shares.iter().zip(&shares) {
                let start = |number| &times(number) + &Poly::integer(first_iteration(rest + more, number, count));
                values.extend([(share.first, start(number)), (share.end, start(number + 1))]);
            }
            self.with_thread(&values)
        };
        if shares.iter().any(|(other, _)| *other != size) {
            return None;
        }
        let name = self.parameters[size.0 as usize].clone();
        let models = (0..count).map(of_thread);
        let mut model = models.reduce(together)?;
        let at = model.parameters.iter().position(|parameter| *parameter == name)?;
        let quotient = fresh(&model.parameters);
        model.parameters[at].clone_from(&quotient);
        let tight: Vec<Constraint> = model.context.iter().map(Constraint::tightened).collect();
        model.context = without_weaker(&tight);
        Some(AllThreads { model, size: name, quotient, rest })
    }

    /// Returns the model with values for the parameters of threads, and perhaps for others, which stay parameters. Where
    /// there is none, the value is 0.
    fn with_thread(&self, given: &BTreeMap<usize, Poly>) -> Self {
        let Some(threads) = &self.threads else { return self.clone() };
        let kept: Vec<usize> = (0..self.parameters.len()).filter(|index| !threads.contains(*index)).collect();
        let position = |old: usize| kept.iter().position(|kept| *kept == old);
        let in_kept = with_values(|var| position(var.0 as usize).map_or_else(Poly::zero, variable));
        let value = |old: usize| in_kept.poly(given.get(&old).unwrap_or(&variable(old)));
        let mut values: Vec<Poly> = (0..self.parameters.len()).map(value).collect();
        let mut truths = Vec::new();
        for truth in &self.truths {
            let truth = with_values(|var| values[var.0 as usize].clone()).constraint(truth);
            values.push(match holds(&truth) {
                Some(holds) => Poly::constant(Rational::from_integer(i128::from(holds).into())),
                None => variable(kept.len() + truths.len()),
            });
            if holds(&truth).is_none() {
                truths.push(truth);
            }
        }
        let first_count = kept.len() + truths.len();
        values.extend((0..self.line_counts.len()).map(|count| variable(first_count + count)));
        let removed = self.variables() - first_count - self.line_counts.len();
        let rewrite = with_values(|var| {
            let old = var.0 as usize;
            values.get(old).cloned().unwrap_or_else(|| variable(old - removed))
        });
        let renamed =
            |count: &LineCount| Some(LineCount { of: position(count.of)?, by: position(count.by)?, ..*count });
        let mut model = Self {
            parameters: kept.iter().map(|index| self.parameters[*index].clone()).collect(),
            threads: None,
            truths,
            line_counts: self.line_counts.iter().filter_map(renamed).collect(),
            context: without_weaker(&rewrite.conjunction(&self.context).unwrap_or_default()),
            accesses: rewrite.pieces(&self.accesses),
            operations: self.operations.as_ref().map(|pieces| rewrite.pieces(pieces)),
            lines: self.lines.iter().map(|line| rewrite.line(line)).collect(),
            ..self.clone()
        };
        let shift = self.parameters.len() - kept.len();
        let in_tree = with_values(|var| match (var.0 as usize).checked_sub(self.parameters.len()) {
            Some(_) => variable(var.0 as usize - shift),
            None => values[var.0 as usize].clone(),
        });
        if let Some(tree) = model.program.as_mut().and_then(|program| program.tree.as_mut()) {
            rewrite_tree(tree, &in_tree);
        }
        model
    }
}

/// The model of all threads of a program together.
#[derive(Clone, Debug)]
pub struct AllThreads {
    /// The model. Its counts are those of all threads; its distances and intervals those among the accesses of one.
    pub model: Model,
    /// The size that it is not in.
    pub size: String,
    /// The parameter in its place: size = threads · quotient + rest.
    pub quotient: String,
    /// The rest, below the number of threads.
    pub rest: i128,
}

/// The reasons why the misses of all threads have no common formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AllThreadsError {
    /// The model is of one thread.
    #[error("the model has no formulas for threads")]
    NoThreads,
    /// Not all distances are known, and threads have no common window of Denning's model.
    #[error("the model does not hold all reuse distances, without which threads have no common formula")]
    NoDistances,
    /// The numbers of iterations of parallel loops are not one size and a constant.
    #[error(
        "the numbers of iterations of parallel loops are not one size and a constant, so threads have no common formula"
    )]
    NotOneSize,
}

/// Returns a name that no parameter has.
fn fresh(parameters: &[String]) -> String {
    let mut name = "m".to_owned();
    while parameters.contains(&name) {
        name.push('_');
    }
    name
}

/// Returns the model with the counts of both.
fn together(mut all: Model, more: Model) -> Model {
    all.accesses.extend(more.accesses);
    all.operations = all.operations.zip(more.operations).map(|(all, more)| [all, more].concat());
    all.context.extend(more.context);
    for (all, more) in all.lines.iter_mut().zip(more.lines) {
        all.blocks.extend(more.blocks);
        all.array_blocks.iter_mut().zip(more.array_blocks).for_each(|(all, more)| all.extend(more));
        all.classes.extend(more.classes);
        if let (Some(all), Some(more)) = (&mut all.distances, more.distances) {
            all.classes.extend(more.classes);
            all.estimated.extend(more.estimated);
        }
        all.coherence = None;
        all.write_backs = None;
    }
    all
}

/// Returns the first iteration of thread `number` of `count` in a loop, or the difference from it by `iterations` more or
/// fewer in all.
fn first_iteration(iterations: i128, number: i128, count: i128) -> i128 {
    iterations.div_euclid(count) * number + number.min(iterations.rem_euclid(count))
}

fn variable(number: usize) -> Poly {
    Poly::var(Var(number as u32))
}

fn rewrite_tree<F: Fn(&Poly) -> Poly>(tree: &mut Tree, rewrite: &Rewrite<F>) {
    for ArrayShape { sizes, .. } in &mut tree.shapes {
        for factors in sizes.iter_mut().flatten() {
            *factors = rewrite.polys(factors);
        }
    }
    for subscripts in &mut tree.subscripts {
        *subscripts = rewrite.polys(subscripts);
    }
    rewrite_nodes(&mut tree.body, rewrite);
}

fn rewrite_nodes<F: Fn(&Poly) -> Poly>(nodes: &mut [TreeNode], rewrite: &Rewrite<F>) {
    for node in nodes {
        match node {
            TreeNode::Access(_) => {}
            TreeNode::If(If { condition, then, otherwise }) => {
                condition.iter_mut().for_each(|constraint| *constraint = rewrite.constraint(constraint));
                rewrite_nodes(then, rewrite);
                rewrite_nodes(otherwise, rewrite);
            }
            TreeNode::For(For { lower, upper, body, .. }) => {
                for bounds in [lower, upper] {
                    *bounds = rewrite.polys(bounds);
                }
                rewrite_nodes(body, rewrite);
            }
        }
    }
}
