//! The paper's Table 1 and Table 3, and a histogram computed by hand, through the program from MLIR to JSON.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

/// Runs `symloc` in the repository and reads the one JSON object that it prints.
fn symloc(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_symloc"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "symloc {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "symloc {args:?} is not quiet: {}", String::from_utf8_lossy(&output.stderr));
    if output.stdout.is_empty() { Value::Null } else { serde_json::from_slice(&output.stdout).unwrap() }
}

/// Derives a model into a file for one test. The paper's arrays are padded: every row starts a line.
fn derive(name: &str, args: &[&str]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.loc.json"));
    let path = path.to_str().unwrap().to_owned();
    assert_eq!(symloc(&[&["derive"], args, &["--layout", "rows", "-o", &path]].concat()), Value::Null);
    path
}

const MATMUL: [&str; 3] = ["polybench/matmul.mlir", "--assume", "n mod 8 = 0, n >= 16"];

/// RI, portion, miss ratio, cold misses and cache size of every row. The order of accesses is A, B, C, C, which gives
/// the paper's numbers (its text says C, A, B, C).
#[test]
fn table_1() {
    let table = symloc(&["table", &derive("table-1", &MATMUL), "--format", "json"]);
    let rows = [
        ("1", "1/4", "3/4", "0", "1"),
        ("3", "1/4 - 1/(32*n)", "1/2 + 1/(32*n)", "0", "5/2"),
        ("4", "7/32", "9/32 + 1/(32*n)", "0", "3 + 1/(32*n)"),
        ("4*n - 28", "1/32 - 1/(32*n)", "1/4 + 1/(16*n)", "0", "9*n/8 - 47/8 - 31/(32*n)"),
        ("4*n", "7/32", "1/32 + 1/(16*n)", "0", "9*n/8 + 9/8 + 25/(32*n)"),
        ("4*n**2 - 28*n", "1/32", "3/(32*n)", "1/(32*n)", "n**2/8 + 3*n/8 - 7/8 + 25/(32*n)"),
        ("4*n**3 - 4*n**2 + 4*n - 28", "1/(32*n)", "3/(32*n)", "1/(16*n)", "3*n**2/8 - n/8 + 9/8 - 31/(32*n)"),
        ("4*n**3 - 32*n + 3", "1/(32*n)", "3/(32*n)", "3/(32*n)", "3*n**2/8"),
    ];
    let row = |(index, (ri, portion, miss_ratio, cold, cache)): (usize, &(&str, &str, &str, &str, &str))| {
        json!({"ri": ri, "imaginary": index >= 6, "portion": portion, "miss_ratio": miss_ratio, "cold": cold,
            "cache": cache})
    };
    let expected = json!({
        "schema": "symloc.table/1",
        "parameters": ["n"],
        "context": "n >= 16 and n mod 8 = 0",
        "rows": rows.iter().enumerate().map(row).collect::<Vec<_>>(),
    });
    assert_eq!(table, expected);
}

/// The paper's first example: 1/b of the accesses of a traversal miss, for b elements in a line.
#[test]
fn a_traversal_misses_once_in_a_line() {
    let args = ["tests/kernels/traversal.mlir", "--line", "b", "--assume", "n mod b = 0"];
    let table = symloc(&["table", &derive("traversal", &args), "--format", "json"]);
    assert_eq!(table["parameters"], json!(["n", "b"]));
    let last = table["rows"].as_array().unwrap().last().unwrap();
    assert_eq!(last["miss_ratio"], "1/b");
}

