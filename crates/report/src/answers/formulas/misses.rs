//! `formula`: the number of misses, or of lines written back, as a formula in the sizes and the cache size.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use symloc_locality::formula::MissFormulas;
use symloc_locality::leading_terms;
use symloc_model::{LineModel, Model};
use symloc_quasi::{Notation, Poly, Quotient, Style};

use crate::answers::formulas::digits::SizeDigit;
use crate::answers::formulas::roots::{self, NumberText, RootText, SumText};
use crate::answers::formulas::rows::{CaseRun, RowChoice, ShownRows, has_named_sums};
use crate::formats::sympy::{self, Record, Value};
use crate::formats::{self, json, sheet, text};
use crate::{Cell, Format, MissModel, Sheet};

pub use crate::answers::formulas::rows::ShownCases;

/// The formulas of a model, for one vector of remainders of the sizes or for more.
///
/// In JSON `symloc.formula/2`.
#[derive(Debug)]
pub struct FormulaReport<'a> {
    /// The model.
    pub model: &'a Model,
    /// The part of it for the line size.
    pub line: &'a LineModel,
    /// The formulas, for each vector of remainders.
    pub found: Vec<MissFormulas>,
    /// The names of the sizes, or of their digits, then of the threshold.
    pub names: Vec<String>,
    /// The digits of sizes that are counted in tiles.
    pub digits: Vec<SizeDigit>,
    /// Which misses.
    pub miss_model: MissModel,
    /// The events that are counted.
    pub counted: CountedEvents,
    /// The name of the cache size.
    pub cache: &'a str,
    /// The cases that are shown.
    pub shown: ShownCases,
}

/// Events of a cache, as formulas count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedEvents {
    /// Reading a line from the next level.
    Misses,
    /// Writing a line back to the next level, to make room.
    WriteBacks,
}

impl CountedEvents {
    fn name(self) -> &'static str {
        match self {
            CountedEvents::Misses => "misses",
            CountedEvents::WriteBacks => "write-backs",
        }
    }

    /// Returns its name in data.
    fn key(self) -> &'static str {
        match self {
            CountedEvents::Misses => "misses",
            CountedEvents::WriteBacks => "write_backs",
        }
    }
}

#[derive(Serialize)]
struct FormulaAnswer<'a> {
    schema: &'static str,
    model: &'static str,
    parameters: &'a [String],
    cache: &'a str,
    /// The name of Denning's window in the formulas.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<&'a str>,
    context: String,
    #[serde(skip_serializing_if = "<[SizeDigit]>::is_empty")]
    digits: &'a [SizeDigit],
    formulas: Vec<FormulaBody>,
}

#[derive(Serialize)]
struct FormulaBody {
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    residues: String,
    conditions: Vec<String>,
    accesses: String,
    cases: Vec<CaseText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    roots: Vec<RootText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<NumberText>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sums: Vec<SumText>,
}

/// An end of a range of caches.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RangeEnd {
    /// There is none: all smaller or larger caches are in the range.
    None,
    Known(Quotient),
    /// There is one, of which no formula is known.
    Unknown,
}

/// A case: the range of caches or windows from `from`, inclusive, to `to`, exclusive.
#[derive(Serialize)]
struct CaseText {
    #[serde(skip_serializing_if = "Option::is_none")]
    window_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_to: Option<String>,
    /// True if an end of its caches has no formula; its windows have.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_unknown_end: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    misses: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    write_backs: Option<String>,
    /// The working set in lines, in the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    working_set: Option<String>,
    /// True if some of `sums` are added.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_sums: bool,
    /// The names of these sums.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sums: Vec<String>,
}

