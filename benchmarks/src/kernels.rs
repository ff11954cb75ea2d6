//! The kernels: all of PolyBench, and the einsums of the paper; from a file to a program.

use std::path::{Path, PathBuf};

use symloc_affine::Program;
use symloc_einsum::{Element, Kernel};
use symloc_mlir::{Options, Source};

use crate::Failure;

/// In `polybench/` but not of PolyBench: the paper's running example.
const EXAMPLE: &str = "matmul.mlir";

/// The einsums that the paper evaluates; the others in `einsum/` reuse no element.
const EINSUMS: [&str; 11] = [
    "batch_matmul",
    "bilinear_transformation_pattern",
    "mahalanobis_distance_pattern",
    "marginalization_pattern",
    "matrix_chain_5",
    "maxcut_quantum_circuit_pattern",
    "tensor_network_2x3_pattern",
    "tensor_regression_network_pattern",
    "triplestore_query_pattern",
    "tucker_decomposition_pattern",
    "weighted_model_counting_pattern",
];

/// The files of the 41 kernels.
pub(crate) fn all() -> Result<Vec<PathBuf>, Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root.join("polybench"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "mlir") && !path.ends_with(EXAMPLE) {
            files.push(path);
        }
    }
    files.sort();
    files.extend(EINSUMS.iter().map(|name| root.join("einsum").join(name).with_extension("einsum")));
    Ok(files)
}

/// The program of an MLIR or `.einsum` file.
pub(crate) fn read(file: &Path) -> Result<Program, Failure> {
    let name = file.display().to_string();
    if file.extension().is_some_and(|e| e == "einsum") {
        return Ok(Kernel::from_file(&name, &std::fs::read_to_string(file)?)?.program(Element::F64));
    }
    let source = Source { name, bytes: std::fs::read(file)? };
    Ok(symloc_mlir::read(&source, &Options::default())?.program)
}
