//! `formula`: the number of misses as a formula in the sizes and the cache size.
//!
//! A formula holds for a range of caches in which the set of classes that fit does not change. With LRU the cache is C
//! lines; in Denning's model formulas are in the window x, beside the caches that have such a window.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use symloc_locality::formula::{Case, MissFormulas, Sum};
use symloc_locality::{Measure, leading_terms};
use symloc_model::{LineModel, Model, NamedSizes};
use symloc_quasi::{Notation, Poly, Quotient, Style};
use symloc_report::sympy::{self, Record, Value};
use symloc_report::{Cell, Format, MissModel, Sheet, format, json, miss_model, sheet, text};

use super::tables::{no_formulas, places};
use crate::error::{CliError, ExitStatus};
use crate::options::{ModelArgs, ParameterArgs};

/// The options of `formula`.
#[derive(Clone, Debug, Args)]
pub struct FormulaArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// What the number of lines in the cache is called
    #[arg(long, value_name = "NAME", default_value = "C")]
    cache: Symbol,
    /// Which misses: lru, which is the default where the model holds reuse distances, or denning
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), id = "miss_model")]
    miss_model: Option<MissModel>,
    /// Narrow ranges of caches and all remainders of the sizes, too; data have them always
    #[arg(long)]
    full: bool,
    /// Sizes like those of the formulas; the default is large sizes
    #[command(flatten)]
    sizes: ParameterArgs,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
}

/// The name of the cache size in formulas.
#[derive(Clone, Debug)]
struct Symbol(String);

impl std::str::FromStr for Symbol {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let letter = |c: char| c.is_alphabetic() || c == '_';
        match text.chars().all(|c| letter(c) || c.is_numeric()) && text.starts_with(letter) {
            true => Ok(Self(text.to_owned())),
            false => Err("the cache is a name here, such as C; `query` answers for a cache of a given size".to_owned()),
        }
    }
}

impl FormulaArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let model = self.model.load()?;
        let line = model.line(self.model.line())?;
        if line.symbolic.is_some() {
            return Err(CliError::with_hint(
                "the line size of this model is a symbol; formulas in two sizes of a cache are not supported",
                "derive a model with `--line-bytes`",
            ));
        }
        let miss_model = MissModel::choose(self.miss_model, &model, self.model.line())?;
        let (line, measure) = classes(line, miss_model)?;
        let formulas = Formulas {
            found: self.formulas(&model, &line, measure)?,
            names: self.names(&model, miss_model)?,
            line: &line,
            model: &model,
            miss_model,
            cache: &self.cache.0,
            full: self.full,
        };
        formulas.write(out, self.format)?;
        Ok(ExitStatus::Success)
    }

    /// Returns the formulas of all remainders, unless only the first are shown.
    fn formulas(&self, model: &Model, line: &LineModel, measure: Measure) -> Result<Vec<MissFormulas>, CliError> {
        if !self.sizes.is_empty() {
            let sizes = self.sizes.grid(&model.function, &model.parameters)?.single()?;
            let point = sizes.into_iter().collect::<NamedSizes>().point(model)?;
            return Ok(vec![MissFormulas::near(model, line, measure, &point).map_err(no_formulas)?]);
        }
        let data = matches!(self.format, Format::Json | Format::Sympy);
        match data || self.full {
            true => Ok(MissFormulas::all(model, line, measure).map_err(no_formulas)?.collect()),
            false => Ok(vec![MissFormulas::first(model, line, measure).map_err(no_formulas)?]),
        }
    }

    /// Returns the names of the sizes, and of the threshold.
    fn names(&self, model: &Model, miss_model: MissModel) -> Result<Vec<String>, CliError> {
        let mut names = model.names();
        let threshold = match miss_model {
            MissModel::Lru => self.cache.0.clone(),
            MissModel::Denning => ["x", "window", "window_"]
                .into_iter()
                .find(|name| !names.iter().any(|n| n == name))
                .unwrap_or("window__")
                .to_owned(),
        };
        if names.contains(&self.cache.0) {
            return Err(CliError::with_hint(
                format!("`{}` is a size of this program", self.cache.0),
                "give the cache another name, as in `--cache cache_lines`",
            ));
        }
        names.push(threshold);
        Ok(names)
    }
}

