//! `symloc scaling`: compares the profiles of all kernels with the misses of the evaluator at large sizes.
//!
//! A row gives, in leading terms, the caches between which the miss ratio falls, and both miss ratios. So at n = 20,000
//! for all parameters, or the largest size that the evaluator can handle, a cache a tenth smaller than the row's first
//! and one a tenth larger than its last must have these miss ratios, unless a neighbouring row is that close; and a
//! cache half way must have that of the middle.
//!
//! `symloc table` shows the same rows instead of a long exact table: they must agree with it (`grouped`), no line may
//! be too wide, and `--full` must print all rows of the JSON output.

mod grouped;

use std::fs;

use crate::common::{model, nothing_from, root, share, symloc};
use grouped::Exists;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use serde_json::Value;
use symloc_evaluate::{Evaluator, MissModel, Prediction};
use symloc_locality::profile::Profile;
use symloc_locality::{Counts, Growth, lru_profiles, profiles};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_quasi::{Int, Quotient, Rational};

/// The sizes that are tried, the largest first.
const SIZES: [i64; 5] = [20_000, 6_000, 2_000, 600, 200];

/// Programs whose distances take long to derive; only an ignored test compares them.
const LONG: [&str; 8] = [
    "adi",
    "fdtd-2d",
    "heat-3d",
    "matrix_chain_5",
    "nussinov",
    "seidel-2d",
    "tensor_regression_network_pattern",
    "tucker_decomposition_pattern",
];

/// Programs whose exact tables take long; only an ignored test compares them.
const SLOW_TABLES: [&str; 11] = [
    "2mm",
    "3mm",
    "bilinear_transformation_pattern",
    "fdtd-2d",
    "matrix_chain_5",
    "maxcut_quantum_circuit_pattern",
    "nussinov",
    "tensor_network_2x3_pattern",
    "tensor_regression_network_pattern",
    "triplestore_query_pattern",
    "tucker_decomposition_pattern",
];

/// Programs whose exact table of distances takes minutes.
const LONG_TABLES: [&str; 2] = ["3mm", "maxcut_quantum_circuit_pattern"];

fn programs() -> Vec<String> {
    let in_folder = |folder: &str, end: &str| {
        let names = fs::read_dir(root().join(folder)).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(end)).map(|name| format!("{folder}/{name}")).collect::<Vec<_>>()
    };
    let mut programs = [in_folder("polybench", ".mlir"), in_folder("einsum", ".einsum")].concat();
    programs.sort();
    programs
}

fn name(program: &str) -> &str {
    program.rsplit('/').next().unwrap().split('.').next().unwrap()
}

fn is_long(program: &str) -> bool {
    LONG.contains(&name(program))
}

fn prediction(evaluator: &Evaluator<'_>, sizes: &NamedSizes, exact: bool) -> Option<Prediction> {
    evaluator.predict(if exact { MissModel::Lru } else { MissModel::Denning }, sizes).ok()
}

fn miss_ratio(prediction: &Prediction, blocks: &BigInt) -> f64 {
    prediction.misses(&Int::from(blocks.clone())).unwrap().total().ratio(prediction.accesses())
}

/// Returns the errors in a program's profiles, of intervals and, if they are derived, of distances.
fn difference(program: &str, distances: bool, tables: bool) -> Option<String> {
    let arguments = [program, "--exact"];
    let path = match model(if distances { &arguments } else { &arguments[..1] }) {
        Ok(path) => path,
        Err(refused) => return Some(refused),
    };
    let model = Model::load(path.as_ref()).unwrap();
    let wrong = |exact: bool| {
        let line = &model.lines[0];
        let found = if exact {
            lru_profiles(&model, line, Counts::default(), &Growth::default()).map(Option::unwrap)
        } else {
            profiles(&model, line, Counts::default(), &Growth::default())
        };
        let wrong = match found {
            Ok(profiles) if profiles.len() == 1 => {
                rows(&model, &profiles[0], exact, &SIZES.map(|size| vec![size; model.parameters.len()]))
            }
            Ok(profiles) => Some(format!("{} profiles", profiles.len())),
            Err(error) => Some(error.to_string()),
        };
        let wrong = wrong.map(|wrong| format!("{program}, exact {exact}: {wrong}"));
        let table = || if tables { table(&model, program, &path, exact) } else { None };
        wrong.or_else(|| shown(program, &path, exact)).or_else(table)
    };
    wrong(false).or_else(|| if distances { wrong(true) } else { None })
}

