//! `symloc advise`: orders that are proposed compute what the program computes, and their source can be read again.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{nothing_from, root, share, symloc};

fn kernels() -> Vec<String> {
    let entries = fs::read_dir(root().join("polybench/c")).unwrap();
    let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".c").map(str::to_owned)).collect();
    names.sort();
    names
}

/// Kernels whose new source the front end does not read, with the reason: the bounds of skewed wavefronts in an array
/// whose extents are not declared with it.
const NOT_DERIVED: [(&str, &str); 1] = [("seidel-2d", "cannot prove that the inner subscript stays within its row")];

/// A program that cannot be advised on, and what is said of it.
const REFUSED: [(&str, &str); 7] = [
    ("while (n > 0) a[--n] = 0;", "a `while` loop: only `for` loops are reordered"),
    (
        "for (int i = 0; i < n; i++) { if (a[i] > 3) break; a[i] = 0; }",
        "the number of iterations of this loop is not affine",
    ),
    ("for (int i = 0; i < n; i++) a[b[i]] = 0;", "is not affine"),
    ("for (int i = 0; i < n; i++) { a[i] = 0; other(a); }", "other"),
    ("for (int i = 0; i < n; i++) if (a[i] > 0) for (int j = 0; j < n; j++) a[j] = b[i];", "depends on data"),
    ("for (int i = 0; i < n; i++) if (i > 5 || i < 3) a[i] = b[i];", "this runs under one of several conditions"),
    ("for (int i = 0; i < n; i++) if (a[i] > 0) continue; else a[i] = 1;", "a jump between the loops"),
];

#[test]
fn what_cannot_be_moved_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-refused");
    fs::create_dir_all(&folder).unwrap();
    nothing_from(REFUSED.iter().enumerate(), |(index, (body, reason))| {
        let file = folder.join(format!("refused{index}.c"));
        fs::write(&file, format!("void other(int *);\nvoid f(int n, int *a, const int *b) {{\n  {body}\n}}\n"))
            .unwrap();
        let (_, errors, status) = symloc(&["advise", file.to_str().unwrap(), "-D", "n=100", "--cache", "1KiB"]);
        (status == Some(0) || !errors.contains(reason)).then(|| format!("{body}: {status:?}: {errors}"))
    });
}

/// Pragmas are lines of their own, also in a function that is written on one line.
#[test]
fn functions_on_one_line_can_be_written_anew() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-line");
    fs::create_dir_all(&folder).unwrap();
    let (file, new) = (folder.join("line.c"), folder.join("new.c"));
    let source = "void f(int n,double a[n][n]){for(int j=0;j<n;j++)for(int i=0;i<n;i++)a[i][j]+=1.0;}\n";
    fs::write(&file, source).unwrap();
    let (file, new) = (file.to_str().unwrap(), new.to_str().unwrap());
    let options = ["-D", "n=300", "--cache", "1KiB,4", "--order", "i, j", "--run", "-o", new];
    let (answer, errors, status) = symloc(&[&["advise", file][..], &options].concat());
    assert!(status == Some(0) && !answer.contains("OTHER RESULTS"), "{answer}{errors}");
    let text = fs::read_to_string(new).unwrap();
    assert!(text.lines().all(|line| !line.contains('#') || line.trim_start().starts_with('#')), "{text}");
    assert!(text.contains("#pragma"), "{text}");
    assert_eq!(compiles_and_derives("line", new), Ok(()));
}

/// A condition on data stays with its statement.
#[test]
fn conditions_on_data_are_moved_with_their_statements() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-conditions");
    fs::create_dir_all(&folder).unwrap();
    let (file, new) = (folder.join("condition.c"), folder.join("new.c"));
    let source = "void f(int n, double a[n][n], double b[n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      if (a[i][j] > 1.0)
        b[i][j] = a[i][j];
      else if (i > 3)
        b[i][j] -= 1.0;
    }
}
";
    fs::write(&file, source).unwrap();
    let (file, new) = (file.to_str().unwrap(), new.to_str().unwrap());
    let options = ["-D", "n=300", "--cache", "1KiB,4", "--cache", "16KiB,8", "--run", "--top", "1", "-o", new];
    let (answer, errors, status) = symloc(&[&["advise", file][..], &options].concat());
    assert!(status == Some(0) && !answer.contains("OTHER RESULTS"), "{answer}{errors}");
    assert!(errors.contains("both sides of this condition on data are taken to run"), "{errors}");
    let text = fs::read_to_string(new).unwrap();
    assert!(text.contains("if (a[i][j] > 1.0)") && text.find("(int i") < text.find("(int j"), "{text}");
}

