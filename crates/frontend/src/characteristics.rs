//! Program characteristics: the operations of each basic block, by kind, and the execution counts of blocks and edges.
//!
//! [`Characteristics`] keep two things apart. The operations of one execution of a basic block are its [`Mix`], plain
//! numbers. The execution counts of blocks and of edges of the control-flow graph are a program that consists of
//! [marks](symloc_affine::Mark) only: one [`MarkId`] for each block and each edge. An analysis counts marks as
//! polynomials in the sizes, an interpreter counts them by running; neither needs to know blocks or operations.
//!
//! A mark may stand at several places of the tree, whose counts add up. So the header of a loop, which runs once more
//! than the loop has iterations, is marked once in the body and once after the loop; and code that a front end reads
//! several times (inlined calls, cases) is one block.
//!
//! A branch on data has two sides, and the tree does not decide between them: one follows the other, and
//! [`Branches::sides`] gives the weights of their marks.
//!
//! (Barai et al., *LLVM Static Analysis for Program Characterization and Memory Reuse Profile Estimation*, section 3,
//! where the counts are numbers at one size.)

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_rational::BigRational;
use num_traits::One;
use symloc_affine::{Location, MarkId, Program, Weight};

use crate::diagnostics::{Diagnostic, Errors, Note, Notes, Text};

/// The control-flow graph of a function, with the operations of its blocks and a program of their execution counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characteristics {
    /// Loops and guards around marks; without accesses, arrays and operations.
    pub program: Program,
    /// The number of marks, of blocks and edges; each mark has a number below this.
    pub marks: u32,
    /// The basic blocks, in the order of the text; the first is the entry.
    pub blocks: Vec<Block>,
    /// The edges between them.
    pub edges: Vec<Edge>,
    /// The loops; a loop comes after its parent.
    pub loops: Vec<LoopInfo>,
    /// The branches that depend on data, each once, in the order of the text.
    pub data_branches: Vec<Location>,
}

/// A basic block: operations that are executed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name: unique, for people.
    pub name: String,
    /// Its beginning, if it has a place in the source.
    pub location: Option<Location>,
    /// The mark that counts its executions.
    pub mark: MarkId,
    /// The innermost loop around it, by its position in [`Characteristics::loops`].
    pub within: Option<usize>,
    /// The operations of one execution, by line of the source.
    pub lines: BTreeMap<Option<SourceLine>, Mix>,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// The file.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

impl SourceLine {
    /// Returns the line of a place.
    pub fn of(location: &Location) -> Self {
        Self { file: Arc::clone(&location.file), line: location.line }
    }
}

impl Characteristics {
    /// Returns true if loop `outer` is `inner` or contains it.
    pub fn is_within(&self, inner: Option<usize>, outer: usize) -> bool {
        std::iter::successors(inner, |&index| self.loops[index].parent).any(|index| index == outer)
    }
}

/// The kind of an edge, by the end of the block that it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// An unconditional edge.
    Next,
    /// The edge that is taken if the condition at the end of the block holds.
    Taken,
    /// The edge that is taken if the condition does not hold.
    NotTaken,
}

/// An edge of the control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The block that it leaves, by its position in [`Characteristics::blocks`].
    pub from: usize,
    /// The block that it enters.
    pub to: usize,
    /// The mark that counts how often it is taken.
    pub mark: MarkId,
    /// Its kind.
    pub kind: EdgeKind,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInfo {
    /// Its name: that of its iterator, if it has one.
    pub name: String,
    /// Its beginning.
    pub location: Option<Location>,
    /// The loop around it, by its position in [`Characteristics::loops`].
    pub parent: Option<usize>,
    /// The block in which every iteration begins, by its position in [`Characteristics::blocks`].
    pub header: usize,
}

/// The characteristics of a program, with the notes about reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characterised {
    /// The characteristics.
    pub characteristics: Characteristics,
    /// Facts that belong to the result.
    pub notes: Notes,
}

impl Characterised {
    /// Returns the result of a front end, with the texts that its locations refer to; the first is the user's file.
    ///
    /// # Errors
    ///
    /// Those that it found, with the texts.
    pub fn new(texts: Vec<Text>, found: Result<(Characteristics, Vec<Note>), Vec<Diagnostic>>) -> Result<Self, Errors> {
        match found {
            Ok((characteristics, notes)) => Ok(Self { characteristics, notes: Notes::new(texts, notes) }),
            Err(diagnostics) => Err(Errors::new(texts, diagnostics)),
        }
    }
}

