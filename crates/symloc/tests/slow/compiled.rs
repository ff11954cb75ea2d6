//! C programs, compiled and run: the addresses that they access are compared with the results of symloc.
//!
//! LLVM's coverage sanitizer inserts a call before each load and store of Clang's IR, after the passes that the front
//! end for C runs, and `tests/c/tracer.c` records the addresses. Reuse intervals and distances are measured here, by
//! definition. So the trace of a C file does not depend on symloc.
//!
//! - The kernels of polybench/c are those of polybench: the interpreted MLIR text makes the same accesses.
//! - A model derived from C text is that of the compiled program.
//! - The operations of its blocks are those that `ops` prints.

mod blocks;
mod fortran;
mod openmp;
mod rust;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::reuse::{DistanceHistogram, Intervals, counts, distances, intervals, unlike};
use crate::common::traced::{self, ACCESSES, STORE, TRACING, observer, run};
use crate::common::{STEPS, nothing_from, parameters, root, share, symloc};
use blocks::Blocks;
use serde_json::Value;

/// Passes that inline callees and promote variables to registers.
const REGISTERS: &str = "inline,function(sroa)";
/// Passes for files that read data in the condition of `?:` and again in its arms: they merge repeated reads.
const MERGED: &str = "sroa,early-cse<memssa>";
const MERGED_KERNELS: [&str; 2] = ["floyd-warshall", "nussinov"];

/// Flags of Clang for IR that later passes optimise. Loops that copy or clear memory stay loops.
const OPTIMIZED: &str = "-O2 -Xclang -disable-llvm-passes -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset";

/// The cache line in bytes.
const LINE: u64 = 64;

/// Values of sizes in the order of a kernel's arguments. Neighbours differ, so that no two are equal by accident. Rows
/// of elements of eight bytes fill whole lines, as symloc assumes of all rows; for elements of four bytes, sizes are
/// doubled.
const SIZES: [[i64; 5]; 2] = [[24, 16, 32, 8, 40], [16, 40, 8, 24, 32]];
/// Values of parameters that count time steps.
const TIMES: [i64; 2] = [3, 2];

/// A C function that can be run and traced.
struct TracedProgram {
    name: String,
    /// The file that is derived.
    file: PathBuf,
    function: String,
    /// The file that is compiled with TRACED defined: the same file, or one that includes it.
    main: PathBuf,
    /// A pipeline of LLVM passes.
    passes: String,
    /// Options of `derive`.
    flags: Vec<String>,
    /// The runs: each has the arguments of the program in their order, which are also the parameters of its model.
    runs: Vec<Vec<(String, i64)>>,
}

// --- The kernels of polybench/c

/// An argument of a kernel: `double A[NI][NK]`.
struct KernelArgument {
    kind: String,
    name: String,
    /// The extents, such as `NI` and `NK`.
    extents: Vec<String>,
}

/// Returns the name and the arguments of the only function in a file.
fn prototype(text: &str) -> (String, Vec<KernelArgument>) {
    let (_, rest) = text.split_once("\nvoid ").unwrap();
    let (function, rest) = rest.split_once('(').unwrap();
    let (list, _) = rest.split_once(") {").unwrap();
    let argument = |text: &str| {
        let (kind, declarator) = text.trim().split_once(' ').unwrap();
        let mut parts = declarator.split('[');
        let name = parts.next().unwrap().to_owned();
        let extents = parts.map(|extent| extent.trim_end_matches(']').to_owned()).collect();
        KernelArgument { kind: kind.to_owned(), name, extents }
    };
    (function.to_owned(), list.split(',').map(argument).collect())
}

/// The function that makes arrays.
const ZEROS: &str = "static void *zeros(size_t bytes) {\n  bytes = (bytes + 63) / 64 * 64;\n  \
                     return memset(aligned_alloc(64, bytes), 0, bytes);\n}\n";

