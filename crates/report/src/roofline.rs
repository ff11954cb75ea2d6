//! Rooflines: how fast a program can be on a machine at most, if nothing but its traffic and its operations take time.
//!
//! An operation needs its share of the bytes that move: with I operations for each byte that goes to and from a level that delivers b bytes
//! a second, there are at most I · b operations a second. So the program is no faster than the least of these over all levels, and
//! than the peak. Source: Williams, Waterman, Patterson, *Roofline: An Insightful Visual Performance Model* (CACM 2009); one roof for
//! each level: Ilic, Pratas, Sousa, *Cache-aware Roofline Model* (IEEE CAL 2014).

use std::io::{self, Write};
use std::iter;

use serde::Serialize;
use symloc_evaluate::Int;
use symloc_machine::Speed;

use crate::attribution::FilledCache;
use crate::counted::SAMPLED;
use crate::misses::MissSource;
use crate::text::{Columns, percent, ratio};
use crate::{AnswerHeader, Counted, Fields, csv, json};

/// A program at a size, on a machine.
#[derive(Debug)]
pub struct Roofline {
    /// What tells it from the others; empty if there are none.
    pub name: String,
    /// What it is about.
    pub header: AnswerHeader,
    /// Where the traffic comes from.
    pub source: MissSource,
    /// How many floating-point operations it does.
    pub operations: Int,
    /// What goes in and out of each cache of the machine, from the core outwards.
    pub caches: Vec<FilledCache>,
}

/// What a level allows.
#[derive(Clone, Debug)]
pub struct Bound<'b> {
    /// The level that data come from.
    pub level: &'b str,
    /// How many bytes a second it delivers.
    pub bandwidth: u64,
    /// How many bytes go to and from it.
    pub bytes: Counted,
    /// Operations for each of these bytes.
    pub intensity: f64,
    /// So many operations a second, the peak at most.
    pub attainable: f64,
    /// The ends of the interval that holds it.
    pub interval: (f64, f64),
}

impl Roofline {
    /// What each level behind a cache allows.
    pub fn bounds<'b>(&'b self, speed: &'b Speed) -> impl Iterator<Item = Bound<'b>> {
        self.caches.iter().zip(&speed.bandwidths).map(|(cache, (level, bandwidth))| {
            let bytes = cache.traffic();
            let attainable = |bytes: &Int| (self.operations.ratio(bytes) * *bandwidth as f64).min(speed.peak as f64);
            Bound {
                level,
                bandwidth: *bandwidth,
                intensity: self.operations.ratio(&bytes.value),
                attainable: attainable(&bytes.value),
                interval: bytes.interval.as_ref().map_or_else(
                    || (attainable(&bytes.value), attainable(&bytes.value)),
                    |(low, high)| (attainable(high), attainable(low)),
                ),
                bytes,
            }
        })
    }

    /// How many operations a second there can be at most, and the level that does not allow more; none if the peak does not.
    pub fn most<'b>(&'b self, speed: &'b Speed) -> (f64, Option<&'b str>) {
        let peak = (speed.peak as f64, None);
        self.bounds(speed).fold(peak, |(most, level), bound| match bound.attainable < most {
            true => (bound.attainable, Some(bound.level)),
            false => (most, level),
        })
    }

    /// `at most 3.75 GFlop/s: memory`; `at most 3.75 GFlop/s (3.61 to 3.90): memory`, if bytes are estimates and that is to be seen.
    pub fn verdict(&self, speed: &Speed) -> String {
        let (most, level) = self.most(speed);
        let least =
            |end: fn(&Bound<'_>) -> f64| self.bounds(speed).map(|bound| end(&bound)).fold(f64::INFINITY, f64::min);
        let ends = [least(|bound| bound.interval.0), least(|bound| bound.interval.1)].map(operations);
        let most = operations(most);
        let interval =
            if ends == [most.clone(), most.clone()] { String::new() } else { format!(" ({} to {})", ends[0], ends[1]) };
        format!("at most {most}{interval}: {}", level.unwrap_or("the peak"))
    }

    /// Are these estimates from samples?
    fn is_sampled(&self) -> bool {
        self.source == MissSource::Sampled
    }
}

/// `76.8 GFlop/s`
pub fn operations(per_second: f64) -> String {
    format!("{}Flop/s", thousands(per_second))
}

/// `12.5 GB/s`
pub fn bytes(per_second: f64) -> String {
    format!("{}B/s", thousands(per_second))
}

/// Three digits and a prefix.
fn thousands(value: f64) -> String {
    let prefixes = ["", "k", "M", "G", "T", "P"];
    let power = ((value.max(1.0).log10() / 3.0).floor() as usize).min(prefixes.len() - 1);
    let scaled = value / 1000_f64.powi(power as i32);
    let decimals = (2.0 - scaled.max(1.0).log10().floor()).max(0.0) as usize;
    format!("{scaled:.decimals$} {}", prefixes[power])
}

