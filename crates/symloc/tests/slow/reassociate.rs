//! `symloc advise --reassociate`: sums in other orders are equal within rounding, and nothing but sums is reordered.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{nothing_from, symloc};

const HINT: &str = "--reassociate permits that";

/// A function over n, an array of n × n numbers, and one number; an order of its loops.
const SUMS: [(&str, &str, &str); 7] = [
    ("double", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] += a[i][j] * 0.1;", "j, i"),
    ("float", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] = 0.1f * a[i][j] + s[0];", "j:16, i:16"),
    ("double", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] -= a[i][j] / 3 + a[j][i];", "i:8, j:8"),
    ("double", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] *= 1 + a[i][j] * 1e-6;", "j, i"),
    (
        "double",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (a[i][j] > 1) s[0] += a[i][j] * 0.1;",
        "j, i",
    ),
    ("int", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] += a[i][j] * 7;", "j, i"),
    (
        "double",
        "for (int i = 0; i < n; i++) { double t = 0; for (int j = 0; j < n; j++) for (int k = 0; k < 8; k++) t += a[i][j] * 0.1 * k; s[i] = t; }",
        "k, j",
    ),
];

/// Updates that depend on their order, with an order that exchanges them.
const OTHERS: [(&str, &str); 8] = [
    ("double", "s[0] = s[0] + s[0] * a[i][j];"),
    ("double", "s[0] = a[i][j] - s[0];"),
    ("double", "s[0] += a[i][j] * s[0];"),
    ("double", "s[0] = (s[0] + a[i][j]) * 0.5;"),
    ("double", "s[0] /= a[i][j];"),
    ("int", "s[0] += a[i][j] * 0.5;"),
    ("double", "s[0] = (float)(s[0] + a[i][j]);"),
    ("double", "if (s[0] < 10) s[0] += a[i][j];"),
];

fn written(name: &str, kind: &str, body: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-reassociate");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, format!("void f(int n, {kind} a[n][n], {kind} *s)\n{{\n  {body}\n}}\n")).unwrap();
    file
}

fn advise(file: &Path, order: &str, more: &[&str]) -> (String, String, Option<i32>) {
    let options = ["advise", file.to_str().unwrap(), "-D", "n=150", "--cache", "1KiB,4", "--order", order];
    symloc(&[&options[..], more].concat())
}

#[test]
fn sums_are_reordered_where_that_is_permitted() {
    nothing_from(SUMS.iter().enumerate(), |(index, (kind, body, order))| {
        let file = written(&format!("sum{index}.c"), kind, body);
        let (answer, errors, status) = advise(&file, order, &["--run"]);
        if status == Some(0) || !errors.contains("is not legal") || !errors.contains(HINT) {
            return Some(format!("{body} without --reassociate: {answer}{errors}"));
        }
        let (answer, errors, status) = advise(&file, order, &["--run", "--reassociate", "--format", "json"]);
        let Ok(found) = serde_json::from_str::<Value>(&answer) else {
            return Some(format!("{body}: {status:?} {errors}"));
        };
        let new = &found["orders"][0];
        let difference = new["relative_difference"].as_f64();
        let fits = match *kind {
            "int" => difference.is_none(),
            "float" => difference.is_some_and(|difference| difference > 0.0 && difference < 1e-3),
            _ => difference.is_some_and(|difference| difference > 0.0 && difference < 1e-12),
        };
        (!fits || new["is_equal"] != true || new["may_reorder_sums"] != true).then(|| format!("{body}: {answer}"))
    });
}

#[test]
fn answers_say_that_sums_are_reordered() {
    let (kind, body, order) = SUMS[0];
    let file = written("said.c", kind, body);
    let (answer, errors, _) = advise(&file, order, &["--run", "--reassociate"]);
    let said = [
        "terms of sums may be added in another order",
        "equal within rounding (largest relative difference",
        "equal within rounding: 1e-9 in double, 1e-3 in float",
    ];
    assert!(said.iter().all(|said| answer.contains(said)), "{answer}{errors}");
}

