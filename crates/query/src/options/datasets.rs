//! `--dataset large`: the sizes of PolyBench/C's data sets, by kernel.
//!
//! The table in `data` holds those of PolyBench/C 4.2.1. A kernel is found by the name of its function, with or without
//! `kernel_`, its parameters by PolyBench's names in small letters.

use clap::ValueEnum;

use crate::error::CliError;

/// Sizes of some kernels, as text: `kernel`, then one column for each data set with `name=size` pairs.
#[derive(Clone, Copy, Debug)]
pub struct Table(&'static str);

/// PolyBench/C 4.2.1.
pub const POLYBENCH: Table = Table(include_str!("../../data/polybench-4.2.1.tsv"));

impl Table {
    /// Creates a table like that of PolyBench; it may have fewer columns.
    pub const fn new(text: &'static str) -> Self {
        Self(text)
    }

    /// Returns the names of the kernels, in the order of the table.
    pub fn kernels(self) -> impl Iterator<Item = &'static str> {
        self.0.lines().skip(1).filter_map(|row| row.split('\t').next())
    }

    /// Returns the sizes of a kernel, if the table has them.
    pub fn sizes(self, kernel: &str, dataset: Dataset) -> Option<Vec<(String, i64)>> {
        let row = self.0.lines().skip(1).find(|row| row.split('\t').next() == Some(kernel))?;
        let pair = |pair: &str| {
            let (name, size) = pair.split_once('=')?;
            Some((name.to_owned(), size.parse().ok()?))
        };
        row.split('\t').nth(1 + dataset as usize)?.split(' ').map(pair).collect()
    }
}

/// A data set of PolyBench/C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dataset {
    /// Some 16 KB of data
    Mini,
    /// Some 128 KB
    Small,
    /// Some 1 MB
    Medium,
    /// Some 25 MB
    Large,
    /// Some 120 MB
    #[value(name = "extralarge")]
    ExtraLarge,
}

impl Dataset {
    fn name(self) -> &'static str {
        ["mini", "small", "medium", "large", "extralarge"][self as usize]
    }

    /// Returns the sizes of a kernel, which must have exactly these `parameters`, without those that are `overridden`.
    ///
    /// # Errors
    ///
    /// A refusal if `function` is no kernel, or if the kernel has other parameters.
    pub fn sizes(
        self,
        function: &str,
        parameters: &[String],
        overridden: &[String],
    ) -> Result<Vec<(String, i64)>, CliError> {
        let kernel = function.strip_prefix("kernel_").unwrap_or(function).replace('_', "-");
        let name = self.name();
        let Some(sizes) = POLYBENCH.sizes(&kernel, self) else {
            return Err(CliError::with_hint(
                format!("`{function}` is no kernel of PolyBench/C, so the data set `{name}` says nothing about it"),
                "give its sizes with -D",
            ));
        };
        let defined: Vec<_> = sizes.iter().map(|(name, _)| name.as_str()).collect();
        let defined = defined.join(", ");
        if let Some((unknown, _)) = sizes.iter().find(|(name, _)| !parameters.contains(name)) {
            return Err(CliError::with_hint(
                format!(
                    "the data set `{name}` of {kernel} defines {defined}, but `{unknown}` is not a parameter of {function}"
                ),
                "name the parameters so when deriving, with --name OLD=NEW, or give the sizes with -D",
            ));
        }
        let missing = |name: &&String| !overridden.contains(name) && sizes.iter().all(|(defined, _)| defined != *name);
        if let Some(missing) = parameters.iter().find(missing) {
            return Err(CliError::with_hint(
                format!("the data set `{name}` of {kernel} defines {defined}, but not `{missing}`"),
                format!("give it with -D {missing}=…"),
            ));
        }
        Ok(sizes.into_iter().filter(|(name, _)| !overridden.contains(name)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn every_kernel_has_all_sizes() {
        assert_eq!(POLYBENCH.0.lines().next(), Some("kernel\tmini\tsmall\tmedium\tlarge\textralarge"));
        assert_eq!(POLYBENCH.kernels().count(), 30);
        for kernel in POLYBENCH.kernels() {
            for dataset in Dataset::value_variants() {
                let sizes = POLYBENCH.sizes(kernel, *dataset).unwrap_or_else(|| panic!("{kernel} {dataset:?}"));
                assert!(!sizes.is_empty() && sizes.iter().all(|(_, size)| *size > 0), "{kernel}: {sizes:?}");
            }
        }
    }

    #[test]
    fn sizes_come_by_function_and_parameter() {
        let parameters = names(&["ni", "nj", "nk"]);
        let sizes = |overridden: &[&str]| Dataset::Large.sizes("kernel_gemm", &parameters, &names(overridden)).unwrap();
        assert_eq!(sizes(&[]), [("ni".to_owned(), 1000), ("nj".to_owned(), 1100), ("nk".to_owned(), 1200)]);
        assert_eq!(sizes(&["nj"]), [("ni".to_owned(), 1000), ("nk".to_owned(), 1200)]);
        let heat = Dataset::Mini.sizes("kernel_heat_3d", &names(&["tsteps", "n"]), &[]).unwrap();
        assert_eq!(heat, [("tsteps".to_owned(), 20), ("n".to_owned(), 10)]);
    }

    #[test]
    fn refusals_say_what_does_not_fit() {
        let error = |function: &str, parameters: &[&str]| {
            Dataset::Mini.sizes(function, &names(parameters), &[]).unwrap_err().to_string()
        };
        assert!(error("kernel_matmul", &["n"]).starts_with("`kernel_matmul` is no kernel of PolyBench/C"));
        assert!(error("kernel_gemm", &["p0", "nj", "nk"]).contains("defines ni, nj, nk, but `ni` is not a parameter"));
        assert!(error("kernel_lu", &["n", "m"]).ends_with("defines n, but not `m`"));
    }

    /// The kernels of the repository name their parameters as the table does.
    #[test]
    fn the_kernels_of_the_repository_are_all_known() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../polybench");
        let mut kernels = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "mlir") || path.ends_with("matmul.mlir") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let (function, rest) = text.split_once("func.func @").unwrap().1.split_once('(').unwrap();
            let arguments = rest.split(')').next().unwrap().split(',');
            let parameters: Vec<_> = arguments
                .filter_map(|a| Some(a.trim().strip_suffix(": index")?.strip_prefix('%')?.to_owned()))
                .collect();
            Dataset::Mini
                .sizes(function, &parameters, &[])
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            kernels += 1;
        }
        assert_eq!(kernels, 30);
    }
}
