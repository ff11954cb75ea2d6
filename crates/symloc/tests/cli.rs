//! Sessions of the program as a user sees them: `tests/cmd` of this crate, and the sessions in the documentation.
//!
//! Each set of sessions runs in a folder of its own, with copies of the kernels, so that a session can write files and
//! uses the same paths as a reader in the root of the repository. `TRYCMD=overwrite cargo test -p symloc --test cli`
//! writes the actual output instead of comparing; read the difference before you commit it.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Makes a folder with copies of the folders of the repository that sessions mention.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for (source, target) in [
        ("benchmarks/field", "benchmarks/field"),
        ("einsum", "einsum"),
        ("examples/mlir", "examples/mlir"),
        ("examples/openmp", "examples/openmp"),
        ("polybench", "polybench"),
        ("polybench/c", "polybench/c"),
        ("tests/c/fail", "tests/c/fail"),
        ("tests/c/noted", "tests/c/noted"),
        ("tests/c/pass", "tests/c/pass"),
        ("tests/fail", "tests/fail"),
        ("tests/kernels", "tests/kernels"),
        ("tests/lines", "tests/lines"),
        ("tests/networks", "tests/networks"),
        ("tests/pass", "tests/pass"),
        ("tests/sets", "tests/sets"),
        ("tests/threads", "tests/threads"),
        ("tests/tiles", "tests/tiles"),
        ("crates/query/tests/machines", "tests/machines"),
    ] {
        fs::create_dir_all(folder.join(target)).unwrap();
        let entries = fs::read_dir(repository().join(source)).unwrap().map(|entry| entry.unwrap().path());
        for path in entries.filter(|path| path.is_file()) {
            fs::copy(&path, folder.join(target).join(path.file_name().unwrap())).unwrap();
        }
    }
    // A size has to be in the range of its type: 300 is not.
    let scale = "void scale(unsigned char n, double *a) {\n  for (int i = 0; i < n; i++)\n    a[i] *= 2;\n}\n";
    fs::write(folder.join("byte.c"), scale).unwrap();
    let kernel = "[[kernel]]\nname = \"gemm\"\nfile = \"polybench/c/gemm.c\"\noptions = [\"--assume-noalias\"]\n";
    let question = "sizes = { \"ni=nj=nk\" = 200 }\ncaches = [\"32KiB\", \"1MiB\"]\nmax-ratio = \"5%\"\n";
    fs::write(folder.join("symloc.toml"), kernel.to_owned() + question).unwrap();
    // Files that look like models but are not.
    fs::write(folder.join("foreign.json"), r#"{"schema":"symloc.table/1","rows":[]}"#).unwrap();
    fs::write(folder.join("newer.loc.json"), r#"{"schema":"symloc.model/99","generator":"symloc 9.0"}"#).unwrap();
    let model = fs::read_to_string(repository().join("tests/models/matmul.loc.json")).unwrap();
    fs::write(folder.join("truncated.loc.json"), &model[..500]).unwrap();
    folder
}

/// This is a single test, because all tests of a process share the working directory.
#[test]
fn sessions_print_what_is_documented() {
    let run = |name: &str, cases: &Path| {
        std::env::set_current_dir(folder(name)).unwrap();
        // Help is as wide as a terminal.
        trycmd::TestCases::new().env("COLUMNS", "100").case(cases).run();
    };
    run("cmd", &repository().join("crates/symloc/tests/cmd/*.trycmd"));
    run("readme", &repository().join("README.md"));
    // Each page runs by itself: two of them write files with the same name.
    for (folder, prefix) in [("docs", "docs"), ("docs/commands", "docs-commands")] {
        for page in fs::read_dir(repository().join(folder)).unwrap().map(|entry| entry.unwrap().path()) {
            if page.extension().is_some_and(|extension| extension == "md") {
                run(&format!("{prefix}-{}", page.file_stem().unwrap().display()), &page);
            }
        }
    }
}

fn help(command: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_symloc")).args(command).arg("--help").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the commands in the order of the overview: those that make models come first.
fn commands() -> Vec<String> {
    let overview = help(&[]);
    let list = overview.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next()).unwrap();
    // Lines that are indented further continue a description.
    let commands = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<_> = commands.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    assert!(commands.contains(&"derive".to_owned()) && commands.contains(&"query".to_owned()), "{overview}");
    commands.into_iter().filter(|name| name != "help").collect()
}

/// Returns the examples in the help of a command.
fn examples(command: &str) -> Vec<String> {
    let text = help(&[command]);
    let list = text.split("Example:\n").nth(1).or_else(|| text.split("Examples:\n").nth(1)).unwrap_or_default();
    let examples: Vec<_> = list.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    let own = |example: &String| example.starts_with(&format!("symloc {command} "));
    assert!(!examples.is_empty() && examples.iter().all(own), "{text}");
    examples
}

/// Returns true if this machine has lines of 64 bytes, so that `--machine this` works for the usual models.
fn machine_has_usual_lines() -> bool {
    let line = fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size");
    line.is_ok_and(|line| line.trim() == "64")
}

#[test]
fn every_command_has_examples_that_run() {
    let folder = folder("examples");
    let programs = Path::new(env!("CARGO_BIN_EXE_symloc")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    for example in commands().iter().flat_map(|command| examples(command)) {
        if example.contains("--machine this") && !machine_has_usual_lines() {
            continue;
        }
        let output =
            Command::new("sh").args(["-c", &example]).current_dir(&folder).env("PATH", &path).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{example}\n{errors}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_symloc"))
        .args(["derive", "polybench/gemm.mlir", "--layout", "rows"])
        .current_dir(repository())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}
