//! Machine code beside the trace: each kernel is lowered by `mlir-opt`, compiled by `clang -O3`, and run under
//! `valgrind --tool=cachegrind` with a small driver in C that puts its arrays where the simulation has them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use symloc_affine::{Layout, Line};
use symloc_sim::{Cache, Trace};

use super::kernels::{Kernel, Signature, Variant};
use super::{LINE_BYTES, WAYS};
use crate::BoxedError;

/// The first-level data cache, in bytes.
pub(crate) const D1: u64 = 6 << 10;

const LOWERING: [&str; 9] = [
    "--lower-affine",
    "--convert-scf-to-cf",
    "--llvm-request-c-wrappers",
    "--convert-math-to-llvm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
];

/// The counts of cachegrind in the kernel's own code, and those of the simulation.
pub(crate) struct Native {
    pub(crate) simulated: NativeCounts,
    pub(crate) machine: NativeCounts,
}

/// Accesses to memory, and misses in a cache of [`D1`] bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NativeCounts {
    pub(crate) accesses: u64,
    pub(crate) misses: u64,
}

/// Checks that the required tools are installed; the error names the first one that is missing.
pub(crate) fn tools() -> Result<(), String> {
    for tool in ["mlir-opt-22", "mlir-translate-22", "clang-22", "valgrind"] {
        if Command::new(tool).arg("--version").output().is_err() {
            return Err(format!("machine code is not measured: {tool} is not installed"));
        }
    }
    Ok(())
}

/// Returns true if this machine counts misses of its own first-level cache.
pub(crate) fn hardware_counters() -> bool {
    let events = ["stat", "-x,", "-e", "L1-dcache-load-misses:u", "true"];
    let output = Command::new("perf").args(events).output();
    output.is_ok_and(|o| o.status.success() && !String::from_utf8_lossy(&o.stderr).contains("<not "))
}

/// Runs one kernel; `folder` is for intermediate files.
pub(crate) fn measure(kernel: &Kernel, folder: &Path) -> Result<Native, BoxedError> {
    let sized = kernel.program(Variant::Original)?.ok_or("a kernel without a program")?;
    let line = Line::Bytes(LINE_BYTES);
    let trace = Trace::new(&sized.program, &sized.sizes, Layout::Rows, line)?.padded()?;
    let simulated = symloc_sim::simulate(&trace, &[Cache::new(D1, WAYS, LINE_BYTES)?])?;
    let simulated = NativeCounts { accesses: trace.accesses(), misses: simulated[0].misses };
    let extents = Trace::new(&sized.program, &sized.sizes, Layout::Rows, Line::Element)?.extents();
    let places = trace.places();
    let mut arrays = Vec::new();
    for ((array, extents), (base, strides)) in sized.program.arrays.iter().zip(extents).zip(places) {
        let elements = line.elements(array)?;
        // Within a row, elements are adjacent.
        let outer = strides.iter().rev().skip(1).rev().map(|lines| lines.cast_signed() * elements);
        let strides = outer.chain((!strides.is_empty()).then_some(1)).collect();
        arrays.push(DriverArray { name: array.name.clone(), base: base * LINE_BYTES, extents, strides });
    }
    let text = kernel.mlir()?;
    let program = build(&text, &driver(kernel, &text, &arrays, trace.lines())?, &kernel.name, folder)?;
    let counts = folder.join(format!("{}.cachegrind", kernel.name));
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=cachegrind", "--cache-sim=yes", &format!("--D1={D1},{WAYS},{LINE_BYTES}")]);
    valgrind.args(["--LL=1048576,16,64", &format!("--cachegrind-out-file={}", counts.display())]);
    run(valgrind.arg(program))?;
    let function = Signature::of(&text).ok_or("no function")?.function;
    Ok(Native { simulated, machine: in_kernel(&fs::read_to_string(counts)?, function)? })
}

/// An array in the driver's memory.
struct DriverArray {
    name: String,
    /// The start, in bytes.
    base: u64,
    /// The extents, in elements.
    extents: Vec<i64>,
    /// The strides, in elements.
    strides: Vec<i64>,
}

