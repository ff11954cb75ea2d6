//! The nests that are compared: those of PolyBench, and of the loops that tests of the front end for C read.

use std::path::{Path, PathBuf};

use symloc_query::options::datasets::{Dataset, POLYBENCH};

use super::constants::{single_nests, with_constants};
use super::tools::CompilerTools;
use crate::{BoxedError, kernels};

/// A function with its sizes.
#[derive(Clone, Debug)]
pub(super) struct SizedFunction {
    /// The file's name, without its ending.
    pub(super) name: String,
    file: PathBuf,
    pub(super) function: String,
    pub(super) sizes: Vec<(String, i64)>,
}

/// A function that has one nest, whose sizes are constants.
#[derive(Clone, Debug)]
pub(super) struct SingleNest {
    /// The name of its file, with the line of the nest.
    pub(super) name: String,
    pub(super) function: String,
    /// The source in C.
    pub(super) text: String,
}

/// Returns the functions in C of PolyBench.
pub(super) fn of_polybench(dataset: Dataset) -> Vec<SizedFunction> {
    let of = |name: &str| {
        let function = format!("kernel_{}", name.replace('-', "_"));
        let sizes = POLYBENCH.sizes(name, dataset)?;
        Some(SizedFunction { name: name.to_owned(), file: kernels::polybench_c(name), function, sizes })
    };
    POLYBENCH.kernels().filter_map(of).collect()
}

/// Returns the functions of `tests/c/pass` that are read without options, at the largest sizes of their tests.
pub(super) fn of_tests() -> Result<Vec<SizedFunction>, BoxedError> {
    let folder = kernels::root().join("tests/c/pass");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    let read = |file: &PathBuf| Ok(of_test(file, &std::fs::read_to_string(file)?));
    Ok(files.iter().map(read).collect::<std::io::Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Returns the function that a test file is about; `None` if it is read with options.
fn of_test(file: &Path, text: &str) -> Option<SizedFunction> {
    let header = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}:")));
    if header("flags").is_some() || header("passes").is_some() {
        return None;
    }
    let several = header("sizes")?.split(';').map(sizes).collect::<Option<Vec<_>>>()?;
    let product = |sizes: &Vec<(String, i64)>| sizes.iter().map(|(_, size)| i128::from(*size).max(1)).product::<i128>();
    let sizes = several.into_iter().max_by_key(product)?;
    let name = file.file_stem()?.to_str()?.to_owned();
    Some(SizedFunction { name, file: file.to_owned(), function: header("function")?.trim().to_owned(), sizes })
}

/// Reads sizes such as `n=16 m=24`.
fn sizes(text: &str) -> Option<Vec<(String, i64)>> {
    let size = |word: &str| {
        let (name, size) = word.split_once('=')?;
        Some((name.to_owned(), size.parse().ok()?))
    };
    text.split_whitespace().map(size).collect()
}

impl SizedFunction {
    /// Returns the nests of the function, each alone.
    pub(super) fn nests(&self, tools: &CompilerTools) -> Result<Vec<SingleNest>, BoxedError> {
        let text = std::fs::read_to_string(&self.file)?;
        let text = with_constants(&text, &self.function, &self.sizes).ok_or("a size is no argument of the function")?;
        let file = tools.file("constants.c", &text)?;
        let tree = tools.syntax_tree(&file, &self.function)?;
        // The line of the constants is in front of the source.
        let added = usize::from(!self.sizes.is_empty());
        let nest = |(line, text): (usize, String)| {
            let (name, function) = (format!("{}:{}", self.name, line - added), self.function.clone());
            SingleNest { name, function, text }
        };
        Ok(single_nests(&text, &self.function, &tree).into_iter().map(nest).collect())
    }
}
