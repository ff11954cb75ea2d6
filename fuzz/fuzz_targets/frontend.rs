//! The front end on any bytes. A panic, an endless loop or a program that makes no sense stops it.

#![no_main]

use std::ffi::{c_char, c_int};
use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use symloc_fuzz::mutate_words;
use symloc_mlir::fuzzing;

unsafe extern "C" {
    fn LLVMFuzzerRunDriver(
        count: *mut c_int,
        words: *mut *mut *mut c_char,
        one: unsafe extern "C" fn(*const u8, usize) -> c_int,
    ) -> c_int;
    fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> c_int;
}

/// libFuzzer's own `main`, here because the linker would find another one in LLVM's libraries first.
#[unsafe(no_mangle)]
extern "C" fn main(mut count: c_int, mut words: *mut *mut c_char) -> c_int {
    // SAFETY: the arguments of `main`, and the function that libFuzzer expects.
    unsafe { LLVMFuzzerRunDriver(&mut count, &mut words, LLVMFuzzerTestOneInput) }
}

/// To tell whose crash it is: with this variable MLIR reads the input, and nobody else.
static MLIR_ALONE: LazyLock<bool> = LazyLock::new(|| std::env::var_os("MLIR_ALONE").is_some());

fuzz_target!(|data: &[u8]| {
    if *MLIR_ALONE {
        fuzzing::parse(data);
    } else if let Err(why) = fuzzing::check(data) {
        panic!("{why}");
    }
});

// Changed bytes rarely get past MLIR's parser, which reports no coverage; changed words often do.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match mutate_words(&data[..size], seed) {
        Some(changed) if changed.len() <= max_size && seed % 4 != 0 => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
});
