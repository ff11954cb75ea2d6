//! Compares deriving a model of arrays as they lie in memory with deriving one of arrays whose rows start lines, for extents that
//! lines do not divide.
//!
//! The kernels are those of polybench/c at one odd size, with the extents as constants. Each derivation is a process, of which the
//! processor time is taken; the shorter of two counts.

use std::ffi::OsStr;
use std::hint::black_box;
use std::path::Path;

use symloc_affine::{Atom, Expr, Extent, Layout, Line, LoopStep, Overflow, Program, padded_rows};
use symloc_query::options::datasets::POLYBENCH;
use symloc_report::formats::text::Columns;
use symloc_reuse::{DeriveOptions, Limits, LineSizes, ModelOrigin, derive};

use crate::child::{self, ChildEnd, cpu};
use crate::{BoxedError, kernels};

/// The size of a line.
const LINE: Line = Line::Bytes(64);

/// The limit on the processor time of a derivation, in seconds.
const LIMIT: u64 = 120;

/// Returns a program at a size at which no row is a whole number of lines: odd sizes from 201 on, and 51 steps of time.
fn with_constants(program: &Program) -> Result<Program, BoxedError> {
    let size = |name: &str, index: i64| if name.starts_with('t') { 51 } else { 201 + 2 * index };
    let sizes: Vec<i64> = program.params.iter().zip(0..).map(|(param, index)| size(&param.name, index)).collect();
    let value = |atom: &Atom| match atom {
        Atom::Param(param) => Some(Ok(Expr::constant(sizes[param.index()]))),
        _ => None,
    };
    let mut program = program.with(&|expr: &Expr| expr.replace(&value), &|step: LoopStep| Ok::<_, Overflow>(step))?;
    program.params.clear();
    program.context.clear();
    for array in &mut program.arrays {
        array.strides = array.strides_at(&[]);
        for extent in &mut array.shape {
            if let Some(length) = extent.at(&[]) {
                *extent = Extent::Known(length);
            }
        }
    }
    if padded_rows(&program, &[LINE])?.is_some() {
        return Err("rows are padded in formulas".into());
    }
    Ok(program)
}

/// In the child: makes a model and prints the seconds that it took.
pub(crate) fn one(file: &Path, rows: bool, exact: bool) -> Result<(), BoxedError> {
    let program = with_constants(&kernels::read(file)?)?;
    let layout = if rows { Layout::Rows } else { Layout::Memory };
    let distances = exact.then(Limits::default);
    let start = cpu();
    let options = DeriveOptions { distances, ..DeriveOptions::new(layout, LineSizes::Fixed(vec![LINE])) };
    black_box(derive(&program, &options)?.into_model(&program, layout, ModelOrigin::default()).to_json());
    println!("{}", (cpu() - start).as_secs_f64());
    Ok(())
}

/// Returns the shorter of two times in seconds; `None` if it is over the limit.
fn measured(file: &Path, rows: bool, exact: bool) -> Result<Option<f64>, BoxedError> {
    let mut options = vec![OsStr::new("one-layout"), file.as_os_str()];
    options.extend(rows.then_some(OsStr::new("--rows")));
    options.extend(exact.then_some(OsStr::new("--exact")));
    let mut shorter: Option<f64> = None;
    for _ in 0..2 {
        match child::run(&options, LIMIT)? {
            ChildEnd::Success(text) => {
                let time = text.trim().parse()?;
                shorter = Some(shorter.map_or(time, |other| other.min(time)));
            }
            ChildEnd::Failure(text) => return Err(format!("{}: {text}", file.display()).into()),
            ChildEnd::Limit(_) => return Ok(None),
        }
    }
    Ok(shorter)
}

/// Prints the table of the 30 kernels, slowest in comparison last.
pub(crate) fn run(exact: bool) -> Result<(), BoxedError> {
    let mut found = Vec::new();
    for kernel in POLYBENCH.kernels() {
        let file = kernels::polybench_c(kernel);
        let [Some(rows), Some(memory)] = [measured(&file, true, exact)?, measured(&file, false, exact)?] else {
            println!("{kernel}: not within {LIMIT} s");
            continue;
        };
        // Progress, as a run takes long.
        eprintln!("{kernel}  {rows:.3}  {memory:.3}");
        found.push((memory / rows, kernel, rows, memory));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut table = Columns::new(&["kernel", "rows", "memory", "times"], 1);
    for (times, kernel, rows, memory) in &found {
        let numbers = [(rows, 3), (memory, 3), (times, 2)].map(|(number, digits)| format!("{number:.digits$}"));
        table.push(std::iter::once((*kernel).to_owned()).chain(numbers).collect());
    }
    table.write(&mut std::io::stdout().lock())?;
    let median = found.get(found.len() / 2).map_or(f64::NAN, |(times, ..)| *times);
    println!("\nseconds of processor time; arrays in memory take {median:.2} times as long in the median");
    Ok(())
}
