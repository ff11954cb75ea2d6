//! The facts about the misses of one cache.

use std::cmp::Reverse;

use symloc_evaluate::{EvalError, Int, MissModel, Misses};
use symloc_report::explanation::{Threshold, ThresholdGoal};

use super::groups::AccessGroups;
use super::subject::{AttributedMisses, tenths};
use crate::search::first;

/// The facts about one cache.
#[derive(Debug)]
pub struct Facts {
    /// The number of lines.
    pub lines: Int,
    /// The misses.
    pub misses: Misses,
    /// The groups of accesses that make nine tenths of the misses, or the first of these, by descending misses.
    pub main: Vec<Makers>,
    /// Other accesses with reuses that miss, by descending misses.
    pub late: Vec<usize>,
    /// Other accesses with reuses that all hit, by descending number of executions.
    pub reused: Vec<usize>,
    /// Other accesses without reuses, by descending number of executions.
    pub once: Vec<usize>,
    /// The smallest cache with at most twice the misses.
    pub twice: Threshold,
    /// The smallest cache with at most a tenth more misses.
    pub from: Threshold,
    /// The smallest cache with at least a tenth fewer misses, if there is one.
    pub fewer: Option<Threshold>,
    /// The smallest cache with at most half of the misses, if there is one.
    pub half: Option<Threshold>,
    /// The smallest cache in which only first touches miss, if it is larger.
    pub cold: Option<Threshold>,
}

/// Accesses whose reuses begin to hit in about the same cache, and all hit in about the same cache.
#[derive(Debug)]
pub struct Makers {
    /// The accesses, by descending misses.
    pub accesses: Vec<usize>,
    /// Their misses.
    pub misses: Misses,
    /// The reason why their reuses miss, and the caches where they would hit; `None` if none misses.
    pub late: Option<Late>,
}

/// The reuses of some accesses that miss.
#[derive(Debug)]
pub struct Late {
    /// The common reason.
    pub why: Why,
    /// The smallest cache in which one of them hits.
    pub some: Threshold,
    /// The smallest cache in which nine tenths hit.
    pub most: Threshold,
    /// The smallest cache in which all hit.
    pub all: Threshold,
}

/// The reason why reuses miss.
#[derive(Debug)]
pub enum Why {
    /// At least this number of other lines is touched in between.
    Distance(Int),
    /// At least the first number of accesses lies in between, and the cache keeps lines for the second number of accesses.
    Interval(Int, Int),
    /// Some of their distances are estimated.
    Unknown,
}

impl AttributedMisses<'_> {
    fn makers(&self, accesses: Vec<usize>, lines: &Int) -> Result<Makers, EvalError> {
        let misses = self.misses(&accesses, lines)?;
        let late = self.late(&accesses, lines, &misses.reuse)?;
        Ok(Makers { accesses, misses, late })
    }

    fn late(&self, accesses: &[usize], lines: &Int, late: &Int) -> Result<Option<Late>, EvalError> {
        let Some([some, all]) = self.reach(accesses, late)? else { return Ok(None) };
        let Some(most) = self.threshold(ThresholdGoal::Most, Some(accesses), tenths(late, 1))? else { return Ok(None) };
        Ok(Some(Late { why: self.why(accesses, lines, late, &some)?, some, most, all }))
    }

    fn why(&self, accesses: &[usize], lines: &Int, late: &Int, some: &Threshold) -> Result<Why, EvalError> {
        Ok(match self.prediction.miss_model() {
            // The reuse with the least distance hits in a cache of one line more than that.
            MissModel::Lru if self.sum(accesses, |_, access| self.shares.estimated(access)).is_zero() => {
                Why::Distance(&some.lines - &Int::from(1))
            }
            MissModel::Lru => Why::Unknown,
            MissModel::Denning => self.interval(accesses, lines, late)?.unwrap_or(Why::Unknown),
        })
    }

    fn interval(&self, accesses: &[usize], lines: &Int, late: &Int) -> Result<Option<Why>, EvalError> {
        let above = |x: &Int| {
            let mut own = accesses.iter().map(|access| self.shares.above(*access, x));
            own.try_fold(Int::ZERO, |sum, own| Ok::<_, EvalError>(&sum + &own?))
        };
        let Some(window) = self.prediction.window(lines)? else { return Ok(None) };
        let shortest = first(&window, self.prediction.accesses(), |x| Ok::<_, EvalError>(above(x)? < *late))?;
        Ok(shortest.map(|shortest| Why::Interval(shortest, window)))
    }
}

impl Facts {
    /// Finds the facts about a cache of `lines` lines.
    ///
    /// # Errors
    ///
    /// [`EvalError::Limit`] if too many rows would have to be searched.
    pub fn find(subject: &AttributedMisses<'_>, lines: &Int) -> Result<Self, EvalError> {
        let misses = subject.prediction.misses(lines)?;
        let total = misses.total();
        let (main, others) = AccessGroups::new(subject, lines)?.leading(&total);
        let Others { late, reused, once } = Others::new(subject, lines, others)?;
        let of_all = |goal, at_most| subject.threshold(goal, None, at_most);
        let itself = |goal| Threshold { goal, accesses: None, at_most: total.clone(), lines: lines.clone() };
        let smaller =
            |goal, count| Ok::<_, EvalError>(of_all(goal, tenths(&total, count))?.unwrap_or_else(|| itself(goal)));
        let larger = |goal, at_most| Ok::<_, EvalError>(of_all(goal, at_most)?.filter(|found| found.lines > *lines));
        Ok(Self {
            twice: smaller(ThresholdGoal::Twice, 20)?,
            from: smaller(ThresholdGoal::TenthMore, 11)?,
            fewer: larger(ThresholdGoal::TenthFewer, tenths(&total, 9))?,
            half: larger(ThresholdGoal::Half, tenths(&total, 5))?,
            cold: larger(ThresholdGoal::FirstTouches, misses.cold.clone())?,
            lines: lines.clone(),
            main: main.into_iter().map(|accesses| subject.makers(accesses, lines)).collect::<Result<_, _>>()?,
            misses,
            late,
            reused,
            once,
        })
    }

    /// Returns all caches that were searched.
    pub fn thresholds(&self) -> impl Iterator<Item = &Threshold> {
        let reuses = self.main.iter().filter_map(|makers| makers.late.as_ref());
        let reuses = reuses.flat_map(|late| [&late.some, &late.most, &late.all]);
        let of_all = [&self.fewer, &self.half, &self.cold].into_iter().flatten();
        reuses.chain([&self.twice, &self.from]).chain(of_all)
    }
}

/// The accesses that are not described one by one.
struct Others {
    late: Vec<usize>,
    reused: Vec<usize>,
    once: Vec<usize>,
}

impl Others {
    fn new(subject: &AttributedMisses<'_>, lines: &Int, others: Vec<usize>) -> Result<Self, EvalError> {
        let misses = subject.shares.misses(lines)?;
        let is_late = |access: &usize| !misses[*access].reuse.is_zero();
        let (late, mut others): (Vec<_>, Vec<_>) = others.into_iter().partition(is_late);
        others.retain(|access| !subject.shares.accesses(*access).is_zero());
        others.sort_by_key(|access| Reverse(subject.shares.accesses(*access)));
        let (once, reused) = others.into_iter().partition(|access| subject.reuses(*access).is_zero());
        Ok(Self { late, reused, once })
    }
}
