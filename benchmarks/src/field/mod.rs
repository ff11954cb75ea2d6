//! Measures derivations of people's programs: solvers, stencils, flags, skewed and tiled loops, layers of a network.
//!
//! The programs were written anew from the algorithms. A separate process derives each of them, with a limit on its
//! processor time and its memory.

mod programs;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Args;
use rustix::process::{Resource, Rlimit, setrlimit};
use symloc_affine::{Layout, Line};
use symloc_report::formats::text::Columns;
use symloc_reuse::{DeriveOptions, Limits, LineSizes, ModelOrigin};

use crate::child::{self, ChildEnd, cpu};
use crate::{BoxedError, growth};
use programs::FieldProgram;

/// The most memory that a derivation may hold, in bytes.
const MEMORY: u64 = 8 << 30;

/// The options of `field`.
#[derive(Args)]
pub(crate) struct FieldArgs {
    /// Names of programs, as in the table; all by default
    programs: Vec<String>,
    /// Seconds of processor time after which a derivation is given up
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Write the programs that are not in benchmarks/field into this folder, and derive nothing
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

/// A measurement of one derivation.
#[derive(Clone, Copy)]
struct FieldMeasurement {
    /// Processor time in seconds, reading included and the compiler not.
    seconds: f64,
    /// The most memory that was held, in MiB.
    memory: u64,
    /// The length of the model, in KiB.
    model: u64,
}

/// Derives one program, and prints its processor time in seconds, the most memory in MiB, and the model's size in KiB.
pub(crate) fn one(name: &str, exact: bool) -> Result<(), BoxedError> {
    setrlimit(Resource::As, Rlimit { current: Some(MEMORY), maximum: None })?;
    let program = FieldProgram::named(name)?;
    let start = cpu();
    let program = program.read()?;
    // As `symloc derive` has it by default.
    let options = DeriveOptions::new(Layout::Memory, LineSizes::Fixed(vec![Line::Bytes(64)]));
    let options = DeriveOptions { distances: exact.then(Limits::default), ..options };
    let derived = symloc_reuse::derive(&program, &options)?;
    let model = derived.into_model(&program, Layout::Memory, ModelOrigin::default()).to_json();
    println!("{} {} {}", (cpu() - start).as_secs_f64(), growth::most_memory()? / 1024, model.len() / 1024);
    Ok(())
}

/// Prints the table of all programs.
pub(crate) fn run(args: &FieldArgs) -> Result<(), BoxedError> {
    let programs = match args.programs.as_slice() {
        [] => FieldProgram::all(),
        names => names.iter().map(|name| FieldProgram::named(name)).collect::<Result<_, _>>()?,
    };
    if let Some(folder) = &args.write {
        return programs.iter().try_for_each(|program| program.write(folder));
    }
    let head = ["program", "cpu", "ratio", "memory", "model", "exact: cpu", "ratio", "memory", "model"];
    let mut table = Columns::new(&head, 1);
    let mut measured = BTreeMap::new();
    let mut failures = Vec::new();
    for program in &programs {
        let mut row = vec![program.name()];
        for exact in [false, true] {
            match measure(program, exact, args.limit)? {
                Ok(now) => {
                    let before = program.half().and_then(|half| measured.get(&(half.name(), exact)).copied());
                    row.extend(cells(now, before));
                    measured.insert((program.name(), exact), now);
                }
                Err(Unfinished::Limit) => {
                    row.extend([format!("over {}", args.limit).as_str(), "", "", ""].map(str::to_owned))
                }
                Err(Unfinished::Failure(reason)) => {
                    row.extend(["failed", "", "", ""].map(str::to_owned));
                    failures.push(format!("{}{}: {reason}", program.name(), if exact { ", exact" } else { "" }));
                }
            }
        }
        // Progress, as a run takes long.
        eprintln!("{}", row.join("  "));
        table.push(row);
    }
    table.write(&mut std::io::stdout().lock())?;
    println!("\nseconds of processor time without the compiler's, over that for half the number; MiB; KiB");
    failures.iter().for_each(|failure| println!("{failure}"));
    Ok(())
}

/// The reason why there is no measurement.
enum Unfinished {
    /// The limit on the processor time.
    Limit,
    /// An error, with its text.
    Failure(String),
}

fn measure(
    program: &FieldProgram,
    exact: bool,
    limit: u64,
) -> Result<Result<FieldMeasurement, Unfinished>, BoxedError> {
    let name = program.name();
    let mut args = vec!["field-one", &name];
    args.extend(exact.then_some("--exact"));
    let args: Vec<&OsStr> = args.into_iter().map(OsStr::new).collect();
    Ok(match child::run(&args, limit)? {
        ChildEnd::Success(text) => Ok(parsed(&text).ok_or("a child that tells nothing")?),
        ChildEnd::Limit(_) => Err(Unfinished::Limit),
        ChildEnd::Failure(text) => Err(Unfinished::Failure(
            text.lines().filter(|line| !line.is_empty()).take(3).collect::<Vec<_>>().join("; "),
        )),
    })
}

fn parsed(text: &str) -> Option<FieldMeasurement> {
    let mut words = text.split_whitespace();
    let seconds = words.next()?.parse().ok()?;
    Some(FieldMeasurement { seconds, memory: words.next()?.parse().ok()?, model: words.next()?.parse().ok()? })
}

fn cells(now: FieldMeasurement, half: Option<FieldMeasurement>) -> [String; 4] {
    let ratio = half.map_or(String::new(), |half| format!("{:.2}", now.seconds / half.seconds));
    [format!("{:.3}", now.seconds), ratio, now.memory.to_string(), now.model.to_string()]
}
