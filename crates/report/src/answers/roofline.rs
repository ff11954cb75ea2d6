//! Rooflines: the speed that a program can reach on a machine if nothing but its traffic and its operations take time.
//!
//! An operation needs its share of the bytes that move: with I operations for each byte that goes to and from a level
//! that delivers b bytes a second, there are at most I · b operations a second. So the program is no faster than the
//! least of these over all levels, and than the peak. Source: Williams, Waterman, Patterson, *Roofline: An Insightful
//! Visual Performance Model* (CACM 2009); one roof for each level: Ilic, Pratas, Sousa, *Cache-aware Roofline Model*
//! (IEEE CAL 2014).

use std::io::{self, Write};
use std::iter;

use serde::Serialize;
use symloc_evaluate::Int;
use symloc_machine::Speed;

use crate::answers::counted::SAMPLED;
use crate::answers::misses::MissSource;
use crate::formats::text::{Columns, percent, ratio};
use crate::formats::{csv, json};
use crate::{AnswerHeader, Counted, Fields};

/// A program at a size, on the caches of a machine.
#[derive(Debug)]
pub struct MeasuredProgram {
    /// The name that distinguishes it from the others; empty if there are none.
    pub name: String,
    /// The header of the answer.
    pub header: AnswerHeader,
    /// The source of the traffic.
    pub source: MissSource,
    /// The number of floating-point operations.
    pub operations: Int,
    /// The number of bytes that go in and out of each cache of the machine, from the core outwards.
    pub traffic: Vec<Counted>,
}

/// Some programs on a machine.
#[derive(Debug)]
pub struct Rooflines {
    /// The name of the machine.
    pub(crate) machine: String,
    pub(crate) speed: Speed,
    pub(crate) programs: Vec<Roofline>,
}

/// A program below the roofs of a machine.
#[derive(Debug)]
pub(crate) struct Roofline {
    pub(crate) program: MeasuredProgram,
    /// Operations a second.
    pub(crate) peak: f64,
    /// The bounds of the levels behind the caches.
    bounds: Vec<LevelBound>,
}

/// The bound of a level.
#[derive(Debug)]
pub(crate) struct LevelBound {
    /// The level that data come from.
    pub(crate) level: String,
    /// The number of bytes a second that it delivers.
    pub(crate) bandwidth: u64,
    /// The number of bytes that go to and from it.
    pub(crate) bytes: Counted,
    /// Operations for each of these bytes.
    pub(crate) intensity: f64,
    /// The attainable operations a second, the peak at most.
    pub(crate) attainable: f64,
    /// The ends of the interval that holds it.
    interval: (f64, f64),
}

impl LevelBound {
    fn new(program: &MeasuredProgram, bytes: &Counted, peak: f64, (level, bandwidth): &(String, u64)) -> Self {
        let attainable = |bytes: &Int| (program.operations.ratio(bytes) * *bandwidth as f64).min(peak);
        let likely = attainable(&bytes.value);
        Self {
            level: level.clone(),
            bandwidth: *bandwidth,
            intensity: program.operations.ratio(&bytes.value),
            attainable: likely,
            interval: bytes
                .interval
                .as_ref()
                .map_or((likely, likely), |(low, high)| (attainable(high), attainable(low))),
            bytes: bytes.clone(),
        }
    }
}

impl Roofline {
    /// Computes the bounds of a program on a machine of this speed.
    pub(crate) fn new(program: MeasuredProgram, speed: &Speed) -> Self {
        let peak = speed.peak as f64;
        let levels = program.traffic.iter().zip(&speed.bandwidths);
        let bounds = levels.map(|(bytes, level)| LevelBound::new(&program, bytes, peak, level)).collect();
        Self { program, peak, bounds }
    }