#[test]
fn what_depends_on_its_order_keeps_it() {
    let two = ("double", "s[0] += a[i][j]; s[0] *= a[j][i];");
    nothing_from(OTHERS.iter().chain([&two]).enumerate(), |(index, (kind, update))| {
        let body = format!("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {{ {update} }}");
        let file = written(&format!("other{index}.c"), kind, &body);
        let (answer, errors, status) = advise(&file, "j, i", &["--reassociate"]);
        let is_refused = status != Some(0) && errors.contains("is not legal");
        let (_, without, _) = advise(&file, "j, i", &[]);
        (!is_refused || without.contains(HINT)).then(|| format!("{update}: {status:?} {answer}{errors}{without}"))
    });
}

#[test]
fn stencils_are_refused_as_before() {
    for more in [&[][..], &["--reassociate"]] {
        let options = ["--dataset", "mini", "--cache", "1KiB,8", "--order", "i:4, j:4"];
        let (_, errors, status) = symloc(&[&["advise", "polybench/c/seidel-2d.c"][..], &options, more].concat());
        assert!(status != Some(0) && errors.contains("is not legal") && !errors.contains(HINT), "{errors}");
    }
}

/// A loop that collects a sum for one element does so in a variable, several terms at once.
#[test]
fn a_loop_over_the_terms_of_a_sum_runs_in_vectors() {
    let source = "void f(int n, double a[n][n], double b[n][n], double c[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[j][k] * 0.1;
}
";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-reassociate");
    fs::create_dir_all(&folder).unwrap();
    let (file, new) = (folder.join("product.c"), folder.join("product_new.c"));
    fs::write(&file, source).unwrap();
    let more = ["--run", "--reassociate", "-o", new.to_str().unwrap()];
    let (answer, errors, status) = advise(&file, "i, j:8, k", &more);
    assert!(status == Some(0) && answer.contains("equal within rounding (largest"), "{answer}{errors}");
    let text = fs::read_to_string(&new).unwrap();
    let parts = [
        "double symloc_sum_0 = c[i][j];",
        "#pragma clang loop vectorize(assume_safety)",
        "symloc_sum_0 += a[i][k] * b[j][k] * 0.1;",
        "c[i][j] = symloc_sum_0;",
    ];
    let places: Vec<_> = parts.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"))).collect();
    assert!(places.is_sorted(), "{text}");
    let order = ["--order", "i, j:8, k", "--cache", "1KiB,4", "-D", "n=20", "-o", new.to_str().unwrap()];
    let (_, errors, _) = symloc(&[&["advise", file.to_str().unwrap()][..], &order].concat());
    let text = fs::read_to_string(&new).unwrap_or_else(|_| panic!("{errors}"));
    assert!(!text.contains("vectorize") && !text.contains("symloc_sum"), "{text}");
}

/// A triangle whose sums are collected; a size at which this changes the misses, and an order.
const TRIANGLE: &str = "\
void f(int n, double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        B[i][j] -= A[i][k] * A[j][k];
      B[i][j] /= A[j][j];
    }
}
";

/// Two sums of one array that are collected in one loop, where each has names of its own.
const FUSED: &str = "\
void f(int n, double A[n][n], double *restrict c, double *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i] += A[i][j] * 0.5;
  for (int p = 0; p < n; p++)
    for (int q = 0; q < n; q++)
      d[p] += A[p][q] * 0.25;
}
";

/// A loop that collects a sum in a variable touches the element once in front and once behind: its misses are said so.
/// Where the element is named by a counter that the other loop's counter gives, in skewed orders.
#[test]
fn sums_along_diagonals_are_collected() {
    let bodies = [
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[i + j] += a[i][j];",
        "int i, j; for (i = 0; i < n; i++) for (j = 0; j < n; j++) s[i + j] += a[i][j];",
        "for (long i = 0; i < n; i++) for (int j = n - 1; j >= 0; j--) s[n - 1 + i - j] += a[j][i];",
    ];
    let orders = ["scheduler:1", "scheduler:2", "scheduler:3"];
    let cases = bodies.iter().flat_map(|body| orders.map(|order| (*body, order)));
    nothing_from(cases.enumerate(), |(index, (body, order))| {
        let file = written(&format!("diagonal{index}.c"), "double", body);
        let (answer, errors, status) = advise(&file, order, &["--run", "--reassociate", "--assume-noalias"]);
        let is_equal = status == Some(0) && !answer.contains("OTHER RESULTS") && answer.contains("measured");
        (!is_equal).then(|| format!("{order} {body}: {status:?} {answer}{errors}"))
    });
}