/// Returns a program in C that calls the kernel once, on untouched arrays.
fn driver(kernel: &Kernel, text: &str, arrays: &[DriverArray], lines: u64) -> Result<String, BoxedError> {
    let signature = Signature::of(text).ok_or("no function")?;
    let (mut types, mut descriptors, mut passed) = (Vec::new(), String::new(), Vec::new());
    for (name, kind) in &signature.arguments {
        if *kind == "index" {
            let size = kernel.sizes.iter().find(|(n, _)| n == name).ok_or("no size")?.1;
            types.push("long".to_owned());
            passed.push(size.to_string());
        } else if let Some(scalar) = scalar(kind) {
            types.push(scalar.to_owned());
            passed.push("1".to_owned());
        } else {
            // An array that is never touched has no place.
            let unused = DriverArray { name: (*name).to_owned(), base: 0, extents: vec![1; 8], strides: vec![1; 8] };
            let array = arrays.iter().find(|array| array.name == *name).unwrap_or(&unused);
            let list = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            let shape = match kind.contains('x') {
                true => format!(", {{{}}}, {{{}}}", list(&array.extents), list(&array.strides)),
                false => String::new(),
            };
            let (rank, base) = (array.extents.len().max(1), array.base);
            writeln!(
                descriptors,
                "  struct {{ void *base, *first; long offset, size[{rank}], stride[{rank}]; }} {name} = {{memory + {base}, memory + {base}, 0{shape}}};",
            )?;
            types.push("void *".to_owned());
            passed.push(format!("&{name}"));
        }
    }
    let (bytes, function) = (lines * LINE_BYTES, signature.function);
    Ok(format!(
        "#include <stdlib.h>\nvoid _mlir_ciface_{function}({});\nint main(void) {{\n  \
         char *memory = aligned_alloc(1 << 20, ({bytes} / (1 << 20) + 1) * (1 << 20));\n  if (!memory) return 1;\n\
         {descriptors}  _mlir_ciface_{function}({});\n  return 0;\n}}\n",
        types.join(", "),
        passed.join(", ")
    ))
}

fn scalar(kind: &str) -> Option<&'static str> {
    match kind {
        "f64" => Some("double"),
        "f32" => Some("float"),
        "i32" => Some("int"),
        _ => None,
    }
}

fn build(mlir: &str, driver: &str, name: &str, folder: &Path) -> Result<PathBuf, BoxedError> {
    let path = |extension: &str| folder.join(name).with_extension(extension);
    let (source, lowered, llvm, main, program) = (path("mlir"), path("low.mlir"), path("ll"), path("c"), path("out"));
    fs::write(&source, mlir)?;
    fs::write(&main, driver)?;
    run(Command::new("mlir-opt-22").arg(source).args(LOWERING).arg("-o").arg(&lowered))?;
    run(Command::new("mlir-translate-22").arg("--mlir-to-llvmir").arg(lowered).arg("-o").arg(&llvm))?;
    run(Command::new("clang-22")
        .args(["-O3", "-Wno-override-module"])
        .arg(llvm)
        .arg(main)
        .arg("-lm")
        .arg("-o")
        .arg(&program))?;
    Ok(program)
}

fn run(command: &mut Command) -> Result<(), BoxedError> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(format!("{program} failed:\n{}", String::from_utf8_lossy(&output.stderr)).into())
}

/// Returns the data references of a function and its C wrapper in cachegrind's file: lines of counts follow the `fn=`
/// that they belong to, in the order of `events:`.
fn in_kernel(file: &str, function: &str) -> Result<NativeCounts, BoxedError> {
    let events =
        file.lines().find_map(|line| line.strip_prefix("events: ")).ok_or("cachegrind's file has no events")?;
    let columns: Vec<&str> = events.split(' ').collect();
    let wrapper = format!("_mlir_ciface_{function}");
    let (mut counts, mut inside) = (NativeCounts::default(), false);
    for line in file.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            inside = name == function || name == wrapper;
        } else if inside && line.starts_with(|c: char| c.is_ascii_digit()) {
            for (column, value) in columns.iter().zip(line.split(' ').skip(1)) {
                let value: u64 = value.parse()?;
                match *column {
                    "Dr" | "Dw" => counts.accesses += value,
                    "D1mr" | "D1mw" => counts.misses += value,
                    _ => {}
                }
            }
        }
    }
    if counts.accesses == 0 { Err(format!("cachegrind did not see {function}").into()) } else { Ok(counts) }
}
