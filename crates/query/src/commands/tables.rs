//! The common parts of `table`, `table --by` and `scaling`: the model's tables, and all formats of an answer about
//! them.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use symloc_locality::{
    Counts, Identity, LocalityError, Regime, Share, Table, regime_near, regimes_counting, reuse_count_identity,
    ri_sum_identity, shares, stack_places,
};
use symloc_model::{LineChoice, LineModel, Model, NamedSizes, Owner};
use symloc_quasi::{Constraint, Notation, Rational, Style};
use symloc_report::subject::RowsBy;
use symloc_report::sympy::{self, Record};
use symloc_report::{Format, MissModel, Sheet, format, json, miss_model, sheet, text};

use crate::error::CliError;
use crate::options::{ModelArgs, ParameterArgs};

/// The options of commands that print formulas.
#[derive(Clone, Debug, Args)]
pub(super) struct TablesArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// Which misses: denning, or lru where the model holds reuse distances
    #[arg(long = "model", value_name = "MODEL", value_parser = miss_model::parser(), default_value = "denning", id = "miss_model")]
    miss_model: MissModel,
    /// The number of floating-point operations too, and in each cache how many there are for each byte that it reads
    #[arg(long)]
    pub(super) operations: bool,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(super) format: Format,
}

/// A model with its tables: one, or one for each set of residues that matters.
pub(super) struct Tables {
    pub(super) model: Arc<Model>,
    pub(super) tables: Vec<Table>,
    pub(super) miss_model: MissModel,
    choice: LineChoice,
    line: String,
    /// The sizes for which they hold, if they are not about large ones.
    like: Option<String>,
}

impl TablesArgs {
    /// Creates the options from single values.
    pub(super) fn new(model: &ModelArgs, miss_model: MissModel, operations: bool, format: Format) -> Self {
        Self { model: model.clone(), miss_model, operations, format }
    }

    /// Reads the model and derives its tables: those of large sizes, or the one for sizes like the given ones. A model
    /// that fails the RI test is refused.
    pub(super) fn tables(&self, near: Option<&ParameterArgs>) -> Result<Tables, CliError> {
        let model = self.model.load()?;
        let near = near.map(|near| near.grid(&model.function, &model.parameters)).transpose()?;
        let near = near
            .filter(|grid| grid.axes().next().is_some())
            .map(|grid| NearSizes::at(&model, grid.single()?))
            .transpose()?;
        let about = TablesAbout { choice: self.model.line(), miss_model: self.miss_model, operations: self.operations };
        Tables::derive(model, about, near)
    }

    /// Like [`tables`](Self::tables) for large sizes; also returns the shares of each group of accesses in each table.
    pub(super) fn shares(&self, by: RowsBy) -> Result<(Tables, Vec<Vec<Share>>), CliError> {
        if self.miss_model == MissModel::Lru {
            return Err(CliError::unattributed());
        }
        let model = self.model.load()?;
        let program = model.outline()?;
        let nests = if by == RowsBy::Nest { model.nest_of_accesses()? } else { Vec::new() };
        let group = |access: usize| match by {
            RowsBy::Access => access,
            RowsBy::Array => program.accesses[access].array,
            RowsBy::Nest => nests[access],
        };
        let line = model.line(self.model.line())?;
        let regimes = checked_regimes(&model, line, Counts { by: Owner::Access, ..Counts::default() }, None)?;
        let tables: Vec<_> = regimes.iter().map(Table::new).collect();
        let shares = regimes.iter().zip(&tables).map(|(regime, table)| shares(regime, table, group)).collect();
        let line = text::lines_of(&model, line);
        Ok((Tables { tables, line, miss_model: self.miss_model, choice: self.model.line(), like: None, model }, shares))
    }
}

/// The choices that determine the tables of a model.
#[derive(Clone, Copy)]
pub(super) struct TablesAbout {
    pub(super) choice: LineChoice,
    pub(super) miss_model: MissModel,
    pub(super) operations: bool,
}

impl TablesAbout {
    fn tables(&self, model: &Model, line: &LineModel, near: Option<&NearSizes>) -> Result<Vec<Table>, CliError> {
        let counts = Counts { operations: self.operations, ..Counts::default() };
        match self.miss_model {
            MissModel::Denning => Ok(checked_regimes(model, line, counts, near)?.iter().map(Table::new).collect()),
            MissModel::Lru => lru_tables(model, line, counts, near),
        }
    }
}

/// The size for which tables are derived if those of large sizes hold only far out.
const USUAL: i64 = 1000;

/// A bound above all usual sizes.
const FAR_OUT: i64 = 1_000_000;

/// Returns true if the table holds only where a size exceeds [`FAR_OUT`], or says nothing.
fn is_far_out(table: &Table) -> bool {
    let usual = vec![FAR_OUT.into(); table.parameters.len()];
    let of_one = |c: &&Constraint| c.poly.vars().len() == 1;
    let beyond = |c: &Constraint| c.poly.evaluate(&usual) < Rational::from_integer(0.into());
    says_nothing(table) || table.conditions.iter().filter(of_one).any(beyond)
}

/// Returns true if no row has both a miss ratio and a cache.
fn says_nothing(table: &Table) -> bool {
    table.rows.iter().all(|row| row.cache.is_none() || row.miss_ratio.is_none())
}

/// The sizes near which a table is requested.
pub(super) struct NearSizes {
    point: Vec<i128>,
    text: String,
}

