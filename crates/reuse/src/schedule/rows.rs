//! Line starts in rows (docs/mathematics.md, "Line starts in rows").
//!
//! In rows that follow each other lines start at places that depend on the row. As with lines of symbolic size, each access gets
//! the start of its line as one more iterator, here relative to its row:
//!
//! ```text
//! place − B < y ≤ place,   block [row, y] if y ≥ 0, else [row before, y + pitch]
//! ```
//!
//! and previous accesses are looked for at every y. They are right where a line starts, `(phase + y) mod B = 0`, which is asked
//! of the result alone: so the search knows of no remainder.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::rows::LinesInRows;
use symloc_affine::{AccessId, Layout, Line, Program};
use symloc_isl::{Context, Map, Set, UnionMap};

use crate::Error;
use crate::frame::FreshNames;
use crate::schedule::counters::{Counted, earlier};
use crate::schedule::started::StartedStatement;
use crate::schedule::timestamps::{Statement, Timestamps, conjunction, set_text, union};

/// Accesses with line starts in rows.
#[derive(Debug)]
pub(crate) struct RowStarts {
    /// From statements with line starts to blocks.
    pub(crate) accesses: UnionMap,
    /// The order of these statements.
    pub(crate) counted: Counted,
    /// From statements with line starts to those without, where lines do start.
    pub(crate) lines: UnionMap,
}

impl RowStarts {
    /// Adds line starts to the accesses to arrays whose rows begin at different places of a line; returns `None` if there are
    /// no such arrays. `own` is the order of the accesses without them.
    ///
    /// # Errors
    ///
    /// [`Error::Layout`] if an array has no blocks, [`Error::Isl`] if isl fails or reaches the limit.
    pub(crate) fn new(
        isl: &Context,
        program: &Program,
        timestamps: &Timestamps,
        own: &Counted,
        (layout, line): (Layout, Line),
    ) -> Result<Option<Self>, Error> {
        let arrays = lines_in_rows(isl, program, timestamps, (layout, line))?;
        if arrays.is_empty() {
            return Ok(None);
        }
        let name = FreshNames::new(program).fresh("start", "");
        let (mut accesses, mut schedules, mut iterators, mut lines) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for statement in &timestamps.statements {
            let in_rows = arrays.get(&statement.access);
            let frame = timestamps.frame(program, statement.access);
            let start = in_rows.map(|_| name.as_str());
            let started = StartedStatement::new(isl, program, &frame, statement.access, start)?;
            match in_rows {
                None => accesses.push(timestamps.access_map(isl, program, statement, layout, line)?),
                Some(in_rows) => {
                    let domain = &timestamps.regions[statement.region].domain;
                    let (touched, starts) = started.in_rows(in_rows, domain)?;
                    accesses.push(touched);
                    lines.push(starts);
                }
            }
            schedules.push(started.times(&own.schedule)?);
            if let Some(own) = &own.iterators {
                iterators.push(started.iterators(own)?);
            }
        }
        let schedule = all(isl, schedules)?;
        let iterators = own.iterators.as_ref().map(|_| all(isl, iterators)).transpose()?;
        let counted = Counted { iterators, earlier: earlier(isl, &schedule)?, schedule, times: own.times.clone() };
        let maps = |maps: Vec<Map>| union(isl, maps.into_iter().map(Ok));
        Ok(Some(Self { accesses: maps(accesses)?, counted, lines: maps(lines)? }))
    }
}

/// Returns the lines in rows of the accesses to arrays whose rows begin at different places of a line, and that no access leaves:
/// an element beyond its row has a line of the next one.
fn lines_in_rows(
    isl: &Context,
    program: &Program,
    timestamps: &Timestamps,
    (layout, line): (Layout, Line),
) -> Result<BTreeMap<AccessId, LinesInRows>, Error> {
    let (mut found, mut left) = (BTreeMap::new(), BTreeSet::new());
    for Statement { access, region, .. } in &timestamps.statements {
        let Some(lines) = layout.lines_in_rows(program, program.access(*access), line)? else { continue };
        for (conditions, line) in &lines.cases {
            let (place, pitch) = (program.show(&line.place), program.show(&line.pitch));
            let beyond = format!("{} and ({place} < 0 or {place} >= {pitch})", conjunction(program, conditions));
            let region = &timestamps.regions[*region];
            let beyond = Set::read(isl, &set_text(program, &region.iters, &beyond))?;
            if !region.domain.is_disjoint(&beyond)? {
                left.insert(program.access(*access).array);
            }
        }
        found.insert(*access, lines);
    }
    found.retain(|access, _| !left.contains(&program.access(*access).array));
    Ok(found)
}

fn all(isl: &Context, maps: Vec<UnionMap>) -> Result<UnionMap, Error> {
    maps.into_iter().try_fold(UnionMap::empty(isl)?, |all, map| Ok(all.union(&map)?))
}
