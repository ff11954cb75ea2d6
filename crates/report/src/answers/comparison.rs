//! Comparison of the misses of two programs.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::iter;

use serde::Serialize;
use symloc_evaluate::Int;
use symloc_machine::Capacity;

use crate::MissModel;
use crate::answers::estimate;
use crate::formats::csv;
use crate::formats::json::{self, Number};
use crate::formats::text::{self, Columns};

/// Two programs at one size. Of each pair, the first element is the first program's.
#[derive(Clone, Debug)]
pub struct ModelComparison {
    /// The size: the parameters of either program.
    pub parameters: Vec<(String, i128)>,
    /// Bytes per line, if all arrays agree on them.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array.
    pub element: bool,
    /// N, the number of accesses.
    pub accesses: [Int; 2],
    /// m, the number of first touches.
    pub first_touches: [Int; 2],
    /// The misses in some caches.
    pub levels: Vec<ComparedCache>,
    /// The program that misses less, by ascending cache size.
    pub ranges: Vec<SizeRange>,
    /// The model that predicts the misses.
    pub miss_model: MissModel,
    /// The number of reuses that are estimated because the models hold no distance for them.
    pub estimated: [Int; 2],
    /// The precision of the ends of the ranges, as one part in so many; `None` if they are exact.
    pub parts: Option<u32>,
}

/// A cache.
#[derive(Clone, Debug)]
pub struct ComparedCache {
    /// As the user gave it.
    pub cache: Capacity,
    /// The number of lines it holds.
    pub lines: u64,
    /// Its ways, if it is set-associative.
    pub ways: Option<u64>,
    /// The misses in it; with ways, Smith's estimate.
    pub misses: [Int; 2],
}

/// A range of cache sizes, up to the next range.
#[derive(Clone, Debug)]
pub struct SizeRange {
    /// The smallest cache.
    pub lines: Int,
    /// The order of the first program's misses relative to the second's.
    pub order: Ordering,
    /// The misses in the smallest cache.
    pub misses: [Int; 2],
}

/// The largest number of ranges printed for people.
const SHOWN: usize = 24;

/// Writes comparisons for people.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_text(out: &mut dyn Write, labels: [&str; 2], comparisons: &[ModelComparison]) -> io::Result<()> {
    for (index, comparison) in comparisons.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let [first, second] = labels;
        let lines = text::lines(comparison.line_bytes, comparison.element);
        match comparison.parameters.as_slice() {
            [] => writeln!(out, "{first} and {second}, {lines}")?,
            sizes => writeln!(out, "{first} and {second} at {}, {lines}", text::sizes(sizes))?,
        }
        writeln!(out)?;
        write_totals(out, labels, comparison)?;
        writeln!(out)?;
        write_ranges(out, labels, comparison)?;
        let [first, second] = &comparison.estimated;
        estimate::write_note(out, &(first + second))?;
    }
    Ok(())
}

fn write_totals(out: &mut dyn Write, labels: [&str; 2], comparison: &ModelComparison) -> io::Result<()> {
    let change = format!("{} / {}", labels[1], labels[0]);
    let mut table = Columns::new(&["", labels[0], labels[1], &change], 1);
    let mut push = |what: String, [first, second]: &[Int; 2]| {
        table.push(vec![what, first.to_string(), second.to_string(), text::ratio(second.ratio(first))]);
    };
    push("accesses".to_owned(), &comparison.accesses);
    push("first touches".to_owned(), &comparison.first_touches);
    for level in &comparison.levels {
        let ways = level.ways.map(|ways| format!(", {ways} ways")).unwrap_or_default();
        push(format!("misses in {}{ways}", level.cache), &level.misses);
    }
    table.write(out)?;
    match comparison.levels.iter().any(|level| level.ways.is_some()) {
        true => writeln!(out, "\nestimate: the misses of caches with ways are Smith's"),
        false => Ok(()),
    }
}

fn write_ranges(out: &mut dyn Write, labels: [&str; 2], comparison: &ModelComparison) -> io::Result<()> {
    let mut table = Columns::new(&["cache from", "lines", labels[0], labels[1], "fewer misses"], 0);
    for SizeRange { lines, order, misses: [first, second] } in comparison.ranges.iter().take(SHOWN) {
        let fewer = match order {
            Ordering::Less => labels[0],
            Ordering::Greater => labels[1],
            Ordering::Equal => "equal",
        };
        let size = size(lines, comparison.line_bytes);
        table.push(vec![size, lines.to_string(), first.to_string(), second.to_string(), fewer.to_owned()]);
    }
    table.write(out)?;
    if let Some(more) = comparison.ranges.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(out, "and {more} more ranges; --csv and --json hold all of them")?;
    }
    match comparison.parts {
        Some(parts) => writeln!(out, "Too many cache sizes to look at each: these are exact to one part in {parts}."),
        None => Ok(()),
    }
}

