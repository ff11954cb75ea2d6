//! Rooflines of several cores: the speed that the threads of a program can reach on a machine, one on each core.
//!
//! Each core has the peak of one, and the levels that are its own deliver so many bytes for each core. A level that all of them
//! share, and memory, deliver as much as one core reads for each of them, up to what all cores read together: then the level is
//! saturated. The bounds are those of [`roofline`](crate::answers::roofline) with these numbers and the traffic of all threads.

use std::io::{self, Write};
use std::iter;

use serde::Serialize;
use symloc_evaluate::Int;
use symloc_machine::{NoCommonBandwidth, Speed};

use crate::answers::counted::SAMPLED;
use crate::answers::roofline::{MeasuredProgram, ProgramAnswer, Roofline, operations};
use crate::formats::text::{Columns, percent};
use crate::formats::{csv, json};
use crate::{AnswerHeader, Counted};

/// A program on several numbers of threads.
#[derive(Debug)]
pub struct MeasuredThreads {
    /// The name that distinguishes it from the others; empty if there are none.
    pub name: String,
    /// The program on each number of threads, at least one, by ascending numbers.
    pub points: Vec<(u64, MeasuredProgram)>,
    /// True if misses on lines that other threads have written are not in the traffic.
    pub without_coherence: bool,
}

/// The cores of a machine.
#[derive(Clone, Debug)]
pub struct Cores {
    /// The name of the machine.
    pub machine: String,
    /// The speed of one core.
    pub speed: Speed,
    /// The number of sources of data, from the core outwards, that each core has for itself.
    pub own_sources: usize,
}

/// Some programs on the cores of a machine.
#[derive(Debug)]
pub struct ThreadRooflines {
    pub(crate) cores: Cores,
    pub(crate) programs: Vec<ThreadRoofline>,
}

/// A program below the roofs of each number of cores.
#[derive(Debug)]
pub(crate) struct ThreadRoofline {
    pub(crate) name: String,
    pub(crate) points: Vec<(u64, Roofline)>,
    without_coherence: bool,
    saturations: Vec<Saturation>,
}

/// Neighbours among the numbers of threads that were asked about, which one shared level limits since it delivers all it can.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Saturation {
    level: String,
    /// The smallest and the largest of these numbers.
    ends: [u64; 2],
    /// The next smaller and the next larger number that was asked about.
    beyond: [Option<u64>; 2],
}

impl Saturation {
    /// Returns all of them, by ascending numbers of threads.
    fn all(cores: &Cores, points: &[(u64, Roofline)]) -> Vec<Self> {
        let levels: Vec<Option<String>> = points.iter().map(|(_, roofline)| Self::level(cores, roofline)).collect();
        let mut start = 0;
        let mut all = Vec::new();
        for run in levels.chunk_by(|one, next| one == next) {
            let end = start + run.len();
            if let Some(level) = run.first().cloned().flatten() {
                let threads = |index: usize| points.get(index).map(|(threads, _)| *threads);
                let beyond = [start.checked_sub(1).and_then(threads), threads(end)];
                all.push(Self { level, ends: [points[start].0, points[end - 1].0], beyond });
            }
            start = end;
        }
        all
    }

    /// Returns the level that limits a program if it delivers as much as it does to all cores.
    fn level(cores: &Cores, roofline: &Roofline) -> Option<String> {
        let (_, level) = roofline.most();
        let (index, bound) = roofline.bounds().enumerate().find(|(_, bound)| Some(bound.level.as_str()) == level)?;
        let all = cores.speed.all_cores[index].filter(|_| index >= cores.own_sources)?;
        (bound.bandwidth >= all).then(|| bound.level.clone())
    }

    fn sentence(&self) -> String {
        let Self { level, ends: [first, last], beyond: [before, after] } = self;
        let by = match first == last || after.is_none() {
            true => of_threads(*first),
            false => format!("{first} to {last} threads"),
        };
        let yet = before.map_or_else(String::new, |before| format!(", not yet by {before}"));
        let longer = after.map_or_else(String::new, |after| format!(", no longer by {after}"));
        format!("{level} is saturated by {by}{yet}{longer}")
    }
}

impl ThreadRoofline {
    fn new(cores: &Cores, program: MeasuredThreads) -> Result<Self, NoCommonBandwidth> {
        let MeasuredThreads { name, points, without_coherence } = program;
        let roofline = |(threads, program)| {
            let speed = cores.speed.of_cores(threads, cores.own_sources)?;
            Ok((threads, Roofline::new(program, &speed)))
        };
        let points: Vec<_> = points.into_iter().map(roofline).collect::<Result<_, _>>()?;
        Ok(Self { name, saturations: Saturation::all(cores, &points), points, without_coherence })
    }

    /// Returns a sentence on the numbers of threads that a shared level limits.
    fn sentence(&self) -> String {
        let Some((largest, roofline)) = self.points.last() else { return String::new() };
        let most = operations(roofline.most().0);
        let saturated: Vec<String> = self.saturations.iter().map(Saturation::sentence).collect();
        match saturated.as_slice() {
            [] => format!("up to {} saturate nothing that they share: at most {most}", of_threads(*largest)),
            saturated => format!("{}: {} at most {most}", saturated.join("; "), of_threads(*largest)),
        }
    }
}

/// Returns `1 thread` or `8 threads`.
pub(crate) fn of_threads(count: u64) -> String {
    if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") }
}

