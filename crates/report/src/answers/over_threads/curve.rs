//! Misses and traffic on each of several numbers of threads.
//!
//! The numbers of a level are those of `query --threads`: the misses of all threads, each by itself in caches of its own,
//! and the coherence misses that come on top of them. The traffic of a level is the bytes of the lines that come in for
//! both and for false sharing, where that is known, and of the written lines that go out, where these are.

use std::io::{self, Write};
use std::iter;

use serde::Serialize;
use symloc_evaluate::Int;

use crate::answers::counted::SAMPLED;
use crate::answers::misses::{CacheMisses, CacheMissesAnswer, LevelMisses, ThreadMisses, write_note_on_sets};
use crate::formats::csv;
use crate::formats::json::{self, Number, Owned};
use crate::formats::text::{Columns, ratio};
use crate::{AnswerHeader, Counted, Fields};

/// The misses of a program at a size, over the number of threads.
#[derive(Clone, Debug)]
pub struct ThreadCurve {
    /// The name that distinguishes it from the others; empty if there are none.
    pub name: String,
    /// The answers, at least one, by ascending numbers of threads; all have the same levels.
    pub points: Vec<LevelMisses>,
}

/// The bytes that go to and from a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelTraffic {
    /// Those of the lines that come in.
    pub read: Counted,
    /// Those of the written lines that go out, where they are known.
    pub written: Option<Counted>,
}

impl LevelTraffic {
    /// Returns the traffic of a level with lines of so many bytes.
    pub fn of(level: &CacheMisses, line_bytes: u64) -> Self {
        let line = Int::from(line_bytes);
        let threads = level.threads.as_ref();
        let further = threads.into_iter().flat_map(|threads| threads.coherence.iter().chain(&threads.false_sharing));
        let misses = Counted::new(level.misses.total(), level.interval.clone());
        let lines = further.fold(misses, |sum, more| sum.plus(&Counted::exact(more.clone())));
        Self { read: lines.times(&line), written: level.write_backs.as_ref().map(|written| written.times(&line)) }
    }

    /// Returns all bytes that are known.
    pub fn total(&self) -> Counted {
        self.written.iter().fold(self.read.clone(), |sum, written| sum.plus(written))
    }
}

impl ThreadCurve {
    /// Returns each answer with its levels, and the name of each level.
    fn rows(&self) -> impl Iterator<Item = (&LevelMisses, String, &CacheMisses)> {
        self.points.iter().flat_map(|point| point.named().map(move |(name, level)| (point, name, level)))
    }

    fn threads(&self) -> impl Iterator<Item = &ThreadMisses> + Clone {
        self.points.iter().flat_map(|point| &point.levels).filter_map(|level| level.threads.as_ref())
    }
}

/// The columns that some curves need in a table.
#[derive(Clone, Copy)]
struct CurveColumns {
    /// The name of the curve.
    name: bool,
    /// The name of the level.
    level: bool,
    sampled: bool,
    false_sharing: bool,
    orders: bool,
    bytes: bool,
}

impl CurveColumns {
    fn of(curves: &[ThreadCurve]) -> Self {
        let levels = || curves.iter().flat_map(|curve| &curve.points).flat_map(|point| &point.levels);
        let threads = || curves.iter().flat_map(ThreadCurve::threads);
        Self {
            name: curves.len() > 1,
            level: levels().any(|level| level.name.is_some()),
            sampled: levels().any(|level| level.interval.is_some()),
            false_sharing: threads().any(|threads| threads.false_sharing.is_some()),
            orders: threads().any(|threads| threads.orders.is_some()),
            bytes: curves.iter().flat_map(|curve| &curve.points).all(|point| point.header.line_bytes.is_some()),
        }
    }

