//! What a program does beside touching memory: how many operations of which kind, in which blocks, how often.
//!
//! A front end that is asked for [`Characteristics`] tells two things apart. *What* one execution of a basic block does is
//! its [`Mix`], plain numbers. *How often* blocks are executed and edges of the control-flow graph taken is a program with
//! nothing but [marks](symloc_affine::Mark): one [`MarkId`] for each block and each edge. An analysis counts marks as
//! polynomials in the sizes, an interpreter counts them by running; neither knows a block or an operation.
//!
//! A mark may stand at several places of the tree, which then count together. So the header of a loop, which runs once
//! more than the loop has iterations, is marked once in the body and once after the loop; and code that a front end reads
//! several times (inlined calls, cases) is one block.
//!
//! A branch on data has two sides of which the tree cannot say which one is executed: both follow each other, their marks
//! weighted as [`Branches::sides`] says.
//!
//! (Barai et al., *LLVM Static Analysis for Program Characterization and Memory Reuse Profile Estimation*, section 3, where
//! the counts are numbers at one size.)

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_rational::BigRational;
use num_traits::One;
use symloc_affine::{Location, MarkId, Program, Weight};

use crate::diagnostics::{Diagnostic, Errors, Note, Notes, Text};

/// The control-flow graph of a function, what its blocks do, and a program that says how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characteristics {
    /// Loops and guards around marks; without accesses, arrays and operations.
    pub program: Program,
    /// How many marks there are: those of blocks and edges, each with a number below this.
    pub marks: u32,
    /// The basic blocks, in the order of the text; the first is where the function starts.
    pub blocks: Vec<Block>,
    /// The edges between them.
    pub edges: Vec<Edge>,
    /// The loops; a loop comes after the one around it.
    pub loops: Vec<LoopInfo>,
    /// The branches that depend on data, each once, in the order of the text.
    pub data_branches: Vec<Location>,
}

/// A basic block: operations that are executed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name: unique, for people.
    pub name: String,
    /// Where it begins, if it has a place in the source.
    pub location: Option<Location>,
    /// Counts its executions.
    pub mark: MarkId,
    /// The innermost loop around it, by its position in [`Characteristics::loops`].
    pub within: Option<usize>,
    /// What one execution does, by line of the source.
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
    /// The line of a place.
    pub fn of(location: &Location) -> Self {
        Self { file: Arc::clone(&location.file), line: location.line }
    }
}

impl Characteristics {
    /// Is what stands in loop `inner` also in loop `outer`?
    pub fn is_within(&self, inner: Option<usize>, outer: usize) -> bool {
        std::iter::successors(inner, |&index| self.loops[index].parent).any(|index| index == outer)
    }
}

/// How an edge of the control-flow graph is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// Always, when the block ends.
    Next,
    /// When the condition at the end of the block holds.
    Taken,
    /// When it does not.
    NotTaken,
}

/// An edge of the control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts, by its position in [`Characteristics::blocks`].
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// Counts how often it is taken.
    pub mark: MarkId,
    /// How it is taken.
    pub kind: EdgeKind,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInfo {
    /// Its name: that of its iterator, if it has one.
    pub name: String,
    /// Where it begins.
    pub location: Option<Location>,
    /// The loop around it, by its position in [`Characteristics::loops`].
    pub parent: Option<usize>,
    /// The block in which every iteration begins, by its position in [`Characteristics::blocks`].
    pub header: usize,
}

/// What a front end found of a program's blocks, and what is to be said about how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characterised {
    /// The blocks.
    pub characteristics: Characteristics,
    /// Facts that belong to the result.
    pub notes: Notes,
}

impl Characterised {
    /// What a front end found, with the texts that its places are in; the first is the one the user named.
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
    /// Bits: and, or, exclusive or, shifts, counting.
    Logic,
    /// From one type to another.
    Convert,
    /// The smaller or the larger.
    MinMax,
    /// Multiplication and addition in one.
    Fma,
    /// Root, power, exponential, logarithm, trigonometry and the like.
    Elementary,
    /// Anything else: selection, negation, rounding, moves between lanes.
    Other,
}

/// Of what an operation is.
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
    /// A branch with a condition.
    ConditionalBranch,
    /// A jump.
    UnconditionalBranch,
}

/// An operation on numbers of so many bits; branches have no width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Typed {
    /// The operation.
    pub operation: Operation,
    /// The width of one element in bits; where types differ, that of the operands. For loads and stores that of memory.
    pub bits: u32,
}

/// How many operations of each kind and width. Operations on vectors count once for each lane.
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

    /// The counts, none of them zero, in the order of their kinds.
    pub fn counts(&self) -> impl Iterator<Item = (Typed, u64)> {
        self.0.iter().map(|(sized, count)| (*sized, *count))
    }

    /// True if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Operation {
    /// How many floating-point operations it is, as the performance counters of processors count: for each element an
    /// addition, subtraction, multiplication, division, remainder, minimum, maximum or elementary function is one, a fused
    /// multiply-add two; negation, absolute value, rounding, comparison, selection and conversion are none.
    pub fn flops(self) -> u64 {
        match self {
            Operation::Float(
                Kind::Add | Kind::Sub | Kind::Mul | Kind::Div | Kind::Rem | Kind::MinMax | Kind::Elementary,
            ) => 1,
            Operation::Float(Kind::Fma) => 2,
            _ => 0,
        }
    }

    /// The bytes that one of them moves between memory and registers.
    pub fn bytes(self, bits: u32) -> u64 {
        match self {
            Operation::Load | Operation::Store => u64::from(bits.div_ceil(8)),
            _ => 0,
        }
    }
}

impl Block {
    /// A block in which nothing happens yet.
    pub fn new(name: impl Into<String>, location: Option<Location>, mark: MarkId, within: Option<usize>) -> Self {
        Self { name: name.into(), location, mark, within, lines: BTreeMap::new() }
    }

    /// What one execution does at this place of the source.
    pub fn mix_at(&mut self, location: Option<&Location>) -> &mut Mix {
        self.lines.entry(location.map(SourceLine::of)).or_default()
    }

    /// What one execution does.
    pub fn mix(&self) -> Mix {
        let mut mix = Mix::default();
        self.lines.values().for_each(|line| mix.add_all(line));
        mix
    }
}

/// What somebody said about branches on data: with which probability the one at a line is taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    probabilities: BTreeMap<u32, BigRational>,
}

impl Branches {
    /// Probabilities, from 0 to 1, by line of the source.
    pub fn new(probabilities: impl IntoIterator<Item = (u32, BigRational)>) -> Self {
        Self { probabilities: probabilities.into_iter().collect() }
    }

    /// The lines of which something was said.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.probabilities.keys().copied()
    }

    /// The weights of the two sides of the branch at a line: where it is taken, and where it is not.
    pub fn sides(&self, line: u32) -> [Weight; 2] {
        match self.probabilities.get(&line) {
            Some(taken) => [Weight::Estimate(taken.clone()), Weight::Estimate(BigRational::one() - taken)],
            None => [(); 2].map(|()| Weight::Unknown(BTreeSet::from([line]))),
        }
    }
}
