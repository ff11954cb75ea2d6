//! `symloc advise` on programs as they are written in the field: results in new orders are equal, and their source compiles
//! without warnings and is read again.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{nothing_from, share, symloc};

/// Files of `crates/symloc/tests/advise`, with their sizes, and an order of their loops.
const PROGRAMS: [(&str, &str, &str); 20] = [
    ("stencil.c", "nx=40,ny=40,nz=40", "i, j:8, k"),
    ("box.c", "w=300,h=300", "y, x:16"),
    ("batched.c", "batch=2,n=60", "i, k:8, j"),
    ("helpers.c", "n=150", "i, j:16"),
    ("mask.c", "n=200,m=200", "i:16, j"),
    ("downwards.c", "n=150", "i:8, j"),
    ("pragmas.c", "n=150", "i, j:16"),
    ("names.c", "n=150", "i, j"),
    ("globals.c", "size=200", "i, j"),
    ("crlf.c", "n=200", "i, j:32"),
    ("pointers.c", "I=40,J=40,K=40", "i, k:8, j"),
    ("matrices.cpp", "n=60", "i, k:8, j"),
    ("reference.cpp", "steps=2", "i, j:16"),
    ("instance.cpp", "n=150", "i, j"),
    ("conv2d.c", "N=2,K=7,C=5,Y=9,X=11,R=3,S=3", "n, k:6:2, y:5, c, r, s, x:all:4"),
    ("contraction5.c", "n=13", "i, j:8:4, l, m, k:5"),
    ("two_sums.c", "n=60", "j, i"),
    ("contraction6.c", "n=7", "a, b:4:2, e, f, c, d:3"),
    ("labels.c", "height=120", "r, c, i, j"),
    ("registers.c", "m=60,n=70,k=50,lda=50,ldb=70,ldc=70", "i, j, p"),
];

#[test]
fn programs_from_the_field_compute_the_same() {
    let wrong =
        |(file, sizes, order): &(&str, &str, &str)| check(file, sizes, order).err().map(|why| format!("{file}: {why}"));
    nothing_from(share([0, 4], PROGRAMS.iter()), wrong);
}

