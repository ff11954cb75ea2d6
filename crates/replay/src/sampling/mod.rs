//! Misses of runs that are too long to replay, estimated from pieces of them.
//!
//! A sample is an access of the run, each as likely as any other among those of the same access of the text, which are a stratum
//! (`moments`). It is found without what comes before it: the iterator of each loop around it is chosen from the outside, each value as
//! likely as any other (`position`). Where inner trip counts depend on outer iterators this prefers some accesses; so samples are weighted
//! by the number of values that all iterators could have taken. With an access come those before and after it in its row that use the same
//! line: together they are chosen as often as they are many, and the share of misses among them is what counts.
//!
//! What the caches hold at that time is found by running what comes before (`window`), of which only the accesses to the same part of
//! the caches matter (`class`). Strata get samples in proportion to their size and their standard deviation (Neyman's allocation).

pub(crate) mod class;
mod moments;
pub(crate) mod position;
#[cfg(test)]
mod tests;
mod window;

use num_integer::Integer as _;
use symloc_cache::{Caches, Design, Geometry, Inclusion, Index, OnCaches, Replacement, splitmix};

use crate::code::{Code, Op};
use crate::cursor::{Placed, placed};
use crate::error::ReplayError;
use crate::memory::Memory;

use class::{Class, Stay};
use moments::{Ratio, Stratum, ratio};
use position::{Leaf, Position, leaves};
use window::{Stage, Window};

/// What is wanted of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Stop when every level's share of misses is known this closely, as a share of the accesses.
    pub precision: f64,
    /// The same seed gives the same answer.
    pub seed: u64,
    /// Stop when this is spent: accesses that are run, and ten for each row.
    pub effort: u64,
}

impl Default for Sampling {
    /// A thousandth of the accesses, in less than a second.
    fn default() -> Self {
        Self { precision: 0.001, seed: 0, effort: 20_000_000 }
    }
}

/// The share of misses among all accesses, estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The estimate.
    pub value: f64,
    /// The ends of the interval that holds the truth 95 times in 100.
    pub interval: (f64, f64),
}

/// What a sample says.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// By level.
    pub levels: Vec<Share>,
    /// By access of the text, and level: among the executions of that access.
    pub by_access: Vec<Vec<Share>>,
    /// How many samples there were.
    pub samples: u64,
}

/// Estimates the misses of a program in caches behind each other, which are empty at first. `executions` is how often each access of the text
/// is executed.
///
/// # Errors
///
/// [`ReplayError::Geometry`] if a policy cannot keep the sets of its level, [`ReplayError::Overflow`] if an address leaves 64 bits.
pub fn sample(
    code: &Code<'_>,
    memory: &Memory,
    designs: &[Design],
    executions: &[f64],
    sampling: Sampling,
) -> Result<Estimate, ReplayError> {
    let body = placed(code, memory)?;
    let modulus = classes(designs);
    let part = |design: &Design| {
        let geometry = design.geometry;
        Ok(Design {
            geometry: Geometry::new(geometry.lines() / modulus, geometry.ways(), geometry.index())?,
            ..*design
        })
    };
    let parts = designs.iter().map(part).collect::<Result<Vec<_>, ReplayError>>()?;
    let lru = |design: &Design| design.replacement == Replacement::Lru && design.inclusion == Inclusion::NonInclusive;
    let forgets_at_once = matches!(designs, [only] if lru(only));
    let sampler =
        Sampler { code, line: memory.line_bytes() as i64, body: &body, modulus, executions, sampling, forgets_at_once };
    symloc_cache::build(&parts, sampler)?
}

/// Into how many parts caches fall that know nothing of each other.
fn classes(designs: &[Design]) -> u64 {
    let apart = |design: &Design| design.geometry.index() == Index::Modulo && !design.prefetch;
    match designs.iter().all(apart) {
        true => designs.iter().fold(0, |modulus, design| design.geometry.sets().gcd(&modulus)).max(1),
        false => 1,
    }
}

