//! The program that calls a function: it fills the function's arrays, calls it, and reports the time and a checksum.

use std::fmt::Write;

use symloc_affine::Program;
use symloc_replay::{Code, Survey};

use super::reading::numbers::{FLOATING, NumberKind};
use super::reading::source::{SourceArgument, SourceFunction};
use crate::error::AdviseError;
use crate::results::ResultKind;
use crate::run::{DRIVER, diagonal, main_around};

/// The caller of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver<'d> {
    /// The function.
    pub(crate) source: &'d SourceFunction,
    /// Its program.
    pub(crate) program: &'d Program,
    /// The sizes, in the order of the program's parameters.
    pub(crate) sizes: &'d [i64],
    /// True for C++.
    pub(crate) is_cpp: bool,
}

/// The text of a caller.
pub(crate) struct DriverText {
    /// It follows the source.
    pub(crate) text: String,
    /// The kinds of the results, in their order.
    pub(crate) results: Vec<ResultKind>,
}

/// A caller while it is written.
#[derive(Default)]
struct DriverParts {
    /// The text in front of the call.
    before: String,
    /// The text behind it.
    after: String,
    /// The kinds of the results that are added there.
    results: Vec<ResultKind>,
}

/// Returns true for a type of elements that can be filled with numbers. A `long double` has bytes that no number sets.
fn is_filled(kind: &str) -> bool {
    kind != "long double" && NumberKind::of(kind).is_some()
}

