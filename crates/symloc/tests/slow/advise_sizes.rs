//! `symloc advise --for-all-sizes`: what models predict of an order is near what `simulate` counts for its source, on both
//! sides of the sizes from which on it is the best.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{nothing_from, root, symloc};

/// A program and an order of its loops, beside each other in caches of 2 and 8 KiB.
struct SizesCase {
    source: String,
    /// The parameters that vary, and their values.
    varying: &'static str,
    values: &'static str,
    order: &'static str,
    /// The orders that are the best, from the smallest size to the largest.
    best: &'static [u64],
}

const TRANSPOSED: &str = "void product(int n, double C[n][n], double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[j][k];
}
";

const CACHES: [&str; 4] = ["--cache", "2KiB,full", "--cache", "8KiB,full"];

/// Misses by models are this near to those that are counted, as a part of them. They differ most where a cache holds
/// just so much: Denning's model takes windows for typical that are not.
const NEAR: f64 = 0.05;

#[test]
fn models_agree_with_runs_on_both_sides_of_a_crossover() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-sizes");
    fs::create_dir_all(&folder).unwrap();
    let gemm = fs::read_to_string(root().join("polybench/c/gemm.c")).unwrap();
    let cases = [
        SizesCase {
            source: TRANSPOSED.to_owned(),
            varying: "n",
            values: "16..144:+16",
            order: "i, k, j",
            best: &[1, 0],
        },
        SizesCase { source: gemm, varying: "ni=nj=nk", values: "16,48,64,96", order: "i, k:8, j:16", best: &[0] },
    ];
    nothing_from(cases.iter().enumerate(), |(index, case)| {
        let why = case.check(&folder.join(format!("written{index}.c")), &folder.join(format!("new{index}.c"))).err();
        why.map(|why| format!("{}, {}: {why}", case.varying, case.order))
    });
}

impl SizesCase {
    fn check(&self, written: &Path, new: &Path) -> Result<(), String> {
        fs::write(written, &self.source).unwrap();
        let (written, new) = (written.to_str().unwrap(), new.to_str().unwrap());
        let question = ["advise", written, "--order", self.order];
        let sizes = format!("{}={}", self.varying, self.values);
        let answer =
            json_of(&[&question[..], &CACHES, &["-D", &sizes, "--for-all-sizes", "--format", "json"]].concat())?;
        let best: Vec<_> = list(&answer["ranges"]).iter().map(|range| range["order"].as_u64().unwrap()).collect();
        if best != self.best {
            return Err(format!("the best orders are {best:?}"));
        }
        // The source in the order, whether or not it is the best at the largest size.
        let (_, errors, status) =
            symloc(&[&question[..], &CACHES, &["-D", &format!("{}=16", self.varying), "-o", new]].concat());
        if status != Some(0) {
            return Err(errors);
        }
        for (place, value) in list(&answer["values"]).iter().enumerate() {
            let at = format!("{}={value}", self.varying);
            for (order, source) in [written, new].into_iter().enumerate() {
                let counted = json_of(&[&["simulate", source, "-D", &at, "--apart", "--json"][..], &CACHES].concat())?;
                let counted = list(&counted["levels"]).iter().map(|level| level["misses"].as_f64().unwrap());
                let predicted = &answer["orders"][order]["sizes"][place]["misses"];
                for (counted, predicted) in counted.zip(list(predicted)) {
                    if (predicted.as_f64().unwrap() - counted).abs() > NEAR * counted {
                        return Err(format!("{at}, order {order}: {predicted} misses beside {counted}"));
                    }
                }
            }
        }
        Ok(())
    }
}

#[test]
fn one_range_of_sizes_is_asked_about() {
    for (sizes, ranges) in [("ni=16,nj=16,nk=16", "there are 0"), ("ni=nj=16..32:+8,nk=8..16", "there are 2")] {
        let question = ["advise", "polybench/c/gemm.c", "--for-all-sizes", "-D", sizes];
        let (_, errors, status) = symloc(&[&question[..], &CACHES].concat());
        assert!(status == Some(2) && errors.contains(ranges) && errors.contains("give one range"), "{errors}");
    }
}

fn json_of(arguments: &[&str]) -> Result<Value, String> {
    let (answer, errors, _) = symloc(arguments);
    serde_json::from_str(&answer).map_err(|_| errors)
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}