/// Returns the classes whose values are compared with the threshold.
pub(super) fn classes(line: &LineModel, miss_model: MissModel) -> Result<(LineModel, Measure), CliError> {
    match miss_model {
        MissModel::Denning => Ok((line.clone(), Measure::Intervals)),
        MissModel::Lru => Ok((places(line, "formula")?, Measure::Places)),
    }
}

/// The formulas of a model, for one vector of remainders of the sizes or for more.
struct Formulas<'a> {
    model: &'a Model,
    line: &'a LineModel,
    found: Vec<MissFormulas>,
    /// The sizes, then the threshold.
    names: Vec<String>,
    miss_model: MissModel,
    cache: &'a str,
    full: bool,
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
    sums: Vec<SumText>,
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
    misses: String,
    /// The working set in lines, in the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    working_set: Option<String>,
    /// True if some of `sums` are added.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_sums: bool,
}

/// Misses that have no polynomial: the sum of all `count` where `value` exceeds the cache or the window.
#[derive(Serialize)]
struct SumText {
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    iterators: Vec<String>,
    #[serde(rename = "where")]
    domain: String,
    value: String,
    count: String,
}

/// Neighbouring cases that form one row, with the indices start..end.
#[derive(Clone, Copy)]
struct CaseRun<'c> {
    start: usize,
    end: usize,
    first: &'c Case,
    last: &'c Case,
}

