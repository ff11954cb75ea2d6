//! Checks that the evaluation of a model is well defined: every variable has a value where it is used.
//!
//! The sums over all classes are checked where they are known, at evaluation.

use std::collections::BTreeSet;

use symloc_quasi::{Constraint, Piece, Poly};

use crate::owner::Reuse;
use crate::types::{
    ArrayShape, Coherence, CountPiece, Distances, IntervalKind, LineModel, Model, Outline, ReuseClass, SCHEMA,
    SCHEMA_1, SCHEMA_4, Schedule, Tree, TreeNode, WriteBacks,
};

/// The largest number of nested iterators, above that of any loop nest.
const MAX_ITERATORS: usize = 64;

/// Returns an error that describes the first problem of the model, if there is one.
pub(crate) fn validate(model: &Model) -> Result<(), String> {
    let parameters = model.variables();
    if model.parameters.iter().collect::<BTreeSet<_>>().len() != model.parameters.len() {
        return Err("two parameters have the same name".to_owned());
    }
    if !model.truths.is_empty() && ![SCHEMA, SCHEMA_4].contains(&model.schema.as_str()) {
        return Err("truths: they do not fit the schema".to_owned());
    }
    if model.has_arrays_per_thread() && model.schema != SCHEMA {
        return Err("program: arrays of which each thread has its own do not fit the schema".to_owned());
    }
    constraints(&model.truths, model.parameters.len()).map_err(|e| format!("truths: {e}"))?;
    let known = |parameter: usize| parameter < model.parameters.len();
    threads(model).map_err(|e| format!("threads: {e}"))?;
    if !model.line_counts.iter().all(|count| known(count.of) && known(count.by)) {
        return Err("a line count of something that is no parameter".to_owned());
    }
    if model.lines.iter().filter_map(|line| line.symbolic).any(|line| !known(line.parameter) || line.element_bytes == 0)
    {
        return Err("a line size that is no parameter".to_owned());
    }
    constraints(&model.context, parameters).map_err(|e| format!("context: {e}"))?;
    pieces(&model.accesses, parameters).map_err(|e| format!("accesses: {e}"))?;
    pieces(model.operations.as_deref().unwrap_or_default(), parameters).map_err(|e| format!("operations: {e}"))?;
    if model.program.is_none() != (model.schema == SCHEMA_1) {
        return Err("program: it does not fit the schema".to_owned());
    }
    let program = model.program.as_ref();
    sampled(model, parameters).map_err(|e| format!("sampled: {e}"))?;
    program.map_or(Ok(()), |program| outline(program, model.parameters.len())).map_err(|e| format!("program: {e}"))?;
    if model.lines.is_empty() {
        return Err("it holds no line size".to_owned());
    }
    for (index, line) in model.lines.iter().enumerate() {
        line_model(line, parameters)
            .and_then(|()| attributed(line, program, parameters))
            .map_err(|e| format!("lines[{index}]: {e}"))?;
        if model.lines[..index].iter().any(|l| (l.line_bytes, l.element) == (line.line_bytes, line.element)) {
            return Err(format!("lines[{index}]: the same line size as an earlier entry"));
        }
    }
    Ok(())
}

/// Checks that a program whose misses are sampled can be run, and that no line size has classes.
fn sampled(model: &Model, parameters: usize) -> Result<(), String> {
    let Some(sampled) = &model.sampled else { return Ok(()) };
    let outline = model.program.as_ref().filter(|outline| outline.tree.is_some());
    let outline = outline.ok_or_else(|| "the program to sample is missing".to_owned())?;
    let known = sampled.of_accesses.iter().all(|of| *of < sampled.executions.len());
    if !known || sampled.of_accesses.len() != outline.accesses.len() {
        return Err("of_accesses: not one for each access".to_owned());
    }
    let has_classes = |line: &LineModel| {
        !line.classes.is_empty() || line.distances.is_some() || line.coherence.is_some() || line.write_backs.is_some()
    };
    if model.threads.is_some() || model.lines.iter().any(has_classes) {
        return Err("beside classes".to_owned());
    }
    sampled.executions.iter().try_for_each(|counts| pieces(counts, parameters)).map_err(|e| format!("executions: {e}"))
}

