//! Converts an expression to statements: one for each pairwise contraction of a good path, or one for all.

use crate::expression::{IndexLetter, distinct};
use crate::kernel::{ArrayAccess, ArrayId, Form, Kernel, KernelArray, KernelStatement};
use crate::path::{self, Tree};

/// Returns the kernel with one nest: the output's loops, then those that are summed.
pub(crate) fn direct(mut kernel: Kernel) -> Kernel {
    remove_temporaries(&mut kernel);
    let factors = kernel.operands.clone();
    push_statement(&mut kernel, None, &factors);
    kernel
}

/// Returns the kernel with one nest for each contraction of the path, into temporaries `T1`, `T2`, … and at last into the result.
pub(crate) fn contracted(mut kernel: Kernel) -> Kernel {
    remove_temporaries(&mut kernel);
    let tree = path::best(&kernel.expression);
    let factors = factors(&mut kernel, &tree);
    push_statement(&mut kernel, None, &factors);
    kernel
}

/// Removes the temporaries: the result is behind the operands, and temporaries are behind it.
fn remove_temporaries(kernel: &mut Kernel) {
    kernel.statements.clear();
    kernel.arrays.truncate(kernel.result.0 + 1);
}

/// Adds `target = Π factors`; without a target, that is the result.
fn push_statement(kernel: &mut Kernel, target: Option<ArrayId>, factors: &[ArrayId]) {
    let access = |id: ArrayId| ArrayAccess { array: id, place: kernel.array(id).place };
    let factors = factors.iter().copied().map(access).collect();
    let statement =
        KernelStatement::new(&kernel.arrays, access(target.unwrap_or(kernel.result)), Form::Memory, factors);
    kernel.statements.push(statement);
}

/// Returns the factors of a node, after adding the statements beneath it.
fn factors(kernel: &mut Kernel, tree: &Tree) -> Vec<ArrayId> {
    match tree {
        Tree::Operand(position) => vec![kernel.operands[*position]],
        Tree::Reduced(inner) => vec![value(kernel, inner)],
        Tree::Pair(left, right) => vec![value(kernel, left), value(kernel, right)],
    }
}

/// Returns the array that holds the value of a node, after adding the statements that compute it.
fn value(kernel: &mut Kernel, tree: &Tree) -> ArrayId {
    if let Tree::Operand(position) = tree {
        return kernel.operands[*position];
    }
    let factors = factors(kernel, tree);
    let place = factors.first().map_or(kernel.expression.output.place, |id| kernel.array(*id).place);
    let indices = kept(kernel, tree, &factors);
    let target = kernel.add_array(KernelArray { name: free_name(kernel), indices, place });
    push_statement(kernel, Some(target), &factors);
    target
}

/// Returns `T` and the first number that makes it a new name.
fn free_name(kernel: &Kernel) -> String {
    let is_free = |name: &String| kernel.arrays.iter().all(|array| array.name != *name);
    (1..).map(|number: usize| format!("T{number}")).find(is_free).unwrap_or_default()
}

/// Returns the indices of the factors that the output or another operand has.
fn kept(kernel: &Kernel, tree: &Tree, factors: &[ArrayId]) -> Vec<IndexLetter> {
    let inside = tree.operands();
    let others = kernel.expression.operands.iter().enumerate().filter(|(position, _)| !inside.contains(position));
    let needed: Vec<IndexLetter> = others.flat_map(|(_, operand)| operand.indices.iter().copied()).collect();
    let is_kept = |index: &IndexLetter| needed.contains(index) || kernel.expression.output.indices.contains(index);
    distinct(factors.iter().flat_map(|id| &kernel.array(*id).indices)).into_iter().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the statements in the notation of expressions.
    fn steps(kernel: &Kernel) -> Vec<String> {
        let text = |access: &ArrayAccess| {
            let array = kernel.array(access.array);
            let indices: String = array.indices.iter().map(IndexLetter::to_string).collect();
            format!("{}{}{indices}", array.name, if indices.is_empty() { "" } else { "." })
        };
        let step = |s: &KernelStatement| {
            let factors: Vec<_> = s.factors.iter().map(text).collect();
            format!("{} = {}", text(&s.target), factors.join(" "))
        };
        kernel.statements.iter().map(step).collect()
    }

    #[test]
    fn contractions_become_statements() {
        let kernel = Kernel::from_expression("<expression>", "ab,b,ca->c").unwrap();
        assert_eq!(steps(&kernel), ["T1.a = A.ab B.b", "out.c = T1.a C.ca"]);
        assert_eq!(steps(&kernel.direct()), ["out.c = A.ab B.b C.ca"]);
        let kernel = Kernel::from_expression("<expression>", "ij,kl->").unwrap();
        assert_eq!(steps(&kernel), ["T1 = B.kl", "out = A.ij T1"]);
    }
}
