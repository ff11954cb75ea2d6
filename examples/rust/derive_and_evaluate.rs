//! Derives the model of a matrix product once, and asks it for the misses at several sizes and caches.
//!
//! ```sh
//! cargo run --release -p symloc-reuse --example derive_and_evaluate
//! ```

use std::error::Error;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Layout, Line, Program};
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_reuse::{DeriveOptions, LineSizes, ModelOrigin, derive};

/// `C[i][j] += A[i][k] * B[k][j]`, for matrices of n × n doubles.
fn product() -> Program {
    let mut b = ProgramBuilder::new("product");
    let n = b.param("n");
    let [x, y, z] = ["A", "B", "C"].map(|name| b.array(name, 8, 2));
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.for_("k", 0, n, |b, k| {
                b.read(x, [i, k]);
                b.read(y, [k, j]);
                b.read(z, [i, j]);
                b.write(z, [i, j]);
            });
        });
    });
    b.build()
}

/// Derives reuse intervals for lines of 64 bytes, for all n.
fn model(program: &Program) -> Result<Model, Box<dyn Error>> {
    let layout = Layout::Rows;
    let options = DeriveOptions::new(layout, LineSizes::Fixed(vec![Line::Bytes(64)]));
    Ok(derive(program, &options)?.into_model(program, layout, ModelOrigin::default()))
}

/// Returns the misses of a fully associative cache of so many bytes, by Denning's working sets.
fn misses(evaluator: &Evaluator<'_>, n: i64, bytes: u64) -> Result<Int, Box<dyn Error>> {
    let prediction = evaluator.predict(MissModel::Denning, &[("n", n)].into_iter().collect::<NamedSizes>())?;
    Ok(prediction.misses(&Int::from(bytes / 64))?.total())
}

fn main() -> Result<(), Box<dyn Error>> {
    let model = model(&product())?;
    let evaluator = Evaluator::new(&model, LineChoice::Only)?;
    for n in [1000, 10_000, 100_000] {
        for kib in [32, 1024] {
            println!("n = {n}, {kib} KiB: {} misses", misses(&evaluator, n, kib * 1024)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_misses_as_the_documentation_says() {
        let model = model(&product()).unwrap();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        // `symloc query matmul.loc.json -D n=1024 --cache 48KiB` in docs/tour.md.
        assert_eq!(misses(&evaluator, 1024, 48 * 1024).unwrap(), Int::from(1_208_090_624));
    }
}
