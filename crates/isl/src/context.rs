//! The context: isl's state, the lock and the operation limit.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_ulong};
use std::fmt;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use barvinok_sys::{self as sys, Barvinok, ISL_ON_ERROR_CONTINUE, Isl, Libraries, isl_ctx, isl_set};

use crate::counting::{Counting, RandomNumbers};
use crate::error::Error;

/// Barvinok keeps global state and draws random numbers, so one context at a time may live in the process.
static TURN: Mutex<()> = Mutex::new(());

thread_local! {
    /// True if this thread holds `TURN`. Locking it again would wait forever.
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
}

/// An isl context: every object is made from one and keeps it alive.
///
/// Cloning is cheap and gives the same context.
#[derive(Clone)]
pub struct Context(Rc<Inner>);

struct Inner {
    raw: NonNull<isl_ctx>,
    api: &'static Isl,
    max_operations: Cell<u64>,
    /// The sets that texts were parsed to, which are ours. As plain pointers, since a [`Set`](crate::Set) would keep
    /// this alive.
    parsed: RefCell<HashMap<String, NonNull<isl_set>>>,
    own: Option<Own>,
}

/// The fields of a context that does not belong to a counter.
struct Own {
    counter: BarvinokCounter,
    _random: RandomNumbers,
    // After the context and the counter's are freed, the next thread may go on.
    _turn: Turn,
}

/// Barvinok, and a context of its isl. What it does is in [`counter`](crate::counter).
pub(crate) struct BarvinokCounter {
    pub(crate) barvinok: &'static Barvinok,
    pub(crate) context: Context,
}

impl BarvinokCounter {
    fn new(libraries: &'static sys::Counting, counting: Counting) -> Result<BarvinokCounter, Error> {
        // SAFETY: the context is new, or NULL.
        let context = unsafe { Context::of_counter(counting.context(libraries), &libraries.isl) }?;
        Ok(BarvinokCounter { barvinok: &libraries.barvinok, context })
    }
}

/// The lock of the process.
struct Turn {
    _lock: MutexGuard<'static, ()>,
}

impl Turn {
    fn take() -> Result<Turn, Error> {
        if ACTIVE.get() {
            return Err(Error::Busy);
        }
        // A thread that panicked has dropped its objects while unwinding; nothing it left behind can be seen.
        let _lock = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        ACTIVE.set(true);
        Ok(Turn { _lock })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        ACTIVE.set(false);
    }
}

impl Context {
    /// Returns a fresh context, without an operation limit.
    ///
    /// Waits until no other thread has one.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] if the libraries cannot be loaded, [`Error::Busy`] if this thread has a context.
    pub fn new() -> Result<Context, Error> {
        Self::with_counting(Counting::Exact)
    }

    /// Returns a fresh context in which counts are exact or approximate; otherwise like [`Context::new`].
    ///
    /// # Errors
    ///
    /// As for [`Context::new`].
    pub fn with_counting(counting: Counting) -> Result<Context, Error> {
        let Libraries { isl, counting: libraries } = Libraries::global()?;
        let turn = Turn::take()?;
        let _random = RandomNumbers::start();
        let own = Own { counter: BarvinokCounter::new(libraries, counting)?, _random, _turn: turn };
        // SAFETY: isl_ctx_alloc takes nothing.
        unsafe { Self::adopt((isl.isl_ctx_alloc)(), isl, Some(own)) }
    }

    /// Returns the context of a counter, which can do all but count.
    ///
    /// # Safety
    ///
    /// `raw` is NULL or a context of `api` that the caller owns, and the caller holds the turn as long as there is
    /// anything of it.
    unsafe fn of_counter(raw: *mut isl_ctx, api: &'static Isl) -> Result<Context, Error> {
        // SAFETY: as the caller promises.
        unsafe { Self::adopt(raw, api, None) }
    }

    /// # Safety
    ///
    /// `raw` is NULL or a context of `api` that the caller owns.
    unsafe fn adopt(raw: *mut isl_ctx, api: &'static Isl, own: Option<Own>) -> Result<Context, Error> {
        let Some(raw) = NonNull::new(raw) else {
            let message = "no memory for a context".to_owned();
            return Err(Error::from_isl("isl_ctx_alloc", barvinok_sys::ISL_ERROR_ALLOC, message));
        };
        // SAFETY: `raw` is the live context.
        unsafe { (api.isl_options_set_on_error)(raw.as_ptr(), ISL_ON_ERROR_CONTINUE) };
        let (max_operations, parsed) = (Cell::new(0), RefCell::default());
        Ok(Context(Rc::new(Inner { raw, api, max_operations, parsed, own })))
    }

    /// Makes every operation fail with [`Error::Limit`] once isl has done `max` elementary steps; 0 means no limit.
    ///
    /// The steps count from the last [`reset_operations`](Self::reset_operations). How long one takes depends on the
    /// problem; a million is of the order of a second.
    ///
    /// Parsing, counts and sums are exempt, because they cannot cope with a refusal.
    pub fn set_max_operations(&self, max: u64) {
        self.0.max_operations.set(max);
        self.apply_limit(self.0.max_operations.get());
    }

    /// Returns the limit that is set; 0 means none.
    pub fn max_operations(&self) -> u64 {
        self.0.max_operations.get()
    }

