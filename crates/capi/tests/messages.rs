//! Tests that the messages are those of the command line: each occurs in one of its sessions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]
#![allow(unsafe_code, reason = "it calls the functions of C")]

use std::ffi::CString;
use std::fs;
use std::path::Path;
use std::ptr::null;

use symloc_capi::evaluator::{symloc_evaluator, symloc_evaluator_new, symloc_evaluator_sizes, symloc_size};
use symloc_capi::model::{symloc_model, symloc_model_load};
use symloc_capi::prediction::{SYMLOC_DEFAULT, SYMLOC_LRU, symloc_prediction_new};
use symloc_capi::status::*;

use crate::common::{Failed, Owned, models, object, parse, status};

/// Returns the sessions of the two programs, which are tests of their own.
fn sessions() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["query/tests/cmd", "symloc/tests/cmd"].map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let files = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    files.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn load(path: &Path) -> Result<Owned<symloc_model>, Failed> {
    let path = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: the path is a text.
    object(|error| unsafe { symloc_model_load(path.as_ptr(), error) })
}

fn evaluator(model: &Owned<symloc_model>, line_bytes: u64) -> Result<Owned<symloc_evaluator>, Failed> {
    // SAFETY: the model is not freed.
    object(|error| unsafe { symloc_evaluator_new(model.pointer, line_bytes, 0, error) })
}

fn sizes(model: &str, named: &[(&str, i64)]) -> Failed {
    let evaluator = evaluator(&load(&models().join(model)).unwrap(), 0).unwrap();
    let names: Vec<_> = named.iter().map(|(name, _)| CString::new(*name).unwrap()).collect();
    let named = names.iter().zip(named).map(|(name, (_, value))| symloc_size { name: name.as_ptr(), value: *value });
    let (named, mut room): (Vec<_>, _) = (named.collect(), 0);
    // SAFETY: the names are texts, and there is room for the one size.
    let work = |error| unsafe {
        symloc_evaluator_sizes(evaluator.pointer, named.as_ptr(), named.len(), &raw mut room, 1, error)
    };
    status(work).unwrap_err()
}

fn prediction(n: i64, miss_model: u32) -> Failed {
    let evaluator = evaluator(&load(&models().join("matmul.loc.json")).unwrap(), 0).unwrap();
    // SAFETY: the evaluator is not freed, and there is one size.
    object(|error| unsafe { symloc_prediction_new(evaluator.pointer, &raw const n, 1, miss_model, error) })
        .err()
        .unwrap()
}

#[test]
fn messages_are_those_of_the_command_line() {
    let sessions = sessions();
    let said = |(status, message): Failed, expected: symloc_status| {
        assert_eq!(status, expected, "{message}");
        let known = sessions.contains(&format!("error: {message}\n")) || sessions.contains(&format!(": {message}\n"));
        assert!(known, "no command says: {message}");
    };
    let text = fs::read(models().join("matmul.loc.json")).unwrap();
    let model = parse(&text).unwrap();
    said(load("missing.loc.json".as_ref()).err().unwrap(), SYMLOC_ERROR_IO);
    said(parse(&text[..500]).err().unwrap(), SYMLOC_ERROR_MODEL);
    said(parse(br#"{"schema":"symloc.table/1"}"#).err().unwrap(), SYMLOC_ERROR_MODEL);
    let newer = br#"{"schema":"symloc.model/99","generator":"symloc 9.0"}"#;
    said(parse(newer).err().unwrap(), SYMLOC_ERROR_NEWER);
    said(evaluator(&model, 128).err().unwrap(), SYMLOC_ERROR_LINE);
    said(sizes("matmul.loc.json", &[]), SYMLOC_ERROR_PARAMETER);
    said(sizes("one_row.loc.json", &[("n", 3), ("rows", 3)]), SYMLOC_ERROR_PARAMETER);
    said(sizes("matmul.loc.json", &[("n", 3), ("n", 4)]), SYMLOC_ERROR_PARAMETER);
    said(prediction(100, SYMLOC_DEFAULT), SYMLOC_ERROR_CONTEXT);
    said(prediction(128, SYMLOC_LRU), SYMLOC_ERROR_NO_DISTANCES);
}

/// The error for too few sizes names the missing parameters.
#[test]
fn sizes_that_are_missing_have_names() {
    let evaluator = evaluator(&load(&models().join("gemm.loc.json")).unwrap(), 0).unwrap();
    // SAFETY: the evaluator is not freed, and nothing is read of too few or too many sizes.
    let refused = |count| {
        object(|error| unsafe { symloc_prediction_new(evaluator.pointer, null(), count, 0, error) }).err().unwrap()
    };
    assert_eq!(refused(1), (SYMLOC_ERROR_PARAMETER, "no value for the parameters nj, nk".to_owned()));
    assert_eq!(refused(4), (SYMLOC_ERROR_ARGUMENT, "4 sizes for 3 parameters (ni, nj, nk)".to_owned()));
}
