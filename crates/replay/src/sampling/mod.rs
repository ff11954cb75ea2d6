//! Estimates the misses of runs that are too long to replay from stretches of them.
//!
//! A sample is a *stretch*: a number of consecutive accesses, from a randomly chosen one. Only those to one part of the caches
//! are run (`class`). The state of that part at the start is found by running the accesses before it (`window`). Stretches begin
//! in each leaf of the loop tree, which is a stratum unless it is small (`draws`). The position of the leaf is chosen without
//! running the accesses before it: the iterator of each loop from the outside, with all values equally likely (`position`). Where
//! inner trip counts depend on outer iterators this prefers some accesses; so samples are weighted by the number of values that
//! all iterators could have taken. All stretches have the same length, so every access is in equally many of them.
//!
//! Strata get samples in proportion to their size and their standard deviation, and in inverse proportion to the root of the cost
//! of a sample (Neyman's allocation).

mod chance;
mod draws;
pub(crate) mod position;
mod quantities;
#[cfg(test)]
mod tests;
mod window;

use num_integer::Integer as _;
use symloc_cache::{Caches, Design, Geometry, IndexFunction, OnCaches, Replacement, splitmix};

use crate::code::{Code, Op};
use crate::cursor::{Placed, placed};
use crate::error::ReplayError;
use crate::memory::MemoryMap;

use chance::Chance;
use draws::{Draw, Mean, Stratum, combined};
use position::{Leaf, LeafPosition, leaves};
use quantities::Quantities;
use window::{AccessPlace, Stage, Stretch};

/// The options of sampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Sampling stops when the misses of every level are known this closely, as a share of the accesses.
    pub precision: f64,
    /// The seed of the draws: equal seeds give equal answers.
    pub seed: u64,
    /// Sampling stops when this is spent: accesses that are run, and ten for each row and each sample.
    pub effort: u64,
    /// The number of samples before the precision is looked at for the first time.
    pub first_round: u32,
    /// True if effort is spent to find out which evicted blocks were written; otherwise more of them stay undecided.
    pub write_backs: bool,
}

impl Default for Sampling {
    /// A thousandth of the accesses, or as close as about a second of work allows.
    fn default() -> Self {
        Self { precision: 0.001, seed: 0, effort: 10_000_000, first_round: 256, write_backs: true }
    }
}

/// A share of all accesses, estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EstimatedShare {
    /// The estimate.
    pub value: f64,
    /// The 95 % confidence interval.
    pub interval: (f64, f64),
    /// The share that samples left undecided: the interval has room for all of it, and for none.
    pub undecided: f64,
}

/// The traffic of a level, per access of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Requests that it does not hold.
    pub misses: EstimatedShare,
    /// Blocks that come in, prefetched ones included.
    pub fills: EstimatedShare,
    /// Written blocks that go back.
    pub write_backs: EstimatedShare,
    /// Single writes that are passed on.
    pub writes_through: EstimatedShare,
}

/// The result of sampling; shares are of all accesses of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// By level.
    pub levels: Vec<Rates>,
    /// Misses, by access of the text and level.
    pub misses_by_access: Vec<Vec<EstimatedShare>>,
    /// Written blocks that go back, by array and level.
    pub write_backs_by_array: Vec<Vec<EstimatedShare>>,
    /// Misses of groups of accesses, by group and level.
    pub misses_by_group: Vec<Vec<EstimatedShare>>,
    /// The share of all accesses that count as misses because too little of the run before them was looked at.
    pub undecided: f64,
    /// The number of samples.
    pub samples: u64,
}

/// Estimates the misses and the traffic of a program on a hierarchy of caches, which are empty at first. `executions` is the
/// number of executions of each access of the text; accesses that share a number in `groups` are also reported together.
///
/// # Errors
///
/// [`ReplayError::Geometry`] if a policy cannot keep the sets of its level, [`ReplayError::Overflow`] if an address leaves 64 bits.
pub fn sample(
    code: &Code<'_>,
    memory: &MemoryMap,
    designs: &[Design],
    executions: &[f64],
    groups: &[usize],
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
    let lru = designs.iter().all(|design| design.replacement == Replacement::Lru);
    let patience = if lru { PATIENCE[0] } else { PATIENCE[1] };
    symloc_cache::build(&parts, Sampler { code, memory, body: &body, modulus, patience, executions, groups, sampling })?
}