impl NearSizes {
    fn at(model: &Model, sizes: Vec<(String, i64)>) -> Result<Self, CliError> {
        if !model.line_counts.is_empty() {
            return Err(CliError::with_hint(
                "the line size of this model is a symbol, so its tables are about large sizes only",
                "leave `-D` out, or derive a model with `--line-bytes`",
            ));
        }
        let shown: Vec<_> = sizes.iter().map(|(name, value)| (name.clone(), i128::from(*value))).collect();
        let point = sizes.into_iter().collect::<NamedSizes>().point(model)?;
        Ok(Self { point, text: text::grouped_sizes(&shown) })
    }
}

/// Returns the formulas for large sizes, or for sizes like the given ones.
fn regimes_at(
    model: &Model,
    line: &LineModel,
    counts: Counts,
    near: Option<&NearSizes>,
) -> Result<Vec<Regime>, LocalityError> {
    match near {
        Some(near) => regime_near(model, line, counts, &near.point).map(|regime| vec![regime]),
        None => regimes_counting(model, line, counts),
    }
}

/// Returns the formulas, if they pass the RI test.
fn checked_regimes(
    model: &Model,
    line: &LineModel,
    counts: Counts,
    near: Option<&NearSizes>,
) -> Result<Vec<Regime>, CliError> {
    let regimes = regimes_at(model, line, counts, near).map_err(no_formulas)?;
    for regime in &regimes {
        require(model, ri_sum_identity(regime), "its reuse intervals do not sum to N*m")?;
    }
    Ok(regimes)
}

/// Returns the classes as positions in the LRU stack, if all distances are known; otherwise there is no exact table or
/// formula.
pub(super) fn places(line: &LineModel, what: &str) -> Result<LineModel, CliError> {
    if line.distances.is_none() {
        return Err(CliError::no_distances());
    }
    stack_places(line).ok_or_else(|| {
        CliError::with_hint(
            format!("some reuse distances of the model are estimated, so there is no exact {what}"),
            "`query --model lru` answers at one size, and says how much is estimated",
        )
    })
}

fn lru_tables(
    model: &Model,
    line: &LineModel,
    counts: Counts,
    near: Option<&NearSizes>,
) -> Result<Vec<Table>, CliError> {
    let places = places(line, "table")?;
    let regimes = regimes_at(model, &places, counts, near).map_err(no_formulas)?;
    for regime in &regimes {
        require(model, reuse_count_identity(regime), "its reuse distances are not as many as its reuses")?;
    }
    Ok(regimes.iter().map(Table::lru).collect())
}

pub(super) fn no_formulas(error: LocalityError) -> CliError {
    let hint = match error {
        LocalityError::Outside => "`symloc query --help` tells how sizes are given",
        LocalityError::NoLargeSizes => {
            "tables are about large sizes; a flag has to have one value, as in `symloc derive --assume 'flag = 0'`, or \
             give sizes with -D; `query` and `histogram` answer for the others"
        }
        LocalityError::NoLimit => "`query` and `histogram` answer at given sizes",
        LocalityError::Residues(_) => "narrow the sizes when deriving, as in `symloc derive --assume 'n mod 8 = 0'`",
    };
    CliError::with_hint(error.to_string(), hint)
}

/// Refuses a model that does not determine the operations per byte.
pub(super) fn require_operations(model: &Model, line: &LineModel) -> Result<(), CliError> {
    if model.operations.is_none() {
        return Err(CliError::with_hint(
            "the model does not know the number of floating-point operations",
            "leave `--operations` out; if an earlier symloc made the model, derive it again",
        ));
    }
    if line.line_bytes.is_none() && line.symbolic.is_none() {
        return Err(CliError::with_hint(
            "the arrays of this model differ in their element size, so misses of elements have no size in bytes",
            "leave `--operations` out, or derive a model with `--line-bytes`",
        ));
    }
    Ok(())
}

/// Refuses a model for which an identity fails.
fn require(model: &Model, identity: Identity, wrong: &str) -> Result<(), CliError> {
    let Identity::Fails(difference) = identity else { return Ok(()) };
    let difference = Notation::new(Style::Text, &model.names()).poly(&difference);
    Err(CliError::with_hint(
        format!("the model is wrong: {wrong}, the difference is {difference}"),
        "derive the model again; if the message stays, it is a bug of symloc, please report it",
    ))
}

impl Tables {
    /// Derives the tables of a model for large sizes, or the one for sizes like the given ones.
    pub(super) fn derive(model: Arc<Model>, about: TablesAbout, near: Option<NearSizes>) -> Result<Self, CliError> {
        let line = model.line(about.choice)?;
        if about.operations {
            require_operations(&model, line)?;
        }
        let mut tables = about.tables(&model, line, near.as_ref())?;
        let mut like = near.map(|near| near.text);
        if like.is_none()
            && tables.iter().all(is_far_out)
            && let Ok(near) = NearSizes::at(&model, model.parameters.iter().map(|name| (name.clone(), USUAL)).collect())
            && let Ok(closer) = about.tables(&model, line, Some(&near))
            && !closer.iter().all(says_nothing)
        {
            (tables, like) = (closer, Some(near.text));
        }
        let TablesAbout { choice, miss_model, .. } = about;
        Ok(Self { tables, line: text::lines_of(&model, line), miss_model, choice, like, model })
    }

    /// Returns the part of the model for the chosen line size.
    pub(super) fn line_model(&self) -> Option<&LineModel> {
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
pub(super) trait Formulas {
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
    fn write(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        match format {
            Format::Json => self.write_json(out),
            Format::Sympy => self.write_sympy(out),
            Format::Text | Format::Markdown | Format::Latex | Format::Html => self.write_sheets(out, format),
        }
    }

    /// Writes one JSON object: the rows of the only table, or all tables with their residues.
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
    fn write_sheets(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        format::write_sheets(out, format, sheet::width(), &self.sheets(format))
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
