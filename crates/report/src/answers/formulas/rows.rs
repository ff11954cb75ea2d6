//! The rows of a sheet of formulas: neighbouring cases that are shown as one, and long formulas, which stand below
//! the table.

use std::collections::{BTreeMap, BTreeSet};

use symloc_locality::formula::{Case, MissFormulas, RootNumberDefinition};
use symloc_locality::leading_terms;
use symloc_quasi::{Notation, Poly, Quotient, Style, Var};

use crate::MissModel;
use crate::answers::formulas::roots;

/// Formulas of more terms are left to data and `--full`.
const MAX_TERMS: usize = 100;

/// Formulas with more sums over points are left to data.
const MAX_SUMS: usize = 8;

/// Longer formulas with roots stand below the table; others where they are longer than a line there. Those that hold for some slacks
/// alone do, too.
const MAX_WIDTH: usize = 60;

/// The width of lines below the table.
const WIDTH: usize = 100;

/// The cases that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownCases {
    /// Wide ranges of caches; similar neighbours are merged.
    Wide,
    /// All ranges of caches.
    All,
}

/// The way in which cases become rows.
pub(super) struct RowChoice<'a> {
    /// The names of the sizes, then of the threshold.
    pub(super) names: &'a [String],
    pub(super) miss_model: MissModel,
    pub(super) shown: ShownCases,
}

/// Neighbouring cases that form one row, with the indices start..end.
#[derive(Clone, Copy)]
pub(super) struct CaseRun<'c> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) first: &'c Case,
    pub(super) last: &'c Case,
}

/// The rows that are shown.
pub(super) struct ShownRows<'c> {
    pub(super) formulas: &'c MissFormulas,
    pub(super) rows: Vec<CaseRun<'c>>,
    /// The misses of each row, where no slack is below a bound if only wide cases are shown.
    pub(super) counts: Vec<Poly>,
    /// The labels of formulas below the table.
    pub(super) labels: Vec<Option<usize>>,
    /// The bounds of slacks that counts leave out.
    bounds: Vec<BTreeSet<(Var, String)>>,
    /// The roots and numbers that are shown.
    mentioned: BTreeSet<Var>,
    pub(super) names: Vec<String>,
}

impl ShownRows<'_> {
    /// Returns true if the formula of a row is too long for a table of wide ranges.
    pub(super) fn is_long(&self, shown: ShownCases, index: usize) -> bool {
        shown == ShownCases::Wide && self.counts[index].terms().len() > MAX_TERMS
    }

    /// Returns the lines of formulas below the table.
    pub(super) fn long_formulas(&self, style: Style) -> Vec<String> {
        let notation = Notation::new(style, &self.names);
        let labelled = self.labels.iter().enumerate().filter_map(|(index, label)| Some((index, (*label)?)));
        labelled
            .flat_map(|(index, label)| {
                let bounds = self.bounds(index, notation, ">=").join(" and ");
                let place = if bounds.is_empty() { String::new() } else { format!(", where {bounds}") };
                wrapped(&format!("({label}) {}{place}", notation.poly(&self.counts[index])))
            })
            .collect()
    }

    /// Returns the formula of a row in LaTeX, with the slacks for which it holds.
    pub(super) fn latex(&self, index: usize) -> String {
        let notation = Notation::new(Style::Latex, &self.names);
        let bounds = self.bounds(index, notation, r"\ge").join(r"\textrm{ and }");
        let place = if bounds.is_empty() { String::new() } else { format!(r"\textrm{{ where }}{bounds}") };
        notation.poly(&self.counts[index]) + &place
    }

    /// Returns the conditions on slacks under which the formula of a row is all of it.
    fn bounds(&self, index: usize, notation: Notation<'_>, at_least: &str) -> Vec<String> {
        let bound =
            |(slack, bound): &(Var, String)| format!("{} {at_least} {bound}", notation.poly(&Poly::var(*slack)));
        self.bounds[index].iter().map(bound).collect()
    }

    /// Returns the definitions of roots and numbers.
    pub(super) fn definitions(&self, known: &[String]) -> Vec<String> {
        let mut lines = roots::sentences(known, self.formulas, &self.mentioned);
        if self.bounds.iter().any(|bounds| !bounds.is_empty()) {
            lines.push("for caches with a smaller slack there are further terms: --full".to_owned());
        }
        lines
    }
}

/// Returns true if the sums of a case, if it has any, stand in its formula by their names.
pub(super) fn has_named_sums(case: &Case) -> bool {
    case.sums.len() <= MAX_SUMS
}

/// Returns true if a case is a ramp in caches of fewer lines than a number.
fn is_tiny(formulas: &MissFormulas, case: &Case) -> bool {
    case.varies(formulas.threshold) && case.to.as_ref().is_some_and(|to| to.as_constant().is_some())
}