/// Returns an error unless the output has at most 30 lines of at most 120 characters.
fn shown(program: &str, path: &str, exact: bool) -> Option<String> {
    let (text, errors, _) = symloc(&["scaling", path, "--model", miss_model(exact)]);
    let fits = !text.is_empty() && text.lines().count() <= 30 && text.lines().all(|line| line.chars().count() <= 120);
    (!fits).then(|| format!("{program}:\n{text}{errors}"))
}

fn miss_model(exact: bool) -> &'static str {
    if exact { "lru" } else { "denning" }
}

/// Returns the errors in the output of `symloc table`.
fn table(model: &Model, program: &str, path: &str, exact: bool) -> Option<String> {
    if exact && LONG_TABLES.contains(&name(program)) {
        return None;
    }
    match grouped::compare(model, exact) {
        Ok(Exists::Yes) => tables_shown(program, path, exact),
        Ok(Exists::No) => None,
        Err(wrong) => Some(format!("{program}, table, exact {exact}: {wrong}")),
    }
}

/// Returns an error if a line of a table has more than 160 characters, or if `--full` does not have all rows of JSON.
fn tables_shown(program: &str, path: &str, exact: bool) -> Option<String> {
    let table = |options: &[&str]| {
        let (text, errors, _) = symloc(&[&["table", path, "--model", miss_model(exact)], options].concat());
        if text.is_empty() { Err(format!("{program}: {errors}")) } else { Ok(text) }
    };
    let check = || {
        let (text, full, data) = (table(&[])?, table(&["--full"])?, table(&["--format", "json"])?);
        if let Some(wide) = text.lines().find(|line| line.chars().count() > 160) {
            return Err(format!("{program}: {wide}"));
        }
        let data: Value = serde_json::from_str(&data).map_err(|error| format!("{program}: {error}"))?;
        let of_all = data["tables"].as_array().map_or_else(|| vec![&data], |tables| tables.iter().collect());
        let expected: usize = of_all.iter().map(|table| table["rows"].as_array().unwrap().len()).sum();
        // Each row has its kind, in a column or in a line.
        let kinds = ["real", "imaginary", "both", "first touch"];
        let is_kind = |cell: &str| kinds.contains(&cell.trim());
        let found = full.lines().flat_map(|line| line.split("  ")).filter(|cell| is_kind(cell)).count();
        if found == expected { Ok(()) } else { Err(format!("{program}: {found} rows of {expected} with --full")) }
    };
    check().err()
}

