//! The way from a draft to a program: the parameters that are used, in their order, and names.

use symloc_affine::{
    Array, AssumptionKind, Atom, Constraint, Expr, If, Iter, Loop, LoopStep, Node, Overflow, Param, ParamId, Program,
    Unused, is_name, is_source_name,
};

use crate::diagnostics::{Diagnostic, Kind, Note};
use crate::draft::{Candidate, Draft, DraftIter, Origin};
use crate::extents;
use crate::names::{Namespace, closest, is_argument, meaningful};

/// A program, and the origin of its parameters.
#[derive(Debug)]
pub struct Finished {
    /// The program.
    pub program: Program,
    /// The notes about it.
    pub notes: Vec<Note>,
    /// The candidate of each parameter, by its number.
    pub candidates: Vec<usize>,
}

/// Numbers the parameters, names everything and applies the renamings.
pub fn finish(draft: Draft, renames: &[(String, String)]) -> Result<(Program, Vec<Note>), Vec<Diagnostic>> {
    finished(draft, renames).map(|finished| (finished.program, finished.notes))
}

/// Does the work of [`finish`], and returns the candidates of the parameters too.
pub fn finished(mut draft: Draft, renames: &[(String, String)]) -> Result<Finished, Vec<Diagnostic>> {
    let order = number_params(&mut draft)
        .map_err(|overflow| vec![Diagnostic::new(Kind::Internal, None, format!("numbering parameters: {overflow}"))])?;
    let mut names = Namespace::default();
    let param_names: Vec<_> = order.iter().map(|&candidate| name_of(&draft.candidates, candidate)).collect();
    let param_names = param_names.iter().map(Option::as_deref);
    let params = param_names.clone().zip(named(param_names, "p", &mut names));
    let params: Vec<Param> = params.map(|(source, name)| Param { argument: argument(source, &name), name }).collect();
    let iters = named_iterators(&draft, &mut names);
    name_arrays(&mut draft.arrays);
    let params = rename(params, &iters, renames)?;
    draft.notes.extend(arguments(&params));
    draft.notes.extend(products(&draft.candidates, &order, &params));
    let without_effect = without_effect(&draft, &order, &params);
    let mut program = Program {
        name: draft.function,
        context: domains(&draft.candidates, &order)
            .map_err(|overflow| vec![Diagnostic::new(Kind::Internal, None, format!("the context: {overflow}"))])?,
        multiples: Vec::new(),
        without_effect,
        params,
        arrays: draft.arrays,
        iters,
        accesses: draft.accesses,
        body: draft.body,
    };
    program.assume(draft.context);
    Ok(Finished { program, notes: draft.notes, candidates: order })
}

/// Returns the name of a candidate in the source; that of a product joins the names of its factors.
fn name_of(candidates: &[Candidate], index: usize) -> Option<String> {
    let candidate = candidates.get(index)?;
    match &candidate.origin {
        Origin::Product(factors) => {
            let names: Option<Vec<_>> =
                factors.iter().map(|factor| meaningful(&name_of(candidates, factor.index())?)).collect();
            names.map(|names| names.join("_"))
        }
        _ => candidate.name.clone(),
    }
}

/// Returns the name in the source, if it is one word and differs from that of the parameter.
fn argument(source: Option<&str>, name: &str) -> Option<String> {
    source.filter(|source| *source != name && is_source_name(source)).map(str::to_owned)
}

/// Returns the domains of the parameters, as constraints.
fn domains(candidates: &[Candidate], order: &[usize]) -> Result<Vec<Constraint>, Overflow> {
    let mut context = Vec::new();
    for (param, candidate) in (0..).zip(order) {
        let (param, candidate) = (Expr::param(ParamId(param)), &candidates[*candidate]);
        if let Some(least) = candidate.domain.least() {
            context.push(Constraint::non_negative(param.plus_constant(-least)?));
        }
        if let Some(largest) = candidate.largest() {
            context.push(Constraint::non_negative(Expr::constant(largest).minus(&param)?));
        }
    }
    Ok(context)
}

