//! Every row of every table, of single accesses and of reuse distances too, at random sizes for which the table claims to
//! hold. `crates/symloc/tests/slow/tables.rs` does the same for all kernels.
//!
//! The models are PolyBench kernels as `symloc derive` makes them, `gemm-from-3` with `--assume 'ni >= 3, nj >= 3, nk >= 3'`;
//! and those of the folder that `SYMLOC_TEST_MODELS` names, if it names one.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise, in its helpers too")]

use std::path::{Path, PathBuf};

use symloc_model::Model;

use crate::exact;

fn models(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<_> = files.filter(|path| path.to_string_lossy().ends_with(".loc.json")).collect();
    models.sort();
    models
}

#[test]
fn rows_are_right_wherever_the_table_holds() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")];
    folders.extend(std::env::var_os("SYMLOC_TEST_MODELS").map(PathBuf::from));
    for path in folders.iter().flat_map(|folder| models(folder)) {
        let model = Model::load(&path).unwrap();
        let held = exact::check_at_random(&model, 14, 120).unwrap();
        println!("{}: tables held {held:?} times", path.display());
        // Not every model distinguishes accesses.
        let least = if model.program.is_some() { held[0].min(held[1]) } else { held[0] };
        assert!(least > 20, "{}: the tables held {held:?} times only", path.display());
    }
}

#[test]
fn tables_of_sizes_like_given_ones_hold_there() {
    for path in models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")) {
        let model = Model::load(&path).unwrap();
        let checked = exact::check_near(&model, 5, 12).unwrap();
        assert!(checked > 20, "{}: {checked} sizes only", path.display());
    }
}
