//! Tiles of symbolic size: a program in which nothing is multiplied by the size of a tile (docs/mathematics.md, "Tiles of
//! symbolic size").
//!
//! A loop in steps of a parameter T has no affine form, nor has what is compared with its iterator. In radix T it has one:
//!
//! ```text
//! for ii = 0 to n step T:  for i = ii to min(n, ii + T):  A[i + 1]
//!
//! ii = T·t        i = T·t + r,  0 ≤ r < T        n = T·m + s,  1 ≤ s ≤ T
//!
//! for t = 0 to m + 1:  for r = 0 to T:  unless t ≥ m and r ≥ s:  A[t][r + 1] or, if r + 1 = T, A[t + 1][0]
//! ```
//!
//! Everything that is compared with such an iterator, or stands in one dimension of an array with it, is written in the same
//! radix (`radices`), by its two *digits* (`digits`); a sum of them has a carry, and each of its few values is a case that
//! is affine (`cases`), also of the subscripts of accesses. The accesses stay as they are, in their order. Lines of several elements are named in digits where tiles are whole lines (`lines`).

mod bounds;
mod cases;
mod digits;
mod error;
mod lines;
mod radices;
mod rewriter;
mod sizes;

pub use error::RadixError;

use crate::expr::Constraint;
use crate::ids::ParamId;
use crate::program::{Loop, Node, Program};

/// A program without tiles of symbolic size.
#[derive(Clone, Debug)]
pub struct RadixProgram {
    /// The program. Its parameters are those of the original one, then the digits of sizes: for each of
    /// [`Self::sizes`] the quotient, then for each of them the rest, if it has one.
    pub program: Program,
    /// The sizes that are written in digits.
    pub sizes: Vec<SizeDigits>,
    /// The conditions on the tile sizes, in the parameters of the original program.
    pub conditions: Vec<Constraint>,
}

/// A size n in radix T: `n = T·m + s` with `1 ≤ s ≤ T`, so that m is ⌊(n − 1)/T⌋; or `n = T·m`, if n is a multiple of T.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeDigits {
    /// The size n.
    pub size: ParamId,
    /// The tile T.
    pub tile: ParamId,
    /// The quotient m, a parameter of the program in digits.
    pub quotient: ParamId,
    /// The rest s, another one; `None` if n is a multiple of T.
    pub rest: Option<ParamId>,
}

impl RadixProgram {
    /// Writes a program without tiles of symbolic size; `None` if it has none.
    ///
    /// # Errors
    ///
    /// [`RadixError`] if something does not fit: a tile that does not start at a multiple of its size, or something of two
    /// tile sizes.
    pub fn new(program: &Program) -> Result<Option<Self>, RadixError> {
        if !has_tiles(program) {
            return Ok(None);
        }
        let radices = radices::Radices::of(program)?;
        rewriter::rewritten(program, &radices).map(Some)
    }
}

/// Returns true if a loop of a program goes in steps of a parameter.
pub fn has_tiles(program: &Program) -> bool {
    let mut found = false;
    crate::lines::loops(&program.body, &mut |l: &Loop| found |= l.step.size().is_some());
    found
}

/// Calls a function with every node, those outside first.
fn each_node<'p>(
    nodes: &'p [Node],
    visit: &mut dyn FnMut(&'p Node) -> Result<(), RadixError>,
) -> Result<(), RadixError> {
    for node in nodes {
        visit(node)?;
        match node {
            Node::Loop(l) => each_node(&l.body, visit)?,
            Node::If(guard) => {
                each_node(&guard.then, visit)?;
                each_node(&guard.otherwise, visit)?;
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
        }
    }
    Ok(())
}
