//! Tests models of earlier versions, and damaged ones.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::path::Path;

use symloc_evaluate::{Evaluator, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};

/// A file of version 1 gives the same results as ever, except for single accesses, and is written as it was.
#[test]
fn version_1_is_read() {
    let [old, new] = [include_str!("models/gemm.v1.loc.json"), include_str!("models/gemm.loc.json")];
    let [old_model, new_model] = [old, new].map(|text| Model::parse(text).unwrap());
    let written = old_model.to_json();
    assert!(written.starts_with(r#"{"schema":"symloc.model/1","#) && !written.contains("access\":"));
    assert_eq!(Model::parse(&written).unwrap(), old_model);
    let [old, new] = [&old_model, &new_model].map(|model| Evaluator::new(model, LineChoice::Only).unwrap());
    for size in [1, 3, 8, 21, 40] {
        let sizes = ["ni", "nj", "nk"].into_iter().zip([size, size + 3, size + 1]).collect();
        let [a, b] = [&old, &new].map(|evaluator| evaluator.distribution(MissModel::Denning, &sizes).unwrap());
        assert_eq!((a.real, a.imaginary), (b.real, b.imaginary));
        let [a, b] = [&old, &new].map(|evaluator| evaluator.predict(MissModel::Denning, &sizes).unwrap());
        assert!(new.attribution(&b).is_ok());
        let error = old.attribution(&a).unwrap_err().to_string();
        assert_eq!(
            error,
            "the model does not tell its accesses apart: it was made by an earlier symloc (symloc 0.1.0)"
        );
    }
}

/// A file of version 2 holds the same data as one of today, and is written as such.
#[test]
fn version_2_is_read() {
    let [old, new] = [include_str!("models/gemm.v2.loc.json"), include_str!("models/gemm.loc.json")];
    assert!(old.starts_with(r#"{"schema":"symloc.model/2","#) && new.starts_with(r#"{"schema":"symloc.model/3","#));
    let model = Model::parse(old).unwrap();
    assert_eq!(model, Model::parse(new).unwrap());
    assert_eq!(model.to_json(), new);
}

/// Every test model survives writing and reading; there is one form of file.
#[test]
fn models_are_read_as_they_were_written() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["tests/models", "../locality/tests/models", "../../tests/models"] {
        for entry in std::fs::read_dir(own.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if !path.to_string_lossy().ends_with(".loc.json") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let model = Model::parse(&text).unwrap();
            let written = model.to_json();
            assert!(written.len() <= text.len(), "{}", path.display());
            let read = Model::parse(&written).unwrap();
            assert_eq!(read.to_json(), written, "{}", path.display());
            assert_eq!(read, model, "{}", path.display());
        }
    }
}

#[test]
fn damaged_files_never_panic() {
    let written_out = include_str!("../../../tests/models/triangle.loc.json");
    never_panics(written_out.trim_end());
    never_panics(Model::parse(written_out).unwrap().to_json().trim_end());
}

/// Evaluates a changed file, if it can be read, to numbers or to an error, without a panic.
fn never_panics(json: &str) {
    let mut readable = 0;
    for at in 0..json.len() - 1 {
        for replacement in ["0", "7", "-1", "[", "", ",3", "[1,[0]],"] {
            let damaged = format!("{}{replacement}{}", &json[..at], &json[at + 1..]);
            let Ok(model) = Model::parse(&damaged) else { continue };
            readable += 1;
            let Ok(evaluator) = Evaluator::new(&model, LineChoice::Only) else { continue };
            let evaluator = evaluator.with_limit(1000);
            for size in [i64::MIN, -1, 0, 5, i64::MAX] {
                let sizes: NamedSizes = [("n", size)].into_iter().collect();
                let _ = evaluator.distribution(MissModel::Denning, &sizes);
                if let Ok(prediction) = evaluator.predict(MissModel::Denning, &sizes) {
                    let _ = (prediction.misses(&5.into()), prediction.window(&size.into()));
                }
            }
        }
    }
    assert!(readable > 100, "{readable} damaged files could be read");
}