impl Driver<'_> {
    /// Returns the text that follows the source, and the kinds of its results.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Run`] if an argument of the function cannot be made, [`AdviseError::Replay`] if the program cannot be
    /// run at these sizes.
    pub(crate) fn text(&self) -> Result<DriverText, AdviseError> {
        let name = self.source.callable.as_ref().ok_or_else(|| AdviseError::Run {
            why: format!("`{}` is a method: only functions can be called by themselves", self.program.name),
        })?;
        let survey = Survey::of(&Code::new(self.program, self.sizes)?)?;
        let extents = survey.extents(self.program);
        let mut parts = DriverParts::default();
        let mut arguments = Vec::new();
        for argument in &self.source.arguments {
            arguments.push(self.argument(argument, &extents, &mut parts)?);
        }
        let DriverParts { mut before, mut after, mut results } = parts;
        let names: Vec<_> = self.source.arguments.iter().map(|argument| argument.name.as_str()).collect();
        for (array, extents) in self.program.arrays.iter().zip(&extents) {
            let is_touched = self.program.accesses.iter().any(|access| self.program.array(access.array) == array);
            if extents.is_empty() || !is_touched || names.contains(&array.name.as_str()) {
                continue;
            }
            // A global array, or one that the function declares, which has no name here.
            if self.source.declares_array(&array.name) {
                continue;
            }
            let Some(global) = self.source.globals.get(&array.name) else {
                let why = format!("`{}` is neither an argument nor a global array of this name", array.name);
                return Err(AdviseError::Run { why });
            };
            // Writing to a String cannot fail.
            let _ = writeln!(after, "  symloc_add(&symloc_sum, &{0}, sizeof({0}));", array.name);
            if global.starts_with("const ") {
                results.push(ResultKind::Exact);
                continue;
            }
            let kind = self.filled(&array.name, global.split('[').next().unwrap_or_default())?;
            let _ = writeln!(before, "  SYMLOC_FILL({kind}, &{0}, sizeof({0}) / sizeof({kind}), 0);", array.name);
            results.push(ResultKind::of(&kind));
        }
        let call = format!("  {name}({});\n", arguments.join(", "));
        for (param, size) in self.program.params.iter().zip(self.sizes) {
            let name = param.argument.as_ref().unwrap_or(&param.name);
            if self.source.globals.contains_key(name) {
                let _ = writeln!(before, "  {name} = {size};");
            }
        }
        let text = format!("#undef main\n{DRIVER}{}", main_around(&before, &call, &after));
        Ok(DriverText { text, results })
    }

    /// Returns the type with which elements of a type are filled: that of the members of a struct.
    fn filled(&self, name: &str, element: &str) -> Result<String, AdviseError> {
        let element = element.replace("const", "").trim().to_owned();
        let element = self.source.aliases.get(&element).cloned().unwrap_or(element);
        if is_filled(&element) {
            return Ok(element);
        }
        let members = self.source.members.get(&element).into_iter().flatten().collect::<Vec<_>>();
        match members.as_slice() {
            [only] if is_filled(only) => Ok((*only).clone()),
            _ => Err(AdviseError::Run {
                why: format!("`{name}` has elements of the type {element}, which have no values that are made here"),
            }),
        }
    }

    /// Returns the text of an argument; adds what comes before and after the call. Values are volatile, so that the compiler
    /// does not make a function for these sizes and arrays alone.
    fn argument(
        &self,
        argument: &SourceArgument,
        extents: &[Vec<i64>],
        parts: &mut DriverParts,
    ) -> Result<String, AdviseError> {
        let DriverParts { before, after, results } = parts;
        let SourceArgument { name, kind } = argument;
        if let Some(referred) = kind.strip_suffix('&').map(|kind| kind.replace("const", "").trim().to_owned()) {
            if !is_filled(&referred) {
                return Err(AdviseError::Run { why: format!("`{name}` has the type {kind}, which is not made here") });
            }
            // Writing to a String cannot fail.
            let _ = writeln!(before, "  {referred} symloc_of_{name} = {};", self.scalar(name, &referred));
            let _ = writeln!(after, "  symloc_add(&symloc_sum, &symloc_of_{name}, sizeof(symloc_of_{name}));");
            results.push(ResultKind::of(&referred));
            return Ok(format!("symloc_of_{name}"));
        }
        if !kind.contains(['*', '[']) {
            if !is_filled(&kind.replace("const ", "")) && !["_Bool", "bool"].contains(&kind.as_str()) {
                return Err(AdviseError::Run { why: format!("`{name}` has the type {kind}, which is not made here") });
            }
            let value = self.scalar(name, kind);
            let _ = writeln!(before, "  volatile {kind} symloc_of_{name} = {value};");
            return Ok(format!("symloc_of_{name}"));
        }
        if kind.matches('*').count() + kind.matches("(*").count() > 1 + kind.matches("(*").count() {
            return Err(AdviseError::Run { why: format!("`{name}` is a pointer to pointers ({kind})") });
        }
        let element = kind.split(['*', '(', '[']).next().unwrap_or_default().replace("restrict", "");
        let filled = self.filled(name, element.trim())?;
        let element = element.replace("const", "").trim().to_owned();
        let known = self.program.arrays.iter().position(|array| array.name == *name && !array.shape.is_empty());
        let extents = known.map(|index| extents[index].clone()).unwrap_or_default();
        let elements = extents.iter().try_fold(1_i64, |all, extent| all.checked_mul(*extent)).unwrap_or(i64::MAX);
        let bytes = known.map_or(0, |index| self.program.arrays[index].element_bytes);
        let diagonal = diagonal(&extents);
        // Elements of the program may be members of a struct.
        let size = i64::try_from(bytes).ok().and_then(|bytes| bytes.checked_mul(elements.max(1)));
        let size = size.ok_or_else(|| AdviseError::Run { why: format!("`{name}` does not fit 64 bits") })?;
        let _ = writeln!(
            before,
            "  const unsigned long symloc_size_of_{name} = ({size}ul + sizeof({element})) / sizeof({filled}) * \
             sizeof({filled});\n  void *symloc_of_{name} = aligned_alloc(64, (symloc_size_of_{name} + 4096 + 63) / 64 * 64);"
        );
        let count = format!("symloc_size_of_{name} / sizeof({filled})");
        let _ = writeln!(before, "  SYMLOC_FILL({filled}, symloc_of_{name}, {count}, {diagonal}ul);");
        let _ = writeln!(after, "  symloc_add(&symloc_sum, symloc_of_{name}, symloc_size_of_{name});");
        results.push(ResultKind::of(&filled));
        let pointer = format!("*(void *volatile *)&symloc_of_{name}");
        Ok(if self.is_cpp { format!("({kind}) {pointer}") } else { pointer })
    }

    /// Returns the value of a scalar: its size, if it is a parameter.
    fn scalar(&self, name: &str, kind: &str) -> String {
        let is_it = |param: &symloc_affine::Param| param.argument.as_deref().unwrap_or(&param.name) == name;
        let param = self.program.params.iter().position(is_it).and_then(|index| self.sizes.get(index));
        match param {
            Some(size) => size.to_string(),
            None if FLOATING.iter().any(|float| kind.contains(float)) => "1.5".to_owned(),
            None => "1".to_owned(),
        }
    }
}
