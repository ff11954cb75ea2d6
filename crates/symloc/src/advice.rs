//! Hints that make a derivation shorter: fewer sizes, other lines of rows, no distances.

use std::collections::BTreeSet;

use symloc_affine::lines::loops;
use symloc_affine::rows::{Naming, Purpose};
use symloc_affine::{
    AccessId, Atom, Constraint, Expr, IterId, Layout, Modulus, Node, ParamId, Program, Relation, moduli,
};
use symloc_derivation::check::bounds;
use symloc_reuse::{LineSizes, Phase};

use super::fitting::{self, Span};

/// The size that hints propose where no sizes are known to fit: small moduli divide it.
const SIZE: i64 = 960;

/// Returns a hint how to derive a program for fewer sizes; `None` if it has only one size.
pub(crate) fn fewer_sizes(program: &Program, layout: Layout, lines: &LineSizes) -> Option<String> {
    let one = one_size(program, lines)?;
    let moduli: Vec<_> = divided(program, layout, lines, &|_| true)
        .into_iter()
        .filter(|modulus| !is_bounded(program, modulus.param))
        .collect();
    let some = moduli.iter().map(|m| format!("{} mod {} = 0", name(program, m.param), m.modulus)).collect::<Vec<_>>();
    Some(match some.join(", ") {
        some if some.is_empty() => format!("derive one size: --assume '{one}'"),
        some => {
            format!("derive fewer sizes: --assume '{some}'{}, or one: --assume '{one}'", by_loops(program, &moduli))
        }
    })
}

/// Returns conditions that leave one size; `None` if there is only one.
fn one_size(program: &Program, lines: &LineSizes) -> Option<String> {
    let all = || (0..program.params.len() as u32).map(ParamId);
    let free: Vec<ParamId> = all().filter(|param| is_free(program, lines, *param)).collect();
    if free.iter().all(|param| is_bounded(program, *param)) {
        return None;
    }
    let (starts, ends): (Vec<_>, Vec<_>) = free.iter().copied().partition(|param| only_starts(program, *param));
    let fixed = |param: &ParamId| !ends.contains(param);
    let known = all().filter(fixed).map(|param| (param, span(program, param, starts.contains(&param)))).collect();
    let sizes = fitting::sizes(program, &ends, &known).unwrap_or_default();
    let size = |param| match starts.contains(&param) {
        true => least(program, param),
        false => sizes.get(&param).copied().unwrap_or(SIZE),
    };
    Some(
        free.iter().map(|param| format!("{} = {}", name(program, *param), size(*param))).collect::<Vec<_>>().join(", "),
    )
}

/// Returns the values of a parameter for which no size is proposed, or its least one.
fn span(program: &Program, param: ParamId, is_least: bool) -> Span {
    let (least, most) = bounds(program, param.index());
    let largest = if is_least { least } else { most };
    Span { least: least.into(), largest: largest.into() }
}

/// Returns a hint how to derive an access in less time, whose longest phase this is; `None` if there is none.
pub(crate) fn for_access(
    program: &Program,
    layout: Layout,
    lines: &LineSizes,
    access: AccessId,
    longest: Phase,
) -> Option<String> {
    let mut ways = Vec::new();
    let ArrayRows { carried, whole } = rows(program, layout, lines, access);
    if carried {
        let array = &program.array(program.access(access).array).name;
        ways.push(format!("let every row of {array} start a line: --layout rows"));
    }
    let loops = loops_around(&program.body, access).unwrap_or_default();
    let meets = |modulus: &Modulus| modulus.loops.is_empty() || modulus.loops.iter().any(|l| loops.contains(l));
    let moduli = divided(program, layout, lines, &|other| other == access).into_iter();
    let moduli: Vec<_> = moduli.filter(|modulus| meets(modulus) && !is_bounded(program, modulus.param)).collect();
    let rests = moduli.iter().map(|m| format!("{} mod {} = 0", name(program, m.param), m.modulus));
    let implied = |condition: &String| moduli.iter().any(|modulus| implies(program, modulus, condition));
    let conditions: BTreeSet<String> = rests.chain(whole.into_iter().filter(|condition| !implied(condition))).collect();
    if !conditions.is_empty() {
        let conditions = conditions.into_iter().collect::<Vec<_>>().join(", ");
        ways.push(format!("derive fewer sizes: --assume '{conditions}'{}", by_places(program, &moduli)));
    }
    ways.extend(one_size(program, lines).map(|one| format!("derive one size: --assume '{one}'")));
    if matches!(longest, Phase::PrevLines | Phase::Distances | Phase::CountDistances) {
        ways.push("derive intervals alone: leave out --exact".to_owned());
    }
    (!ways.is_empty()).then(|| ways.join("; or "))
}

