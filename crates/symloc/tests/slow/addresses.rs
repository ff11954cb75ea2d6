//! Kernels in MLIR, compiled and run: the layout that symloc reads is compared with the real addresses.
//!
//! MLIR's own passes lower the files of tests/addresses to LLVM IR, with their semantics of layouts, views, copies and
//! buffers; each load and store is traced with its address, as in `compiled.rs`. `run`, in the same file, makes the
//! arguments. So the trace does not depend on symloc's front end. Only `memref.copy`, for which MLIR specifies no
//! order, is replaced by `linalg.copy`, which MLIR lowers to loops over the elements in row-major order, as symloc
//! assumes.
//!
//! The first lines of a file are the options of its run:
//!
//! ```mlir
//! // function: NAME
//! // rows: n=19 m=7; n=16 m=5      with a model; rows of arguments are padded to whole lines
//! // linear: n=19                  with a model for `--layout linear`; nothing is padded
//! // simulated: n=19               with `simulate --layout linear`; nothing is padded
//! // lines: 64                     line sizes in bytes, if not 24 and 64
//! // passes: MLIR's passes before it is compiled
//! // flags: options of symloc
//! // vectors: whole               vectors are elements of the arrays, each loaded at once; otherwise their lanes are
//! // wrong: TEXT => OTHER TEXT     the model of the text with this change must differ from the run
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::reuse::{counts, distances, intervals, unlike};
use crate::common::traced::{self, ACCESSES, TRACING, observer, run};
use crate::common::{nothing_from, root, share, symloc};
use serde_json::Value;

/// From loops and memrefs to LLVM's dialect.
const LOWERING: &str = "builtin.module(func.func(convert-linalg-to-affine-loops),lower-affine,\
                        expand-strided-metadata,lower-affine,convert-vector-to-scf{full-unroll=1},lower-affine,convert-scf-to-cf,\
                        finalize-memref-to-llvm{use-generic-functions=1},convert-vector-to-llvm,convert-func-to-llvm,\
                        convert-index-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)";

/// The result of symloc that is compared with the addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// A model for rows that start new lines.
    Rows,
    /// A model with the strides of the memrefs.
    Linear,
    /// The trace, with strides that are known at one size only.
    Simulated,
}

/// A function that can be run and traced.
struct TracedFunction {
    name: String,
    file: PathBuf,
    text: String,
    function: String,
    runs: Vec<(Way, RunSizes)>,
    /// Sizes of lines in bytes, or `element`.
    lines: Vec<String>,
    /// A pipeline of MLIR.
    passes: String,
    /// Options of symloc.
    flags: Vec<String>,
    /// True if vectors are elements.
    whole_vectors: bool,
    /// A part of the text, and a wrong replacement.
    wrong: (String, String),
}

type RunSizes = Vec<(String, i64)>;

// --- The files

fn kernel(file: PathBuf) -> TracedFunction {
    let text = fs::read_to_string(&file).unwrap();
    let head: Vec<_> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
    let value = |key: &str| head.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim);
    let size = |text: &str| {
        let (name, value) = text.split_once('=').unwrap();
        (name.to_owned(), value.parse().unwrap())
    };
    let mut runs = Vec::new();
    for (way, key) in [(Way::Rows, "rows"), (Way::Linear, "linear"), (Way::Simulated, "simulated")] {
        let sizes = value(key).into_iter().flat_map(|runs| runs.split(';'));
        runs.extend(sizes.map(|run| (way, run.split_whitespace().map(size).collect())));
    }
    let (right, wrong) = value("wrong").unwrap().split_once(" => ").unwrap();
    let lines = value("lines").unwrap_or("24 64").split_whitespace().chain(["element"]);
    TracedFunction {
        name: file.file_stem().unwrap().to_str().unwrap().to_owned(),
        function: value("function").unwrap().to_owned(),
        runs,
        lines: lines.map(str::to_owned).collect(),
        passes: value("passes").unwrap_or_default().to_owned(),
        flags: value("flags").map(|flags| shlex::split(flags).unwrap()).unwrap_or_default(),
        whole_vectors: value("vectors") == Some("whole"),
        wrong: (right.to_owned(), wrong.to_owned()),
        text,
        file,
    }
}