/// Rows that depend on each other k rows apart: isl's scheduler finds no order. With k < 0 the dependence turns round.
#[test]
fn orders_with_symbolic_distances_are_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-distance");
    fs::create_dir_all(&folder).unwrap();
    let (file, new) = (folder.join("shift.c"), folder.join("new.c"));
    let shift = "void f(int n, int k, double a[restrict 2 * n][n], double b[restrict n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = 0.5 * a[i + k][j] + b[i][j];
}
";
    let (file, new) = (file.to_str().unwrap(), new.to_str().unwrap());
    let options = ["-D", "n=300", "--cache", "1KiB,4", "--cache", "16KiB,8", "--run", "--top", "1", "-o", new];
    fs::write(file, shift).unwrap();
    let (answer, errors, status) = symloc(&[&["advise", file, "-D", "k=7"][..], &options].concat());
    assert!(
        status == Some(0) && answer.contains("loops i, j") && !answer.contains("OTHER RESULTS"),
        "{answer}{errors}"
    );
    assert!(!errors.contains("something else"), "rows are run through one after the other in both: {errors}");
    // Here the outer loop is turned round, which only k >= 1 makes legal.
    fs::write(file, shift.replace("[i + k][j]", "[i + k][j + 1]").replace("j < n", "j < n - 1")).unwrap();
    let (answer, errors, status) = symloc(&[&["advise", file, "-D", "k=7"][..], &options].concat());
    assert!(
        status == Some(0) && answer.contains("loops i, j") && !answer.contains("OTHER RESULTS"),
        "{answer}{errors}"
    );
    assert!(errors.contains("note: the new source is for k >= 1, as the model is; with k = -"), "{errors}");
    // The code sets c[i] in the first iteration of the loop over j.
    let sums = "void f(int n, int k, double a[k][n], double c[restrict n]) {
  for (int i = 0; i < n; i++) {
    c[i] = 0;
    for (int j = 0; j < k; j++)
      c[i] += a[j][i];
  }
}
";
    for (at_zero, text) in [(true, sums.to_owned()), (false, sums.replace("    c[i] = 0;\n", ""))] {
        fs::write(file, text).unwrap();
        let options = ["-D", "n=60", "-D", "k=60", "--cache", "1KiB", "--top", "1", "-o", new];
        let (answer, errors, status) = symloc(&[&["advise", file][..], &options].concat());
        let told = errors.contains("note: the new source is for k >= 1, as the model is; with k = 0 it may compute");
        assert!(status == Some(0) && answer.contains("loops j, i") && told == at_zero, "{answer}{errors}");
    }
}

/// isl's scheduler makes the band j, j - i of these loops, which may be interchanged as they are.
#[test]
fn loops_that_the_scheduler_skews_are_interchanged() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-skewed");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("diagonal.c");
    let diagonal = "void diagonal(float a[restrict 200][200], float b[restrict 200][200]) {
  for (int j = 1; j < 200; j++)
    for (int i = 1; i < 200; i++)
      a[i][j] = a[i - 1][j - 1] + b[i][j];
}
";
    fs::write(&file, diagonal).unwrap();
    let options = ["--cache", "4KiB", "--run", "--top", "1"];
    let (answer, errors, status) = symloc(&[&["advise", file.to_str().unwrap()][..], &options].concat());
    let is_right = answer.contains("loops i, j") && !answer.contains("OTHER RESULTS");
    assert!(status == Some(0) && is_right, "{answer}{errors}");
}

#[test]
fn proposed_orders_compute_the_same() {
    let kernels = kernels();
    assert!(kernels.len() >= 30, "{kernels:?}");
    nothing_from(share([2, 4], kernels.iter()), |kernel| check(kernel).err());
}

fn check(kernel: &str) -> Result<(), String> {
    let file = format!("polybench/c/{kernel}.c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise");
    fs::create_dir_all(&folder).unwrap();
    let new = folder.join(format!("{kernel}.c"));
    let _ = fs::remove_file(&new);
    let caches = ["--cache", "1KiB,4", "--cache", "8KiB,8", "--dataset", "mini"];
    let options = ["--run", "--top", "3", "--search-time", "3", "--bound", "-o", new.to_str().unwrap()];
    let (answer, errors, status) = symloc(&[&["advise", &file][..], &caches, &options].concat());
    if status != Some(0) || !answer.contains("\nas written: misses L1") || answer.contains("OTHER RESULTS") {
        return Err(format!("{kernel}: {answer}{errors}"));
    }
    are_not_below_the_bound(&answer).map_err(|line| format!("{kernel}: below the bound: {line}"))?;
    if !new.exists() {
        let nothing = ["no order that was tried", "none of these is faster"];
        return if nothing.iter().any(|said| answer.contains(said)) {
            Ok(())
        } else {
            Err(format!("{kernel}: {answer}"))
        };
    }
    compiles_and_derives(kernel, new.to_str().unwrap())
}