/// Returns the text of a file that includes the kernel and calls it with arrays of zeros, each of which begins a line.
/// With zeros, `?:` in correlation takes the arm that does not read again.
/// `zeros` defines the function that makes them.
fn main_of(kernel: &Path, function: &str, arguments: &[KernelArgument], zeros: &str) -> String {
    let mut text = format!("#include \"{}\"\n#include <stdlib.h>\n#include <string.h>\n", kernel.display());
    text += "void trace_start(void);\nvoid trace_stop(void);\n";
    text += zeros;
    text += "int main(int argc, char **argv) {\n";
    let (mut values, mut sizes) = (Vec::new(), 0);
    for KernelArgument { kind, name, extents } in arguments {
        if !extents.is_empty() {
            let extents: Vec<_> = extents.iter().map(|extent| format!("({})", extent.to_lowercase())).collect();
            values.push(format!("zeros(sizeof({kind}) * {})", extents.join(" * ")));
        } else if kind == "int" {
            sizes += 1;
            writeln!(text, "  int {name} = atoi(argv[{sizes}]);").unwrap();
            values.push(name.clone());
        } else {
            values.push("1.5".to_owned());
        }
    }
    for (nth, (value, argument)) in values.iter_mut().zip(arguments).enumerate() {
        if !argument.extents.is_empty() {
            writeln!(text, "  void *array_{nth} = {value};").unwrap();
            *value = format!("array_{nth}");
        }
    }
    let call = format!("{function}({})", values.join(", "));
    text + &format!("  trace_start();\n  {call};\n  trace_stop();\n  return argc != {};\n}}\n", sizes + 1)
}

/// Returns the files of a folder, sorted.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Returns the 30 kernels; each test has files of its own.
fn kernels(test: &str) -> Vec<TracedProgram> {
    let kernel = |file: PathBuf| {
        let name = stem(&file);
        let (function, arguments) = prototype(&fs::read_to_string(&file).unwrap());
        let main = scratch(test, &name, "main.c");
        fs::write(&main, main_of(&file, &function, &arguments, ZEROS)).unwrap();

        let half = arguments.iter().all(|a| a.extents.is_empty() || a.kind != "double");
        let names: Vec<_> = arguments.iter().filter(|a| a.extents.is_empty() && a.kind == "int").collect();
        let run = |(sizes, steps): (&[i64; 5], i64)| {
            let mut sizes = sizes.iter().map(|size| if half { 2 * size } else { *size });
            let mut value = |name: &str| if STEPS.contains(&name) { steps } else { sizes.next().unwrap() };
            names.iter().map(|size| (size.name.clone(), value(&size.name))).collect()
        };
        let runs = SIZES.iter().zip(TIMES).map(run).collect();
        let passes = if MERGED_KERNELS.contains(&name.as_str()) { MERGED } else { REGISTERS }.to_owned();
        TracedProgram { name, file, function, main, passes, flags: Vec::new(), runs }
    };
    let kernels: Vec<_> = files("polybench/c", "c").into_iter().map(kernel).collect();
    assert_eq!(kernels.len(), 30, "the kernels of PolyBench/C");
    kernels
}

// --- Other C files

/// Returns the files of tests/c/pass. Their first lines have the options of the run:
///
/// ```c
/// // function: NAME
/// // sizes: n=24 m=16; n=19 m=8
/// // flags: options of derive, if any
/// // passes: LLVM's, if not sroa; `--registers` among the flags also decides
/// // slow: the reason, for files that only the ignored test derives
/// ```
fn other_files(slow: bool) -> Vec<TracedProgram> {
    let program = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let head: Vec<_> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
        let value = |key: &str| head.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        let size = |text: &str| {
            let (name, value) = text.split_once('=').unwrap();
            (name.to_owned(), value.parse().unwrap())
        };
        let words = |text: &str| shlex::split(text).unwrap();
        let runs = value("sizes").unwrap_or_default().split(';');
        let is_slow = value("slow").is_some();
        (is_slow == slow).then(|| TracedProgram {
            name: stem(&file),
            function: value("function").unwrap().to_owned(),
            main: file.clone(),
            passes: value("passes").unwrap_or(REGISTERS).to_owned(),
            flags: value("flags").map(words).unwrap_or_default(),
            runs: runs.map(|run| run.split_whitespace().map(size).collect()).collect(),
            file,
        })
    };
    let [c, cpp] = ["c", "cpp"].map(|extension| files("tests/c/pass", extension));
    // SYMLOC_ONLY=PART selects the files whose names contain PART.
    let only = std::env::var("SYMLOC_ONLY").unwrap_or_default();
    c.into_iter().chain(cpp).filter(|file| stem(file).contains(&only)).filter_map(program).collect()
}

// --- From a program to its trace

/// Returns the path of a file for one test.
fn scratch(test: &str, program: &str, name: &str) -> PathBuf {
    traced::scratch(&format!("compiled/{test}/{program}"), name)
}

