//! File-driven tests of the front end; one target, because every binary that links LLVM is large.
//!
//! - `tests/pass/NAME.mlir` gives the program in `NAME.affine`,
//! - `tests/fail/NAME.mlir` is refused with the rendering in `NAME.stderr`.
//!
//! A line `// OPTIONS: …` in a source gives command line options, one per word; `'…'` holds several words together.
//! `SYMLOC_BLESS=1 cargo test -p symloc-mlir` writes the results instead of comparing them; read the difference before
//! you commit it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests stop at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

use symloc_affine::{AccessId, AccessKind, Extent, Layout, Line, Node, Program, Weight};
use symloc_frontend::characteristics::{Characteristics, Operation, Typed};
use symloc_mlir::{Branches, Errors, Kind, Options, Source, characterise, fuzzing, read};
use symloc_sim::{SimError, Trace, passes};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the `.mlir` files of a folder of the repository, as paths relative to it, in order.
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
            "--branch" => options.branches.push(told(&value)),
            "--ignore-calls" => options.ignored_calls = value.split(',').map(str::to_owned).collect(),
            "--name" => {
                let (old, new) = value.split_once('=').unwrap();
                options.renames.push((old.to_owned(), new.to_owned()));
            }
            _ => panic!("unknown option {option}"),
        }
    }
    options
}

/// Parses `12=1/3`.
fn told(text: &str) -> (u32, num_rational::Ratio<i64>) {
    let (line, share) = text.split_once('=').unwrap();
    (line.parse().unwrap(), share.parse().unwrap())
}

fn words(line: &str) -> Vec<String> {
    let unquoted = line.split('\'').enumerate();
    let parts = unquoted.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    parts.collect()
}

/// Compares with the file next to the source, or writes it. Returns the difference.
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

/// The kernels of PolyBench in old syntax give the same programs as in today's.
#[test]
fn old_texts_become_the_same_programs() {
    let mut compared = 0;
    for kernel in sources("polybench") {
        let name = kernel.trim_start_matches("polybench/").trim_end_matches(".mlir").replace('-', "_");
        let is_old = |path: &String| {
            let age_and_name = path.trim_start_matches("tests/pass/llvm").trim_end_matches(".mlir");
            age_and_name.split_once('_').is_some_and(|(_, of)| of == name)
        };
        let Some(old) = sources("tests/pass").into_iter().find(is_old) else { panic!("no old text of {kernel}") };
        assert_eq!(read_file(&old).unwrap().to_string(), read_file(&kernel).unwrap().to_string(), "{old}");
        compared += 1;
    }
    assert_eq!(compared, POLYBENCH.len());
}

/// Returns the options that follow a hint.
fn hinted(hint: &str, options: &Options) -> Option<Options> {
    let word = |option: &str| {
        let rest = hint.split_once(option)?.1.trim_start();
        Some(rest.split([' ', '`', ',', ';', '?']).next()?.to_owned()).filter(|word| !word.is_empty())
    };
    let options = options.clone();
    if hint.starts_with("leave --passes out") {
        return Some(Options { passes: None, ..options });
    }
    if let Some(function) = word("--function") {
        return Some(Options { function: Some(function), ..options });
    }
    if let Some(branch) = word("--branch") {
        let branches = [options.branches.as_slice(), &[told(&branch)]].concat();
        return Some(Options { branches, ..options });
    }
    if let Some(name) = word("--ignore-calls") {
        let ignored_calls = [options.ignored_calls.as_slice(), &[name]].concat();
        return Some(Options { ignored_calls, ..options });
    }
    if let Some(conditions) = hint.split_once("--assume '").and_then(|(_, rest)| rest.split('\'').next()) {
        return Some(Options { assume: Some(conditions.to_owned()), ..options });
    }
    let passes = hint.split_once("--passes '").and_then(|(_, rest)| rest.split('\'').next());
    passes.map(|passes| Options { passes: Some(passes.to_owned()), ..options })
}

/// A hint that is followed never leads to the same message again.
#[test]
fn hints_lead_on() {
    let mut followed = 0;
    for path in sources("tests/fail") {
        let text = fs::read_to_string(repository().join(&path)).unwrap();
        let options = options(&text);
        let errors = read_bytes(&path, text.clone().into_bytes(), &options).unwrap_err();
        for error in &errors.diagnostics {
            let Some(next) = error.hint.as_deref().and_then(|hint| hinted(hint, &options)) else { continue };
            followed += 1;
            let Err(left) = read_bytes(&path, text.clone().into_bytes(), &next) else { continue };
            let same = |other: &symloc_frontend::Diagnostic| {
                (&other.message, &other.location) == (&error.message, &error.location)
            };
            assert!(!left.diagnostics.iter().any(same), "{path}: {:?} leads to the same message", error.hint);
        }
    }
    assert!(followed >= 10, "{followed} hints can be followed");
}