/// What a search finds is run. The order, which does not depend on how fast this machine is, is also written.
fn check(file: &str, sizes: &str, order: &str) -> Result<(), String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/advise").join(file);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-field");
    fs::create_dir_all(&folder).unwrap();
    let new = folder.join(file);
    let _ = fs::remove_file(&new);
    let (source, new) = (source.to_str().unwrap(), new.to_str().unwrap());
    let options = ["advise", source, "-D", sizes, "--cache", "1KiB,4", "--cache", "16KiB,8", "--run"];
    for more in [&["--search-time", "4", "--top", "3"][..], &["--order", order, "-o", new]] {
        let (answer, errors, status) = symloc(&[&options[..], more].concat());
        if status != Some(0) || answer.contains("OTHER RESULTS") || !answer.contains("\nas written: misses L1") {
            return Err(format!("{answer}{errors}"));
        }
    }
    let has_mixed_ends = |path| {
        fs::read_to_string(path).unwrap().replace("\r\n", "").contains(if file == "crlf.c" { '\n' } else { '\r' })
    };
    if has_mixed_ends(new) {
        return Err("lines end in two ways".to_owned());
    }
    let compiler = if file.ends_with(".cpp") { "clang++-22" } else { "clang-22" };
    let output = Command::new(compiler).args(["-O2", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", new]).output();
    let messages = String::from_utf8(output.unwrap().stderr).unwrap();
    if !messages.is_empty() {
        return Err(messages);
    }
    let (_, errors, status) = symloc(&["derive", new, "--emit", "affine", "--both-sides"]);
    if status == Some(0) { Ok(()) } else { Err(errors) }
}

/// What cannot be moved in C, after `void f(int n, double *a, double *b)`, and what is said of it.
const REFUSED: [(&str, &str); 19] = [
    ("n = n - 1; for (int i = 0; i < n; i++) a[i] = b[i];", "the size `n` is not a variable that keeps its value"),
    ("int i; for (i = 0; i < n; i++) { a[i] = 0; i++; b[i] = 1; }", "`i` changes in the body"),
    ("for (int i = 0; i < n; i++) CLEAR(a, n);", "a loop with its statement, stand in one macro"),
    ("for (int i = 0; i < n; i++) { STEP(a[i]) b[i] = 1; }", "write its semicolon behind the macro"),
    ("for (int i = 0; i < n; i++) { TWO(a[i], b[i]); }", "several statements, or a loop"),
    ("for (int i = 0; i < n; i++) a[i] = count(b[i]);", "a call of `count` in the loops"),
    ("for (int i = 0; i < n; i++) { volatile double t = b[i]; a[i] = t; }", "volatile accesses are not supported"),
    ("for (int i = 0; i < n; i++) { static int t; t++; a[i] = t; }", "declared `static`"),
    ("for (int i = 0; i < n; i++) { double *p = a; for (int j = 0; j < n; j++) *p++ = b[j]; }", "pointer that changes"),
    (
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {\n#ifdef FAST\na[i] = b[j];\n#else\na[i] += b[j];\n#endif\n}",
        "a line for the preprocessor between the loops",
    ),
    (
        "for (int i = 0; i < n; i++) {\n#pragma STDC FP_CONTRACT OFF\nfor (int j = 0; j < n; j++) a[j] = b[i];\n}",
        "a line for the preprocessor between the loops",
    ),
    ("int i; for (i = 0; i < n; i++) a[i] = b[i]; a[0] = i;", "used outside of the loops that count with it"),
    (
        "for (int i = 0; i < n; i++) { double t[2]; for (int j = 0; j < 2; j++) t[j] = b[i]; a[i] = t[0]; }",
        "declare it in front of the loops",
    ),
    (
        "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { if (b[j] > 0) return; a[j] = i; } }",
        "is not affine",
    ),
    ("for (float x = 0; x < n; x++) a[0] += x;", "is not affine"),
    (
        "int i = 0; again: for (int j = 0; j < n; j++) a[j] = b[j]; if (i++ < n) goto again;",
        "may go to a label between the loops",
    ),
    ("for (int i = 0; i < n; i++) { double t = b[i]; here: a[i] = t; }", "a label in a statement that may be copied"),
    ("\n#line 7 \"other.c\"\nfor (int i = 0; i < n; i++) a[i] = 0;", "is in another file"),
    (
        "int i; for (i = 0; i < n; i++) a[i] = 0; i = 1; for (int j = 0; j < n; j++) b[i] += a[j];",
        "`i` is used outside of the loops that count with it",
    ),
];

#[test]
fn what_would_be_wrong_in_another_order_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-field-refused");
    fs::create_dir_all(&folder).unwrap();
    let before = "#define CLEAR(x, n) for (int k = 0; k < n; k++) x[k] += 1.0\n#define STEP(x) x += 1.0;\n\
                  #define TWO(x, y) x = 1.0; y = 2.0\nstatic int calls;\n\
                  static double count(double v) { calls++; return v; }\ndouble use(void) { return count(calls); }\n";
    nothing_from(REFUSED.iter().enumerate(), |(index, (body, reason))| {
        let file = folder.join(format!("refused{index}.c"));
        fs::write(&file, format!("{before}void f(int n, double *a, double *b)\n{{\n  {body}\n}}\n")).unwrap();
        let options = ["-D", "n=100", "--function", "f", "--cache", "1KiB", "--search-time", "1"];
        let (answer, errors, status) = symloc(&[&["advise", file.to_str().unwrap()][..], &options].concat());
        (status == Some(0) || !errors.contains(reason)).then(|| format!("{body}: {status:?}: {answer}{errors}"))
    });
}

#[test]
fn what_is_refused_in_cpp_says_why() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advise-field-cpp");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("list.cpp");
    let source = "struct Log { double v; Log &operator+=(double x); };\nLog &Log::operator+=(double x) { v = x; return *this; }\n\
                  void f(int n, double *a, Log &log)\n{\n  for (int i = 0; i < n; i++) { log += 1.0; a[i] = 1.0; }\n}\n";
    fs::write(&file, source).unwrap();
    let options = ["-D", "n=100", "--function", "f", "--cache", "1KiB"];
    let (answer, errors, status) = symloc(&[&["advise", file.to_str().unwrap()][..], &options].concat());
    assert!(status != Some(0) && errors.contains("an operator of a class in the loops"), "{answer}{errors}");
}
