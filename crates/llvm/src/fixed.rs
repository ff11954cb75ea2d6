//! Arguments, passed by value or by reference, that `--assume` gives one value: they are constants before anything is read, so that what
//! depends on them may be a step, a stride or a factor. Each stays a parameter of the model with this one value, so that a question about another one is an
//! error.

use std::collections::BTreeMap;

use symloc_affine::assume::fits_in;
use symloc_affine::fixed_values;

use crate::behind::sizes_behind;
use crate::ffi::{DataLayout, Value};
use crate::places::Places;
use crate::written::Written;

/// What is a constant now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fixed {
    /// Arguments.
    pub(crate) arguments: Vec<FixedArgument>,
    /// Integers behind arguments, by the names that they have in the affine program.
    pub(crate) behind: BTreeMap<String, i64>,
}

/// An argument that is a constant now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FixedArgument {
    /// Its position among the arguments.
    pub(crate) index: usize,
    /// Its name in the source, which nothing in the function tells any more.
    pub(crate) name: String,
    pub(crate) value: i64,
}

impl Fixed {
    pub(crate) fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.behind.is_empty()
    }
}

/// Replaces the arguments that have one value by constants, and what is read behind arguments that are not written.
pub(crate) fn replace<'m>(
    function: Value<'m>,
    places: &Places<'m>,
    layout: &DataLayout<'_>,
    conditions: &str,
) -> Fixed {
    let values = fixed_values(conditions);
    let mut found = Fixed::default();
    if values.is_empty() {
        return found;
    }
    let written = Written::by(function);
    for (index, argument) in function.parameters().into_iter().enumerate() {
        let own = places.name(argument);
        if argument.r#type().is_pointer() && !written.contains(argument, 0) {
            for size in sizes_behind(argument, layout) {
                let Some(name) = size.name(places, own.as_deref()) else { continue };
                let Some(&value) = values.get(&name) else { continue };
                // Where it is read stays an access.
                if fits(size.load, value) {
                    size.load.replace_by_constant(value);
                    found.behind.insert(name, value);
                }
            }
        }
        let Some(name) = own else { continue };
        let Some(&value) = values.get(&name) else { continue };
        if fits(argument, value) {
            argument.replace_by_constant(value);
            found.arguments.push(FixedArgument { index, name, value });
        }
    }
    found
}

/// Is a value one of the type of an argument?
fn fits(argument: Value<'_>, value: i64) -> bool {
    let kind = argument.r#type();
    match kind.integer_width() {
        _ if kind.is_flag() => fits_in(value, 1),
        Some(width @ 8..) => fits_in(value, width),
        _ => false,
    }
}
