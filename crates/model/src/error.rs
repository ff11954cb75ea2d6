//! Errors of questions that a model cannot answer.

use crate::choice::LineChoice;

/// The reasons why a model cannot answer a question: it names sizes, lines or accesses that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// A parameter has no value.
    #[error("no value for the parameter{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))]
    Missing {
        /// The parameters without a value.
        names: Vec<String>,
    },
    /// A value for something that is no parameter.
    #[error("`{name}` is not a parameter of this model ({}){}", parameters_are(parameters, without_effect),
        similar.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Unknown {
        /// The name that was given.
        name: String,
        /// A parameter with a similar name.
        similar: Option<String>,
        /// The model's parameters.
        parameters: Vec<String>,
        /// Sizes that may be given as well.
        without_effect: Vec<String>,
    },
    /// A size below 1 that makes no difference only where it is at least 1.
    #[error("{name} = {value} is outside the model's context: {name} >= 1 is required")]
    Unused {
        /// The size.
        name: String,
        /// The value that was given.
        value: i64,
    },
    /// The model does not hold this line size, or holds several and none was chosen.
    #[error("{}; the model holds {held}", match choice {
        LineChoice::Only => "a line size must be chosen".to_owned(),
        LineChoice::Bytes(bytes) => format!("no line size of {bytes} bytes"),
    })]
    Line {
        /// The line size that was asked for.
        choice: LineChoice,
        /// The line sizes of the model, as text.
        held: String,
    },
    /// The model was made before models distinguished accesses.
    #[error("the model does not tell its accesses apart: it was made by an earlier symloc ({generator})")]
    Unattributed {
        /// The program that made it.
        generator: String,
    },
    /// The model was made before models distinguished nests.
    #[error("the model does not tell its nests apart: it was made by an earlier symloc ({generator})")]
    NoNests {
        /// The program that made it.
        generator: String,
    },
}

/// Returns the sizes that a question may give, in words: `its parameter is n; m makes no difference`.
pub fn parameters_are(names: &[String], without_effect: &[String]) -> String {
    let parameters = match names {
        [] => "it has none".to_owned(),
        [only] => format!("its parameter is {only}"),
        _ => format!("its parameters are {}", names.join(", ")),
    };
    match without_effect {
        [] => parameters,
        [only] => format!("{parameters}; {only} makes no difference"),
        _ => format!("{parameters}; {} make no difference", without_effect.join(", ")),
    }
}
