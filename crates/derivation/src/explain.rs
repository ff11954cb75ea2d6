//! The errors of a derivation at their places in the source.

use symloc_affine::{Access, Assumption, AssumptionKind, LayoutError, Program, RadixError};
use symloc_reuse::{Error, Phase};

use crate::error::DerivationError;

/// Turns an error of a derivation into one of the source.
pub fn explain(program: &Program, error: &Error) -> DerivationError {
    match error {
        Error::Layout(layout) => unsuited(program, layout),
        Error::Line(line) => {
            let location = program.access(line.access).location.clone();
            DerivationError::at(location, error.to_string(), "give the line size, with --line-bytes in place of --line")
        }
        Error::Tiles(RadixError::Unsuited { why, hint, location }) => match location {
            Some(location) => DerivationError::at(location.clone(), why.clone(), *hint),
            None => DerivationError::with_hint(why.clone(), *hint),
        },
        Error::Worker { access, reason } => DerivationError::at(
            program.access(*access).location.clone(),
            format!("the process that derived the reuse of this access {reason}"),
            "if memory is short, use fewer with --jobs",
        ),
        Error::NoSize if program.iters.iter().any(|iter| iter.parallel.is_some()) => DerivationError::with_hint(
            error.to_string(),
            "the conditions of --assume contradict each other, or leave fewer than 0 iterations of a parallel loop, for which there \
             are no formulas",
        ),
        Error::NoSize => {
            DerivationError::with_hint(error.to_string(), "the conditions of --assume contradict each other")
        }
        _ => DerivationError::refused(error.to_string()),
    }
}

/// Returns the error for a program that has no size, or makes no access at any, because each row of some array has to hold all elements
/// accessed in it; `None` if that is not assumed.
pub(crate) fn by_rows(assumptions: &[Assumption], what: &str) -> Option<DerivationError> {
    let assumed = assumptions.iter().find(|assumption| assumption.kind == AssumptionKind::RowLength)?;
    let message = format!("{what}, one of which is that each row holds all elements accessed in it here");
    let hint = "use rows of one length that hold all elements accessed in them, or other conditions of --assume";
    Some(match &assumed.location {
        Some(location) => DerivationError::at(location.clone(), message, hint),
        None => DerivationError::with_hint(message, hint),
    })
}

/// Returns the error for a program that does not fit the layout, at the array that does not.
pub(crate) fn unsuited(program: &Program, error: &LayoutError) -> DerivationError {
    let (array, hint) = match error {
        LayoutError::ElementSize { array, .. } => (array, "choose other --line-bytes, or --element"),
        LayoutError::Wide { array, .. } => (array, "choose lines instead of --element, or larger --line-bytes"),
        LayoutError::SymbolicStrides { array } => (
            array,
            "choose --layout rows, or give the memref a constant shape; `symloc simulate --layout linear` has it for given sizes",
        ),
        LayoutError::Overflow(_) => return DerivationError::refused(error.to_string()),
    };
    let is_wide = |access: &&Access| {
        matches!(error, LayoutError::Wide { elements, .. } if *elements == access.elements)
            && program.array(access.array).name == *array
    };
    let widest = program.accesses.iter().find(is_wide).map(|access| &access.location);
    let declared = program.arrays.iter().find(|a| a.name == *array).map(|array| &array.location);
    match widest.or(declared) {
        Some(location) => DerivationError::at(location.clone(), error.to_string(), hint),
        None => DerivationError::with_hint(error.to_string(), hint),
    }
}

/// Returns the error for a limit that was reached in a phase; `None` for other errors.
pub(crate) fn limit(program: &Program, error: &Error, phase: Option<Phase>) -> Option<DerivationError> {
    let during = || phase.map_or_else(String::new, |phase| format!(", during {phase}"));
    match error {
        Error::Isl(symloc_isl::Error::Limit { .. }) | Error::Endless(_) => {
            Some(DerivationError::Limit { location: None, message: format!("{error}{}", during()) })
        }
        Error::Time { access, limit } => Some(DerivationError::Limit {
            location: Some(program.access(*access).location.clone()),
            message: format!("limit: {} s of processor time are over, at the reuse of this access", limit.as_secs()),
        }),
        Error::Limit { access, limit } => Some(DerivationError::Limit {
            location: Some(program.access(*access).location.clone()),
            message: format!("{limit}, for the reuse of this access"),
        }),
        _ => None,
    }
}
