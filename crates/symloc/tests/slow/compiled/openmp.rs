//! The kernels of PolyBench on threads, compiled with OpenMP and run.
//!
//! `tests/parallel/polybench.tsv` has the loops that may run in parallel, with the clauses that they need. Their pragmas are
//! written into copies of the kernels. Clang outlines the loops; `tests/c/team.c` is the runtime that runs the threads one after
//! the other and records the address, the thread and the phase of each access. Misses of each thread, the lines that others wrote
//! since and those in false sharing are computed here, by definition, and so are the reuse intervals of each thread. So they depend neither on symloc nor on its idea of a
//! schedule.

mod team;
mod thread_intervals;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{KernelArgument, LINE, REGISTERS, SIZES, TIMES, TracedProgram, files, main_of, prototype, scratch, stem};
use crate::common::traced::{STORE, words};
use crate::common::{STEPS, nothing_from, root, share, symloc};
use team::{TeamAccess, TeamMisses, falsely_shared, reuses};
use thread_intervals::{has_formulas, intervals_unlike};

const LOOPS: &str = include_str!("../../../../../tests/parallel/polybench.tsv");

/// The numbers of threads: one, even and odd ones, more than there are iterations.
const THREADS: [u32; 8] = [1, 2, 3, 4, 7, 8, 16, 64];

/// Sizes whose rows do not fill whole lines.
const ODD: [i64; 5] = [13, 7, 6, 9, 11];

/// The bit of a word of the trace that says whose accesses follow.
const TURN: u64 = 1 << 62;

/// Capacities of caches in lines or elements.
const CAPACITIES: [u64; 15] = [1, 2, 3, 4, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610];

/// The memory of arrays, which the runtime has to know.
const NAMED_ZEROS: &str = "static void *zeros(size_t bytes) {\n  bytes = (bytes + 63) / 64 * 64;\n  \
                           void *start = memset(aligned_alloc(64, bytes), 0, bytes);\n  trace_array(start, bytes);\n  \
                           return start;\n}\n";

// --- From the table to compiled programs

/// Returns the parallel loops of each kernel: from the line of the loop to the clauses of its pragma.
fn parallel_loops() -> BTreeMap<&'static str, BTreeMap<usize, &'static str>> {
    let mut kernels = BTreeMap::<_, BTreeMap<_, _>>::new();
    for row in LOOPS.lines().skip(1) {
        let mut columns = row.split('\t');
        let (kernel, line) = (columns.next().unwrap(), columns.next().unwrap().parse().unwrap());
        let clauses = columns.next().unwrap_or_default();
        assert!(kernels.entry(kernel).or_default().insert(line, clauses).is_none(), "{row}");
    }
    kernels
}

/// Returns the text of a kernel with a pragma above each of its parallel loops.
fn with_pragmas(text: &str, loops: &BTreeMap<usize, &str>, schedule: &str) -> String {
    let mut marked = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(clauses) = loops.get(&number) {
            assert!(line.trim_start().starts_with("for ("), "line {number}: {line}");
            let clauses: Vec<_> = [schedule, clauses].into_iter().filter(|clause| !clause.is_empty()).collect();
            writeln!(marked, "#pragma omp parallel for {}", clauses.join(" ")).unwrap();
        }
        writeln!(marked, "{line}").unwrap();
    }
    marked
}

/// Returns a line of a kernel; a comment `traced: x, y` becomes calls that name the memory of local arrays to the runtime.
fn with_calls(line: &str) -> String {
    let Some(names) = line.trim_start().strip_prefix("// traced: ") else { return line.to_owned() };
    names.split(", ").map(|name| format!("trace_array({name}, sizeof {name}); ")).collect()
}

/// Returns the text of the program that is compiled: it names the memory of its arrays, local ones too, to the runtime.
fn traced_main(marked: &Path, function: &str, arguments: &[KernelArgument]) -> String {
    let named = marked.with_extension("named.c");
    let text = fs::read_to_string(marked).unwrap();
    let local = "double z[N];";
    let text = text.replace(local, &format!("{local} trace_array(z, sizeof z);"));
    fs::write(&named, text.lines().map(with_calls).collect::<Vec<_>>().join("\n")).unwrap();
    format!(
        "#include <stddef.h>\nvoid trace_array(const void *, size_t);\n{}",
        main_of(&named, function, arguments, NAMED_ZEROS)
    )
}

/// A kernel with pragmas, the file that symloc reads, and the runs at sizes with whole and with odd rows.
struct ParallelKernel {
    program: TracedProgram,
    executable: PathBuf,
    odd: Vec<(String, i64)>,
}