    fn apply_limit(&self, max: u64) {
        let max = c_ulong::try_from(max).unwrap_or(c_ulong::MAX);
        // SAFETY: the context is live.
        unsafe { (self.api().isl_ctx_set_max_operations)(self.raw(), max) }
    }

    /// Runs what cannot cope with the operation limit, which the parser calls a syntax error.
    pub(crate) fn without_limit<T>(&self, run: impl FnOnce() -> T) -> T {
        self.apply_limit(0);
        let result = run();
        self.apply_limit(self.0.max_operations.get());
        result
    }

    /// Starts counting steps from zero again.
    pub fn reset_operations(&self) {
        // SAFETY: the context is live.
        unsafe { (self.api().isl_ctx_reset_operations)(self.raw()) }
    }

    /// Returns the set that a text was parsed to before; it stays ours.
    pub(crate) fn parsed(&self, text: &str) -> Option<NonNull<isl_set>> {
        self.0.parsed.borrow().get(text).copied()
    }

    /// Keeps what a text was parsed to that is not kept.
    ///
    /// # Safety
    ///
    /// `raw` is NULL or a set of this context that the caller owns, and no longer does afterwards.
    pub(crate) unsafe fn remember(&self, text: &str, raw: *mut isl_set) {
        let Some(set) = NonNull::new(raw) else { return };
        if self.0.parsed.borrow().len() >= MOST_PARSED {
            self.0.forget();
        }
        let earlier = self.0.parsed.borrow_mut().insert(text.to_owned(), set);
        debug_assert!(earlier.is_none(), "parsed twice: {text}");
    }

    /// Returns the version of isl that was loaded, such as `isl-0.27-GMP`.
    pub fn version(&self) -> String {
        self.api().version()
    }

    pub(crate) fn api(&self) -> &'static Isl {
        self.0.api
    }

    pub(crate) fn counter(&self) -> Result<&BarvinokCounter, Error> {
        let own = self.0.own.as_ref().map(|own| &own.counter);
        own.ok_or_else(|| {
            let message = "a counter's context counts by itself".to_owned();
            Error::from_isl("card", barvinok_sys::ISL_ERROR_INTERNAL, message)
        })
    }

    pub(crate) fn raw(&self) -> *mut isl_ctx {
        self.0.raw.as_ptr()
    }

    /// Returns the error of `operation`, which has just failed, and resets isl's error, so that no later failure
    /// repeats it.
    pub(crate) fn error(&self, operation: &'static str) -> Error {
        let api = self.api();
        // SAFETY: the context is live.
        let (class, message) =
            unsafe { ((api.isl_ctx_last_error)(self.raw()), (api.isl_ctx_last_error_msg)(self.raw())) };
        // SAFETY: the message is NULL or a string constant of isl.
        let message = unsafe { borrowed_text(message) }.unwrap_or_else(|| "no reason given".to_owned());
        // SAFETY: the context is live.
        unsafe { (api.isl_ctx_reset_error)(self.raw()) };
        Error::from_isl(operation, class, message)
    }

    /// Fails if isl noted an error since the last call, even though `operation` returned something.
    ///
    /// Some functions of isl take a failure inside (an operation limit above all) for an answer, and go on to a wrong
    /// result. The note is the only trace that it leaves.
    pub(crate) fn check(&self, operation: &'static str) -> Result<(), Error> {
        // SAFETY: the context is live.
        let class = unsafe { (self.api().isl_ctx_last_error)(self.raw()) };
        if class == barvinok_sys::ISL_ERROR_NONE { Ok(()) } else { Err(self.error(operation)) }
    }

    /// Takes over a string that isl allocated for `operation`.
    ///
    /// # Safety
    ///
    /// `raw` is NULL or a string that the caller owns.
    pub(crate) unsafe fn owned_text(&self, operation: &'static str, raw: *mut c_char) -> Result<String, Error> {
        // SAFETY: as the caller promises.
        let text = unsafe { borrowed_text(raw) }.ok_or_else(|| self.error(operation));
        // SAFETY: the caller owns the string, and free accepts NULL.
        unsafe { (self.api().free)(raw.cast()) };
        text
    }
}

/// Returns a copy of a C string, `None` for NULL.
///
/// # Safety
///
/// `raw` is NULL or a C string.
pub(crate) unsafe fn borrowed_text(raw: *const c_char) -> Option<String> {
    // SAFETY: as the caller promises.
    (!raw.is_null()).then(|| unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned())
}

/// Converts a text to one of C.
pub(crate) fn c_text(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error::Nul { text: text.to_owned() })
}

/// More texts than these are not remembered at a time.
const MOST_PARSED: usize = 1 << 12;

impl Inner {
    /// Frees the sets that are kept.
    fn forget(&self) {
        for (_, set) in self.parsed.borrow_mut().drain() {
            // SAFETY: the set is ours, and nothing points to it any more.
            unsafe { (self.api.isl_set_free)(set.as_ptr()) };
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.forget();
        // SAFETY: this is the last handle: every object holds one, so no object is left.
        unsafe { (self.api.isl_ctx_free)(self.raw.as_ptr()) };
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.version()).finish()
    }
}
