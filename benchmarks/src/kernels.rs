//! Kernels, from a name to a file and to a program: all of PolyBench, and the einsums that the paper evaluates.
//!
//! The other einsums in `einsum/` reuse no element. Sizes of einsums are in `einsums.tsv`, chosen so that MEDIUM is the size that
//! the paper measures.

use std::path::{Path, PathBuf};

use symloc_affine::{Param, Program};
use symloc_einsum::{Element, Kernel};
use symloc_llvm::Language;
use symloc_mlir::{Options, Source};
use symloc_query::options::datasets::{POLYBENCH, Table};

use crate::BoxedError;

/// The paper's einsums and their sizes.
pub(crate) const EINSUMS: Table = Table::new(include_str!("../einsums.tsv"));

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the file of a kernel of PolyBench.
pub(crate) fn polybench(name: &str) -> PathBuf {
    root().join("polybench").join(name).with_extension("mlir")
}

/// Returns the file of a kernel of PolyBench in C.
pub(crate) fn polybench_c(name: &str) -> PathBuf {
    root().join("polybench/c").join(name).with_extension("c")
}

/// Returns the file of an einsum.
pub(crate) fn einsum(name: &str) -> PathBuf {
    root().join("einsum").join(name).with_extension("einsum")
}

/// Returns the files of the 41 kernels.
pub(crate) fn all() -> Vec<PathBuf> {
    POLYBENCH.kernels().map(polybench).chain(EINSUMS.kernels().map(einsum)).collect()
}

/// Returns the sizes of a program's parameters, given by name.
pub(crate) fn sizes(program: &Program, named: &[(String, i64)]) -> Result<Vec<i64>, BoxedError> {
    let size = |param: &Param| named.iter().find(|(name, _)| *name == param.name).map(|(_, size)| *size);
    program
        .params
        .iter()
        .map(|param| size(param).ok_or_else(|| format!("no size is called {}", param.name).into()))
        .collect()
}

/// Returns the program of a file in C, MLIR or `.einsum`.
pub(crate) fn read(file: &Path) -> Result<Program, BoxedError> {
    let name = file.display().to_string();
    if file.extension().is_some_and(|e| e == "einsum") {
        return Ok(Kernel::from_file(&name, &std::fs::read_to_string(file)?)?.program(Element::F64));
    }
    let source = Source { name, bytes: std::fs::read(file)? };
    if let Some(language) = Language::of(file) {
        let options = symloc_llvm::Options::default();
        let compiled = symloc_llvm::compile(file, language, &[], None, options.registers)?;
        return Ok(symloc_llvm::read(&source, &compiled.bitcode, &options)?.program);
    }
    Ok(symloc_mlir::read(&source, &Options::default())?.program)
}
