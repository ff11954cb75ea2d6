//! `annotate --mlir`: the module that it prints is read again and has the same model, and its attributes are the misses that
//! queries and formulas tell.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;

use crate::common::{model, nothing_from, parameters, symloc};

/// Kernels with several nests, triangular loops, conditions and views; text of older MLIR.
const KERNELS: [&str; 8] = ["gemm", "2mm", "trisolv", "mvt", "jacobi-1d", "gesummv", "atax", "nussinov"];
/// The lines of the caches.
const CACHES: [u64; 2] = [16, 200];

/// Returns the formulas of a model, as far as they do not depend on places in the text.
fn formulas(model: &str) -> Value {
    let (table, errors, status) = symloc(&["table", model, "--by", "array", "--format", "json"]);
    assert_eq!(status, Some(0), "{errors}");
    serde_json::from_str(&table).unwrap()
}

/// The value of a formula in integers, `+ - * / **`, parentheses and floors.
struct FormulaReader<'f> {
    rest: &'f str,
    sizes: &'f BTreeMap<String, f64>,
}

impl FormulaReader<'_> {
    fn value(text: &str, sizes: &BTreeMap<String, f64>) -> f64 {
        let mut formula = FormulaReader { rest: text, sizes };
        let value = formula.sum();
        assert!(formula.rest.is_empty(), "{text}: {}", formula.rest);
        value
    }

    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        let found = rest.strip_prefix(token).filter(|rest| token != "*" || !rest.starts_with('*'));
        self.rest = found.unwrap_or(rest);
        found.is_some()
    }

    fn sum(&mut self) -> f64 {
        let mut sum = self.product();
        loop {
            if self.takes("+") {
                sum += self.product();
            } else if self.takes("-") {
                sum -= self.product();
            } else {
                return sum;
            }
        }
    }

    fn product(&mut self) -> f64 {
        let mut product = self.power();
        loop {
            if self.takes("*") {
                product *= self.power();
            } else if self.takes("/") {
                product /= self.power();
            } else {
                return product;
            }
        }
    }

    fn power(&mut self) -> f64 {
        if self.takes("-") {
            return -self.power();
        }
        let base = self.atom();
        if self.takes("**") { base.powf(self.atom()) } else { base }
    }

    fn atom(&mut self) -> f64 {
        if self.takes("floor(") {
            let inner = self.sum();
            assert!(self.takes(")"), "{}", self.rest);
            return (inner + 1e-9).floor();
        }
        if self.takes("(") {
            let inner = self.sum();
            assert!(self.takes(")"), "{}", self.rest);
            return inner;
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.parse().unwrap_or_else(|_| self.sizes[word])
    }
}

/// Returns the value of an attribute in a line of MLIR, up to the bracket or the quote that ends it.
fn attribute<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let rest = line.split_once(&format!("{name} = "))?.1;
    let end = match rest.chars().next()? {
        '"' => rest[1..].find('"')? + 2,
        '[' => rest.find(']')? + 1,
        _ => rest.find([' ', ',', '}'])?,
    };
    Some(&rest[..end])
}

fn numbers(text: &str) -> Vec<i64> {
    text.trim_matches(['[', ']']).split(", ").filter_map(|number| number.parse().ok()).collect()
}

/// Returns the misses by the formulas of `symloc.misses`, in a cache of so many lines; `None` where a formula is missing. Those of
/// first touches are where `symloc.first_touches` is.
fn misses_of(text: &str, sizes: &BTreeMap<String, f64>, lines: u64) -> Option<f64> {
    let classes = text.split('{').skip(1).map(|class| {
        let entry = |key: &str| attribute(class, key).map(|value| FormulaReader::value(value.trim_matches('"'), sizes));
        if class.contains("where = ") {
            return None;
        }
        if let Some(first) = entry("first_touches") {
            return Some(first);
        }
        let (count, below) = (entry("count")?, entry("below")?);
        Some(if (lines as f64) < below { count } else { 0.0 })
    });
    classes.sum()
}