/// Adds the factors of products to some candidates.
fn with_factors(candidates: &[Candidate], mut some: Vec<usize>) -> Vec<usize> {
    let mut next = 0;
    while let Some(&candidate) = some.get(next) {
        if let Some(Origin::Product(factors)) = candidates.get(candidate).map(|candidate| &candidate.origin) {
            some.extend(factors.iter().map(|factor| factor.index()));
        }
        next += 1;
    }
    some
}

/// Returns the candidates that no parameter is or has as a factor, by name: the model does not depend on them.
fn without_effect(draft: &Draft, order: &[usize], params: &[Param]) -> Vec<Unused> {
    let candidates = &draft.candidates;
    let used = with_factors(candidates, order.to_vec());
    let relied = with_factors(candidates, draft.relied.iter().map(|param| param.index()).collect());
    let is_taken =
        |name: &String| params.iter().any(|param| param.name == *name || param.argument.as_ref() == Some(name));
    let unused = candidates.iter().enumerate().filter(|(index, _)| !used.contains(index));
    let named = unused.filter_map(|(index, candidate)| {
        let at_least_one = candidate.domain.is_at_least_one() && relied.contains(&index);
        Some(Unused { name: candidate.name.clone()?, at_least_one })
    });
    let mut found: Vec<_> = named.filter(|unused| is_name(&unused.name) && !is_taken(&unused.name)).collect();
    // Of several with one name the first is kept: the one with a condition.
    found.sort_by(|a, b| a.name.cmp(&b.name).then(b.at_least_one.cmp(&a.at_least_one)));
    found.dedup_by(|a, b| a.name == b.name);
    found
}

/// Returns a note about the parameters whose names differ from those in the source.
fn arguments(params: &[Param]) -> Option<Note> {
    let which = |param: &Param| Some(format!("`{}` is `{}` in the source", param.name, param.argument.as_ref()?));
    let which: Vec<_> = params.iter().filter_map(which).collect();
    (!which.is_empty()).then(|| Note::new(None, which.join(", ")))
}

/// Returns a note about each parameter that is a product.
fn products(candidates: &[Candidate], order: &[usize], params: &[Param]) -> Vec<Note> {
    let called = |factor: &ParamId| {
        let as_parameter = order.iter().position(|used| *used == factor.index()).map(|p| params[p].name.clone());
        let name = as_parameter.or_else(|| meaningful(&name_of(candidates, factor.index())?));
        match (name, candidates.get(factor.index()).map(|c| &c.origin)) {
            (Some(name), _) => format!("`{name}`"),
            (None, Some(Origin::Argument(position))) => format!("argument {}", position + 1),
            (None, _) => "an extent".to_owned(),
        }
    };
    let note = |(param, candidate): (&Param, &usize)| match &candidates[*candidate].origin {
        Origin::Product(factors) => {
            let factors: Vec<_> = factors.iter().map(called).collect();
            let text = format!("the parameter `{}` stands for the product of {}", param.name, factors.join(" and "));
            Some(Note::assuming(AssumptionKind::Product, None, text))
        }
        _ => None,
    };
    params.iter().zip(order).filter_map(note).collect()
}

/// Returns unique names: those of the source, or `p0`, `p1`, … where those are not meaningful.
fn named<'n>(
    ssa_names: impl Iterator<Item = Option<&'n str>>,
    prefix: &str,
    names: &mut Namespace,
) -> impl Iterator<Item = String> {
    ssa_names.enumerate().map(move |(index, ssa_name)| {
        let name = ssa_name.and_then(meaningful);
        names.unique(&name.unwrap_or_else(|| format!("{prefix}{index}")))
    })
}