/// Returns the errors in the rows, at the first of these sizes that the evaluator can handle.
fn rows(model: &Model, profile: &Profile, exact: bool, sizes: &[Vec<i64>]) -> Option<String> {
    if profile.rows.is_empty() {
        return Some("no rows".to_owned());
    }
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap().with_limit(1 << 22);
    let named = |size: &Vec<i64>| model.parameters.iter().cloned().zip(size.iter().copied()).collect::<NamedSizes>();
    let answered = sizes.iter().find_map(|size| Some((size, prediction(&evaluator, &named(size), exact)?)));
    let Some((size, misses)) = answered else { return Some("the evaluator does not answer".to_owned()) };
    let point: Vec<BigInt> = size.iter().map(|&size| BigInt::from(size)).collect();
    let at = |quotient: &Quotient| quotient.numerator().evaluate(&point) / quotient.denominator().evaluate(&point);
    let near = |factor: i64| Rational::new(factor.into(), 10.into());
    let ends: Vec<[Rational; 2]> = profile.rows.iter().map(|row| row.cache.each_ref().map(at)).collect();
    let mut compared = 0;
    let mut wrong = None;
    for (index, row) in profile.rows.iter().enumerate() {
        let below = (&ends[index][0] * near(9)).floor().to_integer();
        let above = (&ends[index][1] * near(11)).ceil().to_integer();
        let alone_below = index.checked_sub(1).is_none_or(|i| ends[i][1] < Rational::from_integer(below.clone()));
        let alone_above = ends.get(index + 1).is_none_or(|end| end[0] > Rational::from_integer(above.clone()));
        let sides = [(below, &row.miss_ratio[0], alone_below), (above, &row.miss_ratio[1], alone_above)];
        for (cache, ratio, _) in sides.into_iter().filter(|(cache, _, alone)| *alone && cache.is_positive()) {
            let (expected, found) = (at(ratio).to_f64().unwrap(), miss_ratio(&misses, &cache));
            compared += 1;
            let distance = (expected - found).abs();
            if distance > 0.002 && distance > 0.05 * expected {
                wrong = Some(format!("row {index}, {size:?}, {cache} blocks: {expected} is expected, {found} found"));
            }
        }
    }
    let middles = profile.rows.iter().zip(&ends).filter_map(|(row, ends)| Some((at(row.middle.as_ref()?), ends)));
    for (expected, [from, to]) in middles {
        // There may be a step exactly in the middle.
        let around = [49, 51].map(|percent| {
            let cache = from + (to - from) * Rational::new(percent.into(), 100.into());
            miss_ratio(&misses, &cache.round().to_integer())
        });
        let expected = expected.to_f64().unwrap();
        if expected > 1.05 * around[0] + 0.002 || expected < 0.95 * around[1] - 0.002 {
            wrong = Some(format!("half way to {to} at {size:?}: {expected} is expected, {around:?} found"));
        }
    }
    wrong.or((compared == 0).then(|| "nothing was compared".to_owned()))
}

#[test]
fn rows_are_those_of_the_evaluator() {
    let programs = programs();
    assert_eq!(programs.len(), 47, "31 programs of polybench/ and 16 einsums");
    let quick = |program: &String| !SLOW_TABLES.contains(&name(program));
    nothing_from(share([0, 6], programs.iter()), |program| difference(program, !is_long(program), quick(program)));
}

/// One size is a thousand, the other larger than its square: the leading terms depend on which of them is larger.
#[test]
fn rows_for_sizes_of_different_growth() {
    let cases = [("gemm", vec![0]), ("gemm", vec![2]), ("gemm", vec![0, 1]), ("atax", vec![0]), ("atax", vec![1])];
    for (kernel, faster) in cases {
        let path = model(&[&format!("polybench/{kernel}.mlir"), "--exact"]).unwrap();
        let model = Model::load(path.as_ref()).unwrap();
        let size = |parameter: usize| if faster.contains(&parameter) { 10_000_000 } else { 1_000 };
        let sizes = [(0..model.parameters.len()).map(size).collect()];
        let (line, growth) = (&model.lines[0], Growth::faster(faster.clone()));
        let distances = lru_profiles(&model, line, Counts::default(), &growth).unwrap().unwrap();
        let intervals = profiles(&model, line, Counts::default(), &growth).unwrap();
        for (profiles, exact) in [(distances, true), (intervals, false)] {
            assert_eq!(profiles.len(), 1, "{kernel} {faster:?}");
            assert_eq!(rows(&model, &profiles[0], exact, &sizes), None, "{kernel} {faster:?}, exact {exact}");
        }
    }
}

#[test]
#[ignore = "minutes: cargo test --release -p symloc --test program scaling:: -- --ignored"]
fn distances_and_tables_that_take_long() {
    let slow = |program: &&String| is_long(program) || SLOW_TABLES.contains(&name(program));
    nothing_from(programs().iter().filter(slow), |program| difference(program, true, true));
}
