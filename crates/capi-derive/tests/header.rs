//! Tests that the checked-in header is the one generated from the sources. `SYMLOC_BLESS=1` writes it; read the
//! difference.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::fs;
use std::path::Path;

/// The modules of the interface, in the order of the header.
const SOURCES: [&str; 2] = ["options", "derive"];

fn header() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();

    let builder = SOURCES.iter().fold(cbindgen::Builder::new().with_config(config), |builder, source| {
        builder.with_src(root.join("src").join(source).with_extension("rs"))
    });
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

#[test]
fn the_header_is_that_of_the_sources() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/symloc-derive.h");
    let made = header();
    if std::env::var_os("SYMLOC_BLESS").is_some() {
        fs::write(&file, &made).unwrap();
    }
    let held = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        held == made,
        "include/symloc-derive.h is not what the sources make: SYMLOC_BLESS=1 cargo test -p symloc-capi-derive"
    );
}
