//! MLIR's diagnostics, collected instead of printed.

use std::cell::RefCell;
use std::ffi::c_void;
use std::rc::Rc;

use melior::Context;
use melior::ir::Location;
use mlir_sys::{
    MlirDiagnostic, MlirDiagnosticSeverity_MlirDiagnosticError, MlirLogicalResult, MlirStringRef,
    mlirContextAttachDiagnosticHandler, mlirDiagnosticGetLocation, mlirDiagnosticGetNote, mlirDiagnosticGetNumNotes,
    mlirDiagnosticGetSeverity, mlirDiagnosticPrint,
};

use super::bytes;
use super::locations::{Position, position};

/// One of MLIR's own diagnostics.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) is_error: bool,
    pub(crate) position: Option<Position>,
    pub(crate) text: String,
    pub(crate) notes: Vec<Message>,
}

/// The diagnostics that a context has emitted so far.
pub(crate) type Messages = Rc<RefCell<Vec<Message>>>;

/// Collects the diagnostics of a context instead of printing them.
///
/// The context must be single-threaded, because the collection is not synchronised.
pub(crate) fn collect_messages(context: &Context) -> Messages {
    unsafe extern "C" fn handle(raw: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
        // SAFETY: `data` is the `Messages` boxed below; MLIR frees it only after the last diagnostic.
        let messages = unsafe { &*data.cast::<Messages>() };
        messages.borrow_mut().push(message(raw));
        MlirLogicalResult { value: 1 }
    }
    unsafe extern "C" fn free(data: *mut c_void) {
        // SAFETY: `data` is the `Messages` boxed below, freed exactly once, by the context.
        drop(unsafe { Box::from_raw(data.cast::<Messages>()) });
    }
    let messages = Messages::default();
    let data = Box::into_raw(Box::new(Rc::clone(&messages))).cast::<c_void>();
    // SAFETY: both callbacks take the boxed `Messages` that `data` points to.
    unsafe { mlirContextAttachDiagnosticHandler(context.to_raw(), Some(handle), data, Some(free)) };
    messages
}

fn message(raw: MlirDiagnostic) -> Message {
    unsafe extern "C" fn append(piece: MlirStringRef, data: *mut c_void) {
        // SAFETY: `data` is the `Vec` that lives in the frame of `message`, and nothing else uses it meanwhile.
        unsafe { &mut *data.cast::<Vec<u8>>() }.extend_from_slice(bytes(&piece));
    }
    let mut text = Vec::<u8>::new();
    // SAFETY: a diagnostic is valid while its handler runs, and so are its notes; positions are copied.
    unsafe {
        mlirDiagnosticPrint(raw, Some(append), (&raw mut text).cast::<c_void>());
        Message {
            is_error: mlirDiagnosticGetSeverity(raw) == MlirDiagnosticSeverity_MlirDiagnosticError,
            position: position(Location::from_raw(mlirDiagnosticGetLocation(raw))),
            text: String::from_utf8_lossy(&text).into_owned(),
            notes: (0..mlirDiagnosticGetNumNotes(raw)).map(|i| message(mlirDiagnosticGetNote(raw, i))).collect(),
        }
    }
}
