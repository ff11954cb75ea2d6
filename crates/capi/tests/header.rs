//! Tests that the checked-in header is the one generated from the sources.

use crate::common::generated::compare_header;

/// The modules of the interface, in the order of the header.
const MODULES: [&str; 8] = ["version", "status", "error", "model", "evaluator", "prediction", "query", "histogram"];

#[test]
fn the_header_is_that_of_the_sources() {
    compare_header("symloc.h", &MODULES);
}