/// Checks that counted misses of orders, as written and new, are at least the bound, of which one is printed with each.
fn are_not_below_the_bound(answer: &str) -> Result<(), &str> {
    let heads = ["as written: misses ", "   misses "];
    let mut orders = answer.lines().filter(|line| heads.iter().any(|head| line.starts_with(head)));
    let is_wrong = |line: &&str| {
        let Some((_, rest)) = line.split_once(" (") else { return true };
        let Some((times, _)) = rest.split_once(" times the bound)") else { return true };
        !line.contains('~') && times.split(", ").any(|times| times.parse::<f64>().is_ok_and(|times| times < 1.0))
    };
    orders.find(is_wrong).map_or(Ok(()), Err)
}

#[test]
fn hints_to_the_compiler_are_read_over() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-hints");
    fs::create_dir_all(&folder).unwrap();
    let hints =
        ["#pragma unroll 4", "#pragma clang loop vectorize(enable)", "#pragma GCC unroll 2", "_Pragma(\"unroll\")"];
    nothing_from(hints.iter().enumerate(), |(index, hint)| {
        let (file, new) = (folder.join(format!("hint{index}.c")), folder.join(format!("new{index}.c")));
        let text = format!(
            "void f(int n, double A[n][n], double B[restrict n][n]) {{\n{hint}\n  for (int j = 0; j < n; j++) {{\n{hint}\n    \
             for (int i = 0; i < n; i++)\n      A[i][j] = 2 * B[i][j];\n  }}\n}}"
        );
        fs::write(&file, text).unwrap();
        let (file, new) = (file.to_str().unwrap(), new.to_str().unwrap());
        let order = ["--order", "i, j", "-D", "n=50", "--cache", "1KiB", "--run", "-o", new];
        let (answer, errors, status) = symloc(&[&["advise", file][..], &order].concat());
        let is_fine = status == Some(0) && answer.contains("measured") && !answer.contains("OTHER RESULTS");
        // The file that is written has a hint, too, and no line ends behind its last bracket.
        let (again, more, status) = symloc(&["advise", new, "--order", "j, i", "-D", "n=50", "--cache", "1KiB"]);
        let is_read = status == Some(0) && again.contains("loops j, i, as given");
        let compiles = compiles_and_derives("hints", new);
        (!is_fine || !is_read || compiles.is_err())
            .then(|| format!("{hint}: {answer}{errors}{again}{more}{compiles:?}"))
    });
}

/// Checks that an emitted file compiles without warnings, and that the front end reads it.
fn compiles_and_derives(kernel: &str, file: &str) -> Result<(), String> {
    let compiler =
        Command::new("clang-22").args(["-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", "/dev/null", file]).output();
    let messages = String::from_utf8(compiler.unwrap().stderr).unwrap();
    if !messages.is_empty() {
        return Err(format!("{kernel}: {messages}"));
    }
    let (_, errors, status) = symloc(&["derive", file, "--emit", "affine"]);
    let is_known = NOT_DERIVED.iter().any(|(name, reason)| *name == kernel && errors.contains(reason));
    if status == Some(0) || is_known { Ok(()) } else { Err(format!("{kernel}: {errors}")) }
}

/// Kernels whose statements touch arrays only, with an order: a scalar is in memory for `advise`, and in a register for
/// `simulate`.
const ORDERED: [(&str, &str); 22] = [
    ("2mm", "k:4, i, j:8"),
    ("3mm", "k:12:4, i:all:3, j:8"),
    ("atax", "j, i"),
    ("bicg", "j, i:4"),
    ("cholesky", "scheduler:4"),
    ("correlation", "i, k, j"),
    ("covariance", "scheduler:4"),
    ("doitgen", "scheduler:4"),
    ("fdtd-2d", "j, i"),
    ("floyd-warshall", "k, j, i"),
    ("gemm", "i:8, k:4, j:8"),
    ("gemver", "j:8, i"),
    ("gesummv", "scheduler:4"),
    ("heat-3d", "k, j:4, i"),
    ("jacobi-2d", "j, i:8"),
    ("lu", "scheduler:4"),
    ("mvt", "j, i"),
    ("nussinov", "scheduler:4"),
    ("syr2k", "k:6:3, i:9:3, j:3"),
    ("syrk", "k, i, j:4"),
    ("trisolv", "scheduler:4"),
    ("trmm", "j:4, i, k:5"),
];

