//! The lines that several threads use, one of which writes them (docs/parallel.md, "Coherence").
//!
//! A parallel loop ends with a barrier, so each time that it is reached its iterations are one *phase*, and the code
//! between two parallel loops is one. A phase is numbered by the timestamps of what is in it, up to the parallel loop.
//! Another thread's write to a line comes between two accesses to it, however threads interleave, if its phase is later
//! than that of the first and earlier than that of the second. What several threads do to a line in one phase is false
//! sharing if they use different elements, as they do without races.

use std::collections::BTreeMap;

use symloc_affine::lines::loops;
use symloc_affine::{AccessId, AccessKind, Layout, Line, Program};
use symloc_isl::{Context, DimType, Map, Set, UnionMap, UnionSet};

use crate::Error;
use crate::previous::{Prev, PrevPiece};
use crate::schedule::timestamps::{
    Statement, TimeComponent, Timestamps, params_text, set_text, statement_access, statement_name, union,
};

/// All threads of a program beside one of them.
#[derive(Debug)]
pub(crate) struct OtherThreads {
    /// From the thread's accesses to lines, `S<k>[iters] -> Array[block]`.
    own: UnionMap,
    /// From the accesses of all threads to lines, but for arrays of which each thread has its own.
    all: UnionMap,
    /// Of all threads.
    timestamps: Timestamps,
    /// `S<k>[iters] -> [phase]`.
    phases: UnionMap,
    /// From a phase to later ones.
    later: UnionMap,
    /// From a phase to the lines that other threads write in it.
    written: UnionMap,
}

impl OtherThreads {
    /// Finds what the other threads of a program do: what all threads run, `whole`, without `own`, the accesses of this
    /// one.
    pub(crate) fn new(
        isl: &Context,
        whole: &Program,
        own: &UnionMap,
        layout: Layout,
        line: Line,
    ) -> Result<Self, Error> {
        let timestamps = Timestamps::new(isl, whole)?;
        let phases = phases(isl, whole, &timestamps)?;
        // No other thread touches lines of arrays of which each thread has its own.
        let all = to_common_arrays(isl, whole, &timestamps.accesses(isl, whole, layout, line)?)?;
        let others = writes(isl, whole, &all.subtract(own)?)?;
        let same = phases.range()?.identity()?;
        Ok(Self {
            own: own.clone(),
            all,
            timestamps,
            later: same.lex_lt(&same)?,
            written: others.apply_domain(&phases)?.coalesce()?,
            phases,
        })
    }

    /// Returns the parts of previous accesses after which another thread writes the line in a later phase than theirs
    /// and an earlier one than that of the access.
    pub(crate) fn between(&self, prev: &[Prev]) -> Result<Vec<PrevPiece>, Error> {
        let mut pieces = Vec::new();
        for Prev { real, .. } in prev {
            let since = real.apply_range(&self.phases)?.apply_range(&self.later)?;
            let until = self.phases.intersect_domain(&real.domain()?)?.apply_range(&self.later.reverse()?)?;
            let between = since.intersect(&until)?.apply_range(&self.written)?;
            let written: UnionSet = between.intersect(&self.own)?.domain()?;
            if !written.is_empty()? {
                pieces.extend(Prev::real_pieces(&real.intersect_domain(&written)?)?);
            }
        }
        Ok(pieces)
    }

    /// Returns the lines that a thread, whose program is `program`, and later ones touch in one phase, but no earlier one,
    /// and that one of them writes, as pairs `[phase] -> Array[block]`. The first of the threads that touch a line counts
    /// it, so the sum over threads counts every line once in each phase.
    pub(crate) fn falsely_shared(&self, isl: &Context, program: &Program) -> Result<Vec<Map>, Error> {
        let Self { own, all, timestamps, phases, .. } = self;
        let earlier = all.intersect_domain(&earlier(isl, program, timestamps)?)?;
        let later = all.subtract(own)?.subtract(&earlier)?;
        let in_phases = |accesses: &UnionMap| Ok::<_, Error>(accesses.apply_domain(phases)?.coalesce()?);
        let written = writes(isl, program, own)?.union(&writes(isl, program, &later)?)?;
        let touched = in_phases(own)?.intersect(&in_phases(&later)?)?;
        let shared = touched.intersect(&in_phases(&written)?)?.subtract(&in_phases(&earlier)?)?;
        Ok(shared.coalesce()?.maps()?)
    }
}

