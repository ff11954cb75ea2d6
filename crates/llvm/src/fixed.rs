//! Arguments that `--assume` gives one value: they are constants before anything is read, so that what depends on them may be a
//! step, a stride or a factor. Each stays a parameter of the model with this one value, so that a question about another one is an
//! error.

use symloc_affine::fixed_values;

use crate::ffi::Value;
use crate::places::Places;

/// An argument that is a constant now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    /// Its position among the arguments.
    pub(crate) index: usize,
    /// Its name in the source, which nothing in the function tells any more.
    pub(crate) name: String,
    pub(crate) value: i64,
}

/// Replaces the arguments that have one value by constants.
pub(crate) fn replace(function: Value<'_>, places: &Places<'_>, conditions: &str) -> Vec<Fixed> {
    let values = fixed_values(conditions);
    let mut found = Vec::new();
    for (index, argument) in function.parameters().into_iter().enumerate() {
        let Some(name) = places.name(argument) else { continue };
        let Some(&value) = values.get(&name) else { continue };
        if fits(argument, value) {
            argument.replace_by_constant(value);
            found.push(Fixed { index, name, value });
        }
    }
    found
}

/// Is a value one of the type of an argument?
fn fits(argument: Value<'_>, value: i64) -> bool {
    let kind = argument.r#type();
    match kind.integer_width() {
        _ if kind.is_flag() => value == 0 || value == 1,
        Some(64) => true,
        Some(width @ 8..64) => (-(1_i64 << (width - 1))..1_i64 << (width - 1)).contains(&value),
        _ => false,
    }
}