#[test]
fn misses_of_orders_that_collect_sums_are_those_of_the_written_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-reassociate");
    fs::create_dir_all(&folder).unwrap();
    let [triangle, fused] = [("triangle.c", TRIANGLE), ("fused.c", FUSED)].map(|(name, text)| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).display().to_string()
    });
    let (triangle, fused) = (triangle.as_str(), fused.as_str());
    let cases = [
        (fused, "", "n=100"),
        (triangle, "j:8, i, k", "n=24"),
        (triangle, "j, i:4, k", "n=29"),
        ("polybench/c/gemm.c", "j:8, i, k", "ni=nj=nk=13"),
        ("polybench/c/mvt.c", "i:4, j", "n=37"),
        ("polybench/c/syr2k.c", "j:4, i:4, k", "n=m=17"),
        ("polybench/c/2mm.c", "i:4, j:4, k", "ni=nj=nk=nl=11"),
    ];
    nothing_from(cases.iter().enumerate(), |(index, (file, order, sizes))| {
        let new = folder.join(format!("collects{index}.c"));
        let asked = ["--cache", "1KiB,full", "--cache", "3KiB,full", "-D", sizes];
        // The best order fuses the two.
        let order_or_best = if order.is_empty() { ["--top", "1"] } else { ["--order", order] };
        let ordered = ["--reassociate", "--run", "--format", "json", "-o", new.to_str().unwrap()];
        let (answer, errors, _) = symloc(&[&["advise", file][..], &asked, &order_or_best, &ordered].concat());
        let advice: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{file}: {errors}"));
        let said: Vec<Value> = advice["orders"][0]["misses"].as_array().unwrap().clone();
        let (answer, errors, _) = symloc(&[&["simulate", new.to_str().unwrap(), "--json"][..], &asked].concat());
        let counted: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{file}: {errors}"));
        let counted = counted["levels"].as_array().unwrap().iter().map(|level| level["misses"].as_f64());
        let collects = fs::read_to_string(&new).unwrap().contains("symloc_sum");
        let is_right =
            collects && advice["orders"][0]["is_equal"] == true && counted.eq(said.iter().map(Value::as_f64));
        (!is_right).then(|| format!("{file}, {order}: {said:?}, collects: {collects}, but {answer}"))
    });
}

/// Updates in MLIR, and whether they may be exchanged.
const MLIR: [(&str, bool); 5] = [
    ("%m = arith.mulf %x, %c : f64\n %r = arith.addf %s, %m : f64", true),
    ("%m = arith.mulf %x, %c : f64\n %r = arith.subf %s, %m : f64", true),
    ("%m = arith.mulf %x, %c : f64\n %r = arith.maximumf %m, %s : f64", true),
    ("%r = arith.subf %x, %s : f64", false),
    ("%m = arith.mulf %s, %x : f64\n %r = arith.addf %s, %m : f64", false),
];

#[test]
fn sums_in_mlir_are_reordered_as_well() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-reassociate");
    fs::create_dir_all(&folder).unwrap();
    nothing_from(MLIR.iter().enumerate(), |(index, (update, is_reduction))| {
        let file = folder.join(format!("update{index}.mlir"));
        let text = format!(
            "func.func @f(%n: index, %a: memref<?x?xf64>, %out: memref<1xf64>) {{
  %c = arith.constant 0.1 : f64
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %n {{
      %x = affine.load %a[%i, %j] : memref<?x?xf64>
      %s = affine.load %out[0] : memref<1xf64>
      {update}
      affine.store %r, %out[0] : memref<1xf64>
    }}
  }}
  return
}}
"
        );
        fs::write(&file, text).unwrap();
        let (_, without, status) = advise(&file, "j, i", &[]);
        if status == Some(0) || without.contains(HINT) != *is_reduction {
            return Some(format!("{update}: {without}"));
        }
        let (answer, errors, status) = advise(&file, "j, i", &["--run", "--reassociate"]);
        let is_fine = status == Some(0) && !answer.contains("OTHER RESULTS") && answer.contains("measured");
        (is_fine != *is_reduction).then(|| format!("{update}: {status:?} {answer}{errors}"))
    });
}