    /// Returns the bound of each level behind a cache.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = &LevelBound> {
        self.bounds.iter()
    }

    /// Returns the largest possible number of operations a second, and the level that limits it; `None` if the peak
    /// does.
    pub(crate) fn most(&self) -> (f64, Option<&str>) {
        self.bounds.iter().fold((self.peak, None), |(most, level), bound| match bound.attainable < most {
            true => (bound.attainable, Some(bound.level.as_str())),
            false => (most, level),
        })
    }

    /// Returns `at most 3.75 GFlop/s: memory`, or `at most 3.75 GFlop/s (3.61 to 3.90): memory` if the bytes are
    /// estimates with a visible interval.
    pub(crate) fn verdict(&self) -> String {
        let (most, level) = self.most();
        let least = |end: fn(&LevelBound) -> f64| self.bounds.iter().map(end).fold(f64::INFINITY, f64::min);
        let ends = [least(|bound| bound.interval.0), least(|bound| bound.interval.1)].map(operations);
        let most = operations(most);
        let interval =
            if ends == [most.clone(), most.clone()] { String::new() } else { format!(" ({} to {})", ends[0], ends[1]) };
        format!("at most {most}{interval}: {}", level.unwrap_or("the peak"))
    }

    /// The columns of [`csv_rows`](Self::csv_rows).
    pub(crate) const CSV: [&str; 9] = [
        "operations",
        "level",
        "bandwidth",
        "bytes",
        "low",
        "high",
        "operations_per_byte",
        "operations_per_second",
        "peak",
    ];

    /// Returns a row for each level.
    pub(crate) fn csv_rows(&self) -> impl Iterator<Item = Vec<String>> {
        self.bounds.iter().map(|bound| {
            let start = [self.program.operations.to_string(), bound.level.clone(), bound.bandwidth.to_string()];
            let attainable = bound.attainable.round().to_string();
            let end = [csv::ratio(bound.intensity), attainable, (self.peak as u64).to_string()];
            [start.as_slice(), &Counted::csv(Some(&bound.bytes)), &end].concat()
        })
    }

    /// Returns true if these are estimates from samples.
    pub(crate) fn is_sampled(&self) -> bool {
        self.program.source == MissSource::Sampled
    }
}

impl Rooflines {
    /// Computes the bounds of some programs on a machine of this speed.
    pub fn new(machine: String, speed: Speed, programs: Vec<MeasuredProgram>) -> Self {
        let programs = programs.into_iter().map(|program| Roofline::new(program, &speed)).collect();
        Self { machine, speed, programs }
    }

    fn headers(&self) -> impl Iterator<Item = &AnswerHeader> {
        self.programs.iter().map(|roofline| &roofline.program.header)
    }

    /// Writes a row for each program and level.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { machine, speed, programs } = self;
        let peak = speed.peak as f64;
        match programs.as_slice() {
            [only] => {
                AnswerHeader::write_common(self.headers(), out)?;
                writeln!(out, "{} floating-point operations", only.program.operations)?;
            }
            several => writeln!(out, "{} programs", several.len())?,
        }
        writeln!(out, "one core of {machine}: at most {}\n", operations(peak))?;
        let named = programs.len() > 1;
        let mut head = if named { vec!["program"] } else { Vec::new() };
        let sampled = programs.iter().any(Roofline::is_sampled);
        head.extend(["data from", "bandwidth", "bytes"]);
        head.extend(sampled.then_some("±"));
        head.extend(["operations per byte", "at most", "of peak"]);
        let mut table = Columns::new(&head, usize::from(named) + 1);
        for roofline in programs {
            for bound in &roofline.bounds {
                let mut row = if named { vec![roofline.program.name.clone()] } else { Vec::new() };
                row.extend([bound.level.clone(), bytes(bound.bandwidth as f64)]);
                row.extend(Counted::cells(Some(&bound.bytes), sampled));
                row.extend([ratio(bound.intensity), operations(bound.attainable)]);
                row.push(percent(bound.attainable / peak));
                table.push(row);
            }
        }
        table.write(out)?;
        writeln!(out)?;
        for roofline in programs {
            let name = if named { format!("{}: ", roofline.program.name) } else { String::new() };
            writeln!(out, "{name}{}", roofline.verdict())?;
        }
        if sampled {
            writeln!(out, "\n{SAMPLED}")?;
        }
        Ok(())
    }

    /// Writes a row for each program and level.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = AnswerHeader::parameter_names(self.headers());
        let rows = self.programs.iter().flat_map(|roofline| {
            let header = &roofline.program.header;
            let place = [vec![header.function.clone()], header.cells(&names)].concat();
            roofline.csv_rows().map(move |row| [place.as_slice(), &row].concat())
        });
        let parameters = names.iter().map(|name| name.as_str());
        let head = ["program"].into_iter().chain(parameters).chain(Roofline::CSV).map(str::to_owned).collect();
        csv::write(out, iter::once(head).chain(rows))
    }

    /// Writes `symloc.roofline/1`.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let programs = self.programs.iter().map(ProgramAnswer::new).collect();
        let Self { machine, speed: Speed { peak, .. }, .. } = self;
        json::write(out, &RooflineAnswer { schema: "symloc.roofline/1", machine, peak: *peak, programs })
    }
}

