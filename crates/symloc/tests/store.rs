//! Tests of the folder of models that were derived before (`derive --cache-dir`).

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{nothing_from, symloc};

const PROGRAM: &str = "polybench/trisolv.mlir";

/// Returns an empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("store").join(name);
    // What a failed run has left; one of the tests puts a file there.
    if folder.is_file() {
        fs::remove_file(&folder).unwrap();
    } else if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

fn derive(folder: &Path, arguments: &[&str]) -> String {
    let store = ["derive", "--cache-dir", folder.to_str().unwrap()];
    let (model, errors, status) = symloc(&[&store, arguments].concat());
    assert_eq!(status, Some(0), "{errors}");
    model
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect()
}

#[test]
fn a_model_is_that_of_its_program_and_options() {
    let folder = folder("options");
    let exact = derive(&folder, &[PROGRAM, "--exact"]);
    let plain = derive(&folder, &[PROGRAM]);
    assert_ne!(exact, plain);
    assert_eq!(symloc(&["derive", PROGRAM]).0, plain);
    let kept = files(&folder);
    assert_eq!(kept.len(), 2);
    assert_eq!([derive(&folder, &[PROGRAM]), derive(&folder, &[PROGRAM, "--exact"])], [plain, exact]);
    let others: [&[&str]; 4] = [
        &[PROGRAM, "--line-bytes", "128"],
        &[PROGRAM, "--layout", "rows", "--element"],
        &[PROGRAM, "--assume", "n mod 8 = 0"],
        &["polybench/atax.mlir"],
    ];
    others.iter().for_each(|arguments| _ = derive(&folder, arguments));
    assert_eq!(files(&folder).len(), kept.len() + others.len());
}

#[test]
fn a_model_that_was_kept_is_what_is_read() {
    let folder = folder("read");
    let model = derive(&folder, &[PROGRAM]);
    let [file] = &files(&folder)[..] else { panic!("one file") };
    // The kept file is changed, so that a second derivation would be noticed.
    fs::write(file, model.replacen("kernel_trisolv", "kept", 1)).unwrap();
    assert!(derive(&folder, &[PROGRAM]).contains("\"kept\""));
    // A file that cannot be read is derived again.
    fs::write(file, &model[..model.len() / 2]).unwrap();
    assert_eq!(derive(&folder, &[PROGRAM]), model);
    assert_eq!(fs::read_to_string(file).unwrap(), model);
}

#[test]
fn many_processes_share_a_store() {
    let folder = folder("shared");
    nothing_from(0..8, |_| {
        derive(&folder, &[PROGRAM]);
        None
    });
    assert_eq!(files(&folder).len(), 1);
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let file = folder("file");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "").unwrap();
    let (model, errors, status) = symloc(&["derive", PROGRAM, "--cache-dir", file.to_str().unwrap()]);
    assert_eq!((model.as_str(), status), ("", Some(2)));
    assert!(errors.contains("cannot keep the model there"), "{errors}");
    fs::remove_file(file).unwrap();
}