/// Returns the loads, stores and floating-point operations of the blocks if every parameter is `size`. Checks that each
/// block is entered and left equally often.
fn counted(path: &str, blocks: &Characteristics, size: i64) -> [u64; 3] {
    let sizes = vec![size; blocks.program.params.len()];
    let passes = passes(&blocks.program, &sizes, blocks.marks, u64::MAX).unwrap();
    let count = |mark: symloc_affine::MarkId| -> u64 {
        let weighted = &passes[mark.index()].weighted;
        assert!(weighted.iter().all(|(weight, _)| *weight == Weight::Once), "{path}: {weighted:?}");
        weighted.iter().map(|(_, count)| count).sum()
    };
    let mut sums = [0; 3];
    for (index, block) in blocks.blocks.iter().enumerate() {
        let executions = count(block.mark);
        for (Typed { operation, .. }, each) in block.mix().counts() {
            sums[0] += if operation == Operation::Load { each * executions } else { 0 };
            sums[1] += if operation == Operation::Store { each * executions } else { 0 };
            sums[2] += operation.flops() * each * executions;
        }
        let flow = |here: &dyn Fn(&symloc_frontend::characteristics::Edge) -> usize| -> Option<u64> {
            let edges: Vec<_> = blocks.edges.iter().filter(|edge| here(edge) == index).collect();
            (!edges.is_empty()).then(|| edges.iter().map(|edge| count(edge.mark)).sum())
        };
        let (enters, leaves) = (flow(&|edge| edge.to), flow(&|edge| edge.from));
        let started = u64::from(index == 0);
        assert!(enters.is_none_or(|enters| enters + started == executions), "{path}: {}: {enters:?}", block.name);
        assert!(leaves.is_none_or(|leaves| leaves == executions), "{path}: {}: {leaves:?}", block.name);
        let alone = index == 0 || block.name.contains("lanes");
        assert!(enters.is_some() || alone, "{path}: nothing leads to {}", block.name);
    }
    sums
}

#[test]
fn blocks_do_what_the_program_does() {
    let kernels = ["tests/pass", "tests/kernels", "polybench"].map(sources).concat();
    let mut compared = 0;
    for path in &kernels {
        let text = fs::read_to_string(repository().join(path)).unwrap();
        // The blocks of a branch on data have probabilities.
        if !options(&text).branches.is_empty() {
            continue;
        }
        let source = Source { name: path.clone(), bytes: text.clone().into_bytes() };
        let Ok(program) = read(&source, &options(&text)).map(|reading| reading.program) else { continue };
        let blocks = characterise(&source, &options(&text), &Branches::default());
        let blocks = blocks.unwrap_or_else(|errors| panic!("{errors}")).characteristics;
        for size in [1, 6, 9] {
            let sizes = vec![size; program.params.len()];
            let trace = match Trace::new(&program, &sizes, Layout::Rows, Line::Element) {
                // A truth value is 0 or 1.
                Err(SimError::Context { .. }) if size > 1 => continue,
                trace => trace.unwrap(),
            };
            let mut expected = [0; 3];
            trace
                .for_each(|access, _| {
                    expected[usize::from(program.access(access).kind == AccessKind::Write)] += 1;
                })
                .unwrap();
            let found = counted(path, &blocks, size);
            expected[2] = trace.operations().unwrap_or(found[2]);
            // A vector in an array is one access, and as many loads as it has lanes.
            if text.contains("xvector<") {
                expected[..2].copy_from_slice(&found[..2]);
            }
            assert_eq!(found, expected, "{path} at {size}");
            compared += 1;
        }
    }
    assert!(compared > 180, "{compared}");
}

/// The shapes of `polybench/`: file, parameters, loops, depth, static reads and writes.
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