    fn head(self) -> Vec<&'static str> {
        let mut head = if self.name { vec!["program"] } else { Vec::new() };
        head.push("threads");
        head.extend(self.level.then_some("level"));
        head.extend(["cache", "misses"]);
        head.extend(self.sampled.then_some("±"));
        head.push("coherence");
        head.extend(self.false_sharing.then_some("false sharing"));
        head.push("per access");
        head.extend(["least", "most"]);
        head.extend(self.orders.then_some("over orders"));
        head.extend(self.bytes.then_some("bytes"));
        head
    }

    fn row(self, curve: &ThreadCurve, (point, name, level): (&LevelMisses, String, &CacheMisses)) -> Vec<String> {
        let of_threads = level.threads.clone().unwrap_or_default();
        let accesses = &point.header.accesses;
        let mut row = if self.name { vec![curve.name.clone()] } else { Vec::new() };
        row.push(point.threads().to_string());
        row.extend(self.level.then_some(name));
        row.extend([level.capacity.to_string(), level.misses.total().to_string()]);
        row.extend(self.sampled.then(|| level.counted().error(&Int::from(1), |error| format!("{error:.0}"))));
        row.push(of_threads.coherence());
        row.extend(self.false_sharing.then(|| of_threads.false_sharing()));
        row.push(ratio(level.with_coherence().ratio(accesses)));
        row.extend(of_threads.least_and_most());
        row.extend(self.orders.then(|| of_threads.orders()));
        let bytes = point.header.line_bytes.map(|line| LevelTraffic::of(level, line).total().value.to_string());
        row.extend(self.bytes.then(|| bytes.unwrap_or_default()));
        row
    }
}

/// Explains the column of ratios.
const RATIOS: &str = "per access: misses with coherence misses";

/// Writes a row for each curve, number of threads and level, and notes on the columns.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_text(out: &mut dyn Write, curves: &[ThreadCurve]) -> io::Result<()> {
    let columns = CurveColumns::of(curves);
    let mut table = Columns::new(&columns.head(), usize::from(columns.name));
    for curve in curves {
        curve.rows().for_each(|row| table.push(columns.row(curve, row)));
    }
    table.write(out)?;
    // Messages between caches differ from row to row.
    let threads: Vec<_> = curves.iter().flat_map(ThreadCurve::threads).collect();
    let threads: Vec<_> =
        threads.into_iter().map(|threads| ThreadMisses { messages: None, ..threads.clone() }).collect();
    ThreadMisses::write_notes(threads.iter(), out)?;
    let written = curves.iter().flat_map(|curve| &curve.points).flat_map(|point| &point.levels);
    let written = written.clone().any(|level| level.write_backs.is_some());
    match columns.bytes {
        true if written => writeln!(out, "{RATIOS}; bytes: of lines that come in, and of written ones that go out")?,
        true => writeln!(out, "{RATIOS}; bytes: of lines that come in")?,
        false => writeln!(out, "{RATIOS}")?,
    }
    write_note_on_sets(curves.iter().flat_map(|curve| &curve.points), out)?;
    if columns.sampled { writeln!(out, "\n{SAMPLED}") } else { Ok(()) }
}

/// Writes a row for each curve, number of threads and level.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_csv(out: &mut dyn Write, curves: &[ThreadCurve]) -> io::Result<()> {
    let headers = curves.iter().flat_map(|curve| curve.points.first()).map(|point| &point.header);
    let names = if curves.len() > 1 { AnswerHeader::parameter_names(headers) } else { Vec::new() };
    let program = (curves.len() > 1).then(|| "program".to_owned());
    let columns = [
        "threads",
        "level",
        "cache_bytes",
        "lines",
        "accesses",
        "misses",
        "coherence",
        "false_sharing",
        "misses_per_access",
        "least",
        "most",
        "low",
        "high",
        "orders_low",
        "orders_high",
        "bytes_read",
        "bytes_written",
    ];
    let head = program.into_iter().chain(names.iter().copied().cloned()).chain(columns.map(str::to_owned)).collect();
    let rows = curves.iter().flat_map(|curve| {
        let program = (curves.len() > 1).then(|| curve.name.clone());
        let sizes = curve.points.first().map(|point| point.header.cells(&names)).unwrap_or_default();
        let start: Vec<_> = program.into_iter().chain(sizes).collect();
        curve.rows().map(move |row| [start.as_slice(), &csv_row(row)].concat())
    });
    csv::write(out, iter::once(head).chain(rows))
}

