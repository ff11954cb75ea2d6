//! `scaling --terms 2`: the steps of the exact formulas for misses, in terms of the first orders.

use std::io::{self, Write};

use crate::formats::sympy::{self, Record, Value};
use crate::formats::{self, json, sheet, text};
use crate::{Cell, Format, MissModel, Sheet};
use serde::Serialize;
use symloc_locality::first_terms;
use symloc_locality::formula::{MissFormulas, MissStep};
use symloc_model::{LineModel, Model};
use symloc_quasi::{Notation, Poly, Quotient, Style};

/// The steps of a model: `symloc.scaling/2`.
#[derive(Debug)]
pub struct StepTerms<'a> {
    /// The model.
    pub model: &'a Model,
    /// The part of it for the line size.
    pub line: &'a LineModel,
    /// Which misses.
    pub miss_model: MissModel,
    /// The formulas of the first remainders of the sizes.
    pub formulas: MissFormulas,
    /// The number of orders of terms.
    pub orders: usize,
}

#[derive(Serialize)]
struct StepTermsAnswer<'a> {
    schema: &'static str,
    model: &'static str,
    parameters: &'a [String],
    context: String,
    terms: usize,
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    residues: String,
    conditions: Vec<String>,
    accesses: String,
    rows: Vec<StepRow>,
}

/// A step as text.
#[derive(Serialize, PartialEq)]
struct StepRow {
    cache_from: String,
    cache_to: String,
    miss_ratio_before: String,
    miss_ratio_after: String,
}

impl StepTerms<'_> {
    /// Writes the steps.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        match format {
            Format::Json => json::write(out, &self.answer()),
            Format::Sympy => {
                let names: Vec<&str> = self.model.parameters.iter().map(String::as_str).collect();
                sympy::write_symbols(out, &names.into_iter().collect())?;
                let records: Vec<_> = self.rows(Style::Plain).into_iter().map(record).collect();
                sympy::write_records(out, "scaling", &self.caption(), &records)
            }
            Format::Text | Format::Markdown | Format::Latex | Format::Html => {
                formats::write_sheets(out, format, sheet::width(), &[self.sheet(format.style())])
            }
        }
    }

    fn answer(&self) -> StepTermsAnswer<'_> {
        let notation = self.notation(Style::Plain);
        StepTermsAnswer {
            schema: "symloc.scaling/2",
            model: self.miss_model.name(),
            parameters: &self.model.parameters,
            context: notation.conjunction(&self.model.context),
            terms: self.orders,
            residues: self.formulas.distinction.clone(),
            conditions: self.formulas.conditions.iter().map(|c| notation.constraint(c)).collect(),
            accesses: self.accesses(Style::Plain),
            rows: self.rows(Style::Plain),
        }
    }

    /// Returns the rows in which the shown miss ratios differ.
    fn rows(&self, style: Style) -> Vec<StepRow> {
        let rows = self.formulas.steps().into_iter().filter_map(|step| self.row(&step, style));
        rows.filter(|row| row.miss_ratio_before != row.miss_ratio_after).collect()
    }

    fn row(&self, MissStep { cache, misses }: &MissStep, style: Style) -> Option<StepRow> {
        let first = |quotient: &Quotient| {
            let terms = first_terms(quotient, self.model.variables(), self.orders)?;
            Some(self.notation(style).quotient(&terms))
        };
        let ratio = |misses: &Poly| first(&Quotient::new(misses.clone(), self.formulas.accesses.clone())?);
        Some(StepRow {
            cache_from: first(&cache[0])?,
            cache_to: first(&cache[1])?,
            miss_ratio_before: ratio(&misses[0])?,
            miss_ratio_after: ratio(&misses[1])?,
        })
    }

    fn sheet(&self, style: Style) -> Sheet {
        let cells = |row: StepRow| {
            let cache = match row.cache_from == row.cache_to {
                true => Cell::Formula(row.cache_to),
                false => Cell::Formula(formats::range(style, Some(&row.cache_from), &row.cache_to)),
            };
            vec![cache, Cell::Formula(row.miss_ratio_before), Cell::Formula(row.miss_ratio_after)]
        };
        Sheet {
            caption: self.caption(),
            head: vec!["cache, lines", "miss ratio before", "after"],
            rows: self.rows(style).into_iter().map(cells).collect(),
            notes: vec!["`formula` has all terms, and what lies in between".to_owned()],
        }
    }

    fn caption(&self) -> Vec<String> {
        let notation = self.notation(Style::Text);
        let lines = text::lines_of(self.model, self.line);
        let mut caption = vec![format!("{}, {lines}, {}", self.model.function, self.miss_model.title())];
        caption.extend(text::sizes_of(self.model, &self.formulas.distinction, Style::Text));
        caption.push(format!("terms of the first {} orders, all sizes large and of like size", self.orders));
        if !self.formulas.conditions.is_empty() {
            caption.push(format!("of formulas that hold where {}", notation.conjunction(&self.formulas.conditions)));
        }
        caption.push(format!("about {} accesses", self.accesses(Style::Text)));
        caption
    }

    fn accesses(&self, style: Style) -> String {
        let accesses = Quotient::from(self.formulas.accesses.clone());
        let terms = first_terms(&accesses, self.model.variables(), self.orders).unwrap_or(accesses);
        self.notation(style).quotient(&terms)
    }

    fn notation(&self, style: Style) -> Notation<'_> {
        Notation::new(style, &self.model.parameters)
    }
}

fn record(row: StepRow) -> Record {
    let cells = [
        ("cache_from", row.cache_from),
        ("cache_to", row.cache_to),
        ("miss_ratio_before", row.miss_ratio_before),
        ("miss_ratio_after", row.miss_ratio_after),
    ];
    cells.into_iter().map(|(name, text)| (name, Value::Expression(text))).collect()
}
