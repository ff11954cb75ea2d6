//! Parallel loops whose ends are in memory are divided as those whose ends are arguments.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{model, nothing_from, symloc};

/// Functions with their ends in memory, and what they have of them as an argument: of one thread more, thread 0 reads a line.
const FUNCTIONS: [(&str, &str, &str, &str); 6] = [
    ("const int *n, double *x", "int n, double *x", "for (int i = 0; i < END; i++) x[i] = 2;", "*n"),
    ("const int *n, double *x", "int n, double *x", "for (int i = 1; i <= END; i += 3) x[i] += x[i - 1];", "*n"),
    ("const int *n, double *x", "int n, double *x", "for (int i = END - 1; i >= 0; i--) x[i] = i;", "*n"),
    ("const int *n, double *x", "int n, double *x", "for (int i = 0; i != END; i++) if (i % 2) x[i] = i;", "*n"),
    (
        "const int *n, double *x",
        "int n, double *x",
        "for (int i = 0; i < (END + 3) / 4; i++) if (i > 2) x[i] = i;",
        "*n",
    ),
    (
        "const int *n, double (*x)[8]",
        "int n, double (*x)[8]",
        "for (int i = 1; i < END - 1; i++) for (int j = 0; j < 8; j++) x[i][j] = 1;",
        "*n",
    ),
];

const THREADS: [&str; 5] = ["1", "2", "3", "8", "30"];

fn written(name: &str, parameters: &str, body: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("loop-bounds");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, format!("void f({parameters}) {{\n#pragma omp parallel for\n  {body}\n}}\n")).unwrap();
    file.to_str().unwrap().to_owned()
}

fn answer(program: &[&str], threads: &str) -> Result<Value, String> {
    let options = ["-D", "n=24", "--cache", "1KiB,full", "--threads", threads, "--json"];
    let (answer, errors, _) = symloc(&[program, &options].concat());
    serde_json::from_str(&answer).map_err(|_| errors)
}

/// Returns the accesses, the falsely shared lines of x, and the misses of each thread.
fn numbers(answer: &Value) -> (i64, Value, Vec<i64>) {
    let misses = answer["levels"][0]["misses_by_thread"].as_array();
    let misses = misses.into_iter().flatten().filter_map(Value::as_i64).collect();
    (answer["accesses"].as_i64().unwrap(), answer["falsely_shared_lines"]["x"].clone(), misses)
}

fn difference(index: usize, (in_memory, as_argument, body, end): &(&str, &str, &str, &str)) -> Result<(), String> {
    let read = written(&format!("read{index}.c"), in_memory, &body.replace("END", end));
    let given = written(&format!("given{index}.c"), as_argument, &body.replace("END", "n"));
    let marked = ["--parallel", "marked", "--assume-noalias"];
    let model = |file: &str| model(&[&[file, "--exact"], &marked[..]].concat());
    let (read_model, given_model) = (model(&read)?, model(&given)?);
    for threads in THREADS {
        let of_read = numbers(&answer(&["query", &read_model], threads)?);
        let (accesses, shared, mut misses) = numbers(&answer(&["query", &given_model], threads)?);
        let run = numbers(&answer(&[&["simulate", &read, "--apart"], &marked[..]].concat(), threads)?);
        misses[0] += 1;
        let expected = (accesses + 1, shared, misses);
        if of_read != expected || (run.0, &run.2) != (expected.0, &expected.2) {
            return Err(format!("{threads} threads: {of_read:?}, {run:?}, not {expected:?}"));
        }
    }
    Ok(())
}

#[test]
fn ends_in_memory_divide_as_arguments_do() {
    nothing_from(FUNCTIONS.iter().enumerate(), |(index, function)| {
        difference(index, function).err().map(|why| format!("{function:?}: {why}"))
    });
}
