//! `symloc advise` proposes longer rows, and their misses are those that `simulate` counts for a source that declares them so.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{nothing_from, symloc};

/// Every element of A is written to the other side of B's diagonal.
const TRANSPOSE: &str = "void transpose(double A[512][512], double B[512][512]) {
  for (int i = 0; i < 512; i++)
    for (int j = 0; j < 512; j++)
      B[j][i] = A[i][j];
}
";
/// The columns of a matrix with a leading dimension.
const COLUMNS: &str = "void columns(int n, int lda, double A[n][lda], double sums[n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      sums[j] += A[i][j];
}
";
/// A product that runs down the columns of B.
const PRODUCT: &str = "void product(double A[96][512], double B[160][512], double C[96][512]) {
  for (int i = 0; i < 96; i++)
    for (int j = 0; j < 96; j++)
      for (int k = 0; k < 160; k++)
        C[i][j] += A[i][k] * B[k][j];
}
";
/// Planes and rows of a cube.
const CUBE: &str = "void cube(double A[12][64][64], double B[12][64][64]) {
  for (int k = 0; k < 64; k++)
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 64; j++)
        B[i][j][k] = A[i][j][k] + 1.0;
}
";
/// Both arrays have the rows of one leading dimension, which only columns of A suffer from.
const SHARED: &str = "void shared(int n, int ld, double A[n][ld], double B[n][ld]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] += A[j][i];
}
";
/// An array of the file itself, with rows that loops run over as well.
const GLOBAL: &str = "static float A[256][1024];
void global(float s[1024]) {
  for (int j = 0; j < 1024; j++)
    for (int i = 0; i < 256; i++)
      s[j] += A[i][j];
}
";
/// Rows of as many elements as loops run over.
const SIZES: &str = "void sizes(int n, double A[n][n], double s[n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      s[j] += A[i][j];
}
";
const MODULE: &str = "func.func @module(%A: memref<512x512xf64>, %B: memref<512x512xf64>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      %a = affine.load %A[%i, %j] : memref<512x512xf64>
      affine.store %a, %B[%j, %i] : memref<512x512xf64>
    }
  }
  return
}
";

struct Padded<'p> {
    source: &'p str,
    /// The options, with sizes.
    options: &'p [&'p str],
    /// An order that is advised on.
    order: &'p str,
    /// By array with longer rows, the elements of its rows before and after.
    rows: &'p [(&'p str, u64, u64)],
    /// Parts of the sentences about them.
    said: &'p [&'p str],
    /// The replacements that declare the rows so.
    declared: &'p [(&'p str, &'p str)],
    /// The options with the sizes with which the rows are so long.
    with: &'p [&'p str],
}

const CACHES: [&str; 4] = ["--cache", "32KiB,8", "--cache", "128KiB,8"];

const PADDED: [Padded<'_>; 8] = [
    Padded {
        source: TRANSPOSE,
        options: &[],
        order: "i, j",
        rows: &[("B", 512, 520)],
        said: &[
            "pad the rows of B from 512 to 520 elements (4096 to 4160 bytes)",
            "a column of B meets 1 of the 64 sets of L1, with padding 64",
            "the caller declares B: make its rows 520 elements long",
        ],
        declared: &[("B[512][512]", "B[512][520]")],
        with: &[],
    },
    Padded {
        source: COLUMNS,
        options: &["-D", "n=400,lda=512"],
        order: "j, i",
        rows: &[("A", 512, 520)],
        said: &["and call the function with lda = 520"],
        declared: &[],
        with: &["-D", "n=400,lda=520"],
    },
    Padded {
        source: PRODUCT,
        options: &[],
        order: "j, i, k",
        rows: &[("B", 512, 520)],
        said: &["with padding 64; 4 of the 256 sets of L2, with padding 160"],
        declared: &[("B[160][512]", "B[160][520]")],
        with: &[],
    },
    Padded {
        source: CUBE,
        options: &[],
        order: "k, i, j",
        rows: &[("A", 64, 72), ("B", 64, 72)],
        said: &["pad the rows of A from 64 to 72 elements (512 to 576 bytes)"],
        declared: &[("[12][64][64]", "[12][64][72]")],
        with: &[],
    },
    Padded {
        source: SHARED,
        options: &["-D", "n=500,ld=512"],
        order: "i, j",
        rows: &[("A", 512, 520), ("B", 512, 520)],
        said: &["and call the function with ld = 520"],
        declared: &[],
        with: &["-D", "n=500,ld=520"],
    },
    Padded {
        source: GLOBAL,
        options: &[],
        order: "j, i",
        rows: &[("A", 1024, 1040)],
        said: &["     declare A with rows of 1040 elements"],
        declared: &[("A[256][1024]", "A[256][1040]")],
        with: &[],
    },
    Padded {
        source: SIZES,
        options: &["-D", "n=512"],
        order: "j, i",
        rows: &[("A", 512, 520)],
        said: &["with rows of n elements: give their length a parameter of its own, and make it 520"],
        declared: &[("A[n][n]", "A[n][520]")],
        with: &["-D", "n=512"],
    },
    Padded {
        source: MODULE,
        options: &[],
        order: "i, j",
        rows: &[("B", 512, 520)],
        said: &[".mlir:1:44: allocate B with rows of 520 elements, and write them in its types"],
        declared: &[
            ("%B: memref<512x512xf64>", "%B: memref<512x520xf64>"),
            ("i] : memref<512x512xf64>", "i] : memref<512x520xf64>"),
        ],
        with: &[],
    },
];

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-padding");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a source to a file, whose name it returns.
fn file(name: &str, source: &str) -> String {
    let file = folder().join(name);
    fs::write(&file, source).unwrap();
    file.to_str().unwrap().to_owned()
}