/// Returns true if a condition is `p mod d = 0`, and d divides the modulus, which is one of p.
fn implies(program: &Program, modulus: &Modulus, condition: &str) -> bool {
    let rest = condition.strip_prefix(name(program, modulus.param)).and_then(|rest| rest.strip_prefix(" mod "));
    let divisor = rest.and_then(|rest| rest.strip_suffix(" = 0")).and_then(|divisor| divisor.parse::<i64>().ok());
    divisor.is_some_and(|divisor| divisor > 0 && modulus.modulus % divisor == 0)
}

/// The position of an array's rows in lines.
#[derive(Default)]
struct ArrayRows {
    /// True if they follow each other and begin at different places of a line.
    carried: bool,
    /// The conditions under which they are whole lines and need no padding.
    whole: BTreeSet<String>,
}

/// Returns how the rows of an access's array lie.
fn rows(program: &Program, layout: Layout, lines: &LineSizes, access: AccessId) -> ArrayRows {
    let mut rows = ArrayRows::default();
    let (Layout::Memory, LineSizes::Fixed(lines)) = (layout, lines) else { return rows };
    let array = program.array(program.access(access).array);
    for elements in lines.iter().filter_map(|line| line.elements(array).ok()) {
        match Naming::of(program, array, elements, Purpose::RowsApart) {
            Ok(Naming::Padded(padded)) => rows.whole.extend(padded.why.and_then(|why| why.whole_lines(program))),
            Ok(naming) => rows.carried |= naming.carries_rows(),
            // The derivation has refused it.
            Err(_) => {}
        }
    }
    rows
}

/// Returns the loops around an access, outermost first; `None` if it is not below the nodes.
fn loops_around(nodes: &[Node], access: AccessId) -> Option<Vec<IterId>> {
    nodes.iter().find_map(|node| match node {
        Node::Loop(l) => {
            let mut loops = loops_around(&l.body, access)?;
            loops.insert(0, l.iter);
            Some(loops)
        }
        Node::If(guard) => loops_around(&guard.then, access).or_else(|| loops_around(&guard.otherwise, access)),
        Node::Access(id) => (*id == access).then(Vec::new),
        Node::Operations(_) | Node::Mark(_) => None,
    })
}

/// Returns a remark with the places of the loops that divide by the moduli; an empty text if there are none.
fn by_places(program: &Program, moduli: &[Modulus]) -> String {
    let loops: BTreeSet<IterId> = moduli.iter().flat_map(|modulus| modulus.loops.iter().copied()).collect();
    let place = |l: &IterId| {
        let iter = &program.iters[l.index()];
        iter.location.as_ref().map_or_else(|| iter.name.clone(), |place| format!("{} at {place}", iter.name))
    };
    let places: Vec<_> = loops.iter().map(place).collect();
    if places.is_empty() { String::new() } else { format!(" (divided in loops {})", places.join(", ")) }
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

/// Returns the moduli by which loops divide, and the lines of some accesses.
fn divided(program: &Program, layout: Layout, lines: &LineSizes, of: &dyn Fn(AccessId) -> bool) -> Vec<Modulus> {
    let lines = match lines {
        LineSizes::Fixed(lines) => lines.as_slice(),
        LineSizes::Symbolic(_) => &[],
    };
    moduli(program, |access| {
        if !of(access) {
            return Vec::new();
        }
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
        && (!is_bounded(program, param) || least(program, param) >= 1)
        && on_it().any(starts)
}

/// Returns true if loops start at the parameter, or count down to it, and none ends at it: all have fewer iterations where it is larger.
fn only_starts(program: &Program, param: ParamId) -> bool {
    let is_it = |atom: &Atom| *atom == Atom::Param(param);
    // In a floor it may go either way.
    let sign = |expr: &Expr| expr.terms().find_map(|(atom, factor)| is_it(atom).then_some(factor.signum()));
    let rises = |expr: &&Expr| expr.mentions(&is_it) && sign(expr) != Some(-1);
    let falls = |expr: &&Expr| sign(expr) == Some(-1);
    let (mut starts, mut ends) = (false, false);
    loops(&program.body, &mut |l| {
        starts |= l.lower.iter().any(|expr| rises(&expr)) || l.upper.iter().any(|expr| falls(&expr));
        ends |= l.upper.iter().any(|expr| rises(&expr)) || l.lower.iter().any(|expr| falls(&expr));
    });
    starts && !ends
}

/// Returns the least value that the conditions on a parameter alone allow.
fn least(program: &Program, param: ParamId) -> i64 {
    bounds(program, param.index()).0
}

fn name(program: &Program, param: ParamId) -> &str {
    &program.params[param.index()].name
}
