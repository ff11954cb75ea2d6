//! Places and names of values in the source.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use symloc_affine::Location;

use crate::ir::ffi::{DebugLocation, DebugVariable, Position, Value};

/// Places and names of one function.
pub(crate) struct Places<'m> {
    /// The user's name of the input.
    source: Arc<str>,
    /// The start of the function, for values without a place.
    start: Location,
    /// The variables of the source that values belong to.
    variables: BTreeMap<Value<'m>, String>,
    /// The places where these variables are declared.
    declarations: BTreeMap<Value<'m>, DebugLocation>,
}

/// The place where a variable is declared.
pub(crate) struct Declaration {
    at: DebugLocation,
    /// That place, and those of the calls around it, up to the function itself.
    pub(crate) places: Vec<Location>,
}

impl Declaration {
    /// Returns true if the source declares the variable, and not the compiler, as for `for (auto &x : xs)`.
    pub(crate) fn is_in_text(&self) -> bool {
        self.at.position().is_some()
    }

    /// Returns true if it is in the text of a loop, or in a function that is called there. The loop is that of a branch back to its start.
    pub(crate) fn is_in(&self, latch: Value<'_>) -> bool {
        let Some([start, end]) = latch.loop_ends() else { return false };
        let (Some(first), Some(last)) = (start.position(), end.position()) else { return false };
        let is_between = |at: DebugLocation| {
            at.position().is_some_and(|at| {
                let of = |position: &Position| (position.line, position.column);
                let is_one_file = at.file == first.file && at.directory == first.directory;
                // All of a macro is at one position, of which nothing is known to be in the loop.
                is_one_file && of(&first) < of(&at) && of(&at) <= of(&last)
            })
        };
        // A function that is called twice has its loops twice.
        self.at.with_calls().any(|at| at.call() == start.call() && is_between(at))
    }

    /// Returns true if it is in the function of a loop, and in one call of it.
    pub(crate) fn is_beside(&self, latch: Value<'_>) -> bool {
        // flang notes no places of loops.
        latch.loop_start().or(latch.location()).is_some_and(|start| start.call() == self.at.call())
    }
}

impl<'m> Places<'m> {
    pub(crate) fn new(function: Value<'m>, source: &str, text: &str) -> Self {
        let source: Arc<str> = source.into();
        let start = match function.subprogram() {
            Some((_, position)) => located(&source, &position),
            None => Location::new(Arc::clone(&source), definition_line(function.name(), text), 1),
        };
        let (mut variables, mut declarations) = (BTreeMap::new(), BTreeMap::new());
        let instructions = function.instructions();
        for DebugVariable { value, name, location } in instructions.flat_map(Value::variables) {
            if let Entry::Vacant(entry) = variables.entry(value) {
                entry.insert(name);
                declarations.extend(location.map(|location| (value, location)));
            }
        }
        Self { source, start, variables, declarations }
    }

    /// Returns the place of an instruction, if it has one; for code of a standard library, that of its call.
    pub(crate) fn of(&self, value: Value<'m>) -> Option<Location> {
        let position = value.position()?;
        let position = if is_of_library(&position) { value.outermost_position()? } else { position };
        Some(located(&self.source, &position))
    }

    /// Returns the place of the loop that a branch leads back to the start of, if the compiler has noted it; for code of
    /// a standard library, that of its call.
    pub(crate) fn of_loop(&self, latch: Value<'m>) -> Option<Location> {
        let start = latch.loop_start()?;
        let position = start.position()?;
        let position = if is_of_library(&position) { start.outermost()? } else { position };
        Some(located(&self.source, &position))
    }

    /// Returns the place where the variable of a value is declared, with those of the calls that it is declared in.
    pub(crate) fn declaration(&self, value: Value<'m>) -> Option<Declaration> {
        let at = *self.declarations.get(&value)?;
        let places =
            at.with_calls().filter_map(DebugLocation::position).map(|position| located(&self.source, &position));
        Some(Declaration { at, places: places.collect() })
    }