/// Returns a rate as `76.8 GFlop/s`.
pub fn operations(per_second: f64) -> String {
    format!("{}Flop/s", thousands(per_second))
}

/// Returns a rate as `12.5 GB/s`.
pub fn bytes(per_second: f64) -> String {
    format!("{}B/s", thousands(per_second))
}

/// Returns three digits and a prefix.
fn thousands(value: f64) -> String {
    let prefixes = ["", "k", "M", "G", "T", "P"];
    let power = ((value.max(1.0).log10() / 3.0).floor() as usize).min(prefixes.len() - 1);
    let scaled = value / 1000_f64.powi(power as i32);
    let decimals = (2.0 - scaled.max(1.0).log10().floor()).max(0.0) as usize;
    format!("{scaled:.decimals$} {}", prefixes[power])
}

#[derive(Serialize)]
struct RooflineAnswer<'a> {
    schema: &'static str,
    machine: &'a str,
    /// Operations a second.
    peak: u64,
    programs: Vec<ProgramAnswer<'a>>,
}

/// A program below the roofs of a machine, in an answer.
#[derive(Serialize)]
pub(crate) struct ProgramAnswer<'a> {
    function: &'a str,
    #[serde(flatten)]
    header: Fields<'a>,
    #[serde(serialize_with = "json::int")]
    operations: &'a Int,
    operations_per_second: f64,
    bound_by: Option<&'a str>,
    levels: Vec<BoundAnswer<'a>>,
}

#[derive(Serialize)]
struct BoundAnswer<'a> {
    level: &'a str,
    bandwidth: u64,
    #[serde(serialize_with = "json::int")]
    bytes: &'a Int,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<json::Number<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<json::Number<'a>>,
    operations_per_byte: f64,
    operations_per_second: f64,
}

impl<'a> ProgramAnswer<'a> {
    pub(crate) fn new(roofline: &'a Roofline) -> Self {
        let Roofline { program, bounds, .. } = roofline;
        let (operations_per_second, bound_by) = roofline.most();
        Self {
            function: &program.header.function,
            header: program.header.fields(program.source.name()),
            operations: &program.operations,
            operations_per_second,
            bound_by,
            levels: bounds.iter().map(BoundAnswer::new).collect(),
        }
    }
}

impl<'a> BoundAnswer<'a> {
    fn new(bound: &'a LevelBound) -> Self {
        let LevelBound { level, bandwidth, bytes: Counted { value, interval, .. }, intensity, attainable, .. } = bound;
        let (low, high) = json::ends(interval.as_ref());
        Self {
            level,
            bandwidth: *bandwidth,
            bytes: value,
            low,
            high,
            operations_per_byte: *intensity,
            operations_per_second: *attainable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        let rates = [1.0, 999.0, 12_500.0, 3.75e9, 76.8e9, 1e12, 4e18].map(operations);
        let expected = ["1.00", "999", "12.5 k", "3.75 G", "76.8 G", "1.00 T", "4000 P"];
        let expected = expected.map(|rate| format!("{rate}{}Flop/s", if rate.contains(' ') { "" } else { " " }));
        assert_eq!(rates, expected);
    }
}
