//! `--assume` with values: the reuse intervals are those of the text with the constants instead.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{nothing_from, symloc};

/// A program with its assumptions and sizes. In braces, `@name` is a value that is assumed.
struct AssumedProgram {
    name: &'static str,
    text: &'static str,
    values: &'static [(&'static str, i64)],
    sizes: &'static [&'static str],
}

const PROGRAMS: &[AssumedProgram] = &[
    AssumedProgram {
        name: "step.c",
        text: "void f(int n, int s, double *a) { for (int i = 0; i < n; i += @s) a[i] = 1; }",
        values: &[("s", 3)],
        sizes: &["n=19"],
    },
    AssumedProgram {
        name: "stride.c",
        text: "void f(int n, int s, double *a) { for (int i = 0; i < n; i++) a[i * @s] += 1; }",
        values: &[("s", 2)],
        sizes: &["n=19"],
    },
    AssumedProgram {
        name: "row.c",
        text: "void f(int n, int w, double *a) { for (int i = 0; i < n; i++) for (int j = 0; j < @w; j++) a[i * @w + j] += 1; }",
        values: &[("w", 13)],
        sizes: &["n=9"],
    },
    AssumedProgram {
        name: "column.c",
        text: "void f(int n, int ld, float *a) { for (int j = 0; j < 4; j++) for (int i = 0; i < n; i++) a[i * @ld + j] += 1; }",
        values: &[("ld", 37)],
        sizes: &["n=19"],
    },
    AssumedProgram {
        name: "factor.c",
        text: "void f(int n, int k, double *a) { for (int i = 0; i < n * @k; i++) a[i] = 1; }",
        values: &[("k", 3)],
        sizes: &["n=7"],
    },
    AssumedProgram {
        name: "divided.c",
        text: "void f(int n, int k, double *a) { for (int i = 0; i < n / @k; i++) a[i] = 1; }",
        values: &[("k", 4)],
        sizes: &["n=23"],
    },
    AssumedProgram {
        name: "remainder.c",
        text: "void f(int n, int k, double *a) { for (int i = 0; i < n; i++) if (i % @k == 0) a[i] = 1; }",
        values: &[("k", 5)],
        sizes: &["n=23"],
    },
    AssumedProgram {
        name: "kernel_size.c",
        text: "void f(int n, int k, double *restrict a, const double *restrict b) { for (int i = 0; i < n; i++) for (int j = 0; j < @k; j++) a[i] += b[i * 2 + j]; }",
        values: &[("k", 3)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "flag_on.c",
        text: "void f(int n, int on, double *a) { if (@on) for (int i = 0; i < n; i++) a[i] = 1; for (int i = 0; i < n; i++) a[i] += 1; }",
        values: &[("on", 1)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "flag_off.c",
        text: "void f(int n, int on, double *a) { if (@on) for (int i = 0; i < n; i++) a[i] = 1; for (int i = 0; i < n; i++) a[i] += 1; }",
        values: &[("on", 0)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "letter.c",
        text: "void f(int n, char t, double *a) { for (int i = 0; i < n; i++) a[@t == 'T' ? i : 0] += 1; }",
        values: &[("t", 84)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "first.c",
        text: "void f(int n, int lo, double *a) { for (int i = @lo; i < n; i++) a[i] = 1; }",
        values: &[("lo", 0)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "negative.c",
        text: "void f(int n, int lo, double *a) { for (int i = @lo; i < n; i++) a[i + 4] = 1; }",
        values: &[("lo", -3)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "backwards.c",
        text: "void f(int n, int inc, double *a) { for (int i = 0; i < n; i++) a[n * 2 + i * @inc] = 1; }",
        values: &[("inc", -2)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "two_values.c",
        text: "void f(int n, int s, int o, double *a) { for (int i = 0; i < n; i++) a[i * @s + @o] = 1; }",
        values: &[("s", 3), ("o", 1)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "reference.c",
        text: "void f(const int *n, const int *s, double *restrict a) { for (int i = 0; i < *n; i++) a[i * @*s] = 1; }",
        values: &[("s", 3)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "global.c",
        text: "int mode; void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 1; if (@mode) for (int i = 0; i < n; i++) a[i] += 1; }",
        values: &[("mode", 2)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "element.c",
        text: "int debug[4]; void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 1; if (@debug[1]) for (int i = 0; i < n; i++) a[i] += 1; }",
        values: &[("debug[1]", 0)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "step.mlir",
        text: "func.func @f(%a: memref<?xf64>, %s: index, %n: index) { %z = arith.constant 0 : index\n %o = arith.constant 1.0 : f64\n scf.for %i = %z to %n step @%s { memref.store %o, %a[%i] : memref<?xf64> }\n return }",
        values: &[("s", 4)],
        sizes: &["n=17"],
    },
    AssumedProgram {
        name: "factor.mlir",
        text: "func.func @f(%a: memref<?xf64>, %k: index, %n: index) { %o = arith.constant 1.0 : f64\n affine.for %i = 0 to %n { %j = arith.muli %i, @%k : index\n memref.store %o, %a[%j] : memref<?xf64> }\n return }",
        values: &[("k", 3)],
        sizes: &["n=17"],
    },
];

/// Returns the text with the names of values, or with constants. Values in memory are still read.
fn text(program: &AssumedProgram, written: bool) -> String {
    let mut text = program.text.to_owned();
    let in_mlir = program.name.ends_with(".mlir");
    for (name, value) in program.values {
        let constants = [
            (format!("@*{name}"), format!("(*{name} * 0 + {value})")),
            (format!("@%{name}"), format!("%{name}_value")),
            (format!("@{name}"), constant(program, name, *value)),
        ];
        for (marked, constant) in constants {
            text = text.replace(&marked, if written { &constant } else { &marked[1..] });
        }
        if written && in_mlir {
            text = text.replacen("{ ", &format!("{{ %{name}_value = arith.constant {value} : index\n "), 1);
        }
    }
    text
}

fn constant(program: &AssumedProgram, name: &str, value: i64) -> String {
    let is_global = program.text.starts_with("int ");
    if is_global { format!("({name} * 0 + {value})") } else { format!("({value})") }
}

/// Returns the histogram of reuse intervals.
fn histogram(path: &Path, assume: &[String], sizes: &str) -> Result<String, String> {
    let model = path.with_extension("loc.json");
    let [path, model] = [path, &model].map(|path| path.to_str().unwrap());
    let conditions: Vec<&str> = assume.iter().flat_map(|condition| ["--assume", condition.as_str()]).collect();
    let noalias = if path.ends_with(".c") { &["--assume-noalias"][..] } else { &[] };
    let (_, errors, status) = symloc(&[&["derive", path, "-o", model], noalias, &conditions[..]].concat());
    if status != Some(0) {
        return Err(errors);
    }
    let sizes: Vec<&str> = sizes.split(' ').flat_map(|size| ["-D", size]).collect();
    let (text, errors, status) = symloc(&[&["histogram", model, "--json"], &sizes[..]].concat());
    let intervals = text.find("\"real\"").filter(|_| status == Some(0)).ok_or(errors)?;
    Ok(text[intervals..].to_owned())
}

fn difference(program: &AssumedProgram) -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fixed");
    fs::create_dir_all(&folder).unwrap();
    let path = |prefix: &str| folder.join(format!("{prefix}_{}", program.name));
    let (with_names, with_constants) = (path("named"), path("written"));
    fs::write(&with_names, text(program, false)).unwrap();
    fs::write(&with_constants, text(program, true)).unwrap();
    let assume: Vec<String> = program.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    program.sizes.iter().find_map(|sizes| {
        let (named, written) = (histogram(&with_names, &assume, sizes), histogram(&with_constants, &[], sizes));
        let equal = named.is_ok() && named == written;
        (!equal).then(|| format!("{} at {sizes}\n{named:?}\n{written:?}", program.name))
    })
}

#[test]
fn values_are_as_good_as_constants() {
    assert_eq!(PROGRAMS.len(), 20);
    nothing_from(PROGRAMS.iter(), difference);
}

/// A model with a part for each value has the same results as the text with each constant.
#[test]
fn sets_of_values_are_one_model() {
    let program = PROGRAMS.iter().find(|program| program.name == "kernel_size.c").unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fixed");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("set_of_values.c");
    fs::write(&path, text(program, false)).unwrap();
    for k in [1, 3, 5] {
        let constant = folder.join(format!("constant_{k}.c"));
        fs::write(&constant, text(&AssumedProgram { values: &[], ..*program }, false).replace("@k", &k.to_string()))
            .unwrap();
        let together = histogram(&path, &["k in 1, 3, 5".to_owned()], &format!("n=17 k={k}")).unwrap();
        assert_eq!(together, histogram(&constant, &[], "n=17").unwrap(), "{k}");
    }
    let outside = histogram(&path, &["k in 1, 3, 5".to_owned()], "n=17 k=4").unwrap_err();
    assert!(outside.contains("outside the model's context"), "{outside}");
}
