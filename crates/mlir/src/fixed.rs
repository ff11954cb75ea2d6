//! Arguments that `--assume` gives one value: they are constants before anything is read, so that what depends on them may be a
//! step, an offset or a factor. Each stays a parameter of the model with this one value, so that a question about another one is an
//! error.

use melior::Context;
use melior::ir::{TypeLike, ValueLike};
use symloc_affine::assume::fits_in;
use symloc_affine::fixed_values;
use symloc_frontend::names::meaningful;

use crate::ffi::{self, Op, Val};
use crate::places::Places;

/// An argument that is a constant now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    /// Its SSA name.
    pub(crate) name: String,
    pub(crate) value: i64,
}

/// Replaces the arguments of a function that have one value by constants; `renames` are those of `--name`.
pub(crate) fn replace<'a>(
    context: &'a Context,
    function: Op<'a>,
    places: &Places<'_>,
    conditions: &str,
    renames: &[(String, String)],
) -> Vec<Fixed> {
    let values = fixed_values(conditions);
    let renamed = |name: String| renames.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new.clone());
    let mut found = Vec::new();
    for argument in ffi::arguments(function) {
        let Some(name) = places.ssa_name(argument) else { continue };
        let Some(&value) = meaningful(name).and_then(|name| values.get(&renamed(name))) else { continue };
        if fits(argument, value) && put_constant(context, function, argument, value).is_some() {
            found.push(Fixed { name: name.to_owned(), value });
        }
    }
    found
}

/// Uses a constant at the start of the function wherever an argument was used.
fn put_constant<'a>(context: &'a Context, function: Op<'a>, argument: Val<'a>, value: i64) -> Option<()> {
    let start = ffi::regions(function).into_iter().next().and_then(|region| ffi::operations(region).next())?;
    let kind = argument.r#type();
    let attribute = [("value", format!("{value} : {kind}"))];
    let constant = ffi::insert_before(context, start, "arith.constant", &[], kind, &attribute)?;
    ffi::replace_uses(argument, constant);
    Some(())
}

/// Tells whether a value is one of the type of an argument.
fn fits(argument: Val, value: i64) -> bool {
    let kind = argument.r#type();
    ffi::integer_width(kind).map_or(kind.is_index(), |width| fits_in(value, width))
}