fn check(kernel: &str) -> Result<(usize, usize), String> {
    let file = format!("polybench/{kernel}.mlir");
    let before = model(&[&file])?;
    let sizes: BTreeMap<String, i64> = parameters(&file, &[]).into_iter().map(|name| (name, 64)).collect();
    let caches: Vec<String> = CACHES.iter().map(|lines| format!("--cache={lines}lines")).collect();
    let defines: Vec<String> = sizes.iter().map(|(name, size)| format!("-D{name}={size}")).collect();
    let question: Vec<&str> = defines.iter().chain(&caches).map(String::as_str).collect();
    let (text, errors, status) = symloc(&[&["annotate", &before, &file, "--mlir"], &question[..]].concat());
    if status != Some(0) {
        return Err(format!("{kernel}: {errors}"));
    }
    // Read again it has the same model.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("annotate-mlir");
    fs::create_dir_all(&folder).unwrap();
    let new = folder.join(format!("{kernel}.mlir"));
    fs::write(&new, &text).unwrap();
    let read = Command::new("mlir-opt-22").arg(&new).output().map_err(|error| error.to_string())?;
    if !read.status.success() || !String::from_utf8_lossy(&read.stdout).contains("symloc.misses") {
        return Err(format!("{kernel}: {}", String::from_utf8_lossy(&read.stderr)));
    }
    let after = model(&[new.to_str().unwrap()])?;
    if formulas(&before) != formulas(&after) {
        return Err(format!("{kernel}: another model: {text}"));
    }
    // Numbers of accesses are those of a query, in its order, and those of loops are sums.
    let query =
        [&["query", &before, "--by", "access", "--model", "denning", "--format", "json"], &question[..]].concat();
    let query: Value = serde_json::from_str(&symloc(&query).0).unwrap();
    let rows = query["by"].as_array().or(query["rows"].as_array()).unwrap_or_else(|| panic!("{query}"));
    let expected: Vec<Vec<i64>> = rows
        .iter()
        .map(|row| row["levels"].as_array().unwrap().iter().map(|level| level["misses"].as_i64().unwrap()).collect())
        .collect();
    let is_access = |line: &&str| line.contains("affine.load") || line.contains("affine.store");
    let said: Vec<Vec<i64>> = text
        .lines()
        .filter(is_access)
        .map(|line| numbers(attribute(line, "symloc.misses_at").unwrap_or_else(|| panic!("{line}"))))
        .collect();
    if said != expected {
        return Err(format!("{kernel}: {expected:?}, not {said:?}"));
    }
    // Formulas have the same values.
    let values: BTreeMap<String, f64> = sizes.iter().map(|(name, size)| (name.clone(), *size as f64)).collect();
    let (mut compared, mut loops) = (0, 0);
    for line in text.lines().filter(|line| line.contains("symloc.misses_at")) {
        let said = numbers(attribute(line, "symloc.misses_at").unwrap());
        let touches =
            attribute(line, "symloc.first_touches").map(|text| FormulaReader::value(text.trim_matches('"'), &values));
        let first = numbers(attribute(line, "symloc.first_touches_at").unwrap())[0];
        if touches.is_some_and(|touches| touches != first as f64) {
            return Err(format!("{kernel}: {line}"));
        }
        let misses = attribute(line, "symloc.misses").unwrap();
        for (lines, said) in CACHES.iter().zip(said) {
            let known = touches.and_then(|_| misses_of(misses, &values, *lines));
            let Some(misses) = known else { continue };
            if misses != said as f64 {
                return Err(format!("{kernel}: {misses}, not {said} misses: {line}"));
            }
            compared += 1;
        }
        loops += usize::from(!is_access(&line));
    }
    Ok((compared, loops))
}

#[test]
fn modules_have_attributes_and_are_read_again() {
    let compared = Mutex::new((0, 0));
    nothing_from(KERNELS.iter(), |kernel| match check(kernel) {
        Ok((formulas, loops)) => {
            let mut compared = compared.lock().unwrap();
            *compared = (compared.0 + formulas, compared.1 + loops);
            None
        }
        Err(wrong) => Some(wrong),
    });
    let (formulas, loops) = compared.into_inner().unwrap();
    assert!(formulas >= 60 && loops >= 20, "{formulas} formulas, {loops} loops");
}

#[test]
fn without_sizes_there_are_formulas_only() {
    let before = model(&["polybench/gemm.mlir"]).unwrap();
    let (text, _, status) = symloc(&["annotate", &before, "polybench/gemm.mlir", "--mlir"]);
    assert_eq!(status, Some(0));
    assert!(text.contains("symloc.misses = [") && !text.contains("misses_at"), "{text}");
}

