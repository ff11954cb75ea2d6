//! The misses of kernels in the tiles that compilers choose.
//!
//! - MLIR's `affine-loop-tile` with a `cache-size`, on the kernel in MLIR with constant sizes,
//! - Polly's tiles of 32, in what LLVM makes of the kernel in C with constant sizes,
//! - Pluto's: the order of isl's scheduler, a variant of Pluto's algorithm, in tiles of 32,
//! - the first proposal of `symloc advise`.

use std::path::PathBuf;

use symloc_query::options::datasets::{Dataset, POLYBENCH};

use super::constants::{with_constants, with_mlir_constants};
use super::tools::CompilerTools;
use crate::{BoxedError, kernels};

/// Kernels whose loops can be tiled, or tiled after a skew.
const KERNELS: [&str; 7] = ["gemm", "2mm", "syrk", "trmm", "doitgen", "lu", "jacobi-2d"];
/// The sizes of arrays by those of PolyBench's medium ones: some 4 MB of data.
const SCALE: i64 = 2;
/// The steps of loops over time.
const STEPS: i64 = 20;
/// The caches: their names, their KiB, and as `--cache` has them.
const CACHES: [(&str, u64, &str); 2] = [("32 KiB", 32, "32KiB,8"), ("1 MiB", 1024, "1MiB,16")];
/// Polly's passes, with its tiles of 32 and without its replacement of whole matrix products.
const POLLY: &str = "function(sroa,simplifycfg),polly,function(sroa,simplifycfg,instcombine)";
const POLLY_OPTIONS: [&str; 2] = ["-polly-default-tile-size=32", "-polly-pattern-matching-based-opts=false"];

/// A kernel at a size.
struct TiledKernel<'k> {
    tools: &'k CompilerTools,
    name: &'k str,
    function: String,
    sizes: Vec<(String, i64)>,
}

/// Returns a row for each kernel and cache: misses as written, and those of each tiling by them.
pub(super) fn table(tools: &CompilerTools, names: &[String]) -> Result<String, BoxedError> {
    let polly = if tools.has_polly { " Polly |" } else { "" };
    let mut text = format!("| kernel | sizes | cache | misses as written | MLIR |{polly} Pluto | advise |\n");
    text += &format!("| --- | --- | --- | --: | --: |{} --: | --: |\n", if tools.has_polly { " --: |" } else { "" });
    for name in KERNELS.iter().filter(|name| names.is_empty() || names.iter().any(|other| other == *name)) {
        eprintln!("{name}");
        let kernel = TiledKernel::new(tools, name)?;
        for cache in CACHES {
            text += &kernel.row(cache)?;
        }
    }
    Ok(text)
}

impl<'k> TiledKernel<'k> {
    fn new(tools: &'k CompilerTools, name: &'k str) -> Result<Self, BoxedError> {
        let sizes =
            POLYBENCH.sizes(name, Dataset::Medium).ok_or_else(|| format!("`{name}` is no kernel of PolyBench"))?;
        let is_time = |name: &str| ["tsteps", "tmax"].contains(&name);
        let scaled = |(name, size): (String, i64)| {
            let size = if is_time(&name) { STEPS } else { SCALE * size };
            (name, size)
        };
        let sizes = sizes.into_iter().map(scaled).collect();
        Ok(Self { tools, name, function: format!("kernel_{}", name.replace('-', "_")), sizes })
    }

    fn row(&self, (shown, kib, cache): (&str, u64, &str)) -> Result<String, BoxedError> {
        let source = self.source()?;
        let written = self.misses(&source, cache, &[])?;
        let by_written = |misses: Result<u64, BoxedError>| match misses {
            Ok(misses) => format!("{:.3}", misses as f64 / written.max(1) as f64),
            Err(_) => "–".to_owned(),
        };
        let mut columns = vec![by_written(self.mlir(kib, cache))];
        if self.tools.has_polly {
            columns.push(by_written(self.polly(&source, cache)));
        }
        columns.push(by_written(self.advised(&source, cache, &["--order", "scheduler:32"])));
        columns.push(by_written(self.advised(&source, cache, &["--search-time", "20"])));
        let sizes: Vec<String> = self.sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
        let (sizes, columns) = (sizes.join(", "), columns.join(" | "));
        Ok(format!("| {} | {sizes} | {shown} | {written} | {columns} |\n", self.name))
    }

    /// Writes the kernel in C with constant sizes.
    fn source(&self) -> Result<PathBuf, BoxedError> {
        let text = std::fs::read_to_string(kernels::polybench_c(self.name))?;
        let text = with_constants(&text, &self.function, &self.sizes).ok_or("a size is no argument")?;
        self.tools.file("kernel.c", &text)
    }

    fn misses(&self, file: &std::path::Path, cache: &str, options: &[&str]) -> Result<u64, BoxedError> {
        let options = [&["--function", &self.function, "--assume-noalias"], options].concat();
        Ok(self.tools.simulated(file, &[cache.to_owned()], &options)?.misses[0])
    }

    /// Returns the misses in MLIR's tiles for a cache of so many KiB.
    fn mlir(&self, kib: u64, cache: &str) -> Result<u64, BoxedError> {
        let text = std::fs::read_to_string(kernels::polybench(self.name))?;
        let text = with_mlir_constants(&text, &self.sizes).ok_or("a size is no argument")?;
        let file = self.tools.file("kernel.mlir", &text)?;
        let passes = format!("func.func(canonicalize,affine-loop-tile{{cache-size={kib}}})");
        let options = ["--function", &self.function, "--passes", &passes];
        Ok(self.tools.simulated(&file, &[cache.to_owned()], &options)?.misses[0])
    }

    fn polly(&self, source: &std::path::Path, cache: &str) -> Result<u64, BoxedError> {
        let ir = self.tools.compiled(source, "kernel.ll")?;
        let (new, _) = self.tools.passes(&ir, POLLY, &POLLY_OPTIONS, "polly.ll")?;
        self.misses(&new, cache, &[])
    }

    /// Returns the misses of the source that `advise` writes.
    fn advised(&self, source: &std::path::Path, cache: &str, options: &[&str]) -> Result<u64, BoxedError> {
        let new = self.tools.path("advised.c");
        let _ = std::fs::remove_file(&new);
        let place = new.to_string_lossy();
        let common = ["--function", &self.function, "--assume-noalias", "--cache", cache, "-o", &place];
        self.tools.run("advise", source, &[&common[..], options].concat())?;
        // If nothing is better the program stays as written.
        self.misses(if new.exists() { &new } else { source }, cache, &[])
    }
}
