//! Models: reading them, and their functions, parameters and line sizes.

use std::ffi::{CStr, CString, c_char};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::symloc_model::{LineModel, Model, ModelError};

use crate::border;
use crate::error::symloc_error;
use crate::names::{Names, c_name};
use crate::owned;
use crate::status::{Answer, Failure, symloc_status};

/// A model: the cache locality of one function, for all sizes that it was derived for. Free it with
/// `symloc_model_free`.
pub struct symloc_model {
    pub(crate) model: Arc<Model>,
    function: CString,
    parameters: Names,
}

/// The kind of cache line of a model: one of `SYMLOC_LINE_…`.
pub type symloc_line_kind = u32;

/// A line has `bytes` bytes.
pub const SYMLOC_LINE_BYTES: symloc_line_kind = 0;
/// A line has one element of an array, whatever its size: locality of elements. `bytes` is the size of an element, or 0
/// if the arrays have elements of different sizes.
pub const SYMLOC_LINE_ELEMENT: symloc_line_kind = 1;
/// A line has any number of elements of `bytes` bytes. This number is a parameter: it is chosen by `line_bytes` of
/// `symloc_evaluator_new`, or given with the sizes.
pub const SYMLOC_LINE_ANY: symloc_line_kind = 2;

/// A line size that a model holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct symloc_line {
    /// The kind of line.
    pub kind: symloc_line_kind,
    /// 1 if the model holds reuse distances for this line size, which exact LRU needs; else 0.
    pub has_distances: u32,
    /// The number of bytes that belongs to `kind`.
    pub bytes: u64,
}

impl symloc_model {
    /// Takes a model, as that of the program on one thread.
    ///
    /// # Errors
    ///
    /// If a name in it has a NUL.
    pub fn new(model: Model) -> Answer<Self> {
        let model = model.on_one_thread();
        let (function, parameters) = (c_name(&model.function)?, Names::new(&model.parameters)?);
        Ok(Self { model: Arc::new(model), function, parameters })
    }

    /// Reads a file; `-` is a file name here, not the standard input.
    fn load(path: &Path) -> Answer<Self> {
        let file = if path.as_os_str() == "-" { Path::new(".").join(path) } else { path.to_owned() };
        let model = Model::load(&file).map_err(Failure::from).and_then(Self::new);
        model.map_err(|failure| Failure { message: format!("{}: {}", path.display(), failure.message), ..failure })
    }

    fn parse(text: &[u8]) -> Answer<Self> {
        // The message is the one for a file that is not UTF-8.
        let no_text = || io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
        let text = std::str::from_utf8(text).map_err(|_| ModelError::Io(no_text()))?;
        Self::new(Model::parse(text)?)
    }
}

impl From<&LineModel> for symloc_line {
    fn from(line: &LineModel) -> Self {
        let (kind, bytes) = match line.symbolic {
            Some(symbolic) => (SYMLOC_LINE_ANY, Some(symbolic.element_bytes)),
            None if line.element => (SYMLOC_LINE_ELEMENT, line.line_bytes),
            None => (SYMLOC_LINE_BYTES, line.line_bytes),
        };
        Self { kind, has_distances: line.distances.is_some().into(), bytes: bytes.unwrap_or(0) }
    }
}

/// Returns the path that a text of the caller names.
///
/// # Errors
///
/// On other systems than Unix, if it is not UTF-8.
#[cfg(unix)]
pub fn path(text: &CStr) -> Answer<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(text.to_bytes()).into())
}

/// Returns the path that a text of the caller names.
///
/// # Errors
///
/// If it is not UTF-8.
#[cfg(not(unix))]
pub fn path(text: &CStr) -> Answer<PathBuf> {
    text.to_str().map(PathBuf::from).map_err(|_| Failure::argument("`path` is not UTF-8"))
}

/// Reads a model from a file that `symloc derive FILE -o MODEL` has written. `path` is in the encoding of the system;
/// on Windows it is UTF-8.
///
/// Returns NULL with `SYMLOC_ERROR_IO`, `SYMLOC_ERROR_MODEL` or `SYMLOC_ERROR_NEWER`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_model_load(path: *const c_char, error: *mut *mut symloc_error) -> *mut symloc_model {
    // SAFETY: the caller gives a text, and NULL or room for an error.
    unsafe { border::object(error, || symloc_model::load(&self::path(border::c_str(path, "path")?)?)) }
}

/// Reads a model from the text of its file, `length` bytes of UTF-8, for example a text that is compiled into the
/// program. The text need not end with a NUL and may be freed after the call.
///
/// Returns NULL with `SYMLOC_ERROR_MODEL` or `SYMLOC_ERROR_NEWER`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_model_parse(
    text: *const c_char,
    length: usize,
    error: *mut *mut symloc_error,
) -> *mut symloc_model {
    // SAFETY: the caller gives `length` bytes, and NULL or room for an error.
    unsafe { border::object(error, || symloc_model::parse(&border::array(text.cast::<u8>(), length, "text")?)) }
}

/// Returns the name of the function; NULL for no model. It stays valid until the model is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_model_function(model: *const symloc_model) -> *const c_char {
    // SAFETY: the caller gives NULL or a model that is not freed.
    unsafe { model.as_ref() }.map_or(std::ptr::null(), |model| model.function.as_ptr())
}

/// Returns the number of parameters of the model; 0 for no model. An evaluator may need fewer sizes: see
/// `symloc_evaluator_parameter_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_model_parameter_count(model: *const symloc_model) -> usize {
    // SAFETY: as above.
    unsafe { model.as_ref() }.map_or(0, |model| model.parameters.count())
}

/// Returns the name of a parameter; NULL if there is none with this index. It stays valid until the model is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_model_parameter(model: *const symloc_model, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { model.as_ref() }.map_or(std::ptr::null(), |model| model.parameters.get(index))
}

/// Returns the number of line sizes of the model, at least 1; 0 for no model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_model_line_count(model: *const symloc_model) -> usize {
    // SAFETY: as above.
    unsafe { model.as_ref() }.map_or(0, |model| model.model.lines.len())
}

/// Writes one of the line sizes of a model to `line`. Fails with `SYMLOC_ERROR_ARGUMENT` if there is none with this
/// index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_model_line(
    model: *const symloc_model,
    index: usize,
    line: *mut symloc_line,
    error: *mut *mut symloc_error,
) -> symloc_status {
    let work = || {
        // SAFETY: the caller gives a model that is not freed, and room for a line.
        let (model, room) = unsafe { (border::borrow(model, "model")?, border::Room::new(line, 1, "line")?) };
        let lines = &model.model.lines;
        let missing = || Failure::argument(format!("no line size {index}: the model holds {}", lines.len()));
        room.write(0, lines.get(index).ok_or_else(missing)?.into());
        Ok(())
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::status(error, work) }
}

/// Frees a model; ignores NULL. Evaluators of the model stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_model_free(model: *mut symloc_model) {
    // SAFETY: the caller gives NULL or a model of this library, and does not use it again.
    unsafe { owned::free(model) }
}