impl ParallelKernel {
    /// Writes and compiles a kernel of PolyBench with a clause for the schedule of its loops, or none.
    fn new(name: &str, loops: &BTreeMap<usize, &str>, schedule: &str) -> Self {
        let test = format!("openmp{}", schedule.replace(|letter: char| !letter.is_alphanumeric(), ""));
        let text = fs::read_to_string(root().join(format!("polybench/c/{name}.c"))).unwrap();
        Self::of(&test, name, &with_pragmas(&text, loops, schedule))
    }

    /// Writes and compiles a text with pragmas.
    fn of(test: &str, name: &str, text: &str) -> Self {
        let (file, main) = (scratch(test, name, &format!("{name}.c")), scratch(test, name, "main.c"));
        fs::write(&file, text).unwrap();
        let (function, arguments) = prototype(text);
        fs::write(&main, traced_main(&file, &function, &arguments)).unwrap();
        let half = arguments.iter().all(|a| a.extents.is_empty() || a.kind != "double");
        let sizes = |values: &[i64; 5], factor: i64, steps: i64| {
            let mut values = values.iter().map(|value| factor * value);
            let names = arguments.iter().filter(|a| a.extents.is_empty() && a.kind == "int").map(|a| a.name.clone());
            let of = |name: String| {
                let value = if STEPS.contains(&name.as_str()) { steps } else { values.next().unwrap() };
                (name, value)
            };
            names.map(of).collect::<Vec<_>>()
        };
        let runs = vec![sizes(&SIZES[1], if half { 2 } else { 1 }, TIMES[1])];
        let odd = sizes(&ODD, 1, TIMES[0]);
        let (name, passes, flags) = (name.to_owned(), REGISTERS.to_owned(), Vec::new());
        let program = TracedProgram { name, file, function, main, passes, flags, runs };
        let executable = program.compile_with(test, &["-fopenmp".to_owned()], "tests/c/team.c");
        Self { program, executable, odd }
    }

    /// Returns the file of the model that is derived with some options.
    fn model_file(&self, options: &[&str]) -> PathBuf {
        self.program.file.with_extension(format!("{}.json", options.join("")))
    }

    /// Derives the exact model of the kernel; returns its file.
    fn model(&self, options: &[&str]) -> Result<String, String> {
        let model = self.model_file(options);
        let (file, model) = (self.program.file.to_str().unwrap(), model.to_str().unwrap());
        let function = format!("--function={}", self.program.function);
        let args = [&["derive", file, &function, "--parallel", "marked", "--exact", "-o", model], options].concat();
        match symloc(&args) {
            (.., Some(0)) => Ok(model.to_owned()),
            (_, errors, _) => Err(format!("symloc {}\n{errors}", args.join(" "))),
        }
    }

    /// Returns the accesses of a run.
    fn run(&self, sizes: &[(String, i64)], threads: u32) -> Vec<TeamAccess> {
        let words = words(&self.executable, sizes, &[("THREADS", &threads.to_string())]);
        let (mut phase, mut thread) = (0, 0);
        let mut accesses = Vec::new();
        for word in words {
            if word & (TURN | STORE) == TURN {
                (phase, thread) = ((word & !TURN) >> 16, (word & 0xffff) as usize);
            } else {
                accesses.push(TeamAccess { phase, thread, address: word & !STORE, writes: word & STORE != 0 });
            }
        }
        accesses
    }
}

// --- Comparison

/// A question to symloc: a command without sizes, threads and caches, and the bytes of its blocks.
struct TeamQuestion<'a> {
    command: &'a [&'a str],
    /// The model that the command is about, if it is about one.
    model: Option<&'a Path>,
    sizes: &'a [(String, i64)],
    bytes: u64,
}

