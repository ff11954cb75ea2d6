//! One thread in a parallel loop, which runs access by access and can stop after each.

use symloc_cache::Request;

use crate::code::{For, Op, holds};
use crate::cursor::{Cursor, Placed};
use crate::error::ReplayError;
use crate::threads::nest::{ParallelBody, SharedNest};
use crate::threads::share::LoopShare;

/// The access of a thread that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NextAccess {
    /// The index of the access in the program's table.
    pub(crate) access: usize,
    pub(crate) block: u64,
    pub(crate) request: Request,
}

/// The run of a thread's share of a parallel loop.
pub(crate) struct ThreadWalk<'c> {
    nest: &'c SharedNest<'c>,
    share: LoopShare,
    /// The number of iterations of the share that have begun.
    begun: u64,
    /// The values of the iterators.
    iters: Vec<i64>,
    /// The nodes around the present one, from the outside.
    frames: Vec<WalkFrame<'c>>,
    /// The accesses of the present row.
    row: Vec<Cursor>,
    /// The number of accesses of the row that are left, and the position of the next one.
    left: u64,
    at: usize,
    line: i64,
}

/// A list of nodes that is being run.
struct WalkFrame<'c> {
    body: &'c [Op<Placed>],
    /// The position of the next node.
    at: usize,
    /// The loop around them, and the number of its iterations that follow this one.
    around: Option<(&'c For, u64)>,
}

impl<'c> ThreadWalk<'c> {
    /// Creates the run of a share of a nest.
    pub(crate) fn new(nest: &'c SharedNest<'c>, share: LoopShare, iters: &[i64], line: i64) -> Self {
        let (frames, row) = Default::default();
        Self { nest, share, begun: 0, iters: iters.to_vec(), frames, row, left: 0, at: 0, line }
    }

    /// Returns the next access; `None` if the thread has done its share.
    pub(crate) fn next_access(&mut self) -> Result<Option<NextAccess>, ReplayError> {
        loop {
            if self.left > 0 {
                return Ok(Some(self.in_row()));
            }
            let Some(frame) = self.frames.last_mut() else {
                if !self.begin()? {
                    return Ok(None);
                }
                continue;
            };
            match frame.body.get(frame.at) {
                Some(op) => {
                    frame.at += 1;
                    if let Some(next) = self.enter(op)? {
                        return Ok(Some(next));
                    }
                }
                None => self.repeat(),
            }
        }
    }

    /// Begins the next iteration of the share; returns whether there is one.
    fn begin(&mut self) -> Result<bool, ReplayError> {
        if self.begun == self.share.len() {
            return Ok(false);
        }
        self.nest.set(self.share.iteration(self.begun), &mut self.iters);
        self.begun += 1;
        match self.nest.body {
            ParallelBody::Nodes(body) => self.frames.push(WalkFrame { body, at: 0, around: None }),
            ParallelBody::Row(sites) => self.begin_row(sites, 1)?,
        }
        Ok(true)
    }

    /// Enters a node; returns the access if it is one.
    fn enter(&mut self, op: &'c Op<Placed>) -> Result<Option<NextAccess>, ReplayError> {
        match op {
            Op::Access(site) => {
                let block = (site.address(&self.iters)? / self.line) as u64;
                return Ok(Some(NextAccess { access: site.access, block, request: site.request }));
            }
            Op::Row(head, sites) => {
                let (first, count) = head.iterations(&self.iters)?;
                if count > 0 {
                    self.iters[head.slot] = first;
                    self.begin_row(sites, count)?;
                }
            }
            Op::Loop(head, body) => {
                let (first, count) = head.iterations(&self.iters)?;
                if let Some(more) = count.checked_sub(1) {
                    self.iters[head.slot] = first;
                    self.frames.push(WalkFrame { body, at: 0, around: Some((head, more)) });
                }
            }
            Op::If(condition, [then, otherwise]) => {
                let body = if holds(condition, &self.iters)? { then } else { otherwise };
                self.frames.push(WalkFrame { body, at: 0, around: None });
            }
        }
        Ok(None)
    }

    /// Begins the next iteration of the innermost loop whose nodes have been run, or leaves it.
    fn repeat(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        match &mut frame.around {
            Some((head, more)) if *more > 0 => {
                *more -= 1;
                self.iters[head.slot] += head.step;
                frame.at = 0;
            }
            _ => {
                self.frames.pop();
            }
        }
    }

    fn begin_row(&mut self, sites: &[Placed], iterations: u64) -> Result<(), ReplayError> {
        self.row.clear();
        for site in sites {
            self.row.push(site.cursor(&self.iters, self.line)?);
        }
        (self.left, self.at) = (iterations * self.row.len() as u64, 0);
        Ok(())
    }

    /// Returns the next access of the row.
    fn in_row(&mut self) -> NextAccess {
        let cursor = &mut self.row[self.at];
        let next = NextAccess { access: cursor.access, block: cursor.block, request: cursor.request };
        cursor.step(self.line);
        self.left -= 1;
        self.at = (self.at + 1) % self.row.len();
        next
    }
}
