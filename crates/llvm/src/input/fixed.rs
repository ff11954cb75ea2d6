//! Arguments (by value or by reference) and global variables with one value by `--assume`. They become constants before
//! the walk, so that steps, strides and factors may depend on them. Each stays a parameter of the model with this one
//! value, so that a question about another value is an error.

use std::collections::{BTreeMap, BTreeSet};

use symloc_frontend::assumed::{Assumed, fitting, parameter_name};
use symloc_frontend::{Diagnostic, Kind};

use crate::ir::ffi::{DataLayout, Value};
use crate::ir::places::Places;
use crate::memory::mod_ref::Written;
use crate::memory::pointed_sizes::{SizeBehind, sizes_behind};
use crate::memory::registers::Slot;

/// The values that have become constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fixed<'m> {
    /// Arguments.
    pub(crate) arguments: Vec<FixedArgument>,
    /// Integers in memory.
    pub(crate) in_memory: Vec<FixedInMemory<'m>>,
}

/// An argument that has become a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FixedArgument {
    /// Its position among the arguments.
    pub(crate) index: usize,
    /// Its name in the source, which the function no longer has.
    pub(crate) name: String,
    pub(crate) value: i64,
}

/// An integer in memory that has become a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FixedInMemory<'m> {
    /// The argument or the variable that it lies behind; `byte` is the offset.
    pub(crate) object: Value<'m>,
    pub(crate) byte: i64,
    /// Its name in the affine program.
    pub(crate) name: String,
    pub(crate) value: i64,
}

impl Fixed<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.in_memory.is_empty()
    }
}

/// Replaces values by constants: arguments, and integers that are read in memory that is not written.
pub(crate) fn replace<'m>(
    function: Value<'m>,
    globals: &[Value<'m>],
    places: &Places<'m>,
    layout: &DataLayout<'_>,
    slots: &[Slot],
    assumed: &Assumed,
) -> Result<Fixed<'m>, Diagnostic> {
    let values = assumed.fixed();
    let mut found = Fixed::default();
    if values.is_empty() {
        return Ok(found);
    }
    for (index, argument) in function.parameters().into_iter().enumerate() {
        let Some(name) = places.name(argument) else { continue };
        let Some((shown, &value)) = assumed.name(&name).and_then(|name| values.get_key_value(&name)) else { continue };
        let kind = argument.r#type();
        let width = if kind.is_flag() { Some(1) } else { kind.integer_width().filter(|width| *width >= 8) };
        let Some(width) = width else { continue };
        fitting(shown, value, width, Some(places.start()))?;
        argument.replace_by_constant(value);
        found.arguments.push(FixedArgument { index, name, value });
    }
    let memory = Memory { places, assumed, values, written: Written::by(function, layout), slots };
    let loads: BTreeSet<Value<'m>> = function.instructions().collect();
    let pointers = function.parameters().into_iter().filter(|argument| argument.r#type().is_pointer());
    for object in pointers.chain(globals.iter().copied()) {
        memory.refuse_written(object)?;
        let mut places: BTreeMap<_, Vec<SizeBehind<'m>>> = BTreeMap::new();
        for size in sizes_behind(object, layout).into_iter().filter(|size| loads.contains(&size.load)) {
            places.entry((size.byte, size.width)).or_default().push(size);
        }
        for sizes in places.values() {
            found.in_memory.extend(memory.fix(object, sizes)?);
        }
    }
    Ok(found)
}

/// The objects that the function writes to, and the values of names.
struct Memory<'e, 'm> {
    places: &'e Places<'m>,
    assumed: &'e Assumed,
    values: BTreeMap<String, i64>,
    written: Written<'m>,
    slots: &'e [Slot],
}

impl<'m> Memory<'_, 'm> {
    /// Checks that the function does not write to an object whose value, or one of whose elements, is given.
    fn refuse_written(&self, object: Value<'m>) -> Result<(), Diagnostic> {
        let Some(name) = self.places.name(object).and_then(|name| self.assumed.name(&name)) else { return Ok(()) };
        let is_slot = object.is_global() && self.slots.iter().any(|slot| slot.is_global && slot.name == name);
        let element = format!("{name}[");
        let given = self.values.iter().find(|(given, _)| **given == name || given.starts_with(&element));
        let Some((given, value)) = given.filter(|_| is_slot || self.written.contains(object, 0)) else { return Ok(()) };
        let message = format!("--assume '{given} = {value}': the function writes to `{name}`");
        let error = Diagnostic::new(Kind::Request, Some(self.places.start()), message);
        Err(error.note("a variable that is written may have another value afterwards").hint("leave the condition out"))
    }

    /// Replaces an integer by its value, if it is given, wherever it is read; the loads stay accesses. Each may be assigned to another
    /// variable in the source, and one of their names is enough.
    fn fix(&self, object: Value<'m>, reads: &[SizeBehind<'m>]) -> Result<Option<FixedInMemory<'m>>, Diagnostic> {
        let given = reads.iter().find_map(|size| self.given(object, size));
        let is_written = |size: &SizeBehind<'m>| self.written.contains_bytes(object, 0, &size.bytes());
        let Some((fixed, given)) = given.filter(|_| !reads.iter().any(is_written)) else { return Ok(None) };
        for size in reads {
            fitting(given, fixed.value, size.width.get(), self.places.of(size.load))?;
            size.load.replace_by_constant(fixed.value);
        }
        Ok(Some(fixed))
    }

    /// Returns the value that is given for an integer that is read, and the name by which it is given.
    fn given(&self, object: Value<'m>, size: &SizeBehind<'m>) -> Option<(FixedInMemory<'m>, &str)> {
        let own = self.places.name(object);
        // A scalar variable has its own name, not that of a variable it is assigned to.
        let is_variable = object.is_global() && size.byte == 0 && object.pointee() == Some(size.load.r#type());
        let name = if is_variable { own.clone() } else { size.name(self.places, own.as_deref()) };
        let bytes = i64::from(size.width.get() / 8);
        let element = own.filter(|_| bytes > 0 && size.byte % bytes == 0);
        let element = element.and_then(|own| Some(format!("{}[{}]", self.assumed.name(&own)?, size.byte / bytes)));
        let names = [name.as_deref().and_then(|name| self.assumed.name(name)), element];
        let (given, &value) = names.iter().flatten().find_map(|name| self.values.get_key_value(name))?;
        let name = if given.contains('[') { parameter_name(given) } else { name };
        Some((FixedInMemory { object, byte: size.byte, name: name?, value }, given))
    }
}
