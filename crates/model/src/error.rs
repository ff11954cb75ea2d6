//! Why a model has no value at a size.

use crate::choice::LineChoice;

/// Why a model has no value at a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// A parameter has no value.
    #[error("no value for the parameter{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))]
    Missing {
        /// The parameters without a value.
        names: Vec<String>,
    },
    /// A value for something that is no parameter.
    #[error("`{name}` is not a parameter of this model ({}){}", parameters_are(parameters),
        similar.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Unknown {
        /// The name that was given.
        name: String,
        /// A parameter with a similar name.
        similar: Option<String>,
        /// The model's parameters.
        parameters: Vec<String>,
    },
    /// The model was derived under conditions that the size violates.
    #[error("{sizes} is outside the model's context: {conditions} is required")]
    OutsideContext {
        /// The sizes that the conditions mention.
        sizes: String,
        /// The violated conditions.
        conditions: String,
        /// Bytes per line, if the line size is a parameter and all of them are about it alone.
        line_bytes: Option<u64>,
    },
    /// The model does not hold this line size, or holds several and none was chosen.
    #[error("{}; the model holds {held}", match choice {
        LineChoice::Only => "a line size must be chosen".to_owned(),
        LineChoice::Bytes(bytes) => format!("no line size of {bytes} bytes"),
    })]
    Line {
        /// What was asked for.
        choice: LineChoice,
        /// The line sizes that there are, as text.
        held: String,
    },
    /// The model was made before accesses were told apart.
    #[error("the model does not tell its accesses apart: it was made by an earlier symloc ({generator})")]
    Unattributed {
        /// The program that made it.
        generator: String,
    },
    /// The model was made before nests were told apart.
    #[error("the model does not tell its nests apart: it was made by an earlier symloc ({generator})")]
    NoNests {
        /// The program that made it.
        generator: String,
    },
    /// The model was made before previous accesses were told.
    #[error("the model does not tell previous accesses: it was made by an earlier symloc ({generator})")]
    NoPrevious {
        /// The program that made it.
        generator: String,
    },
    /// The model was derived without reuse distances.
    #[error("the model holds no reuse distances")]
    NoDistances,
    /// A line of a number of bytes that holds no whole number of elements.
    #[error("a line of {bytes} bytes does not hold a whole number of {element_bytes}-byte elements")]
    LineBytes {
        /// The line size in bytes.
        bytes: u64,
        /// The size of an element in bytes.
        element_bytes: u64,
    },
    /// Two line sizes at once.
    #[error("a line of {bytes} bytes holds {elements} elements, but {defined}")]
    TwoLines {
        /// The line size in bytes.
        bytes: u64,
        /// The elements in it.
        elements: i64,
        /// The number of elements that was given.
        defined: String,
    },
    /// More points than the limit.
    #[error("limit: the evaluation visits more than {points} points of free iterators at {sizes}")]
    Limit {
        /// The limit.
        points: u64,
        /// The sizes.
        sizes: String,
    },
    /// The model contradicts itself: the file was changed, or the derivation was wrong.
    #[error("the model is wrong at {sizes}: {reason}")]
    Inconsistent {
        /// The sizes.
        sizes: String,
        /// The contradiction.
        reason: String,
    },
}

fn parameters_are(names: &[String]) -> String {
    match names {
        [] => "it has none".to_owned(),
        [only] => format!("its parameter is {only}"),
        _ => format!("its parameters are {}", names.join(", ")),
    }
}

/// Why an evaluation stops early.
pub(crate) enum Stop {
    Limit,
    Contradiction(String),
}
