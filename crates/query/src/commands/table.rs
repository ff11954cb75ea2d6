//! `table`: the locality table, as formulas.

use std::io::Write;

use clap::Args;
use symloc_report::Format;
use symloc_report::answers::formulas::profiles::ProfileColumns;
use symloc_report::answers::formulas::shares::SharesReport;
use symloc_report::answers::formulas::table::LocalityTable;
use symloc_report::answers::formulas::tables::TableAnswer;
use symloc_report::subject::RowsBy;

use crate::answers::table::in_leading_terms;
use crate::answers::tables::TablesArgs;
use crate::error::{CliError, ExitStatus};
use crate::options::ParameterArgs;

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
        if let Some(by) = self.by {
            if !self.sizes.is_empty() {
                return Err(CliError::with_hint(
                    "`--by` is about large sizes only",
                    "leave `-D` out; `query --by` answers at given sizes",
                ));
            }
            let (tables, shares) = self.formulas.shares(by)?;
            let report = SharesReport { program: tables.model.outline()?, tables: &tables, shares: &shares, by };
            report.write(out, self.formulas.format)?;
            return Ok(ExitStatus::Success);
        }
        let table = LocalityTable { tables: self.formulas.tables(Some(&self.sizes))? };
        match in_leading_terms(&table, self.formulas.operations).filter(|_| self.groups() && !table.is_short()) {
            Some(grouped) => grouped.write(out, self.formulas.format, ProfileColumns::Table)?,
            None => table.write(out, self.formulas.format)?,
        }
        Ok(ExitStatus::Success)
    }

    /// Returns true if rows may be grouped.
    fn groups(&self) -> bool {
        let data = matches!(self.formulas.format, Format::Json | Format::Sympy);
        !data && !self.full && self.sizes.is_empty()
    }
}
