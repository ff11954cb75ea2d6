//! Tests that the checked-in header is the one generated from the sources.

use crate::generated::compare_header;

/// The modules of the interface, in the order of the header.
const MODULES: [&str; 2] = ["options", "derive"];

#[test]
fn the_header_is_that_of_the_sources() {
    compare_header("symloc-derive.h", &MODULES);
}
