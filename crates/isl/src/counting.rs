//! Barvinok's ways of counting, a context of its isl that counts, and the random numbers that it draws.

use std::ffi::{CStr, c_char, c_int, c_uint};

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

// Of the C library; POSIX has them.
#[cfg(unix)]
unsafe extern "C" {
    fn initstate(seed: c_uint, state: *mut c_char, size: usize) -> *mut c_char;
    fn setstate(state: *mut c_char) -> *mut c_char;
}

/// The seed and the bytes of the state with which a program begins.
const SEED: c_uint = 1;
const STATE_BYTES: usize = 128;

/// A state of the C library's random numbers as at the start of a program. Until it is dropped it takes the place of the
/// one before, which then goes on as if nothing had been drawn.
///
/// Barvinok chooses directions by `rand`, and which one it takes changes the form of a count. With a state of its own for each
/// context, a count does not depend on what the process has counted or drawn before.
pub(crate) struct RandomNumbers {
    /// Holds 32-bit numbers, so it is aligned to them.
    _state: Box<[u32; STATE_BYTES / size_of::<u32>()]>,
    #[cfg(unix)]
    before: *mut c_char,
}

impl RandomNumbers {
    /// Puts a fresh state in place.
    ///
    /// Only the thread whose turn it is may do so, so that states are put back in order.
    pub(crate) fn start() -> Self {
        let mut state = Box::new([0; STATE_BYTES / size_of::<u32>()]);
        #[cfg(unix)]
        // SAFETY: the state has so many bytes and lives in the box, from which nothing moves it, until it is replaced.
        let before = unsafe { initstate(SEED, (&raw mut *state).cast(), STATE_BYTES) };
        Self {
            _state: state,
            #[cfg(unix)]
            before,
        }
    }
}

impl Drop for RandomNumbers {
    fn drop(&mut self) {
        #[cfg(unix)]
        if !self.before.is_null() {
            // SAFETY: the state before is that of the program, or one that lives longer than this.
            unsafe { setstate(self.before) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    unsafe extern "C" {
        fn rand() -> c_int;
    }

    fn drawn() -> [c_int; 3] {
        // SAFETY: it takes nothing.
        [(); 3].map(|()| unsafe { rand() })
    }

    #[test]
    fn each_context_draws_the_same_and_leaves_what_was_before() {
        // While it lives, no other thread of this test has a context.
        let context = Context::new().unwrap();
        let first = drawn();
        let inner = RandomNumbers::start();
        assert_eq!(drawn(), first);
        drop(inner);
        let second = drawn();
        drop(context);
        let _context = Context::new().unwrap();
        assert_eq!((drawn(), drawn()), (first, second));
        assert_ne!(first, second);
    }
}