/// Marks the function that is derived so that it is not inlined: in `main`, its memory could become registers. The
/// accesses of `main` itself are not traced.
fn kept(ir: &str, function: &str) -> String {
    let [plain, mangled] = [format!("@{function}("), format!("@_Z{}{function}", function.len())];
    let is_its = |line: &str| line.contains(&plain) || line.contains(&mangled);
    let line = |line: &str| match line.rsplit_once(" #").filter(|_| line.starts_with("define")) {
        Some((before, after)) if is_its(line) => format!("{before} noinline #{after}\n"),
        Some((before, after)) if line.contains("@main(") => format!("{before} nosanitize_coverage #{after}\n"),
        _ => format!("{line}\n"),
    };
    ir.lines().map(line).collect()
}

/// Aligns the arrays of a program to lines, as symloc assumes of all arrays.
fn aligned(ir: &str) -> String {
    let line = |line: &str| match line.split_once(", align ") {
        Some((before, after)) if line.starts_with('@') || before.contains(" = alloca ") => {
            let rest = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
            format!("{before}, align {LINE}{rest}\n")
        }
        _ => format!("{line}\n"),
    };
    ir.lines().map(line).collect()
}

impl TracedProgram {
    /// Compiles the program to LLVM IR with scalars in registers.
    fn registers(&self, test: &str, macros: &[String]) -> PathBuf {
        let [ir, registers] = ["main.ll", "registers.ll"].map(|name| scratch(test, &self.name, name));
        let cpp = self.main.extension().is_some_and(|extension| extension == "cpp");
        let (compiler, standard) = if cpp { ("clang++-22", "-std=gnu++20") } else { ("clang-22", "-std=gnu11") };
        let (options, passes) = self.optimisation();
        let mut clang = Command::new(compiler);
        clang.arg(standard).args(options.split(' ')).args("-g -fno-discard-value-names -S -emit-llvm".split(' '));
        run(clang.arg("-DTRACED").args(macros).arg(&self.main).arg("-o").arg(&ir));
        fs::write(&ir, kept(&fs::read_to_string(&ir).unwrap(), &self.function)).unwrap();
        run(Command::new("opt-22").args(passes).arg("-S").arg(&ir).arg("-o").arg(&registers));
        registers
    }

    /// Returns the options of clang and opt that leave the same values in memory as `--registers`.
    fn optimisation(&self) -> (&'static str, Vec<String>) {
        let says = |registers: &str| self.flags.iter().any(|flag| flag == registers);
        let passes = |passes: &str| vec![format!("-passes={passes}")];
        match () {
            () if says("none") => ("-O0 -Xclang -disable-O0-optnone", passes("always-inline")),
            // An access to a vector is one to each of its lanes, in ascending order.
            () if says("optimized") => (OPTIMIZED, passes("default<O2>,function(scalarizer<load-store>)")),
            () => {
                let inlined = "-inline-threshold=1000000".to_owned();
                ("-O1 -Xclang -disable-llvm-passes", [passes(&self.passes), vec![inlined]].concat())
            }
        }
    }

    /// Returns the program in LLVM IR after the passes of the front end, and the program compiled with a counter for
    /// each block.
    fn compile_counting(&self, test: &str) -> (String, PathBuf) {
        let registers = self.registers(test, &[]);
        let [simple, counting, executable] =
            ["simple.ll", "counting.bc", "counting"].map(|name| scratch(test, &self.name, name));
        let text = fs::read_to_string(&registers).unwrap();
        let text = text.replace(" = load ", " = load volatile ").replace("  store ", "  store volatile ");
        fs::write(&registers, text).unwrap();
        let passes = "-passes=function(simplifycfg,lcssa)";
        run(Command::new("opt-22").args([passes, "-S"]).arg(&registers).arg("-o").arg(&simple));
        let blocks = "-passes=sancov-module -sanitizer-coverage-level=2 -sanitizer-coverage-trace-pc-guard \
                      -sanitizer-coverage-prune-blocks=0";
        run(Command::new("opt-22").args(blocks.split_whitespace()).arg(&simple).arg("-o").arg(&counting));
        run(Command::new("clang-22")
            .arg(&counting)
            .arg(observer("tests/c/counter.c"))
            .args(["-lm", "-lstdc++"])
            .arg("-o")
            .arg(&executable));
        (fs::read_to_string(&simple).unwrap(), executable)
    }

