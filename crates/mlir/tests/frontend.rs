//! File-driven tests of the front end; one target, because every binary that links LLVM is large.
//!
//! - `tests/pass/NAME.mlir` becomes the program in `NAME.affine`,
//! - `tests/fail/NAME.mlir` is refused with the rendering in `NAME.stderr`.
//!
//! A line `// OPTIONS: …` in a source gives command line options, one per word; `'…'` holds several words together.
//! `SYMLOC_BLESS=1 cargo test -p symloc-mlir` writes what comes out instead of comparing; read the difference before
//! you commit it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests stop at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

use symloc_affine::{AccessId, AccessKind, Extent, Node, Program};
use symloc_mlir::{Errors, Kind, Options, Source, read};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The `.mlir` files of a folder of the repository, as paths relative to it, in order.
fn sources(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(repository().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut paths: Vec<_> = names.filter(|n| n.ends_with(".mlir")).map(|n| format!("{folder}/{n}")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no sources in {folder}");
    paths
}

fn read_file(path: &str) -> Result<Program, Errors> {
    let text = fs::read_to_string(repository().join(path)).unwrap();
    let options = options(&text);
    read_bytes(path, text.into_bytes(), &options)
}

fn read_bytes(name: &str, bytes: Vec<u8>, options: &Options) -> Result<Program, Errors> {
    read(&Source { name: name.to_owned(), bytes }, options).map(|reading| reading.program)
}

fn options(text: &str) -> Options {
    let mut options = Options::default();
    let line = text.lines().find_map(|line| line.strip_prefix("// OPTIONS: ")).unwrap_or_default();
    let mut words = words(line).into_iter();
    while let Some(option) = words.next() {
        let value = words.next().unwrap();
        match option.as_str() {
            "--function" => options.function = Some(value),
            "--passes" => options.passes = Some(value),
            "--name" => {
                let (old, new) = value.split_once('=').unwrap();
                options.renames.push((old.to_owned(), new.to_owned()));
            }
            _ => panic!("unknown option {option}"),
        }
    }
    options
}

fn words(line: &str) -> Vec<String> {
    let unquoted = line.split('\'').enumerate();
    let parts = unquoted.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    parts.collect()
}

/// Compares with, or blesses, the file next to the source. Returns what differs.
fn compare(path: &str, extension: &str, actual: &str) -> Option<String> {
    let expected_path = repository().join(path).with_extension(extension);
    if std::env::var_os("SYMLOC_BLESS").is_some() {
        fs::write(expected_path, actual).unwrap();
        return None;
    }
    let expected = fs::read_to_string(&expected_path).unwrap_or_default();
    (expected != actual).then(|| format!("{path}: expected\n{expected}\nbut got\n{actual}"))
}

#[track_caller]
fn no_differences(differences: Vec<String>) {
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn accepted_sources_become_these_programs() {
    let check = |path: &String| match read_file(path) {
        Ok(program) => compare(path, "affine", &program.to_string()),
        Err(errors) => Some(errors.to_string()),
    };
    no_differences(sources("tests/pass").iter().filter_map(check).collect());
}

#[test]
fn rejected_sources_give_these_errors() {
    let check = |path: &String| match read_file(path) {
        Ok(program) => Some(format!("{path} was accepted:\n{program}")),
        Err(errors) => compare(path, "stderr", &errors.to_string()),
    };
    no_differences(sources("tests/fail").iter().filter_map(check).collect());
}

/// What `polybench/` must give: file, parameters, loops, depth, static reads and writes.
const POLYBENCH: &[(&str, &str, usize, usize, usize, usize)] = &[
    ("2mm", "ni nj nk nl", 6, 3, 7, 4),
    ("3mm", "ni nj nk nl nm", 9, 3, 9, 6),
    ("adi", "tsteps n", 7, 3, 20, 14),
    ("atax", "m n", 4, 2, 6, 4),
    ("bicg", "m n", 3, 2, 6, 4),
    ("cholesky", "n", 4, 3, 9, 4),
    ("correlation", "m n", 9, 3, 19, 15),
    ("covariance", "m n", 7, 3, 10, 8),
    ("deriche", "w h", 12, 2, 14, 6),
    ("doitgen", "nr nq np", 5, 4, 4, 3),
    ("durbin", "n", 4, 2, 8, 4),
    ("fdtd-2d", "tmax nx ny", 8, 3, 12, 4),
    ("floyd-warshall", "n", 3, 3, 3, 1),
    ("gemm", "ni nj nk", 4, 3, 4, 2),
    ("gemver", "n", 7, 2, 13, 4),
    ("gesummv", "n", 2, 2, 8, 5),
    ("gramschmidt", "m n", 6, 3, 10, 5),
    ("heat-3d", "tsteps n", 7, 4, 20, 2),
    ("jacobi-1d", "tsteps n", 3, 2, 6, 2),
    ("jacobi-2d", "tsteps n", 5, 3, 10, 2),
    ("lu", "n", 5, 3, 8, 3),
    ("ludcmp", "n", 9, 3, 14, 4),
    ("matmul", "n", 3, 3, 3, 1),
    ("mvt", "n", 4, 2, 6, 2),
    ("nussinov", "n", 3, 3, 13, 5),
    ("seidel-2d", "tsteps n", 3, 3, 9, 1),
    ("symm", "m n", 3, 3, 8, 2),
    ("syr2k", "n m", 4, 3, 6, 2),
    ("syrk", "n m", 4, 3, 4, 2),
    ("trisolv", "n", 2, 2, 6, 3),
    ("trmm", "m n", 3, 3, 4, 2),
];

#[test]
fn polybench_kernels_have_these_shapes() {
    let shape = |path: &String| {
        let program = read_file(path).unwrap_or_else(|errors| panic!("{errors}"));
        let params: Vec<_> = program.params.iter().map(|p| p.name.as_str()).collect();
        let reads = program.accesses.iter().filter(|a| a.kind == AccessKind::Read).count();
        let name = path.trim_start_matches("polybench/").trim_end_matches(".mlir").to_owned();
        let writes = program.accesses.len() - reads;
        assert_eq!(program.name, format!("kernel_{}", name.replace('-', "_")));
        (name, params.join(" "), program.iters.len(), depth(&program.body), reads, writes)
    };
    let shapes: Vec<_> = sources("polybench").iter().map(shape).collect();
    let expected = POLYBENCH.iter().map(|&(name, params, loops, depth, reads, writes)| {
        (name.to_owned(), params.to_owned(), loops, depth, reads, writes)
    });
    assert_eq!(shapes, expected.collect::<Vec<_>>(), "the table should be\n{}", table(&shapes));
}

fn table(shapes: &[(String, String, usize, usize, usize, usize)]) -> String {
    shapes.iter().map(|shape| format!("    {shape:?},\n")).collect()
}

/// The deepest nesting of loops.
fn depth(nodes: &[Node]) -> usize {
    let depth_of = |node: &Node| match node {
        Node::Loop(l) => 1 + depth(&l.body),
        Node::If(guard) => depth(&guard.then).max(depth(&guard.otherwise)),
        Node::Access(_) => 0,
    };
    nodes.iter().map(depth_of).max().unwrap_or(0)
}

fn read_text(name: &str, text: &str) -> Result<Program, Errors> {
    read_bytes(name, text.as_bytes().to_vec(), &Options::default())
}

#[test]
fn arrays_have_shapes_strides_and_places() {
    let program = read_file("tests/pass/arrays.mlir").unwrap();
    let describe = |name: &str| {
        let array = program.arrays.iter().find(|array| array.name == name).unwrap();
        let strides = array.strides.as_ref().map(|s| (s.offset, s.strides.clone()));
        (array.shape.clone(), strides, array.location.to_string())
    };
    let at = |place: &str| format!("tests/pass/arrays.mlir:{place}");
    let (known, dynamic) = (Extent::Known, Extent::Dynamic);
    assert_eq!(describe("table"), (vec![known(4), known(8)], Some((0, vec![8, 1])), at("2:1")));
    assert_eq!(describe("bits"), (vec![dynamic], Some((0, vec![1])), at("4:30")));
    assert_eq!(describe("strided"), (vec![known(10), known(20)], Some((5, vec![40, 2])), at("5:19")));
    assert_eq!(describe("tiled"), (vec![known(8), known(8)], None, at("6:19")));
    assert_eq!(describe("scalar"), (vec![], Some((0, vec![])), at("7:13")));
    assert_eq!(describe("local"), (vec![known(16)], Some((0, vec![1])), at("8:12")));
}

#[test]
fn accesses_are_numbered_in_order_and_have_places() {
    let program = read_file("polybench/gemm.mlir").unwrap();
    let lines: Vec<u32> = program.accesses.iter().map(|access| access.location.line).collect();
    assert_eq!(lines, [14, 16, 20, 21, 23, 26]);
    let mut ids = Vec::new();
    collect_accesses(&program.body, &mut ids);
    assert_eq!(ids, (0..6).map(AccessId).collect::<Vec<_>>());
}

fn collect_accesses(nodes: &[Node], ids: &mut Vec<AccessId>) {
    for node in nodes {
        match node {
            Node::Loop(l) => collect_accesses(&l.body, ids),
            Node::If(guard) => [&guard.then, &guard.otherwise].into_iter().for_each(|n| collect_accesses(n, ids)),
            Node::Access(id) => ids.push(*id),
        }
    }
}

#[test]
fn errors_are_values_with_a_kind_and_a_place() {
    let kind_and_place = |text: &str| {
        let errors = read_text("<stdin>", text).unwrap_err();
        let place = errors.diagnostics[0].location.as_ref().map(|location| location.to_string());
        (errors.diagnostics[0].kind, place)
    };
    assert_eq!(kind_and_place("func.func @f() {"), (Kind::Syntax, Some("<stdin>:1:15".to_owned())));
    let call = "func.func @f() {\n  call @f() : () -> ()\n  return\n}";
    assert_eq!(kind_and_place(call), (Kind::Unsupported, Some("<stdin>:2:3".to_owned())));
    assert_eq!(kind_and_place(""), (Kind::Request, None));
}

#[test]
fn the_rendering_starts_with_the_place() {
    let rendered =
        read_text("<stdin>", "func.func @f() {\n\tcall @f() : () -> ()\n\treturn\n}").unwrap_err().to_string();
    assert!(rendered.starts_with("<stdin>:2:2: error: this call is recursive\n\tcall @f() : () -> ()\n\t^\n"));
}

#[test]
fn odd_texts_are_errors_and_not_panics() {
    for text in
        ["\0", "module {\0}", "é", "\"", "func @", "module attributes {", "module attributes {}}} {", "// ü\nfunc é"]
    {
        let rendered = read_text("odd.mlir", text).unwrap_err().to_string();
        assert!(rendered.starts_with("odd.mlir:"), "{text:?} gave {rendered}");
    }
}

#[test]
fn a_file_cut_short_is_an_error_or_a_program_but_never_a_panic() {
    for path in ["tests/pass/polygeist.mlir", "tests/pass/polygeist_chosen.mlir"] {
        let text = fs::read_to_string(repository().join(path)).unwrap();
        for end in (0..text.len()).step_by(53).filter(|&end| text.is_char_boundary(end)) {
            let options = Options { function: Some("kernel_copy".to_owned()), ..Options::default() };
            let result = read_bytes(path, text.as_bytes()[..end].to_vec(), &options);
            assert!(result.is_err_and(|errors| !errors.diagnostics.is_empty()), "{path} cut at {end}");
        }
    }
}

#[test]
fn several_threads_may_read_at_once() {
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| read_file("polybench/lu.mlir").unwrap())).collect();
    let programs: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(programs.windows(2).all(|pair| pair[0] == pair[1]));
}