/// Breaks a sum into lines, before signs outside of parentheses.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut depth = 0;
    for word in text.split(' ') {
        let length = lines.last().map_or(0, |line| line.chars().count());
        if depth == 0 && length + word.chars().count() >= WIDTH && matches!(word, "+" | "-" | "where") {
            lines.push("   ".to_owned());
        }
        depth += word.matches('(').count() as i64 - word.matches(')').count() as i64;
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

impl RowChoice<'_> {
    /// Returns the rows that are shown, with the names of the roots and numbers in them.
    pub(super) fn shown_rows<'c>(&self, formulas: &'c MissFormulas, style: Style) -> ShownRows<'c> {
        let rows = self.rows(formulas);
        let counts: Vec<Poly> = rows.iter().map(|run| self.main(formulas, run.first)).collect();
        let bounds = rows.iter().map(|run| self.bounds(formulas, run.first)).collect();
        let names = Vec::new();
        let labels = vec![None; rows.len()];
        let mut shown = ShownRows { formulas, rows, counts, labels, bounds, mentioned: BTreeSet::new(), names };
        let is_written =
            |index: &usize| !self.is_told(formulas, shown.rows[*index].first) && !shown.is_long(self.shown, *index);
        let written: Vec<usize> = (0..shown.rows.len()).filter(is_written).collect();
        let slacks = written.iter().flat_map(|index| shown.bounds[*index].iter().map(|(slack, _)| Poly::var(*slack)));
        let slacks: Vec<Poly> = slacks.collect();
        shown.mentioned = roots::mentioned(formulas, written.iter().map(|index| &shown.counts[*index]).chain(&slacks));
        shown.names = roots::names(self.names, formulas, &shown.mentioned);
        let notation = Notation::new(style, &shown.names);
        let is_below = |index: &&usize| {
            let count = &shown.counts[**index];
            let most = if roots::has_roots(formulas, count) { MAX_WIDTH } else { WIDTH };
            let is_wide = || notation.poly(count).chars().count() > most;
            style == Style::Text && (!shown.bounds[**index].is_empty() || is_wide())
        };
        let below: Vec<usize> = written.iter().filter(is_below).copied().collect();
        below.into_iter().zip(1..).for_each(|(index, label)| shown.labels[index] = Some(label));
        let is_left = |(index, _): &(usize, &mut BTreeSet<_>)| !written.contains(index);
        shown.bounds.iter_mut().enumerate().filter(is_left).for_each(|(_, bounds)| bounds.clear());
        shown
    }

    /// Returns the misses with their sums, where no slack is below a bound if only wide cases are shown.
    fn main(&self, formulas: &MissFormulas, case: &Case) -> Poly {
        let mut count = case.misses.clone();
        if has_named_sums(case) {
            case.sums.iter().for_each(|sum| count += &Poly::var(roots::of_sum(formulas, *sum)));
        }
        if self.shown == ShownCases::All {
            return count;
        }
        let is_below = |var: Var| {
            let number = formulas.numbers.iter().find(|number| number.var == var);
            number.is_some_and(|number| matches!(number.definition, RootNumberDefinition::Below { .. }))
        };
        count.substitute(&|var| is_below(var).then(Poly::zero))
    }

    /// Returns the least slacks for which the main part of a count is all of it.
    fn bounds(&self, formulas: &MissFormulas, case: &Case) -> BTreeSet<(Var, String)> {
        if self.shown == ShownCases::All {
            return BTreeSet::new();
        }
        let mentioned = case.misses.vars();
        let mut bounds = BTreeMap::new();
        for number in formulas.numbers.iter().filter(|number| mentioned.contains(&number.var)) {
            if let RootNumberDefinition::Below { slack, bound } = &number.definition {
                let known = bounds.entry(*slack).or_insert_with(|| bound.clone());
                *known = known.clone().max(bound.clone());
            }
        }
        bounds.into_iter().map(|(slack, bound)| (slack, bound.to_string())).collect()
    }

    /// Returns all cases, or only the wide ones that are not tiny. Of these, neighbours without a formula or with
    /// equal ones are merged, and of similar neighbours the one with the longest range is kept.
    pub(super) fn rows<'c>(&self, formulas: &'c MissFormulas) -> Vec<CaseRun<'c>> {
        let all = formulas.cases.iter().enumerate();
        let run = |(index, case): (usize, &'c Case)| CaseRun { start: index, end: index + 1, first: case, last: case };
        if self.shown == ShownCases::All {
            return all.map(run).collect();
        }
        let mut rows: Vec<CaseRun<'c>> = Vec::new();
        let from = |index| leading_terms(&formulas.smallest_cache(index)?, self.names.len());
        let is_empty =
            |index| self.miss_model == MissModel::Denning && from(index).is_some() && from(index) == from(index + 1);
        let is_shown = |(index, case): &(usize, &Case)| case.is_wide && !is_tiny(formulas, case) && !is_empty(*index);
        for next in all.filter(is_shown).map(run) {
            match rows.last_mut() {
                Some(row) if self.are_one(formulas, row.last, next.first) => {
                    (row.end, row.last) = (next.end, next.last)
                }
                Some(row) if self.are_alike(formulas, row.last, next.first) => {
                    if row.last.is_shorter(next.first) {
                        *row = next;
                    }
                }
                _ => rows.push(next),
            }
        }
        rows
    }

    fn are_one(&self, formulas: &MissFormulas, one: &Case, next: &Case) -> bool {
        match [one, next].map(|case| self.is_told(formulas, case)) {
            [false, false] => one.misses == next.misses && one.sums == next.sums,
            [one, next] => one && next,
        }
    }

    /// Returns true if both formulas differ in lower terms only, and one of the cases covers a constant number of
    /// caches, or there are roots, with which formulas are long.
    fn are_alike(&self, formulas: &MissFormulas, one: &Case, next: &Case) -> bool {
        let leading =
            |case: &Case| leading_terms(&Quotient::from(case.misses.clone()), self.names.len() + formulas.roots.len());
        let few = |case: &Case| case.to.as_ref().is_some_and(|to| (to - &case.from).as_constant().is_some());
        ![one, next].iter().any(|case| self.is_told(formulas, case))
            && (few(one) || few(next) || !formulas.roots.is_empty())
            && one.sums == next.sums
            && leading(one) == leading(next)
    }

    /// Returns true if a case is shown without a formula.
    pub(super) fn is_told(&self, formulas: &MissFormulas, case: &Case) -> bool {
        let in_window = self.miss_model == MissModel::Denning && case.varies(formulas.threshold);
        self.shown == ShownCases::Wide && (!has_named_sums(case) || in_window)
    }
}
