//! Programs with too many formulas: their models hold totals, and misses are sampled.

use serde_json::Value;

use crate::common::{model, nothing_from, share, symloc};

/// Programs in skewed tiles, with sizes at which tiles are whole and cut off, and a run is short or sampled.
const PROGRAMS: [(&str, [&str; 4]); 3] = [
    ("benchmarks/field/jacobi_1d_tiled.c", ["T=1,N=5", "T=40,N=100", "T=64,N=992", "T=3000,N=3200"]),
    ("tests/tiled/heat-3d.mlir", ["tsteps=1,n=3", "tsteps=3,n=20", "tsteps=20,n=23", "tsteps=33,n=37"]),
    ("benchmarks/field/seidel_2d_tiled.mlir", ["T=1,N=3", "T=7,N=40", "T=33,N=97", "T=40,N=333"]),
];

const CACHES: [&str; 2] = ["--cache", "48KiB"];

fn json(arguments: &[&str]) -> Result<Value, String> {
    match symloc(&[arguments, &CACHES, &["--json"]].concat()) {
        (answer, _, Some(0)) => Ok(serde_json::from_str(&answer).unwrap()),
        (_, errors, _) => Err(errors),
    }
}

/// Returns what is wrong about the answer at a size.
fn difference(file: &str, model: &str, sizes: &str) -> Result<Option<String>, String> {
    let asked = json(&["query", model, "-D", sizes])?;
    let run = json(&["simulate", file, "-D", sizes, "--max-accesses", "1000000000"])?;
    let number = |value: &Value| value.as_u64().unwrap();
    let misses = number(&run["levels"][0]["misses"]);
    let level = &asked["levels"][0];
    let holds = match level["sampled"].as_bool() {
        Some(true) => number(&level["low"]) <= misses && misses <= number(&level["high"]),
        _ => number(&level["misses"]) == misses,
    };
    let equal = asked["accesses"] == run["accesses"] && asked["first_touches"] == run["first_touches"];
    Ok((!holds || !equal).then(|| format!("{file} at {sizes}:\n{asked}\n{run}")))
}

#[test]
fn misses_are_sampled_where_formulas_have_no_end() {
    let sizes = PROGRAMS.into_iter().flat_map(|(file, sizes)| sizes.map(|sizes| (file, sizes)));
    nothing_from(share([0, 3], sizes), |(file, sizes)| {
        let found = model(&[file]).and_then(|model| difference(file, &model, sizes));
        found.unwrap_or_else(|error| Some(format!("{file} at {sizes}: {error}")))
    });
}

#[test]
fn formulas_are_refused() {
    let model = model(&["benchmarks/field/jacobi_1d_tiled.c"]).unwrap();
    let sizes = "T=40,N=100";
    let commands: [&[&str]; 9] = [
        &["table", &model],
        &["formula", &model],
        &["scaling", &model],
        &["histogram", &model, "-D", sizes],
        &["explain", &model, "-D", sizes, "--cache", "48KiB"],
        &["curve", &model, "-D", sizes],
        &["query", &model, "-D", sizes, "--cache", "48KiB", "--model", "denning"],
        &["query", &model, "-D", sizes, "--cache", "48KiB", "--by", "array"],
        &["find-cache", &model, "-D", sizes, "--max-miss-ratio", "1%"],
    ];
    for command in commands {
        let (_, errors, status) = symloc(command);
        let refused = errors.contains("the model holds no formulas of reuse") && errors.contains("--max-operations");
        assert!(status == Some(2) && refused, "{command:?}: {status:?}\n{errors}");
    }
}