/// Returns the number of independent parts into which caches can be split.
fn classes(designs: &[Design]) -> u64 {
    let apart = |design: &Design| design.geometry.index() == IndexFunction::Modulo && !design.prefetch;
    match designs.iter().all(apart) {
        true => designs.iter().fold(0, |modulus, design| design.geometry.sets().gcd(&modulus)).max(1),
        false => 1,
    }
}

struct Sampler<'c> {
    code: &'c Code<'c>,
    memory: &'c MemoryMap,
    body: &'c [Op<Placed>],
    modulus: u64,
    patience: u64,
    executions: &'c [f64],
    groups: &'c [usize],
    sampling: Sampling,
}

impl<'c> OnCaches for Sampler<'c> {
    type Output = Result<Estimate, ReplayError>;

    fn on(self, caches: impl Caches) -> Self::Output {
        let all: f64 = self.executions.iter().sum();
        // No access fills more than one line.
        let shortest = caches.lines() * self.modulus;
        let part = |leaf: Leaf<'c>| {
            let accesses: f64 = leaf.sites.iter().map(|placed| self.executions[placed.access]).sum();
            (accesses > 0.0).then_some(SampledLeaf { leaf, accesses })
        };
        let parts = leaves(self.body).into_iter().filter_map(part);
        let (large, small): (Vec<_>, Vec<_>) = parts.partition(|part| part.accesses >= all / MOST_SOURCES);
        let groups = large.into_iter().map(|part| vec![part]).chain((!small.is_empty()).then_some(small));
        let quantities = Quantities {
            levels: caches.levels(),
            accesses: self.executions.len(),
            arrays: self.memory.arrays(),
            groups: self.groups.iter().max().map_or(0, |last| last + 1),
        };
        let stage = Stage {
            program: self.code.program,
            memory: self.memory,
            body: self.body,
            caches,
            patience: self.patience,
            decides: self.sampling.write_backs,
            is_written: window::written_arrays(self.code.program),
            work: 0,
            visits: Vec::new(),
        };
        let mut samples = Samples {
            sources: groups.map(|parts| SampleSource::new(parts, all, shortest)).collect(),
            quantities,
            groups: self.groups,
            modulus: self.modulus,
            stage,
            shortest,
            stretch: 0,
            longest: (self.sampling.effort / 256).clamp(SAMPLE[0], SAMPLE[1]),
            seed: self.sampling.seed,
        };
        samples.until(self.sampling)?;
        Ok(samples.estimate())
    }
}

/// Samples of a run.
struct Samples<'c, C> {
    sources: Vec<SampleSource<'c>>,
    quantities: Quantities,
    groups: &'c [usize],
    modulus: u64,
    stage: Stage<'c, C>,
    /// The smallest length of histories, in accesses.
    shortest: u64,
    /// The number of accesses in one sample.
    stretch: u64,
    /// The effort that a single sample may take before its history counts as long enough.
    longest: u64,
    seed: u64,
}

/// A leaf of the loop tree, with the number of its accesses in the whole run.
struct SampledLeaf<'c> {
    leaf: Leaf<'c>,
    accesses: f64,
}

/// A leaf in which samples begin, or several small ones, in the order of the text.
struct SampleSource<'c> {
    parts: Vec<SampledLeaf<'c>>,
    stratum: Stratum,
    /// The initial length of histories, in accesses.
    history: u64,
    /// The cost of its samples.
    work: u64,
    /// The number of samples drawn.
    drawn: u64,
}

/// The ratio of the length of a history to the part of it in which unknown lines may make room: for LRU, and for policies that
/// forget more slowly.
const PATIENCE: [u64; 2] = [2, 16];
/// Leaves with less than this fraction of the accesses, 1/64, are small.
const MOST_SOURCES: f64 = 64.0;
/// The number of samples of a source that only determine the length of histories.
const PILOT: u64 = 8;
/// The length of stretches, relative to the length of histories.
const STRETCH: f64 = 0.3;
/// The smallest number of samples of a stratum in the first round.
const FEW: u64 = 4;
/// The smallest deviation assumed for a stratum: rare misses may not have been seen.
const UNSEEN: f64 = 0.02;
/// Half of an interval, in standard deviations: more than 1.96, as compared neighbours differ a little less than others.
const DEVIATIONS: f64 = 2.2;
/// The least and the largest effort that a single sample may take before its history counts as long enough; in between it is a
/// 256th of all effort.
const SAMPLE: [u64; 2] = [40_000, 4_000_000];

