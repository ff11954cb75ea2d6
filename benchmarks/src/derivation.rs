//! Measures derivation times, beside those of the paper's formulation.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use symloc_affine::{Line, Program};
use symloc_isl::Counting;
use symloc_report::formats::text::Columns;
use symloc_reuse::Phase;

use crate::child::{self, ChildEnd, cpu};
use crate::{BoxedError, Formulation, kernels, model, paper};

const PHASES: [Phase; 5] = [Phase::Timestamps, Phase::Rank, Phase::Prev, Phase::Intervals, Phase::Count];
const EXACT: [Phase; 3] = [Phase::PrevLines, Phase::Distances, Phase::CountDistances];

/// A moment in wall time and in processor time.
#[derive(Clone, Copy)]
struct Moment(Instant, Duration);

impl Moment {
    fn now() -> Self {
        Self(Instant::now(), cpu())
    }

    /// Prints `name wall cpu` in seconds, for [`measurement`] to read.
    fn tell(self, name: &str, end: Moment, classes: &str) {
        println!("{name} {} {} {classes}", (end.0 - self.0).as_secs_f64(), (end.1 - self.1).as_secs_f64());
    }
}

/// Runs one derivation at 64-byte lines: prints a line for each phase, then one for all. `exact` derives distances too.
pub(crate) fn one(program: &Program, exact: bool) -> Result<(), BoxedError> {
    let start = Moment::now();
    let entered: RefCell<Vec<(Phase, Moment)>> = RefCell::default();
    let model = model::derive(program, Line::Bytes(64), exact, &|p| entered.borrow_mut().push((p, Moment::now())))?;
    let held = &model.lines[0];
    let counted = match &held.distances {
        None => held.classes.len().to_string(),
        Some(found) => format!("{}+{}", found.classes.len(), found.estimated.len()),
    };
    let (entered, end) = (entered.into_inner(), Moment::now());
    let ends = entered.iter().skip(1).map(|(_, start)| *start).chain([end]);
    for ((phase, start), end) in entered.iter().zip(ends) {
        start.tell(&format!("{phase:?}"), end, "");
    }
    start.tell("total", end, &counted);
    Ok(())
}

/// Runs one derivation by the paper's formulation.
pub(crate) fn one_of_paper(program: &Program, formulation: Formulation) -> Result<(), BoxedError> {
    let start = Moment::now();
    let counting = match formulation {
        Formulation::Exact => Counting::Exact,
        Formulation::Scale => Counting::Scale,
    };
    let classes = paper::classes(program, counting)?;
    start.tell("total", Moment::now(), &classes.to_string());
    Ok(())
}

/// The measurements of a child process.
struct Measured(Vec<DerivationTimes>);

struct DerivationTimes {
    name: String,
    wall: f64,
    cpu: f64,
    classes: String,
}

impl Measured {
    /// Returns the processor time of a phase, summed if it occurred several times.
    fn cpu(&self, name: &str) -> Option<f64> {
        self.0.iter().filter(|m| m.name == name).map(|m| m.cpu).reduce(|sum, cpu| sum + cpu)
    }

    fn total(&self) -> Result<&DerivationTimes, BoxedError> {
        self.0.iter().find(|m| m.name == "total").ok_or_else(|| "a child that tells no total".into())
    }
}

/// Measures in a separate process; the inner error states why there is no measurement.
fn measure(args: &[&str], file: &Path, limit: u64) -> Result<Result<Measured, String>, BoxedError> {
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).chain([file.as_os_str()]).collect();
    Ok(match child::run(&args, limit)? {
        ChildEnd::Success(text) => Ok(Measured(text.lines().filter_map(measurement).collect())),
        ChildEnd::Failure(text) => Err(text.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")),
        ChildEnd::Limit(_) => Err(format!("not within {limit} s")),
    })
}

fn measurement(line: &str) -> Option<DerivationTimes> {
    let mut words = line.split(' ');
    let name = words.next()?.to_owned();
    let (wall, cpu) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(DerivationTimes { name, wall, cpu, classes: words.next().unwrap_or_default().to_owned() })
}