/// A kind of operation on integers or floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Division.
    Div,
    /// Remainder.
    Rem,
    /// Comparison, tests of a class included.
    Compare,
    /// Bitwise and, or, exclusive or, shifts, counting of bits.
    Logic,
    /// Conversion from one type to another.
    Convert,
    /// Minimum or maximum.
    MinMax,
    /// Fused multiply-add.
    Fma,
    /// Root, power, exponential, logarithm, trigonometry and the like.
    Elementary,
    /// Anything else: selection, negation, rounding, moves between lanes.
    Other,
}

/// An operation, without its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// A load of one element.
    Load,
    /// A store of one element.
    Store,
    /// An operation on integers, indices and truth values.
    Integer(Kind),
    /// An operation on floating-point numbers.
    Float(Kind),
    /// A conditional branch.
    ConditionalBranch,
    /// An unconditional branch.
    UnconditionalBranch,
}

/// An operation with its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Typed {
    /// The operation.
    pub operation: Operation,
    /// The width of one element in bits: of the operands, where types differ; of memory, for loads and stores; 0 for
    /// branches.
    pub bits: u32,
}

/// The number of operations of each kind and width. Operations on vectors count once for each lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mix(BTreeMap<Typed, u64>);

impl Mix {
    /// Adds operations.
    pub fn add(&mut self, operation: Operation, bits: u32, count: u64) {
        if count > 0 {
            let sum = self.0.entry(Typed { operation, bits }).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// Adds all of another mix.
    pub fn add_all(&mut self, other: &Mix) {
        other.counts().for_each(|(sized, count)| self.add(sized.operation, sized.bits, count));
    }

    /// Returns the counts that are not zero, in the order of their kinds.
    pub fn counts(&self) -> impl Iterator<Item = (Typed, u64)> {
        self.0.iter().map(|(sized, count)| (*sized, *count))
    }

    /// Returns true if it has no operations.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Operation {
    /// Returns the number of floating-point operations, counted as by the performance counters of processors: one for
    /// an addition, subtraction, multiplication, division, remainder, minimum, maximum or elementary function of one
    /// element, two for a fused multiply-add, zero for negation, absolute value, rounding, comparison, selection and
    /// conversion.
    pub fn flops(self) -> u64 {
        match self {
            Operation::Float(
                Kind::Add | Kind::Sub | Kind::Mul | Kind::Div | Kind::Rem | Kind::MinMax | Kind::Elementary,
            ) => 1,
            Operation::Float(Kind::Fma) => 2,
            _ => 0,
        }
    }

    /// Returns the bytes that one operation of this width moves between memory and registers.
    pub fn bytes(self, bits: u32) -> u64 {
        match self {
            Operation::Load | Operation::Store => u64::from(bits.div_ceil(8)),
            _ => 0,
        }
    }
}

impl Block {
    /// Returns a block without operations.
    pub fn new(name: impl Into<String>, location: Option<Location>, mark: MarkId, within: Option<usize>) -> Self {
        Self { name: name.into(), location, mark, within, lines: BTreeMap::new() }
    }

    /// Returns the operations of one execution on the line of this place, to add to.
    pub fn mix_at(&mut self, location: Option<&Location>) -> &mut Mix {
        self.lines.entry(location.map(SourceLine::of)).or_default()
    }

    /// Returns the operations of one execution.
    pub fn mix(&self) -> Mix {
        let mut mix = Mix::default();
        self.lines.values().for_each(|line| mix.add_all(line));
        mix
    }
}

/// The probabilities of branches on data, as the user gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    probabilities: BTreeMap<u32, BigRational>,
}

impl Branches {
    /// Returns the branches with these probabilities, from 0 to 1, by line of the source.
    pub fn new(probabilities: impl IntoIterator<Item = (u32, BigRational)>) -> Self {
        Self { probabilities: probabilities.into_iter().collect() }
    }

    /// Returns the lines that have a probability.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.probabilities.keys().copied()
    }

    /// Returns the weights of the two sides of the branch on a line: taken, and not taken.
    pub fn sides(&self, line: u32) -> [Weight; 2] {
        match self.probabilities.get(&line) {
            Some(taken) => [Weight::Estimate(taken.clone()), Weight::Estimate(BigRational::one() - taken)],
            None => [(); 2].map(|()| Weight::Unknown(BTreeSet::from([line]))),
        }
    }
}
