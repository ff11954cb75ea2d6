//! Measures time and memory as programs grow: in nests, in depth, in accesses, in parameters.
//!
//! Each family of programs is one kernel with a number in it; a separate process derives each member.

use std::ffi::OsStr;
use std::fmt::Write;

use clap::ValueEnum;
use symloc_affine::{Line, Program};
use symloc_mlir::{Options, Source};
use symloc_report::formats::text::Columns;

use crate::child::{self, ChildEnd, cpu};
use crate::{BoxedError, model};

/// A family of programs, by the quantity that grows.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Family {
    /// A chain of products Y(l+1) = Y(l)·W(l), one nest each
    Nests,
    /// Loops in each other around two arrays, all of one size
    Depth,
    /// Reads of one array in one nest, in rows next to each other
    Accesses,
    /// Loops in each other, each with a size of its own
    Parameters,
}

impl Family {
    const ALL: [Self; 4] = [Self::Nests, Self::Depth, Self::Accesses, Self::Parameters];

    /// Returns the members that are measured.
    fn numbers(self) -> &'static [usize] {
        match self {
            Self::Nests => &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
            Self::Depth => &[1, 2, 3, 4, 5, 6, 8, 10],
            Self::Accesses => &[1, 2, 4, 8, 16, 32, 64],
            Self::Parameters => &[1, 2, 3, 4, 5, 6, 8],
        }
    }

    fn text(self, number: usize) -> String {
        match self {
            Self::Nests => products(number),
            Self::Depth => nest(number, |_| 0),
            Self::Accesses => rows(number),
            Self::Parameters => nest(number, |loop_| loop_),
        }
    }
}

/// Returns a function with arguments and a body.
fn function(arguments: &[String], body: &str) -> String {
    format!("func.func @grown({}) {{\n{body}return\n}}\n", arguments.join(", "))
}

fn products(count: usize) -> String {
    let matrix = |name: &str| (0..=count).map(move |l| format!("%{name}{l}: memref<?x?xf64>")).collect::<Vec<_>>();
    let arguments = [vec!["%n: index".to_owned()], matrix("y"), matrix("w")].concat();
    let mut body = String::new();
    for l in 0..count {
        let next = l + 1;
        let _ = write!(
            body,
            "affine.for %i = 0 to %n {{ affine.for %j = 0 to %n {{ affine.for %k = 0 to %n {{
               %a = affine.load %y{l}[%i, %k] : memref<?x?xf64>
               %b = affine.load %w{l}[%k, %j] : memref<?x?xf64>
               %c = affine.load %y{next}[%i, %j] : memref<?x?xf64>
               affine.store %c, %y{next}[%i, %j] : memref<?x?xf64>
             }} }} }}\n"
        );
    }
    function(&arguments, &body)
}

/// Returns `depth` loops around A, with all iterators as subscripts, and b, with the last; `size` numbers the size of a
/// loop.
fn nest(depth: usize, size: impl Fn(usize) -> usize) -> String {
    let sizes = (0..depth).map(size).max().unwrap_or_default();
    let shape = format!("memref<{}xf64>", vec!["?"; depth].join("x"));
    let mut arguments: Vec<String> = (0..=sizes).map(|s| format!("%n{s}: index")).collect();
    arguments.extend([format!("%a: {shape}"), "%b: memref<?xf64>".to_owned()]);
    let number = |loop_: usize| if sizes == 0 { 0 } else { loop_ };
    let loops: String = (0..depth).map(|l| format!("affine.for %i{l} = 0 to %n{} {{ ", number(l))).collect();
    let iterators = (0..depth).map(|l| format!("%i{l}")).collect::<Vec<_>>().join(", ");
    let last = depth - 1;
    let body = format!(
        "{loops}
           %x = affine.load %a[{iterators}] : {shape}
           %y = affine.load %b[%i{last}] : memref<?xf64>
           affine.store %y, %b[%i{last}] : memref<?xf64>
         {}\n",
        "} ".repeat(depth)
    );
    function(&arguments, &body)
}

fn rows(count: usize) -> String {
    let arguments = ["%n: index", "%a: memref<?x?xf64>", "%b: memref<?x?xf64>"].map(str::to_owned);
    let loads: String =
        (0..count).map(|row| format!("  %x{row} = affine.load %a[%i + {row}, %j] : memref<?x?xf64>\n")).collect();
    let body = format!(
        "affine.for %i = 0 to %n {{ affine.for %j = 0 to %n {{
         {loads}  affine.store %x0, %b[%i, %j] : memref<?x?xf64>
         }} }}\n"
    );
    function(&arguments, &body)
}

fn program(family: Family, number: usize) -> Result<Program, BoxedError> {
    let source = Source { name: format!("{family:?} {number}"), bytes: family.text(number).into_bytes() };
    Ok(symloc_mlir::read(&source, &Options::default())?.program)
}

/// Derives one program, and prints its processor time in seconds and the most memory that it held, in MiB.
pub(crate) fn one(family: Family, number: usize, exact: bool) -> Result<(), BoxedError> {
    let program = program(family, number)?;
    let start = cpu();
    model::derive(&program, Line::Bytes(64), exact, &|_| ())?;
    println!("{} {}", (cpu() - start).as_secs_f64(), most_memory()? / 1024);
    Ok(())
}

/// Returns the most memory that this process held, in KiB.
pub(crate) fn most_memory() -> Result<u64, BoxedError> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.and_then(|line| line.trim().strip_suffix(" kB")).ok_or("this system tells no memory")?.parse()?)
}

/// Prints the table of all families.
pub(crate) fn run(exact: bool, limit: u64) -> Result<(), BoxedError> {
    let mut table = Columns::new(&["family", "number", "cpu", "ratio", "memory"], 1);
    for family in Family::ALL {
        let mut before: Option<(usize, f64)> = None;
        for number in family.numbers() {
            let (name, text) = (format!("{family:?}").to_lowercase(), number.to_string());
            let mut args = vec!["growth-one", &name, &text];
            args.extend(exact.then_some("--exact"));
            let args: Vec<&OsStr> = args.into_iter().map(OsStr::new).collect();
            let measured = match child::run(&args, limit)? {
                ChildEnd::Success(measured) => measured,
                ChildEnd::Failure(errors) => return Err(errors.into()),
                ChildEnd::Limit(_) => {
                    table.push(vec![name, text, format!("over {limit}"), String::new(), String::new()]);
                    break;
                }
            };
            let (seconds, memory) = measured.trim().split_once(' ').ok_or("a child that tells nothing")?;
            let now: f64 = seconds.parse()?;
            let doubled = before.filter(|(half, _)| half * 2 == *number);
            let ratio = doubled.map_or(String::new(), |(_, then)| format!("{:.2}", now / then));
            table.push(vec![name, text, format!("{now:.3}"), ratio, memory.to_owned()]);
            before = Some((*number, now));
        }
    }
    table.write(&mut std::io::stdout().lock())?;
    println!("\nseconds of processor time, for twice the number that by the time before; MiB");
    Ok(())
}
