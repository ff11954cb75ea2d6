//! The call of a function from a program that does not know its types: the call asks the program for integers and
//! memory.

use inkwell::AddressSpace;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::{Builder, BuilderError};
use inkwell::module::Module;
use inkwell::types::{AnyTypeEnum, BasicTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue, PointerValue};
use symloc_frontend::names::renamed;
use symloc_frontend::signature::{Argument, WITHOUT_COMPILED, uncallable};
use symloc_frontend::{Diagnostic, Kind};

use crate::input::select::source_name;
use crate::ir::ffi::{DataLayout, Value, globals};
use crate::ir::places::Places;
use crate::memory::pointed_sizes::{SizeBehind, sizes_behind};

/// The function that returns the integer of a number.
const INTEGER: &str = "symloc_integer";
/// The function that returns the memory of a number.
const MEMORY: &str = "symloc_memory";
/// The function that takes the address of a variable.
const VARIABLE: &str = "symloc_variable";
/// The function that makes the call.
pub(crate) const ENTRY: &str = "symloc_entry";

/// The value of floating-point arguments.
const NUMBER: f64 = 1.5;

/// The attributes of a structure that is passed in memory.
const STRUCTURES: [&str; 4] = ["byval", "sret", "inalloca", "preallocated"];

pub(crate) fn internal(message: String) -> Diagnostic {
    Diagnostic::new(Kind::Internal, None, message)
}

pub(crate) fn failed(error: BuilderError) -> Diagnostic {
    internal(format!("LLVM's builder: {error}"))
}

/// An integer that the call asks for at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The value of a parameter; `None` for an argument without a name.
    Value(Option<String>),
    /// The extent of the accesses to an array along a dimension.
    Extent {
        /// The array, if it is accessed.
        array: Option<String>,
        /// The dimension, counted from the outermost.
        dimension: usize,
        /// The number of dimensions of the argument.
        rank: usize,
    },
}

/// The function to call, and the names of its values in the affine program.
pub(crate) struct Called<'e, 'm> {
    pub function: Value<'m>,
    pub places: &'e Places<'m>,
    pub renames: &'e [(String, String)],
    pub parameters: &'e [String],
}

/// A call under construction.
pub(crate) struct Entry<'e, 'm, 'c> {
    called: Called<'e, 'm>,
    pub(crate) module: &'e Module<'c>,
    pub(crate) builder: Builder<'c>,
    pub(crate) callee: FunctionValue<'c>,
    integer: FunctionValue<'c>,
    memory: FunctionValue<'c>,
    /// The parameters that have been set.
    given: Vec<String>,
    /// The integers that it asks for, by number.
    pub integers: Vec<Asked>,
    /// The names of the arrays whose memory it asks for, followed by those of variables, in the order of the calls of
    /// [`MEMORY`] and [`VARIABLE`].
    pub memories: Vec<Option<String>>,
}