/// Names the iterators, those with a loop first: some that were made while reading have no loop in the end.
fn named_iterators(draft: &Draft, names: &mut Namespace) -> Vec<Iter> {
    let mut order = Vec::new();
    let mut stack: Vec<&Node> = draft.body.iter().rev().collect();
    while let Some(node) = stack.pop() {
        match node {
            Node::Loop(Loop { iter, body, .. }) => {
                order.push(iter.index());
                stack.extend(body.iter().rev());
            }
            Node::If(If { then, otherwise, .. }) => stack.extend(then.iter().chain(otherwise).rev()),
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
    order.sort_unstable();
    let used = order.clone();
    order.extend((0..draft.iters.len()).filter(|index| used.binary_search(index).is_err()));
    let mut iters = vec![Iter::named(""); draft.iters.len()];
    let names = named(order.iter().map(|index| draft.iters[*index].name.as_deref()), "i", names);
    for (index, name) in order.iter().zip(names) {
        let DraftIter { location, parallel, carried, ends_midway, .. } = draft.iters[*index].clone();
        iters[*index] = Iter { name, location, parallel, carried, ends_midway };
    }
    iters
}

fn name_arrays(arrays: &mut [Array]) {
    let mut names = Namespace::default();
    for (index, array) in arrays.iter_mut().enumerate() {
        // A name such as `A0` instead of `arg1` would suggest that it is another argument.
        let name = Some(array.name.clone()).filter(|name| is_argument(name)).or_else(|| meaningful(&array.name));
        array.name = names.unique(&name.unwrap_or_else(|| format!("A{index}")));
    }
}

/// Replaces the candidates in all expressions by parameters: arguments in their order, then extents and then products,
/// by first use. Returns the candidate of each parameter; candidates that are not mentioned do not become parameters.
fn number_params(draft: &mut Draft) -> Result<Vec<usize>, Overflow> {
    let mut used: Vec<usize> = Vec::new();
    each_expr(draft, &mut |expr| {
        collect_params(expr, &mut used);
        Ok(())
    })?;
    each_step(&mut draft.body, &mut |size| {
        if !used.contains(&size.index()) {
            used.push(size.index());
        }
    });
    extents::settle(&mut draft.arrays, &draft.candidates, &used);
    extents::each(&mut draft.arrays, &mut |expr| {
        collect_params(expr, &mut used);
        Ok(())
    })?;
    used.sort_by_key(|&candidate| match &draft.candidates[candidate] {
        Candidate { origin: Origin::Argument(index), .. } => (0, *index),
        Candidate { origin: Origin::Extent, .. } => (1, 0), // the sort is stable
        Candidate { origin: Origin::Product(_), .. } => (2, 0),
    });
    let mut positions = vec![0; draft.candidates.len()];
    for (position, &candidate) in used.iter().enumerate() {
        positions[candidate] = position as u32;
    }
    let mut renumber = |expr: &mut Expr| {
        *expr = renumbered(expr, &positions)?;
        Ok(())
    };
    each_expr(draft, &mut renumber)?;
    each_step(&mut draft.body, &mut |size| *size = ParamId(positions[size.index()]));
    extents::each(&mut draft.arrays, &mut renumber)?;
    Ok(used)
}

fn collect_params(expr: &Expr, used: &mut Vec<usize>) {
    expr.each_atom(&mut |atom| match atom {
        Atom::Param(param) if !used.contains(&param.index()) => used.push(param.index()),
        Atom::Param(_) | Atom::Iter(_) | Atom::Floor(..) => {}
    });
}

fn renumbered(expr: &Expr, positions: &[u32]) -> Result<Expr, Overflow> {
    let mut sum = Expr::constant(expr.constant_term());
    for (atom, coefficient) in expr.terms() {
        let atom = match atom {
            Atom::Param(param) => Atom::Param(ParamId(positions[param.index()])),
            Atom::Iter(iter) => Atom::Iter(*iter),
            Atom::Floor(numerator, divisor) => Atom::Floor(Box::new(renumbered(numerator, positions)?), *divisor),
        };
        sum = sum.add_scaled(&Expr::atom(atom), coefficient)?;
    }
    Ok(sum)
}

/// Visits the parameters that loops go in steps of.
fn each_step(nodes: &mut [Node], visit: &mut dyn FnMut(&mut ParamId)) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                if let LoopStep::Tiles { size, .. } = &mut l.step {
                    visit(size);
                }
                each_step(&mut l.body, visit);
            }
            Node::If(If { then, otherwise, .. }) => {
                each_step(then, visit);
                each_step(otherwise, visit);
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

type Visit<'v> = &'v mut dyn FnMut(&mut Expr) -> Result<(), Overflow>;

/// Visits every expression outside extents, in the order of the text.
fn each_expr(draft: &mut Draft, visit: Visit) -> Result<(), Overflow> {
    let Draft { accesses, body, context, .. } = draft;
    let mut stack: Vec<&mut Node> = body.iter_mut().rev().collect();
    while let Some(node) = stack.pop() {
        match node {
            Node::Loop(Loop { lower, upper, body, .. }) => {
                lower.iter_mut().chain(upper).try_for_each(&mut *visit)?;
                stack.extend(body.iter_mut().rev());
            }
            Node::If(If { condition, then, otherwise }) => {
                condition.iter_mut().map(|Constraint { expr, .. }| expr).try_for_each(&mut *visit)?;
                stack.extend(otherwise.iter_mut().rev());
                stack.extend(then.iter_mut().rev());
            }
            Node::Operations(_) | Node::Mark(_) => {}
            Node::Access(id) => accesses[id.index()].subscripts.iter_mut().try_for_each(&mut *visit)?,
        }
    }
    context.iter_mut().map(|Constraint { expr, .. }| expr).try_for_each(visit)
}

/// Applies all `--name OLD=NEW` simultaneously.
fn rename(mut params: Vec<Param>, iters: &[Iter], renames: &[(String, String)]) -> Result<Vec<Param>, Vec<Diagnostic>> {
    let old_names: Vec<String> = params.iter().map(|p| p.name.clone()).collect();
    let mut errors = Vec::new();
    let mut renamed = Vec::new();
    for (old, new) in renames {
        match old_names.iter().position(|name| name == old) {
            None => errors.push(no_such_parameter(old, &old_names)),
            Some(_) if !is_name(new) => errors.push(bad_name(old, new)),
            Some(index) if renamed.contains(&index) => errors.push(impossible(old, new, "it is renamed twice")),
            Some(index) => {
                params[index].name.clone_from(new);
                renamed.push(index);
            }
        }
    }
    for index in renamed {
        let new = &params[index].name;
        let others = params.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, p)| &p.name);
        if others.chain(iters.iter().map(|i| &i.name)).any(|name| name == new) {
            let why = format!("another parameter or iterator is called `{new}`");
            errors.push(impossible(&old_names[index], new, &why));
        }
    }
    if errors.is_empty() { Ok(params) } else { Err(errors) }
}

fn impossible(old: &str, new: &str, why: &str) -> Diagnostic {
    Diagnostic::new(Kind::Request, None, format!("`--name {old}={new}` is not possible")).note(why)
}

fn bad_name(old: &str, new: &str) -> Diagnostic {
    impossible(old, new, &format!("`{new}` cannot be a name"))
        .hint("use letters, digits and underscores, and no keyword of isl such as `mod`")
}

fn no_such_parameter(old: &str, names: &[String]) -> Diagnostic {
    let error = Diagnostic::new(Kind::Request, None, format!("`--name`: there is no parameter `{old}`"));
    let error = match names {
        [] => error.note("the program has no parameters"),
        _ => error.note(format!("the parameters are `{}`", names.join("`, `"))),
    };
    match closest(old, names.iter().map(String::as_str)) {
        Some(close) => error.hint(format!("did you mean `{close}`?")),
        None => error,
    }
}