impl TeamQuestion<'_> {
    /// Returns the answer for a number of threads and all capacities.
    fn answer(&self, threads: u32) -> Result<Value, String> {
        let sizes = self.sizes.iter().map(|(name, value)| format!("-D{name}={value}"));
        let caches = CAPACITIES.iter().map(|capacity| format!("--cache={}", capacity * self.bytes));
        let rest: Vec<_> = sizes.chain(caches).chain([format!("--threads={threads}"), "--json".to_owned()]).collect();
        let args: Vec<_> = self.command.iter().copied().chain(rest.iter().map(String::as_str)).collect();
        match symloc(&args) {
            (answer, _, Some(0)) => Ok(serde_json::from_str(&answer).unwrap()),
            (_, errors, _) => Err(format!("symloc {}\n{errors}", args.join(" "))),
        }
    }

    /// Returns the first difference between the answer and a run of the kernel.
    fn difference(&self, kernel: &ParallelKernel, threads: u32) -> Option<String> {
        let run = kernel.run(self.sizes, threads);
        let intervals = || intervals_unlike(self.model?, self.sizes, &run, (threads, self.bytes));
        let why = self.unlike(&run, threads).unwrap_or_else(Some).or_else(intervals)?;
        Some(format!("{} {:?}, {threads} threads: {why}", self.command.join(" "), self.sizes))
    }

    fn unlike(&self, run: &[TeamAccess], threads: u32) -> Result<Option<String>, String> {
        let answer = self.answer(threads)?;
        let count = threads as usize;
        let reuses = reuses(run, count, self.bytes);
        assert!(count == 1 || run.iter().any(|access| access.thread == 1), "one thread did everything");
        if answer["accesses"] != run.len() {
            return Ok(Some(format!("{} accesses, not {}", answer["accesses"], run.len())));
        }
        if let Some(shared) = answer["falsely_shared_lines"].as_object() {
            let [told, counted] = [shared.values().map(|c| c.as_u64().unwrap()).sum(), falsely_shared(run, self.bytes)];
            if told != counted {
                return Ok(Some(format!("{told} lines in false sharing, {counted} in the program")));
            }
        }
        let levels = answer["levels"].as_array().unwrap();
        assert_eq!(levels.len(), CAPACITIES.len());
        let unlike = CAPACITIES.iter().zip(levels).find_map(|(capacity, level)| {
            let (told, counted) = (TeamMisses::read(level), TeamMisses::of(&reuses, count, *capacity));
            (told != counted).then(|| format!("capacity {capacity}: {told:?}, {counted:?} in the program"))
        });
        Ok(unlike)
    }
}

/// The ways to compare a kernel: with a model in lines at whole rows, a model in elements and the interpreter at odd sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Lines,
    Elements,
    Interpreter,
}

const ALL: [Beside; 3] = [Beside::Lines, Beside::Elements, Beside::Interpreter];

impl ParallelKernel {
    /// Returns the first difference between the kernel and symloc, with some numbers of threads.
    fn difference(&self, beside: Beside, threads: &[u32]) -> Option<String> {
        let file = self.program.file.to_str().unwrap();
        let element = if self.program.name == "deriche" { 4 } else { 8 };
        let (model, sizes, bytes) = match beside {
            Beside::Lines => (self.model(&[]), &self.program.runs[0], LINE),
            Beside::Elements => (self.model(&["--element"]), &self.odd, element),
            Beside::Interpreter => (Ok(String::new()), &self.odd, LINE),
        };
        let model = match model {
            Ok(model) => model,
            Err(why) => return Some(why),
        };
        let queried: &[&str] = &["query", &model];
        let function = format!("--function={}", self.program.function);
        let simulated: &[&str] = &["simulate", file, &function, "--parallel", "marked", "--apart"];
        let command = if beside == Beside::Interpreter { simulated } else { queried };
        let model = Some(Path::new(&model)).filter(|_| beside != Beside::Interpreter);
        let asked = TeamQuestion { command, model, sizes, bytes };
        threads.iter().find_map(|threads| asked.difference(self, *threads))
    }
}

/// The kernels of which no formulas are about threads: the bounds of their parallel loops depend on other loops.
const WITHOUT_FORMULAS: [&str; 4] = ["durbin", "gramschmidt", "lu", "ludcmp"];

/// The kernels whose models in lines take half a minute each.
const LONG: [&str; 2] = ["adi", "fdtd-2d"];

/// Compares the kernels of the table that are wanted.
fn compare(wanted: impl Fn(&str) -> bool + Sync, beside: impl Fn(&str, Beside) -> bool + Sync) {
    let loops = parallel_loops();
    // SYMLOC_ONLY=PART selects the kernels whose names contain PART.
    let only = std::env::var("SYMLOC_ONLY").unwrap_or_default();
    let chosen = loops.iter().filter(|(name, _)| wanted(name) && name.contains(&only));
    nothing_from(share([0, 6], chosen), |(name, loops)| {
        let kernel = ParallelKernel::new(name, loops, "");
        let differs = ALL.into_iter().filter(|way| beside(name, *way)).find_map(|way| kernel.difference(way, &THREADS));
        let options: &[&str] = if beside(name, Beside::Elements) { &["--element"] } else { &[] };
        let is_run = differs.is_none() && !has_formulas(&kernel.model_file(options));
        let expected = WITHOUT_FORMULAS.contains(name);
        differs.or_else(|| (is_run != expected).then(|| format!("{name}: formulas for threads: {}", !is_run)))
    });
}

/// The reuse intervals and the misses of each thread, those of lines that other threads wrote since, and the lines in false sharing
/// are those of the compiled program.
#[test]
fn threads_of_openmp_equal_compiled_kernels() {
    assert!(parallel_loops().len() >= 24, "kernels with parallel loops");
    compare(|_| true, |name, beside| beside != Beside::Lines || !LONG.contains(&name));
}