fn json(arguments: &[&str]) -> Value {
    let (answer, errors, status) = symloc(arguments);
    serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{arguments:?}: {status:?} {errors}"))
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Returns the misses that `simulate` counts, with real addresses and sets.
fn simulated(file: &str, options: &[&str]) -> Vec<f64> {
    let answer = json(&[&["simulate", file, "--json"], options].concat());
    answer["levels"].as_array().unwrap().iter().map(|level| level["misses"].as_f64().unwrap()).collect()
}

/// Returns the rows that an order's padding makes longer.
fn longer_rows(order: &Value) -> Vec<(String, u64, u64)> {
    let rows = order["padding"]["rows"].as_array().into_iter().flatten();
    let lengths = |row: &Value| {
        let elements = numbers(&row["elements"]);
        (row["name"].as_str().unwrap().to_owned(), elements[0] as u64, elements[1] as u64)
    };
    rows.map(lengths).collect()
}

#[test]
fn misses_with_longer_rows_are_those_of_a_source_that_declares_them() {
    nothing_from(PADDED.iter().enumerate(), |(index, case)| {
        let Padded { source, options, order, rows, said, declared, with } = case;
        let ending = if source.starts_with("func.func") { "mlir" } else { "c" };
        let written = file(&format!("written{index}.{ending}"), source);
        let options = [&["advise", &written, "--order", order][..], &CACHES, options].concat();
        let (text, errors, _) = symloc(&options);
        if let Some(missing) = said.iter().find(|part| !text.contains(*part)) {
            return Some(format!("{missing}: {text}{errors}"));
        }
        let answer = json(&[&options[..], &["--format", "json"]].concat());
        let padded = |source: &str| declared.iter().fold(source.to_owned(), |text, (from, to)| text.replace(from, to));
        let longer = file(&format!("longer{index}.{ending}"), &padded(source));
        let expected: Vec<_> = rows.iter().map(|(name, a, b)| ((*name).to_owned(), *a, *b)).collect();
        let padding = &answer["written"]["padding"];
        let counted = simulated(&longer, &[&CACHES[..], with].concat());
        let by_array: Vec<f64> = (0..counted.len())
            .map(|level| {
                padding["arrays"].as_array().unwrap().iter().map(|array| numbers(&array["misses"])[level]).sum()
            })
            .collect();
        let is_right = longer_rows(&answer["written"]) == expected
            && padding["exact"] == true
            && numbers(&padding["misses"]) == counted
            && by_array == counted
            && numbers(&answer["written"]["misses"]) == simulated(&written, &options[4..]);
        (!is_right).then(|| format!("{expected:?} {counted:?}, but {text}{answer}"))
    });
}

/// Longer rows of an order are those with which its own source misses as said.
#[test]
fn orders_have_longer_rows_of_their_own() {
    let written = file("order.c", TRANSPOSE);
    let new = folder().join("order_new.c").to_str().unwrap().to_owned();
    let options = [&["advise", &written, "--order", "j, i", "--format", "json", "-o", &new][..], &CACHES].concat();
    let answer = json(&options);
    assert_eq!(answer, json(&options), "equal questions have equal answers");
    let order = &answer["orders"][0];
    assert_eq!(longer_rows(&answer["written"]), [("B".to_owned(), 512, 520)]);
    assert_eq!(longer_rows(order), [("A".to_owned(), 512, 520)], "the other array is run down");
    let text = fs::read_to_string(&new).unwrap();
    assert!(text.contains("A[512][512]"), "declarations stay: {text}");
    let longer = file("order_longer.c", &text.replace("A[512][512]", "A[512][520]"));
    assert_eq!(numbers(&order["padding"]["misses"]), simulated(&longer, &CACHES));
    assert_ne!(numbers(&order["padding"]["misses"]), numbers(&order["misses"]));
}

#[test]
fn rows_stay_where_columns_meet_all_sets() {
    let cases = [
        (TRANSPOSE.replace("512", "500"), &CACHES[..]),
        (TRANSPOSE.to_owned(), &["--cache", "32KiB,full"]),
        (TRANSPOSE.to_owned(), &["--cache", "32KiB,8", "--fully-associative"]),
        // Padded already.
        (TRANSPOSE.replace("][512]", "][520]"), &CACHES),
        // Rows are run through one after the other.
        (TRANSPOSE.replace("B[j][i]", "B[i][j]"), &CACHES),
        // As many rows as ways.
        (TRANSPOSE.replace("j < 512", "j < 8"), &CACHES),
    ];
    nothing_from(cases.iter().enumerate(), |(index, (source, caches))| {
        let written = file(&format!("whole{index}.c"), source);
        let options = [&["advise", &written, "--order", "i, j", "--format", "json"], *caches].concat();
        let answer = json(&options);
        let is_padded = !answer["written"]["padding"].is_null() || !answer["orders"][0]["padding"].is_null();
        is_padded.then(|| format!("{source}{caches:?}: {answer}"))
    });
}

/// With longer rows these programs would reach other elements.
#[test]
fn rows_stay_where_accesses_run_across_them() {
    let columns = "  for (int j = 0; j < 512; j++)
    for (int i = 0; i < 400; i++)
      s[j] += A[i][j];
";
    let flat = "  double *p = &A[0][0];
  for (int k = 0; k < 512 * 512; k++)
    p[k] = k;
";
    let beyond = columns.replace("A[i][j]", "A[i][j + 200]");
    let sources = [format!("{flat}{columns}"), beyond];
    nothing_from(sources.iter().enumerate(), |(index, loops)| {
        let source = format!("static double A[512][512];\nvoid across(double s[restrict 512]) {{\n{loops}}}\n");
        let written = file(&format!("across{index}.c"), &source);
        let options =
            [&["advise", &written, "--top", "1", "--search-time", "5", "--format", "json"][..], &CACHES].concat();
        let answer = json(&options);
        let is_padded = !answer["written"]["padding"].is_null();
        is_padded.then(|| format!("{source}: {answer}"))
    });
}

/// The misses of an order are those of its loops.
#[test]
fn accesses_around_the_loops_are_not_counted_with_a_note() {
    let cleared = GLOBAL.replace("{\n  for (int j", "{\n  A[255][1023] = 0;\n  for (int j");
    let note = ":3:16: misses are those of the loops: what stands in front of them or behind them is not counted";
    for (name, source, is_said) in [("around.c", &cleared, true), ("global.c", &GLOBAL.to_owned(), false)] {
        let written = file(name, source);
        let (_, notes, status) =
            symloc(&[&["advise", &written, "--top", "1", "--search-time", "2"][..], &CACHES].concat());
        assert!(status == Some(0) && notes.contains(note) == is_said, "{source}{notes}");
    }
}

/// Misses of long programs are estimated, and so are those with longer rows.
#[test]
fn misses_of_long_programs_are_estimated() {
    let source = "void triangle(double A[18000][18432], double sums[18000]) {
  for (int j = 0; j < 18000; j++)
    for (int i = 0; i < j; i++)
      sums[j] += A[i][j];
}
";
    let (written, caches) = (file("long.c", source), ["--cache", "2MiB,16"]);
    let answer = json(&[&["advise", &written, "--order", "j, i", "--format", "json"][..], &caches].concat());
    assert_eq!(longer_rows(&answer["written"]), [("A".to_owned(), 18432, 18440)]);
    let padding = &answer["written"]["padding"];
    assert!(padding["exact"] == false && answer["written"]["exact"] == false, "{padding}");
    // In rows of 18440 elements, an odd number of lines, a column meets all sets, with at most 9 lines in each: so every line is missed
    // once, those of row i from element i + 1 on.
    let counted = (0..17_999).map(|row| 18_000 / 8 - (row + 1) / 8).sum::<u64>() as f64 + 18_000.0 / 8.0;
    let estimated = numbers(&padding["misses"])[0];
    // A hundredth of a cycle for each access, of which a miss of the first level costs two.
    let precision = 0.005 * 3.0 * 18000.0 * 18000.0 / 2.0;
    assert!((estimated - counted).abs() < precision && counted > 4.0 * precision, "{estimated} {counted}");
}
