//! C programs, compiled with the system's compiler and linked with the library: their output has to be the results of
//! the evaluator, and valgrind has to report no error.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use symloc_capi::prediction::{SYMLOC_DEFAULT, SYMLOC_DENNING, SYMLOC_LRU};
use symloc_capi::status::{
    SYMLOC_ERROR_CONTEXT, SYMLOC_ERROR_LIMIT, SYMLOC_ERROR_NO_DISTANCES, SYMLOC_ERROR_OVERFLOW, SYMLOC_OK,
    symloc_status,
};
use symloc_evaluate::{Bin, EvalError, Evaluator, Int, MissModel, Prediction};
use symloc_model::{LineChoice, Model, NamedSizes};

/// The system libraries that the static library needs on Linux, by `cargo rustc … -- --print native-static-libs`.
const NATIVE: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// The options of valgrind. Leaks of all kinds are errors: the library has no state that could be left.
const VALGRIND: [&str; 5] =
    ["-q", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=all"];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn models() -> PathBuf {
    here().join("../../tests/models")
}

/// Returns the directory of both libraries: cargo puts them beside this test.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

#[derive(Clone, Copy)]
enum Library {
    Static,
    Shared,
}

/// Compiles and links a source below this crate. Each test has its own `name` of the program.
fn compile(compiler: &[&str], source: &str, library: Library, name: &str) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).args(["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
    command.arg("-I").arg(here().join("include")).arg(here().join(source)).arg("-o").arg(&program);
    match library {
        Library::Static => command.arg(libraries().join("libsymloc_capi.a")).args(NATIVE),
        Library::Shared => command.arg("-L").arg(libraries()).args(["-lsymloc_capi", "-lpthread", "-lm"]),
    };
    run(&mut command);
    program
}

const C99: [&str; 2] = ["cc", "-std=c99"];

/// Adds the models that `tests/c/api.c` takes as arguments.
fn with_models(mut command: Command) -> Command {
    command.args(["matmul", "matmul-exact", "matmul-lines"].map(|name| models().join(name).with_extension("loc.json")));
    command
}

#[test]
fn every_function_can_be_called_rightly_and_wrongly() {
    for (library, name) in [(Library::Static, "api-static"), (Library::Shared, "api-shared")] {
        let mut command = with_models(Command::new(compile(&C99, "tests/c/api.c", library, name)));
        let output = run(command.env("LD_LIBRARY_PATH", libraries()));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "all is as expected\n");
    }
}

#[test]
fn the_header_is_one_of_cpp_too() {
    let program = compile(&["c++", "-std=c++11"], "tests/c/include.cpp", Library::Static, "include");
    run(&mut Command::new(program));
}

#[test]
fn the_shared_library_has_the_functions_of_the_header_and_nothing_else() {
    let header = std::fs::read_to_string(here().join("include/symloc.h")).unwrap();
    let words = header.lines().filter(|line| !line.starts_with([' ', '/'])).filter_map(|line| line.split_once('('));
    let mut declared: Vec<_> = words.filter_map(|(before, _)| before.rsplit([' ', '*']).next()).collect();
    declared.sort_unstable();
    let output = run(Command::new("nm").args(["-D", "--defined-only"]).arg(libraries().join("libsymloc_capi.so")));
    let output = String::from_utf8(output.stdout).unwrap();
    let mut exported: Vec<_> = output.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    exported.sort_unstable();
    assert_eq!(exported, declared);
    assert!(declared.len() > 20 && declared.iter().all(|name| name.starts_with("symloc_")), "{declared:?}");
}