impl<'e, 'm, 'c> Entry<'e, 'm, 'c> {
    pub(crate) fn new(called: Called<'e, 'm>, module: &'e Module<'c>) -> Result<Self, Diagnostic> {
        let name = called.function.name();
        let callee = module.get_function(name).ok_or_else(|| internal(format!("`{name}` is not in its module")))?;
        let context = module.get_context();
        let (number, pointer) = (context.i64_type(), context.ptr_type(AddressSpace::default()));
        let entry = module.add_function(ENTRY, context.void_type().fn_type(&[], false), None);
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(entry, "entry"));
        let integer = module.add_function(INTEGER, number.fn_type(&[number.into()], false), None);
        let memory = module.add_function(MEMORY, pointer.fn_type(&[number.into()], false), None);
        let (given, integers, memories) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { called, module, builder, callee, integer, memory, given, integers, memories })
    }

    /// Builds the call, which sets every parameter.
    pub(crate) fn build(&mut self, signature: Option<&[Argument]>) -> Result<(), Diagnostic> {
        if self.callee.get_type().is_var_arg() {
            return Err(self.refuse("it takes any number of arguments"));
        }
        let values = match signature {
            Some(signature) => self.handed_over(signature)?,
            None => {
                let arguments: Vec<_> = self.callee.get_param_iter().enumerate().collect();
                let values = arguments.into_iter().map(|(index, argument)| self.argument(index, argument.get_type()));
                values.collect::<Result<_, _>>()?
            }
        };
        self.tell_variables()?;
        self.set_variables()?;
        if let Some(missing) = self.called.parameters.iter().find(|name| !self.given.contains(name)) {
            let function = source_name(self.called.function);
            return Err(self.refuse(&format!("the parameter {missing} is not an argument of `{function}`")));
        }
        self.call(&values)
    }

    /// Returns the name of an argument or a variable in the affine program.
    fn renamed(&self, name: String) -> String {
        renamed(self.called.renames, &name)
    }

    pub(crate) fn refuse(&self, why: &str) -> Diagnostic {
        uncallable(Some(self.called.places.start()), why, WITHOUT_COMPILED)
    }

    /// Returns true for a parameter that is not set yet.
    fn is_wanted(&self, name: &String) -> bool {
        self.called.parameters.contains(name) && !self.given.contains(name)
    }

    fn argument(&mut self, index: usize, kind: BasicTypeEnum<'c>) -> Result<BasicMetadataValueEnum<'c>, Diagnostic> {
        let argument = self.called.function.parameters().get(index).copied();
        let name = argument.and_then(|argument| self.called.places.name(argument)).map(|name| self.renamed(name));
        let shown = || name.as_ref().map_or_else(|| format!("argument {}", index + 1), |name| format!("`{name}`"));
        let place = u32::try_from(index).unwrap_or(u32::MAX);
        if STRUCTURES.iter().any(|attribute| self.called.function.argument_has(place, attribute)) {
            return Err(self.refuse(&format!("{} is a structure that is passed in memory", shown())));
        }
        match kind {
            BasicTypeEnum::PointerType(_) => self.pointer(argument, name),
            _ => self
                .scalar(kind, name.clone())?
                .ok_or_else(|| self.refuse(&format!("{} is neither a number nor a pointer", shown()))),
        }
    }

    /// Returns a number; `None` for another type.
    pub(crate) fn scalar(
        &mut self,
        kind: BasicTypeEnum<'c>,
        name: Option<String>,
    ) -> Result<Option<BasicMetadataValueEnum<'c>>, Diagnostic> {
        match kind {
            BasicTypeEnum::IntType(kind) if kind.get_bit_width() <= 64 => {
                let value = self.asked_integer(name)?.into_int_value();
                Ok(Some(self.builder.build_int_truncate_or_bit_cast(value, kind, "").map_err(failed)?.into()))
            }
            BasicTypeEnum::FloatType(kind) => Ok(Some(kind.const_float(NUMBER).into())),
            _ => Ok(None),
        }
    }

    /// Returns memory, with the parameters that the function reads there: sizes that are passed by reference.
    fn pointer(
        &mut self,
        argument: Option<Value<'m>>,
        name: Option<String>,
    ) -> Result<BasicMetadataValueEnum<'c>, Diagnostic> {
        let start = self.asked_memory(name.clone())?;
        if let Some(argument) = argument {
            self.set_sizes(argument, name.as_deref(), start)?;
        }
        Ok(start.into())
    }

    /// Stores a size where the function reads it.
    fn store(&self, start: PointerValue<'c>, size: &SizeBehind<'_>, value: IntValue<'c>) -> Result<(), Diagnostic> {
        let context = self.module.get_context();
        let kind = context.custom_width_int_type(size.width).map_err(|message| internal(message.to_owned()))?;
        let value = self.builder.build_int_truncate_or_bit_cast(value, kind, "").map_err(failed)?;
        let number = context.i64_type();
        let address = self.builder.build_ptr_to_int(start, number, "").map_err(failed)?;
        let byte = number.const_int(size.byte.cast_unsigned(), true);
        let address = self.builder.build_int_add(address, byte, "").map_err(failed)?;
        let place = self.builder.build_int_to_ptr(address, start.get_type(), "").map_err(failed)?;
        self.builder.build_store(place, value).map_err(failed)?;
        Ok(())
    }

    /// Passes the addresses of global variables to [`VARIABLE`].
    fn tell_variables(&mut self) -> Result<(), Diagnostic> {
        let context = self.module.get_context();
        let kind = context.void_type().fn_type(&[context.ptr_type(AddressSpace::default()).into()], false);
        let tell = self.module.add_function(VARIABLE, kind, None);
        for variable in self.module.get_globals() {
            let name = variable.get_name().to_string_lossy().into_owned();
            let is_array = matches!(variable.get_value_type(), AnyTypeEnum::ArrayType(kind) if !kind.is_empty());
            let is_here = is_array || variable.get_initializer().is_some();
            if is_here && !variable.is_thread_local() && !name.starts_with(['.', '_']) && !name.starts_with("llvm.") {
                self.builder.build_call(tell, &[variable.as_pointer_value().into()], "").map_err(failed)?;
                self.memories.push(Some(name));
            }
        }
        Ok(())
    }

    /// Sets the global variables that are parameters.
    fn set_variables(&mut self) -> Result<(), Diagnostic> {
        for variable in self.module.get_globals().filter(|variable| !variable.is_constant()) {
            let name = self.renamed(variable.get_name().to_string_lossy().into_owned());
            if let (true, AnyTypeEnum::IntType(kind)) = (self.is_wanted(&name), variable.get_value_type()) {
                let value = self.asked_integer(Some(name))?.into_int_value();
                let value = self.builder.build_int_truncate_or_bit_cast(value, kind, "").map_err(failed)?;
                self.builder.build_store(variable.as_pointer_value(), value).map_err(failed)?;
            }
            if let AnyTypeEnum::ArrayType(_) = variable.get_value_type() {
                let name = variable.get_name().to_string_lossy().into_owned();
                let read = globals(self.module).into_iter().find(|variable| variable.name() == name);
                if let Some(read) = read {
                    self.set_sizes(read, Some(&name), variable.as_pointer_value())?;
                }
            }
        }
        Ok(())
    }

    /// Sets the parameters that the function reads behind a pointer, or in a variable.
    fn set_sizes(&mut self, read: Value<'_>, name: Option<&str>, start: PointerValue<'c>) -> Result<(), Diagnostic> {
        for size in sizes_behind(read, &DataLayout::of(self.module)) {
            let parameter = size.name(self.called.places, name).map(|name| self.renamed(name));
            let Some(parameter) = parameter.filter(|name| self.is_wanted(name)) else { continue };
            let value = self.asked_integer(Some(parameter))?.into_int_value();
            self.store(start, &size, value)?;
        }
        Ok(())
    }

    fn asked_integer(&mut self, name: Option<String>) -> Result<BasicValueEnum<'c>, Diagnostic> {
        self.asked(Asked::Value(name))
    }

    /// Asks for an integer.
    pub(crate) fn asked(&mut self, what: Asked) -> Result<BasicValueEnum<'c>, Diagnostic> {
        let value = self.ask(self.integer, self.integers.len())?;
        self.given.extend(match &what {
            Asked::Value(name) => name.clone(),
            Asked::Extent { .. } => None,
        });
        self.integers.push(what);
        Ok(value)
    }

    /// Asks for the memory of an array.
    pub(crate) fn asked_memory(&mut self, name: Option<String>) -> Result<PointerValue<'c>, Diagnostic> {
        let start = self.ask(self.memory, self.memories.len())?.into_pointer_value();
        self.memories.push(name);
        Ok(start)
    }

    fn ask(&self, what: FunctionValue<'c>, which: usize) -> Result<BasicValueEnum<'c>, Diagnostic> {
        let which = self.module.get_context().i64_type().const_int(which as u64, false);
        let call = self.builder.build_call(what, &[which.into()], "").map_err(failed)?;
        call.try_as_basic_value().basic().ok_or_else(|| internal("a call has no value".to_owned()))
    }

    fn call(&self, values: &[BasicMetadataValueEnum<'c>]) -> Result<(), Diagnostic> {
        let call = self.builder.build_call(self.callee, values, "").map_err(failed)?;
        call.set_call_convention(self.callee.get_call_conventions());
        // The attributes say how small integers are passed.
        for (index, name) in (0..self.callee.count_params()).flat_map(|i| ["signext", "zeroext"].map(|name| (i, name)))
        {
            if self.called.function.argument_has(index, name) {
                let kind = Attribute::get_named_enum_kind_id(name);
                call.add_attribute(
                    AttributeLoc::Param(index),
                    self.module.get_context().create_enum_attribute(kind, 0),
                );
            }
        }
        self.builder.build_return(None).map_err(failed)?;
        Ok(())
    }
}
