//! Compares LRU misses from models that are derived now with the misses that an earlier study simulated: after a change of the
//! derivation this takes minutes instead of an hour.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::kernels::{Kernel, Variant};
use super::predict::{Predicted, lru};
use super::{LINE_BYTES, SIZES, WAYS};
use crate::BoxedError;

/// The simulated figures, from `accuracy.tsv`.
struct Figures(BTreeMap<[String; 4], (u64, u64)>);

impl Figures {
    fn read(file: &Path) -> Result<Self, BoxedError> {
        let text = fs::read_to_string(file)?;
        let mut figures = BTreeMap::new();
        for line in text.lines().skip(1) {
            let [kernel, variant, bytes, ways, accesses, simulated] = line.split('\t').collect::<Vec<_>>()[..6] else {
                return Err(format!("{}: what is `{line}`?", file.display()).into());
            };
            let cell = [kernel, variant, bytes, ways].map(str::to_owned);
            figures.insert(cell, (accesses.parse()?, simulated.parse()?));
        }
        Ok(Self(figures))
    }

    /// Returns the number of accesses, and that of the misses in the cache.
    fn cell(&self, kernel: &Kernel, variant: Variant, bytes: u64, ways: u64) -> Result<(u64, u64), BoxedError> {
        let cell = [kernel.name.clone(), variant.name().to_owned(), bytes.to_string(), ways.to_string()];
        self.0.get(&cell).copied().ok_or_else(|| format!("no figures of {}", cell.join(", ")).into())
    }
}

/// Derives the kernels and compares them; fails if a fully associative cell is wrong although all its distances are known.
pub(super) fn run(kernels: &[Kernel], file: &Path) -> Result<(), BoxedError> {
    let figures = Figures::read(file)?;
    let (mut models, mut estimating, mut errors) = (0, Vec::new(), Vec::new());
    for kernel in kernels {
        for variant in [Variant::Original, Variant::Fused] {
            let Some(sized) = kernel.program(variant)? else { continue };
            let (Predicted { full, ways }, estimated) = lru(&sized)?;
            models += 1;
            if estimated > 0 {
                estimating.push(format!("{} ({}): {estimated} reuses", kernel.name, variant.name()));
            }
            for (index, bytes) in SIZES.into_iter().enumerate() {
                let (_, simulated) = figures.cell(kernel, variant, bytes, bytes / LINE_BYTES)?;
                if full[index] != simulated && estimated == 0 {
                    let place = format!("{} ({}), {bytes} bytes", kernel.name, variant.name());
                    return Err(format!("{place}: {} misses, {simulated} simulated", full[index]).into());
                }
                let (accesses, simulated) = figures.cell(kernel, variant, bytes, WAYS)?;
                errors.push((variant, 100.0 * ways[index].abs_diff(simulated) as f64 / accesses as f64));
            }
            eprintln!("{} {}", kernel.name, variant.name());
        }
    }
    println!(
        "{models} models, {} with estimates {estimating:?}; the others have the simulated misses",
        estimating.len()
    );
    for variant in [Variant::Original, Variant::Fused] {
        let of: Vec<_> = errors.iter().filter(|(of, _)| *of == variant).map(|(_, error)| error).collect();
        let mean = of.iter().copied().sum::<f64>() / of.len() as f64;
        println!("{WAYS}-way, {}: error {mean:.3} % on average over {} cells", variant.name(), of.len());
    }
    Ok(())
}
