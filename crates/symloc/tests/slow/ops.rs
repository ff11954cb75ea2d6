//! `symloc ops` on every kernel of polybench/: the counts of blocks and edges are those of a run, and the
//! floating-point operations are those of the model.

use std::fs;

use crate::common::{STEPS, model, nothing_from, parameters, root, share, symloc};
use serde_json::Value;
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};

fn kernels() -> Vec<String> {
    let entries = fs::read_dir(root().join("polybench")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut kernels: Vec<_> = names.filter(|name| name.ends_with(".mlir")).map(|n| format!("polybench/{n}")).collect();
    kernels.sort();
    assert_eq!(kernels.len(), 31, "the 30 kernels of PolyBench/C and matmul");
    kernels
}

/// Values of the parameters, in turn: the smallest, some with loops that do not run, and larger ones.
const SIZES: [[i64; 5]; 5] = [[1, 1, 1, 1, 1], [1, 2, 3, 1, 2], [2, 3, 1, 4, 2], [5, 6, 7, 8, 9], [11, 8, 13, 9, 10]];

/// Returns a value for each parameter; two time steps are enough.
fn named(parameters: &[String], sizes: &[i64]) -> Vec<(String, i64)> {
    let size = |(name, size): (&String, &i64)| (name.clone(), if STEPS.contains(&name.as_str()) { 2 } else { *size });
    parameters.iter().zip(sizes).map(size).collect()
}

fn definitions(parameters: &[String], sizes: &[i64]) -> Vec<String> {
    named(parameters, sizes).iter().map(|(name, size)| format!("-D{name}={size}")).collect()
}

fn ops(kernel: &str, options: &[&str], definitions: &[String]) -> (String, String, Option<i32>) {
    let definitions: Vec<_> = definitions.iter().map(String::as_str).collect();
    symloc(&[&["ops", kernel], options, &definitions].concat())
}

#[test]
fn counts_are_those_of_runs() {
    nothing_from(share([0, 2], kernels().iter()), |kernel| {
        let parameters = parameters(kernel, &[]);
        SIZES.iter().find_map(|sizes| {
            let definitions = definitions(&parameters, sizes);
            let (text, errors, status) = ops(kernel, &["--verify"], &definitions);
            (status != Some(0) || !text.starts_with("ok ")).then(|| format!("{kernel} {definitions:?}\n{text}{errors}"))
        })
    });
}

fn accesses_of(evaluator: &Evaluator<'_>, sizes: &NamedSizes) -> Int {
    evaluator.predict(MissModel::Denning, sizes).unwrap().accesses().clone()
}

#[test]
fn floating_point_operations_and_accesses_are_those_of_the_model() {
    nothing_from(share([1, 2], kernels().iter()), |kernel| {
        let parameters = parameters(kernel, &[]);
        let model = Model::load(model(&[kernel, "--element"]).unwrap().as_ref()).unwrap();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        SIZES.iter().find_map(|sizes| {
            let named: NamedSizes = named(&parameters, sizes).into_iter().collect();
            let expected = [evaluator.operations(&named).unwrap().unwrap(), accesses_of(&evaluator, &named)];
            let (json, errors, _) = ops(kernel, &["--by", "total", "--json"], &definitions(&parameters, sizes));
            let answer: Value = serde_json::from_str(&json).unwrap_or_default();
            let row = &answer["rows"][0];
            let accesses = row["loads"].as_i64().zip(row["stores"].as_i64()).map(|(loads, stores)| loads + stores);
            let found = row["flops"].as_i64().zip(accesses).map(|(flops, accesses)| [flops, accesses].map(Int::from));
            (found != Some(expected)).then(|| format!("{kernel} {sizes:?}: not those of the model\n{json}{errors}"))
        })
    });
}

/// Rows by block, loop and line sum up the same operations; each formula's value is the number at a size.
#[test]
fn views_agree() {
    nothing_from(share([0, 2], kernels().iter()), |kernel| {
        let parameters = parameters(kernel, &[]);
        let definitions = definitions(&parameters, &SIZES[3]);
        let total = |by: &str, column: &str| -> i64 {
            let (json, errors, _) = ops(kernel, &["--by", by, "--json"], &definitions);
            let answer: Value = serde_json::from_str(&json).unwrap_or_else(|_| panic!("{kernel}: {errors}"));
            answer["rows"].as_array().unwrap().iter().map(|row| row[column].as_i64().unwrap()).sum()
        };
        ["loads", "bytes_stored", "integer_operations", "conditional_branches"].into_iter().find_map(|column| {
            let sums = ["total", "block", "line"].map(|by| total(by, column));
            sums.windows(2).any(|pair| pair[0] != pair[1]).then(|| format!("{kernel}: {column}: {sums:?}"))
        })
    });
}

/// A profile gives the probability of a branch: 200 of 1000 elements are stored.
#[test]
fn profiles_tell_probabilities() {
    let sizes = ["-Dn=1000".to_owned()];
    let (text, errors, status) = ops("tests/c/profiled.ll", &["--json"], &sizes);
    assert_eq!(status, Some(0), "{errors}");
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    let row = |kind: &str| told["rows"].as_array().unwrap().iter().find(|row| row["kind"] == kind).unwrap();
    assert_eq!((&row("store")["count"], &row("store")["estimate"]), (&200.into(), &true.into()));
    assert_eq!((&row("load")["count"], &row("load")["estimate"]), (&1000.into(), &serde_json::Value::Null));
}