/// Returns the kernels; SYMLOC_ONLY=PART selects those whose names contain PART.
fn kernels() -> Vec<TracedFunction> {
    let only = std::env::var("SYMLOC_ONLY").unwrap_or_default();
    let files = fs::read_dir(root().join("tests/addresses")).unwrap().map(|entry| entry.unwrap().path());
    let mut kernels: Vec<_> = files.filter(|file| file.extension().is_some_and(|e| e == "mlir")).map(kernel).collect();
    kernels.retain(|kernel| kernel.name.contains(&only));
    kernels.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(!kernels.is_empty(), "no file is called *{only}*");
    kernels
}

// --- From a kernel to its addresses

/// Adds a use of every number that is loaded, because MLIR's passes remove unused loads.
fn with_uses(text: &str) -> String {
    let line = |line: &str| match line.split_once(" = affine.load ").or_else(|| line.split_once(" = memref.load ")) {
        Some((value, load)) if !load.contains("xvector<") => {
            format!("{line}\nvector.print {value} : {}\n", element(load))
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Returns the element type of a load: `f64`, of `%A[%i] : memref<7x?xf64, strided<[?, 1]>>`.
fn element(load: &str) -> &str {
    let (_, kind) = load.split_once(": memref<").unwrap();
    let kind = kind.split([',', '>']).next().unwrap();
    kind.trim_start_matches(|c: char| c.is_ascii_digit() || c == '?' || c == 'x')
}

/// Replaces copies by loops over the elements in row-major order.
fn with_loops(text: &str) -> String {
    let line = |line: &str| {
        let Some((before, copy)) = line.split_once("memref.copy ") else { return format!("{line}\n") };
        let (operands, types) = copy.split_once(" : ").unwrap();
        let ((from, to), (source, target)) = (operands.split_once(", ").unwrap(), types.split_once(" to ").unwrap());
        format!("{before}linalg.copy ins({from} : {source}) outs({to} : {target})\n")
    };
    text.lines().map(line).collect()
}

impl TracedFunction {
    fn scratch(&self, test: &str, name: &str) -> PathBuf {
        traced::scratch(&format!("addresses/{test}/{}", self.name), name)
    }

    /// Compiles the kernel to a program that writes a trace.
    fn compile(&self, test: &str) -> PathBuf {
        let [source, prepared, lowered, ir, traced, executable] =
            ["source.mlir", "prepared.mlir", "lowered.mlir", "main.ll", "traced.bc", "program"]
                .map(|name| self.scratch(test, name));
        let [tracer, driver] = ["tests/c/tracer.c", "tests/addresses/driver.c"].map(observer);
        let pipeline = |passes: &str| format!("--pass-pipeline={passes}");
        let passes = pipeline(&format!("builtin.module({})", self.passes));
        fs::write(&source, with_uses(&self.text)).unwrap();
        run(Command::new("mlir-opt-22").arg(passes).arg(&source).arg("-o").arg(&prepared));
        fs::write(&prepared, with_loops(&fs::read_to_string(&prepared).unwrap())).unwrap();
        run(Command::new("mlir-opt-22").arg(pipeline(LOWERING)).arg(&prepared).arg("-o").arg(&lowered));
        run(Command::new("mlir-translate-22").arg("--mlir-to-llvmir").arg(&lowered).arg("-o").arg(&ir));
        // An access to a vector is one to each of its lanes that is not masked, in ascending order.
        let lanes =
            if self.whole_vectors { "" } else { "function(scalarize-masked-mem-intrin,scalarizer<load-store>)," };
        let passes = format!("-passes={lanes}{TRACING}");
        run(Command::new("opt-22").arg(passes).args(ACCESSES).arg(&ir).arg("-o").arg(&traced));
        run(Command::new("clang-22").args([&traced, &tracer, &driver]).arg("-lm").arg("-o").arg(&executable));
        executable
    }

    // --- Results of symloc

    /// Returns the arguments of `derive` and `simulate`.
    fn asked<'a>(&'a self, command: &'a str, file: &'a Path, way: Way) -> Vec<&'a str> {
        let layout = if way == Way::Rows { "rows" } else { "linear" };
        let args = [command, file.to_str().unwrap(), "--function", &self.function, "--layout", layout];
        args.into_iter().chain(self.flags.iter().map(String::as_str)).collect()
    }

    /// Derives the model of a file that contains the text of this kernel, or a wrong one.
    fn model(&self, test: &str, file: &Path, way: Way, line: &str) -> Result<PathBuf, String> {
        let model = self.scratch(test, &format!("{way:?}-{line}.loc.json"));
        let mut args = self.asked("derive", file, way);
        args.extend(["--exact", "--time-limit", "300", "-o", model.to_str().unwrap()]);
        args.extend(in_lines(line));
        answer(&args)?;
        Ok(model)
    }

    /// Returns the first difference between the trace and symloc; an error if symloc refuses the text.
    fn difference(&self, test: &str, executable: &Path, file: &Path) -> Result<Option<String>, String> {
        for line in &self.lines {
            let mut models = BTreeMap::new();
            for (way, _) in self.runs.iter().filter(|(way, _)| *way != Way::Simulated) {
                if !models.contains_key(way) {
                    models.insert(*way, self.model(test, file, *way, line)?);
                }
            }
            for (way, sizes) in &self.runs {
                let settings: &[_] = if *way == Way::Rows { &[("PADDED", "yes")] } else { &[] };
                let trace = traced::trace(executable, sizes, settings);
                assert!(!trace.is_empty(), "{}: nothing is accessed", self.name);
                let bytes = line.parse().unwrap_or(1);
                let blocks: Vec<_> = trace.iter().map(|address| address / bytes).collect();
                let args = match models.get(way) {
                    Some(model) => vec!["histogram", model.to_str().unwrap()],
                    None => [self.asked("simulate", file, *way), vec!["--histogram"], in_lines(line)].concat(),
                };
                if let Some(unlike) = compare(&blocks, &args, sizes)? {
                    return Ok(Some(format!("{}, {way:?}, {sizes:?}, lines of {line}: {unlike}", self.name)));
                }
            }
        }
        Ok(None)
    }
}

fn in_lines(line: &str) -> Vec<&str> {
    if line == "element" { vec!["--element"] } else { vec!["--line-bytes", line] }
}

/// Runs symloc; returns its output, or its message if it fails.
fn answer(args: &[&str]) -> Result<String, String> {
    let (text, errors, status) = symloc(args);
    if status == Some(0) { Ok(text) } else { Err(format!("symloc {}\n{errors}", args.join(" "))) }
}

/// Returns the first difference between the blocks of a trace and the histograms of symloc.
fn compare(blocks: &[u64], args: &[&str], sizes: &[(String, i64)]) -> Result<Option<String>, String> {
    let definitions: Vec<_> = sizes.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
    let histogram = |option: &[&str]| -> Result<Value, String> {
        let definitions = definitions.iter().map(String::as_str);
        let args: Vec<_> = args.iter().chain(option).copied().chain(["--json"]).chain(definitions).collect();
        Ok(serde_json::from_str(&answer(&args)?).unwrap())
    };
    let (told, run) = (histogram(&[])?, intervals(blocks));
    let unlike_intervals = unlike("interval", &run.real, &counts(&told["real"]))
        .or_else(|| unlike("imaginary interval", &run.imaginary, &counts(&told["imaginary"])));
    if unlike_intervals.is_some() {
        return Ok(unlike_intervals);
    }
    let (told, run) = (histogram(&["--distance"])?, distances(blocks));
    assert_eq!(Some(run.first_touches), told["first_touches"].as_u64(), "as many as imaginary intervals");
    Ok(unlike("distance", &run.counts, &counts(&told["distance"])))
}

// --- Tests

/// Checks that a misreading would be found: returns an error if the wrong text agrees with the addresses.
fn unnoticed(kernel: &TracedFunction, executable: &Path) -> Option<String> {
    let (right, wrong) = &kernel.wrong;
    let file = kernel.scratch("wrong", "wrong.mlir");
    let text = kernel.text.replace(right, wrong);
    assert_ne!(kernel.text, text, "{}: nothing is replaced", kernel.name);
    fs::write(&file, text).unwrap();
    match kernel.difference("wrong", executable, &file) {
        Ok(Some(_)) => None,
        Ok(None) => Some(format!("{}: `{wrong}` in the place of `{right}` is not found", kernel.name)),
        Err(refused) => Some(format!("{}: `{wrong}` in the place of `{right}`: {refused}", kernel.name)),
    }
}

#[test]
fn blocks_are_those_of_real_addresses_and_of_no_other_text() {
    nothing_from(share([0, 6], kernels().into_iter()), |kernel| {
        let executable = kernel.compile("right");
        let different = kernel.difference("right", &executable, &kernel.file).unwrap_or_else(Some);
        different.or_else(|| unnoticed(&kernel, &executable))
    });
}
