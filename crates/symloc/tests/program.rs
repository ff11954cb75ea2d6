//! Tests of the whole program: all modules of this folder except `cli`, which has a working directory of its own.
//!
//! They are one binary, so that they run in parallel and share the models that they derive, and because twenty binaries
//! are slow to compile and to link. Each file is a module: `cargo test -p symloc --test program twins`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests and their helpers stop at the first surprise")]

mod accuracy;
mod annotate_mlir;
mod architecture;
mod assumptions;
mod book;
mod check;
mod circles;
mod code;
mod common;
mod compilers;
mod examples;
mod folders;
mod golden;
mod hardness;
mod jobs;
mod llvm_dialect;
mod pictures;
mod store;
mod words;

/// Modules of the program with tests of their own. They are compiled here, because a test binary of the program itself would link LLVM
/// once more.
#[allow(dead_code, reason = "only their tests are run here")]
#[path = "../src"]
mod units {
    mod advice;
    mod costs;
    mod fitting;
    mod progress;
    #[path = "commands/threads.rs"]
    mod threads;
    #[path = "commands/advise/transform.rs"]
    mod transform;
}

/// The tests that take longer than some seconds. `./check quick` skips modules with this name, in all crates.
mod slow {
    mod addresses;
    mod advise;
    mod advise_field;
    mod advise_mlir;
    mod advise_padding;
    mod advise_sizes;
    mod advise_text;
    mod bound;
    #[cfg(unix)]
    mod called;
    mod check;
    mod compiled;
    mod einsum;
    mod explain;
    mod field;
    mod fixed;
    mod formula;
    mod kernels;
    mod lines;
    mod loop_bounds;
    #[cfg(unix)]
    mod networks;
    mod ops;
    mod order;
    mod own_arrays;
    mod page;
    mod passes;
    mod profiles;
    mod reassociate;
    mod sampled;
    mod scaling;
    mod symbolic_tiles;
    mod tables;
    mod tiled;
    mod twins;
    mod write_backs;
}
