//! Tests that curves over the number of threads have the numbers of `query --threads`, one number of threads after the other.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::process::Command;

use serde_json::Value;

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/jacobi-1d-threads.loc.json");
const MACHINES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/machines");
const COUNTS: [u64; 9] = [1, 2, 3, 4, 7, 8, 16, 31, 64];

fn ask(command: &str, arguments: &str) -> Value {
    let mut symloc = Command::new(env!("CARGO_BIN_EXE_symloc-query"));
    symloc.args([command, MODEL, "--json"]).args(arguments.split_whitespace());
    let output = symloc.output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Checks that each field of a level in the answer of `query` is one of the curve.
fn assert_within(curve: &Value, query: &Value, what: &str) {
    let (curve, query) = (curve.as_array().unwrap(), query.as_array().unwrap());
    assert_eq!((curve.len(), query.is_empty()), (query.len(), false), "{what}");
    for (curve, query) in curve.iter().zip(query) {
        for (field, value) in query.as_object().unwrap() {
            assert_eq!(curve[field], *value, "{what}: {field}");
        }
        let misses = query["misses"].as_u64().unwrap() + query["coherence_misses"].as_u64().unwrap_or(0);
        let with_false_sharing = misses + query["false_sharing_misses"].as_u64().unwrap_or(0);
        assert_eq!(curve["bytes_read"], 64 * with_false_sharing, "{what}");
        assert_eq!(curve["bytes_written"].as_u64(), query["write_backs"].as_u64().map(|lines| 64 * lines), "{what}");
    }
}

#[test]
fn a_curve_has_the_numbers_of_query() {
    let counts = COUNTS.map(|count| count.to_string()).join(",");
    let cases = [
        "--cache 8KiB --cache 64KiB".to_owned(),
        "--cache 8KiB --model denning".to_owned(),
        "--cache 1KiB,4 --cache 16KiB,8,64,plru".to_owned(),
        "--cache 1KiB --cache 16KiB --shared-levels 1".to_owned(),
        "--cache 1KiB --interleave random:3".to_owned(),
        format!("--machine {MACHINES}/cores.toml --cache 1MiB --shared-levels 1 --interleave after"),
        format!("--machine {MACHINES}/cores.toml --fully-associative"),
    ];
    for caches in cases {
        let size = "-D n=1000,tsteps=3";
        let curve = ask("curve", &format!("{size} {caches} --threads {counts}"));
        assert_eq!(curve["schema"], "symloc.thread_curve/1");
        let points = curve["points"].as_array().unwrap();
        assert_eq!(points.len(), COUNTS.len());
        for (count, point) in COUNTS.iter().zip(points) {
            let query = ask("query", &format!("{size} {caches} --threads {count}"));
            let what = format!("{caches} on {count} threads");
            assert_eq!((&point["threads"], &query["threads"]), (&Value::from(*count), &Value::from(*count)), "{what}");
            for field in ["accesses", "first_touches", "model"] {
                assert_eq!(curve[field], query[field], "{what}: {field}");
            }
            assert_eq!(point["falsely_shared_lines"], query["falsely_shared_lines"], "{what}");
            assert_within(&point["levels"], &query["levels"], &what);
        }
    }
}

/// On one thread a roofline is that of one core, and on several it grows until a shared level delivers all it can.
#[test]
fn a_roofline_of_one_thread_is_that_of_a_core() {
    let size = "-D n=3000,tsteps=4 --roofline";
    let machine = format!("--machine {MACHINES}/cores.toml");
    let one = ask("curve", &format!("{size} {machine}"));
    let many = ask("curve", &format!("{size} {machine} --threads 1..6"));
    let points = many["programs"][0]["points"].as_array().unwrap();
    for field in ["operations", "operations_per_second", "bound_by", "levels"] {
        assert_eq!(points[0][field], one["programs"][0][field], "{field}");
    }
    let curve = ask("curve", &format!("-D n=3000,tsteps=4 {machine} --threads 1..6"));
    for (cores, (point, of_curve)) in (1..).zip(points.iter().zip(curve["points"].as_array().unwrap())) {
        // Each core has a second level of its own, and all of them read 20 GB/s from memory.
        let rates = [40_000_000_000_u64 * cores, (8_000_000_000 * cores).min(20_000_000_000)];
        for ((level, rate), of_curve) in
            point["levels"].as_array().unwrap().iter().zip(rates).zip(of_curve["levels"].as_array().unwrap())
        {
            assert_eq!(level["bandwidth"], rate, "{cores}");
            let bytes = of_curve["bytes_read"].as_u64().unwrap() + of_curve["bytes_written"].as_u64().unwrap();
            assert_eq!(level["bytes"], bytes, "{cores}");
            let most = point["operations"].as_u64().unwrap() as f64 / bytes as f64 * rate as f64;
            let told = level["operations_per_second"].as_f64().unwrap();
            assert!((most.min(32e9 * cores as f64) / told - 1.0).abs() < 1e-12, "{cores}: {most} {told}");
        }
    }
    assert_eq!(many["programs"][0]["saturated"], serde_json::json!([{"level": "memory", "threads": [3, 6]}]));
}