    /// Compiles a program that writes a trace.
    fn compile(&self, test: &str, macros: &[String]) -> PathBuf {
        self.compile_with(test, macros, "tests/c/tracer.c")
    }

    /// Compiles a program with further options of clang and a source of the repository that writes its trace.
    fn compile_with(&self, test: &str, macros: &[String], tracer: &'static str) -> PathBuf {
        let registers = self.registers(test, macros);
        let [ir, traced, executable] = ["main.ll", "traced.bc", "program"].map(|name| scratch(test, &self.name, name));
        fs::write(&ir, aligned(&fs::read_to_string(&registers).unwrap())).unwrap();
        let tracing = format!("-passes={TRACING}");
        run(Command::new("opt-22").arg(tracing).args(ACCESSES).arg(&ir).arg("-o").arg(&traced));
        // Optimisation cannot remove the calls that were inserted before.
        run(Command::new("clang-22")
            .arg("-O1")
            .arg(&traced)
            .arg(observer(tracer))
            .args(["-lm", "-lstdc++"])
            .arg("-o")
            .arg(&executable));
        executable
    }
}

// --- Results of symloc

/// The source of the histograms that the trace is compared with.
enum HistogramSource<'a> {
    /// A model.
    Model(&'a str),
    /// A program in MLIR's affine dialect, interpreted.
    Interpreter(&'a str),
}

/// The histograms that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compared {
    /// Intervals; each element is a line of its own.
    Elements,
    /// Intervals with lines of 64 bytes.
    Lines,
    /// Intervals and distances with lines of 64 bytes.
    Distances,
}

impl HistogramSource<'_> {
    /// Returns one of the histograms at one size.
    fn histogram(&self, sizes: &[(String, i64)], compared: Compared, option: Option<&str>) -> Value {
        let mut args = match self {
            HistogramSource::Model(file) => vec!["histogram", file],
            HistogramSource::Interpreter(file) if matches!(compared, Compared::Elements) => {
                vec!["simulate", file, "--histogram", "--element"]
            }
            HistogramSource::Interpreter(file) => vec!["simulate", file, "--histogram"],
        };
        args.push("--json");
        args.extend(option);
        let sizes: Vec<_> = sizes.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        args.extend(sizes.iter().map(String::as_str));
        let (text, errors, status) = symloc(&args);
        assert_eq!(status, Some(0), "symloc {args:?}: {errors}");
        serde_json::from_str(&text).unwrap()
    }

    fn intervals(&self, sizes: &[(String, i64)], compared: Compared) -> Intervals {
        let histogram = self.histogram(sizes, compared, None);
        Intervals { real: counts(&histogram["real"]), imaginary: counts(&histogram["imaginary"]) }
    }

    fn distances(&self, sizes: &[(String, i64)], compared: Compared) -> DistanceHistogram {
        let histogram = self.histogram(sizes, compared, Some("--distance"));
        let first_touches = histogram["first_touches"].as_u64().unwrap();
        DistanceHistogram { counts: counts(&histogram["distance"]), first_touches }
    }
}

/// Returns the first difference between a trace and the histograms of a source.
fn difference(
    trace: &[u64],
    source: &HistogramSource<'_>,
    sizes: &[(String, i64)],
    compared: Compared,
) -> Option<String> {
    let blocks = match compared {
        Compared::Elements => &trace.to_vec(),
        Compared::Lines | Compared::Distances => &trace.iter().map(|address| address / LINE).collect(),
    };
    let (compiled, other) = (intervals(blocks), source.intervals(sizes, compared));
    let unlike_intervals = unlike("interval", &compiled.real, &other.real)
        .or_else(|| unlike("imaginary interval", &compiled.imaginary, &other.imaginary));
    if unlike_intervals.is_some() || compared != Compared::Distances {
        return unlike_intervals;
    }
    let (compiled, other) = (distances(blocks), source.distances(sizes, compared));
    assert_eq!(compiled.first_touches, other.first_touches, "as many as imaginary intervals");
    unlike("distance", &compiled.counts, &other.counts)
}

// --- Tests