impl FormulaReport<'_> {
    /// Writes the formulas.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        match format {
            Format::Json => self.write_json(out),
            Format::Sympy => self.write_sympy(out),
            Format::Text | Format::Markdown | Format::Latex | Format::Html => self.write_sheets(out, format),
        }
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let lru = self.miss_model == MissModel::Lru;
        let answer = FormulaAnswer {
            schema: "symloc.formula/2",
            model: self.miss_model.name(),
            parameters: &self.model.parameters,
            cache: self.cache,
            window: self.names.last().map(String::as_str).filter(|_| !lru),
            context: Notation::new(Style::Plain, &self.model.names()).conjunction(&self.model.context),
            digits: &self.digits,
            formulas: self.found.iter().map(|formulas| self.body(formulas)).collect(),
        };
        json::write(out, &answer)
    }

    fn body(&self, formulas: &MissFormulas) -> FormulaBody {
        let names = roots::names(&self.names, formulas, &roots::all(formulas));
        let notation = Notation::new(Style::Plain, &names);
        FormulaBody {
            residues: formulas.distinction.clone(),
            conditions: formulas.conditions.iter().map(|c| notation.constraint(c)).collect(),
            accesses: notation.poly(&formulas.accesses),
            cases: (0..formulas.cases.len()).map(|index| self.case(formulas, index, notation)).collect(),
            roots: formulas.roots.iter().map(|root| RootText::new(root, formulas.threshold, notation)).collect(),
            numbers: formulas.numbers.iter().map(|number| NumberText::new(number, notation)).collect(),
            sums: (0..formulas.sums.len()).map(|sum| SumText::new(&self.names, formulas, sum, notation)).collect(),
        }
    }

    fn case(&self, formulas: &MissFormulas, index: usize, notation: Notation<'_>) -> CaseText {
        let case = &formulas.cases[index];
        let working_set = case.working_set.clone().and_then(|sum| Quotient::new(sum, formulas.accesses.clone()));
        let smallest = |index| formulas.smallest_cache(index).map(|cache| notation.quotient(&cache));
        let count = |events| (events == self.counted).then(|| notation.poly(&case.misses));
        let window =
            |end: Option<&Poly>| end.filter(|_| self.miss_model == MissModel::Denning).map(|end| notation.poly(end));
        CaseText {
            window_from: window(Some(&case.from)),
            window_to: window(case.to.as_ref()),
            cache_from: smallest(index),
            cache_to: smallest(index + 1),
            has_unknown_end: smallest(index).is_none()
                || index + 1 < formulas.cases.len() && smallest(index + 1).is_none(),
            misses: count(CountedEvents::Misses),
            write_backs: count(CountedEvents::WriteBacks),
            working_set: working_set.map(|size| notation.quotient(&size)),
            has_sums: !case.sums.is_empty(),
            sums: case.sums.iter().map(|sum| roots::name_of_sum(formulas, *sum, notation)).collect(),
        }
    }

    /// Writes a list of dictionaries for each vector of remainders.
    fn write_sympy(&self, out: &mut dyn Write) -> io::Result<()> {
        let named = |found: &MissFormulas| roots::names(&self.names, found, &roots::all(found));
        let iterators = self.found.iter().flat_map(|found| &found.sums).filter(|sum| sum.rows.is_some());
        let iterators = iterators.flat_map(|sum| sum.class.iterators.iter().cloned());
        let names: BTreeSet<String> = self.found.iter().flat_map(named).chain(iterators).collect();
        sympy::write_symbols(out, &names.iter().map(String::as_str).collect())?;
        for (index, formulas) in self.found.iter().enumerate() {
            let FormulaBody { cases, roots, numbers, sums, .. } = self.body(formulas);
            let (summed, sums): (BTreeSet<String>, Vec<Record>) = sums.into_iter().filter_map(SumText::record).unzip();
            let record = |case: CaseText| -> Record {
                let is_known = case.sums.iter().all(|sum| summed.contains(sum));
                let count = case.misses.or(case.write_backs).filter(|_| is_known);
                let count = count.map(|count| [std::slice::from_ref(&count), &case.sums[..]].concat().join(" + "));
                vec![
                    ("window_from", case.window_from.into()),
                    ("window_to", case.window_to.into()),
                    ("cache_from", case.cache_from.into()),
                    ("cache_to", case.cache_to.into()),
                    (self.counted.key(), count.map_or(Value::Unknown, Value::Expression)),
                    ("working_set", case.working_set.into()),
                ]
            };
            let records: Vec<_> = cases.into_iter().map(record).collect();
            let variable =
                |name: &str| if self.found.len() == 1 { name.to_owned() } else { format!("{name}_{}", index + 1) };
            sympy::write_records(out, &variable(self.counted.key()), &self.caption(formulas), &records)?;
            if !roots.is_empty() {
                let records: Vec<_> = roots.into_iter().map(RootText::record).collect();
                sympy::write_records(out, &variable("roots"), &[roots::COMMENT.to_owned()], &records)?;
            }
            if !numbers.is_empty() {
                let records: Vec<_> = numbers.into_iter().map(NumberText::record).collect();
                sympy::write_records(out, &variable("numbers"), &[roots::NUMBERS_COMMENT.to_owned()], &records)?;
            }
            if !sums.is_empty() {
                sympy::write_records(out, &variable("sums"), &[roots::SUMS_COMMENT.to_owned()], &sums)?;
            }
        }
        Ok(())
    }

    fn write_sheets(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        let sheets: Vec<Sheet> = self.found.iter().map(|formulas| self.sheet(formulas, format.style())).collect();
        formats::write_sheets(out, format, sheet::width(), &sheets)
    }

    fn sheet(&self, formulas: &MissFormulas, style: Style) -> Sheet {
        let shown = self.choice().shown_rows(formulas, style);
        let (caption, notes) = (self.caption(formulas), self.notes(&shown, style));
        let rows = &shown.rows;
        let mut sheet = Sheet { caption, notes, ..Sheet::default() };
        let head = match (self.miss_model, self.shown) {
            (MissModel::Denning, ShownCases::Wide) => "cache, about",
            _ => "cache, lines",
        };
        sheet.push(head, rows.iter().map(|run| self.caches(formulas, run, style)));
        sheet.push(self.counted.name(), (0..rows.len()).map(|index| self.misses(&shown, index, style)));
        if self.miss_model == MissModel::Denning && self.shown == ShownCases::All {
            sheet.push("window", rows.iter().map(|run| self.range(run, style)));
            let text = |run: &CaseRun<'_>| {
                let size = Quotient::new(run.first.working_set.clone()?, formulas.accesses.clone())?;
                Some(self.notation(style).quotient(&size))
            };
            sheet.push("working set", rows.iter().map(|run| Cell::from(text(run))));
        }
        sheet
    }

    /// Returns the misses of a row; long formulas stand below the table.
    fn misses(&self, shown: &ShownRows<'_>, index: usize, style: Style) -> Cell {
        let (run, main) = (&shown.rows[index], &shown.counts[index]);
        let formula = || Notation::new(style, &shown.names).poly(main);
        match shown.labels[index] {
            _ if self.choice().is_told(shown.formulas, run.first) => Cell::Words("no polynomial".to_owned()),
            _ if !has_named_sums(run.first) => Cell::Words(format!("{} + {} sums", formula(), run.first.sums.len())),
            Some(label) => Cell::Words(format!("({label})")),
            None if shown.is_long(self.shown, index) => {
                Cell::Words(format!("a polynomial of {} terms: --full", main.terms().len()))
            }
            None if style == Style::Latex => Cell::Formula(shown.latex(index)),
            None => Cell::Formula(formula()),
        }
    }

    /// Returns the thresholds of a row.
    fn range(&self, run: &CaseRun<'_>, style: Style) -> Cell {
        let [from, to] = [Some(&run.first.from), run.last.to.as_ref()].map(|end| end.cloned().map(Quotient::from));
        let name = self.names.last().map_or("", String::as_str);
        let only = run.last.to.as_ref().is_some_and(|to| to - &run.first.from == Poly::one());
        match from.as_ref().filter(|_| only) {
            Some(from) => Cell::Formula(format!("{name} = {}", self.notation(style).quotient(from))),
            None => self.between(name, [from, to].map(|end| end.map_or(RangeEnd::None, RangeEnd::Known)), style),
        }
    }

    /// Returns the caches of a row; those of Denning's windows in leading terms, unless all are shown.
    fn caches(&self, formulas: &MissFormulas, run: &CaseRun<'_>, style: Style) -> Cell {
        if self.miss_model == MissModel::Lru {
            return self.range(run, style);
        }
        self.between(self.cache, [run.start, run.end].map(|index| self.end(formulas, index)), style)
    }

    /// Returns the cache at which the case with an index begins, and the one before it ends; that of Denning's windows.
    fn end(&self, formulas: &MissFormulas, index: usize) -> RangeEnd {
        if index == 0 || index == formulas.cases.len() {
            return RangeEnd::None;
        }
        let end = formulas.smallest_cache(index).and_then(|end| match self.shown {
            ShownCases::All => Some(end),
            ShownCases::Wide => leading_terms(&end, self.names.len()),
        });
        end.map_or(RangeEnd::Unknown, RangeEnd::Known)
    }

    /// Returns a range such as `3 <= C < n/8`.
    fn between(&self, name: &str, [from, to]: [RangeEnd; 2], style: Style) -> Cell {
        let notation = self.notation(style);
        let (at_most, at_least) = if style == Style::Latex { (r"\le", r"\ge") } else { ("<=", ">=") };
        let unknown = if style == Style::Latex { r"\ldots" } else { "..." };
        let is_open = to == RangeEnd::None;
        let text = |end| match end {
            RangeEnd::None => None,
            RangeEnd::Known(end) => Some(notation.quotient(&end)),
            RangeEnd::Unknown => Some(unknown.to_owned()),
        };
        let from =
            if from == RangeEnd::Known(Quotient::from(Poly::zero())) && !is_open { RangeEnd::None } else { from };
        match (text(from), text(to)) {
            (Some(from), Some(to)) => Cell::Formula(format!("{from} {at_most} {name} < {to}")),
            (Some(from), None) => Cell::Formula(format!("{name} {at_least} {from}")),
            (None, Some(to)) => Cell::Formula(format!("{name} < {to}")),
            (None, None) => Cell::Unknown,
        }
    }

    fn caption(&self, formulas: &MissFormulas) -> Vec<String> {
        let notation = self.notation(Style::Text);
        let lines = text::lines_of(self.model, self.line);
        let (title, events) = (self.miss_model.title(), self.counted.name());
        let mut caption =
            vec![format!("{}, {lines}, {title}: {events} in a cache of {} lines", self.model.function, self.cache)];
        caption.extend(text::sizes_of(self.model, &formulas.distinction, Style::Text));
        if !self.digits.is_empty() {
            let digits = self.digits.iter().map(|SizeDigit { name, value, .. }| format!("{name} = {value}"));
            caption.push(format!("with {}", digits.collect::<Vec<_>>().join(", ")));
        }
        if !formulas.conditions.is_empty() {
            caption.push(format!("valid where {}", notation.conjunction(&formulas.conditions)));
        }
        caption.push(format!("{} accesses", notation.poly(&formulas.accesses)));
        caption
    }

    fn notes(&self, shown: &ShownRows<'_>, style: Style) -> Vec<String> {
        let ShownRows { formulas, rows, .. } = shown;
        let mut notes = shown.long_formulas(style);
        notes.extend(shown.definitions(&self.names));
        if rows.iter().any(|run| self.choice().is_told(formulas, run.first)) {
            notes.push(match self.miss_model {
                MissModel::Lru => "no polynomial: reuses whose distances are not linear in several of their iterators are sums, with --format json",
                MissModel::Denning => "no polynomial: misses fall with Denning's window, in which --full has formulas",
            }.to_owned());
        }
        let is_unknown = |run: &CaseRun<'_>| {
            [run.start, run.end].iter().any(|index| self.end(formulas, *index) == RangeEnd::Unknown)
        };
        if self.miss_model == MissModel::Denning && rows.iter().any(is_unknown) {
            notes.push("...: a cache of which no formula in the sizes is known; --full has the windows".to_owned());
        }
        let told: usize = rows.iter().map(|run| run.end - run.start).sum();
        if told < formulas.cases.len() {
            let left = formulas.cases.len() - told;
            notes.push(format!(
                "left out: {left} ranges that are narrow or differ in lower terms only; --full has them"
            ));
        }
        if self.shown == ShownCases::Wide && !formulas.distinction.is_empty() {
            notes.push("other remainders of the sizes have other formulas: --full, or -D with such sizes".to_owned());
        }
        notes
    }

    fn choice(&self) -> RowChoice<'_> {
        RowChoice { names: &self.names, miss_model: self.miss_model, shown: self.shown }
    }

    fn notation(&self, style: Style) -> Notation<'_> {
        Notation::new(style, &self.names)
    }
}
