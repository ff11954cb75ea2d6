//! `symloc einsum` and `.einsum` files, run through the program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{nothing_from, share};

/// The kernels, with their indices in the order of the parameters. In kernels with many indices, a capital letter marks
/// an index that runs over more than a line as the last subscript of an array; the last index always does.
const KERNELS: &[(&str, &str)] = &[
    ("batch_matmul", "bikj"),
    ("bilinear_transformation_pattern", "iklj"),
    ("hadamard_product_2d", "ij"),
    ("hadamard_product_4d", "ijkl"),
    ("mahalanobis_distance_pattern", "ij"),
    ("marginalization_pattern", "ijklmnop"),
    ("matrix_chain_5", "iKlMnj"),
    ("matrix_diagonal", "i"),
    ("matrix_trace", "i"),
    ("maxcut_quantum_circuit_pattern", "AbcdEfghIJkl"),
    ("tensor_network_2x3_pattern", "iJmLOkn"),
    ("tensor_regression_network_pattern", "abcdEfghIJk"),
    ("triplestore_query_pattern", "ijk"),
    ("tucker_decomposition_pattern", "ijkLAbcd"),
    ("vector_outer_product", "ij"),
    ("weighted_model_counting_pattern", "bCdEfg"),
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs `symloc` at the root of the repository.
fn run(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc"));
    let command = command.args(arguments).current_dir(repository());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that does not read its input may end first.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// Runs a command that has to succeed; returns its output.
fn output(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}{stderr}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that has to be refused; returns its message.
fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments, "");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn path(name: &str) -> String {
    format!("einsum/{name}.einsum")
}

/// Returns different sizes, smaller ones if there are many indices; the last index has those of `last`.
fn sizes(indices: &str, last: &str) -> Vec<String> {
    let smallest = if indices.len() <= 4 { 9 } else { 2 };
    let size = |(position, index): (usize, char)| {
        let name = index.to_ascii_lowercase();
        match (position + 1 == indices.len(), index.is_uppercase()) {
            (true, _) => format!("-D{name}={last}"),
            (false, true) => format!("-D{name}={}", 9 + position % 2),
            (false, false) => format!("-D{name}={}", smallest + position % 3),
        }
    };
    indices.chars().enumerate().map(size).collect()
}

/// The intervals and distances of the models are those of the trace.
#[test]
fn models_agree_with_the_trace() {
    nothing_from(share([0, 2], KERNELS.iter()), |(name, indices)| {
        let (path, sizes) = (path(name), sizes(indices, "8,11"));
        let arguments: Vec<&str> =
            ["verify", "--exact", &path].into_iter().chain(sizes.iter().map(String::as_str)).collect();
        let report = output(&arguments, "");
        // No distance is estimated.
        let agreed = report.lines().filter(|line| line.starts_with("ok ") && line.contains(" distances and ")).count();
        ((agreed, report.lines().count()) != (2, 2)).then_some(report)
    });
}

#[test]
fn every_kernel_is_tested() {
    let files = std::fs::read_dir(repository().join("einsum")).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let mut tested: Vec<_> = KERNELS.iter().map(|(name, _)| format!("{name}.einsum")).collect();
    tested.sort();
    assert_eq!(names, tested);
}

#[test]
fn kernels_as_mlir_are_the_same_programs() {
    for (name, indices) in KERNELS {
        let path = path(name);
        let mlir = output(&["einsum", &path, "--emit-mlir"], "");
        let program = output(&["derive", &path, "--emit", "affine"], "");
        assert_eq!(output(&["derive", "-", "--emit", "affine"], &mlir), program);
        let sizes = sizes(indices, "9");
        let simulate = |path: &str| {
            let options = ["simulate", path, "--histogram", "--json"];
            let text = output(&options.into_iter().chain(sizes.iter().map(String::as_str)).collect::<Vec<_>>(), &mlir);
            let mut answer: serde_json::Value = serde_json::from_str(&text).unwrap();
            // Only in MLIR are arguments assumed not to overlap.
            answer.as_object_mut().unwrap().remove("assumptions");
            answer
        };
        assert_eq!(simulate(&path), simulate("-"), "{name}");
    }
}

#[test]
fn a_kernel_as_mlir_has_the_same_model() {
    let path = path("triplestore_query_pattern");
    let mlir = output(&["einsum", &path, "--emit-mlir"], "");
    let model = |arguments: &[&str], input: &str| {
        let mut model: serde_json::Value = serde_json::from_str(&output(arguments, input)).unwrap();
        model["source"].take();
        // The checksum and the places of accesses belong to the text.
        model["source_checksum"].take();
        // Only in MLIR are arguments assumed not to overlap.
        model.as_object_mut().unwrap().remove("assumptions");
        for access in model["program"]["accesses"].as_array_mut().unwrap() {
            access["line"].take();
            access["column"].take();
        }
        model
    };
    let expected = model(&["derive", "-"], &mlir);
    assert_eq!(model(&["derive", &path], ""), expected);
    assert_eq!(model(&["einsum", &path], ""), expected);
    // With a pipeline the kernel goes through MLIR.
    assert_eq!(model(&["derive", &path, "--passes", "func.func(canonicalize)"], ""), expected);
}

#[test]
fn an_expression_is_a_kernel() {
    let nests = |arguments: &[&str]| output(arguments, "").lines().filter(|line| line.starts_with("  for")).count();
    assert_eq!(nests(&["einsum", "ik,kl,lm,mj", "--emit", "affine"]), 3);
    assert_eq!(nests(&["einsum", "ik,kl,lm,mj->ij", "--direct", "--emit", "affine"]), 1);
    assert_eq!(nests(&["einsum", "einsum/matrix_chain_5.einsum", "--direct", "--emit", "affine"]), 1);
    let renamed = output(&["einsum", "ij,j->i", "--name", "i=rows", "--assume", "rows > j", "--emit", "affine"], "");
    assert!(
        renamed.starts_with("program einsum(rows, j)\n  context rows - 1 >= 0 and j - 1 >= 0 and rows - j - 1 >= 0"),
        "{renamed}"
    );
    let text = output(&["einsum", "-", "--element-type", "f32", "--emit-mlir"], "ij,j->i");
    assert!(text.contains("memref<?x?xf32>"), "{text}");
}

#[test]
fn errors_point_at_the_expression() {
    let error = "<expression>:1:9: error: output index `x` is in no operand\nij,jk->ix\n        ^\n";
    assert_eq!(refusal(&["einsum", "ij,jk->ix"]), error);
    assert!(refusal(&["einsum", "missing.einsum"]).starts_with("error: missing.einsum: "));
    assert!(refusal(&["derive", &path("matrix_trace"), "--function", "f"]).contains("matrix_trace"));
}