#[test]
#[ignore = "a minute of derivation"]
fn slow_threads_of_openmp_equal_compiled_kernels() {
    compare(|name| LONG.contains(&name), |_, beside| beside == Beside::Lines);
}

/// Other forms of loops and regions: the files of `tests/parallel`.
#[test]
fn threads_of_openmp_equal_compiled_files() {
    nothing_from(share([0, 4], files("tests/parallel", "c").into_iter()), |file| {
        let kernel = ParallelKernel::of("openmp-files", &stem(&file), &fs::read_to_string(&file).unwrap());
        ALL.into_iter().find_map(|way| kernel.difference(way, &THREADS))
    });
}

/// Chunks go to the threads in turn.
#[test]
fn chunks_of_openmp_equal_compiled_kernels() {
    let loops = parallel_loops();
    let kernels = ["gemm", "trmm", "jacobi-2d", "lu", "deriche"].into_iter();
    let pairs = kernels.flat_map(|kernel| [(kernel, "schedule(static, 1)"), (kernel, "schedule(static, 3)")]);
    nothing_from(share([0, 3], pairs), |(name, schedule)| {
        let kernel = ParallelKernel::new(name, &loops[name], schedule);
        let ways = ALL.into_iter().filter(|way| *way != Beside::Lines || name == "gemm" || name == "jacobi-2d");
        ways.into_iter().find_map(|way| kernel.difference(way, &[2, 3, 7]))
    });
}

/// The programs do share lines: nothing above compares zeros with zeros only.
#[test]
fn threads_of_openmp_take_lines_from_each_other() {
    let kernel = ParallelKernel::new("jacobi-2d", &parallel_loops()["jacobi-2d"], "");
    let run = kernel.run(&kernel.odd, 4);
    assert!(TeamMisses::of(&reuses(&run, 4, LINE), 4, 34).coherence > 0, "lines written by others since");
    assert!(falsely_shared(&run, LINE) > 0, "lines in false sharing");
}

/// A program whose threads run other iterations than those that are read is found.
#[test]
fn other_schedules_of_openmp_are_found() {
    let loops = parallel_loops();
    let name = "jacobi-2d";
    let [blocks, chunks] = ["", "schedule(static, 2)"].map(|clause| ParallelKernel::new(name, &loops[name], clause));
    let planted = ParallelKernel { executable: chunks.executable, ..blocks };
    for beside in ALL {
        assert!(planted.difference(beside, &[3]).is_some(), "blocks of iterations are chunks of 2");
    }
}

/// Threads that share the outer loop alone are found where two loops are read as one.
#[test]
fn other_nests_of_openmp_are_found() {
    let text = fs::read_to_string(root().join("tests/parallel/collapse_two.c")).unwrap();
    let kernel = |test: &str, text: &str| ParallelKernel::of(test, "collapse_two", text);
    let one = kernel("openmp-outer", &text.replace("collapse(2)", "collapse(1)"));
    let planted = ParallelKernel { executable: one.executable, ..kernel("openmp-nests", &text) };
    for beside in ALL {
        assert!(planted.difference(beside, &[7]).is_some(), "shares of the outer loop are shares of both");
    }
}

/// Intervals of another number of threads are found.
#[test]
fn other_intervals_of_openmp_are_found() {
    let name = "jacobi-2d";
    let kernel = ParallelKernel::new(name, &parallel_loops()[name], "");
    let model = kernel.model(&[]).unwrap();
    let sizes = &kernel.program.runs[0];
    let unlike = |threads| intervals_unlike(Path::new(&model), sizes, &kernel.run(sizes, threads), (3, LINE));
    assert_eq!(unlike(3), None);
    assert!(unlike(4).is_some(), "the run is of 4 threads, the model of 3");
}

/// The kernels that are not in the table have no loop that may run in parallel.
#[test]
fn other_kernels_of_polybench_have_no_parallel_loop() {
    let loops = parallel_loops();
    let others: Vec<_> =
        files("polybench/c", "c").into_iter().filter(|file| !loops.contains_key(&*stem(file))).collect();
    assert_eq!(others.len() + loops.len(), 30, "the kernels of PolyBench/C");
    nothing_from(others.iter(), |file| {
        let text = fs::read_to_string(file).unwrap();
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.trim_start().starts_with("for ("));
        let lines: Vec<u32> = lines.map(|(number, _)| number).collect();
        assert!(lines.len() > 1, "{file:?}");
        lines.into_iter().find_map(|line| {
            let (line, file) = (line.to_string(), file.to_str().unwrap());
            let (_, errors, status) = symloc(&["derive", file, "--emit", "affine", "--parallel", &line]);
            let depend = status == Some(2) && errors.contains("depend");
            (!depend).then(|| format!("{file}:{line}: {status:?} {errors}"))
        })
    });
}