/// The exact table of the matrix multiplication with lines of b elements: the rows with a single distance, as
/// polynomials in n and b. (A test of `symloc-locality` compares them with those of 64-byte lines at b = 8.)
#[test]
fn distances_in_n_and_b() {
    let args = ["polybench/matmul.mlir", "--exact", "--line", "b", "--assume", "n mod b = 0"];
    let table = symloc(&["table", &derive("distances-in-b", &args), "--model", "lru", "--format", "json"]);
    let rows = [
        ("0", "1/4", "3/4", "1"),
        ("2", "1/2 - 1/(4*b) - 1/(4*n*b)", "1/4 + 1/(4*b) + 1/(4*n*b)", "3"),
        (
            "n - b + n/b + 1",
            "1/(4*b) - 1/(4*b**2) + 1/(4*n*b) - 1/(4*n**2)",
            "1/4 + 1/(4*b**2) + 1/(4*n**2)",
            "n - b + n/b + 2",
        ),
        ("n - b + n/b + 2", "1/(4*b**2) - 1/(2*n*b) + 1/(4*n**2)", "1/4 + 1/(2*n*b)", "n - b + n/b + 3"),
        ("n + n/b", "1/4 - 1/(4*b)", "1/(4*b) + 1/(2*n*b)", "n + n/b + 1"),
        (
            "n**2/b + 2*n/b",
            "1/(2*n**2) - 1/(2*n**3)",
            "1/(4*b) + 1/(2*n*b) - 1/(2*n**2) + 1/(2*n**3)",
            "n**2/b + 2*n/b + 1",
        ),
        (
            "n**2/b + 3*n/b",
            "1/(4*b) - 1/(2*n) + b/(4*n**2) - 1/(2*n*b) + 1/(2*n**2) - b/(4*n**3) + 1/(4*n**2*b)",
            "3/(4*n*b)",
            "n**2/b + 3*n/b + 1",
        ),
    ];
    let row = |(rd, portion, miss_ratio, cache): &(&str, &str, &str, &str)| {
        json!({"rd": rd, "imaginary": false, "portion": portion, "miss_ratio": miss_ratio, "cold": "3/(4*n*b)",
            "cache": cache})
    };
    let found = table["rows"].as_array().unwrap().iter().filter(|row| !row["cache"].is_null());
    assert_eq!(found.cloned().collect::<Vec<_>>(), rows.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn table_3() {
    let scaling = symloc(&["scaling", &derive("table-3", &MATMUL), "--terms", "all", "--format", "json"]);
    let rows = [
        ("1", "3/4", "1", "3/4"),
        ("5/2", "1/2 + 1/(32*n)", "5/2", "1/2"),
        ("3 + 1/(32*n)", "9/32 + 1/(32*n)", "3", "9/32"),
        ("9*n/8 - 47/8 - 31/(32*n)", "1/4 + 1/(16*n)", "9*n/8", "1/4"),
        ("9*n/8 + 9/8 + 25/(32*n)", "1/32 + 1/(16*n)", "9*n/8", "1/32"),
        ("n**2/8 + 3*n/8 - 7/8 + 25/(32*n)", "3/(32*n)", "n**2/8", "3/(32*n)"),
    ];
    let row = |(cache, miss_ratio, cache_leading, miss_ratio_leading): &(&str, &str, &str, &str)| {
        json!({"cache": cache, "miss_ratio": miss_ratio, "cache_leading": cache_leading,
            "miss_ratio_leading": miss_ratio_leading})
    };
    let expected = json!({
        "schema": "symloc.scaling/1",
        "parameters": ["n"],
        "context": "n >= 16 and n mod 8 = 0",
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    });
    assert_eq!(scaling, expected);
}

/// Table 3 in leading terms: rows with the same cache size are merged.
#[test]
fn table_3_in_leading_terms() {
    let scaling = symloc(&["scaling", &derive("table-3-leading", &MATMUL), "--format", "json"]);
    let rows = [
        ("1", "1", "3/4"),
        ("5/2", "3/4", "1/2"),
        ("3", "1/2", "9/32"),
        ("9*n/8", "9/32", "1/32"),
        ("n**2/8", "1/32", "3/(32*n)"),
    ];
    let found: Vec<[Value; 4]> = (scaling["rows"].as_array().unwrap().iter())
        .map(|row| ["cache_from", "cache_to", "miss_ratio_before", "miss_ratio_after"].map(|key| row[key].clone()))
        .collect();
    let expected = rows.map(|(cache, before, after)| [cache, cache, before, after].map(Value::from));
    assert_eq!(found, expected);
    assert_eq!(scaling["schema"], "symloc.scaling/2");
}

/// A five-point stencil, which reads four neighbours and writes one element, has five rows.
#[test]
fn a_stencil_in_five_rows() {
    let scaling = symloc(&["scaling", &derive("five-points", &["tests/kernels/five_points.mlir"]), "--format", "json"]);
    let rows = scaling["rows"].as_array().unwrap();
    let caches: Vec<&str> = rows.iter().map(|row| row["cache_to"].as_str().unwrap()).collect();
    assert_eq!(caches, ["1", "71/20", "169/40", "m/2"]);
    assert_eq!(scaling["blocks"], "n*m/4");
}

/// The histogram of the matrix multiplication, at a size that is not a multiple of a line.
#[test]
fn histogram_at_19() {
    let model = derive("histogram-at-19", &["polybench/matmul.mlir"]);
    let histogram = symloc(&["histogram", &model, "-D", "n=19", "--json"]);
    assert_eq!(histogram["accesses"], 27436);
    assert_eq!(histogram["blocks"], 171);
    assert_eq!(histogram["real"][0], json!([1, 6859]));
    assert_eq!(histogram["imaginary"][0], json!([912, 38]));
    let count = |kind: &str| {
        let pairs = histogram[kind].as_array().unwrap().iter();
        pairs.map(|pair| pair[1].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((count("real"), count("imaginary")), (27436 - 171, 171));
}

/// `simulate` prints the same object as the commands on a model, with a remark that it was simulated.
#[test]
fn simulation_prints_the_same_object() {
    let model = derive("twins", &["polybench/gemm.mlir", "--line-bytes", "32,64"]);
    let sizes = ["-D", "ni=19", "-D", "nj=16", "-D", "nk=11", "--line-bytes", "64", "--json"];
    let derived = symloc(&[&["histogram", &model], &sizes[..]].concat());
    let mut simulated =
        symloc(&[&["simulate", "polybench/gemm.mlir", "--layout", "rows", "--histogram"], &sizes[..]].concat());
    assert_eq!(simulated.as_object_mut().unwrap().remove("model"), Some(json!("simulation")));
    assert_eq!(simulated, derived);
}

/// The results of haystack: gemm at n = 128 in the order C, A, B, C, in 32 KiB of fully associative LRU.
#[test]
fn gemm_at_128_misses_as_in_haystack() {
    let kernel = ["simulate", "tests/kernels/gemm-cabc.mlir", "--layout", "rows", "-D", "n=128"];
    let mut misses = symloc(&[&kernel[..], &["--cache", "32KiB", "--json"]].concat());
    // Rows of C, of 16 lines each, are written one after the other; four lines of the last are still in the cache.
    let written = misses["levels"][0].as_object_mut().and_then(|level| level.remove("write_backs"));
    assert_eq!(written, Some(json!(128 * 16 - 4)));
    let expected = json!({
        "schema": "symloc.query/1",
        "parameters": {"n": 128},
        "model": "simulation",
        "accesses": 8_388_608,
        "first_touches": 6_144,
        "levels": [{"bytes": 32768, "ways": 512, "line_bytes": 64, "misses": 266_240, "miss_ratio": 0.031_738_281_25}],
    });
    assert!(misses.as_object_mut().is_some_and(|misses| misses.remove("assumptions").is_some()));
    assert_eq!(misses, expected);
    let model = derive("gemm-cabc", &["tests/kernels/gemm-cabc.mlir"]);
    let mut derived = symloc(&["query", &model, "-D", "n=128", "--cache", "32KiB", "--json"]);
    assert_eq!(derived["model"].take(), json!("denning"));
    derived["model"] = json!("simulation");
    derived.as_object_mut().unwrap().remove("assumptions");
    assert_eq!(derived, expected, "Denning's prediction is exact here");
}