struct Sampler<'c> {
    code: &'c Code<'c>,
    body: &'c [Op<Placed>],
    line: i64,
    modulus: u64,
    executions: &'c [f64],
    sampling: Sampling,
    forgets_at_once: bool,
}

impl OnCaches for Sampler<'_> {
    type Output = Result<Estimate, ReplayError>;

    fn on(self, caches: impl Caches) -> Self::Output {
        let levels = caches.levels();
        let all: f64 = self.executions.iter().sum();
        let mut sources = Vec::new();
        for leaf in leaves(self.body) {
            for (site, placed) in leaf.sites.iter().enumerate() {
                // Misses of each level; then misses that may be hits.
                let stratum = Stratum::new(self.executions[placed.access] / all.max(1.0), levels + 1);
                sources.push(Source { leaf: leaf.clone(), site, stratum, history: HISTORY });
            }
        }
        let stage = Stage {
            program: self.code.program,
            body: self.body,
            line: self.line,
            caches,
            forgets_at_once: self.forgets_at_once,
            work: 0,
            events: Vec::new(),
        };
        let random = Random::new(self.sampling.seed);
        let mut samples = Samples { sources, levels, modulus: self.modulus, stage, random, count: 0 };
        if all > 0.0 {
            samples.until(self.sampling)?;
        }
        Ok(samples.estimate(self.executions.len()))
    }
}

/// Samples of a run.
struct Samples<'c, C> {
    sources: Vec<Source<'c>>,
    levels: usize,
    modulus: u64,
    stage: Stage<'c, C>,
    random: Random,
    count: u64,
}

/// An access of the text, from which samples are drawn.
struct Source<'c> {
    leaf: Leaf<'c>,
    /// Its position in the leaf.
    site: usize,
    stratum: Stratum,
    /// How long a history is at first, in accesses.
    history: u64,
}

/// The length of the first history, in accesses.
const HISTORY: u64 = 256;
/// Samples in the first round, shared out by the sizes of strata.
const ROUND: f64 = 512.0;
/// Samples of a stratum in the first round, at least.
const FEW: u64 = 16;
/// What a stratum may deviate that has not done so yet: misses that are rare may not have been seen.
const UNSEEN: f64 = 0.02;
/// How many iterations of a row are one sample, at most.
const STAY: u64 = 64;
/// The effort that a single sample may cost before its history is taken as long enough.
const SAMPLE: u64 = 40_000;