fn size(lines: &Int, line_bytes: Option<u64>) -> String {
    let bytes = line_bytes.map(|line| lines * &Int::from(line));
    match bytes.as_ref().map(|bytes| (bytes, bytes.to_i128().and_then(|bytes| u64::try_from(bytes).ok()))) {
        None => format!("{lines} lines"),
        Some((_, Some(bytes))) => Capacity::Bytes(bytes).to_string(),
        Some((bytes, None)) => format!("{bytes} B"),
    }
}

/// Writes one row for each range of cache sizes.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_csv(out: &mut dyn Write, comparisons: &[ModelComparison]) -> io::Result<()> {
    let names = comparisons.first().into_iter().flat_map(|comparison| &comparison.parameters);
    let columns = ["lines", "bytes", "first_misses", "second_misses", "fewer"].map(str::to_owned);
    let head = names.map(|(name, _)| name.clone()).chain(columns).collect();
    let rows = comparisons.iter().flat_map(|comparison| {
        let sizes: Vec<_> = comparison.parameters.iter().map(|(_, value)| value.to_string()).collect();
        comparison.ranges.iter().map(move |range| [sizes.as_slice(), &range.row(comparison.line_bytes)].concat())
    });
    csv::write(out, iter::once(head).chain(rows))
}

impl SizeRange {
    fn row(&self, line_bytes: Option<u64>) -> [String; 5] {
        let SizeRange { lines, order, misses: [first, second] } = self;
        let bytes = csv::bytes(lines, line_bytes);
        [lines.to_string(), bytes, first.to_string(), second.to_string(), word(*order).to_owned()]
    }
}

/// Returns the word for the program that misses less.
fn word(order: Ordering) -> &'static str {
    match order {
        Ordering::Less => "first",
        Ordering::Greater => "second",
        Ordering::Equal => "equal",
    }
}

/// Writes `symloc.comparison/1`.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_json(out: &mut dyn Write, labels: [&str; 2], comparisons: &[ModelComparison]) -> io::Result<()> {
    let answer = ComparisonsAnswer {
        schema: "symloc.comparison/1",
        names: labels,
        model: comparisons.first().map_or(MissModel::Denning, |comparison| comparison.miss_model).name(),
        comparisons: comparisons.iter().map(ComparisonAnswer::new).collect(),
    };
    json::write(out, &answer)
}

#[derive(Serialize)]
struct ComparisonsAnswer<'a> {
    schema: &'static str,
    names: [&'a str; 2],
    model: &'static str,
    comparisons: Vec<ComparisonAnswer<'a>>,
}

#[derive(Serialize)]
struct ComparisonAnswer<'a> {
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    line_bytes: Option<u64>,
    accesses: [Number<'a>; 2],
    first_touches: [Number<'a>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<[Number<'a>; 2]>,
    levels: Vec<ComparedCacheAnswer<'a>>,
    /// The precision as one part in so many; missing if exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<u32>,
    ranges: Vec<SizeRangeAnswer<'a>>,
}

#[derive(Serialize)]
struct ComparedCacheAnswer<'a> {
    bytes: Option<u64>,
    lines: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ways: Option<u64>,
    misses: [Number<'a>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<&'static str>,
}

#[derive(Serialize)]
struct SizeRangeAnswer<'a> {
    lines: Number<'a>,
    misses: [Number<'a>; 2],
    fewer: &'static str,
}

impl<'a> ComparisonAnswer<'a> {
    fn new(comparison: &'a ModelComparison) -> Self {
        let pair = |numbers: &'a [Int; 2]| numbers.each_ref().map(Number);
        let level = |level: &'a ComparedCache| ComparedCacheAnswer {
            bytes: comparison.line_bytes.and_then(|line| level.lines.checked_mul(line)),
            lines: level.lines,
            ways: level.ways,
            misses: pair(&level.misses),
            estimate: level.ways.map(|_| "smith"),
        };
        let range = |range: &'a SizeRange| SizeRangeAnswer {
            lines: Number(&range.lines),
            misses: pair(&range.misses),
            fewer: word(range.order),
        };
        Self {
            parameters: &comparison.parameters,
            line_bytes: comparison.line_bytes,
            accesses: pair(&comparison.accesses),
            first_touches: pair(&comparison.first_touches),
            estimated: comparison.estimated.iter().any(|count| !count.is_zero()).then(|| pair(&comparison.estimated)),
            levels: comparison.levels.iter().map(level).collect(),
            parts: comparison.parts,
            ranges: comparison.ranges.iter().map(range).collect(),
        }
    }
}