/// The comparison with one variant of the paper's formulation.
struct FormulationComparison {
    formulation: Formulation,
    ratios: Vec<f64>,
    unfinished: Vec<String>,
}

impl FormulationComparison {
    /// Returns the columns of one kernel, which took `ours` seconds.
    fn kernel(&mut self, name: &str, file: &Path, ours: f64, limit: u64) -> Result<[String; 3], BoxedError> {
        match measure(&["paper", self.formulation.name()], file, limit)? {
            Ok(measured) => {
                let theirs = measured.total()?;
                self.ratios.push(theirs.cpu / ours);
                Ok([seconds(theirs.wall), seconds(theirs.cpu), format!("{:.1}", theirs.cpu / ours)])
            }
            Err(reason) => {
                self.unfinished.push(format!("{name} ({reason})"));
                Ok(["-"; 3].map(str::to_owned))
            }
        }
    }

    fn tell(&self, limit: u64) {
        let name = self.formulation.name();
        println!(
            "paper's formulation, {name} counts: {} finished within {limit} s of processor time; geometric mean of the \
             ratios of processor time {:.1}",
            self.ratios.len(),
            geometric_mean(&self.ratios)
        );
        println!("not finished: {}", self.unfinished.join(", "));
    }
}

/// Prints the table of all kernels.
pub(crate) fn run(files: Vec<PathBuf>, paper: &[Formulation], exact: bool, limit: u64) -> Result<(), BoxedError> {
    let files = if files.is_empty() { kernels::all() } else { files };
    let mut head: Vec<String> = ["kernel", "classes"].map(str::to_owned).to_vec();
    let phases: Vec<Phase> = PHASES.into_iter().chain(EXACT.into_iter().filter(|_| exact)).collect();
    head.extend(phases.iter().map(|phase| format!("{phase:?}").to_lowercase()));
    head.extend(["wall", "cpu"].map(str::to_owned));
    for name in paper.iter().map(|formulation| formulation.name()) {
        head.extend([format!("{name} wall"), format!("{name} cpu"), format!("{name} ratio")]);
    }
    let mut table = Columns::new(&head.iter().map(String::as_str).collect::<Vec<_>>(), 1);
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    let new = |f: &Formulation| FormulationComparison { formulation: *f, ratios: Vec::new(), unfinished: Vec::new() };
    let mut comparisons: Vec<FormulationComparison> = paper.iter().map(new).collect();
    for file in &files {
        let name = file.file_stem().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        let ours = measure(&[if exact { "one-exact" } else { "one" }], file, limit)?
            .map_err(|reason| format!("{name}: {reason}"))?;
        let total = ours.total()?;
        let mut row = vec![name.clone(), total.classes.clone()];
        row.extend(phases.iter().map(|phase| ours.cpu(&format!("{phase:?}")).map_or("-".to_owned(), seconds)));
        row.extend([seconds(total.wall), seconds(total.cpu)]);
        for comparison in &mut comparisons {
            row.extend(comparison.kernel(&name, file, total.cpu, limit)?);
        }
        // Progress, as a run takes long.
        eprintln!("{}", row.join("  "));
        walls.push(total.wall);
        cpus.push(total.cpu);
        table.push(row);
    }
    table.write(&mut std::io::stdout().lock())?;
    println!("\nseconds; phases in processor time");
    summary("wall", &mut walls);
    summary("cpu", &mut cpus);
    comparisons.iter().for_each(|comparison| comparison.tell(limit));
    Ok(())
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}

fn summary(what: &str, totals: &mut [f64]) {
    totals.sort_by(f64::total_cmp);
    let mean = totals.iter().sum::<f64>() / totals.len() as f64;
    let (median, worst) = (totals[totals.len() / 2], totals[totals.len() - 1]);
    let geometric = geometric_mean(totals);
    println!(
        "{what}: geometric mean {geometric:.3}, median {median:.3}, mean {mean:.3}, worst {worst:.3}, of {} kernels",
        totals.len()
    );
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp()
}