/// Returns the deepest nesting of loops.
fn depth(nodes: &[Node]) -> usize {
    let depth_of = |node: &Node| match node {
        Node::Loop(l) => 1 + depth(&l.body),
        Node::If(guard) => depth(&guard.then).max(depth(&guard.otherwise)),
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => 0,
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
    let tiles = (vec![known(4), known(8), known(2)], Some((0, vec![16, 2, 1])), at("6:19"));
    assert_eq!(describe("table"), (vec![known(4), known(8)], Some((0, vec![8, 1])), at("2:1")));
    assert_eq!(describe("bits"), (vec![dynamic], Some((0, vec![1])), at("4:30")));
    // 20 elements that are two apart; a map that is no strides has the dimensions of memory.
    assert_eq!(describe("strided"), (vec![known(10), known(39)], Some((5, vec![40, 1])), at("5:19")));
    assert_eq!(describe("tiled"), tiles);
    assert_eq!(describe("scalar"), (vec![], Some((0, vec![])), at("7:13")));
    assert_eq!(describe("local"), (vec![known(16)], Some((0, vec![1])), at("8:12")));
}

#[test]
fn accesses_are_numbered_in_order_and_have_places() {
    let program = read_file("polybench/gemm.mlir").unwrap();
    let lines: Vec<u32> = program.accesses.iter().map(|access| access.location.line).collect();
    assert_eq!(lines, [14, 16, 20, 22, 24, 26]);
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
            Node::Operations(_) | Node::Mark(_) => {}
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

#[test]
fn parallel_loops_are_noted() {
    let path = "tests/pass/parallel.mlir";
    let bytes = fs::read(repository().join(path)).unwrap();
    let notes = read(&Source { name: path.to_owned(), bytes }, &Options::default()).unwrap().notes;
    assert_eq!(notes.notes.len(), 5);
    let expected = "tests/pass/parallel.mlir:6:3: note: `affine.parallel` is analysed in sequential order, \
                    its last iterator varying fastest; --parallel marked gives it threads\n  affine.parallel (%i, %j) = (1, max(%m - 3, 0)) to (%n, \
                    min(%m, 100)) step (1, 2) {\n  ^\n";
    assert!(notes.to_string().starts_with(expected), "{notes}");
}

/// Returns the notes about a source.
fn notes(path: &str) -> symloc_frontend::Notes {
    let text = fs::read_to_string(repository().join(path)).unwrap();
    let options = options(&text);
    read(&Source { name: path.to_owned(), bytes: text.into_bytes() }, &options).unwrap().notes
}

#[test]
fn what_is_assumed_or_odd_is_said() {
    let remarks = |path| notes(path).remarks();
    let outside = remarks("tests/pass/outside.mlir");
    let expected = [
        "tests/pass/outside.mlir:4:10: this access leaves `A`: subscript 1 reaches 8, and the extent is 8",
        "tests/pass/outside.mlir:5:10: this access leaves `A`: subscript 1 reaches -1, and the extent is 8",
    ];
    assert_eq!(outside, expected);
    let ignored = remarks("tests/pass/ignored_calls.mlir");
    let taken = "is assumed to touch none of the arrays (--ignore-calls)";
    let expected = [("8:3", "printMemrefF32"), ("9:9", "check")]
        .map(|(at, name)| format!("tests/pass/ignored_calls.mlir:{at}: a call of `{name}` {taken}"));
    assert_eq!(ignored, expected);
    let products = remarks("tests/pass/products.mlir");
    assert_eq!(products, ["the parameter `n_m` stands for the product of `n` and `m`"]);
    let hoisted = remarks("tests/pass/hoisted_buffers.mlir");
    let expected = "tests/pass/hoisted_buffers.mlir:4:12: `memref.alloc` in a loop is one buffer for all iterations, \
                    as `buffer-loop-hoisting` makes of it: it is never freed";
    assert_eq!(hoisted, [expected]);
    let said = |path: &str, text: &str| {
        let notes = notes(path).to_string();
        assert!(notes.contains(text), "{path}: {notes}");
    };
    said("tests/pass/copies.mlir", "copies.mlir:3:3: note: `memref.copy` is read as loops over the elements");
    said("tests/pass/loop_buffers.mlir", "12:12: note: `memref.alloc` in a loop is one buffer for all iterations");
    said("tests/pass/jumps.mlir", "jumps.mlir:18:1: note: jumps between blocks are read as the loops and branches");
    said("tests/pass/linalg.mlir", "note: operations on whole arrays are read as the loops that --passes");
    said("tests/pass/layouts.mlir", "note: the subscripts of this array are shown in the order in which");
    said("tests/pass/rows.mlir", "note: the model is for n >= m: each row must hold all elements accessed in it");
}

#[test]
fn bytecode_is_read_like_text() {
    // polybench/lu.mlir by `mlir-opt --emit-bytecode`; bytecode keeps places, but neither text nor names.
    let bytes = fs::read(repository().join("tests/pass/lu.mlirbc")).unwrap();
    let program = read_bytes("lu.mlirbc", bytes.clone(), &Options::default()).unwrap();
    let text = read_file("polybench/lu.mlir").unwrap();
    assert_eq!(program.accesses.len(), text.accesses.len());
    assert_eq!(program.to_string().lines().count(), text.to_string().lines().count());
    assert_eq!(program.accesses[0].location.line, text.accesses[0].location.line);
    let cut = read_bytes("lu.mlirbc", bytes[..bytes.len() / 2].to_vec(), &Options::default()).unwrap_err();
    assert_eq!(cut.diagnostics[0].kind, Kind::Syntax);
}

#[test]
fn hostile_sources_are_errors() {
    let nested = |depth: usize| format!("func.func @f() {{ {}{} return }}", "scf.if ".repeat(depth), "{".repeat(depth));
    let sources = [
        Vec::new(),
        b"\0\0\0\0".to_vec(),
        b"ML\xefR".to_vec(),
        b"ML\xefR\x00\x00\x00\x00\x00\x00\x00\x00".to_vec(),
        b"func.func @f() { return } // \xff\xfe".to_vec(),
        nested(100_000).into_bytes(),
        "(".repeat(1_000_000).into_bytes(),
        format!("#m = affine_map<(d0) -> ({})>", "-".repeat(10_000)).into_bytes(),
        format!("func.func @f(%n: index) {{ affine.for %i = 0 to {} {{ }} return }}", "9".repeat(100)).into_bytes(),
        format!("func.func @f(%A: memref<{}xf64>) {{ return }}", "9".repeat(30)).into_bytes(),
    ];
    for bytes in sources {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
        let errors = read_bytes("hostile.mlir", bytes, &Options::default());
        assert!(errors.is_err_and(|errors| !errors.diagnostics.is_empty()), "{start}");
    }
}

#[test]
fn the_largest_numbers_are_no_crash() {
    let function = |body: &str| format!("func.func @f(%n: index, %A: memref<?xf64>) {{\n{body}\nreturn\n}}");
    for body in [
        "affine.for %i = -9223372036854775808 to 9223372036854775807 { %x = affine.load %A[%i * 9223372036854775807] : memref<?xf64> }",
        "affine.for %i = 0 to 9223372036854775807 step 9223372036854775807 { %x = affine.load %A[%i - 9223372036854775807] : memref<?xf64> }",
        "affine.for %i = 0 to %n { %x = affine.load %A[(%i * 4611686018427387904) floordiv 9223372036854775807] : memref<?xf64> }",
        "%c = arith.constant -9223372036854775808 : index\n%d = arith.divsi %n, %c : index\n%x = memref.load %A[%d] : memref<?xf64>",
        "%c = arith.constant -9223372036854775808 : index\n%d = arith.remsi %n, %c : index\n%x = memref.load %A[%d] : memref<?xf64>",
        "%c = arith.constant 9223372036854775807 : index\n%d = arith.andi %n, %c : index\n%x = memref.load %A[%d] : memref<?xf64>",
        "%s = memref.subview %A[9223372036854775807] [1] [9223372036854775807] : memref<?xf64> to memref<1xf64, strided<[9223372036854775807], offset: 9223372036854775807>>\n%x = affine.load %s[1] : memref<1xf64, strided<[9223372036854775807], offset: 9223372036854775807>>",
    ] {
        fuzzing::check(function(body).as_bytes()).unwrap_or_else(|why| panic!("{body}: {why}"));
    }
}

/// The number of mutations of the sources in `tests/pass`.
const MUTATIONS: usize = 10_000;

/// The mutations on which MLIR's own parser crashes, by number, with the reason.
const PARSER_CRASHES: &[(usize, &str)] = &[];

/// Byte-wise mutations of the accepted sources. They are read in child processes, because MLIR's parser may crash; such
/// inputs must be listed above.
#[test]
fn mutated_sources_are_errors_or_programs() {
    let progress = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations");
    let mut crashes = Vec::new();
    let mut next = 0;
    while next < MUTATIONS {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--ignored", "--exact", "read_mutations", "--nocapture"]);
        let output = child.env("SYMLOC_MUTATIONS", next.to_string()).output().unwrap();
        let reached: usize = fs::read_to_string(&progress).unwrap().trim().parse().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "mutation {reached}: {stderr}");
        if !output.status.success() {
            crashes.push(reached);
        }
        next = if output.status.success() { MUTATIONS } else { reached + 1 };
    }
    let listed: Vec<usize> = PARSER_CRASHES.iter().map(|(case, _)| *case).collect();
    assert_eq!(crashes, listed, "see `SYMLOC_MUTATION=<number>`, which prints one");
}

/// `tests/crashes` has inputs on which MLIR's own parser crashes, as `mlir-opt` does. One that no longer does can be
/// removed.
#[test]
fn inputs_on_which_mlir_crashes_are_kept() {
    for entry in fs::read_dir(repository().join("tests/crashes")).unwrap() {
        let file = entry.unwrap().path();
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--ignored", "--exact", "read_one", "--nocapture"]).env("SYMLOC_FILE", &file);
        let output = child.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{}: {stderr}", file.display());
        assert_eq!(output.status.code(), None, "{} does not crash any more", file.display());
    }
}

/// The child of [`inputs_on_which_mlir_crashes_are_kept`].
#[test]
#[ignore = "reads what another test asks for"]
fn read_one() {
    let Some(file) = std::env::var_os("SYMLOC_FILE") else { return };
    drop(fuzzing::check(&fs::read(file).unwrap()));
}

/// The child of [`mutated_sources_are_errors_or_programs`].
#[test]
#[ignore = "reads what another test asks for"]
fn read_mutations() {
    let Some(first) = std::env::var("SYMLOC_MUTATIONS").ok().and_then(|text| text.parse().ok()) else { return };
    let sources: Vec<Vec<u8>> =
        sources("tests/pass").iter().map(|path| fs::read(repository().join(path)).unwrap()).collect();
    let mut programs = 0;
    for case in first..MUTATIONS {
        fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations"), case.to_string()).unwrap();
        let bytes = mutation(&sources, case);
        if std::env::var_os("SYMLOC_MUTATION").is_some_and(|wanted| *wanted == *case.to_string()) {
            println!("{}", String::from_utf8_lossy(&bytes));
        }
        let outcome = fuzzing::check(&bytes).unwrap_or_else(|why| panic!("mutation {case}: {why}"));
        programs += usize::from(outcome == fuzzing::Outcome::Program);
    }
    assert!(first > 0 || programs > MUTATIONS / 50, "only {programs} mutations are programs");
}

/// Returns a source with a few bytes changed, always the same for a number.
fn mutation(sources: &[Vec<u8>], case: usize) -> Vec<u8> {
    let mut state = (case as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut bytes = sources[random(sources.len())].clone();
    for _ in 0..=random(2) {
        let at = random(bytes.len());
        match random(7) {
            0 => bytes[at] = random(256) as u8,
            1 => bytes[at] = *b"(){}[]<>%#,:=*-0123456789d\"\n".get(random(28)).unwrap_or(&b' '),
            2 => drop(bytes.drain(at..(at + 1 + random(20)).min(bytes.len()))),
            3 => {
                let other = &sources[random(sources.len())];
                let from = random(other.len());
                let piece = other[from..(from + 1 + random(40)).min(other.len())].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            4 => {
                let digits = bytes.iter().skip(at).position(u8::is_ascii_digit).map(|distance| at + distance);
                let number: &[u8] = [&b"0"[..], b"-1", b"9223372036854775807", b"99999999999999999999"][random(4)];
                if let Some(digit) = digits {
                    drop(bytes.splice(digit..=digit, number.to_vec()));
                }
            }
            5 => {
                let words = [&b"index"[..], b"memref<?xf64>", b"mod 0", b"floordiv 0", b"symbol(%n)", b"step 0", b"i1"];
                drop(bytes.splice(at..at, words[random(words.len())].to_vec()));
            }
            _ => bytes.truncate(bytes.len() - random(bytes.len() / 4)),
        }
        if bytes.is_empty() {
            return bytes;
        }
    }
    bytes
}

/// The page of what is supported: every file it names exists, and every source of a test is named.
#[test]
fn the_page_of_affine_support_names_all_tests() {
    let page = fs::read_to_string(repository().join("docs/affine-support.md")).unwrap();
    let named: Vec<&str> =
        page.split('`').filter(|word| word.starts_with("tests/") || word.starts_with("crates/")).collect();
    for file in &named {
        assert!(repository().join(file).exists(), "docs/affine-support.md names {file}, which does not exist");
    }
    for file in sources("tests/pass").iter().chain(&sources("tests/fail")) {
        assert!(named.contains(&file.as_str()), "docs/affine-support.md does not name {file}");
    }
    let is_header = |row: &str| row.contains("---") || row.ends_with("| Test |");
    // The kernels of the last table are those of one test, which reads them there.
    let is_kernel = |row: &str| row.starts_with("| `polybench/") || row.starts_with("| `einsum/");
    for row in page.lines().filter(|line| line.starts_with('|') && !is_header(line) && !is_kernel(line)) {
        assert!(row.contains("`tests/") || row.contains("`crates/"), "a row without a test: {row}");
    }
}
