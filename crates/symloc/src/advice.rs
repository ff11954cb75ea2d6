//! Hints that make a derivation shorter, by fewer sizes.

use std::collections::BTreeSet;

use symloc_affine::{Atom, Constraint, Expr, IterId, Layout, Modulus, ParamId, Program, Relation, moduli};
use symloc_reuse::LineSizes;

/// The size that hints propose: small moduli divide it.
const SIZE: i64 = 960;

/// Returns a hint how to derive a program for fewer sizes; `None` if it has only one size.
pub(crate) fn fewer_sizes(program: &Program, layout: Layout, lines: &LineSizes) -> Option<String> {
    let free = (0..program.params.len() as u32).map(ParamId).filter(|param| is_free(program, lines, *param));
    let one = free.map(|param| format!("{} = {SIZE}", name(program, param))).collect::<Vec<_>>().join(", ");
    if one.is_empty() {
        return None;
    }
    let moduli: Vec<_> =
        divided(program, layout, lines).into_iter().filter(|modulus| !is_bounded(program, modulus.param)).collect();
    let some = moduli.iter().map(|m| format!("{} mod {} = 0", name(program, m.param), m.modulus)).collect::<Vec<_>>();
    Some(match some.join(", ") {
        some if some.is_empty() => format!("derive one size: --assume '{one}'"),
        some => {
            format!("derive fewer sizes: --assume '{some}'{}, or one: --assume '{one}'", by_loops(program, &moduli))
        }
    })
}

/// Returns a remark that names the loops that divide by the moduli; an empty text if there are none.
fn by_loops(program: &Program, moduli: &[Modulus]) -> String {
    let loops: BTreeSet<IterId> = moduli.iter().flat_map(|modulus| modulus.loops.iter().copied()).collect();
    let names: Vec<&str> = loops.iter().map(|l| program.iters[l.index()].name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        [name] => format!(" (loop {name} divides them)"),
        [names @ .., last] => format!(" (loops {} and {last} divide them)", names.join(", ")),
    }
}

/// Returns the moduli by which loops and lines divide.
fn divided(program: &Program, layout: Layout, lines: &LineSizes) -> Vec<Modulus> {
    let lines = match lines {
        LineSizes::Fixed(lines) => lines.as_slice(),
        LineSizes::Symbolic(_) => &[],
    };
    moduli(program, |access| {
        let access = program.access(access);
        let blocks = lines.iter().filter_map(|line| layout.block(program, access, *line).ok());
        blocks.flatten().collect()
    })
}

/// Returns true if the context bounds a parameter from above, whatever the other sizes are.
fn is_bounded(program: &Program, param: ParamId) -> bool {
    let falls = |condition: &Constraint| condition.expr.terms().all(|(_, coefficient)| coefficient < 0);
    let mentions = |condition: &Constraint| condition.expr.mentions(&|atom| *atom == Atom::Param(param));
    program.context.iter().any(|condition| mentions(condition) && falls(condition))
}

/// Returns true if the parameter is a size without a value by an assumption.
fn is_free(program: &Program, lines: &LineSizes, param: ParamId) -> bool {
    let only = |expr: &Expr| expr.terms().all(|(atom, _)| *atom == Atom::Param(param)) && expr.as_constant().is_none();
    let on_it = || program.context.iter().filter(|condition| only(&condition.expr));
    let is_given = on_it().any(|condition| condition.relation == Relation::Zero);
    let starts = |condition: &Constraint| condition.expr.terms().all(|(_, coefficient)| coefficient > 0);
    !matches!(lines, LineSizes::Symbolic(line) if *line == param)
        && !is_given
        && !is_bounded(program, param)
        && on_it().any(starts)
}

fn name(program: &Program, param: ParamId) -> &str {
    &program.params[param.index()].name
}
