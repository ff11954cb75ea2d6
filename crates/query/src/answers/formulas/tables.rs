//! The tables of a model, for `table`, `table --by` and `scaling --terms all`.

use std::cmp::Ordering;
use std::sync::Arc;

use symloc_evaluate::EvalError;
use symloc_locality::{
    Counts, Identity, LocalityError, Measure, Regime, Share, Table, regime_near, regimes_counting,
    reuse_count_identity, ri_sum_identity, shares, stack_places, written_back_places,
};
use symloc_model::{LineChoice, LineModel, Model, NamedSizes, Owner};
use symloc_quasi::{Constraint, Evaluator, Notation, Rational, Style};
use symloc_report::MissModel;
use symloc_report::answers::formulas::tables::Tables;
use symloc_report::formats::text;
use symloc_report::subject::RowsBy;

use crate::error::CliError;
use crate::options::ParameterArgs;

/// The tables of a model, with the shares of accesses in them.
pub(crate) struct TableShares {
    pub(crate) tables: Tables,
    /// The shares in each table.
    pub(crate) shares: Vec<Vec<Share>>,
}

/// The choices that determine the tables of a model.
#[derive(Clone, Copy)]
pub(crate) struct TablesAbout {
    pub(crate) choice: LineChoice,
    pub(crate) miss_model: MissModel,
    pub(crate) operations: bool,
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
pub(crate) struct NearSizes {
    point: Vec<i128>,
    text: String,
}

impl NearSizes {
    /// Returns the size that the options give; `None` if they give none.
    pub(crate) fn of(model: &Model, sizes: &ParameterArgs) -> Result<Option<Self>, CliError> {
        let grid = sizes.grid(&model.function, &model.parameters)?;
        if grid.axes().next().is_none() { Ok(None) } else { Self::at(model, grid.single()?).map(Some) }
    }

    fn at(model: &Model, sizes: Vec<(String, i64)>) -> Result<Self, CliError> {
        if !model.line_counts.is_empty() {
            let (what, instead) = match model.tiled().next() {
                Some(_) => ("tile size", "with a number in place of `--tile`"),
                None => ("line size", "with `--line-bytes`"),
            };
            return Err(CliError::with_hint(
                format!("the {what} of this model is a symbol, so its tables are about large sizes only"),
                format!("leave `-D` out, or derive a model {instead}"),
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
        require(model, ri_sum_identity(regime), near, "its reuse intervals do not sum to N*m")?;
    }
    Ok(regimes)
}

/// Returns the classes as positions in the LRU stack, if all distances are known; otherwise there is no exact table or
/// formula.
pub(crate) fn places(line: &LineModel, what: &str) -> Result<LineModel, CliError> {
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
        require(model, reuse_count_identity(regime), near, "its reuse distances are not as many as its reuses")?;
    }
    Ok(regimes.iter().map(Table::lru).collect())
}

pub(crate) fn no_formulas(error: LocalityError) -> CliError {
    let hint = match error {
        LocalityError::Outside => "`symloc query --help` tells how sizes are given",
        LocalityError::NoLargeSizes => {
            "tables are about large sizes; a flag has to have one value, as in `symloc derive --assume 'flag = 0'`, or \
             give sizes with -D; `query` and `histogram` answer for the others"
        }
        LocalityError::Sampled => return EvalError::Sampled.into(),
        LocalityError::TwoTiles => "`query` and `find-tile` answer at given sizes; or derive it with one tile size",
        LocalityError::NoLimit => "`query` and `histogram` answer at given sizes",
        LocalityError::Residues(_) => "narrow the sizes when deriving, as in `symloc derive --assume 'n mod 8 = 0'`",
    };
    CliError::with_hint(error.to_string(), hint)
}

/// Refuses a model that does not determine the operations per byte.
pub(crate) fn require_operations(model: &Model, line: &LineModel) -> Result<(), CliError> {
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

/// Refuses a model for which an identity fails. Formulas near a size may hold at this size alone.
fn require(model: &Model, identity: Identity, near: Option<&NearSizes>, wrong: &str) -> Result<(), CliError> {
    let Identity::Fails(difference) = identity else { return Ok(()) };
    if near.is_some_and(|near| Evaluator::new(&difference, near.point.len()).sign(&near.point) == Ordering::Equal) {
        return Ok(());
    }
    let difference = Notation::new(Style::Text, &model.names()).poly(&difference);
    Err(CliError::with_hint(
        format!("the model is wrong: {wrong}, the difference is {difference}"),
        "derive the model again; if the message stays, it is a bug of symloc, please report it",
    ))
}

impl TablesAbout {
    /// Derives the tables of a model for large sizes, and the shares of each group of accesses in each table.
    pub(crate) fn shares(self, model: Arc<Model>, by: RowsBy) -> Result<TableShares, CliError> {
        let program = model.outline()?;
        let nests = if by == RowsBy::Nest { model.nest_of_accesses()? } else { Vec::new() };
        let group = |access: usize| match by {
            RowsBy::Access => access,
            RowsBy::Array => program.accesses[access].array,
            RowsBy::Nest => nests[access],
        };
        let line = model.line(self.choice)?;
        let regimes = checked_regimes(&model, line, Counts { by: Owner::Access, ..Counts::default() }, None)?;
        let tables: Vec<_> = regimes.iter().map(Table::new).collect();
        let shares = regimes.iter().zip(&tables).map(|(regime, table)| shares(regime, table, group)).collect();
        let line = text::lines_of(&model, line);
        let tables = Tables { tables, line, miss_model: self.miss_model, choice: self.choice, like: None, model };
        Ok(TableShares { tables, shares })
    }

    /// Derives the tables of a model for large sizes, or the one for sizes like the given ones.
    pub(crate) fn derive(self, model: Arc<Model>, near: Option<NearSizes>) -> Result<Tables, CliError> {
        let line = model.line(self.choice)?;
        if self.operations {
            require_operations(&model, line)?;
        }
        let mut tables = self.tables(&model, line, near.as_ref())?;
        let mut like = near.map(|near| near.text);
        if like.is_none()
            && tables.iter().all(is_far_out)
            && let Ok(near) = NearSizes::at(&model, model.parameters.iter().map(|name| (name.clone(), USUAL)).collect())
            && let Ok(closer) = self.tables(&model, line, Some(&near))
            && !closer.iter().all(says_nothing)
        {
            (tables, like) = (closer, Some(near.text));
        }
        let TablesAbout { choice, miss_model, .. } = self;
        Ok(Tables { tables, line: text::lines_of(&model, line), miss_model, choice, like, model })
    }
}

/// Returns the classes whose values are compared with the threshold.
pub(crate) fn classes(line: &LineModel, miss_model: MissModel) -> Result<(LineModel, Measure), CliError> {
    match miss_model {
        MissModel::Denning => Ok((line.clone(), Measure::Intervals)),
        MissModel::Lru => Ok((places(line, "formula")?, Measure::Places)),
    }
}

/// Returns the writes by the place in the LRU stack that decides whether they are written back.
pub(crate) fn write_backs(line: &LineModel, miss_model: MissModel) -> Result<LineModel, CliError> {
    if miss_model == MissModel::Denning {
        return Err(CliError::with_hint(
            "formulas of write-backs are those of LRU, from reuse distances",
            "derive the model with --exact --write-backs; `query` answers for Denning's model at one size",
        ));
    }
    written_back_places(line).ok_or_else(|| {
        CliError::with_hint(
            "the model holds no write-backs by reuse distance",
            "derive it with --exact --write-backs, which says where they have no formula; `symloc simulate --apart` counts them at one size",
        )
    })
}
