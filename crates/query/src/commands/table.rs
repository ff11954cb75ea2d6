//! `table`: the locality table, as formulas.

use std::io::Write;

use clap::Args;
use symloc_report::answers::formulas::profiles::ProfileColumns;
use symloc_report::answers::formulas::shares::SharesReport;
use symloc_report::answers::formulas::table::LocalityTable;
use symloc_report::answers::formulas::tables::TableAnswer;
use symloc_report::subject::RowsBy;
use symloc_report::{Format, MissModel, miss_model};

use crate::answers::formulas::table::in_leading_terms;
use crate::answers::formulas::tables::{NearSizes, TableShares, TablesAbout};
use crate::error::{CliError, ExitStatus};
use crate::options::{ModelArgs, ParameterArgs};

/// The options of tables.
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

/// The options of `table`.
#[derive(Clone, Debug, Args)]
pub struct TableArgs {
    #[command(flatten)]
    pub(super) formulas: TablesArgs,
    /// Tell the reuse intervals of each array or of each access by themselves
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with = "operations")]
    by: Option<RowsBy>,
    /// All rows of the exact table in text, Markdown and LaTeX, however long; data have them always
    #[arg(long, conflicts_with = "by")]
    full: bool,
    /// Sizes like those of the table; the default is large sizes
    #[command(flatten)]
    sizes: ParameterArgs,
}

impl TableArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let TablesArgs { model: source, miss_model, operations, format } = &self.formulas;
        let about = TablesAbout { choice: source.line(), miss_model: *miss_model, operations: *operations };
        if let Some(by) = self.by {
            if !self.sizes.is_empty() {
                return Err(CliError::with_hint(
                    "`--by` is about large sizes only",
                    "leave `-D` out; `query --by` answers at given sizes",
                ));
            }
            if *miss_model == MissModel::Lru {
                return Err(CliError::unattributed());
            }
            let TableShares { tables, shares } = about.shares(source.load()?, by)?;
            let report = SharesReport { program: tables.model.outline()?, tables: &tables, shares: &shares, by };
            report.write(out, *format)?;
            return Ok(ExitStatus::Success);
        }
        let model = source.load()?;
        let near = NearSizes::of(&model, &self.sizes)?;
        let table = LocalityTable { tables: about.derive(model, near)? };
        match in_leading_terms(&table, *operations).filter(|_| self.groups() && !table.is_short()) {
            Some(grouped) => grouped.write(out, *format, ProfileColumns::Table)?,
            None => table.write(out, *format)?,
        }
        Ok(ExitStatus::Success)
    }

    /// Returns true if rows may be grouped.
    fn groups(&self) -> bool {
        let data = matches!(self.formulas.format, Format::Json | Format::Sympy);
        !data && !self.full && self.sizes.is_empty()
    }
}