/// A row for each program and level.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_text(out: &mut dyn Write, rooflines: &[Roofline], machine: &str, speed: &Speed) -> io::Result<()> {
    let headers = rooflines.iter().map(|roofline| &roofline.header);
    match rooflines {
        [only] => {
            AnswerHeader::write_common(headers, out)?;
            writeln!(out, "{} floating-point operations", only.operations)?;
        }
        several => writeln!(out, "{} programs", several.len())?,
    }
    writeln!(out, "one core of {machine}: at most {}\n", operations(speed.peak as f64))?;
    let named = rooflines.len() > 1;
    let mut head = if named { vec!["program"] } else { Vec::new() };
    let sampled = rooflines.iter().any(Roofline::is_sampled);
    head.extend(["data from", "bandwidth", "bytes"]);
    head.extend(sampled.then_some("±"));
    head.extend(["operations per byte", "at most", "of peak"]);
    let mut table = Columns::new(&head, usize::from(named) + 1);
    for roofline in rooflines {
        for bound in roofline.bounds(speed) {
            let mut row = if named { vec![roofline.name.clone()] } else { Vec::new() };
            row.extend([bound.level.to_owned(), bytes(bound.bandwidth as f64)]);
            row.extend(Counted::cells(Some(&bound.bytes), sampled));
            row.extend([ratio(bound.intensity), operations(bound.attainable)]);
            row.push(percent(bound.attainable / speed.peak as f64));
            table.push(row);
        }
    }
    table.write(out)?;
    writeln!(out)?;
    for roofline in rooflines {
        let name = if named { format!("{}: ", roofline.name) } else { String::new() };
        writeln!(out, "{name}{}", roofline.verdict(speed))?;
    }
    if sampled {
        writeln!(out, "\n{SAMPLED}")?;
    }
    Ok(())
}

/// A row for each program and level.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_csv(out: &mut dyn Write, rooflines: &[Roofline], speed: &Speed) -> io::Result<()> {
    let columns = [
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
    let names = AnswerHeader::parameter_names(rooflines.iter().map(|roofline| &roofline.header));
    let rows = rooflines.iter().flat_map(|roofline| {
        let name = [roofline.header.function.clone()];
        let place = [name.as_slice(), &roofline.header.cells(&names)].concat();
        roofline.bounds(speed).map(move |bound| {
            let start = [roofline.operations.to_string(), bound.level.to_owned(), bound.bandwidth.to_string()];
            let end = [csv::ratio(bound.intensity), bound.attainable.round().to_string(), speed.peak.to_string()];
            [place.as_slice(), &start, &Counted::csv(Some(&bound.bytes)), &end].concat()
        })
    });
    let parameters = names.iter().map(|name| name.as_str());
    let head = ["program"].into_iter().chain(parameters).chain(columns).map(str::to_owned).collect();
    csv::write(out, iter::once(head).chain(rows))
}

/// `symloc.roofline/1`
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_json(out: &mut dyn Write, rooflines: &[Roofline], machine: &str, speed: &Speed) -> io::Result<()> {
    let program = |roofline| ProgramAnswer::new(roofline, speed);
    let programs = rooflines.iter().map(program).collect();
    json::write(out, &RooflineAnswer { schema: "symloc.roofline/1", machine, peak: speed.peak, programs })
}

#[derive(Serialize)]
struct RooflineAnswer<'a> {
    schema: &'static str,
    machine: &'a str,
    /// Operations a second.
    peak: u64,
    programs: Vec<ProgramAnswer<'a>>,
}

#[derive(Serialize)]
struct ProgramAnswer<'a> {
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
    bytes: json::Owned,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<json::Owned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<json::Owned>,
    operations_per_byte: f64,
    operations_per_second: f64,
}

impl<'a> ProgramAnswer<'a> {
    fn new(roofline: &'a Roofline, speed: &'a Speed) -> Self {
        let (operations_per_second, bound_by) = roofline.most(speed);
        let level = |bound: Bound<'a>| {
            let Bound { level, bandwidth, bytes: Counted { value, interval }, intensity, attainable, .. } = bound;
            let (low, high) = interval.map(|(low, high)| (json::Owned(low), json::Owned(high))).unzip();
            BoundAnswer {
                level,
                bandwidth,
                bytes: json::Owned(value),
                low,
                high,
                operations_per_byte: intensity,
                operations_per_second: attainable,
            }
        };
        Self {
            function: &roofline.header.function,
            header: roofline.header.fields(roofline.source.name()),
            operations: &roofline.operations,
            operations_per_second,
            bound_by,
            levels: roofline.bounds(speed).map(level).collect(),
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