/// Checks that each parameter of a thread is another one, and that shares are of sizes that do not depend on them.
fn threads(model: &Model) -> Result<(), String> {
    let Some(threads) = &model.threads else { return Ok(()) };
    let shares = threads.shares.iter().flat_map(|share| [share.first, share.end]);
    let of_thread: Vec<usize> = threads.thread.into_iter().chain(shares).collect();
    let distinct: BTreeSet<_> = of_thread.iter().filter(|parameter| **parameter < model.parameters.len()).collect();
    if distinct.len() != of_thread.len() {
        return Err("they are not different parameters".to_owned());
    }
    threads.shares.iter().try_for_each(|share| {
        affine(&share.iterations, model.parameters.len())?;
        match share.iterations.vars().iter().any(|var| of_thread.contains(&(var.0 as usize))) {
            true => Err("the number of iterations depends on them".to_owned()),
            false => Ok(()),
        }
    })
}

fn outline(program: &Outline, parameters: usize) -> Result<(), String> {
    if program.arrays.iter().map(|array| &array.name).collect::<BTreeSet<_>>().len() != program.arrays.len() {
        return Err("two arrays have the same name".to_owned());
    }
    match program.accesses.iter().position(|access| access.array >= program.arrays.len()) {
        Some(index) => Err(format!("accesses[{index}]: an array that is not there")),
        None => nests(program),
    }?;
    program
        .tree
        .as_ref()
        .map_or(Ok(()), |tree| Text { program, tree, parameters }.check())
        .map_err(|e| format!("tree: {e}"))
}

/// The tree of a program, which is checked to contain every access and every loop once.
struct Text<'m> {
    program: &'m Outline,
    tree: &'m Tree,
    parameters: usize,
}

impl Text<'_> {
    fn check(&self) -> Result<(), String> {
        let Tree { iterators, shapes, subscripts, body } = self.tree;
        let Outline { arrays, accesses, .. } = self.program;
        let ranks =
            shapes.len() == arrays.len() && arrays.iter().zip(shapes).all(|(array, shape)| shape.has(array.rank));
        if !ranks {
            return Err("shapes: they are not those of the arrays".to_owned());
        }
        for (array, shape) in shapes.iter().enumerate() {
            let mut factors = shape.sizes.iter().flatten().flatten();
            factors
                .try_for_each(|factor| affine(factor, self.parameters))
                .map_err(|e| format!("shapes[{array}]: {e}"))?;
        }
        let all = self.parameters + iterators.len();
        let of = |access: usize| accesses.get(access).map(|access| arrays[access.array].rank);
        for (access, subscripts) in subscripts.iter().enumerate() {
            if of(access) != Some(subscripts.len()) {
                return Err(format!("subscripts[{access}]: not one for each dimension"));
            }
            subscripts.iter().try_for_each(|subscript| affine(subscript, all))?;
        }
        let mut met = Met { iterators: vec![false; iterators.len()], accesses: 0 };
        self.nodes(body, &mut met)?;
        match met.accesses == accesses.len() && subscripts.len() == accesses.len() {
            true => Ok(()),
            false => Err("an access is missing".to_owned()),
        }
    }

    fn nodes(&self, nodes: &[TreeNode], met: &mut Met) -> Result<(), String> {
        nodes.iter().try_for_each(|node| match node {
            TreeNode::Access(access) => {
                met.accesses += 1;
                if met.accesses == access + 1 { Ok(()) } else { Err(format!("access {access} out of order")) }
            }
            TreeNode::If(inner) => {
                let all = self.parameters + self.tree.iterators.len();
                inner.condition.iter().try_for_each(|condition| affine(&condition.poly, all))?;
                self.nodes(&inner.then, met)?;
                self.nodes(&inner.otherwise, met)
            }
            TreeNode::For(inner) => {
                let all = self.parameters + self.tree.iterators.len();
                let new = met.iterators.get_mut(inner.iterator).is_some_and(|met| !std::mem::replace(met, true));
                if !new
                    || !inner.step.is_valid(self.parameters)
                    || inner.lower.is_empty()
                    || inner.upper.is_empty()
                    || inner.parallel == Some(Schedule::Chunks(0))
                    || !inner.is_collapsible(self.parameters)
                {
                    return Err(format!("a loop of iterator {} that is none", inner.iterator));
                }
                inner.lower.iter().chain(&inner.upper).try_for_each(|bound| affine(bound, all))?;
                self.nodes(&inner.body, met)
            }
        })
    }
}

/// The iterators and accesses met on the way through a tree.
struct Met {
    iterators: Vec<bool>,
    accesses: usize,
}