/// The MLIR text of a kernel makes the same accesses as its C text, in the same order.
#[test]
fn twins_are_twins() {
    let test = "twins";
    nothing_from(kernels(test).into_iter(), |kernel| {
        let twin = format!("polybench/{}.mlir", kernel.name);
        let executable = kernel.compile(test, &[]);
        kernel.runs.iter().find_map(|sizes| {
            let names: Vec<_> = sizes.iter().map(|(name, _)| name.clone()).collect();
            assert_eq!(names, parameters(&twin, &[]), "{twin}");
            let trace = traced::trace(&executable, sizes, &[]);
            let source = HistogramSource::Interpreter(&twin);
            let unlike = [Compared::Distances, Compared::Elements]
                .into_iter()
                .find_map(|compared| difference(&trace, &source, sizes, compared))?;
            Some(format!("{twin}, {sizes:?}: {unlike}"))
        })
    });
}

/// Returns the macros that make extents constant, such as `-DNI=24`.
fn constant_extents(sizes: &[(String, i64)]) -> Vec<String> {
    sizes.iter().map(|(name, value)| format!("-D{}={value}", name.to_uppercase())).collect()
}

/// The kernels whose distances are compared with constant extents as well: with arrays of one, two and three
/// dimensions, with a local array, and with elements of four bytes.
const CONSTANT: [&str; 7] = ["atax", "deriche", "doitgen", "durbin", "gemm", "jacobi-2d", "lu"];

impl TracedProgram {
    /// Returns the histograms that are compared with constant extents.
    fn compared(&self) -> Compared {
        if CONSTANT.contains(&self.name.as_str()) { Compared::Distances } else { Compared::Lines }
    }
}

/// With constant extents the C text makes the same accesses.
#[test]
fn constant_extents_change_no_access() {
    let test = "constant";
    nothing_from(share([2, 3], kernels(test).into_iter()), |kernel| {
        let twin = format!("polybench/{}.mlir", kernel.name);
        let runs = if kernel.compared() == Compared::Distances { 2 } else { 1 };
        kernel.runs[..runs].iter().find_map(|sizes| {
            let executable = kernel.compile(test, &constant_extents(sizes));
            let trace = traced::trace(&executable, sizes, &[]);
            let unlike = difference(&trace, &HistogramSource::Interpreter(&twin), sizes, kernel.compared())?;
            Some(format!("{twin}, {sizes:?}: {unlike}"))
        })
    });
}

/// Returns the first difference between the model of a C file and its compiled program.
fn difference_from_model(test: &str, program: &TracedProgram, compared: Compared) -> Option<String> {
    let model = scratch(test, &program.name, "model.loc.json");
    let (file, model) = (program.file.to_str().unwrap(), model.to_str().unwrap());
    let mut args = vec!["derive", file, "--function", &program.function, "-o", model];
    args.extend(match compared {
        Compared::Elements => Some("--element"),
        Compared::Lines => None,
        Compared::Distances => Some("--exact"),
    });
    args.extend(program.flags.iter().map(String::as_str));
    let (_, errors, status) = symloc(&args);
    if status != Some(0) {
        return Some(format!("symloc {}\n{errors}", args.join(" ")));
    }
    let executable = program.compile(test, &[]);
    program.runs.iter().find_map(|sizes| {
        let trace = traced::trace(&executable, sizes, &[]);
        let unlike = difference(&trace, &HistogramSource::Model(model), sizes, compared)?;
        Some(format!("symloc {}\n{sizes:?}: {unlike}", args.join(" ")))
    })
}

#[test]
fn models_of_c_equal_compiled_kernels() {
    let test = "kernels";
    nothing_from(share([0, 3], kernels(test).into_iter()), |kernel| {
        difference_from_model(test, &kernel, Compared::Distances)
    });
}

/// The model of the text with constant extents is compared with the compiled program.
#[test]
fn models_of_c_with_constant_extents_equal_compiled_kernels() {
    let test = "constant-kernels";
    nothing_from(share([1, 3], kernels(test).into_iter()), |mut kernel| {
        kernel.runs.truncate(1);
        kernel.flags = [vec!["--".to_owned()], constant_extents(&kernel.runs[0])].concat();
        difference_from_model(test, &kernel, kernel.compared())
    });
}

/// Kernels whose optimised code is derived quickly.
const OPTIMISED: [&str; 5] = ["bicg", "gesummv", "symm", "seidel-2d", "trisolv"];

