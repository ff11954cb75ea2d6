//! `query --by`: whose misses they are. `query --traffic`: how many bytes they move.

use std::collections::BTreeMap;
use std::io::Write;

use clap::{Args, ValueEnum};
use symloc_model::{Access, Int, LineChoice, Locality, Misses, Model, Outline, Share};

use crate::cache::Cache;
use crate::error::CliError;
use crate::export::Header;
use crate::export::attribution::{self, Fill, Level, Report, Row};
use crate::options::SizeArgs;

/// To whom misses are attributed, and in which unit.
#[derive(Clone, Debug, Default, Args)]
pub struct AttributionArgs {
    /// Tell the misses of each array or of each access by themselves
    #[arg(long, value_name = "WHAT", value_enum)]
    by: Option<By>,
    /// Bytes that are read into each cache, and floating-point operations for each of them
    #[arg(long)]
    traffic: bool,
    /// With --by: print comma-separated values, one line for each row and cache
    #[arg(long, requires = "by", conflicts_with = "json")]
    csv: bool,
}

/// What has a row of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// Every array
    Array,
    /// Every load and store of the source
    Access,
}

/// One question about caches.
pub(super) struct Question<'q> {
    pub(super) model: &'q Model,
    pub(super) line: LineChoice,
    pub(super) sizes: &'q SizeArgs,
    pub(super) caches: &'q [Cache],
    pub(super) json: bool,
}

impl AttributionArgs {
    /// Is anything asked that this module answers?
    pub(super) fn asked(&self) -> bool {
        self.by.is_some() || self.traffic
    }

    /// Answers.
    pub(super) fn run(&self, question: &Question<'_>, out: &mut dyn Write) -> Result<(), CliError> {
        let report = self.report(question)?;
        match (question.json, self.csv, self.traffic) {
            (true, ..) => attribution::write_json(out, &report),
            (_, true, _) => attribution::write_csv(out, &report),
            (_, _, traffic) => attribution::write_text(out, &report, traffic),
        }?;
        Ok(())
    }

    fn report<'q>(&self, question: &Question<'q>) -> Result<Report<'q>, CliError> {
        let Question { model, line, sizes, caches, .. } = *question;
        let program = model.outline()?;
        let evaluator = model.evaluator(line)?.with_limit(sizes.max_points);
        let sizes = sizes.sizes()?;
        let (locality, attribution) = (evaluator.locality(&sizes)?, evaluator.attribution(&sizes)?);
        let header = Header::of_locality(model, &locality);
        let windows = caches.iter().map(|cache| window(cache, &locality)).collect::<Result<Vec<_>, _>>()?;
        let bytes = |access: &Access| bytes_of_fill(&header, program, access);
        let single: Vec<Row<'q>> = (program.accesses.iter().zip(attribution.shares()))
            .map(|(access, share)| row(program, access, share, &windows, bytes(access)))
            .collect();
        let mut levels: Vec<Level> = caches.iter().zip(&windows).map(|(cache, window)| window.level(cache)).collect();
        for (index, level) in levels.iter_mut().enumerate() {
            level.fill = single.iter().fold(Fill::default(), |sum, row| sum.plus(&row.fills[index]));
        }
        let rows = match self.by {
            None => Vec::new(),
            Some(By::Access) => single,
            Some(By::Array) => by_array(single),
        };
        let operations = evaluator.operations(&sizes)?;
        Ok(Report { model, header, operations, by: self.by, levels, rows })
    }
}

/// A cache of so many lines and its window x*.
struct Window {
    lines: u64,
    length: Option<Int>,
}

fn window(cache: &Cache, locality: &Locality) -> Result<Window, CliError> {
    let lines = cache.lines(locality.place().line_bytes)?;
    Ok(Window { lines, length: locality.window(&Int::from(lines)) })
}

impl Window {
    fn level(&self, cache: &Cache) -> Level {
        Level { capacity: cache.capacity, lines: self.lines, fill: Fill::default() }
    }
}

/// How many bytes a miss reads: a line, or an element where lines are elements.
fn bytes_of_fill(header: &Header, program: &Outline, access: &Access) -> u64 {
    header.line_bytes.unwrap_or_else(|| program.arrays[access.array].element_bytes)
}

fn row<'q>(program: &'q Outline, access: &'q Access, share: &Share, windows: &[Window], bytes: u64) -> Row<'q> {
    let fill = |window: &Window| {
        let misses: Misses = share.misses(window.length.as_ref());
        let total = misses.total();
        Fill { bytes: &total * &Int::from(bytes), misses: total }
    };
    Row {
        array: &program.arrays[access.array],
        access: Some(access),
        accesses: share.accesses().clone(),
        first_touches: share.first_touches(),
        fills: windows.iter().map(fill).collect(),
    }
}

/// Adds the rows of each array up; arrays keep the order of the program.
fn by_array(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let mut arrays: BTreeMap<usize, Row<'_>> = BTreeMap::new();
    for row in rows {
        let position = row.access.map_or(0, |access| access.array);
        let row = Row { access: None, ..row };
        let sum = match arrays.remove(&position) {
            Some(sum) => sum.plus(&row),
            None => row,
        };
        arrays.insert(position, sum);
    }
    arrays.into_values().collect()
}
