//! A header beside the one that its sources make. `SYMLOC_BLESS=1` writes it; read the difference.
//!
//! The library that derives has these lines in its own tests, so that each crate compares its header.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::fs;
use std::path::Path;

/// Panics if the header of this crate is not the one that some of its modules make, in this order.
pub(crate) fn compare_header(name: &str, modules: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let builder = modules.iter().fold(cbindgen::Builder::new().with_config(config), |builder, module| {
        builder.with_src(root.join("src").join(module).with_extension("rs"))
    });
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let file = root.join("include").join(name);
    if std::env::var_os("SYMLOC_BLESS").is_some() {
        fs::write(&file, &made).unwrap();
    }
    let held = fs::read_to_string(&file).unwrap_or_default();
    let package = env!("CARGO_PKG_NAME");
    assert!(held == made, "include/{name} is not what the sources make: SYMLOC_BLESS=1 cargo test -p {package}");
}
