//! Networks: their lowering by torch-mlir is derived with the names of the network and agrees with the trace.
//!
//! `tests/networks` has each network twice: as ONNX (made by `make.py`), and as the MLIR to which torch-mlir lowers it
//! (`symloc derive NET.onnx --emit mlir`). torch-mlir is an optional installation, so most tests read the latter.
//! Scripts imitate the failures of its programs; the last tests need the programs themselves, and pass without them.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const VARIABLE: &str = "SYMLOC_TORCH_MLIR";

/// The networks, with two small sizes of each.
const NETWORKS: [(&str, &str, usize); 10] = [
    ("mlp", "-D batch=1,3", 2),
    ("lenet", "-D batch=1,2", 2),
    ("resnet_block", "-D batch=2 -D height=4,5 -D width=3", 2),
    ("transformer_block", "-D batch=2 -D sequence=3,4", 2),
    ("embedding", "-D batch=2 -D sequence=3,5 --gather distinct", 2),
    ("lstm", "-D batch=2 -D sequence=3,4", 2),
    ("decoder", "-D batch=2 -D sequence=3,4", 2),
    ("scaled", "-D batch=1,2", 2),
    ("old", "", 1),
    ("defined", "-D batch=2 -D sequence=3,4", 2),
];

/// The programs to which torch-mlir lowers the dialects of frameworks, with two small sizes of each.
const LOWERED: [(&str, &str, usize); 2] =
    [("symbolic.stablehlo", "-D batch=2,5", 2), ("attention.torch", "-D s0=1,2 -D s1=3", 2)];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn network(file: &str) -> String {
    repository().join("tests/networks").join(file).display().to_string()
}

/// Runs `symloc` with these words, and with torch-mlir in a directory if one is given.
fn symloc(words: &str, torch_mlir: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc"));
    command.args(words.split_whitespace()).current_dir(repository());
    match torch_mlir {
        Some(directory) => command.env(VARIABLE, directory),
        None => command.env_remove(VARIABLE).env("PATH", ""),
    };
    command.output().unwrap()
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the message of a command that was refused.
#[track_caller]
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn agrees(file: &str, options: &str, sizes: usize, torch_mlir: Option<&Path>) {
    let text = succeeded(&symloc(&format!("verify {file} {options}"), torch_mlir));
    assert_eq!(text.lines().filter(|line| line.starts_with("ok ")).count(), sizes, "{file}: {text}");
}

#[test]
fn lowered_networks_agree_with_their_traces() {
    for (name, options, sizes) in NETWORKS {
        agrees(&network(&format!("{name}.mlir")), options, sizes, None);
    }
    for (name, options, sizes) in LOWERED {
        agrees(&network(&format!("{name}.linalg.mlir")), options, sizes, None);
    }
    // Not in `tests/pass`: MLIR's parser crashes on such a text after a change of one byte.
    agrees(&network("computed_shapes.mlir"), "-D batch=1,3", 2, None);
}

#[test]
fn computed_sizes_become_conditions_and_not_arrays() {
    let program = succeeded(&symloc(&format!("derive {} --emit affine", network("decoder.mlir")), None));
    // The sequence is cut to the length of the mask, and the network asserts that nothing was lost.
    assert!(program.starts_with("program decoder(batch, sequence)\n  context"), "{program}");
    assert!(program.contains("-sequence + 32 >= 0"), "{program}");
    // No array of integers, which would hold a shape, is left.
    assert!(!program.contains("rank 1, 8 bytes"), "{program}");
}

#[test]
fn states_of_recurrent_layers_are_copied_back() {
    let output = symloc(&format!("derive {} --emit affine", network("lstm.mlir")), None);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains(
            "note: the values that a loop carries have one buffer, to which each iteration copies its results"
        ),
        "{said}"
    );
    assert!(succeeded(&output).starts_with("program lstm(batch, sequence)"));
}

