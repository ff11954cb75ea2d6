//! Evaluators: a model at one of its line sizes, and the sizes that it is asked about.

use std::cmp::Ordering;
use std::ffi::c_char;

use ::symloc_model::{LineChoice, Model, RequestError, Sizes};
use symloc_evaluate::EvalError;

use crate::border;
use crate::error::symloc_error;
use crate::model::symloc_model;
use crate::names::Names;
use crate::owned;
use crate::prepared::Prepared;
use crate::status::{Answer, Failure, SYMLOC_ERROR_PARAMETER, symloc_status};

/// A model at one of its line sizes, prepared for questions. Free it with `symloc_evaluator_free`.
pub struct symloc_evaluator {
    pub(crate) prepared: Prepared,
    line: Line,
    /// The parameters that need a size, by their positions in the model, and their names.
    needed: Vec<usize>,
    names: Names,
}

/// A size by name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct symloc_size {
    /// The name of a parameter, or what the source calls it; UTF-8.
    pub name: *const c_char,
    /// Its value.
    pub value: i64,
}

/// What a line is.
#[derive(Clone, Copy)]
enum Line {
    /// So many bytes, or one element.
    Fixed(Option<u64>),
    /// What the sizes say.
    Free,
    /// One that could be anything, and was chosen.
    Chosen { parameter: usize, elements: i64, bytes: u64 },
}

impl Line {
    fn of(model: &Model, choice: LineChoice) -> Result<Self, EvalError> {
        let line = model.line(choice)?;
        match (line.symbolic, choice) {
            (None, _) => Ok(Line::Fixed(line.line_bytes)),
            (Some(_), LineChoice::Only) => Ok(Line::Free),
            (Some(symbolic), LineChoice::Bytes(bytes)) => {
                let element_bytes = symbolic.element_bytes;
                let whole = (bytes % element_bytes == 0).then_some(bytes / element_bytes);
                let elements = whole.and_then(|elements| i64::try_from(elements).ok());
                let elements = elements.ok_or(EvalError::LineBytes { bytes, element_bytes })?;
                Ok(Line::Chosen { parameter: symbolic.parameter, elements, bytes })
            }
        }
    }
}

impl symloc_evaluator {
    fn new(symloc_model { model, .. }: &symloc_model, line_bytes: u64, max_points: u64) -> Answer<Self> {
        let choice = if line_bytes == 0 { LineChoice::Only } else { LineChoice::Bytes(line_bytes) };
        let prepared = Prepared::new(model, choice, (max_points > 0).then_some(max_points))?;
        let line = Line::of(model, choice)?;
        let chosen = |index: &usize| matches!(line, Line::Chosen { parameter, .. } if parameter == *index);
        let needed: Vec<usize> = (0..model.parameters.len()).filter(|index| !chosen(index)).collect();
        let names = Names::new(needed.iter().map(|index| &model.parameters[*index]))?;
        Ok(Self { prepared, line, needed, names })
    }

    /// How many sizes a question has.
    pub(crate) fn needed(&self) -> usize {
        self.needed.len()
    }

    /// Refuses another number of sizes, before they are read.
    pub(crate) fn check_count(&self, given: usize) -> Answer<()> {
        match given.cmp(&self.needed()) {
            Ordering::Equal => Ok(()),
            Ordering::Less => Err(self.missing(given)),
            Ordering::Greater => Err(Failure::argument(format!("{given} sizes for {}", self.parameters_are()))),
        }
    }

    /// What the command line says where the last parameters have no value.
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

    /// The sizes of a question, from as many values as are needed.
    pub(crate) fn sizes(&self, values: &[i64]) -> Sizes {
        let parameters = &self.prepared.model().parameters;
        self.needed.iter().zip(values).map(|(index, value)| (parameters[*index].clone(), *value)).collect()
    }

