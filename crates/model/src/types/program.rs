//! The program that a model is of: its arrays, accesses and loops.

use serde::{Deserialize, Serialize};
use symloc_quasi::{Constraint, Poly};

/// The arrays, accesses and nests of a program, to which a model attributes accesses and blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The static accesses, in the order of the text.
    pub accesses: Vec<Access>,
    /// The nests, which divide the accesses among them, in the order of the text; empty in older models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nests: Vec<Nest>,
    /// The program as it is executed; `None` in older models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Tree>,
}

/// A loop, branch or access that stands in no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nest {
    /// Its name in the source, such as the layer of a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of accesses in it, at least one; they follow those of the nest before it.
    pub accesses: usize,
}

/// A program as it runs. Its polynomials are affine; their variables are first the parameters, then the iterators in
/// the order of [`Tree::iterators`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// The names of all iterators.
    pub iterators: Vec<String>,
    /// The layout of each array of [`Outline::arrays`].
    pub shapes: Vec<ArrayShape>,
    /// The subscripts of each access of [`Outline::accesses`].
    pub subscripts: Vec<Vec<Poly>>,
    /// The nodes, in the order of execution.
    pub body: Vec<TreeNode>,
}

/// The layout of one array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayShape {
    /// The number of elements in each dimension, where it is a constant of the text.
    pub extents: Vec<Option<i64>>,
    /// For each dimension the factors of its extent, in the parameters, where the extent is symbolic and known; empty
    /// if no extent is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<Option<Vec<Poly>>>,
    /// The distances between neighbours in elements, where all of them are constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strides: Option<Vec<i64>>,
    /// With strides: the position of the element with all subscripts zero, in elements.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: i64,
}

/// A part of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TreeNode {
    /// A loop.
    For(For),
    /// A condition.
    If(If),
    /// An access, by its position in [`Outline::accesses`].
    Access(usize),
}

/// A loop from the largest lower bound up to the smallest upper bound, exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct For {
    /// The iterator, by its position in [`Tree::iterators`]; each has one loop.
    pub iterator: usize,
    /// Lower bounds, at least one.
    pub lower: Vec<Poly>,
    /// Upper bounds, at least one.
    pub upper: Vec<Poly>,
    /// The step, at least 1.
    #[serde(default, skip_serializing_if = "ForStep::is_one")]
    pub step: ForStep,
    /// The schedule of its iterations, in the program as it is written; `None` if one thread runs all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel: Option<Schedule>,
    /// The repeated nodes.
    pub body: Vec<TreeNode>,
}

/// The step of a loop. Programs that do not know steps of parameters refuse them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ForStep {
    /// A constant.
    Known(i64),
    /// A multiple of a parameter.
    Tiles(TileStep),
}

/// So many tiles, each of as many iterations as a parameter says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileStep {
    /// The number of tiles, at least 1.
    pub times: i64,
    /// The size of a tile: the position of a parameter in [`Model::parameters`](super::Model::parameters).
    pub parameter: usize,
}

impl Default for ForStep {
    fn default() -> Self {
        ForStep::Known(1)
    }
}

impl ForStep {
    fn is_one(&self) -> bool {
        *self == ForStep::default()
    }

    /// Returns true if it is at least 1 with sizes of at least 1, of which a model has so many.
    pub(crate) fn is_valid(self, parameters: usize) -> bool {
        match self {
            ForStep::Known(step) => step >= 1,
            ForStep::Tiles(TileStep { times, parameter }) => times >= 1 && parameter < parameters,
        }
    }
}

/// The shares of threads in the iterations of a loop (OpenMP's static schedules).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// One block of neighbouring iterations for each thread. The numbers of iterations differ by at most one, and the
    /// first threads have more.
    Blocks,
    /// Chunks of so many neighbouring iterations, at least one, dealt to the threads in turn.
    Chunks(u64),
    /// The iterations of several loops are one sequence.
    Collapse(CollapsedLoops),
}

/// Loops directly in each other, whose iterations are one sequence in the order of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollapsedLoops {
    /// The number of loops, at least 2. The bounds of each are independent of the iterators of the others.
    pub loops: u32,
    /// The number of neighbouring iterations of the sequence in a chunk, at least 1; `None` for one block for each thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunks: Option<u64>,
}

/// The parameters that say which part of a program one thread runs. With all shares whole and thread 0 it is the program
/// that runs on one thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadParameters {
    /// The number of the thread, by its position in [`Model::parameters`](super::Model::parameters); `None` if nothing
    /// stands outside parallel loops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
    /// The thread's shares of parallel loops.
    pub shares: Vec<ShareParameters>,
}

/// A thread's share of parallel loops with some number of iterations, which are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareParameters {
    /// The first of its iterations, a position in [`Model::parameters`](super::Model::parameters).
    pub first: usize,
    /// The iteration after its last, another one.
    pub end: usize,
    /// The number of all iterations, in the parameters that are not the thread's.
    pub iterations: Poly,
}

/// A branch on a conjunction of constraints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct If {
    /// The conjunction.
    pub condition: Vec<Constraint>,
    /// The nodes executed where it holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<TreeNode>,
    /// The nodes executed where it does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<TreeNode>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(value: &i64) -> bool {
    *value == 0
}

/// An array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array {
    /// Its name, different from every other array's.
    pub name: String,
    /// The size of one element in bytes.
    pub element_bytes: u64,
    /// The number of its dimensions.
    pub rank: usize,
    /// True if each thread has a copy of its own, in lines of its own; only in models of [`SCHEMA`](super::SCHEMA).
    #[serde(default, skip_serializing_if = "is_false")]
    pub per_thread: bool,
}

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
}

/// A static access: one load or store in the text of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The array, by its position in [`Outline::arrays`].
    pub array: usize,
    /// Read or write.
    pub kind: AccessKind,
    /// The subscripts as text, as in `[i][k + 1]`.
    pub subscripts: String,
    /// The file where it stands; `None` if it is [`Model::source`](super::Model::source).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line in the file, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
}

impl Access {
    /// Returns its place and name, for messages: `14:9: A[i][k]`.
    pub fn place(&self, program: &Outline) -> String {
        let array = program.arrays.get(self.array).map_or("?", |array| array.name.as_str());
        format!("{}:{}: {array}{}", self.line, self.column, self.subscripts)
    }
}
