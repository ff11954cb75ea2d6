//! Evaluators: a model at one of its line sizes, and the parameters that need a size.

use std::cmp::Ordering;
use std::ffi::c_char;

use ::symloc_model::{LineChoice, Model, NamedSizes, RequestError};
use symloc_evaluate::EvalError;

use crate::border;
use crate::error::symloc_error;
use crate::model::symloc_model;
use crate::names::Names;
use crate::owned;
use crate::prepared::Prepared;
use crate::status::{Answer, Failure, SYMLOC_ERROR_PARAMETER, symloc_status};

/// A model at one of its line sizes, prepared for queries. Free it with `symloc_evaluator_free`.
pub struct symloc_evaluator {
    pub(crate) prepared: Prepared,
    line: LineSize,
    /// The positions in the model of the parameters that need a size. `names` holds their names.
    needed: Vec<usize>,
    names: Names,
}

/// A size with the name of its parameter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct symloc_size {
    /// The name of a parameter in the model or in the source; UTF-8.
    pub name: *const c_char,
    /// Its value.
    pub value: i64,
}

/// The line size of an evaluator.
#[derive(Clone, Copy)]
enum LineSize {
    /// A fixed number of bytes; `None` for one element if arrays have elements of different sizes.
    Fixed(Option<u64>),
    /// A parameter, given with the sizes.
    Free,
    /// A parameter that was chosen when the evaluator was made.
    Chosen { parameter: usize, elements: i64, bytes: u64 },
}

impl LineSize {
    fn of(model: &Model, choice: LineChoice) -> Result<Self, EvalError> {
        let line = model.line(choice)?;
        match (line.symbolic, choice) {
            (None, _) => Ok(LineSize::Fixed(line.line_bytes)),
            (Some(_), LineChoice::Only) => Ok(LineSize::Free),
            (Some(symbolic), LineChoice::Bytes(bytes)) => {
                let element_bytes = symbolic.element_bytes;
                let whole = (bytes % element_bytes == 0).then_some(bytes / element_bytes);
                let elements = whole.and_then(|elements| i64::try_from(elements).ok());
                let elements = elements.ok_or(EvalError::LineBytes { bytes, element_bytes })?;
                Ok(LineSize::Chosen { parameter: symbolic.parameter, elements, bytes })
            }
        }
    }
}

impl symloc_evaluator {
    fn new(symloc_model { model, .. }: &symloc_model, line_bytes: u64, max_points: u64) -> Answer<Self> {
        let choice = if line_bytes == 0 { LineChoice::Only } else { LineChoice::Bytes(line_bytes) };
        let prepared = Prepared::new(model, choice, (max_points > 0).then_some(max_points))?;
        let line = LineSize::of(model, choice)?;
        let chosen = |index: &usize| matches!(line, LineSize::Chosen { parameter, .. } if parameter == *index);
        let needed: Vec<usize> = (0..model.parameters.len()).filter(|index| !chosen(index)).collect();
        let names = Names::new(needed.iter().map(|index| &model.parameters[*index]))?;
        Ok(Self { prepared, line, needed, names })
    }

    /// Returns the number of sizes that a query needs.
    pub(crate) fn needed(&self) -> usize {
        self.needed.len()
    }

    /// Checks the number of sizes before they are read.
    pub(crate) fn check_count(&self, given: usize) -> Answer<()> {
        match given.cmp(&self.needed()) {
            Ordering::Equal => Ok(()),
            Ordering::Less => Err(self.missing(given)),
            Ordering::Greater => Err(Failure::argument(format!("{given} sizes for {}", self.parameters_are()))),
        }
    }

    /// Returns the error of the command line for parameters without a value: all after the first `given`.
    fn missing(&self, given: usize) -> Failure {
        let model = self.prepared.model();
        let names = self.needed.iter().skip(given).map(|index| model.parameters[*index].clone()).collect();
        RequestError::Missing { names }.into()
    }

    fn parameters_are(&self) -> String {
        match self.needed() {
            0 => "a model that needs none".to_owned(),
            1 => format!("one parameter ({})", self.names.text()),
            several => format!("{several} parameters ({})", self.names.text()),
        }
    }

    /// Returns the sizes of a query, given one value for each parameter that needs one.
    pub(crate) fn sizes(&self, values: &[i64]) -> NamedSizes {
        let parameters = &self.prepared.model().parameters;
        self.needed.iter().zip(values).map(|(index, value)| (parameters[*index].clone(), *value)).collect()
    }

    /// Returns the values of named sizes, in the order of the parameters that need one.
    fn arrange(&self, named: &[(String, i64)]) -> Answer<Vec<i64>> {
        let mut sizes = NamedSizes::new();
        for (name, value) in named {
            if let Some(earlier) = sizes.insert(name, *value) {
                let message = format!("{name} is defined twice, as {earlier} and as {value}");
                return Err(Failure::new(SYMLOC_ERROR_PARAMETER, message));
            }
        }
        self.choose_line(&mut sizes)?;
        let point = sizes.point(self.prepared.model())?;
        // Sizes have 64 bits; only line counts can have more, and they are not needed.
        Ok(self.needed.iter().filter_map(|index| i64::try_from(point[*index]).ok()).collect())
    }