impl ArrayShape {
    fn has(&self, rank: usize) -> bool {
        let strides = self.strides.as_ref().is_none_or(|strides| strides.len() == rank);
        self.extents.len() == rank && strides && (self.sizes.is_empty() || self.sizes.len() == rank)
    }
}

/// Checks that a polynomial is linear in variables and floors, with integers.
fn affine(poly: &Poly, variables: usize) -> Result<(), String> {
    let known = poly.vars().iter().all(|var| (var.0 as usize) < variables);
    if known && is_affine(poly) { Ok(()) } else { Err("an expression that is not affine".to_owned()) }
}

fn is_affine(poly: &Poly) -> bool {
    let linear = poly.degree() <= 1 && poly.terms().all(|(_, coefficient)| coefficient.is_integer());
    linear && poly.floors().iter().all(|floor| is_affine(floor.numerator()))
}

/// Checks that the nests contain every access, or that there are no nests.
fn nests(program: &Outline) -> Result<(), String> {
    let Outline { accesses, nests, .. } = program;
    let all = nests.iter().try_fold(0_usize, |all, nest| all.checked_add(nest.accesses));
    match nests.iter().position(|nest| nest.accesses == 0) {
        Some(index) => Err(format!("nests[{index}]: it has no access")),
        None if !nests.is_empty() && all != Some(accesses.len()) => {
            Err(format!("nests: they do not share out {} accesses", accesses.len()))
        }
        None => Ok(()),
    }
}

/// Checks that everything belongs to an access or an array of the program, or nothing does.
fn attributed(line: &LineModel, program: Option<&Outline>, parameters: usize) -> Result<(), String> {
    if line.array_blocks.len() != program.map_or(0, |program| program.arrays.len()) {
        return Err("array_blocks: not one for each array".to_owned());
    }
    line.array_blocks
        .iter()
        .try_for_each(|blocks| pieces(blocks, parameters))
        .map_err(|e| format!("array_blocks: {e}"))?;
    if let Some(Coherence { falsely_shared, .. }) = &line.coherence {
        let lines = falsely_shared.iter().try_for_each(|lines| pieces(lines, parameters));
        let by_array = program.is_none_or(|program| falsely_shared.len() == program.arrays.len());
        let lines = lines.and_then(|()| by_array.then_some(()).ok_or_else(|| "not one for each array".to_owned()));
        lines.map_err(|e| format!("coherence: falsely_shared: {e}"))?;
    }
    each(&line.classes, |class| owners(class, program)).map_err(|e| format!("classes{e}"))?;
    reals(line, |class| owners(class, program))
}

/// Checks the classes at a line size that hold reuses alone: those of distances, and of coherence.
fn reals(line: &LineModel, check: impl Fn(&ReuseClass) -> Result<(), String>) -> Result<(), String> {
    let distances = |distances: &Option<Distances>| {
        let Some(Distances { classes, estimated }) = distances else { return Ok(()) };
        each(classes, &check).map_err(|e| format!("distances: classes{e}"))?;
        each(estimated, &check).map_err(|e| format!("distances: estimated{e}"))
    };
    distances(&line.distances)?;
    let both = |classes: &[ReuseClass], of: &Option<Distances>| {
        each(classes, &check).map_err(|e| format!("classes{e}")).and_then(|()| distances(of))
    };
    if let Some(Coherence { classes, distances, .. }) = &line.coherence {
        both(classes, distances).map_err(|e| format!("coherence: {e}"))?;
    }
    let Some(WriteBacks { classes, distances: found }) = &line.write_backs else { return Ok(()) };
    both(classes.as_deref().unwrap_or_default(), found).map_err(|e| format!("write_backs: {e}"))?;
    match found.as_ref().is_some_and(|found| !found.estimated.is_empty()) {
        true => Err("write_backs: distances: estimated: there are some".to_owned()),
        false => Ok(()),
    }
}

/// Checks one class after the other; an error begins with the position.
fn each(classes: &[ReuseClass], check: impl Fn(&ReuseClass) -> Result<(), String>) -> Result<(), String> {
    let numbered = |(index, class)| check(class).map_err(|e| format!("[{index}]: {e}"));
    classes.iter().enumerate().try_for_each(numbered)
}