#[test]
fn the_example_is_the_one_of_the_page_and_finds_the_size_of_the_tutorial() {
    let page = std::fs::read_to_string(here().join("../../docs/c-api.md")).unwrap();
    let example = std::fs::read_to_string(here().join("../../examples/c/autotune.c")).unwrap();
    assert!(page.contains(&format!("```c\n{example}```\n")), "docs/c-api.md has another examples/c/autotune.c");
    let program = compile(&C99, "../../examples/c/autotune.c", Library::Static, "autotune");
    let output = run(Command::new(&program).arg(models().join("matmul.loc.json")));
    let answer = "matmul: n = 448 misses 11289600 of 359661568 accesses, 3.14 %\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), answer);
    assert!(page.contains(answer));
    let refused = Command::new(&program).arg(models().join("gemm.loc.json")).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

/// The limit of `tests/c/answers.c`.
const MAX_POINTS: u64 = 100_000;

/// A query to that program.
struct ProgramQuery {
    model: PathBuf,
    line_bytes: u64,
    miss_model: u32,
    sizes: Vec<(&'static str, i64)>,
}

/// Returns the status of an expected error.
fn status(error: &EvalError) -> symloc_status {
    match error {
        EvalError::OutsideContext { .. } => SYMLOC_ERROR_CONTEXT,
        EvalError::NoDistances => SYMLOC_ERROR_NO_DISTANCES,
        EvalError::Limit { .. } => SYMLOC_ERROR_LIMIT,
        other => panic!("{other}"),
    }
}

fn narrow(number: &Int) -> u64 {
    number.to_i128().and_then(|number| u64::try_from(number).ok()).unwrap_or(u64::MAX)
}

fn status_of(numbers: &[&Int]) -> symloc_status {
    let fits = |number: &&Int| **number <= Int::from(u64::MAX);
    if numbers.iter().all(fits) { SYMLOC_OK } else { SYMLOC_ERROR_OVERFLOW }
}

impl ProgramQuery {
    fn new(model: &str, line_bytes: u64, miss_model: u32, sizes: &[(&'static str, i64)]) -> Self {
        Self { model: models().join(format!("{model}.loc.json")), line_bytes, miss_model, sizes: sizes.to_vec() }
    }

    fn ask(&self, mut command: Command) -> String {
        command.arg(&self.model).args([self.line_bytes.to_string(), self.miss_model.to_string()]);
        command.args(self.sizes.iter().map(|(name, value)| format!("{name}={value}")));
        String::from_utf8(run(&mut command).stdout).unwrap()
    }

    /// Returns the output of the program that the evaluator's results require.
    fn expected(&self) -> String {
        let model = Model::load(&self.model).unwrap();
        let line = if self.line_bytes == 0 { LineChoice::Only } else { LineChoice::Bytes(self.line_bytes) };
        let evaluator = Evaluator::new(&model, line).unwrap().with_limit(MAX_POINTS);
        let sizes: NamedSizes = self.sizes.iter().copied().collect();
        let mut text = String::new();
        match self.prediction(&evaluator, &sizes) {
            Ok(prediction) => self.write(&mut text, &evaluator, &sizes, &prediction),
            Err(error) => writeln!(text, "prediction: error {}: {error}", status(&error)).unwrap(),
        }
        text
    }

    fn prediction(&self, evaluator: &Evaluator<'_>, sizes: &NamedSizes) -> Result<Prediction, EvalError> {
        let lru = self.miss_model == SYMLOC_LRU || self.miss_model == SYMLOC_DEFAULT && evaluator.has_distances();
        evaluator.predict(if lru { MissModel::Lru } else { MissModel::Denning }, sizes)
    }

    fn write(&self, text: &mut String, evaluator: &Evaluator<'_>, sizes: &NamedSizes, prediction: &Prediction) {
        let miss_model = if prediction.miss_model() == MissModel::Lru { SYMLOC_LRU } else { SYMLOC_DENNING };
        let mut caches = String::new();
        let mut first = SYMLOC_OK;
        let all = [0].into_iter().chain((0..21).map(|power| 1 << power)).chain([u64::MAX]);
        for lines in all {
            let misses = prediction.misses(&Int::from(lines)).unwrap();
            let (total, estimated, accesses) = (misses.total(), prediction.estimated(), prediction.accesses());
            let numbers = [accesses, &misses.cold, &misses.reuse, &total, &estimated];
            let status = status_of(&numbers);
            first = if first == SYMLOC_OK { status } else { first };
            write!(caches, "{lines} lines: {status} {miss_model} {:016x}", total.ratio(accesses).to_bits()).unwrap();
            numbers.iter().for_each(|number| write!(caches, " {}", narrow(number)).unwrap());
            numbers.iter().for_each(|number| write!(caches, " {number}").unwrap());
            caches.push('\n');
        }
        let line_bytes = prediction.place().line_bytes.unwrap_or(0);
        writeln!(text, "line bytes {line_bytes}, miss model {miss_model}, status {first}").unwrap();
        text.push_str(&caches);
        let intervals = evaluator.distribution(MissModel::Denning, sizes);
        histogram(text, intervals.map(|found| vec![(0, found.real), (1, found.imaginary)]));
        let distances = evaluator.distribution(MissModel::Lru, sizes);
        histogram(text, distances.map(|found| vec![(0, found.distances), (2, found.real)]));
    }
}

fn histogram(text: &mut String, kinds: Result<Vec<(u32, Vec<Bin>)>, EvalError>) {
    match kinds {
        Ok(kinds) => bins(text, &kinds),
        Err(error) => writeln!(text, "histogram: error {}: {error}", status(&error)).unwrap(),
    }
}

fn bins(text: &mut String, kinds: &[(u32, Vec<Bin>)]) {
    writeln!(text, "{} bins", kinds.iter().map(|(_, bins)| bins.len()).sum::<usize>()).unwrap();
    for (kind, bins) in kinds {
        for Bin { interval, count } in bins {
            let (status, value, number) = (status_of(&[interval, count]), narrow(interval), narrow(count));
            writeln!(text, "{status} {kind} {value} {number} {interval} {count}").unwrap();
        }
    }
}

/// Returns queries of models of both versions, with lines and elements, one size and several, intervals and distances;
/// at sizes inside and outside their contexts, and at sizes whose counts have more than 64 and more than 128 bits.
fn questions() -> Vec<ProgramQuery> {
    let (denning, lru) = (SYMLOC_DENNING, SYMLOC_LRU);
    let mut questions = vec![
        ProgramQuery::new("gemm", 0, 0, &[("nk", 48), ("ni", 32), ("nj", 40)]),
        ProgramQuery::new("gemm", 64, denning, &[("ni", 1), ("nj", 1), ("nk", 1)]),
        ProgramQuery::new("gemm-element", 8, 0, &[("ni", 7), ("nj", 5), ("nk", 3)]),
        ProgramQuery::new("gemm-element", 0, lru, &[("ni", 7), ("nj", 5), ("nk", 3)]),
        ProgramQuery::new("jacobi-2d", 0, 0, &[("n", 40), ("T", 3)]),
        ProgramQuery::new("jacobi-2d", 0, 0, &[("n", -40), ("T", i64::MIN)]),
        ProgramQuery::new("one_row", 0, 0, &[("n", 100), ("m", 3)]),
        ProgramQuery::new("triangle", 0, 0, &[("n", 50)]),
        ProgramQuery::new("matmul-lines", 0, 0, &[("n", 64), ("b", 8)]),
        ProgramQuery::new("matmul-lines", 0, 0, &[("n", 64), ("b", 0)]),
        ProgramQuery::new("matmul-lines", 128, 0, &[("n", 64)]),
        ProgramQuery::new("matmul-lines-exact", 64, 0, &[("n", 64)]),
        ProgramQuery::new("matmul-lines-exact", 64, denning, &[("n", 64), ("b", 8)]),
    ];
    for n in [16, 24, 100, 400, 2_000_000, i64::MAX - 7, i64::MAX, 0, -8, i64::MIN] {
        questions.push(ProgramQuery::new("matmul", 0, 0, &[("n", n)]));
        questions.push(ProgramQuery::new("matmul-exact", 0, 0, &[("n", n)]));
        questions.push(ProgramQuery::new("matmul-exact", 64, denning, &[("n", n)]));
    }
    for n in [1, 2, 33, 64] {
        questions.push(ProgramQuery::new("lu", 0, 0, &[("n", n)]));
        questions.push(ProgramQuery::new("lu-element", 0, 0, &[("n", n)]));
    }
    questions
}

#[test]
fn answers_are_those_of_the_evaluator() {
    let program = compile(&C99, "tests/c/answers.c", Library::Static, "answers");
    for question in questions() {
        let name = format!("{} {:?}", question.model.display(), question.sizes);
        assert_eq!(question.ask(Command::new(&program)), question.expected(), "{name}");
    }
}

/// Returns a command that runs a program under valgrind; prints a note and returns `None` if valgrind is not installed.
fn valgrind(program: &Path) -> Option<Command> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        // Written to the stream itself, because the test harness captures the output of `eprintln!`.
        let _ = writeln!(std::io::stderr(), "note: valgrind is not installed, so nothing is run under it");
        return None;
    }
    let mut command = Command::new("valgrind");
    command.args(VALGRIND).arg(program);
    Some(command)
}

#[test]
fn valgrind_finds_nothing() {
    let program = compile(&C99, "tests/c/api.c", Library::Static, "api-valgrind");
    valgrind(&program).into_iter().for_each(|command| drop(run(&mut with_models(command))));
}

mod slow {
    use super::*;

    #[test]
    fn valgrind_finds_nothing_in_answers() {
        let program = compile(&C99, "tests/c/answers.c", Library::Static, "answers-valgrind");
        let small = |question: &ProgramQuery| question.sizes.iter().all(|(_, size)| *size <= 64);
        for question in questions().into_iter().filter(small).step_by(4) {
            valgrind(&program).into_iter().for_each(|command| assert_eq!(question.ask(command), question.expected()));
        }
    }
}