/// The misses that are said of an order are those of the file that is written, as `simulate` counts them.
#[test]
fn misses_of_an_order_are_those_of_the_written_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-misses");
    fs::create_dir_all(&folder).unwrap();
    nothing_from(share([0, 2], ORDERED.iter()), |(kernel, order)| {
        let new = folder.join(format!("{kernel}.c"));
        let (file, new) = (format!("polybench/c/{kernel}.c"), new.to_str().unwrap());
        // With every line in one set it does not matter where arrays begin.
        let caches = ["--cache", "1KiB,full", "--cache", "6KiB,full", "--dataset", "mini"];
        let options = ["--order", order, "--format", "json", "-o", new];
        let (answer, errors, status) = symloc(&[&["advise", &file][..], &caches, &options].concat());
        let advice: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{kernel}: {status:?} {errors}"));
        let said = |order: &Value| (order["exact"] == true).then(|| numbers(&order["misses"]));
        let simulated = |file| misses_of(&[&["simulate", file][..], &caches, &["--json"]].concat());
        let (written, ordered) = (simulated(&file), simulated(new));
        let all_right = said(&advice["written"]).as_ref() == Some(&written)
            && said(&advice["orders"][0]).as_ref() == Some(&ordered);
        (!all_right || written == ordered).then(|| format!("{kernel}: {written:?}, {ordered:?}, but {answer}"))
    });
}

fn misses_of(arguments: &[&str]) -> Vec<f64> {
    let (answer, errors, _) = symloc(arguments);
    let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{arguments:?}: {errors}"));
    answer["levels"].as_array().unwrap().iter().map(|level| level["misses"].as_f64().unwrap()).collect()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Loops whose bounds a condition chooses (in the first a number is in memory), with an order; `None` if it does not choose the one that decides.
const CHOSEN: [(&str, Option<&str>); 5] = [
    ("for (int i = 0; i < n; i++) for (int j = 0; j < (i < w ? i : w); j++) A[i][j] *= *y;", Some("j, i")),
    ("for (int i = 0; i < n; i++) { int e = i <= w ? i : w; for (int j = 0; j < e; j++) A[i][j] *= 2; }", Some("j, i")),
    (
        "for (int i = 0; i < n; i++) for (int j = i > w ? i - w : 0; j < (i + w < n ? i + w : n); j++) A[i][j] += B[j][i] / 3;",
        Some("j, i"),
    ),
    (
        "for (int ii = 0; ii < n; ii += 8) for (int jj = 0; jj < n; jj += 8) for (int i = ii; i < (ii + 8 < n ? ii + 8 : n); i++) \
         for (int j = jj; j < (n > jj + 8 ? jj + 8 : n); j++) { B[i][j] = A[j][i]; y[i] += B[i][j]; }",
        Some("ii, jj, j:4, i"),
    ),
    ("for (int i = 0; i < n; i++) for (int j = 0; j < (i / 2 > w ? i / 2 : w); j++) A[i][j] *= 2;", None),
];

#[test]
fn bounds_that_a_condition_chooses_are_put_together() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-chosen");
    fs::create_dir_all(&folder).unwrap();
    nothing_from(CHOSEN.iter().enumerate(), |(index, (loops, order))| {
        let (file, new) = (folder.join(format!("chosen{index}.c")), folder.join(format!("new{index}.c")));
        let head = "void f(int n, int w, double A[n][n], double B[n][n], double *y)";
        fs::write(&file, format!("{head} {{\n  {loops}\n}}\n")).unwrap();
        let (file, new) = (file.to_str().unwrap(), new.to_str().unwrap());
        let asked = ["-D", "n=43", "-D", "w=9", "--cache", "1KiB,full", "--assume-noalias"];
        let options = ["--order", order.unwrap_or("j, i"), "--run", "--format", "json", "-o", new];
        let (answer, errors, status) = symloc(&[&["advise", file][..], &asked, &options].concat());
        if order.is_none() {
            let is_refused = status == Some(2) && errors.contains("this statement runs in several loops");
            return (!is_refused).then(|| format!("{loops}: {answer}{errors}"));
        }
        let advice: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{loops}: {errors}"));
        let counted = |file| misses_of(&[&["simulate", file][..], &asked, &["--json"]].concat());
        let said = [numbers(&advice["written"]["misses"]), numbers(&advice["orders"][0]["misses"])];
        (said != [counted(file), counted(new)] || advice["orders"][0]["is_equal"] != true)
            .then(|| format!("{loops}: {answer}"))
    });
}

