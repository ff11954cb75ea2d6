//! Counting, by Barvinok, which has an isl of its own.
//!
//! Objects of one isl mean nothing to another. Sets go over as text, and counts come back as text: few sets are counted, and
//! small ones, while everything else is done about twice as fast by the isl with small integers, which Barvinok cannot use.

use std::ffi::{CStr, c_int};
use std::ptr::NonNull;

use barvinok_sys::{self as sys, ISL_ON_ERROR_CONTINUE, isl_ctx, isl_pw_qpolynomial};

use crate::context::{Context, borrowed_text, c_text, last_error};
use crate::error::Error;
use crate::qpolynomial::PwQPolynomial;
use crate::space::Space;

/// How Barvinok counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// The number of elements.
    #[default]
    Exact,
    /// A polynomial near it, where the number itself is no polynomial: Barvinok's `--approximation-method=scale`.
    Scale,
}

/// What is to be counted, in isl notation.
pub(crate) enum Counted {
    /// The elements of a set, for each value of the parameters.
    Set(String),
    /// The images of a map, for each element of its domain.
    Map(String),
    /// The sum of a function over its domain, for each value of the parameters.
    Sum(String),
}

/// Barvinok with a context of its isl.
pub(crate) struct Counter {
    raw: NonNull<isl_ctx>,
    libraries: &'static sys::Counting,
}

impl Counter {
    pub(crate) fn new(libraries: &'static sys::Counting, counting: Counting) -> Result<Counter, Error> {
        let raw = match counting {
            // SAFETY: isl_ctx_alloc takes nothing.
            Counting::Exact => unsafe { (libraries.isl.isl_ctx_alloc)() },
            Counting::Scale => with_options(libraries, [c"symloc", c"--approximation-method=scale"]),
        };
        let raw = NonNull::new(raw).ok_or_else(Error::no_context)?;
        // SAFETY: `raw` is the live context.
        unsafe { (libraries.isl.isl_options_set_on_error)(raw.as_ptr(), ISL_ON_ERROR_CONTINUE) };
        Ok(Counter { raw, libraries })
    }

    /// The count as a text.
    fn count(&self, counted: &Counted) -> Result<String, Error> {
        let (isl, barvinok, context) = (&self.libraries.isl, &self.libraries.barvinok, self.raw.as_ptr());
        let text = c_text(counted.text())?;
        // SAFETY: the context is live, and the text ends in NUL; what is parsed is taken by what counts, which takes NULL, too.
        let count = unsafe {
            match counted {
                Counted::Set(_) => (barvinok.isl_set_card)((isl.isl_set_read_from_str)(context, text.as_ptr())),
                Counted::Map(_) => (barvinok.isl_map_card)((isl.isl_map_read_from_str)(context, text.as_ptr())),
                Counted::Sum(_) => {
                    let function = (isl.isl_pw_qpolynomial_read_from_str)(context, text.as_ptr());
                    (barvinok.isl_pw_qpolynomial_sum)(function)
                }
            }
        };
        // SAFETY: the count is ours or NULL.
        unsafe { self.printed(counted.operation(), count) }
    }

    /// Prints a count and frees it.
    ///
    /// # Safety
    ///
    /// `count` is NULL or an object of this context that the caller owns.
    unsafe fn printed(&self, operation: &'static str, count: *mut isl_pw_qpolynomial) -> Result<String, Error> {
        let isl = &self.libraries.isl;
        // SAFETY: as the caller promises; printing NULL gives NULL, and freeing it does nothing. The string is ours.
        unsafe {
            let raw = (isl.isl_pw_qpolynomial_to_str)(count);
            (isl.isl_pw_qpolynomial_free)(count);
            let text = borrowed_text(raw);
            (isl.free)(raw.cast());
            text.ok_or_else(|| last_error(isl, self.raw.as_ptr(), operation))
        }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        // SAFETY: the context is ours, and every object of it is gone at the end of `count`.
        unsafe { (self.libraries.isl.isl_ctx_free)(self.raw.as_ptr()) };
    }
}

impl Counted {
    fn text(&self) -> &str {
        match self {
            Counted::Set(text) | Counted::Map(text) | Counted::Sum(text) => text,
        }
    }

    /// The C function that counts.
    fn operation(&self) -> &'static str {
        match self {
            Counted::Set(_) => "isl_set_card",
            Counted::Map(_) => "isl_map_card",
            Counted::Sum(_) => "isl_pw_qpolynomial_sum",
        }
    }
}

impl Context {
    /// Counts with Barvinok; a count that is 0 everywhere is one on `domain`, whose text does not say.
    pub(crate) fn count(
        &self,
        counted: &Counted,
        domain: impl FnOnce() -> Result<Space, Error>,
    ) -> Result<PwQPolynomial, Error> {
        let count = PwQPolynomial::read(self, &self.counter().count(counted)?)?;
        match count.is_zero()? {
            true => PwQPolynomial::zero(&domain()?),
            false => count.finite(counted.operation()),
        }
    }
}

/// A context with options of Barvinok as on its command line, which begins with the program's name. A wrong one would
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
