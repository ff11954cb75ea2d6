//! Turns facts into sentences.

use symloc_evaluate::{EvalError, Int};
use symloc_model::Outline;
use symloc_report::answers::explanation::{
    Asked, AxisChanges, RatioChange, RatioFactor, Threshold, ThresholdGoal, Tried,
};
use symloc_report::answers::sentence::{NumberQuestion, Quantity, Sentence};
use symloc_report::formats::text::{binary, percent_of};
use symloc_report::subject::named;

use super::analysis::{Analysis, Late, Makers, Why};
use super::subject::AttributedMisses;

/// The number of names in a list before it is cut short.
const NAMES: usize = 3;

/// Writes sentences about one program at one size.
pub(super) struct Prose<'f> {
    pub(super) subject: &'f AttributedMisses<'f>,
    pub(super) outline: &'f Outline,
}

impl Prose<'_> {
    /// Returns all sentences about a cache.
    pub(super) fn sentences(
        &self,
        cache: &Asked,
        analysis: &Analysis,
        axes: &[AxisChanges],
    ) -> Result<Vec<Sentence>, EvalError> {
        let mut sentences = vec![self.head(cache, analysis)?];
        if analysis.misses.total().is_zero() {
            return Ok(sentences);
        }
        for makers in &analysis.main {
            sentences.push(self.makers(makers, &analysis.lines)?);
        }
        sentences.extend(self.late(analysis)?);
        sentences.extend(self.reused(analysis));
        sentences.extend(self.once(analysis));
        sentences.push(self.smaller(analysis)?);
        sentences.extend(self.larger(analysis)?);
        sentences.extend(self.sizes(axes, &analysis.lines));
        Ok(sentences)
    }

    /// States the number of misses.
    fn head(&self, cache: &Asked, analysis: &Analysis) -> Result<Sentence, EvalError> {
        let (mut text, lines) = (Sentence::default(), &analysis.lines);
        let (accesses, total) = (self.subject.prediction.accesses(), analysis.misses.total());
        text.words("In ");
        if let Some(name) = &cache.name {
            text.name(name).words(", ");
        }
        self.cache(&mut text, lines);
        text.words(if cache.name.is_some() { "," } else { "" });
        if accesses.is_zero() {
            text.words(" nothing misses: the program makes no accesses.");
            return Ok(text);
        }
        text.words(" ").number(&total, NumberQuestion::new(Quantity::Misses).lines(lines)).words(" of ");
        text.number(accesses, NumberQuestion::new(Quantity::Accesses)).words(" accesses miss, ");
        self.ratio(&mut text, lines)?;
        if analysis.misses.reuse.is_zero() {
            text.words(": only first touches, which miss in every cache.");
            return Ok(text);
        }
        text.words("; ").number(&analysis.misses.cold, NumberQuestion::new(Quantity::FirstTouches));
        text.words(if analysis.misses.cold == Int::from(1) {
            " of them is a first touch, which misses in every cache."
        } else {
            " of them are first touches, which miss in every cache."
        });
        Ok(text)
    }

    /// States the misses of some accesses, the reason, and the caches from which on their reuses hit.
    fn makers(&self, makers: &Makers, lines: &Int) -> Result<Sentence, EvalError> {
        let (mut text, accesses) = (Sentence::default(), makers.accesses.as_slice());
        let question = |measure| NumberQuestion::new(measure).of(accesses).lines(lines);
        let (misses, single) = (makers.misses.total(), accesses.len() == 1);
        self.list(&mut text, accesses);
        text.words(if single { " makes " } else { " make " }).number(&misses, question(Quantity::Misses));
        text.words(" of the misses, ");
        text.number(percent_of(&misses, &self.subject.total(lines)?), question(Quantity::Share));
        let Some(late) = &makers.late else {
            text.words(": only first touches.");
            return Ok(text);
        };
        text.words(": ");
        if !makers.misses.cold.is_zero() {
            let first_touches = NumberQuestion::new(Quantity::FirstTouches).of(accesses);
            let touch = text.number(&makers.misses.cold, first_touches);
            touch.words(if makers.misses.cold == Int::from(1) { " first touch and " } else { " first touches and " });
        }
        self.late_reuses(&mut text, makers, lines);
        self.why(&mut text, late, accesses, lines);
        self.where_they_hit(&mut text, late);
        Ok(text)
    }

    /// Writes `134470 of its 1998750 reuses` or `all its 160 reuses`.
    fn late_reuses(&self, text: &mut Sentence, makers: &Makers, lines: &Int) {
        let (accesses, late) = (makers.accesses.as_slice(), &makers.misses.reuse);
        let reuses = self.subject.sum(accesses, AttributedMisses::reuses);
        let (single, all) = (accesses.len() == 1, *late == reuses);
        let question = NumberQuestion::new(Quantity::LateReuses).of(accesses).lines(lines);
        if all {
            text.words(if single { "all its " } else { "all their " }).number(late, question);
        } else {
            text.number(late, question).words(if single { " of its " } else { " of their " });
            text.number(reuses, NumberQuestion::new(Quantity::Reuses).of(accesses));
        }
        text.words(" reuses");
    }

    /// Writes the common reason of the reuses that miss.
    fn why(&self, text: &mut Sentence, late: &Late, accesses: &[usize], lines: &Int) {
        let question = |measure, lines: &Int| NumberQuestion::new(measure).of(accesses).lines(lines);
        match &late.why {
            Why::Distance(distance) => {
                text.words(", each at least ").number(distance, question(Quantity::Distance, &late.some.lines));
                text.words(" other lines after the last use of its line.");
            }
            Why::Interval(interval, window) => {
                text.words(", each at least ").number(interval, question(Quantity::Interval, lines));
                text.words(" accesses after the last use of its line; this cache keeps lines for ");
                text.number(window, NumberQuestion::new(Quantity::Window).lines(lines)).words(".");
            }
            Why::Unknown => {
                text.words(".");
            }
        }
    }

    /// Writes the caches in which the first of them hit, most and all.
    fn where_they_hit(&self, text: &mut Sentence, Late { some, most, all, .. }: &Late) {
        match (some.lines == most.lines, most.lines == all.lines) {
            (true, true) => {
                self.cache(text.words(" They hit from "), &all.lines);
                text.words(" on, none of them in less.");
            }
            (true, false) => {
                self.cache(text.words(" Nine tenths of them or more hit from "), &most.lines);
                self.cache(text.words(" on, none in less; all from "), &all.lines);
                text.words(" on.");
            }
            (false, together) => {
                self.cache(text.words(" The first of them hit in "), &some.lines);
                if !together {
                    self.cache(text.words(", nine tenths in "), &most.lines);
                }
                self.cache(text.words(", all in "), &all.lines);
                text.words(".");
            }
        }
    }

    /// Names the other accesses with reuses that miss.
    fn late(&self, analysis: &Analysis) -> Result<Option<Sentence>, EvalError> {
        let (accesses, lines) = (analysis.late.as_slice(), &analysis.lines);
        let mut text = Sentence::default();
        if self.list(text.words("Reuses of "), accesses).is_none() {
            return Ok(None);
        }
        let question = |measure| NumberQuestion::new(measure).of(accesses).lines(lines);
        let misses = self.subject.misses(accesses, lines)?.total();
        let verb = if accesses.len() == 1 { " miss, too; it makes " } else { " miss, too; together they make " };
        text.words(verb).number(&misses, question(Quantity::Misses)).words(" of the misses, ");
        text.number(percent_of(&misses, &self.subject.total(lines)?), question(Quantity::Share)).words(".");
        Ok(Some(text))
    }

    /// Names the accesses whose reuses all hit.
    fn reused(&self, analysis: &Analysis) -> Option<Sentence> {
        let accesses = analysis.reused.as_slice();
        let mut text = Sentence::default();
        self.list(text.words("All reuses of "), accesses)?;
        text.words(if accesses.len() == 1 { " hit: of its " } else { " hit: of their " }).number(
            self.subject.sum(accesses, |subject, access| subject.shares.accesses(access).clone()),
            NumberQuestion::new(Quantity::Accesses).of(accesses),
        );
        let misses = self.subject.sum(accesses, |subject, access| subject.shares.first_touches(access));
        if misses.is_zero() {
            text.words(" accesses none misses.");
            return Some(text);
        }
        text.words(" accesses ");
        text.number(&misses, NumberQuestion::new(Quantity::Misses).of(accesses).lines(&analysis.lines));
        text.words(" miss, only first touches.");
        Some(text)
    }

    /// Names the accesses without reuses.
    fn once(&self, analysis: &Analysis) -> Option<Sentence> {
        let accesses = analysis.once.as_slice();
        let mut text = Sentence::default();
        self.list(&mut text, accesses)?;
        let misses = self.subject.sum(accesses, |subject, access| subject.shares.first_touches(access));
        text.words(if accesses.len() == 1 { " only makes first touches: " } else { " only make first touches: " });
        text.number(&misses, NumberQuestion::new(Quantity::FirstTouches).of(accesses)).words(".");
        Some(text)
    }

    /// States the caches that miss about as often, and the misses of smaller ones.
    fn smaller(&self, analysis: &Analysis) -> Result<Sentence, EvalError> {
        let (mut text, one) = (Sentence::default(), Int::from(1));
        self.alike(&mut text, analysis);
        let mut told: Option<&Int> = None;
        for threshold in [&analysis.from, &analysis.twice] {
            if threshold.lines <= one || told == Some(&threshold.lines) {
                continue;
            }
            let below = &threshold.lines - &one;
            self.cache(text.words("; in "), &below);
            text.words(if threshold.goal == ThresholdGoal::Twice { " more than twice as many: " } else { " " });
            self.misses(&mut text, &below)?;
            told = Some(&threshold.lines);
        }
        text.words(".");
        Ok(text)
    }

    /// States the caches that miss about as often.
    fn alike(&self, text: &mut Sentence, analysis: &Analysis) {
        let last = analysis.fewer.as_ref().map(|fewer| &fewer.lines - &Int::from(1));
        if last.as_ref() == Some(&analysis.from.lines) {
            text.words("No other cache");
        } else {
            self.cache(text.words("Any cache from "), &analysis.from.lines);
            match last {
                Some(last) => self.cache(text.words(" to "), &last),
                None => {
                    text.words(" upwards");
                }
            }
        }
        text.words(" misses as often, give or take a tenth");
    }

    /// States the misses of larger caches.
    fn larger(&self, analysis: &Analysis) -> Result<Option<Sentence>, EvalError> {
        let mut text = Sentence::default();
        let mut told: Option<&Threshold> = None;
        let cold = analysis.cold.as_ref().map(|cold| &cold.lines);
        for threshold in [&analysis.fewer, &analysis.half, &analysis.cold].into_iter().flatten() {
            if told.is_some_and(|told| told.lines == threshold.lines) {
                continue;
            }
            text.words(if told.is_some() { "; in " } else { "In " });
            self.cache(&mut text, &threshold.lines);
            self.misses(text.words(" "), &threshold.lines)?;
            if cold == Some(&threshold.lines) {
                text.words(", only first touches");
            }
            told = Some(threshold);
        }
        text.words(".");
        Ok(told.map(|_| text))
    }

    /// States the sizes at which the miss ratio differs, and at which it does not.
    fn sizes(&self, axes: &[AxisChanges], lines: &Int) -> Option<Sentence> {
        let mut text = Sentence::default();
        let less = self.changes(&mut text, axes, RatioFactor::Less, lines);
        let more = self.changes(&mut text, axes, RatioFactor::More, lines);
        let same = self.unchanged(&mut text, axes, lines);
        less.or(more).or(same).map(|()| text)
    }

    /// States the sizes at which the miss ratio differs in one way, each with its neighbour at which it does not.
    fn changes(&self, text: &mut Sentence, axes: &[AxisChanges], factor: RatioFactor, lines: &Int) -> Option<()> {
        let found = axes.iter().flat_map(|axis| axis.changes.iter().map(move |change| (axis, change)));
        let mut found = found.filter(|(_, change)| change.factor == factor).peekable();
        found.peek()?;
        text.words(if text.parts().is_empty() { "The miss ratio is " } else { " It is " });
        text.words(match factor {
            RatioFactor::Less => "at most two thirds of this ",
            RatioFactor::More => "at least one and a half times this ",
        });
        for (index, (axis, RatioChange { with, without, .. })) in found.enumerate() {
            text.words(if index > 0 { "; at " } else { "at " });
            self.size(text, axis, with);
            ratio_at(text.words(" ("), lines, with);
            ratio_at(text.words("; "), lines, without);
            self.size(text.words(" at "), axis, without);
            text.words(")");
        }
        text.words(".");
        Some(())
    }

    /// Writes the parameters that change, with their values: `ni = nj = 40, nk = 50`.
    fn size(&self, text: &mut Sentence, axis: &AxisChanges, tried: &Tried) {
        let changing: Vec<_> = tried.sizes.iter().filter(|(name, _)| axis.names.contains(name)).collect();
        for (index, group) in changing.chunk_by(|(_, one), (_, other)| one == other).enumerate() {
            text.words(if index > 0 { ", " } else { "" });
            for (name, _) in group {
                text.name(name).words(" = ");
            }
            text.number(group[0].1, NumberQuestion::new(Quantity::Size).at(&tried.sizes));
        }
    }

    /// States the parameters along which nothing was found, and the range that was searched.
    fn unchanged(&self, text: &mut Sentence, axes: &[AxisChanges], lines: &Int) -> Option<()> {
        let ratio = |tried: &&Tried| tried.misses.ratio(&tried.accesses);
        let ascending = |one: &&Tried, other: &&Tried| ratio(one).total_cmp(&ratio(other));
        let tried = || axes.iter().flat_map(|axis| &axis.tried);
        let (least, most) = (tried().min_by(ascending)?, tried().max_by(ascending)?);
        let first = text.parts().is_empty();
        text.words(if first {
            "The miss ratio is neither at most two thirds nor one and a half times this"
        } else {
            " Neither"
        });
        text.words(" at any size tried from ");
        for (index, axis) in axes.iter().filter(|axis| !axis.tried.is_empty()).enumerate() {
            let [first, last] = ends(axis);
            self.size(text.words(if index > 0 { "; from " } else { "" }), axis, first);
            self.size(text.words(" to "), axis, last);
        }
        ratio_at(text.words(": "), lines, least);
        if percent_of(&least.misses, &least.accesses) != percent_of(&most.misses, &most.accesses) {
            ratio_at(text.words(" to "), lines, most);
        }
        text.words(".");
        Some(())
    }

    /// Writes `165888000 miss, 3.14%`.
    fn misses(&self, text: &mut Sentence, lines: &Int) -> Result<(), EvalError> {
        let misses = self.subject.total(lines)?;
        text.number(misses, NumberQuestion::new(Quantity::Misses).lines(lines)).words(" miss, ");
        self.ratio(text, lines)
    }

    /// Writes the miss ratio.
    fn ratio(&self, text: &mut Sentence, lines: &Int) -> Result<(), EvalError> {
        let ratio = percent_of(&self.subject.total(lines)?, self.subject.prediction.accesses());
        text.number(ratio, NumberQuestion::new(Quantity::MissRatio).lines(lines));
        Ok(())
    }

    /// Writes `512 lines (32 KiB)`.
    fn cache(&self, text: &mut Sentence, lines: &Int) {
        text.number(lines, NumberQuestion::new(Quantity::Lines).lines(lines));
        text.words(if *lines == Int::from(1) { " line" } else { " lines" });
        if let Some(line_bytes) = self.subject.prediction.place().line_bytes {
            let bytes = binary((lines * &Int::from(line_bytes)).to_f64());
            text.words(" (").number(bytes, NumberQuestion::new(Quantity::Bytes).lines(lines)).words(")");
        }
    }

    /// Returns the name of an access in a sentence.
    fn called(&self, access: usize) -> String {
        named(self.outline, &self.outline.accesses[access])
    }

    /// Lists the first few of some accesses, and the number of others; `None` if there are no accesses.
    fn list(&self, text: &mut Sentence, accesses: &[usize]) -> Option<()> {
        let shown = if accesses.len() == NAMES + 1 { NAMES + 1 } else { accesses.len().min(NAMES) };
        let (shown, others) = accesses.split_at(shown);
        let (last, before) = shown.split_last()?;
        for (index, access) in before.iter().enumerate() {
            text.words(if index > 0 { ", " } else { "" }).name(self.called(*access));
        }
        text.words(match (before.is_empty(), others.is_empty()) {
            (true, _) => "",
            (false, true) => " and ",
            (false, false) => ", ",
        });
        text.name(self.called(*last));
        if !others.is_empty() {
            text.words(" and ").number(others.len(), NumberQuestion::new(Quantity::Count).of(others)).words(" others");
        }
        Some(())
    }
}

/// Writes the miss ratio at a size that was tried.
fn ratio_at(text: &mut Sentence, lines: &Int, tried: &Tried) {
    let question = NumberQuestion::new(Quantity::MissRatio).lines(lines).at(&tried.sizes);
    text.number(percent_of(&tried.misses, &tried.accesses), question);
}

/// Returns the smallest and the largest size that was tried along an axis.
fn ends(axis: &AxisChanges) -> [&Tried; 2] {
    let sum = |tried: &&Tried| tried.sizes.iter().map(|(_, value)| *value).sum::<i128>();
    let first = axis.tried.iter().min_by_key(sum).unwrap_or(&axis.tried[0]);
    [first, axis.tried.iter().max_by_key(sum).unwrap_or(first)]
}