    /// Adds the line size that was chosen to the sizes; refuses a different one.
    fn choose_line(&self, sizes: &mut NamedSizes) -> Result<(), EvalError> {
        let LineSize::Chosen { parameter, elements, bytes } = self.line else { return Ok(()) };
        let name = &self.prepared.model().parameters[parameter];
        match sizes.insert(name, elements) {
            Some(defined) if defined != elements => {
                Err(EvalError::TwoLines { bytes, elements, defined: format!("{name} = {defined}") })
            }
            _ => Ok(()),
        }
    }

    fn line_bytes(&self) -> u64 {
        match self.line {
            LineSize::Fixed(bytes) => bytes.unwrap_or(0),
            LineSize::Free => 0,
            LineSize::Chosen { bytes, .. } => bytes,
        }
    }
}

/// Prepares a model for queries with lines of `line_bytes` bytes. 0 stands for the only line size that the model holds;
/// if that is any size (`SYMLOC_LINE_ANY`), the number of elements in a line is one more parameter, given with the
/// sizes. An evaluation visits at most `max_points` points of free iterators; 0 stands for the limit of the command
/// line, 20000000.
///
/// Returns NULL with `SYMLOC_ERROR_LINE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_new(
    model: *const symloc_model,
    line_bytes: u64,
    max_points: u64,
    error: *mut *mut symloc_error,
) -> *mut symloc_evaluator {
    let work = || {
        // SAFETY: the caller gives a model that is not freed.
        let model = unsafe { border::borrow(model, "model")? };
        symloc_evaluator::new(model, line_bytes, max_points)
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::object(error, work) }
}

/// Returns the number of sizes that a query needs: one for each parameter of the model except the line size, if that
/// was chosen. 0 for no evaluator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_parameter_count(evaluator: *const symloc_evaluator) -> usize {
    // SAFETY: the caller gives NULL or an evaluator that is not freed.
    unsafe { evaluator.as_ref() }.map_or(0, symloc_evaluator::needed)
}

/// Returns the name of the parameter for the size with this index; NULL if there is none. It stays valid until the
/// evaluator is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_parameter(evaluator: *const symloc_evaluator, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { evaluator.as_ref() }.map_or(std::ptr::null(), |evaluator| evaluator.names.get(index))
}

/// Returns the bytes per line: the size of a cache in bytes divided by it is its number of lines. Returns 0 if it is
/// not known: with one element per line if arrays have elements of different sizes, if the line size is given with the
/// sizes (see `symloc_prediction_line_bytes`), or for no evaluator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_line_bytes(evaluator: *const symloc_evaluator) -> u64 {
    // SAFETY: as above.
    unsafe { evaluator.as_ref() }.map_or(0, symloc_evaluator::line_bytes)
}

/// Returns true if the model holds reuse distances for this line size. `SYMLOC_LRU` and `SYMLOC_DISTANCES` need them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_has_distances(evaluator: *const symloc_evaluator) -> bool {
    // SAFETY: as above.
    unsafe { evaluator.as_ref() }.is_some_and(|evaluator| evaluator.prepared.evaluator().has_distances())
}

/// Writes `named_count` sizes with their names to `sizes`, in the order of the parameters, as all other functions take
/// them. `parameter_count`, the room in `sizes`, has to be `symloc_evaluator_parameter_count(evaluator)`. As on the
/// command line, a parameter may have its name in the source, and parameters that make no difference may be given too.
///
/// Fails with `SYMLOC_ERROR_PARAMETER` if a name is missing, unknown or given twice, and with `SYMLOC_ERROR_LINE` if a
/// line size is given that is not the chosen one. After an error no size is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_sizes(
    evaluator: *const symloc_evaluator,
    named: *const symloc_size,
    named_count: usize,
    sizes: *mut i64,
    parameter_count: usize,
    error: *mut *mut symloc_error,
) -> symloc_status {
    let work = || {
        // SAFETY: the caller gives an evaluator that is not freed.
        let evaluator = unsafe { border::borrow(evaluator, "evaluator")? };
        if parameter_count != evaluator.needed() {
            let message = format!("room for {parameter_count} sizes of {}", evaluator.parameters_are());
            return Err(Failure::argument(message));
        }
        // SAFETY: the caller gives an array of named sizes, and room for the values.
        let (named, room) =
            unsafe { (names(named, named_count)?, border::Room::new(sizes, parameter_count, "sizes")?) };
        let values = evaluator.arrange(&named)?;
        values.into_iter().enumerate().for_each(|(index, value)| room.write(index, value));
        Ok(())
    };
    // SAFETY: the caller gives NULL or room for an error.
    unsafe { border::status(error, work) }
}

/// Copies sizes with their names.
///
/// # Safety
///
/// `named` is NULL or points to `count` sizes, whose names are NULL or texts.
unsafe fn names(named: *const symloc_size, count: usize) -> Answer<Vec<(String, i64)>> {
    // SAFETY: as the caller promises.
    let named = unsafe { border::array(named, count, "named")? };
    let owned = |(index, size): (usize, &symloc_size)| {
        let called = format!("named[{index}].name");
        // SAFETY: as the caller promises.
        let name = unsafe { border::c_str(size.name, &called)? };
        let name = name.to_str().map_err(|_| Failure::argument(format!("`{called}` is not UTF-8")))?;
        Ok((name.to_owned(), size.value))
    };
    named.iter().enumerate().map(owned).collect()
}

/// Frees an evaluator; ignores NULL. Its predictions and histograms stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_free(evaluator: *mut symloc_evaluator) {
    // SAFETY: the caller gives NULL or an evaluator of this library, and does not use it again.
    unsafe { owned::free(evaluator) }
}
