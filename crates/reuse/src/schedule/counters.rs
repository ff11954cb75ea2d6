//! Loops with a step, counted in steps.
//!
//! A loop `for i = L to U step s` runs at `i = L + s·u` for u = 0, 1, …: its *counter*. Over counters the domain has no
//! congruence `(i − L) mod s = 0`, and execution order is the same, so previous accesses are looked for over them: every congruence
//! less is one that isl's parametric integer programs need not branch on. Of several lower bounds the largest is L,
//! case by case.

use std::collections::BTreeMap;

use symloc_affine::{IterId, Loop, Node, Program};
use symloc_isl::{Context, DimType, Map, UnionMap};

use crate::Error;
use crate::schedule::timestamps::{Statement, TimeComponent, Timestamps, params_text, statement_name, union};

/// All accesses in time, over counters.
#[derive(Debug)]
pub struct Counted {
    /// `S<k>[counters] -> S<k>[iters]`, a bijection onto the domains; `None` if every iterator stays.
    pub iterators: Option<UnionMap>,
    /// `S<k>[counters] -> [time]`, with counters in place of iterators.
    pub schedule: UnionMap,
    /// By access, the way to it in the tree.
    pub times: Vec<Vec<TimeComponent>>,
    /// For each component of a time, the relation from times to earlier ones of which it is the first that differs.
    pub earlier: Vec<UnionMap>,
}

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
            return Ok(Self { iterators: None, earlier: earlier(isl, &schedule)?, schedule, times });
        }
        let (mut all_iterators, mut all_schedules) = (Vec::new(), Vec::new());
        for statement in &timestamps.statements {
            let region = &timestamps.regions[statement.region];
            let text = iterators_text(program, statement, &region.iters, &starts);
            let domain = region.domain.set_tuple_name(&statement_name(statement.access))?;
            let iterators = Map::read(isl, &text)?.intersect_range(&domain)?;
            let schedule = statement.order.intersect_domain(&iterators.domain()?)?;
            all_iterators.push(iterators);
            all_schedules.push(schedule);
        }
        let iterators = Some(union(isl, all_iterators.into_iter().map(Ok))?);
        let schedule = union(isl, all_schedules.into_iter().map(Ok))?;
        Ok(Self { iterators, earlier: earlier(isl, &schedule)?, schedule, times })
    }
}

/// Returns the relations of [`Counted::earlier`] between the times of a schedule.
pub(crate) fn earlier(isl: &Context, schedule: &UnionMap) -> Result<Vec<UnionMap>, Error> {
    let components = schedule.maps()?.first().map_or(Ok(0), |map| map.dim(DimType::Out))?;
    let relation = |level: usize| {
        let names = |prefix: &str| (0..components).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>().join(", ");
        let equal: String = (0..level).map(|at| format!("s{at} = t{at} and ")).collect();
        Ok(UnionMap::read(isl, &format!("{{ [{}] -> [{}] : {equal}s{level} < t{level} }}", names("t"), names("s")))?)
    };
    (0..components).map(relation).collect()
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
    l.step.constant().filter(|step| *step > 1).map(|step| Start { lower: lower(), step })
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
