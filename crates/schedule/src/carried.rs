//! The loops of generated code that carry a dependence.
//!
//! A loop carries a dependence if one instance in it has to come before another that is in a different iteration, with
//! the loops around in the same iterations. The iterations of a loop that carries none may run in any order, or at once.

use symloc_affine::{Atom, Expr, IterId, Program};
use symloc_isl::{Context, Map, UnionMap};
use symloc_reuse::schedule::timestamps::params_text;

use crate::dependences::Dependences;
use crate::error::ScheduleError;
use crate::scop::Scop;

/// A loop of generated code, with the instances of statements in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopBody<'l> {
    /// The program of the loop.
    pub(crate) program: &'l Program,
    /// The loops around it, outermost first.
    pub(crate) around: &'l [IterId],
    /// Its iterator.
    pub(crate) iter: IterId,
    /// Statements, with the values of their iterators in those of the loops.
    pub(crate) instances: &'l [(usize, Vec<Expr>)],
}

/// Returns true if a loop carries a dependence. The bounds of loops are not looked at, so one that carries none because
/// of these counts as well.
///
/// # Errors
///
/// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
pub(crate) fn carries(
    isl: &Context,
    scop: &Scop,
    dependences: &Dependences,
    body: &LoopBody<'_>,
) -> Result<bool, ScheduleError> {
    let statements = body.texts(scop);
    let (iterations, names) = body.names();
    let key = format!("{names}: {}", statements.join("; "));
    if let Some(known) = dependences.known_loops.borrow().get(&key) {
        return Ok(*known);
    }
    let params = params_text(&scop.program);
    let mut instances = UnionMap::empty(isl)?;
    for statement in &statements {
        let map = Map::read(isl, &format!("{params} -> {{ {iterations} -> {statement} }}"))?;
        instances = instances.union(&UnionMap::from_map(&map)?)?;
    }
    let pairs = instances.apply_range(&dependences.all)?.apply_range(&instances.reverse()?)?;
    let others = format!("{params} -> {{ [{names}, {AT}] -> [{names}, {NEXT}] : {NEXT} != {AT} }}").replace("[, ", "[");
    let carries = !pairs.intersect(&UnionMap::from_map(&Map::read(isl, &others)?)?)?.is_empty()?;
    dependences.known_loops.borrow_mut().insert(key, carries);
    Ok(carries)
}

/// The names of the loop's iterator in an iteration and in another one; no program has them.
const AT: &str = "symloc_at";
const NEXT: &str = "symloc_next";

impl LoopBody<'_> {
    /// Returns the instances as tuples in the names of the loops.
    fn texts(&self, scop: &Scop) -> Vec<String> {
        let name = |atom: &Atom| match atom {
            Atom::Param(param) => self.program.params[param.index()].name.clone(),
            Atom::Iter(iter) if *iter == self.iter => AT.to_owned(),
            Atom::Iter(iter) => self.around_name(*iter),
            Atom::Floor(..) => String::new(),
        };
        let text = |(statement, values): &(usize, Vec<Expr>)| {
            let values: Vec<String> = values.iter().map(|value| value.show(&name)).collect();
            format!("{}[{}]", scop.statements[*statement].name, values.join(", "))
        };
        self.instances.iter().map(text).collect()
    }

    fn around_name(&self, iter: IterId) -> String {
        format!("symloc_{}", self.around.iter().position(|other| *other == iter).unwrap_or_default())
    }

    /// Returns the tuple of an iteration, and the names of the loops around that instances depend on.
    fn names(&self) -> (String, String) {
        let is_used = |iter: &&IterId| {
            let is_it = |atom: &Atom| *atom == Atom::Iter(**iter);
            self.instances.iter().flat_map(|(_, values)| values).any(|value| value.mentions(&is_it))
        };
        let names: Vec<_> = self.around.iter().filter(is_used).map(|iter| self.around_name(*iter)).collect();
        let names = names.join(", ");
        (format!("[{names}, {AT}]").replace("[, ", "["), names)
    }
}
