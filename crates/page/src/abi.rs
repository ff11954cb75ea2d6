//! The functions that the page calls: it writes a question into memory of this module, and reads the answer from there.
//!
//! ```text
//! place = allocate(bytes); write the question there; answer = ask(place, bytes); read answer_bytes() from answer
//! ```
//!
//! The answer stays in place until the next question. There is one page, one thread, one session.

#![allow(unsafe_code, reason = "memory is shared with the page, which knows addresses only")]

use std::cell::RefCell;

use crate::Session;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Allocates memory for a question of `bytes` bytes, which [`ask`] frees.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn allocate(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; bytes].into_boxed_slice()).cast()
}

/// Answers the question of `bytes` bytes in memory from [`allocate`], and frees that memory.
///
/// # Safety
///
/// The memory must be from `allocate` with as many bytes, and must not have been passed before.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ask(question: *mut u8, bytes: usize) -> *const u8 {
    // SAFETY: see above.
    let question = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(question, bytes)) };
    let answer = SESSION.with_borrow_mut(|session| session.ask(&String::from_utf8_lossy(&question)));
    ANSWER.replace(answer);
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Returns the number of bytes of the last answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer_bytes() -> usize {
    ANSWER.with_borrow(String::len)
}
