//! Arrays of which each thread has its own: questions by formulas beside runs on threads.

use serde_json::Value;

use crate::common::{model, nothing_from, symloc};

const THREADS: [u32; 5] = [1, 2, 3, 7, 64];

/// Capacities in lines of 64 bytes.
const CAPACITIES: [u64; 9] = [1, 2, 3, 5, 8, 13, 34, 89, 610];

/// The programs, with sizes at which all rows are whole lines, and the number of lines that each thread has of its own.
const PROGRAMS: [(&str, &str, u64); 5] = [
    ("tests/parallel/own_buffers.c", "n=19,m=40", 5),
    ("tests/parallel/own_chunks.c", "n=19,m=24", 2),
    ("tests/parallel/own_psinv.c", "n=16", 4),
    ("tests/parallel/own_region.c", "n=21,m=24", 3),
    ("tests/threads/own_buffer.mlir", "n=13", 4),
];

/// Returns the answer of a command about a number of threads.
fn answer(command: &[&str], sizes: &str, threads: u32) -> Result<Value, String> {
    let caches = CAPACITIES.iter().map(|lines| format!("--cache={}", lines * 64));
    let rest: Vec<_> =
        [format!("-D{sizes}"), format!("--threads={threads}"), "--json".to_owned()].into_iter().chain(caches).collect();
    let args: Vec<_> = command.iter().copied().chain(rest.iter().map(String::as_str)).collect();
    match symloc(&args) {
        (answer, _, Some(0)) => Ok(serde_json::from_str(&answer).unwrap()),
        (_, errors, _) => Err(format!("symloc {}\n{errors}", args.join(" "))),
    }
}

/// Returns the numbers of an answer that do not depend on the order of threads.
fn numbers(answer: &Value) -> Vec<&Value> {
    let levels = answer["levels"].as_array().unwrap();
    assert_eq!(levels.len(), CAPACITIES.len());
    let of_levels =
        levels.iter().flat_map(|level| [&level["misses"], &level["misses_by_thread"], &level["coherence_misses"]]);
    [&answer["accesses"], &answer["first_touches"]].into_iter().chain(of_levels).collect()
}

/// Returns the first difference between formulas and a run.
fn difference((file, sizes, lines): (&str, &str, u64)) -> Option<String> {
    let model = match model(&[file, "--parallel", "marked", "--exact"]) {
        Ok(model) => model,
        Err(why) => return Some(why),
    };
    let mut alone = None;
    THREADS.into_iter().find_map(|threads| {
        let run: &[&str] = &["simulate", file, "--parallel", "marked", "--interleave", "lockstep", "--apart"];
        let (asked, run) = match (answer(&["query", &model], sizes, threads), answer(run, sizes, threads)) {
            (Ok(asked), Ok(run)) => (asked, run),
            (asked, run) => return asked.err().or(run.err()),
        };
        if numbers(&asked) != numbers(&run) {
            return Some(format!("{file} on {threads} threads: {asked}\n{run}"));
        }
        let touches = asked["first_touches"].as_u64().unwrap();
        let copies = touches - *alone.get_or_insert(touches);
        let busy =
            asked["levels"][0]["misses_by_thread"].as_array().unwrap().iter().filter(|misses| **misses != 0).count();
        let expected = lines * (busy as u64 - 1);
        (copies != expected).then(|| format!("{file} on {threads} threads: {copies} lines of copies, not {expected}"))
    })
}

/// Misses of each thread, those on lines that others have written, and first touches.
#[test]
fn formulas_of_arrays_of_each_thread_are_runs() {
    nothing_from(PROGRAMS.into_iter(), difference);
}

/// Without threads there is one array, and nothing is said of copies.
#[test]
fn without_threads_there_is_one_array() {
    for (file, sizes, _) in PROGRAMS {
        let of = |options: &[&str]| {
            let model = model(&[&[file], options].concat()).unwrap();
            let (answer, errors, status) = symloc(&["query", &model, &format!("-D{sizes}"), "--cache=512", "--json"]);
            assert_eq!(status, Some(0), "{errors}");
            let answer: Value = serde_json::from_str(&answer).unwrap();
            [answer["accesses"].clone(), answer["first_touches"].clone(), answer["levels"].clone()]
        };
        assert_eq!(of(&["--exact"]), of(&["--exact", "--parallel", "marked"]), "{file}");
    }
}

/// A cache that all threads share holds the copies of all of them.
#[test]
fn shared_caches_hold_all_copies() {
    let (file, sizes, lines) = PROGRAMS[0];
    let shared = |threads: u32| {
        let command = ["simulate", file, "--parallel", "marked", "--shared-levels", "9", "--apart"];
        answer(&command, sizes, threads).unwrap()["levels"][8]["misses"].as_u64().unwrap()
    };
    // 610 lines hold everything, so that each line misses once.
    assert_eq!(shared(7) - shared(1), 6 * lines);
}
