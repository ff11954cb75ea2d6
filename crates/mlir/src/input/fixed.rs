//! Arguments with one value by `--assume`. They become constants before the walk, so that steps, offsets and factors
//! may depend on them. Each stays a parameter of the model with this one value, so that a question about another value
//! is an error.

use melior::Context;
use melior::ir::{TypeLike, ValueLike};
use symloc_frontend::Diagnostic;
use symloc_frontend::assumed::{Assumed, fitting};

use super::places::Places;
use crate::ffi::{self, Op, Val};

/// An argument that has become a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    /// Its SSA name.
    pub(crate) name: String,
    pub(crate) value: i64,
}

/// Replaces the arguments of a function with one value by constants.
pub(crate) fn replace<'a>(
    context: &'a Context,
    function: Op<'a>,
    places: &Places<'_>,
    assumed: &Assumed,
) -> Result<Vec<Fixed>, Diagnostic> {
    let values = assumed.fixed();
    let mut found = Vec::new();
    for argument in ffi::arguments(function) {
        let Some(name) = places.ssa_name(argument) else { continue };
        let Some((shown, &value)) = assumed.name(name).and_then(|name| values.get_key_value(&name)) else { continue };
        let kind = argument.r#type();
        let Some(width) = ffi::integer_width(kind).or_else(|| kind.is_index().then_some(64)) else { continue };
        fitting(shown, value, width, places.of(function))?;
        if put_constant(context, function, argument, value).is_some() {
            found.push(Fixed { name: name.to_owned(), value });
        }
    }
    Ok(found)
}

/// Replaces all uses of an argument by a constant at the start of the function.
fn put_constant<'a>(context: &'a Context, function: Op<'a>, argument: Val<'a>, value: i64) -> Option<()> {
    let start = ffi::regions(function).into_iter().next().and_then(|region| ffi::operations(region).next())?;
    let kind = argument.r#type();
    let attribute = [("value", format!("{value} : {kind}"))];
    let constant = ffi::insert_before(context, start, "arith.constant", &[], kind, &attribute)?;
    ffi::replace_uses(argument, constant);
    Some(())
}