/// Returns the accesses in iterations of parallel loops before those of the thread of a program.
fn earlier(isl: &Context, program: &Program, timestamps: &Timestamps) -> Result<UnionSet, Error> {
    let mut starts = BTreeMap::new();
    loops(&program.body, &mut |l| {
        if program.iters[l.iter.index()].parallel.is_some() {
            starts.insert(l.iter, l.lower.clone());
        }
    });
    let mut earlier = UnionSet::empty(isl)?;
    for statement in &timestamps.statements {
        let iters = &timestamps.regions[statement.region].iters;
        let Some((iter, starts)) = iters.iter().find_map(|iter| Some((iter, starts.get(iter)?))) else { continue };
        let name = &program.iters[iter.index()].name;
        let before = starts.iter().map(|start| format!("{name} < {}", program.show(start))).collect::<Vec<_>>();
        let before = Set::read(isl, &set_text(program, iters, &before.join(" or ")))?;
        let before = before.set_tuple_name(&statement_name(statement.access))?;
        earlier = earlier.union(&UnionSet::from_set(&before)?)?;
    }
    Ok(earlier)
}

/// Returns the accesses that write.
fn writes(isl: &Context, program: &Program, accesses: &UnionMap) -> Result<UnionMap, Error> {
    chosen(isl, accesses, |access| program.access(access).kind == AccessKind::Write)
}

/// Returns the accesses to arrays of which there is one for all threads.
fn to_common_arrays(isl: &Context, program: &Program, accesses: &UnionMap) -> Result<UnionMap, Error> {
    chosen(isl, accesses, |access| !program.array(program.access(access).array).per_thread)
}

/// Returns the accesses of the text that are wanted.
fn chosen(isl: &Context, accesses: &UnionMap, is_wanted: impl Fn(AccessId) -> bool) -> Result<UnionMap, Error> {
    let mut chosen = UnionMap::empty(isl)?;
    for map in accesses.maps()? {
        let name = map.tuple_name(DimType::In)?;
        if name.as_deref().and_then(statement_access).is_some_and(&is_wanted) {
            chosen = chosen.union(&UnionMap::from_map(&map)?)?;
        }
    }
    Ok(chosen)
}

/// Returns the phases of all accesses, for all iterators.
fn phases(isl: &Context, program: &Program, timestamps: &Timestamps) -> Result<UnionMap, Error> {
    let phase = |statement: &Statement| {
        let is_parallel = |step: &TimeComponent| matches!(step, TimeComponent::Iteration(iter) if program.iters[iter.index()].parallel.is_some());
        let end = statement.time.iter().position(is_parallel).unwrap_or(statement.time.len());
        statement.time[..end].to_vec()
    };
    let all: Vec<_> = timestamps.statements.iter().map(|statement| (statement, phase(statement))).collect();
    let length = all.iter().map(|(_, phase)| phase.len()).max().unwrap_or(0);
    let map = |(statement, phase): &(&Statement, Vec<TimeComponent>)| {
        let mut phase: Vec<String> = phase.iter().map(|step| step.show(program)).collect();
        phase.resize(length, "0".to_owned());
        let iters = &timestamps.regions[statement.region].iters;
        let iters: Vec<_> = iters.iter().map(|iter| program.iters[iter.index()].name.as_str()).collect();
        let text = format!(
            "{} -> {{ {}[{}] -> [{}] }}",
            params_text(program),
            statement_name(statement.access),
            iters.join(", "),
            phase.join(", ")
        );
        Ok(Map::read(isl, &text)?)
    };
    union(isl, all.iter().map(map))
}