#[test]
fn sizes_have_the_names_of_the_network() {
    let parameters = |name: &str| {
        let program = succeeded(&symloc(&format!("derive {} --emit affine", network(name)), None));
        program.lines().next().unwrap().to_owned()
    };
    assert_eq!(parameters("mlp.mlir"), "program mlp(batch)");
    assert_eq!(parameters("resnet_block.mlir"), "program resnet_block(batch, height, width)");
    // Two inputs have both dimensions.
    assert_eq!(parameters("transformer_block.mlir"), "program transformer_block(batch, sequence)");
}

/// Derives a model into a directory; returns its path.
fn model(network: &str, directory: &Path, torch_mlir: Option<&Path>) -> PathBuf {
    let path = directory.join("model.json");
    succeeded(&symloc(&format!("derive {network} -o {}", path.display()), torch_mlir));
    path
}

fn directory(name: &str) -> PathBuf {
    let directory = env::temp_dir().join(format!("symloc-networks-{name}-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    directory
}

#[test]
fn nests_have_the_names_of_their_layers() {
    let directory = directory("nests");
    let model = model(&network("mlp.mlir"), &directory, None);
    let query = format!("query {} -D batch=100 --cache 4KiB", model.display());
    let rows = |by: &str| -> Vec<Value> {
        let answer: Value =
            serde_json::from_str(&succeeded(&symloc(&format!("{query} --by {by} --json"), None))).unwrap();
        answer["rows"].as_array().unwrap().clone()
    };
    let nests = rows("nest");
    let mut layers: Vec<&str> = nests.iter().map(|nest| nest["name"].as_str().unwrap()).collect();
    assert_eq!(nests.iter().map(|nest| nest["nest"].as_u64().unwrap()).collect::<Vec<_>>(), Vec::from_iter(1..=17));
    layers.dedup();
    assert_eq!(layers, ["fc1", "relu", "fc2", "softmax"]);
    let sum = |rows: &[Value], what: &dyn Fn(&Value) -> u64| rows.iter().map(what).sum::<u64>();
    let counts: [&dyn Fn(&Value) -> u64; 3] =
        [&|row| row["accesses"].as_u64().unwrap(), &|row| row["first_touches"].as_u64().unwrap(), &|row| {
            row["levels"][0]["misses"].as_u64().unwrap()
        }];
    // The sums over nests are those over accesses.
    for count in counts {
        assert_eq!(sum(&nests, count), sum(&rows("access"), count));
    }
    // The first nest transposes the weights of fc1; the matrix product makes 4 accesses for each of 100 · 6 · 8.
    assert_eq!([counts[0](&nests[0]), counts[0](&nests[2])], [2 * 6 * 8, 4 * 100 * 6 * 8]);
    let text = succeeded(&symloc(&format!("{query} --by nest"), None));
    assert!(text.contains("5 relu      mlp.onnx:7:1"), "{text}");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn models_without_nests_are_read_and_say_so() {
    let directory = directory("old");
    let path = model(&network("mlp.mlir"), &directory, None);
    let mut old: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    old["program"].as_object_mut().unwrap().remove("nests").unwrap();
    fs::write(&path, old.to_string()).unwrap();
    let query = format!("query {} -D batch=2 --cache 4KiB", path.display());
    succeeded(&symloc(&format!("{query} --by access"), None));
    let said = refused(&symloc(&format!("{query} --by nest"), None));
    assert!(said.contains("does not tell its nests apart"), "{said}");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn rows_that_data_choose_are_declared() {
    let file = network("embedding.mlir");
    let said = refused(&symloc(&format!("derive {file}"), None));
    assert!(said.contains("embedding.onnx:5:1: error: subscript 1 of this `memref.load` is not affine"), "{said}");
    assert!(said.contains("`--gather distinct`"), "{said}");
    let program = |gather: &str| succeeded(&symloc(&format!("derive {file} --gather {gather} --emit affine"), None));
    let distinct = program("distinct");
    assert!(distinct.contains("array table: rank 3"), "{distinct}");
    assert!(distinct.contains("read table[i0][i1][i2]"), "{distinct}");
    let same = program("same");
    assert!(same.contains("read table[0][i2]"), "{same}");
    let directory = directory("gather");
    let path = directory.join("model.json");
    succeeded(&symloc(&format!("derive {file} --gather same -o {}", path.display()), None));
    let model: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let declared = "assumed to be the same each time (--gather same)";
    let remark = format!("embedding.onnx:5:1: data choose the row of table: {declared}");
    assert_eq!(model["remarks"][0], remark);
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn distinct_rows_are_those_of_distinct_places() {
    let directory = directory("places");
    let file = directory.join("windows.mlir");
    // The element at i + j chooses the row, so (0, 1) and (1, 0) have the same row.
    let text = "func.func @windows(%n: index, %A: memref<9x8xf32>, %at: memref<?xindex>) {\n  affine.for %i = 0 to %n {\n    \
                affine.for %j = 0 to 3 {\n      %k = affine.load %at[%i + %j] : memref<?xindex>\n      %c = arith.constant 2 : index\n      \
                %x = memref.load %A[%k, %c] : memref<9x8xf32>\n    }\n  }\n  return\n}\n";
    fs::write(&file, text).unwrap();
    let distinct = succeeded(&symloc(&format!("derive {} --gather distinct --emit affine", file.display()), None));
    assert!(distinct.contains("read A[i + j][2]"), "{distinct}");
    agrees(&file.display().to_string(), "--gather distinct -D n=4,9", 2, None);
    fs::remove_dir_all(directory).unwrap();
}

/// Two reads by one value are of one row, which the second does not touch for the first time.
#[test]
fn reads_by_one_value_are_of_one_row() {
    let directory = directory("row");
    let file = directory.join("row.mlir");
    let read = |column| format!("      %x{column} = memref.load %A[%k, %j{column}] : memref<99x8xf32>\n");
    let text = format!(
        "func.func @row(%n: index, %A: memref<99x8xf32>, %at: memref<?xindex>) {{\n  affine.for %i = 0 to %n {{\n    \
         %k = affine.load %at[%i] : memref<?xindex>\n    affine.for %j1 = 0 to 8 {{\n{}    }}\n    \
         affine.for %j2 = 0 to 8 {{\n{}    }}\n  }}\n  return\n}}\n",
        read(1),
        read(2)
    );
    fs::write(&file, text).unwrap();
    let distinct = succeeded(&symloc(&format!("derive {} --gather distinct --emit affine", file.display()), None));
    assert!(distinct.contains("read A[i][j1]") && distinct.contains("read A[i][j2]"), "{distinct}");
    fs::remove_dir_all(directory).unwrap();
}

/// Where the program writes the data between two reads, one place chooses several rows.
#[test]
fn rows_are_not_told_apart_by_places_that_change() {
    let directory = directory("changing");
    let file = directory.join("changing.mlir");
    let text = "func.func @changing(%n: index, %A: memref<99x8xf32>, %at: memref<index>) {\n  %one = arith.constant 1 : index\n  \
                affine.for %i = 0 to %n {\n    %k = affine.load %at[] : memref<index>\n    affine.for %j = 0 to 8 {\n      \
                %x = memref.load %A[%k, %j] : memref<99x8xf32>\n    }\n    %next = arith.addi %k, %one : index\n    \
                affine.store %next, %at[] : memref<index>\n  }\n  return\n}\n";
    fs::write(&file, text).unwrap();
    let said = refused(&symloc(&format!("derive {} --gather distinct", file.display()), None));
    assert!(said.contains("the program writes the data that choose the row between two reads"), "{said}");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn what_is_not_affine_is_not_chosen_by_data() {
    for gather in ["distinct", "same"] {
        let said = refused(&symloc(&format!("derive tests/fail/product_of_iterators.mlir --gather {gather}"), None));
        assert!(said.contains("it multiplies two values that are not constant"), "{said}");
        assert!(!said.contains("--gather"), "{said}");
    }
}

#[test]
fn single_elements_that_data_choose_are_no_rows() {
    let directory = directory("elements");
    let file = directory.join("elements.mlir");
    let text = "func.func @elements(%n: index, %A: memref<?xf32>, %at: memref<?xindex>) {\n  affine.for %i = 0 to %n {\n    \
                %k = affine.load %at[%i] : memref<?xindex>\n    %x = memref.load %A[%k] : memref<?xf32>\n  }\n  return\n}\n";
    fs::write(&file, text).unwrap();
    let said = refused(&symloc(&format!("derive {} --gather distinct", file.display()), None));
    assert!(said.contains("their neighbours are not known"), "{said}");
    // Following the hint works.
    let same = succeeded(&symloc(&format!("derive {} --gather same --emit affine", file.display()), None));
    assert!(same.contains("read A[0]"), "{same}");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_missing_installation_says_how_to_install_it() {
    let said = refused(&symloc(&format!("derive {}", network("mlp.onnx")), None));
    assert!(said.contains("mlp.onnx: error: torch-mlir is missing"), "{said}");
    assert!(said.contains("`torch-mlir-import-onnx` is not in PATH"), "{said}");
    assert!(said.contains("python3 -m pip install torch-mlir onnx"), "{said}");
    let empty = directory("empty");
    let said = refused(&symloc(&format!("derive {}", network("mlp.onnx")), Some(&empty)));
    assert!(said.contains("is not in the directory that SYMLOC_TORCH_MLIR names"), "{said}");
    fs::remove_dir_all(empty).unwrap();
}

/// Writes scripts in place of torch-mlir: the interpreter that the importer names, and `torch-mlir-opt`, which keeps
/// its input.
fn pretended(name: &str, import: &str, opt: &str) -> PathBuf {
    let directory = directory(name);
    let script = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    let python = directory.join("python").display().to_string();
    script("python", &format!("#!/bin/sh\n{import}\n"));
    script("torch-mlir-import-onnx", &format!("#!{python}\n"));
    script("torch-mlir-opt", &format!("#!/bin/sh\n/bin/cat > \"${{0%/*}}/given\"\n{opt}\n"));
    directory
}

/// Returns the message about `net.onnx` with these scripts as programs.
#[track_caller]
fn said(name: &str, import: &str, opt: &str) -> String {
    let directory = pretended(name, import, opt);
    fs::write(directory.join("net.onnx"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc"));
    let output =
        command.args(["derive", "net.onnx"]).current_dir(&directory).env(VARIABLE, &directory).output().unwrap();
    fs::remove_dir_all(directory).unwrap();
    refused(&output)
}

#[test]
fn what_the_importer_says_is_told() {
    let import = |line: &str| said("import", &format!("echo Traceback >&2; echo '{line}' >&2; exit 1"), "");
    let text = import("symloc: format: this is no ONNX file");
    assert!(text.starts_with("net.onnx: error: this is no ONNX file\n"), "{text}");
    let text = import("symloc: missing: No module named onnx");
    assert!(text.contains("note: No module named onnx\n") && text.contains("pip install"), "{text}");
    let text = import("symloc: unsupported: the input `x` is no tensor");
    assert!(text.contains("note: the input `x` is no tensor\n"), "{text}");
    let text = import("MemoryError");
    assert!(text.contains("error: torch-mlir's importer failed\nnote: MemoryError\n"), "{text}");
}

/// A message names the signal that killed a program, also if the program was started by torch-mlir's programs.
#[test]
fn a_program_that_is_killed_is_said_to_be() {
    let listing = "echo '// listing: x: [n]'";
    for (opt, signal) in [("kill -9 $$", 9), ("exit 247", 9), ("kill -6 $$", 6)] {
        let text = said("killed", listing, opt);
        assert!(text.contains(&format!("error: `torch-mlir-opt` was ended by signal {signal}\n")), "{opt}: {text}");
    }
}

/// The memory of torch-mlir counts for the limit, and its processes end with symloc.
#[test]
fn limits_hold_for_the_programs_that_are_run() {
    let directory =
        pretended("limited", "echo '// listing: x: [n]'", "echo $$ > \"${0%/*}/number\"\nexec /bin/sleep 300");
    fs::write(directory.join("net.onnx"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc"));
    command.args(["derive", "net.onnx", "--time-limit", "2"]).current_dir(&directory);
    let text = refused(&command.env(VARIABLE, &directory).output().unwrap());
    assert!(text.contains("error: limit: 2 s passed during lowering\n"), "{text}");
    let number = fs::read_to_string(directory.join("number")).unwrap();
    let state = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
    assert!(!state.contains("(sleep) S"), "it goes on: {state}");
    fs::remove_dir_all(&directory).unwrap();
    let held = "a=xxxxxxxxxxxxxxxx; while true; do a=$a$a; done";
    let directory = pretended("memory", "echo '// listing: x: [n]'", held);
    fs::write(directory.join("net.onnx"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc"));
    command.args(["derive", "net.onnx", "--max-memory", "600MiB"]).current_dir(&directory);
    let text = refused(&command.env(VARIABLE, &directory).output().unwrap());
    assert!(text.contains("more than 600.00 MiB of memory are held during lowering\n"), "{text}");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn operators_that_are_not_lowered_are_named() {
    let listing = "echo '// listing: x: [n]'; echo '// listing: sharpen = Sharpen(x) -> y'";
    let lowered = |line: &str| said("opt", listing, &format!("echo '{line}' >&2; exit 1"));
    let illegal = |operator: &str| {
        format!(
            "net.onnx:2:1: error: failed to legalize operation '\\''torch.operator'\\'' that was explicitly marked illegal: \
             %0 = \"torch.operator\"(%arg0) <{{name = \"onnx.{operator}\"}}> : ()"
        )
    };
    let text = lowered(&illegal("Sharpen"));
    let start = "net.onnx:2:1: error: the operator `Sharpen` is not supported\nsharpen = Sharpen(x) -> y\n^\n";
    assert!(text.starts_with(start), "{text}");
    let text = lowered(&illegal("Loop"));
    assert!(text.contains("the operator `Loop` is not supported") && text.contains("depend on data"), "{text}");
    let text = lowered("net.onnx:2:1: error: failed to legalize operation '\\''torch.aten.unique'\\'': %1 = ");
    assert!(text.starts_with("net.onnx:2:1: error: `torch.aten.unique` is not supported\n"), "{text}");
    let text = lowered("Stack dump:");
    assert!(text.contains("`torch-mlir-opt` ended without a reason"), "{text}");
}

#[test]
fn sizes_that_torch_mlir_needs_are_named() {
    let listing = "echo '// listing: x: [n]'; echo '// listing: turns = GRU(x) -> y'";
    let line =
        "net.onnx:2:1: error: '\\''linalg.fill'\\'' op unexpected result less than 0 at expression #1 in (d0) -> (d0)";
    let text = said("fixed", listing, &format!("echo '{line}' >&2; exit 1"));
    assert!(
        text.starts_with("net.onnx:2:1: error: this needs sizes that are constants\nturns = GRU(x) -> y\n"),
        "{text}"
    );
    let line = "net.onnx:2:1: error: found an op that was marked as backend illegal";
    let text = said("illegal", listing, &format!("echo '{line}' >&2; exit 1"));
    assert!(
        text.starts_with("net.onnx:2:1: error: this operator is not supported with these sizes\n")
            && text.contains("help: export the network with a constant batch there"),
        "{text}"
    );
}

#[test]
fn operations_that_are_left_are_named() {
    let module = "module {\\n  %0 = tm_tensor.scan dimension(0) loc(#loc1)\\n}\\n#loc = loc(\"net.onnx\":1:1)\\n\
                  #loc1 = loc(\"sum\"(#loc))";
    let text = said("left", "echo '// listing: sum = CumSum(x) -> y'", &format!("printf '%b\\n' '{module}'"));
    assert!(
        text.starts_with("net.onnx:1:1: error: `tm_tensor.scan` is not supported\nsum = CumSum(x) -> y\n"),
        "{text}"
    );
}

#[test]
fn symbolic_sizes_of_the_exporter_name_extents() {
    let directory = pretended("symbols", "", "exit 1");
    let file = network("linear.torch.mlir");
    refused(&symloc(&format!("derive {file}"), Some(&directory)));
    let given = fs::read_to_string(directory.join("given")).unwrap();
    assert!(given.contains("%arg0: !torch.vtensor<[?,?,6],f32> {symloc.dims = [\"s0\", \"s1\", \"\"]}, "), "{given}");
    // The map has its own name for the size.
    assert!(given.contains("%arg1: !torch.vtensor<[?,8],f32> {symloc.dims = [\"s1\", \"\"]}, "), "{given}");
    assert!(given.contains("%arg2: !torch.vtensor<[8,6],f32>)"), "{given}");
    assert!(!given.contains("symbolic_int") && !given.contains("bind_symbolic_shape"), "{given}");
    assert_eq!(given.lines().count(), fs::read_to_string(file).unwrap().lines().count());
    fs::remove_dir_all(directory).unwrap();
}

/// Returns the directory where torch-mlir is installed, if it is.
fn torch_mlir() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let said = env::var_os(VARIABLE).map(PathBuf::from);
    let found = said.into_iter().chain(env::split_paths(&path)).find(|dir| dir.join("torch-mlir-opt").is_file());
    if found.is_none() {
        eprintln!("torch-mlir is not installed: nothing is tested");
    }
    found
}

#[test]
fn onnx_files_agree_with_their_traces() {
    let Some(installed) = torch_mlir() else { return };
    for (name, options, sizes) in NETWORKS {
        agrees(&network(&format!("{name}.onnx")), options, sizes, Some(&installed));
    }
}

#[test]
fn onnx_files_have_the_names_that_their_lowered_forms_have() {
    let Some(installed) = torch_mlir() else { return };
    for (name, _, _) in NETWORKS {
        let program = |form: &str| {
            let words = format!("derive {} --emit affine --gather same", network(&format!("{name}.{form}")));
            succeeded(&symloc(&words, Some(&installed)))
        };
        let head = |text: String| text.lines().next().unwrap().to_owned();
        assert_eq!(head(program("onnx")), head(program("mlir")), "{name}");
    }
}

#[test]
fn bad_networks_are_refused() {
    let Some(installed) = torch_mlir() else { return };
    let refused = |file: &str| refused(&symloc(&format!("derive {}", network(file)), Some(&installed)));
    let text = refused("repeated.onnx");
    assert!(text.contains("repeated.onnx:3:1: error: the operator `Loop` is not supported\niterate = Loop("), "{text}");
    let text = refused("branches.onnx");
    assert!(text.contains("this condition is not affine\nchoice = If("), "{text}");
    let text = refused("unsupported.onnx");
    assert!(text.contains("unsupported.onnx:2:1: error: the operator `Sharpen` is not supported\n"), "{text}");
    let text = refused("embedding.onnx");
    assert!(text.contains("--gather distinct"), "{text}");
    let text = refused("not_onnx.onnx");
    assert!(text.contains("not_onnx.onnx: error: this is no ONNX file\n"), "{text}");
    let text = refused("gru.onnx");
    assert!(text.contains("gru.onnx:6:1: error: this needs sizes that are constants\nrecurrent = GRU("), "{text}");
    let text = refused("data.stablehlo.mlir");
    assert!(text.contains("data.stablehlo.mlir:3:8: error: `stablehlo.dynamic_reshape` is not supported\n"), "{text}");
}

#[test]
fn dialects_of_frameworks_are_lowered() {
    let Some(installed) = torch_mlir() else { return };
    // Output of JAX, with a private function; output of PyTorch's exporter, with two symbolic sizes.
    agrees(&network("dense.stablehlo.mlir"), "--function main", 1, Some(&installed));
    agrees(&network("linear.torch.mlir"), "-D s0=2,3 -D s1=4", 2, Some(&installed));
    // Sizes that StableHLO computes, with names and without; attention.
    agrees(&network("sizes.stablehlo.mlir"), "-D p0=2,5", 2, Some(&installed));
    for (name, options, sizes) in LOWERED {
        agrees(&network(&format!("{name}.mlir")), options, sizes, Some(&installed));
    }
}
