//! Which conditions of a kernel do not hold.
//!
//! A kernel is worse than another one if it misses more often in a level at a size; with samples, if the intervals of both numbers do
//! not touch. Misses decide alone, so an edit that does not change them passes, whatever became of names and lines.

use symloc_evaluate::Int;
use symloc_query::CliError;
use symloc_query::answers::measured::leading::leading_misses;
use symloc_report::Counted;
use symloc_report::answers::check::{AccessChange, CheckRule, Finding};
use symloc_report::formats::text;
use symloc_report::ratio::MissGrowth;

use crate::config::{CheckedKernel, KernelQuestion};
use crate::derive::StoredModel;
use crate::matching::pairs;
use crate::measurement::{KeptInt, KernelMisses, Measurer, SizeMisses, UnfitSize};

/// A model and its misses.
#[derive(Clone, Debug)]
pub(crate) struct KernelModel {
    pub(crate) model: StoredModel,
    pub(crate) misses: KernelMisses,
}

/// The model that a kernel is compared with.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    /// The name in messages.
    pub(crate) name: String,
    pub(crate) measured: KernelModel,
}

/// A kernel with everything that its conditions are about.
#[derive(Debug)]
pub(crate) struct Judge<'k> {
    pub(crate) kernel: &'k CheckedKernel,
    pub(crate) measurer: &'k Measurer<'k>,
    pub(crate) now: &'k KernelModel,
    /// The models that it may be as bad as: the baseline, and the one that was accepted since.
    pub(crate) compared: &'k [Compared],
}

/// The most accesses of a finding about a limit.
const MOST_MISSING: usize = 3;

/// The share of the largest difference below which an access is no cause.
const MINOR: i64 = 100;

impl Judge<'_> {
    /// Returns the conditions that do not hold.
    pub(crate) fn findings(&self) -> Result<Vec<Finding>, CliError> {
        let mut findings = Vec::new();
        for (index, size) in self.now.misses.sizes.iter().enumerate() {
            for level in 0..size.levels.len() {
                findings.extend(self.worse(index, level)?);
                findings.extend(self.above_limits(size, level));
            }
        }
        for rule in &self.kernel.requirements.fits {
            let found = self.measurer.fits(&self.now.model, &self.kernel.question, rule)?;
            findings.extend(found.map(|UnfitSize { parameters, misses: KeptInt(misses) }| Finding {
                rule: CheckRule::Fits,
                at: text_of(&parameters),
                level: rule.level.clone(),
                bound: rule.text.clone(),
                before: None,
                after: Counted::exact(misses),
                accesses: Int::ZERO,
                changes: Vec::new(),
            }));
        }
        Ok(findings)
    }

    /// Returns the finding that a level misses more often at a size than every model that it is compared with.
    fn worse(&self, index: usize, level: usize) -> Result<Option<Finding>, CliError> {
        let size = &self.now.misses.sizes[index];
        let after = size.levels[level].counted();
        let tolerance = &self.kernel.requirements.tolerance;
        let before = |compared: &&Compared| misses_at(compared, index, level);
        let most = self.compared.iter().max_by(|a, b| high(&before(a)).cmp(high(&before(b))));
        let Some(most) = most.filter(|most| !is_allowed(tolerance, &before(most), &after)) else { return Ok(None) };
        Ok(Some(Finding {
            bound: most.name.clone(),
            before: Some(before(&most)),
            changes: self.changes(&most.measured, index, level)?,
            ..self.finding(CheckRule::NotWorseThan, size, level)
        }))
    }

    /// Returns a finding, without what it is compared with.
    fn finding(&self, rule: CheckRule, size: &SizeMisses, level: usize) -> Finding {
        let names = &self.kernel.question.level_names;
        Finding {
            rule,
            at: at(size),
            level: names.get(level).cloned().unwrap_or_default(),
            bound: String::new(),
            before: None,
            after: size.levels[level].counted(),
            accesses: size.accesses.0.clone(),
            changes: Vec::new(),
        }
    }

    /// Returns the findings about limits of a level. Sampled misses are above a limit if their interval is.
    fn above_limits(&self, size: &SizeMisses, level: usize) -> Vec<Finding> {
        let requirements = &self.kernel.requirements;
        let least = size.levels[level].counted();
        let least = low(&least);
        let limits = requirements.max_misses.iter().filter(|limit| limit.is_about(level) && *least > limit.limit);
        let misses = limits.map(|limit| (CheckRule::MaxMisses, limit.limit.to_string()));
        let all = &size.accesses.0;
        let limits = requirements.max_ratio.iter().filter(|l| l.is_about(level) && !l.limit.allows(least, all));
        let ratios = limits.map(|limit| (CheckRule::MaxRatio, limit.limit.to_string()));
        let finding = |(rule, bound)| Finding {
            bound,
            changes: self.most_missing(size, level),
            ..self.finding(rule, size, level)
        };
        misses.chain(ratios).map(finding).collect()
    }

    /// Returns the accesses that miss most often.
    fn most_missing(&self, size: &SizeMisses, level: usize) -> Vec<AccessChange> {
        let missing =
            size.by_access.iter().enumerate().map(|(access, misses)| self.change(access, None, &misses[level].0));
        let mut missing: Vec<_> = missing.filter(|change| !change.after.is_zero()).collect();
        missing.sort_by(|one, other| other.after.cmp(&one.after));
        missing.truncate(MOST_MISSING);
        missing
    }

    fn change(&self, access: usize, before: Option<Int>, after: &Int) -> AccessChange {
        let text = &self.now.misses.accesses[access];
        AccessChange {
            place: (text.file.clone(), text.line, text.column),
            name: text.to_string(),
            kind: text.kind.clone(),
            before,
            after: after.clone(),
            formulas: None,
        }
    }

    /// Returns the accesses that miss more often than before, those with the largest difference first.
    fn changes(&self, before: &KernelModel, index: usize, level: usize) -> Result<Vec<AccessChange>, CliError> {
        let [one, other] = [before, self.now].map(|measured| &measured.misses.sizes[index].by_access);
        if one.is_empty() || other.is_empty() {
            return Ok(Vec::new());
        }
        let pairs = pairs(&before.misses.accesses, &self.now.misses.accesses);
        let difference = |access: usize| {
            let earlier = pairs[access].map_or(Int::ZERO, |pair| one[pair][level].0.clone());
            &other[access][level].0 - &earlier
        };
        let mut worse: Vec<(Int, usize)> = (0..other.len()).map(|access| (difference(access), access)).collect();
        worse.sort_by(|(one, a), (other, b)| other.cmp(one).then(a.cmp(b)));
        let Some((largest, _)) = worse.first().cloned() else { return Ok(Vec::new()) };
        let matters = |(more, _): &(Int, usize)| *more > Int::ZERO && more * &Int::from(MINOR) >= largest;
        worse.retain(matters);
        let formulas = [before, self.now].map(|measured| self.formulas(measured, index, level));
        let [one_text, other_text] = formulas;
        let (one_text, other_text) = (one_text?, other_text?);
        let change = |(_, access): &(Int, usize)| {
            let pair = pairs[*access];
            let earlier = pair.map(|pair| one[pair][level].0.clone());
            let before = pair.and_then(|pair| one_text.get(pair).cloned().flatten());
            let formulas = before.zip(other_text.get(*access).cloned().flatten());
            AccessChange { formulas, ..self.change(*access, earlier, &other[*access][level].0) }
        };
        Ok(worse.iter().map(change).collect())
    }

    /// Returns the leading terms of the misses of each access; none for threads, for caches with ways and where there are none.
    fn formulas(&self, measured: &KernelModel, index: usize, level: usize) -> Result<Vec<Option<String>>, CliError> {
        let size = &measured.misses.sizes[index];
        let kept = &size.levels[level];
        // In a hierarchy in which one level has ways, all are simulated.
        if !size.levels.iter().all(|level| level.is_full) || size.threads.is_some() {
            return Ok(Vec::new());
        }
        let model = self.measurer.load(&measured.model)?.on_one_thread();
        let line = model.line(self.kernel.question.levels.line(None)?)?;
        if line.distances.is_some() || line.symbolic.is_some() {
            return Ok(Vec::new());
        }
        let misses: Vec<Int> = size.by_access.iter().map(|misses| misses[level].0.clone()).collect();
        leading_misses(&model, line, &size.named(), kept.lines, &misses)
    }
}

