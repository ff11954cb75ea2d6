//! Models in which the line size is a parameter.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use symloc_evaluate::{Evaluator, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};

/// Returns matrix multiplication with lines of b 8-byte elements, for n mod b = 0 and n ≥ 2b.
fn model() -> Model {
    let path = format!("{}/../../tests/models/matmul-lines.loc.json", env!("CARGO_MANIFEST_DIR"));
    Model::load(path.as_ref()).unwrap()
}

fn error(choice: LineChoice, sizes: &[(&str, i64)]) -> String {
    Evaluator::new(&model(), choice)
        .and_then(|evaluator| evaluator.distribution(MissModel::Denning, &sizes.iter().copied().collect()))
        .unwrap_err()
        .to_string()
}

#[test]
fn a_line_in_bytes_is_a_number_of_elements() {
    let model = model();
    let n: NamedSizes = [("n", 32)].into_iter().collect();
    let both: NamedSizes = [("n", 32), ("b", 8)].into_iter().collect();
    let in_bytes = Evaluator::new(&model, LineChoice::Bytes(64)).unwrap().distribution(MissModel::Denning, &n).unwrap();
    assert_eq!(
        in_bytes,
        Evaluator::new(&model, LineChoice::Only).unwrap().distribution(MissModel::Denning, &both).unwrap()
    );
    assert_eq!(
        in_bytes,
        Evaluator::new(&model, LineChoice::Bytes(64)).unwrap().distribution(MissModel::Denning, &both).unwrap()
    );
    assert_eq!((in_bytes.place.line_bytes, &in_bytes.blocks), (Some(64), &(3 * 32 * 4).into()));
    let prediction = Evaluator::new(&model, LineChoice::Bytes(64)).unwrap().predict(MissModel::Denning, &n).unwrap();
    assert_eq!(prediction.place().line_bytes, Some(64));
}

#[test]
fn contradictions_are_refused() {
    assert_eq!(error(LineChoice::Only, &[("n", 32)]), "no value for the parameter b");
    assert_eq!(
        error(LineChoice::Bytes(60), &[("n", 32)]),
        "a line of 60 bytes does not hold a whole number of 8-byte elements"
    );
    assert_eq!(error(LineChoice::Bytes(64), &[("n", 32), ("b", 4)]), "a line of 64 bytes holds 8 elements, but b = 4");
    assert_eq!(
        error(LineChoice::Only, &[("n", 33), ("b", 8)]),
        "n = 33, b = 8 is outside the model's context: n mod b = 0 is required"
    );
    assert!(error(LineChoice::Only, &[("n", 0), ("b", 0)]).contains("b >= 1"));
}

#[test]
fn damaged_line_sizes_are_refused() {
    let json = model().to_json();
    let refused = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        Model::parse(&json.replace(from, to)).unwrap_err().to_string()
    };
    let count = r#""line_counts":[{"of":0,"by":1}]"#;
    assert!(refused(count, r#""line_counts":[{"of":0,"by":2}]"#).contains("a line count of something"));
    assert!(refused(count, r#""line_counts":[]"#).contains("variable 2 where there are only 2"));
    let line = r#""symbolic":{"parameter":1,"element_bytes":8}"#;
    assert!(
        refused(line, r#""symbolic":{"parameter":2,"element_bytes":8}"#).contains("a line size that is no parameter")
    );
    assert!(
        refused(line, r#""symbolic":{"parameter":1,"element_bytes":0}"#).contains("a line size that is no parameter")
    );
}