/// Compares code optimised at `-O2`: merged, promoted to registers, unrolled, vectorised with loops for the remainder.
fn optimised(test: &str, wanted: impl Fn(&str) -> bool + Sync) {
    let kernels = kernels(test).into_iter().filter(|kernel| wanted(&kernel.name));
    nothing_from(kernels, |mut kernel| {
        kernel.flags = ["--registers", "optimized"].map(str::to_owned).to_vec();
        let in_lines = difference_from_model(test, &kernel, Compared::Distances);
        // Sizes that are not multiples of a vector; the rows do not fill whole lines, so elements are compared.
        kernel.runs.truncate(1);
        kernel.runs[0].iter_mut().zip([13, 7, 6, 9, 11]).for_each(|((_, size), odd)| *size = odd);
        in_lines.or_else(|| difference_from_model(test, &kernel, Compared::Elements))
    });
}

#[test]
fn models_of_optimised_c_equal_compiled_kernels() {
    optimised("optimised", |name| OPTIMISED.contains(&name));
}

#[test]
#[ignore = "minutes of derivation"]
fn slow_models_of_optimised_c_equal_compiled_kernels() {
    let only = std::env::var("SYMLOC_ONLY").unwrap_or_default();
    optimised("slow-optimised", |name| only.split(',').any(|only| only == name));
}

#[test]
fn models_of_c_equal_compiled_files() {
    let test = "files";
    nothing_from(share([0, 8], other_files(false).into_iter()), |program| {
        difference_from_model(test, &program, Compared::Distances)
    });
}

#[test]
#[ignore = "minutes of derivation"]
fn slow_models_of_c_equal_compiled_files() {
    let test = "slow-files";
    nothing_from(other_files(true).into_iter(), |program| difference_from_model(test, &program, Compared::Distances));
}

/// The kernels with branches on data, whose counts of execution `ops` does not know.
const ON_DATA: [&str; 3] = ["correlation", "floyd-warshall", "nussinov"];

/// Returns the blocks of a kernel at a size, by `ops`.
fn told(kernel: &TracedProgram, sizes: &[(String, i64)]) -> Blocks {
    let definitions: Vec<_> = sizes.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
    let mut args = vec!["ops", kernel.file.to_str().unwrap(), "--by", "block", "--json"];
    args.extend(definitions.iter().map(String::as_str));
    let (out, errors, status) = symloc(&args);
    assert_eq!(status, Some(0), "{errors}");
    blocks::told(&out)
}

/// `ops` counts the executions of each block, and the operations of each kind and width (loads, stores, arithmetic,
/// comparisons, conversions, branches) as in the compiled program.
#[test]
fn operations_of_c_equal_compiled_kernels() {
    let test = "operations";
    let kernels = kernels(test).into_iter().filter(|kernel| !ON_DATA.contains(&kernel.name.as_str()));
    nothing_from(kernels, |kernel| {
        let (ir, counting) = kernel.compile_counting(test);
        kernel.runs.iter().find_map(|sizes| {
            let counts = String::from_utf8(traced::observed(&counting, sizes, &[])).unwrap();
            let counts: Vec<u64> = counts.lines().map(|count| count.parse().unwrap()).collect();
            let run = blocks::of_run(&ir, &kernel.function, &counts);
            let unlike = blocks::difference(&run, &told(&kernel, sizes))?;
            Some(format!("{}, {sizes:?}: {unlike}", kernel.name))
        })
    });
}

/// The kernels of Barai et al.
const CHARACTERISED: [&str; 10] =
    ["2mm", "atax", "bicg", "doitgen", "mvt", "gemver", "gesummv", "gemm", "symm", "covariance"];

/// The counts of loads and stores are also those of the calls in another instrumented program.
#[test]
fn loads_and_stores_of_c_equal_traces() {
    let test = "loads";
    let kernels = kernels(test).into_iter().filter(|kernel| CHARACTERISED.contains(&kernel.name.as_str()));
    nothing_from(kernels, |kernel| {
        let traced = kernel.compile(test, &[]);
        kernel.runs.iter().find_map(|sizes| {
            let (stores, loads): (Vec<u64>, Vec<u64>) =
                traced::words(&traced, sizes, &[]).into_iter().partition(|word| word & STORE != 0);
            let traced = [loads.len(), stores.len()].map(|count| count as u64);
            let told = told(&kernel, sizes);
            let sums = ["loads", "stores"].map(|column| told.values().map(|block| block.column(column)).sum::<u64>());
            (traced != sums).then(|| format!("{}, {sizes:?}: {traced:?} in the program, {sums:?} told", kernel.name))
        })
    });
}