impl<'c, C: Caches> Samples<'c, C> {
    fn until(&mut self, sampling: Sampling) -> Result<(), ReplayError> {
        let mut wanted: Vec<f64> = self.sources.iter().map(|source| source.stratum.share).collect();
        let (mut round, mut least) = (ROUND, FEW);
        loop {
            let all: f64 = wanted.iter().sum();
            for (source, wanted) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted > 0.0) {
                for _ in 0..((round * wanted / all).ceil() as u64).max(least) {
                    self.draw(source)?;
                }
            }
            let widest = self.levels().iter().map(Share::width).fold(0.0, f64::max);
            if widest <= 2.0 * sampling.precision || self.stage.work >= sampling.effort {
                return Ok(());
            }
            wanted = self.sources.iter().map(|source| source.wanted(self.levels)).collect();
            (round, least) = (1.5 * round, 0);
        }
    }

    fn draw(&mut self, source: usize) -> Result<(), ReplayError> {
        self.count += 1;
        let Some((window, access, weight)) = self.window(source)? else {
            self.sources[source].stratum.add(0.0, 0.0, []);
            return Ok(());
        };
        let Source { stratum, history, .. } = &mut self.sources[source];
        let mut length = *history;
        let seen = self.stage.run(&window, &mut length, SAMPLE)?;
        // Histories that are too short are made twice as long: if that is the whole cost of beginning anew, try half.
        let least = if self.stage.forgets_at_once { length / 2 } else { length - length / 8 };
        *history = least.max(HISTORY);
        let held = &seen.held[access * (self.levels + 1)..][..=self.levels];
        let all = held.iter().sum::<u64>() as f64;
        let missed = |level: usize| held[level + 1..].iter().sum::<u64>() as f64 / all;
        let undecided = if seen.undecided { missed(0) } else { 0.0 };
        stratum.add(weight, 1.0, (0..self.levels).map(missed).chain([undecided]));
        Ok(())
    }

    /// Accesses of a source that use the same line, the access of the text, and by how much they count; none if the iterators that were
    /// chosen do not come to it.
    fn window(&mut self, source: usize) -> Result<Option<(Window<'c>, usize, f64)>, ReplayError> {
        let Stage { program, body, line, .. } = self.stage;
        let Source { leaf, site, .. } = &self.sources[source];
        let mut outermost = Some(self.random.next_outermost());
        let mut choose = |count: u64| match outermost.take() {
            Some(fraction) => (fraction * count as f64) as u64,
            None => self.random.below(count),
        };
        let Some(position) = Position::at(program, body, leaf, &mut choose)? else { return Ok(None) };
        let iteration = choose(position.count);
        let placed = &leaf.sites[*site];
        let stay = Stay::around(placed, iteration, position.count, &position.iters, line)?;
        let part = iteration / STAY * STAY;
        let iterations = stay.iterations.start.max(part)..stay.iterations.end.min(part + STAY);
        let class = Class { modulus: self.modulus, rest: stay.block % self.modulus };
        let weight = position.choices();
        Ok(Some((Window { position, iterations, class }, placed.access, weight)))
    }

    fn estimate(&self, accesses: usize) -> Estimate {
        let mut by_access = vec![vec![Share { value: 0.0, interval: (0.0, 0.0) }; self.levels]; accesses];
        for source in &self.sources {
            let access = source.leaf.sites[source.site].access;
            by_access[access] = self.shares(&[&source.stratum]);
        }
        Estimate { levels: self.levels(), by_access, samples: self.count }
    }

    fn levels(&self) -> Vec<Share> {
        let strata: Vec<&Stratum> = self.sources.iter().map(|source| &source.stratum).collect();
        self.shares(&strata)
    }

    fn shares(&self, strata: &[&Stratum]) -> Vec<Share> {
        let undecided = ratio(strata, self.levels).value;
        let samples: f64 = strata.iter().map(|stratum| stratum.draws).sum();
        (0..self.levels).map(|level| Share::new(ratio(strata, level), undecided, samples)).collect()
    }
}

impl Source<'_> {
    /// In proportion to this samples are drawn.
    fn wanted(&self, levels: usize) -> f64 {
        let deviations = (0..levels).map(|level| self.stratum.deviation(level));
        self.stratum.share * deviations.fold(UNSEEN, f64::max)
    }
}

impl Share {
    /// What never occurred in n samples may occur in a part of 3/n of the run, with a probability of 95 %.
    fn new(Ratio { value, deviation }: Ratio, undecided: f64, samples: f64) -> Self {
        let half = (1.96 * deviation).max(3.0 / samples.max(3.0));
        Self { value, interval: ((value - undecided.min(value) - half).max(0.0), (value + half).min(1.0)) }
    }

    fn width(&self) -> f64 {
        self.interval.1 - self.interval.0
    }
}

/// Numbers as if by chance.
struct Random {
    state: u64,
    /// Fractions that are spread evenly however many are used: multiples of the golden ratio, modulo 1.
    outermost: f64,
}

impl Random {
    fn new(seed: u64) -> Self {
        let mut state = seed;
        let outermost = splitmix::next(&mut state) as f64 / u64::MAX as f64;
        Self { state, outermost }
    }

    fn below(&mut self, count: u64) -> u64 {
        splitmix::below(&mut self.state, count)
    }

    fn next_outermost(&mut self) -> f64 {
        self.outermost = (self.outermost + 0.618_033_988_749_894_9).fract();
        self.outermost
    }
}
