//! The common parts of answers in formulas about the tables of a model, in all formats.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use symloc_locality::Table;
use symloc_model::{LineChoice, LineModel, Model};
use symloc_quasi::{Notation, Style};

use crate::formats::sympy::{self, Record};
use crate::formats::{self, json, sheet, text};
use crate::{Format, MissModel, Sheet};

/// A model with its tables: one, or one for each set of residues that matters.
#[derive(Debug)]
pub struct Tables {
    /// The model.
    pub model: Arc<Model>,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Which misses they are about.
    pub miss_model: MissModel,
    /// The line size.
    pub choice: LineChoice,
    /// The line size in words.
    pub line: String,
    /// The sizes for which they hold, if they are not about large ones.
    pub like: Option<String>,
}

impl Tables {
    /// Returns the part of the model for the chosen line size.
    pub fn line_model(&self) -> Option<&LineModel> {
        self.model.line(self.choice).ok()
    }

    /// Returns the first lines about a table: its subject and its validity.
    pub(super) fn caption(&self, table: &Table, style: Style) -> Vec<String> {
        let names = self.model.names();
        let notation = Notation::new(style, &names);
        let mut lines = vec![format!("{}, {}", self.model.function, self.line)];
        lines.extend(text::sizes_of(&self.model, &table.distinction, style));
        lines.extend(self.like.as_ref().map(|like| format!("for sizes like {like}")));
        if !table.conditions.is_empty() {
            lines.push(format!("valid where {}", notation.conjunction(&table.conditions)));
        }
        if !table.order.is_empty() {
            lines.push(format!("rows ascend for {}", table.order));
        }
        if let Some(operations) = &table.operations {
            lines.push(format!("{} floating-point operations", notation.poly(operations)));
        }
        lines
    }

    fn context(&self, style: Style) -> String {
        Notation::new(style, &self.model.names()).conjunction(&self.model.context)
    }
}

/// The note under a sheet on rows that are left out.
pub(super) const LEFT_OUT: &str = "left out: what has no closed form, or lies among the intervals of free iterators";

/// An answer in formulas: rows about each of some tables.
pub trait TableAnswer {
    /// A row, its formulas as text.
    type Row: Serialize;

    /// The schema in JSON.
    const SCHEMA: &'static str;

    /// The name of the list of rows in SymPy.
    const VARIABLE: &'static str;

    /// Returns the tables.
    fn tables(&self) -> &Tables;

    /// Returns the rows of the table with this index.
    fn rows(&self, index: usize, style: Style) -> Vec<Self::Row>;

    /// Returns the free iterators in the rows.
    fn iterators(&self) -> impl Iterator<Item = &str>;

    /// Returns the rows as a sheet for people, without a caption.
    fn sheet(&self, rows: Vec<Self::Row>) -> Sheet;

    /// Returns the definitions of names in the rows, one line each.
    fn definitions(&self, _index: usize, _style: Style) -> Vec<String> {
        Vec::new()
    }

    /// Returns a row for SymPy.
    fn record(&self, row: Self::Row) -> Record;

    /// Writes the answer.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        match format {
            Format::Json => self.write_json(out),
            Format::Sympy => self.write_sympy(out),
            Format::Text | Format::Markdown | Format::Latex | Format::Html => self.write_sheets(out, format),
        }
    }

    /// Writes one JSON object: the rows of the only table, or all tables with their residues.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let Tables { model, tables, miss_model, .. } = self.tables();
        let names = model.names();
        let notation = Notation::new(Style::Plain, &names);
        let body = |(index, table): (usize, &Table)| TableBody {
            residues: table.distinction.clone(),
            operations: table.operations.as_ref().map(|operations| notation.poly(operations)),
            rows: self.rows(index, Style::Plain),
            order: table.order.clone(),
            conditions: table.conditions.iter().map(|c| notation.constraint(c)).collect(),
        };
        let mut bodies: Vec<_> = tables.iter().enumerate().map(body).collect();
        let only = if bodies.len() == 1 { bodies.pop() } else { None };
        let answer = TablesAnswer {
            schema: Self::SCHEMA,
            model: (*miss_model == MissModel::Lru).then(|| miss_model.name()),
            parameters: &model.parameters,
            context: self.tables().context(Style::Plain),
            only,
            tables: bodies,
        };
        json::write(out, &answer)
    }

    /// Writes a list of dictionaries for each table.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write_sympy(&self, out: &mut dyn Write) -> io::Result<()> {
        let tables = self.tables();
        let names: BTreeSet<&str> =
            tables.model.parameters.iter().map(String::as_str).chain(self.iterators()).collect();
        sympy::write_symbols(out, &names)?;
        for (index, table) in tables.tables.iter().enumerate() {
            let records: Vec<_> = self.rows(index, Style::Plain).into_iter().map(|row| self.record(row)).collect();
            let name = Self::VARIABLE;
            let variable = if tables.tables.len() == 1 { name.to_owned() } else { format!("{name}_{}", index + 1) };
            if let Some(operations) = &table.operations {
                let names = tables.model.names();
                let operations = Notation::new(Style::Plain, &names).poly(operations);
                sympy::write_expression(out, &format!("operations{}", &variable[name.len()..]), &operations)?;
            }
            sympy::write_records(out, &variable, &tables.caption(table, Style::Plain), &records)?;
        }
        Ok(())
    }

    /// Writes a sheet for each table, one after the other.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write_sheets(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        formats::write_sheets(out, format, sheet::width(), &self.sheets(format))
    }

    /// Returns a sheet for each table.
    fn sheets(&self, format: Format) -> Vec<Sheet> {
        let sheet = |(index, table): (usize, &Table)| {
            let mut caption = self.tables().caption(table, Style::Text);
            caption.extend(self.definitions(index, Style::Text));
            Sheet { caption, ..self.sheet(self.rows(index, format.style())) }
        };
        self.tables().tables.iter().enumerate().map(sheet).collect()
    }
}

#[derive(Serialize)]
struct TablesAnswer<'a, R> {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'static str>,
    parameters: &'a [String],
    context: String,
    #[serde(flatten)]
    only: Option<TableBody<R>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tables: Vec<TableBody<R>>,
}

#[derive(Serialize)]
struct TableBody<R> {
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    residues: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<String>,
    rows: Vec<R>,
    #[serde(skip_serializing_if = "String::is_empty")]
    order: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<String>,
}
