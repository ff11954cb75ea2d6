//! The loops of generated code that carry a dependence.
//!
//! A loop carries a dependence if one instance in it has to come before another that is in a different iteration, with
//! the loops around in the same iterations. The iterations of a loop that carries none may run in any order, or at once.

use std::collections::BTreeSet;

use symloc_affine::{Atom, Expr, IterId, Program};
use symloc_isl::{Context, Map, UnionMap};
use symloc_reuse::schedule::timestamps::params_text;

use crate::dependences::{Carried, Dependences, FlowPairs};
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

/// Returns what the iterations of a loop wait for. The bounds of loops are not looked at: what never happens because of them
/// counts as well.
///
/// # Errors
///
/// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
pub(crate) fn carried(
    isl: &Context,
    scop: &Scop,
    dependences: &Dependences,
    body: &LoopBody<'_>,
) -> Result<Carried, ScheduleError> {
    let statements = body.texts(scop);
    let (iterations, names) = body.names();
    let key = format!("{names}: {}", statements.join("; "));
    if let Some(known) = dependences.known_loops.borrow().get(&key) {
        return Ok(known.clone());
    }
    let params = params_text(&scop.program);
    let others = format!("{params} -> {{ [{names}, {AT}] -> [{names}, {NEXT}] : {NEXT} != {AT} }}").replace("[, ", "[");
    let others = UnionMap::from_map(&Map::read(isl, &others)?)?;
    let instances = |wanted: &dyn Fn(usize) -> bool| {
        let texts = body.instances.iter().zip(&statements).filter(|((statement, _), _)| wanted(*statement));
        let mut union = UnionMap::empty(isl)?;
        for (_, text) in texts {
            let map = Map::read(isl, &format!("{params} -> {{ {iterations} -> {text} }}"))?;
            union = union.union(&UnionMap::from_map(&map)?)?;
        }
        Ok::<_, ScheduleError>(union)
    };
    let carries = |first: &UnionMap, pairs: &UnionMap, second: &UnionMap| {
        let pairs = first.apply_range(pairs)?.apply_range(&second.reverse()?)?;
        Ok::<_, ScheduleError>(!pairs.intersect(&others)?.is_empty()?)
    };
    let all = instances(&|_| true)?;
    let indices: BTreeSet<usize> = body.instances.iter().map(|(statement, _)| *statement).collect();
    let of_one = |index: usize| Ok::<_, ScheduleError>((index, instances(&|statement| statement == index)?));
    let by_statement = || indices.iter().copied().map(of_one).collect::<Result<Vec<_>, _>>();
    let found = if carries(&all, &dependences.all, &all)? {
        let (mut flow, by_statement) = (FlowPairs::new(), by_statement()?);
        for (first, from) in &by_statement {
            for (second, to) in &by_statement {
                if carries(from, &dependences.flow, to)? {
                    flow.insert((*first, *second));
                }
            }
        }
        Carried::Dependences(flow)
    } else if carries(&all, &dependences.exchanged, &all)? {
        let mut reductions = BTreeSet::new();
        for (index, instances) in by_statement()? {
            if carries(&instances, &dependences.exchanged, &instances)? {
                reductions.insert(index);
            }
        }
        Carried::Reductions(reductions)
    } else {
        Carried::Nothing
    };
    dependences.known_loops.borrow_mut().insert(key, found.clone());
    Ok(found)
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
