//! Barvinok's ways of counting, and a context of its isl that counts.

use std::ffi::{CStr, c_int};

use barvinok_sys::{self as sys, isl_ctx};

/// Barvinok's ways of counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// The number of elements.
    #[default]
    Exact,
    /// A polynomial near it, where the number itself is no polynomial: Barvinok's `--approximation-method=scale`.
    Scale,
}

impl Counting {
    /// Returns a fresh context of Barvinok's isl, or NULL.
    pub(crate) fn context(self, libraries: &sys::Counting) -> *mut isl_ctx {
        match self {
            // SAFETY: isl_ctx_alloc takes nothing.
            Counting::Exact => unsafe { (libraries.isl.isl_ctx_alloc)() },
            Counting::Scale => with_options(libraries, [c"symloc", c"--approximation-method=scale"]),
        }
    }
}

/// Returns a context with options of Barvinok as on its command line, which begins with the program's name. A wrong one would
/// end the process, so they are constants.
fn with_options<const N: usize>(libraries: &sys::Counting, line: [&'static CStr; N]) -> *mut isl_ctx {
    let mut words = line.map(|word| word.as_ptr().cast_mut());
    let sys::Counting { isl, barvinok } = libraries;
    // SAFETY: the words are C strings that outlive the context, and none is written to; the context owns the options.
    unsafe {
        let options = (barvinok.barvinok_options_new_with_defaults)();
        if options.is_null() {
            return std::ptr::null_mut();
        }
        (barvinok.barvinok_options_parse)(options, N as c_int, words.as_mut_ptr(), 0);
        (isl.isl_ctx_alloc_with_options)(barvinok.barvinok_options_args.0, options.cast())
    }
}
