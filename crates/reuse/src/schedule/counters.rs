//! Loops with a step, counted in steps.
//!
//! A loop `for i = L to U step s` runs at `i = L + s·u` for u = 0, 1, …: its *counter*. Over counters the domain has no
//! congruence `(i − L) mod s = 0`, and execution order is the same, so dataflow is analysed over them: every congruence
//! less is one that isl's parametric integer programs need not branch on. Of several lower bounds the largest is L,
//! case by case.

use std::collections::BTreeMap;

use symloc_affine::{IterId, Loop, Node, Program};
use symloc_isl::{Context, DimType, Map, UnionMap};

use crate::Error;
use crate::schedule::timestamps::{
    Statement, TimeComponent, Timestamps, params_text, statement_access, statement_name, union,
};

/// All accesses in time, over counters.
#[derive(Debug)]
pub struct Counted {
    /// `S<k>[counters] -> S<k>[iters]`, a bijection onto the domains; `None` if every iterator stays.
    pub iterators: Option<UnionMap>,
    /// `S<k>[counters] -> [time]`, with counters in place of iterators.
    pub schedule: UnionMap,
    /// The schedule with all iterators moved by a parameter, for dataflow analysis.
    ///
    /// isl takes a component of the time that is constant in two statements for a position in the text: `j = 0` comes
    /// before `j = 1` once and for all; and then misses that an iteration of a third statement with `j = 0` comes
    /// between. Moved by a number that isl does not know, an iterator with one value is no constant.
    pub moved: UnionMap,
    /// By access, the way to it in the tree.
    pub times: Vec<Vec<TimeComponent>>,
}

/// By how much iterators are moved: a parameter.
pub(crate) const MOVED: &str = "_moved";

impl Counted {
    /// Replaces iterators where that removes a congruence.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit on its operations.
    pub fn new(isl: &Context, program: &Program, timestamps: &Timestamps) -> Result<Self, Error> {
        let mut starts = BTreeMap::new();
        collect(program, &program.body, &mut starts);
        let times = timestamps.statements.iter().map(|statement| statement.time.clone()).collect();
        if starts.is_empty() {
            let schedule = timestamps.schedule(isl)?;
            return Ok(Self { iterators: None, moved: moved(isl, timestamps, &schedule)?, schedule, times });
        }
        let (mut all_iterators, mut all_schedules) = (UnionMap::empty(isl)?, UnionMap::empty(isl)?);
        for statement in &timestamps.statements {
            let region = &timestamps.regions[statement.region];
            let text = iterators_text(program, statement, &region.iters, &starts);
            let domain = region.domain.set_tuple_name(&statement_name(statement.access))?;
            let iterators = Map::read(isl, &text)?.intersect_range(&domain)?;
            let schedule = statement.order.intersect_domain(&iterators.domain()?)?;
            all_iterators = all_iterators.union(&UnionMap::from_map(&iterators)?)?;
            all_schedules = all_schedules.union(&UnionMap::from_map(&schedule)?)?;
        }
        let moved = moved(isl, timestamps, &all_schedules)?;
        Ok(Self { iterators: Some(all_iterators), schedule: all_schedules, moved, times })
    }
}

/// Returns a schedule with [`MOVED`] added to every iterator, but to no position.
fn moved(isl: &Context, timestamps: &Timestamps, schedule: &UnionMap) -> Result<UnionMap, Error> {
    let moved = |map: Map| {
        let access = map.tuple_name(DimType::In)?.as_deref().and_then(statement_access);
        let access = access.ok_or_else(|| Error::Internal("a time of an unknown statement".to_owned()))?;
        let steps = &timestamps.statements[access.index()].time;
        let components: Vec<_> = (0..map.dim(DimType::Out)?).map(|at| format!("t{at}")).collect();
        let component = |(at, name): (usize, &String)| match steps.get(at) {
            Some(TimeComponent::Iteration(_)) => format!("{name} + {MOVED}"),
            _ => name.clone(),
        };
        let later: Vec<_> = components.iter().enumerate().map(component).collect();
        let text = format!("[{MOVED}] -> {{ [{}] -> [{}] }}", components.join(", "), later.join(", "));
        Ok(map.apply_range(&Map::read(isl, &text)?)?)
    };
    union(isl, schedule.maps()?.into_iter().map(moved))
}

/// A loop with a counter.
struct Start {
    /// Lower bounds.
    lower: Vec<String>,
    step: i64,
}

impl Start {
    /// Returns the equation `(i = L + s·i' and L >= …) or …`: each bound L holds where it is the first of the largest.
    fn equation(&self, name: &str) -> String {
        let case = |(first, lower): (usize, &String)| {
            let others = self.lower.iter().enumerate().filter(|(other, _)| *other != first);
            let largest = others.map(|(other, bound)| {
                let relation = if other < first { ">" } else { ">=" };
                format!(" and {lower} {relation} {bound}")
            });
            format!("({name} = {lower} + {}{name}'{})", self.step, largest.collect::<String>())
        };
        self.lower.iter().enumerate().map(case).collect::<Vec<_>>().join(" or ")
    }
}

/// Collects the loops that have a counter of their own.
fn collect(program: &Program, nodes: &[Node], starts: &mut BTreeMap<IterId, Start>) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                if let Some(start) = start(program, l) {
                    starts.insert(l.iter, start);
                }
                collect(program, &l.body, starts);
            }
            Node::If(guard) => {
                collect(program, &guard.then, starts);
                collect(program, &guard.otherwise, starts);
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
}

fn start(program: &Program, l: &Loop) -> Option<Start> {
    let lower = || l.lower.iter().map(|bound| program.show(bound)).collect();
    (l.step > 1).then(|| Start { lower: lower(), step: l.step })
}

/// `[params] -> { S<k>[i'] -> S<k>[i] : i = 2 + 3·i' }`; no name of a program has an apostrophe.
fn iterators_text(
    program: &Program,
    statement: &Statement,
    iters: &[IterId],
    starts: &BTreeMap<IterId, Start>,
) -> String {
    let names: Vec<_> = iters.iter().map(|i| program.iters[i.index()].name.as_str()).collect();
    let counters: Vec<_> = names.iter().map(|name| format!("{name}'")).collect();
    let equations = iters.iter().zip(&names).map(|(iter, name)| match starts.get(iter) {
        Some(start) => format!(" and ({})", start.equation(name)),
        None => format!(" and {name} = {name}'"),
    });
    let equations: String = equations.collect();
    let statement = statement_name(statement.access);
    let (counters, iters) = (counters.join(", "), names.join(", "));
    format!("{} -> {{ {statement}[{counters}] -> {statement}[{iters}] : true{equations} }}", params_text(program))
}
