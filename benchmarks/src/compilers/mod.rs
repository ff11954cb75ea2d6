//! `compilers`: the orders of loops and the tiles that compilers choose, beside those of symloc, by simulated misses.
//!
//! - `constants`: sources whose sizes are constants, `nests`: those that are compared, each alone,
//! - `tools`: the programs that are run,
//! - `orders`: the misses of one nest in the order of each compiler, `tables`: those of all,
//! - `tiles`: the misses of kernels in tiles.

mod constants;
mod nests;
mod orders;
mod tables;
mod tiles;
mod tools;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use symloc_query::options::datasets::Dataset;

use crate::BoxedError;
use orders::ComparedNest;
use tools::CompilerTools;

/// The options of `compilers`.
#[derive(Args)]
pub(crate) struct CompilersArgs {
    /// Files, without their endings; all by default
    names: Vec<String>,
    /// The part of the study
    #[arg(long, value_enum)]
    only: Option<StudyPart>,
    /// The sizes of PolyBench's nests, whose orders are compared
    #[arg(long, value_enum, default_value = "small")]
    dataset: Dataset,
    /// The cache of all nests, as in `symloc simulate`; by default one that holds a thirty-second of what a nest touches
    #[arg(long)]
    cache: Option<String>,
    /// A page in Markdown whose tables are written anew, those between `<!-- NAME -->` and `<!-- end -->`
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// The program; by default the one that was built with this one
    #[arg(long)]
    symloc: Option<PathBuf>,
}

/// A part of the study.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StudyPart {
    /// Orders of loops
    Orders,
    /// Tiles
    Tiles,
}

/// A table with the name of its place in the page.
type NamedTable = (&'static str, String);

/// Prints the tables, and writes them to a page.
pub(crate) fn run(args: &CompilersArgs) -> Result<(), BoxedError> {
    let tools = CompilerTools::new(args.symloc.as_deref())?;
    let versions =
        ["clang-22", "mlir-opt-22"].map(CompilerTools::version).into_iter().collect::<Result<Vec<_>, _>>()?;
    let polly = if tools.has_polly { "with Polly" } else { "without Polly, whose column is left out" };
    let mut tables = vec![("versions", format!("{}; {}; `opt` {polly}.\n", versions[0], versions[1]))];
    if args.only != Some(StudyPart::Tiles) {
        tables.extend(order_tables(args, &tools)?);
    }
    if args.only != Some(StudyPart::Orders) {
        tables.push(("tiles", tiles::table(&tools, &args.names)?));
    }
    for (name, table) in &tables {
        println!("<!-- {name} -->\n\n{table}\n<!-- end -->");
    }
    let Some(page) = &args.page else { return Ok(()) };
    let text = tables.iter().try_fold(std::fs::read_to_string(page)?, |text, table| replaced(&text, table))?;
    Ok(std::fs::write(page, text)?)
}

/// Returns a page with a new table.
fn replaced(page: &str, (name, table): &NamedTable) -> Result<String, BoxedError> {
    let (start, end) = (format!("<!-- {name} -->\n"), "<!-- end -->");
    let (before, rest) = page.split_once(&start).ok_or_else(|| format!("the page has no {}", start.trim()))?;
    let (_, after) = rest.split_once(end).ok_or("a table has no end")?;
    Ok(format!("{before}{start}\n{table}\n{end}{after}"))
}

fn order_tables(args: &CompilersArgs, tools: &CompilerTools) -> Result<Vec<NamedTable>, BoxedError> {
    let (compared, left_out) = compared_nests(args, tools)?;
    Ok(vec![
        ("orders", tables::summary(&compared)),
        ("refused", tables::reasons(&compared)),
        ("nests", tables::details(&compared)),
        ("left-out", tables::left_out(&left_out)),
    ])
}

/// A name, and the reason why it is left out.
type LeftOut = (String, String);

/// Compares the orders of all nests.
fn compared_nests(
    args: &CompilersArgs,
    tools: &CompilerTools,
) -> Result<(Vec<ComparedNest>, Vec<LeftOut>), BoxedError> {
    let (mut compared, mut left_out) = (Vec::new(), Vec::new());
    let mut functions = nests::of_polybench(args.dataset);
    functions.extend(nests::of_tests()?);
    functions.retain(|function| args.names.is_empty() || args.names.contains(&function.name));
    for function in functions {
        let nests = match function.nests(tools) {
            Ok(nests) => nests,
            Err(why) => {
                left_out.push((function.name, tools::reason(&why)));
                continue;
            }
        };
        for nest in nests {
            eprintln!("{}", nest.name);
            match orders::compared(tools, &nest, args.cache.as_deref()) {
                Ok(found) => compared.extend(found),
                Err(why) => left_out.push((nest.name, tools::reason(&why))),
            }
        }
    }
    Ok((compared, left_out))
}