fn csv_row((point, name, level): (&LevelMisses, String, &CacheMisses)) -> Vec<String> {
    let AnswerHeader { line_bytes, accesses, .. } = &point.header;
    let of_threads = level.threads.clone().unwrap_or_default();
    let [least, most] = of_threads.least_and_most();
    let traffic = line_bytes.map(|line| LevelTraffic::of(level, line));
    let mut row = vec![
        point.threads().to_string(),
        name,
        csv::optional(level.bytes(*line_bytes)),
        level.lines.to_string(),
        accesses.to_string(),
        level.misses.total().to_string(),
        of_threads.coherence(),
        of_threads.false_sharing(),
        csv::ratio(level.with_coherence().ratio(accesses)),
        least,
        most,
    ];
    row.extend(csv::ends(level.interval.as_ref()));
    row.extend(csv::ends(of_threads.orders.as_ref()));
    row.push(csv::optional(traffic.as_ref().map(|traffic| &traffic.read.value)));
    row.push(csv::optional(traffic.and_then(|traffic| traffic.written).map(|written| written.value)));
    row
}

/// Writes one curve as `symloc.thread_curve/1`, several as `symloc.thread_curves/1`.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_json(out: &mut dyn Write, curves: &[ThreadCurve]) -> io::Result<()> {
    match curves {
        [curve] => {
            json::write(out, &SingleCurve { schema: "symloc.thread_curve/1", curve: ThreadCurveAnswer::new(curve) })
        }
        _ => {
            let curves = curves.iter().map(ThreadCurveAnswer::new).collect();
            json::write(out, &SeveralCurves { schema: "symloc.thread_curves/1", curves })
        }
    }
}

#[derive(Serialize)]
struct SingleCurve<'a> {
    schema: &'static str,
    #[serde(flatten)]
    curve: ThreadCurveAnswer<'a>,
}

#[derive(Serialize)]
struct SeveralCurves<'a> {
    schema: &'static str,
    curves: Vec<ThreadCurveAnswer<'a>>,
}

#[derive(Serialize)]
struct ThreadCurveAnswer<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    function: &'a str,
    #[serde(flatten)]
    header: Option<Fields<'a>>,
    points: Vec<ThreadPoint<'a>>,
}

/// The levels on a number of threads.
#[derive(Serialize)]
struct ThreadPoint<'a> {
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    falsely_shared_lines: Option<json::NamedCounts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<Number<'a>>,
    levels: Vec<LevelWithTraffic<'a>>,
}

#[derive(Serialize)]
struct LevelWithTraffic<'a> {
    #[serde(flatten)]
    level: CacheMissesAnswer<'a>,
    /// With coherence misses.
    misses_per_access: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_read: Option<Owned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written: Option<Owned>,
}

impl<'a> ThreadCurveAnswer<'a> {
    fn new(curve: &'a ThreadCurve) -> Self {
        let first = curve.points.first();
        Self {
            name: &curve.name,
            function: first.map_or("", |first| &first.header.function),
            header: first.map(|first| first.header.fields(first.source.name())),
            points: curve.points.iter().map(ThreadPoint::new).collect(),
        }
    }
}

impl<'a> ThreadPoint<'a> {
    fn new(point: &'a LevelMisses) -> Self {
        let level = |level: &'a CacheMisses| {
            let traffic = point.header.line_bytes.map(|line| LevelTraffic::of(level, line));
            let (read, written) = traffic.map(|LevelTraffic { read, written }| (read, written)).unzip();
            LevelWithTraffic {
                level: CacheMissesAnswer::new(&point.header, level, point.source),
                misses_per_access: level.with_coherence().ratio(&point.header.accesses),
                bytes_read: read.map(|read| Owned(read.value)),
                bytes_written: written.flatten().map(|written| Owned(written.value)),
            }
        };
        Self {
            threads: point.threads(),
            falsely_shared_lines: point.falsely_shared.as_deref().map(json::NamedCounts),
            estimated: (!point.estimated.is_zero()).then_some(Number(&point.estimated)),
            levels: point.levels.iter().map(level).collect(),
        }
    }
}
