//! A position in the run of a program, from which it can be followed in both directions.
//!
//! A *leaf* is a row, or an access outside of rows. A position is a leaf with the values of the iterators around it.

use symloc_affine::Program;

use crate::code::{For, Op, holds};
use crate::cursor::Placed;
use crate::error::ReplayError;

/// A leaf at some values of the iterators around it.
#[derive(Clone, Debug)]
pub(crate) struct LeafPosition<'c> {
    frames: Vec<BodyFrame<'c>>,
    pub(crate) iters: Vec<i64>,
    /// The number of repetitions of the leaf: the iterations of a row, or one.
    pub(crate) count: u64,
}

/// A list of nodes, and the index of the one that is run.
#[derive(Clone, Debug)]
struct BodyFrame<'c> {
    body: &'c [Op<Placed>],
    at: usize,
    turn: Option<Turn<'c>>,
}

/// An iteration of a loop.
#[derive(Clone, Debug)]
struct Turn<'c> {
    head: &'c For,
    first: i64,
    count: u64,
    index: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

use Direction::{Backward, Forward};

/// The place of a leaf: for each list of nodes around it, from the outside, the index of the node and of its branch.
#[derive(Clone, Debug)]
pub(crate) struct Leaf<'c> {
    trail: Vec<(usize, usize)>,
    pub(crate) sites: &'c [Placed],
}

/// Returns the leaves of a tree, in the order of the text.
pub(crate) fn leaves(body: &[Op<Placed>]) -> Vec<Leaf<'_>> {
    let mut leaves = Vec::new();
    collect(body, &mut Vec::new(), &mut leaves);
    leaves
}

fn collect<'c>(body: &'c [Op<Placed>], trail: &mut Vec<(usize, usize)>, leaves: &mut Vec<Leaf<'c>>) {
    for (at, op) in body.iter().enumerate() {
        trail.push((at, 0));
        match op {
            Op::Access(_) | Op::Row(..) => leaves.push(Leaf { trail: trail.clone(), sites: sites(op) }),
            Op::Loop(_, body) => collect(body, trail, leaves),
            Op::If(_, branches) => {
                for (branch, body) in branches.iter().enumerate() {
                    trail.pop();
                    trail.push((at, branch));
                    collect(body, trail, leaves);
                }
            }
        }
        trail.pop();
    }
}

fn sites(op: &Op<Placed>) -> &[Placed] {
    match op {
        Op::Access(site) => std::slice::from_ref(site),
        Op::Row(_, sites) => sites,
        Op::Loop(..) | Op::If(..) => &[],
    }
}

impl<'c> LeafPosition<'c> {
    /// Returns the first leaf of a run; `None` if there are no accesses.
    pub(crate) fn first(program: &Program, body: &'c [Op<Placed>]) -> Result<Option<Self>, ReplayError> {
        let frames = vec![BodyFrame { body, at: 0, turn: None }];
        let mut position = Self { frames, iters: vec![0; program.iters.len()], count: 0 };
        let found = !body.is_empty() && (position.descend(Forward)? || position.go(Forward)?);
        Ok(found.then_some(position))
    }

    /// Returns a leaf at iterations chosen by `choose` from the trip count of each loop; `None` if that choice does not reach the
    /// leaf.
    pub(crate) fn at(
        program: &Program,
        body: &'c [Op<Placed>],
        leaf: &Leaf<'_>,
        choose: &mut impl FnMut(u64) -> u64,
    ) -> Result<Option<Self>, ReplayError> {
        let mut position = Self { frames: Vec::new(), iters: vec![0; program.iters.len()], count: 0 };
        let (mut body, mut turn) = (body, None);
        for (at, branch) in &leaf.trail {
            position.frames.push(BodyFrame { body, at: *at, turn: turn.take() });
            match &body[*at] {
                Op::Access(_) | Op::Row(..) => {}
                Op::Loop(head, inner) => {
                    let (first, count) = head.iterations(&position.iters)?;
                    if count == 0 {
                        return Ok(None);
                    }
                    let index = choose(count);
                    turn = Some(position.turn(head, first, count, index));
                    body = inner;
                }
                Op::If(condition, branches) => {
                    if holds(condition, &position.iters)? == (*branch == 1) {
                        return Ok(None);
                    }
                    body = &branches[*branch];
                }
            }
        }
        let found = position.descend(Forward)?;
        Ok(found.then_some(position))
    }

    /// Returns the number of choices of iterations of [`LeafPosition::at`], including those of the leaf.
    pub(crate) fn choices(&self) -> f64 {
        let turns = self.frames.iter().filter_map(|frame| frame.turn.as_ref());
        turns.map(|turn| turn.count as f64).product::<f64>() * self.count as f64
    }

    /// Returns the accesses of the leaf.
    pub(crate) fn sites(&self) -> &'c [Placed] {
        self.frames.last().map_or(&[], |frame| sites(&frame.body[frame.at]))
    }

    /// Returns the number of accesses that the leaf makes here.
    pub(crate) fn accesses(&self) -> u64 {
        self.count * self.sites().len() as u64
    }

    /// Moves to the next leaf; returns false if there is none.
    pub(crate) fn go(&mut self, direction: Direction) -> Result<bool, ReplayError> {
        while let Some(frame) = self.frames.last_mut() {
            let last = frame.body.len() - 1;
            if !step(&mut frame.at, last, direction) {
                let turned = frame.turn.as_mut().is_some_and(|turn| {
                    let mut index = turn.index as usize;
                    let turned = step(&mut index, turn.count as usize - 1, direction);
                    turn.index = index as u64;
                    turned
                });
                if !turned {
                    self.frames.pop();
                    continue;
                }
                if let Some(turn) = &frame.turn {
                    self.iters[turn.head.slot] = turn.value();
                }
                frame.at = if direction == Forward { 0 } else { last };
            }
            if self.descend(direction)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Descends from the present node to a leaf; returns false if there is none at the end that comes first.
    fn descend(&mut self, direction: Direction) -> Result<bool, ReplayError> {
        while let Some(frame) = self.frames.last() {
            let (body, turn) = match &frame.body[frame.at] {
                Op::Access(_) => {
                    self.count = 1;
                    return Ok(true);
                }
                Op::Row(head, _) => {
                    let (first, count) = head.iterations(&self.iters)?;
                    self.iters[head.slot] = first;
                    self.count = count;
                    return Ok(count > 0);
                }
                Op::Loop(head, body) => {
                    let (first, count) = head.iterations(&self.iters)?;
                    if count == 0 {
                        return Ok(false);
                    }
                    let index = if direction == Forward { 0 } else { count - 1 };
                    (body, Some(self.turn(head, first, count, index)))
                }
                Op::If(condition, branches) => (&branches[usize::from(!holds(condition, &self.iters)?)], None),
            };
            if body.is_empty() {
                return Ok(false);
            }
            let at = if direction == Forward { 0 } else { body.len() - 1 };
            self.frames.push(BodyFrame { body, at, turn });
        }
        Ok(false)
    }

    fn turn(&mut self, head: &'c For, first: i64, count: u64, index: u64) -> Turn<'c> {
        let turn = Turn { head, first, count, index };
        self.iters[head.slot] = turn.value();
        turn
    }
}

impl Turn<'_> {
    fn value(&self) -> i64 {
        self.first + self.head.step * self.index as i64
    }
}

/// Moves by one, from 0 to `last`, if there is room.
fn step(at: &mut usize, last: usize, direction: Direction) -> bool {
    match direction {
        Forward if *at < last => *at += 1,
        Backward if *at > 0 => *at -= 1,
        _ => return false,
    }
    true
}