/// Checks that the owners of counts exist; only reuses have a previous access, to the same array.
fn owners(class: &ReuseClass, program: Option<&Outline>) -> Result<(), String> {
    let array = |access: usize| program.and_then(|program| program.accesses.get(access)).map(|access| access.array);
    let is_access = |piece: &CountPiece| match program {
        Some(_) => piece.access.and_then(array).is_some(),
        None => piece.access.is_none(),
    };
    let is_reuse = |piece: &CountPiece| match piece.reuse() {
        Some(Reuse { access, previous: Some(previous) }) => {
            class.kind == IntervalKind::Real && array(previous).is_some() && array(previous) == array(access)
        }
        _ => piece.previous.is_none(),
    };
    if !class.counts.iter().all(is_access) {
        return Err("a count of no access of the program".to_owned());
    }
    match class.counts.iter().all(is_reuse) {
        true => Ok(()),
        false => Err("a previous access to no such array, or of a first touch".to_owned()),
    }
}

fn line_model(line: &LineModel, parameters: usize) -> Result<(), String> {
    match line.line_bytes {
        Some(0) => return Err("a line of 0 bytes".to_owned()),
        None if !line.element && line.symbolic.is_none() => return Err("no line size".to_owned()),
        _ => {}
    }
    pieces(&line.blocks, parameters).map_err(|e| format!("blocks: {e}"))?;
    each(&line.classes, |class| reuse_class(class, parameters)).map_err(|e| format!("classes{e}"))?;
    reals(line, |class| real_class(class, parameters))
}

/// Checks that a class of distances is real: first touches have no distance.
fn real_class(class: &ReuseClass, parameters: usize) -> Result<(), String> {
    match class.kind {
        IntervalKind::Real => reuse_class(class, parameters),
        IntervalKind::Imaginary => Err("an imaginary class".to_owned()),
    }
}

fn reuse_class(class: &ReuseClass, parameters: usize) -> Result<(), String> {
    if class.iterators.len() > MAX_ITERATORS {
        return Err(format!("{} iterators", class.iterators.len()));
    }
    let variables = parameters + class.iterators.len();
    poly(&class.value, variables).map_err(|e| format!("value: {e}"))?;
    for (index, piece) in class.counts.iter().enumerate() {
        count_piece(piece, parameters, variables).map_err(|e| format!("counts[{index}]: {e}"))?;
    }
    Ok(())
}

fn count_piece(piece: &CountPiece, parameters: usize, variables: usize) -> Result<(), String> {
    let iterators = variables - parameters;
    if piece.bounds.len() != iterators {
        return Err(format!("{} bounds for {iterators} iterators", piece.bounds.len()));
    }
    for (depth, bounds) in piece.bounds.iter().enumerate() {
        if bounds.lower.is_empty() || bounds.upper.is_empty() {
            return Err(format!("bounds[{depth}]: an iterator without a bound"));
        }
        for bound in bounds.lower.iter().chain(&bounds.upper) {
            poly(bound, parameters + depth).map_err(|e| format!("bounds[{depth}]: {e}"))?;
        }
    }
    constraints(&piece.domain, variables).map_err(|e| format!("where: {e}"))?;
    poly(&piece.count, variables).map_err(|e| format!("count: {e}"))
}

fn pieces(pieces: &[Piece], variables: usize) -> Result<(), String> {
    for piece in pieces {
        constraints(&piece.domain, variables)?;
        poly(&piece.value, variables)?;
    }
    Ok(())
}

fn constraints(constraints: &[Constraint], variables: usize) -> Result<(), String> {
    constraints.iter().try_for_each(|c| poly(&c.poly, variables))
}

