//! Longer rows with which the printed orders miss less, in words.

use symloc_advise::{
    Advice, AdvisedOrder, Hierarchy, LongerRows, Nests, PaddingQuestion, RowLength, RowPadding, SetsMet, pad_rows,
};
use symloc_affine::Array;
use symloc_query::CliError;
use symloc_report::answers::advice::padding::{PaddingReport, RowsReport, SetsReport};

use super::answer::by_array;
use super::refusal::refused;
use super::written::{Declarer, WrittenProgram};

/// The orders for which longer rows are looked for, besides the program as written.
const ORDERS: usize = 3;

/// Returns the longer rows of the program as written, and of the first orders.
pub(super) fn paddings(
    written: &dyn WrittenProgram,
    nests: &Nests,
    advice: &Advice,
    hierarchy: &Hierarchy,
    levels: &[String],
    sizes: &[i64],
) -> Result<Vec<Option<PaddingReport>>, CliError> {
    let program = &written.input().program;
    let question = PaddingQuestion { nests, declared: program, sizes, hierarchy };
    let orders: Vec<&AdvisedOrder> = std::iter::once(&advice.written).chain(advice.proposed().take(ORDERS)).collect();
    let found = pad_rows(&question, &advice.written, &orders).map_err(refused)?;
    let report = |RowPadding { arrays, cost }: RowPadding| PaddingReport {
        rows: arrays.iter().map(|rows| rows_report(written, levels, rows)).collect(),
        misses: cost.misses.iter().map(|level| level.all()).collect(),
        is_exact: cost.is_exact,
        arrays: by_array(program, advice, &cost.misses),
        cycles: cost.cycles,
    };
    Ok(found.into_iter().map(|padding| padding.map(report)).collect())
}

fn rows_report(written: &dyn WrittenProgram, levels: &[String], rows: &LongerRows) -> RowsReport {
    let array = &written.input().program.arrays[rows.array];
    let elements = [rows.before, rows.after].map(i64::unsigned_abs);
    let met = |SetsMet { level, sets, before, after }: &SetsMet| SetsReport {
        level: levels.get(*level).cloned().unwrap_or_default(),
        sets: *sets,
        before: *before,
        after: *after,
    };
    RowsReport {
        name: array.name.clone(),
        elements,
        bytes: elements.map(|elements| elements.saturating_mul(array.element_bytes)),
        sets: rows.sets.iter().map(met).collect(),
        change: change(array, rows, written.declarer(array)),
    }
}

/// Returns the change of the source that makes the rows of an array longer, as a phrase.
fn change(array: &Array, rows: &LongerRows, declarer: Declarer) -> String {
    let (name, place, after) = (&array.name, &array.location, rows.after);
    match (declarer, &rows.length) {
        (Declarer::Caller, RowLength::LeadingDimension(ld)) => format!(
            "the caller declares {name}: make its rows {after} elements long, and call the function with {ld} = {after}"
        ),
        (Declarer::Caller, RowLength::Sizes(sizes)) => format!(
            "the caller declares {name} with rows of {sizes} elements: give their length a parameter of its own, and make it {after}"
        ),
        (Declarer::Caller, RowLength::Declared) => {
            format!("the caller declares {name}: make its rows {after} elements long, there and in this function")
        }
        (Declarer::Source, RowLength::LeadingDimension(ld)) => {
            format!("make the rows of {name} {after} elements long, and call the function with {ld} = {after}")
        }
        (Declarer::Source, RowLength::Sizes(_) | RowLength::Declared) => {
            format!("declare {name} with rows of {after} elements")
        }
        (Declarer::Allocation, _) => {
            format!("{place}: allocate {name} with rows of {after} elements, and write them in its types")
        }
    }
}