    /// Returns the place of an instruction, then that of the call that it was inlined at, and so on, up to the function itself.
    pub(crate) fn with_calls(&self, value: Value<'m>) -> Vec<Location> {
        let all = value.location().into_iter().flat_map(DebugLocation::with_calls);
        all.filter_map(DebugLocation::position).map(|position| located(&self.source, &position)).collect()
    }

    /// Returns the place in the function itself: for inlined code, that of the call.
    pub(crate) fn in_function(&self, value: Value<'m>) -> Option<Location> {
        value.outermost_position().map(|position| located(&self.source, &position))
    }

    /// Returns the place of an instruction, or else that of its function.
    pub(crate) fn or_start(&self, value: Value<'m>) -> Location {
        self.of(value).unwrap_or_else(|| self.start())
    }

    /// Returns the place of the function.
    pub(crate) fn start(&self) -> Location {
        self.start.clone()
    }

    /// Returns the variable that a value belongs to; for arguments and globals without one, LLVM's name.
    pub(crate) fn name(&self, value: Value<'m>) -> Option<String> {
        let own = || own_name(value);
        // What a function calls a global that it is given is no name of the global.
        if value.is_global() {
            return own();
        }
        let known = self.variables.get(&value).cloned().filter(|name| !name.starts_with('.'));
        known.or_else(|| if value.is_instruction() { None } else { own() })
    }

    /// Returns the variable that a value belongs to, or else LLVM's name of the value.
    pub(crate) fn name_or_value(&self, value: Value<'m>) -> Option<String> {
        self.name(value).or_else(|| own_name(value))
    }

    /// Returns the name of a value for messages, or `it`.
    pub(crate) fn describe(&self, value: Value<'m>) -> String {
        self.name(value).map_or_else(|| "it".to_owned(), |name| format!("`{name}`"))
    }
}

/// Returns LLVM's name of a value; of flang's `_QMfieldsEu`, the variable `u`, and of Clang's `f.i`, a `static` variable of a function, `i`.
fn own_name(value: Value<'_>) -> Option<String> {
    let whole = value.name();
    let mut parts = whole.split('.');
    let first = parts.next().filter(|name| !name.is_empty())?;
    let is_name = |part: &&str| part.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let of_function = parts.next().filter(is_name).filter(|_| value.is_global() && !value.is_constant_global());
    // What follows is a number, if there are several.
    let name = of_function.filter(|_| parts.next().is_none_or(|next| !is_name(&next))).unwrap_or(first);
    let variable = name.strip_prefix("_Q").and_then(|name| name.rsplit_once('E')).map(|(_, variable)| variable);
    Some(variable.unwrap_or(name).to_owned())
}

/// Returns true for a place in the standard library of C++ or Rust, which users do not look into.
fn is_of_library(position: &Position) -> bool {
    let is_its = |path: &str| path.starts_with("/rustc/") || path.contains("/include/c++/");
    is_its(&position.directory) || is_its(&position.file)
}

/// Returns the place for messages. The compiler names the file as it was given, or absolutely, or by its folder and
/// name.
fn located(source: &Arc<str>, position: &Position) -> Location {
    let absolute = format!("{}/{}", position.directory, position.file);
    let by_folder = !position.file.contains('/') && absolute.ends_with(&format!("/{source}"));
    let is_its = position.file == **source || absolute == **source || by_folder;
    let file = match is_its {
        true => Arc::clone(source),
        false => position.file.as_str().into(),
    };
    Location::new(file, position.line.max(1), position.column.max(1))
}

/// Returns the line of `define … @name(` in textual IR.
fn definition_line(name: &str, text: &str) -> u32 {
    let marks = [format!("@{name}("), format!("@\"{name}\"(")];
    let found = text.lines().position(|line| line.starts_with("define") && marks.iter().any(|m| line.contains(m)));
    found.and_then(|line| u32::try_from(line + 1).ok()).unwrap_or(1)
}
