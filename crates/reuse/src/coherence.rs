//! The reuses of lines that another thread has written since (docs/parallel.md, "Coherence").
//!
//! A parallel loop ends with a barrier, so each time that it is reached its iterations are one *phase*, and the code
//! between two parallel loops is one. A phase is numbered by the timestamps of what is in it, up to the parallel loop.
//! Another thread's write to a line comes between two accesses to it, however threads interleave, if its phase is later
//! than that of the first and earlier than that of the second.

use symloc_affine::{AccessKind, Layout, Line, Program};
use symloc_isl::{Context, Map, UnionMap, UnionSet};

use crate::Error;
use crate::previous::{Prev, PrevPiece};
use crate::schedule::timestamps::{
    Statement, TimeComponent, Timestamps, params_text, statement_access, statement_name, union,
};

/// The writes of all threads but one, phase by phase.
#[derive(Debug)]
pub(crate) struct OtherWrites {
    /// From the thread's accesses to lines, `S<k>[iters] -> Array[block]`.
    accesses: UnionMap,
    /// `S<k>[iters] -> [phase]`.
    phases: UnionMap,
    /// From a phase to later ones.
    later: UnionMap,
    /// From a phase to the lines that other threads write in it.
    written: UnionMap,
}

impl OtherWrites {
    /// Finds the writes of the other threads of a program: what all threads run, `whole`, without what this one runs.
    /// `accesses` are those of this thread.
    pub(crate) fn new(
        isl: &Context,
        whole: &Program,
        accesses: &UnionMap,
        layout: Layout,
        line: Line,
    ) -> Result<Self, Error> {
        let all = Timestamps::new(isl, whole)?;
        let phases = phases(isl, whole, &all)?;
        let mut others = UnionMap::empty(isl)?;
        for map in all.accesses(isl, whole, layout, line)?.subtract(accesses)?.maps()? {
            let name = map.tuple_name(symloc_isl::DimType::In)?;
            let access = name.as_deref().and_then(statement_access);
            if access.is_some_and(|access| whole.access(access).kind == AccessKind::Write) {
                others = others.union(&UnionMap::from_map(&map)?)?;
            }
        }
        let same = phases.range()?.identity()?;
        Ok(Self {
            accesses: accesses.clone(),
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
            let written: UnionSet = between.intersect(&self.accesses)?.domain()?;
            if !written.is_empty()? {
                pieces.extend(Prev::real_pieces(&real.intersect_domain(&written)?)?);
            }
        }
        Ok(pieces)
    }
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
