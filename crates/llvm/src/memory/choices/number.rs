//! Choices among variables, as numbers.

use std::collections::{BTreeMap, BTreeSet};

use inkwell::module::Module;

use super::{choices, chosen, is_plain_read};
use crate::ir::ffi::{self, Opcode, Type, Value};

/// Replaces choices among the addresses of scalar variables that are only read and written through; returns true if there were any.
pub(super) fn number_variables(module: &Module<'_>, function: Value<'_>) -> bool {
    let mut left = numbered(function);
    let mut any = false;
    while let Some(first) = left.first().copied() {
        let web = connected(first, &left);
        left.retain(|choice| !web.contains(choice));
        if let Some(variables) = variables(&web) {
            replace(module, &web, &variables);
            any = true;
        }
    }
    any
}

/// Returns the choices among variables, or among such choices. Nothing but reads, writes and such choices makes use of either: so variables
/// are in registers afterwards, and reading one counts for nothing.
fn numbered<'m>(function: Value<'m>) -> BTreeSet<Value<'m>> {
    let mut found: BTreeSet<_> = choices(function).into_iter().collect();
    loop {
        let is_fine = |choice: &Value<'m>| {
            let known = |value: &Value<'m>| found.contains(value);
            let is_free = |variable: Value<'m>| {
                kind_of_variable(variable).is_some()
                    && variable
                        .users()
                        .iter()
                        .all(|user| known(user) || accessed(*user, variable).is_some() || user.calls("llvm.lifetime."))
            };
            let is_open = choice.opcode() != Some(Opcode::LLVMSelect)
                || choice.operand(0).is_some_and(|condition| condition.constant().is_none());
            is_open
                && chosen(*choice).iter().all(|address| known(address) || is_free(*address))
                && choice.users().iter().all(|user| known(user) || accessed(*user, *choice).is_some())
        };
        let fine: BTreeSet<_> = found.iter().copied().filter(is_fine).collect();
        if fine.len() == found.len() {
            return found;
        }
        found = fine;
    }
}

/// Returns the type of a scalar variable.
fn kind_of_variable(address: Value<'_>) -> Option<Type<'_>> {
    let is_one = address.opcode() == Some(Opcode::LLVMAlloca)
        && address.operand(0).is_some_and(|count| count.constant() == Some(1));
    let kind = address.pointee().filter(|_| is_one)?;
    (kind.is_pointer() || kind.is_float() || kind.integer_width().is_some()).then_some(kind)
}

/// Returns the type of what a plain read or write accesses at an address.
fn accessed<'m>(user: Value<'m>, address: Value<'m>) -> Option<Type<'m>> {
    match user.opcode() {
        Some(Opcode::LLVMLoad) => is_plain_read(user).then(|| user.r#type()),
        Some(Opcode::LLVMStore) => {
            let value = user.operand(0).filter(|value| *value != address && user.operand(1) == Some(address))?;
            (!user.is_volatile() && !user.is_atomic()).then(|| value.r#type())
        }
        _ => None,
    }
}

/// Returns the choices that depend on each other, or have a variable in common: all of them are replaced, or none.
fn connected<'m>(first: Value<'m>, all: &BTreeSet<Value<'m>>) -> BTreeSet<Value<'m>> {
    let (mut web, mut open) = (BTreeSet::from([first]), vec![first]);
    while let Some(choice) = open.pop() {
        let beside = chosen(choice).into_iter().flat_map(Value::users);
        let near = chosen(choice).into_iter().chain(choice.users()).chain(beside);
        open.extend(near.filter(|other| all.contains(other) && web.insert(*other)));
    }
    web
}

/// Returns the variables of connected choices, if they are of one type, as which they are accessed.
fn variables<'m>(web: &BTreeSet<Value<'m>>) -> Option<Vec<Value<'m>>> {
    let addresses = web.iter().flat_map(|choice| chosen(*choice));
    let variables: BTreeSet<_> = addresses.filter(|address| !web.contains(address)).collect();
    let addresses = web.iter().chain(&variables);
    let users = addresses.flat_map(|address| address.users().into_iter().map(move |user| (user, *address)));
    let mut kinds: BTreeSet<_> = users.filter_map(|(user, address)| accessed(user, address)).collect();
    kinds.extend(variables.iter().filter_map(|variable| kind_of_variable(*variable)));
    (kinds.len() == 1 && !variables.is_empty()).then(|| variables.into_iter().collect())
}

/// Replaces connected choices by numbers of variables, and what goes through them by accesses to all of these.
fn replace<'m>(module: &Module<'_>, web: &BTreeSet<Value<'m>>, variables: &[Value<'m>]) {
    let made: BTreeMap<Value<'m>, Value<'m>> =
        web.iter().map(|choice| (*choice, ffi::insert_number(module, *choice))).collect();
    let number = |address: Value<'m>| match made.get(&address) {
        Some(number) => *number,
        None => {
            let place = variables.iter().position(|variable| *variable == address);
            ffi::constant_number(module, place.unwrap_or_default())
        }
    };
    // A `select` of numbers takes the place of the number that was made for it.
    for (choice, made) in &made {
        ffi::choose_number(*choice, *made, &chosen(*choice).into_iter().map(number).collect::<Vec<_>>());
    }
    for (choice, number) in &made {
        for user in choice.users() {
            match user.opcode() {
                Some(Opcode::LLVMLoad) => ffi::read_numbered(module, user, *number, variables),
                Some(Opcode::LLVMStore) => ffi::write_numbered(module, user, *number, variables),
                _ => {}
            }
        }
    }
    ffi::erase_web(&web.iter().copied().collect::<Vec<_>>());
}