impl<'c, C: Caches> Samples<'c, C> {
    fn until(&mut self, sampling: Sampling) -> Result<(), ReplayError> {
        if self.sources.is_empty() {
            return Ok(());
        }
        self.pilot()?;
        let mut wanted: Vec<f64> = self.sources.iter().map(|source| source.stratum.share).collect();
        let (mut round, mut least) = (f64::from(sampling.first_round), FEW);
        loop {
            let all: f64 = wanted.iter().sum();
            for (source, wanted) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted > 0.0) {
                for _ in 0..((round * wanted / all).ceil() as u64).max(least) {
                    self.draw(source)?;
                }
            }
            let means = self.means();
            let widest = (0..self.quantities.levels).map(|level| self.share(&means, self.quantities.misses(level)));
            let widest = widest.map(|share| share.width()).fold(0.0, f64::max);
            if widest <= 2.0 * sampling.precision || self.stage.work >= sampling.effort {
                return Ok(());
            }
            wanted =
                self.sources.iter().zip(&means).map(|(source, means)| source.wanted(means, self.quantities)).collect();
            (round, least) = (1.5 * round, 0);
        }
    }

    /// Determines the length of histories and of stretches.
    fn pilot(&mut self) -> Result<(), ReplayError> {
        let mut length = 0.0;
        for source in 0..self.sources.len() {
            for _ in 0..PILOT {
                self.stretch = self.sources[source].history;
                self.draw(source)?;
            }
            let source = &mut self.sources[source];
            source.stratum.clear();
            (source.work, source.drawn) = (0, 0);
            length += source.stratum.share * source.history as f64;
        }
        self.stretch = ((STRETCH * length) as u64).max(1);
        Ok(())
    }

    /// Draws a stretch that begins in a leaf, and runs it on caches in the state that they have there.
    fn draw(&mut self, source: usize) -> Result<(), ReplayError> {
        let seed = self.seed ^ (source as u64) << 32;
        let source = &mut self.sources[source];
        let mut chance = Chance::new(seed, source.drawn);
        source.drawn += 1;
        self.stage.work += 10;
        let place = chance.next();
        let (part, within) = source.part(place);
        let mut outermost = Some(within);
        let mut choose = |count: u64| match outermost.take() {
            Some(within) => ((within * count as f64) as u64).min(count - 1),
            None => chance.below(count),
        };
        let Stage { program, body, .. } = self.stage;
        let Some(position) = LeafPosition::at(program, body, &part.leaf, &mut choose)? else {
            source.stratum.add(Draw { place, weight: 0.0, seen: Vec::new() });
            return Ok(());
        };
        let weight = position.choices() * part.leaf.sites.len() as f64 / part.accesses;
        let start = AccessPlace { index: choose(position.accesses()), position };
        let stretch = Stretch { start, accesses: self.stretch };
        let before = self.stage.work;
        let (class, visits) = self.stage.class(&stretch, self.modulus, &mut choose)?;
        let seen =
            self.stage.run(&stretch, class, &mut source.history, self.longest, splitmix::mixed(seed ^ source.drawn))?;
        source.work += self.stage.work - before;
        // Too short a history was doubled by the sample; the length decays slowly otherwise.
        source.history = (source.history - source.history / 8).max(self.shortest);
        // A class is chosen with a probability in proportion to its visits.
        let scale = visits as f64 / seen.visits.max(1) as f64 / self.stretch as f64;
        source.stratum.add(Draw { place, weight, seen: self.quantities.of(&seen, self.groups, scale) });
        Ok(())
    }

    fn means(&mut self) -> Vec<Vec<Mean>> {
        let count = self.quantities.count();
        self.sources.iter_mut().map(|source| source.stratum.means(count)).collect()
    }

    /// Returns the mean of a quantity over all sources.
    fn overall(&self, means: &[Vec<Mean>], quantity: usize) -> Mean {
        combined(self.sources.iter().zip(means).map(|(source, means)| (source.stratum.share, means[quantity])))
    }

    /// Returns the share of misses, or of blocks that come in: undecided ones may be none.
    fn share(&self, means: &[Vec<Mean>], quantity: usize) -> EstimatedShare {
        let EstimatedShare { value, interval: (low, high), .. } = self.decided(means, quantity);
        let interval = ((low - self.most_undecided(means).min(value)).max(0.0), high);
        EstimatedShare { value, interval, undecided: self.undecided(means).min(value) }
    }

    /// Returns the share of blocks, or writes, that go back, from the least and the most that do: an undecided miss that is one
    /// drives out a block, which may have been written.
    fn share_of_written(&self, means: &[Vec<Mean>], least: usize, most: usize) -> EstimatedShare {
        let (least, most) = (self.decided(means, least), self.decided(means, most));
        let high = (most.interval.1 + self.most_undecided(means)).min(1.0);
        EstimatedShare {
            value: (least.value + most.value) / 2.0,
            interval: (least.interval.0.max(0.0), high),
            undecided: most.value - least.value + self.undecided(means),
        }
    }

    fn decided(&self, means: &[Vec<Mean>], quantity: usize) -> EstimatedShare {
        let samples: usize = self.sources.iter().map(|source| source.stratum.draws()).sum();
        EstimatedShare::new(self.overall(means, quantity), samples as f64)
    }

    /// Returns the share of misses that may be hits.
    fn undecided(&self, means: &[Vec<Mean>]) -> f64 {
        self.overall(means, self.quantities.undecided()).value
    }

    /// Returns the upper end of its interval, if there are any.
    fn most_undecided(&self, means: &[Vec<Mean>]) -> f64 {
        let EstimatedShare { value, interval: (_, high), .. } = self.decided(means, self.quantities.undecided());
        if value > 0.0 { high } else { 0.0 }
    }

    fn estimate(&mut self) -> Estimate {
        let means = self.means();
        let of = self.quantities;
        let share = |quantity| self.share(&means, quantity);
        let written = |least, most| self.share_of_written(&means, least, most);
        let rates = |level| Rates {
            misses: share(of.misses(level)),
            fills: share(of.fills(level)),
            write_backs: written(of.write_backs(level), of.most_write_backs(level)),
            writes_through: written(of.writes_through(level), of.writes_through(level)),
        };
        let by_level = |quantity: &dyn Fn(usize) -> usize| (0..of.levels).map(|level| share(quantity(level))).collect();
        let back_of = |array, level| written(of.write_backs_of(array, level), of.most_write_backs_of(array, level));
        Estimate {
            levels: (0..of.levels).map(rates).collect(),
            misses_by_access: (0..of.accesses).map(|access| by_level(&|level| of.misses_of(access, level))).collect(),
            write_backs_by_array: (0..of.arrays)
                .map(|array| (0..of.levels).map(|level| back_of(array, level)).collect())
                .collect(),
            misses_by_group: (0..of.groups).map(|group| by_level(&|level| of.misses_of_group(group, level))).collect(),
            undecided: self.undecided(&means),
            samples: self.sources.iter().map(|source| source.stratum.draws() as u64).sum(),
        }
    }
}