impl Formulas<'_> {
    fn write(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        match format {
            Format::Json => self.write_json(out),
            Format::Sympy => self.write_sympy(out),
            Format::Text | Format::Markdown | Format::Latex | Format::Html => self.write_sheets(out, format),
        }
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let lru = self.miss_model == MissModel::Lru;
        let answer = FormulaAnswer {
            schema: "symloc.formula/1",
            model: self.miss_model.name(),
            parameters: &self.model.parameters,
            cache: self.cache,
            window: self.names.last().map(String::as_str).filter(|_| !lru),
            context: self.notation(Style::Plain).conjunction(&self.model.context),
            formulas: self.found.iter().map(|formulas| self.body(formulas)).collect(),
        };
        json::write(out, &answer)
    }

    fn body(&self, formulas: &MissFormulas) -> FormulaBody {
        let notation = self.notation(Style::Plain);
        FormulaBody {
            residues: formulas.distinction.clone(),
            conditions: formulas.conditions.iter().map(|c| notation.constraint(c)).collect(),
            accesses: notation.poly(&formulas.accesses),
            cases: (0..formulas.cases.len()).map(|index| self.case(formulas, index)).collect(),
            sums: formulas.sums.iter().map(|sum| self.sum(sum)).collect(),
        }
    }

    fn case(&self, formulas: &MissFormulas, index: usize) -> CaseText {
        let case = &formulas.cases[index];
        let notation = self.notation(Style::Plain);
        let working_set = case.working_set.clone().and_then(|sum| Quotient::new(sum, formulas.accesses.clone()));
        let smallest = |index| formulas.smallest_cache(index).map(|cache| notation.quotient(&cache));
        let window =
            |end: Option<&Poly>| end.filter(|_| self.miss_model == MissModel::Denning).map(|end| notation.poly(end));
        CaseText {
            window_from: window(Some(&case.from)),
            window_to: window(case.to.as_ref()),
            cache_from: smallest(index),
            cache_to: smallest(index + 1),
            misses: notation.poly(&case.misses),
            working_set: working_set.map(|size| notation.quotient(&size)),
            has_sums: case.open > 0,
        }
    }

    fn sum(&self, Sum { from, to, class }: &Sum) -> SumText {
        let names = [self.names.as_slice(), &class.iterators].concat();
        let notation = Notation::new(Style::Plain, &names);
        SumText {
            from: notation.poly(from),
            to: to.as_ref().map(|to| notation.poly(to)),
            iterators: class.iterators.clone(),
            domain: notation.conjunction(&class.domain),
            value: notation.poly(&class.value),
            count: notation.poly(&class.count),
        }
    }

    /// Writes a list of dictionaries for each vector of remainders.
    fn write_sympy(&self, out: &mut dyn Write) -> io::Result<()> {
        sympy::write_symbols(out, &self.names.iter().map(String::as_str).collect())?;
        for (index, formulas) in self.found.iter().enumerate() {
            let record = |case: CaseText| -> Record {
                vec![
                    ("window_from", case.window_from.into()),
                    ("window_to", case.window_to.into()),
                    ("cache_from", case.cache_from.into()),
                    ("cache_to", case.cache_to.into()),
                    ("misses", if case.has_sums { Value::Unknown } else { Value::Expression(case.misses) }),
                    ("working_set", case.working_set.into()),
                ]
            };
            let records: Vec<_> = self.body(formulas).cases.into_iter().map(record).collect();
            let variable = if self.found.len() == 1 { "misses".to_owned() } else { format!("misses_{}", index + 1) };
            sympy::write_records(out, &variable, &self.caption(formulas), &records)?;
        }
        Ok(())
    }

    fn write_sheets(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        let sheets: Vec<Sheet> = self.found.iter().map(|formulas| self.sheet(formulas, format.style())).collect();
        format::write_sheets(out, format, sheet::width(), &sheets)
    }

    fn sheet(&self, formulas: &MissFormulas, style: Style) -> Sheet {
        let rows = self.rows(formulas);
        let (caption, notes) = (self.caption(formulas), self.notes(formulas, &rows));
        let mut sheet = Sheet { caption, notes, ..Sheet::default() };
        let head = match (self.miss_model, self.full) {
            (MissModel::Denning, false) => "cache, about",
            _ => "cache, lines",
        };
        sheet.push(head, rows.iter().map(|run| self.caches(formulas, run, style)));
        sheet.push("misses", rows.iter().map(|run| self.misses(formulas, run, style)));
        if self.miss_model == MissModel::Denning && self.full {
            sheet.push("window", rows.iter().map(|run| self.range(run, style)));
            let text = |run: &CaseRun<'_>| {
                let size = Quotient::new(run.first.working_set.clone()?, formulas.accesses.clone())?;
                Some(self.notation(style).quotient(&size))
            };
            sheet.push("working set", rows.iter().map(|run| Cell::from(text(run))));
        }
        sheet
    }

    /// Returns all cases, or only the wide ones. Of these, neighbours without a formula or with equal ones are merged,
    /// and of similar neighbours the one with the longest range is kept.
    fn rows<'c>(&self, formulas: &'c MissFormulas) -> Vec<CaseRun<'c>> {
        let all = formulas.cases.iter().enumerate();
        let run = |(index, case): (usize, &'c Case)| CaseRun { start: index, end: index + 1, first: case, last: case };
        if self.full {
            return all.map(run).collect();
        }
        let mut rows: Vec<CaseRun<'c>> = Vec::new();
        for next in all.filter(|(_, case)| case.is_wide).map(run) {
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
            [false, false] => one.misses == next.misses,
            [one, next] => one && next,
        }
    }

    /// Returns true if both formulas differ in lower terms only, and one of the cases covers a constant number of
    /// caches.
    fn are_alike(&self, formulas: &MissFormulas, one: &Case, next: &Case) -> bool {
        let leading = |case: &Case| leading_terms(&Quotient::from(case.misses.clone()), self.names.len());
        let few = |case: &Case| case.to.as_ref().is_some_and(|to| (to - &case.from).as_constant().is_some());
        ![one, next].iter().any(|case| self.is_told(formulas, case))
            && (few(one) || few(next))
            && leading(one) == leading(next)
    }

    /// Returns true if a case is shown without a formula.
    fn is_told(&self, formulas: &MissFormulas, case: &Case) -> bool {
        let in_window = self.miss_model == MissModel::Denning && case.varies(formulas.threshold);
        !self.full && (case.open > 0 || in_window)
    }

    fn misses(&self, formulas: &MissFormulas, run: &CaseRun<'_>, style: Style) -> Cell {
        let formula = || self.notation(style).poly(&run.first.misses);
        match run.first.open {
            _ if self.is_told(formulas, run.first) => Cell::Words("no polynomial".to_owned()),
            0 => Cell::Formula(formula()),
            sums => Cell::Words(format!("{} + {sums} sums", formula())),
        }
    }

    /// Returns the thresholds of a row.
    fn range(&self, run: &CaseRun<'_>, style: Style) -> Cell {
        let [from, to] = [Some(&run.first.from), run.last.to.as_ref()].map(|end| end.cloned().map(Quotient::from));
        let name = self.names.last().map_or("", String::as_str);
        let only = run.last.to.as_ref().is_some_and(|to| to - &run.first.from == Poly::one());
        match from.as_ref().filter(|_| only) {
            Some(from) => Cell::Formula(format!("{name} = {}", self.notation(style).quotient(from))),
            None => self.between(name, from, to, style),
        }
    }

    /// Returns the caches of a row; those of Denning's windows in leading terms, unless `full`.
    fn caches(&self, formulas: &MissFormulas, run: &CaseRun<'_>, style: Style) -> Cell {
        if self.miss_model == MissModel::Lru {
            return self.range(run, style);
        }
        let ends = [run.start, run.end].map(|index| formulas.smallest_cache(index));
        let [from, to] = ends.map(|end| match self.full {
            true => end,
            false => leading_terms(&end?, self.names.len()),
        });
        self.between(self.cache, from, to, style)
    }

    /// Returns a range such as `3 <= C < n/8`.
    fn between(&self, name: &str, from: Option<Quotient>, to: Option<Quotient>, style: Style) -> Cell {
        let notation = self.notation(style);
        let (at_most, at_least) = if style == Style::Latex { (r"\le", r"\ge") } else { ("<=", ">=") };
        let from = from.filter(|from| !from.is_zero() || to.is_none()).map(|from| notation.quotient(&from));
        let to = to.map(|to| notation.quotient(&to));
        match (from, to) {
            (Some(from), Some(to)) => Cell::Formula(format!("{from} {at_most} {name} < {to}")),
            (Some(from), None) => Cell::Formula(format!("{name} {at_least} {from}")),
            (None, Some(to)) => Cell::Formula(format!("{name} < {to}")),
            (None, None) => Cell::Unknown,
        }
    }

    fn caption(&self, formulas: &MissFormulas) -> Vec<String> {
        let notation = self.notation(Style::Text);
        let lines = text::lines_of(self.model, self.line);
        let title = self.miss_model.title();
        let mut caption =
            vec![format!("{}, {lines}, {title}: misses in a cache of {} lines", self.model.function, self.cache)];
        caption.extend(text::sizes_of(self.model, &formulas.distinction, Style::Text));
        if !formulas.conditions.is_empty() {
            caption.push(format!("valid where {}", notation.conjunction(&formulas.conditions)));
        }
        caption.push(format!("{} accesses", notation.poly(&formulas.accesses)));
        caption
    }

    fn notes(&self, formulas: &MissFormulas, rows: &[CaseRun<'_>]) -> Vec<String> {
        let mut notes = Vec::new();
        if rows.iter().any(|run| self.is_told(formulas, run.first)) {
            notes.push(match self.miss_model {
                MissModel::Lru => "no polynomial: reuses whose distances are not linear in their iterators are sums, with --format json",
                MissModel::Denning => "no polynomial: misses fall with Denning's window, in which --full has formulas",
            }.to_owned());
        }
        let shown: usize = rows.iter().map(|run| run.end - run.start).sum();
        if shown < formulas.cases.len() {
            let left = formulas.cases.len() - shown;
            notes.push(format!(
                "left out: {left} ranges that are narrow or differ in lower terms only; --full has them"
            ));
        }
        if !self.full && !formulas.distinction.is_empty() {
            notes.push("other remainders of the sizes have other formulas: --full, or -D with such sizes".to_owned());
        }
        notes
    }

    fn notation(&self, style: Style) -> Notation<'_> {
        Notation::new(style, &self.names)
    }
}
