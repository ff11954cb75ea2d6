//! Functions that cannot be read as a whole: accesses with side effects, control flow without structure.

use symloc_frontend::{Diagnostic, Kind};

use crate::ir::cfg::Unstructured;
use crate::ir::ffi::Value;
use crate::ir::places::Places;
use crate::memory::descriptors::copies_component;

/// Checks that no access is volatile or atomic in the source, and that no array is a component of a structure in Fortran.
///
/// # Errors
///
/// One for each such access, and one for the first such component.
pub(crate) fn check_accesses(function: Value<'_>, places: &Places<'_>) -> Result<(), Vec<Diagnostic>> {
    let refused = |access: Value<'_>| {
        let (kind, why) = match access.is_atomic() {
            true => ("atomic", "other threads may change the memory in between"),
            false => ("volatile", "each of them may have a side effect"),
        };
        let message = format!("{kind} accesses are not supported");
        let error = Diagnostic::new(Kind::Unsupported, places.of(access), message);
        error.note(why).hint(format!("analyse a version without `{}`", if kind == "atomic" { "_Atomic" } else { kind }))
    };
    let instructions = function.instructions();
    let mut errors: Vec<_> =
        instructions.filter(|access| access.is_volatile() || access.is_atomic()).map(refused).collect();
    let component = |call: Value<'_>| {
        let message = "an allocatable or pointer component of a derived type is not supported";
        let error = Diagnostic::new(Kind::Unsupported, places.of(call), message);
        error
            .note("its address and its bounds are read from the structure in each iteration, and these reads are no accesses to an array")
            .hint("pass the component to a procedure as an argument of its own")
    };
    errors.extend(function.instructions().find(|call| copies_component(*call)).map(component));
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Returns the error of a function whose control flow is not supported.
pub(crate) fn unstructured(why: Unstructured<'_>, places: &Places<'_>) -> Diagnostic {
    let at = match why {
        Unstructured::NeverReturns => None,
        Unstructured::JumpIntoLoop(block) => block.instructions().into_iter().find_map(|i| places.of(i)),
    };
    let (message, why, hint) = match why {
        Unstructured::NeverReturns => {
            ("the function never returns", "no path leads to its end", "give the loops an end")
        }
        Unstructured::JumpIntoLoop(_) => (
            "a jump into the middle of a loop is not supported",
            "its number of iterations depends on where it is entered",
            "enter the loop at its top",
        ),
    };
    let error = Diagnostic::new(Kind::Unsupported, Some(at.unwrap_or_else(|| places.start())), message);
    error.note(why).hint(hint)
}