impl<'c> SampleSource<'c> {
    fn new(parts: Vec<SampledLeaf<'c>>, all: f64, history: u64) -> Self {
        let share = parts.iter().map(|part| part.accesses).sum::<f64>() / all;
        Self { parts, stratum: Stratum::new(share), history, work: 0, drawn: 0 }
    }

    /// Returns the leaf at a fraction of the accesses, between 0 and 1, and the fraction of its own accesses.
    fn part(&self, place: f64) -> (&SampledLeaf<'c>, f64) {
        let mut left = place * self.parts.iter().map(|part| part.accesses).sum::<f64>();
        let mut at = 0;
        while at + 1 < self.parts.len() && left >= self.parts[at].accesses {
            left -= self.parts[at].accesses;
            at += 1;
        }
        (&self.parts[at], left / self.parts[at].accesses)
    }

    /// Returns the number of samples that the source should get, up to a common factor.
    fn wanted(&self, means: &[Mean], of: Quantities) -> f64 {
        let draws = self.stratum.draws() as f64;
        let deviations = (0..of.levels).map(|level| means[of.misses(level)].deviation * draws.sqrt());
        let cost = self.work as f64 / draws;
        self.stratum.share * deviations.fold(UNSEEN, f64::max) / cost.max(1.0).sqrt()
    }
}

impl EstimatedShare {
    /// An event that never occurred in n samples may occur in 3/n of the run, with a probability of 95 %.
    fn new(Mean { value, deviation, most }: Mean, samples: f64) -> Self {
        let half = (DEVIATIONS * deviation).max(3.0 * most.max(UNSEEN) / samples.max(3.0));
        Self { value, interval: (value - half, (value + half).min(1.0)), undecided: 0.0 }
    }

    fn width(&self) -> f64 {
        self.interval.1 - self.interval.0
    }
}
