//! An order as a script of MLIR's transform dialect, which tiles operations on whole arrays and permutes their loops.

use std::fmt::Write;

use symloc_advise::{Advice, AdvisedOrder, RectangularLoop, RectangularNest};
use symloc_affine::Location;
use symloc_mlir::StructuredOperation;
use symloc_query::CliError;

/// Returns the script that does to the operations of a function what an order does to their loops.
///
/// # Errors
///
/// A refusal if the function has other loops than those of single operations at its top level, or if the order does more
/// than permute and tile the loops of each.
pub(super) fn script(
    file: &str,
    function: &str,
    operations: &[StructuredOperation],
    advice: &Advice,
    order: &AdvisedOrder,
) -> Result<String, CliError> {
    if let Some(operation) = operations.iter().find(|operation| !operation.is_apart) {
        return Err(refused(file, operation.location.as_ref(), "this operation is in a loop or a branch"));
    }
    let nests = order.rectangular_nests(&advice.scop).map_err(|why| {
        refused(file, None, &format!("the order does more than permute and tile the loops of each operation: {why}"))
    })?;
    let is_of = |nest: &RectangularNest, operation: &StructuredOperation| {
        operation.location.as_ref().is_some_and(|at| (at.line, at.column) == (nest.location.line, nest.location.column))
    };
    for nest in &nests {
        if !operations.iter().any(|operation| is_of(nest, operation)) {
            let why = "this statement is in loops of its own, and no operation of linalg";
            return Err(refused(file, Some(&nest.location), why));
        }
    }
    for operation in operations {
        let own: Vec<_> = nests.iter().filter(|nest| is_of(nest, operation)).collect();
        if own.len() != 1 {
            return Err(refused(file, operation.location.as_ref(), "this operation is not one statement"));
        }
    }
    Ok(text(function, &nests))
}

fn refused(file: &str, at: Option<&Location>, why: &str) -> CliError {
    let place = at.map_or_else(|| file.to_owned(), ToString::to_string);
    CliError::with_hint(
        format!("{place}: no script of the transform dialect reproduces this order: {why}"),
        "leave out --transform: -o writes the loops themselves",
    )
}

/// Returns the script; the nests are those of the function's operations, in their sequence.
fn text(function: &str, nests: &[RectangularNest]) -> String {
    let mut text = format!(
        "// mlir-opt FILE --transform-preload-library=transform-library-paths=THIS --transform-interpreter\n\
         // On memrefs --convert-linalg-to-loops makes loops of the result.\n\
         module attributes {{transform.with_named_sequence}} {{\n  \
         transform.named_sequence @__transform_main(%module: {ANY} {{transform.readonly}}) {{\n    \
         %function = transform.structured.match ops{{[\"func.func\"]}} attributes {{sym_name = {function:?}}} in %module \
         : ({ANY}) -> {ANY}\n    \
         %all = transform.structured.match interface{{LinalgOp}} in %function : ({ANY}) -> {ANY}\n",
    );
    let names: Vec<_> = (0..nests.len()).map(|index| format!("%op{index}")).collect();
    let kinds = vec![ANY; nests.len()].join(", ");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "    {} = transform.split_handle %all : ({ANY}) -> ({kinds})", names.join(", "));
    for (index, nest) in nests.iter().enumerate() {
        push(&mut text, index, nest);
    }
    text + "    transform.yield\n  }\n}\n"
}

const ANY: &str = "!transform.any_op";

/// Appends what is done to one operation.
fn push(text: &mut String, index: usize, nest: &RectangularNest) {
    let inner = nest.loops.iter().rposition(|l| l.values > 1).map_or(0, |last| last + 1);
    let (tiles, inside) = nest.loops.split_at(inner);
    let whole: Vec<usize> = inside.iter().map(|l| l.place).collect();
    let interchange = permutation(&whole, nest.depth, Side::Front);
    if tiles.is_empty() && interchange.is_none() {
        return;
    }
    let mut name = format!("%op{index}_generic");
    let _ = writeln!(text, "    {name} = transform.structured.generalize %op{index} : ({ANY}) -> {ANY}");
    for (round, loops) in rounds(tiles).into_iter().enumerate() {
        let mut sizes = vec![0; nest.depth];
        loops.iter().for_each(|l| sizes[l.place] = l.values);
        let places: Vec<usize> = loops.iter().map(|l| l.place).collect();
        let order = permutation(&places, nest.depth, Side::Back);
        let order = order.map_or_else(String::new, |order| format!(" interchange = {order:?}"));
        let (tiled, kinds) = (format!("%op{index}_tiled{round}"), vec![ANY; loops.len() + 1].join(", "));
        let _ = writeln!(
            text,
            "    {tiled}, {tiled}_loops:{} = transform.structured.tile_using_for {name} tile_sizes {sizes:?}{order} \
             : ({ANY}) -> ({kinds})",
            loops.len()
        );
        name = tiled;
    }
    if let Some(order) = interchange {
        let _ = writeln!(
            text,
            "    %op{index}_permuted = transform.structured.interchange {name} iterator_interchange = {order:?} : ({ANY}) -> {ANY}"
        );
    }
}

/// Divides loops into runs in which no iterator is tiled twice, each for one operation.
fn rounds(loops: &[RectangularLoop]) -> Vec<Vec<RectangularLoop>> {
    let mut rounds: Vec<Vec<RectangularLoop>> = Vec::new();
    for l in loops {
        match rounds.last_mut() {
            Some(round) if round.iter().all(|other| other.place != l.place) => round.push(*l),
            _ => rounds.push(vec![*l]),
        }
    }
    rounds
}

/// The side of a permutation on which loops stand that have one iteration, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Back,
}

/// Returns a permutation of all loops with some of them in a given order; `None` if these are in order already.
fn permutation(places: &[usize], depth: usize, others: Side) -> Option<Vec<usize>> {
    if places.is_sorted() {
        return None;
    }
    let others_of = || (0..depth).filter(|place| !places.contains(place));
    Some(match others {
        Side::Front => others_of().chain(places.iter().copied()).collect(),
        Side::Back => places.iter().copied().chain(others_of()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_tile_no_iterator_twice() {
        let l = |place, values| RectangularLoop { place, values };
        let loops = [l(2, 64), l(0, 1), l(2, 8), l(1, 4)];
        let found: Vec<_> = rounds(&loops).iter().map(Vec::len).collect();
        assert_eq!(found, [2, 2]);
        assert_eq!(permutation(&[2, 0], 3, Side::Back), Some(vec![2, 0, 1]));
        assert_eq!(permutation(&[2, 1], 3, Side::Front), Some(vec![0, 2, 1]));
        assert_eq!(permutation(&[0, 2], 3, Side::Front), None);
    }
}
