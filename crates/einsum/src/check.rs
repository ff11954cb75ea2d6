//! Checks that the statements compute the expression.
//!
//! Sums distribute over products, so the value of an array after some statements can be written as Σ Π operands, where the sum runs over
//! some indices. An array has the same indices wherever it occurs; so an index means the same everywhere, and the value is the expression
//! exactly if each operand is multiplied in once, and each index that is not in the output is summed over once. If an index is summed over
//! in one temporary while another factor still depends on it, it would have to be summed over again, and then occurs twice.

use crate::error::{Diagnostic, Place};
use crate::expression::IndexLetter;
use crate::kernel::{ArrayAccess, ArrayId, Form, Kernel, KernelStatement};

/// Σ over `summed` of Π `operands`.
#[derive(Clone, Default)]
struct ProductTerm {
    operands: Vec<ArrayId>,
    summed: Vec<IndexLetter>,
}

/// The value of an array: a sum of terms; `None` before the first assignment.
type ArrayValue = Option<Vec<ProductTerm>>;

/// Follows the statements, and compares the value of the result with the expression.
///
/// # Errors
///
/// The first difference, with its place.
pub(crate) fn computes_its_expression(kernel: &Kernel) -> Result<(), Diagnostic> {
    let mut values: Vec<ArrayValue> = vec![None; kernel.arrays.len()];
    for id in &kernel.operands {
        values[id.0] = Some(vec![ProductTerm { operands: vec![*id], summed: Vec::new() }]);
    }
    for statement in &kernel.statements {
        values[statement.target.array.0] = Some(value(kernel, statement, &values)?);
    }
    let is_result = |statement: &&KernelStatement| statement.target.array == kernel.result;
    let result = kernel.statements.iter().rev().find(is_result);
    let place = result.map_or(kernel.array(kernel.result).place, |statement| statement.target.place);
    let access = ArrayAccess { array: kernel.result, place };
    compare(kernel, &single_term(kernel, access, &values)?, place)
}

/// Returns the value of the target after the statement.
fn value(kernel: &Kernel, statement: &KernelStatement, values: &[ArrayValue]) -> Result<Vec<ProductTerm>, Diagnostic> {
    let target = kernel.array(statement.target.array);
    let mut product = ProductTerm::default();
    for factor in &statement.factors {
        let term = single_term(kernel, *factor, values)?;
        product.operands.extend(term.operands);
        product.summed.extend(term.summed);
    }
    product.summed.extend(statement.order.iter().filter(|index| !target.indices.contains(index)));
    match (statement.form, &values[statement.target.array.0]) {
        (Form::Zero, _) => Ok(Vec::new()),
        (Form::Memory | Form::Register, _) => Ok(vec![product]),
        (Form::Add, Some(before)) => Ok([before.clone(), vec![product]].concat()),
        (Form::Add, None) => Err(unassigned(kernel, statement.target).hint("set it to zero first, with `= 0`")),
    }
}

/// Returns the value of an array that is one product.
fn single_term(kernel: &Kernel, access: ArrayAccess, values: &[ArrayValue]) -> Result<ProductTerm, Diagnostic> {
    let name = &kernel.array(access.array).name;
    match values[access.array.0].as_deref() {
        Some([term]) => Ok(term.clone()),
        Some([]) => Err(Diagnostic::new(access.place, format!("`{name}` is only zero"))),
        Some(_) => {
            Err(Diagnostic::new(access.place, format!("`{name}` is the sum of several products, which no einsum is")))
        }
        None => Err(unassigned(kernel, access)),
    }
}

fn unassigned(kernel: &Kernel, access: ArrayAccess) -> Diagnostic {
    let name = &kernel.array(access.array).name;
    Diagnostic::new(access.place, format!("`{name}` has no value yet"))
}

fn compare(kernel: &Kernel, term: &ProductTerm, place: Place) -> Result<(), Diagnostic> {
    let expression = &kernel.expression;
    let differs = |what: String| Diagnostic::new(place, format!("this is not `{expression}`: {what}"));
    for id in &kernel.operands {
        let wanted = kernel.operands.iter().filter(|other| *other == id).count();
        let found = term.operands.iter().filter(|other| *other == id).count();
        if found != wanted {
            let name = &kernel.array(*id).name;
            return Err(differs(match found {
                0 => format!("`{name}` is never a factor"),
                _ => format!("`{name}` is a factor {}, not {}", times(found), times(wanted)),
            }));
        }
    }
    for index in expression.indices() {
        let wanted = usize::from(!expression.output.indices.contains(&index));
        let found = term.summed.iter().filter(|other| **other == index).count();
        if found != wanted {
            return Err(differs(format!("index `{index}` is summed over {}, not {}", times(found), times(wanted))));
        }
    }
    Ok(())
}

fn times(count: usize) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}