/// Returns true if a number of misses is allowed where there were `before`: if the intervals of both touch, or if the difference is
/// tolerated.
fn is_allowed(tolerance: &MissGrowth, before: &Counted, after: &Counted) -> bool {
    tolerance.allows(high(before), low(after))
}

fn misses_at(compared: &Compared, index: usize, level: usize) -> Counted {
    compared.measured.misses.sizes[index].levels[level].counted()
}

fn low(counted: &Counted) -> &Int {
    counted.interval.as_ref().map_or(&counted.value, |(low, _)| low)
}

fn high(counted: &Counted) -> &Int {
    counted.interval.as_ref().map_or(&counted.value, |(_, high)| high)
}

/// Returns the size and the number of threads.
fn at(size: &SizeMisses) -> String {
    let threads = size.threads.map(|count| format!("{count} thread{}", if count == 1 { "" } else { "s" }));
    let sizes = Some(text_of(&size.parameters)).filter(|text| !text.is_empty());
    sizes.into_iter().chain(threads).collect::<Vec<_>>().join(", ")
}

fn text_of(sizes: &[(String, i64)]) -> String {
    text::grouped_sizes(&sizes.iter().map(|(name, value)| (name.clone(), i128::from(*value))).collect::<Vec<_>>())
}

/// Returns a remark on the level and size in which a kernel misses least often, compared with before; `None` if it misses as often.
pub(crate) fn improvement(question: &KernelQuestion, before: &Compared, now: &KernelModel) -> Option<String> {
    let mut best: Option<(f64, String)> = None;
    for (index, size) in now.misses.sizes.iter().enumerate() {
        for (level, name) in question.level_names.iter().enumerate().take(size.levels.len()) {
            let [one, other] = [misses_at(before, index, level), size.levels[level].counted()];
            let share = other.value.ratio(&one.value);
            if high(&other) < low(&one) && best.as_ref().is_none_or(|(least, _)| share < *least) {
                let place = [at(size), name.clone()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
                let (place, after, earlier) = (place.join(", "), &other.value, &one.value);
                best = Some((share, format!("better: {place}: {after} misses, {earlier} in {}", before.name)));
            }
        }
    }
    best.map(|(_, text)| text)
}
