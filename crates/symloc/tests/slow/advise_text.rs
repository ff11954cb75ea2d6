//! The sources that `symloc advise` writes, and what it says of the source, word by word.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{nothing_from, symloc};

fn written(name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-text");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, source).unwrap();
    file
}

fn advise(file: &Path, options: &[&str]) -> (String, String, Option<i32>) {
    let common = ["advise", file.to_str().unwrap(), "-D", "n=40", "--cache", "1KiB,full", "--assume-noalias"];
    let common = [&common[..], &["--function", "f"]].concat();
    symloc(&[&common[..], options].concat())
}

/// Returns the source in an order, after it was run; fails if the results differ, or if Clang warns.
fn in_order(name: &str, source: &str, order: &str) -> String {
    let file = written(name, source);
    let new = file.with_extension("new.c");
    let (answer, errors, status) = advise(&file, &["--order", order, "--run", "-o", new.to_str().unwrap()]);
    let is_equal = status == Some(0) && !answer.contains("OTHER RESULTS");
    assert!(is_equal, "{source}{answer}{errors}");
    let options = ["-O2", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
    let output = Command::new("clang-22").args(options).arg(&new).output().unwrap();
    let text = fs::read_to_string(&new).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn comments_stay_with_their_statements() {
    let source = "void f(int n, double a[n][n], double b[n][n]) {
  // in front
  for (int j = 0; j < n; j++) { // columns
    for (int i = 0; i < n; i++) {
      // lone
      /* two
         lines */
      a[i][j] = /* rhs */ b[i][j]; // scaled
      b[i][j] += 1; /* one */ a[i][j] *= 2;
    } // end
  }
  /* behind */
}
";
    let new = in_order("comments.c", source, "i, j");
    for comment in ["// in front", "// lone", "/* two\n", "lines */", "/* rhs */", "; // scaled\n", "/* behind */"] {
        assert_eq!(new.matches(comment).count(), 1, "{comment}: {new}");
    }
}

#[test]
fn macros_have_names_that_the_file_does_not_use() {
    let source = "#define symloc_min(a) ((a) + 1)
static int symloc_max(int a, int b) { return a > b ? a : b; }
int larger(int a, int b);
int larger(int a, int b) { return symloc_max(a, b); }
void f(int n, double a[n][n], double b[n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      a[i][j] = symloc_min(i) * b[i][j];
}
";
    let new = in_order("macros.c", source, "i:4, j:8");
    let used = ["#define tsymloc_min(a, b)", "tsymloc_min(", "#define tsymloc_max(a, b)", "a[i][j] = symloc_min(i)"];
    for text in used {
        assert!(new.contains(text), "{text}: {new}");
    }
    assert_eq!(new.matches("#define").count(), 3, "{new}");
}

#[test]
fn refusals_name_elements_as_the_source_does() {
    let source = |head: &str, step: &str| {
        format!(
            "void f(int n, double s[n + 1]) {{\n  {head}\n    for (int j = 0; j < n; j++)\n      s[j + 1] += s[{step}];\n}}\n"
        )
    };
    let down = source("for (int i = n - 1; i >= 0; i--)", "i");
    let by_two = source("for (int i = n - 1; i >= 0; i -= 2)", "i");
    let said = [
        (down, "writing s[j + 1] (4:16) in i = 3, j = 1 has to come before reading s[i] (4:19) in i = 2, j = 0"),
        // Sums of variables and sizes are not what the iterator is, so that the number stands there.
        (by_two, "writing s[2] (4:16) in i = 4, j = 1 has to come before reading s[2] (4:19) in i = 2, j = 0"),
    ];
    nothing_from(said.iter().enumerate(), |(index, (source, said))| {
        let file = written(&format!("refused{index}.c"), source);
        let (answer, errors, status) = advise(&file, &["--order", "j, i"]);
        let is_said = status == Some(2) && errors.contains(said) && !errors.contains("s[n - i");
        (!is_said).then(|| format!("{source}{status:?} {answer}{errors}"))
    });
}

/// Functions with an access to one element that is in no loop, and whether its place is said.
const AROUND: [(&str, bool); 4] = [
    ("void f(int n, double a[n][n], double *out) { LOOPS *out = 0; }", true),
    ("double total; void f(int n, double a[n][n]) { total = 1; LOOPS }", true),
    ("void f(int n, double a[n][n]) { double unit = 1; LOOPS (void)unit; }", false),
    ("void f(int n, double a[n][n], double *out) { double s = 0; LOOPS out[8] = s; }", true),
];

#[test]
fn accesses_around_the_loops_are_said() {
    nothing_from(AROUND.iter().enumerate(), |(index, (function, is_said))| {
        let loops = "\n  for (int j = 0; j < n; j++)\n    for (int i = 0; i < n; i++)\n      a[i][j] += 1;\n  ";
        let file = written(&format!("around{index}.c"), &(function.replace("LOOPS", loops) + "\n"));
        let (answer, errors, status) = advise(&file, &["--order", "i, j"]);
        let note = errors.contains("misses are those of the loops: what stands in front of them or behind them");
        (status != Some(0) || note != *is_said).then(|| format!("{function}\n{status:?} {answer}{errors}"))
    });
}

#[test]
fn counters_in_memory_are_no_arrays_of_another_element() {
    let source = "void f(int n, double a[n][n], double b[n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = b[i][j];
}
";
    let file = written("elements.c", source);
    let (answer, errors, status) = advise(&file, &["--element", "--order", "i, j"]);
    assert!(status == Some(0) && answer.contains("as written: misses L1 3200"), "{answer}{errors}");
    let (answer, errors, status) = advise(&file, &["--registers", "none", "--order", "i, j"]);
    let note =
        "with the counters of loops in memory, as `simulate --registers none` counts, the program as written misses L1";
    assert!(
        status == Some(0) && errors.contains(note) && !errors.contains("with scalars in registers"),
        "{answer}{errors}"
    );
}