/// A copy of elements of type `index`, which have 4 bytes here, on a processor with two caches.
const FOR_A_TARGET: &str = r#"module attributes {
  dlti.dl_spec = #dlti.dl_spec<index = 32>,
  dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 1024 : i32>,
    "CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : i32, "L2_cache_size_in_bytes" = 65536 : i64>>
} {
  func.func @copy(%n: index, %A: memref<?xindex>, %B: memref<?xindex>) {
    affine.for %t = 0 to 3 {
      affine.for %i = 0 to %n {
        %a = affine.load %A[%i] : memref<?xindex>
        affine.store %a, %B[%i] : memref<?xindex>
      }
    }
    return
  }
}
"#;

#[test]
fn caches_and_widths_are_those_of_the_target() {
    let path = std::env::temp_dir().join(format!("symloc-annotate-{}-target.mlir", std::process::id()));
    fs::write(&path, FOR_A_TARGET).unwrap();
    let source = path.to_str().unwrap();
    let before = model(&[source]).unwrap();
    let (text, errors, status) = symloc(&["annotate", &before, source, "--mlir", "-D", "n=1000"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("4096 bytes, 65536 bytes"), "{errors}");
    // Lines of 16 elements: 63 for each array, which the second cache holds.
    let load = text.lines().find(|line| line.contains("affine.load")).unwrap();
    assert!(load.contains("symloc.misses_at = [189, 63]"), "{load}");
    assert!(text.contains("symloc.cache_lines = [64, 1024]"), "{text}");
    let (text, _, _) = symloc(&["annotate", &before, source, "--mlir", "-D", "n=1000", "--cache", "512B"]);
    assert!(text.contains("symloc.cache_lines = [8]"), "{text}");
    let (text, errors, _) = symloc(&["annotate", &before, source, "--mlir"]);
    assert!(!text.contains("misses_at") && !errors.contains("bytes"), "{errors}");
    fs::remove_file(path).unwrap();
}

/// Changes of the target, each a text and another one for it, and the caches that are taken.
const DEVICES: [(&str, &str, &str, Option<&str>); 4] = [
    (
        "the only device",
        "    \"GPU\" = #dlti.target_device_spec<\"L1_cache_size_in_bytes\" = 1024 : i32>,\n",
        "",
        Some("[64, 1024]"),
    ),
    ("no processor", "\"CPU\"", "\"NPU\"", None),
    ("no first level", "\"L1_cache_size_in_bytes\" = 4096 : i32, ", "", None),
    ("one level", ", \"L2_cache_size_in_bytes\" = 65536 : i64", "", Some("[64]")),
];

#[test]
fn caches_are_those_of_the_processor_or_of_the_only_device() {
    for (what, replaced, with, lines) in DEVICES {
        let name = format!("symloc-annotate-{}-{}.mlir", std::process::id(), what.replace(' ', "-"));
        let path = std::env::temp_dir().join(name);
        assert_eq!(FOR_A_TARGET.matches(replaced).count(), 1, "{what}");
        fs::write(&path, FOR_A_TARGET.replace(replaced, with)).unwrap();
        let source = path.to_str().unwrap();
        let before = model(&[source]).unwrap();
        let (text, errors, status) = symloc(&["annotate", &before, source, "--mlir", "-D", "n=1000"]);
        assert_eq!(status, Some(0), "{what}: {errors}");
        let said = lines.map(|lines| format!("symloc.cache_lines = {lines}"));
        match said {
            Some(said) => assert!(text.contains(&said), "{what}: {text}"),
            None => assert!(!text.contains("cache_lines"), "{what}: {text}"),
        }
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn what_has_no_module_is_refused() {
    let passes = model(&["polybench/gemm.mlir", "--passes", "func.func(affine-loop-fusion)"]).unwrap();
    let code = model(&["polybench/c/gemm.c", "--assume-noalias"]).unwrap();
    let gemm = model(&["polybench/gemm.mlir"]).unwrap();
    for (model, more, said) in [
        (&code, &[][..], "the model was not derived from MLIR"),
        (&gemm, &["polybench/2mm.mlir"], "this is not the text that the model was derived from"),
        (&gemm, &["--json"], "cannot be used with"),
        (&gemm, &["--cache", "32KiB"], "no value"),
    ] {
        let (_, errors, status) = symloc(&[&["annotate", model, "--mlir"], more].concat());
        assert!(status == Some(2) && errors.contains(said), "{more:?}: {status:?} {errors}");
    }
    // Fusion leaves the accesses of gemm where they are, or they are others.
    let (_, errors, status) = symloc(&["annotate", &passes, "--mlir"]);
    assert!(status == Some(0) || errors.contains("derive the model without options"), "{errors}");
}