    /// The values of named sizes, in the order of the parameters that need one.
    fn arrange(&self, named: &[(String, i64)]) -> Answer<Vec<i64>> {
        let mut sizes = Sizes::new();
        for (name, value) in named {
            if let Some(earlier) = sizes.insert(name, *value) {
                let message = format!("{name} is defined twice, as {earlier} and as {value}");
                return Err(Failure::new(SYMLOC_ERROR_PARAMETER, message));
            }
        }
        self.choose_line(&mut sizes)?;
        let point = sizes.point(self.prepared.model())?;
        // Sizes have 64 bits; what has more are line counts, which are not needed.
        Ok(self.needed.iter().filter_map(|index| i64::try_from(point[*index]).ok()).collect())
    }

    /// Gives the line size that was chosen its value; another one is refused.
    fn choose_line(&self, sizes: &mut Sizes) -> Result<(), EvalError> {
        let Line::Chosen { parameter, elements, bytes } = self.line else { return Ok(()) };
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
            Line::Fixed(bytes) => bytes.unwrap_or(0),
            Line::Free => 0,
            Line::Chosen { bytes, .. } => bytes,
        }
    }
}

/// Prepares a model for questions with lines of `line_bytes` bytes. With 0 it is the only line size that the model holds;
/// if that is any size (`SYMLOC_LINE_ANY`), it is one more parameter, the elements in a line, and has a value at each size.
/// An evaluation visits at most `max_points` points of free iterators; 0 stands for the limit of the command line,
/// 20000000.
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

/// How many sizes a question has: one for each parameter of the model, but for the line size if it has been chosen. 0 for
/// no evaluator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_parameter_count(evaluator: *const symloc_evaluator) -> usize {
    // SAFETY: the caller gives NULL or an evaluator that is not freed.
    unsafe { evaluator.as_ref() }.map_or(0, symloc_evaluator::needed)
}

/// The name of the parameter that the size of this index is for; NULL if there is none. It stays valid until the evaluator
/// is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_parameter(evaluator: *const symloc_evaluator, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { evaluator.as_ref() }.map_or(std::ptr::null(), |evaluator| evaluator.names.get(index))
}

/// Bytes per line, by which the size of a cache in bytes is divided to have its lines. 0 if nobody knows: arrays of
/// elements of different sizes with one element per line, a line size that comes with the sizes
/// (`symloc_prediction_line_bytes`), or no evaluator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_line_bytes(evaluator: *const symloc_evaluator) -> u64 {
    // SAFETY: as above.
    unsafe { evaluator.as_ref() }.map_or(0, symloc_evaluator::line_bytes)
}

/// Does the model hold reuse distances for this line size? They are what `SYMLOC_LRU` and `SYMLOC_DISTANCES` need.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_has_distances(evaluator: *const symloc_evaluator) -> bool {
    // SAFETY: as above.
    unsafe { evaluator.as_ref() }.is_some_and(|evaluator| evaluator.prepared.evaluator().has_distances())
}

/// Sizes by name: brings `named_count` of them into the order of the parameters, as all other functions take them, and
/// writes them to `sizes`. `parameter_count` says how many there is room for:
/// `symloc_evaluator_parameter_count(evaluator)`. As on the command line, a size may have the name that the source has for
/// it, and one that makes no difference may be given.
///
/// Fails with `SYMLOC_ERROR_PARAMETER` if a name is missing, unknown or given twice, with `SYMLOC_ERROR_LINE` if a line size
/// is given that is not the chosen one. Then nothing is written.
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
        // SAFETY: the caller gives an array of sizes with their names, and room for the values.
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
/// `named` is NULL or points to so many of them, whose names are NULL or texts.
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

/// Frees an evaluator; NULL is left alone. Predictions and histograms that were made with it may be used further.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn symloc_evaluator_free(evaluator: *mut symloc_evaluator) {
    // SAFETY: the caller gives NULL or an evaluator of this library, for the last time.
    unsafe { owned::free(evaluator) }
}
