//! Two programs side by side.

use std::cmp::Ordering;
use std::io::{self, Write};

use serde::Serialize;
use symloc_model::Int;

use super::curve::field;
use super::json::{self, Number};
use crate::cache::Capacity;
use crate::export::text::{self, Columns};

/// Two programs at one size. Of each pair, the first element is the first program's.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The size, of all parameters that either has.
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
    pub levels: Vec<Level>,
    /// Which one misses less, by ascending cache size.
    pub ranges: Vec<Range>,
    /// If the ends of the ranges are not exact: they are to one part in so many.
    pub parts: Option<u32>,
}

/// A cache.
#[derive(Clone, Debug)]
pub struct Level {
    /// As the user gave it.
    pub cache: Capacity,
    /// How many lines it holds.
    pub lines: u64,
    /// The misses in it.
    pub misses: [Int; 2],
}

/// From a cache size on, up to the next range.
#[derive(Clone, Debug)]
pub struct Range {
    /// The smallest cache.
    pub lines: Int,
    /// How the first program's misses compare with the second's.
    pub order: Ordering,
    /// The misses in the smallest cache.
    pub misses: [Int; 2],
}

/// More ranges than these are not printed for people.
const SHOWN: usize = 24;

/// For people.
pub fn write_text(out: &mut dyn Write, labels: [&str; 2], comparisons: &[Comparison]) -> io::Result<()> {
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
    }
    Ok(())
}

fn write_totals(out: &mut dyn Write, labels: [&str; 2], comparison: &Comparison) -> io::Result<()> {
    let change = format!("{} / {}", labels[1], labels[0]);
    let mut table = Columns::new(&["", labels[0], labels[1], &change], 1);
    let mut push = |what: String, [first, second]: &[Int; 2]| {
        table.push(vec![what, first.to_string(), second.to_string(), text::ratio(second.ratio(first))]);
    };
    push("accesses".to_owned(), &comparison.accesses);
    push("first touches".to_owned(), &comparison.first_touches);
    for level in &comparison.levels {
        push(format!("misses in {}", level.cache), &level.misses);
    }
    table.write(out)
}

fn write_ranges(out: &mut dyn Write, labels: [&str; 2], comparison: &Comparison) -> io::Result<()> {
    let mut table = Columns::new(&["cache from", "lines", labels[0], labels[1], "fewer misses"], 0);
    for Range { lines, order, misses: [first, second] } in comparison.ranges.iter().take(SHOWN) {
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

/// One row for each range of cache sizes.
pub fn write_csv(out: &mut dyn Write, comparisons: &[Comparison]) -> io::Result<()> {
    let names = comparisons.first().map_or(&[][..], |comparison| &comparison.parameters);
    let names: String = names.iter().map(|(name, _)| field(name) + ",").collect();
    writeln!(out, "{names}lines,bytes,first_misses,second_misses,fewer")?;
    for comparison in comparisons {
        let sizes: String = comparison.parameters.iter().map(|(_, value)| format!("{value},")).collect();
        for Range { lines, order, misses: [first, second] } in &comparison.ranges {
            let bytes = comparison.line_bytes.map(|line| (lines * &Int::from(line)).to_string()).unwrap_or_default();
            writeln!(out, "{sizes}{lines},{bytes},{first},{second},{}", word(*order))?;
        }
    }
    Ok(())
}

/// Which of the two misses less.
fn word(order: Ordering) -> &'static str {
    match order {
        Ordering::Less => "first",
        Ordering::Greater => "second",
        Ordering::Equal => "equal",
    }
}

/// `symloc.comparison/1`
pub fn write_json(out: &mut dyn Write, labels: [&str; 2], comparisons: &[Comparison]) -> io::Result<()> {
    let answer = Answer {
        schema: "symloc.comparison/1",
        names: labels,
        model: "denning",
        comparisons: comparisons.iter().map(At::new).collect(),
    };
    json::write(out, &answer)
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: &'static str,
    names: [&'a str; 2],
    model: &'static str,
    comparisons: Vec<At<'a>>,
}

#[derive(Serialize)]
struct At<'a> {
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    line_bytes: Option<u64>,
    accesses: [Number<'a>; 2],
    first_touches: [Number<'a>; 2],
    levels: Vec<LevelAnswer<'a>>,
    /// One part in so many; missing if exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<u32>,
    ranges: Vec<RangeAnswer<'a>>,
}

#[derive(Serialize)]
struct LevelAnswer<'a> {
    bytes: Option<u64>,
    lines: u64,
    misses: [Number<'a>; 2],
}

#[derive(Serialize)]
struct RangeAnswer<'a> {
    lines: Number<'a>,
    misses: [Number<'a>; 2],
    fewer: &'static str,
}

impl<'a> At<'a> {
    fn new(comparison: &'a Comparison) -> Self {
        let pair = |numbers: &'a [Int; 2]| numbers.each_ref().map(Number);
        let level = |level: &'a Level| LevelAnswer {
            bytes: comparison.line_bytes.and_then(|line| level.lines.checked_mul(line)),
            lines: level.lines,
            misses: pair(&level.misses),
        };
        let range = |range: &'a Range| RangeAnswer {
            lines: Number(&range.lines),
            misses: pair(&range.misses),
            fewer: word(range.order),
        };
        Self {
            parameters: &comparison.parameters,
            line_bytes: comparison.line_bytes,
            accesses: pair(&comparison.accesses),
            first_touches: pair(&comparison.first_touches),
            levels: comparison.levels.iter().map(level).collect(),
            parts: comparison.parts,
            ranges: comparison.ranges.iter().map(range).collect(),
        }
    }
}