/// Checks that all variables are below `variables`.
fn poly(poly: &Poly, variables: usize) -> Result<(), String> {
    match poly.last_var() {
        Some(var) if var.0 as usize >= variables => Err(format!("variable {} where there are only {variables}", var.0)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizes::tests::triangle;
    use symloc_quasi::Var;

    /// Damages a model and returns the message.
    fn damaged(damage: impl FnOnce(&mut Model)) -> String {
        let mut model = triangle();
        assert_eq!(validate(&model), Ok(()));
        damage(&mut model);
        validate(&model).unwrap_err()
    }

    #[test]
    fn every_place_is_checked() {
        let far = || Poly::var(Var(7));
        assert_eq!(damaged(|m| m.parameters.push("n".into())), "two parameters have the same name");
        assert_eq!(damaged(|m| m.context[0].poly = far()), "context: variable 7 where there are only 1");
        assert!(damaged(|m| m.accesses[0].value = far()).starts_with("accesses: "));
        assert!(damaged(|m| m.operations.iter_mut().for_each(|o| o[0].value = far())).starts_with("operations: "));
        assert_eq!(damaged(|m| m.lines.clear()), "it holds no line size");
        assert_eq!(damaged(|m| m.lines[0].line_bytes = Some(0)), "lines[0]: a line of 0 bytes");
        assert!(damaged(|m| (m.lines[0].line_bytes, m.lines[0].element) = (None, false)).ends_with("no line size"));
        assert!(damaged(|m| m.lines.push(m.lines[0].clone())).starts_with("lines[1]: the same"));
        assert!(damaged(|m| m.lines[0].blocks[0].value = far()).starts_with("lines[0]: blocks: "));
        assert!(damaged(|m| m.program = None).starts_with("program: it does not fit the schema"));
        assert!(damaged(|m| m.schema = SCHEMA_1.to_owned()).starts_with("program: it does not fit the schema"));
        let program = |damage: fn(&mut Outline)| damaged(|m| m.program.iter_mut().for_each(damage));
        assert_eq!(program(|p| p.arrays.push(p.arrays[0].clone())), "program: two arrays have the same name");
        let sizes = |sizes: Vec<Option<Vec<Poly>>>| {
            let shape = ArrayShape { extents: vec![None], sizes, strides: None, offset: 0 };
            let tree = Tree { iterators: Vec::new(), shapes: vec![shape], subscripts: Vec::new(), body: Vec::new() };
            damaged(|m| m.program.iter_mut().for_each(|p| p.tree = Some(tree.clone())))
        };
        assert_eq!(sizes(vec![None, None]), "program: tree: shapes: they are not those of the arrays");
        assert!(sizes(vec![Some(vec![far()])]).ends_with("shapes[0]: an expression that is not affine"));
        let square = &Poly::var(Var(0)) * &Poly::var(Var(0));
        assert!(sizes(vec![Some(vec![square])]).ends_with("shapes[0]: an expression that is not affine"));
        assert!(sizes(vec![Some(vec![Poly::var(Var(0))])]).ends_with("tree: an access is missing"));
        assert_eq!(program(|p| p.accesses[0].array = 1), "program: accesses[0]: an array that is not there");
        assert_eq!(program(|p| p.accesses.clear()), "lines[0]: classes[0]: a count of no access of the program");
        assert_eq!(damaged(|m| m.lines[0].array_blocks.clear()), "lines[0]: array_blocks: not one for each array");
        assert!(damaged(|m| m.lines[0].array_blocks[0][0].value = far()).starts_with("lines[0]: array_blocks: var"));
        let distances = |damage: fn(&mut ReuseClass)| {
            damaged(|m| {
                let mut class = m.lines[0].classes[0].clone();
                class.kind = IntervalKind::Real;
                damage(&mut class);
                m.lines[0].distances = Some(Distances { classes: vec![class], estimated: Vec::new() });
            })
        };
        assert_eq!(
            distances(|c| c.kind = IntervalKind::Imaginary),
            "lines[0]: distances: classes[0]: an imaginary class"
        );
        assert!(distances(|c| c.value = Poly::var(Var(2))).starts_with("lines[0]: distances: classes[0]: value: "));
        assert!(distances(|c| c.counts[0].access = None).ends_with("classes[0]: a count of no access of the program"));
        let class = |damage: fn(&mut ReuseClass)| damaged(|m| damage(&mut m.lines[0].classes[0]));
        assert!(class(|c| c.counts[0].previous = Some(0)).ends_with("or of a first touch"));
        assert!(
            distances(|c| c.counts[0].previous = Some(1))
                .ends_with("a previous access to no such array, or of a first touch")
        );
        assert!(class(|c| c.counts[0].access = None).ends_with("a count of no access of the program"));
        assert!(class(|c| c.value = Poly::var(Var(2))).starts_with("lines[0]: classes[0]: value: "));
        assert!(class(|c| c.iterators.clear()).starts_with("lines[0]: classes[0]: value: variable 1"));
        assert!(class(|c| c.iterators.push("k".into())).ends_with("counts[0]: 1 bounds for 2 iterators"));
        assert!(class(|c| c.counts[0].bounds[0].lower.clear()).ends_with("an iterator without a bound"));
        assert!(class(|c| c.counts[0].bounds[0].upper[0] = Poly::var(Var(1))).contains("bounds[0]: variable 1"));
        assert!(class(|c| c.counts[0].count = Poly::var(Var(2))).contains("count: variable 2"));
        assert!(class(|c| c.counts[0].domain[0].poly = Poly::var(Var(2))).contains("where: variable 2"));
    }
}