/// An order that the user gives, and what is said of it.
const GIVEN: [(&str, &str, &str); 9] = [
    ("gemm", "k, i:4, j", "loops k, i, j, tiles of all × 4 × all, as given"),
    ("gemm", "i, j, l", "no statement is in the loops i, j, l"),
    ("gemm", "i:0", "`0` is no size of tiles"),
    ("gemm", "k:12:4, i:all:5, j:16", "loops k, i, j, tiles of 12 × all × 16, in them tiles of 4 × 5 × all, as given"),
    (
        "trmm",
        "j:12:6:3, i, k:7",
        "loops j, i, k, tiles of 12 × all × 7, in them tiles of 6 × all × all, in them tiles of 3",
    ),
    ("gemm", "k, i:10:4, j", "tiles of 10 are not made of whole tiles of 4: write a multiple of 4 first, as in i:32:4"),
    ("gemm", "scheduler:32:8", "scheduler takes tiles of one size, as in scheduler:32"),
    (
        "seidel-2d",
        "i:4, j:4",
        "in t = 0, i = 4, j = 8 has to come before writing A[i][j] (14:17) in t = 0, i = 5, j = 7",
    ),
    ("lu", "j, k, i", "writing A[i][j] (15:15) in i = 2, j = 0 has to come before reading A[i][k] (14:20) in i = 2,"),
];

#[test]
fn orders_that_users_give_are_checked() {
    nothing_from(GIVEN.iter(), |(kernel, order, said)| {
        let file = format!("polybench/c/{kernel}.c");
        let options = ["--dataset", "mini", "--cache", "1KiB,8", "--run", "--order", order];
        let (answer, errors, status) = symloc(&[&["advise", &file][..], &options].concat());
        let is_legal = said.starts_with("loops");
        let text = if is_legal { &answer } else { &errors };
        let fits = text.contains(said) && (status == Some(0)) == is_legal && !answer.contains("OTHER RESULTS");
        (!fits).then(|| format!("{kernel} {order}: {status:?} {answer}{errors}"))
    });
}

/// Programs, options and misses as written with scalars in registers, where orders have these in memory.
const SCALARS: [(&str, &str, Option<&str>); 3] = [
    // A sum that is collected in the element in which it is stored.
    (
        "void sums(int n, float A[n][n], float M[n]) {
  for (int j = 0; j < n; j++) {
    float s = 0;
    for (int i = 0; i < n; i++)
      s += A[i][j];
    M[j] = s;
  }
}
",
        "n=45",
        Some("misses L1 2070;"),
    ),
    (
        "void numbers(int n, double y[n]) {
  for (int j = 0; j < n; j++) {
    int c = 0;
    for (int i = 0; i < n; i++) {
      c++;
      y[i] += c;
    }
  }
}
",
        "n=16",
        Some("misses L1 2;"),
    ),
    (
        "void squares(int n, double A[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double a = A[j][i];
      A[j][i] = a * a;
    }
}
",
        "n=20",
        None,
    ),
];

#[test]
fn misses_with_scalars_in_registers_are_said() {
    nothing_from(SCALARS.iter().enumerate(), |(index, (source, sizes, said))| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("advise-scalars-{index}.c"));
        fs::write(&file, source).unwrap();
        let options = ["--assume-noalias", "-D", sizes, "--cache", "1KiB,full"];
        let (_, notes, status) = symloc(&[&["advise", file.to_str().unwrap(), "--top", "1"], &options[..]].concat());
        let is_said = notes.contains("with scalars in registers, as `simulate` counts");
        let fits = status == Some(0) && is_said == said.is_some() && notes.contains(said.unwrap_or_default());
        let counted = misses_of(&[&["simulate", file.to_str().unwrap(), "--json"], &options[1..]].concat());
        let is_counted = said.is_none_or(|said| said == format!("misses L1 {};", counted[0]));
        (!fits || !is_counted).then(|| format!("{source}{status:?} {counted:?} {notes}"))
    });
}
