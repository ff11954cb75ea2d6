//! Compares the shares of single accesses in the table with the evaluation of the model at sizes for which the table holds.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use symloc_locality::{Counts, Table, regimes_counting, shares};
use symloc_model::{Model, Owner};

use crate::exact;

/// Checks all shares of a model at the sizes that its tables hold for; says how many sizes that were.
fn check_model(name: &str, sizes: &[i64]) -> usize {
    let path = format!("{}/../evaluate/tests/models/{name}.loc.json", env!("CARGO_MANIFEST_DIR"));
    let model = Model::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let counts = Counts { by: Owner::Access, ..Counts::default() };
    let mut checked = 0;
    for regime in &regimes_counting(&model, &model.lines[0], counts).unwrap() {
        let table = Table::new(regime);
        let shares = shares(regime, &table, |access| access);
        let values = |size: i64| (0..model.parameters.len() as i64).map(move |p| size + 5 * p).collect::<Vec<_>>();
        checked += sizes.iter().filter(|size| exact::check_shares(&model, &table, &shares, &values(**size))).count();
    }
    checked
}

#[test]
fn formulas_of_accesses_agree_with_numbers() {
    let sizes: Vec<i64> = (24..60).collect();
    for name in ["gemm", "syrk", "trisolv"] {
        let checked = check_model(name, &sizes);
        assert!(checked >= 8, "{name}: {checked} sizes");
    }
}