impl ThreadRooflines {
    /// Computes the bounds of some programs.
    ///
    /// # Errors
    ///
    /// [`NoCommonBandwidth`] if it is not known how much a shared source delivers to several cores together.
    pub fn new(cores: Cores, programs: Vec<MeasuredThreads>) -> Result<Self, NoCommonBandwidth> {
        let programs = programs.into_iter().map(|program| ThreadRoofline::new(&cores, program));
        Ok(Self { programs: programs.collect::<Result<_, _>>()?, cores })
    }

    fn points(&self) -> impl Iterator<Item = &(u64, Roofline)> {
        self.programs.iter().flat_map(|program| &program.points)
    }

    fn headers(&self) -> impl Iterator<Item = &AnswerHeader> {
        self.points().map(|(_, roofline)| &roofline.program.header)
    }

    /// Writes a row for each program and number of threads.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Cores { machine, speed, .. } = &self.cores;
        let named = self.programs.len() > 1;
        match self.programs.as_slice() {
            [only] => {
                AnswerHeader::write_common(self.headers(), out)?;
                let counted =
                    only.points.first().map_or(Int::ZERO, |(_, roofline)| roofline.program.operations.clone());
                writeln!(out, "{counted} floating-point operations")?;
            }
            several => writeln!(out, "{} programs", several.len())?,
        }
        writeln!(out, "each core of {machine}: at most {}\n", operations(speed.peak as f64))?;
        let sampled = self.points().any(|(_, roofline)| roofline.is_sampled());
        let mut head = if named { vec!["program".to_owned()] } else { Vec::new() };
        head.push("threads".to_owned());
        for (source, _) in &speed.bandwidths {
            head.push(format!("bytes from {source}"));
            head.extend(sampled.then(|| "±".to_owned()));
            head.push(format!("{source} allows"));
        }
        head.extend(["at most", "of peak", "bound by"].map(str::to_owned));
        let head: Vec<_> = head.iter().map(String::as_str).collect();
        let mut table = Columns::new(&head, usize::from(named));
        for program in &self.programs {
            program.points.iter().for_each(|point| table.push(program.row(point, named, sampled)));
        }
        table.write(out)?;
        writeln!(out)?;
        for program in &self.programs {
            let name = if named { format!("{}: ", program.name) } else { String::new() };
            writeln!(out, "{name}{}", program.sentence())?;
        }
        if self.programs.iter().any(|program| program.without_coherence) {
            writeln!(out, "{WITHOUT_COHERENCE}")?;
        }
        if sampled { writeln!(out, "\n{SAMPLED}") } else { Ok(()) }
    }

    /// Writes a row for each program, number of threads and level.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = AnswerHeader::parameter_names(self.headers());
        let rows = self.points().flat_map(|(threads, roofline)| {
            let header = &roofline.program.header;
            let place = [vec![header.function.clone()], header.cells(&names), vec![threads.to_string()]].concat();
            roofline.csv_rows().map(move |row| [place.as_slice(), &row].concat())
        });
        let parameters = names.iter().map(|name| name.as_str());
        let head = ["program"].into_iter().chain(parameters).chain(["threads"]).chain(Roofline::CSV);
        csv::write(out, iter::once(head.map(str::to_owned).collect()).chain(rows))
    }

    /// Writes `symloc.thread_roofline/1`.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let programs = self.programs.iter().map(ThreadsAnswer::new).collect();
        let Cores { machine, speed, .. } = &self.cores;
        let schema = "symloc.thread_roofline/1";
        json::write(out, &ThreadRooflineAnswer { schema, machine, peak_of_a_core: speed.peak, programs })
    }
}

/// A note on traffic that is not known.
const WITHOUT_COHERENCE: &str = "coherence misses are not known here, so traffic may be more, and the speed less";

impl ThreadRoofline {
    fn row(&self, (threads, roofline): &(u64, Roofline), named: bool, sampled: bool) -> Vec<String> {
        let mut row = if named { vec![self.name.clone()] } else { Vec::new() };
        row.push(threads.to_string());
        for bound in roofline.bounds() {
            row.extend(Counted::cells(Some(&bound.bytes), sampled));
            row.push(operations(bound.attainable));
        }
        let (most, level) = roofline.most();
        row.extend([operations(most), percent(most / roofline.peak), level.unwrap_or("the peak").to_owned()]);
        row
    }
}

#[derive(Serialize)]
struct ThreadRooflineAnswer<'a> {
    schema: &'static str,
    machine: &'a str,
    /// Operations a second.
    peak_of_a_core: u64,
    programs: Vec<ThreadsAnswer<'a>>,
}

#[derive(Serialize)]
struct ThreadsAnswer<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    saturated: Vec<SaturationAnswer<'a>>,
    points: Vec<ThreadsBelowRoofs<'a>>,
}

#[derive(Serialize)]
struct SaturationAnswer<'a> {
    level: &'a str,
    /// The smallest and the largest number of threads.
    threads: [u64; 2],
}

#[derive(Serialize)]
struct ThreadsBelowRoofs<'a> {
    threads: u64,
    /// Operations a second.
    peak: u64,
    #[serde(flatten)]
    program: ProgramAnswer<'a>,
}

impl<'a> ThreadsAnswer<'a> {
    fn new(program: &'a ThreadRoofline) -> Self {
        let point = |(threads, roofline): &'a (u64, Roofline)| ThreadsBelowRoofs {
            threads: *threads,
            peak: roofline.peak as u64,
            program: ProgramAnswer::new(roofline),
        };
        let saturated = program.saturations.iter();
        Self {
            name: &program.name,
            saturated: saturated.map(|of| SaturationAnswer { level: &of.level, threads: of.ends }).collect(),
            points: program.points.iter().map(point).collect(),
        }
    }
}
