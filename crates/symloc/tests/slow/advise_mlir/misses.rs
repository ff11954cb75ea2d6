//! The misses that `advise` says of an order are those of the module that it writes, read again and simulated.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::{folder, kernels, sizes_of};
use crate::common::{nothing_from, share, symloc};

/// With every line in one set it does not matter where arrays begin.
const CACHES: [&str; 4] = ["--cache", "1KiB,full", "--cache", "3KiB,full"];

/// The orders that are looked at: isl's, and its tiles where they are legal.
const ORDERS: [&str; 2] = ["scheduler", "scheduler:4"];

/// Kernels with accesses in front of their loops or behind them, which no order moves and none counts; with how often these miss.
const OUTSIDE: [(&str, f64); 1] = [("correlation", 1.0)];

#[test]
fn misses_of_an_order_are_those_of_the_written_module() {
    let kernels: Vec<String> = share([0, 4], kernels().into_iter()).collect();
    let compared = AtomicUsize::new(0);
    let cases =
        kernels.iter().flat_map(|kernel| ORDERS.iter().enumerate().map(move |(index, order)| (kernel, index, *order)));
    nothing_from(cases, |(kernel, index, order)| {
        let new = folder("advise-mlir-misses").join(format!("{kernel}{index}.mlir"));
        match compare(kernel, order, &new) {
            Ok(MissOutcome::Compared) => {
                compared.fetch_add(1, Ordering::Relaxed);
                None
            }
            Ok(MissOutcome::NotLegal) if index > 0 => None,
            Ok(MissOutcome::NotLegal) => Some(format!("{kernel} {order:?}: no order")),
            Err(error) => Some(format!("{kernel} {order:?}: {error}")),
        }
    });
    // Each in the scheduler's order, and most in tiles.
    let compared = compared.into_inner();
    assert!(compared >= kernels.len() * 3 / 2, "{compared} of {}", kernels.len());
}

enum MissOutcome {
    Compared,
    /// The order is not legal.
    NotLegal,
}

/// Compares the counted misses of an order with those of the module that is written for it.
fn compare(kernel: &str, order: &str, new: &Path) -> Result<MissOutcome, String> {
    let _ = fs::remove_file(new);
    let file = format!("polybench/{kernel}.mlir");
    let sizes = sizes_of(&file, 21);
    let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
    let new_path = new.to_str().unwrap();
    let options = ["--order", order, "--format", "json", "-o", new_path];
    let (answer, errors, status) = symloc(&[&["advise", &file][..], &sizes, &CACHES, &options].concat());
    if status != Some(0) {
        return if errors.contains("this order is not legal") { Ok(MissOutcome::NotLegal) } else { Err(errors) };
    }
    let advice: Value = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
    let first = &advice["orders"][0];
    if !new.exists() {
        return if first.is_null() { Ok(MissOutcome::NotLegal) } else { Err(format!("nothing is written: {answer}")) };
    }
    let (answer, errors, _) = symloc(&[&["simulate", new_path][..], &sizes, &CACHES, &["--json"]].concat());
    let simulated: Value = serde_json::from_str(&answer).map_err(|_| errors)?;
    let levels = simulated["levels"].as_array().ok_or("no levels")?;
    let simulated: Vec<f64> = levels.iter().filter_map(|level| level["misses"].as_f64()).collect();
    let outside = OUTSIDE.iter().find(|(name, _)| *name == kernel).map_or(0.0, |(_, misses)| *misses);
    let said = first["misses"].as_array().into_iter().flatten().filter_map(Value::as_f64);
    let said: Vec<f64> = said.map(|misses| misses + outside).collect();
    match first["exact"] == true && said == simulated && said.len() == 2 {
        true => Ok(MissOutcome::Compared),
        false => Err(format!("said {said:?}, simulated {simulated:?}: {first}")),
    }
}
