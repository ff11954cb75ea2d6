//! From a draft to a program: the parameters that are used, in their order, and names.

use symloc_affine::{Atom, Constraint, Expr, If, Iter, Loop, Node, Overflow, Param, ParamId, Program};

use crate::diagnostics::{Diagnostic, Kind};
use crate::names::{Namespace, closest, is_valid, meaningful};
use crate::values::{Candidate, Origin};
use crate::walk::Draft;

/// Numbers the parameters, names everything and applies the renamings.
pub(crate) fn finish(mut draft: Draft, renames: &[(String, String)]) -> Result<Program, Vec<Diagnostic>> {
    let order = used_candidates(&mut draft);
    renumber(&mut draft, &order).map_err(|overflow| {
        vec![Diagnostic::new(Kind::Internal, None, format!("renumbering the parameters: {overflow}"))]
    })?;
    let mut names = Namespace::default();
    let params = order.iter().enumerate().map(|(index, &candidate)| {
        let name = draft.candidates[candidate].name.as_deref().and_then(meaningful);
        Param { name: names.unique(&name.unwrap_or_else(|| format!("p{index}"))) }
    });
    let params: Vec<Param> = params.collect();
    let iters = draft.iters.iter().enumerate().map(|(index, name)| {
        let name = name.as_deref().and_then(meaningful);
        Iter { name: names.unique(&name.unwrap_or_else(|| format!("i{index}"))) }
    });
    let iters: Vec<Iter> = iters.collect();
    let mut array_names = Namespace::default();
    for (index, array) in draft.arrays.iter_mut().enumerate() {
        let name = meaningful(&array.name).unwrap_or_else(|| format!("A{index}"));
        array.name = array_names.unique(&name);
    }
    let params = rename(params, &iters, renames)?;
    Ok(Program {
        name: draft.function,
        context: Program::default_context(&params),
        params,
        arrays: draft.arrays,
        iters,
        accesses: draft.accesses,
        body: draft.body,
    })
}

/// The candidates that some expression mentions: arguments in their order, then extents by first use.
fn used_candidates(draft: &mut Draft) -> Vec<usize> {
    let mut used: Vec<usize> = Vec::new();
    let visit = each_expr(draft, &mut |expr| {
        collect_params(expr, &mut used);
        Ok(())
    });
    debug_assert_eq!(visit, Ok(()));
    used.sort_by_key(|&candidate| match draft.candidates[candidate] {
        Candidate { origin: Origin::Argument(index), .. } => (0, index),
        Candidate { origin: Origin::Dim, .. } => (1, 0), // the sort is stable
    });
    used
}

fn collect_params(expr: &Expr, used: &mut Vec<usize>) {
    for (atom, _) in expr.terms() {
        match atom {
            Atom::Param(param) if !used.contains(&param.index()) => used.push(param.index()),
            Atom::Floor(numerator, _) => collect_params(numerator, used),
            Atom::Param(_) | Atom::Iter(_) => {}
        }
    }
}

/// Replaces candidates by their positions in `order`.
fn renumber(draft: &mut Draft, order: &[usize]) -> Result<(), Overflow> {
    let mut positions = vec![0; draft.candidates.len()];
    for (position, &candidate) in order.iter().enumerate() {
        positions[candidate] = position as u32;
    }
    each_expr(draft, &mut |expr| {
        *expr = renumbered(expr, &positions)?;
        Ok(())
    })
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

type Visit<'v> = &'v mut dyn FnMut(&mut Expr) -> Result<(), Overflow>;

/// Visits every expression, in the order of the text.
fn each_expr(draft: &mut Draft, visit: Visit) -> Result<(), Overflow> {
    let Draft { accesses, body, .. } = draft;
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
            Node::Access(id) => accesses[id.index()].subscripts.iter_mut().try_for_each(&mut *visit)?,
        }
    }
    Ok(())
}

/// Applies `--name OLD=NEW`, all at once.
fn rename(mut params: Vec<Param>, iters: &[Iter], renames: &[(String, String)]) -> Result<Vec<Param>, Vec<Diagnostic>> {
    let old_names: Vec<String> = params.iter().map(|p| p.name.clone()).collect();
    let mut errors = Vec::new();
    for (old, new) in renames {
        match old_names.iter().position(|name| name == old) {
            None => errors.push(no_such_parameter(old, &old_names)),
            Some(_) if !is_valid(new) => errors.push(bad_name(old, new)),
            Some(index) => params[index].name.clone_from(new),
        }
    }
    for (index, param) in params.iter().enumerate() {
        let clashes =
            params[..index].iter().any(|p| p.name == param.name) || iters.iter().any(|i| i.name == param.name);
        if clashes {
            let message = format!("`--name {}={}` is not possible", old_names[index], param.name);
            let note = format!("another parameter or iterator is called `{}`", param.name);
            errors.push(Diagnostic::new(Kind::Request, None, message).note(note));
        }
    }
    if errors.is_empty() { Ok(params) } else { Err(errors) }
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

fn bad_name(old: &str, new: &str) -> Diagnostic {
    Diagnostic::new(Kind::Request, None, format!("`--name {old}={new}`: `{new}` cannot be a name"))
        .hint("use letters, digits and underscores, and no keyword of isl such as `mod`")
}
