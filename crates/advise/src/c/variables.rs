//! The variables that a function declares between its loops: those whose declarations are copied into the statements that
//! use them, those that each run of a statement has for itself, and new names where two would collide.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessId, AccessKind, ArrayId, Program};

use super::accumulators::Replacement;
use super::operations::fresh_word;
use super::reading::source::{LocalVariables, SourceFunction, SourceStatement};
use super::reading::text::place;
use crate::error::AdviseError;

/// Checks that each parameter of the program is a variable of the source that the function does not change, so that it
/// can stand in new loops.
///
/// # Errors
///
/// [`AdviseError::Source`] with the parameter.
pub(crate) fn check_sizes(program: &Program, source: &SourceFunction, text: &str) -> Result<(), AdviseError> {
    for param in &program.params {
        let name = param.argument.as_ref().unwrap_or(&param.name);
        if !source.constants.contains_key(name) {
            let why = format!(
                "the size `{name}` is not a variable that keeps its value in the whole function: copy it to one of that \
                 name in front of the loops, or pass it as an argument"
            );
            return Err(refused(text, source.region.0, why));
        }
    }
    Ok(())
}

fn refused(text: &str, offset: usize, why: String) -> AdviseError {
    let (line, column) = place(text, offset);
    AdviseError::Source { line, column, why }
}

/// Returns the statements that declare a variable which never changes, from values that no other statement of the loops
/// writes: then its value can be computed again wherever it is used.
///
/// # Errors
///
/// [`AdviseError::Source`] if a pointer or a struct is declared between the loops and is none of these.
pub(crate) fn copied_declarations(
    program: &Program,
    source: &SourceFunction,
    placed: &BTreeMap<AccessId, usize>,
    text: &str,
) -> Result<BTreeSet<usize>, AdviseError> {
    let is_fixed = |s: &SourceStatement| s.declares.as_ref().is_some_and(|variable| variable.is_fixed);
    let statements = source.statements.iter().enumerate();
    let mut copied: BTreeSet<usize> = statements.filter(|(_, s)| is_fixed(s)).map(|(place, _)| place).collect();
    let of_kind = |kind: AccessKind| {
        let accesses = placed.iter().map(|(id, statement)| (program.access(*id), *statement));
        accesses.filter(move |(access, _)| access.kind == kind).map(|(access, statement)| (access.array, statement))
    };
    loop {
        let others = of_kind(AccessKind::Write).filter(|(_, statement)| !copied.contains(statement));
        let written: BTreeSet<_> = others.map(|(array, _)| array).collect();
        let reads = of_kind(AccessKind::Read).filter(|(array, _)| written.contains(array));
        let known = copied.len();
        reads.for_each(|(_, statement)| {
            copied.remove(&statement);
        });
        if copied.len() == known {
            break;
        }
    }
    for (place, statement) in source.statements.iter().enumerate() {
        if let Some(variable) = statement.declares.as_ref().filter(|v| v.is_bound && !copied.contains(&place)) {
            let why =
                format!("`{}` is made of values that change in the loops: declare it in front of them", variable.name);
            return Err(refused(text, statement.range.0, why));
        }
    }
    Ok(copied)
}

/// Returns the arrays of the program that are variables which a statement declares for itself: each run of the statement
/// has one of its own, so they order nothing. Names are unique in the program, where a number is added to the source's;
/// pointers in memory are called `row_ptr`. An array is taken for a local variable only if no other statement touches it,
/// if it is written first, and if the statement declares as many variables of the name.
pub(crate) fn local_variables(
    program: &Program,
    source: &SourceFunction,
    placed: &BTreeMap<AccessId, usize>,
) -> BTreeSet<ArrayId> {
    let mut touched: BTreeMap<ArrayId, (AccessKind, BTreeSet<usize>)> = BTreeMap::new();
    for (id, statement) in placed {
        let access = program.access(*id);
        touched.entry(access.array).or_insert_with(|| (access.kind, BTreeSet::new())).1.insert(*statement);
    }
    let mut found: BTreeMap<(usize, &str), Vec<ArrayId>> = BTreeMap::new();
    for (array, (first, statements)) in &touched {
        let Some(statement) = statements.first().filter(|_| statements.len() == 1 && *first == AccessKind::Write)
        else {
            continue;
        };
        let (name, shape) = (&program.array(*array).name, &program.array(*array).shape);
        let written = &source.statements[*statement];
        let is_outer = written.uses.contains(name) && !written.locals.contains_key(name);
        let is_it = |(local, variables): &(&String, &LocalVariables)| {
            is_name_of(local, name) && variables.are_arrays != shape.is_empty()
        };
        let local = written.locals.iter().find(is_it).filter(|_| !is_outer && !written.shadows);
        if let Some((local, _)) = local {
            found.entry((*statement, local)).or_default().push(*array);
        }
    }
    let declared = |statement: usize, name: &str| source.statements[statement].locals[name].number;
    let sure = found.into_iter().filter(|((statement, name), arrays)| arrays.len() <= declared(*statement, name));
    sure.flat_map(|(_, arrays)| arrays).collect()
}

/// Returns true if a variable of the source may be called so in the program.
fn is_name_of(local: &str, array: &str) -> bool {
    let rest = array.strip_prefix(local).map(|rest| rest.strip_prefix("_ptr").unwrap_or(rest));
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('_').is_some_and(is_number))
}

/// Returns new names for the variables that are declared in front of the new loops, where the function has another
/// variable of the same name.
///
/// # Errors
///
/// [`AdviseError::Source`] if a variable that needs another name is used in the text of a macro.
pub(crate) fn renamed_variables(
    source: &SourceFunction,
    copied: &BTreeSet<usize>,
    elements: &BTreeMap<String, Replacement>,
    text: &str,
) -> Result<BTreeMap<String, Replacement>, AdviseError> {
    let mut renamed: BTreeMap<String, Replacement> = BTreeMap::new();
    for (index, statement) in source.statements.iter().enumerate() {
        let Some(variable) = statement.declares.as_ref().filter(|_| !copied.contains(&index)) else { continue };
        let words = || source.statements.iter().flat_map(|statement| &statement.words);
        let is_other = words().any(|word| word.name == variable.name && word.id != variable.id);
        if elements.contains_key(&variable.id) || !is_other && !source.several.contains(&variable.name) {
            continue;
        }
        if words().any(|word| word.id == variable.id && word.place.is_none()) {
            let why = format!("`{}` is the name of several variables, and a macro uses it: rename one", variable.name);
            return Err(refused(text, statement.range.0, why));
        }
        let mut name = format!("{}_{}", variable.name, renamed.len() + 1);
        while renamed.values().any(|other| other.text == name) || fresh_word(text, &name) != name {
            name.push('_');
        }
        renamed.insert(variable.id.clone(), Replacement { text: name, ..Replacement::default() });
    }
    Ok(renamed)
}
