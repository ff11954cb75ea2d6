//! The content of a model file.
//!
//! Variables of all polynomials are numbered: the parameters first, in the order of [`Model::parameters`], then the
//! [`Model::truths`] and the [`Model::line_counts`], then a class's free iterators, outermost first.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use symloc_quasi::{Constraint, Notation, Piece, Poly, Rational, Relation, Style, Var};

/// The schema of models with [truth values](Model::truths), the newest one.
pub const SCHEMA: &str = "symloc.model/4";

/// The schema of all others, which older programs read.
pub const SCHEMA_3: &str = "symloc.model/3";

/// The schema before it, which is read as well: it writes every polynomial out.
pub const SCHEMA_2: &str = "symloc.model/2";

/// The first schema, which is read as well: it does not distinguish the accesses of a program either.
pub const SCHEMA_1: &str = "symloc.model/1";

/// The locality of one function, for all sizes in its context.
///
/// `L` is the form of an entry of `lines`: the file has another one, with tables, which [`Model::to_json`] writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model<L = LineModel> {
    /// [`SCHEMA`], [`SCHEMA_3`] or [`SCHEMA_1`]; a model read from a file of [`SCHEMA_2`] has [`SCHEMA_3`].
    pub schema: String,
    /// The program that wrote the file, with its version.
    pub generator: String,
    /// The function.
    pub function: String,
    /// The source file, as the user named it.
    pub source: String,
    /// The CRC-32 of that file's bytes; `None` if there is no file, or if it was not computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_checksum: Option<u32>,
    /// Remarks on what was left out or taken for granted when the source was read, each with its place; they belong to
    /// every answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Everything that was taken for granted when the source was read and the model derived; empty in older models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
    /// The layout of arrays in memory (`docs/affine-support.md`, Meaning).
    pub layout: Layout,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The source's names of some of them, under which sizes may be given: `arg1` for `p0`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, String>,
    /// The source's names of the sizes that make no difference: they may be given, and are no parameters. Older models
    /// do not list them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_effect: Vec<String>,
    /// Those of [`Self::without_effect`] that make no difference as long as they are at least 1; empty in older models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at_least_one: Vec<String>,
    /// Variables that are 1 where a condition on the parameters holds, and 0 elsewhere: flags of the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truths: Vec<Constraint>,
    /// Variables that follow from the parameters; only with a symbolic line size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line_counts: Vec<LineCount>,
    /// The sizes for which the model holds: a conjunction over the parameters.
    pub context: Vec<Constraint>,
    /// The arrays and accesses that counts are attributed to; `None` in models of [`SCHEMA_1`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Outline>,
    /// N, the number of accesses.
    pub accesses: Vec<Piece>,
    /// The number of floating-point operations; `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<Vec<Piece>>,
    /// One entry for each line size.
    pub lines: Vec<L>,
}

/// An assumption made when the source was read or the model derived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// Its sort, by one of the names in `docs/model-format.md`; a newer program may write others.
    pub kind: String,
    /// Its text, for readers.
    pub text: String,
    /// The file that it is about; `None` if it is [`Model::source`], or if there is no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line in the file, from 1; `None` if it is about no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its column, from 1; `None` if it is about no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(line), Some(column)) = (self.line, self.column) {
            self.file.iter().try_for_each(|file| write!(f, "{file}:"))?;
            write!(f, "{line}:{column}: ")?;
        }
        write!(f, "{} ({})", self.text, self.kind)
    }
}

/// The layout of arrays in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Elements lie as in memory: rows follow each other. Each row starts a new line if the length of the rows is not
    /// known, or not known modulo a line.
    Memory,
    /// Every row of an array starts a new line.
    Rows,
    /// Elements lie according to the strides in the source.
    Linear,
}

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
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub step: i64,
    /// The repeated nodes.
    pub body: Vec<TreeNode>,
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

fn one() -> i64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_one(value: &i64) -> bool {
    *value == 1
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
    /// The file where it stands; `None` if it is [`Model::source`].
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

/// The number of whole lines in a size, ⌊of/by⌋: two parameters, by their positions in [`Model::parameters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCount {
    /// The size, in elements.
    pub of: usize,
    /// The elements per line.
    pub by: usize,
}

/// A line size that is a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolicLine {
    /// Elements per line: the position of a parameter in [`Model::parameters`].
    pub parameter: usize,
    /// Bytes of an element; of the largest, if the arrays differ in them.
    pub element_bytes: u64,
}

/// The reuse classes at one line size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineModel {
    /// Bytes per cache line. With `element`, the size of one element, or `None` if the arrays differ in it.
    pub line_bytes: Option<u64>,
    /// True if a line holds one element of each array, whatever its size (`--element`).
    pub element: bool,
    /// The line size, if it is a parameter; then `line_bytes` is `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<SymbolicLine>,
    /// m, the number of distinct blocks.
    pub blocks: Vec<Piece>,
    /// The number of distinct blocks of each array of [`Outline::arrays`]; empty without an outline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub array_blocks: Vec<Vec<Piece>>,
    /// The classes, real ones first.
    pub classes: Vec<ReuseClass>,
    /// The reuse distances, if they were derived (`--exact`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distances: Option<Distances>,
}

/// The reuse distances at one line size: for each access with a previous one, the number of distinct blocks touched
/// strictly between the two. A fully associative LRU cache of C blocks misses where the distance is at least C, and on
/// first touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distances {
    /// Classes like those of reuse intervals, all of them real, with the distance as value.
    pub classes: Vec<ReuseClass>,
    /// The accesses whose distance is not known, because finding it exceeded a limit: classes by reuse *interval*.
    /// Denning's recursion decides which of them miss.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub estimated: Vec<ReuseClass>,
}

/// The kind of an interval, by the previous access to the block in the same run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalKind {
    /// There is a previous access.
    Real,
    /// There is none: a first touch, whose interval reaches into the previous run (infinite repeat).
    Imaginary,
}

/// All accesses with one formula for the reuse interval: value `v(p; q)`, for the iterators `q` in a domain, with a
/// multiplicity `c(p; q)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReuseClass {
    /// Real or imaginary.
    pub kind: IntervalKind,
    /// The names of the free iterators q; empty if the value depends on the parameters alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterators: Vec<String>,
    /// v, an integer wherever the class has members.
    pub value: Poly,
    /// c: pieces in the parameters and q, which add up where they overlap; zero where there is none.
    pub counts: Vec<CountPiece>,
}

/// A piece of a multiplicity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountPiece {
    /// The access that it counts, by its position in [`Outline::accesses`]; `None` without an outline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<usize>,
    /// The access that touched the block before it, by its position; `None` for first touches and in models without
    /// previous accesses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<usize>,
    /// A range for each free iterator that holds all of the piece's points; see [`Bounds`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bounds>,
    /// The exact domain of the piece: a conjunction over parameters and iterators.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub domain: Vec<Constraint>,
    /// The number of accesses with this value.
    pub count: Poly,
}

/// A range for one free iterator, `max(lower) ≤ q ≤ min(upper)`, in terms of the parameters and the iterators further
/// out. The bounds are integers at every point; the range contains all points of the domain, and possibly others.
#[derive(Clone, Debug, PartialEq, Hash, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Inclusive lower bounds, at least one.
    pub lower: Vec<Poly>,
    /// Inclusive upper bounds, at least one.
    pub upper: Vec<Poly>,
}

impl LineCount {
    /// Returns the name, such as `floor(n/b)`.
    pub fn name(&self, parameters: &[String]) -> String {
        let parameter = |index: usize| parameters.get(index).map_or("?", String::as_str);
        format!("floor({}/{})", parameter(self.of), parameter(self.by))
    }
}

impl<L> Model<L> {
    /// Returns the model with lines in another form.
    pub(crate) fn with_lines<M>(&self, lines: Vec<M>) -> Model<M> {
        Model {
            schema: self.schema.clone(),
            generator: self.generator.clone(),
            function: self.function.clone(),
            source: self.source.clone(),
            source_checksum: self.source_checksum,
            remarks: self.remarks.clone(),
            assumptions: self.assumptions.clone(),
            layout: self.layout,
            parameters: self.parameters.clone(),
            arguments: self.arguments.clone(),
            without_effect: self.without_effect.clone(),
            at_least_one: self.at_least_one.clone(),
            truths: self.truths.clone(),
            line_counts: self.line_counts.clone(),
            context: self.context.clone(),
            program: self.program.clone(),
            accesses: self.accesses.clone(),
            operations: self.operations.clone(),
            lines,
        }
    }
}

impl Model {
    /// Returns the number of variables before the free iterators: parameters, truth values and line counts.
    pub fn variables(&self) -> usize {
        self.first_line_count() + self.line_counts.len()
    }

    /// Returns the number of the first line count.
    pub fn first_line_count(&self) -> usize {
        self.parameters.len() + self.truths.len()
    }

    /// Returns true if the context implies that a parameter is at least 1: others are flags, offsets and the like.
    pub fn is_size(&self, parameter: usize) -> bool {
        let Ok(variable) = u32::try_from(parameter).map(|number| Poly::var(Var(number))) else { return false };
        let least = |constraint: &Constraint| {
            let rest = (&constraint.poly - &variable).as_constant()?;
            Some(constraint.relation == Relation::NonNegative && rest <= Rational::from_integer((-1).into()))
        };
        self.context.iter().any(|constraint| least(constraint) == Some(true))
    }

    /// Returns the value that the context gives a parameter, if there is only one.
    pub fn only_value(&self, parameter: usize) -> Option<i64> {
        let variable = u32::try_from(parameter).map(|number| Poly::var(Var(number))).ok()?;
        let value = |constraint: &Constraint| {
            let above = (&constraint.poly + &variable).as_constant();
            let value = above.or_else(|| (&constraint.poly - &variable).as_constant().map(|below| -below))?;
            value.is_integer().then(|| value.to_integer().try_into().ok()).flatten()
        };
        self.context.iter().filter(|constraint| constraint.relation == Relation::Zero).find_map(value)
    }

    /// Returns the assumptions, with the file wherever there is a place.
    pub fn assumptions_with_files(&self) -> Vec<Assumption> {
        let with_file = |assumption: &Assumption| {
            let file = assumption.file.clone().or_else(|| assumption.line.map(|_| self.source.clone()));
            Assumption { file, ..assumption.clone() }
        };
        self.assumptions.iter().map(with_file).collect()
    }

    /// Returns the names of these variables; a truth value is called `[f = 1]`, and a line count `floor(n/b)`.
    pub fn names(&self) -> Vec<String> {
        variable_names(&self.parameters, &self.truths, &self.line_counts)
    }
}

/// Returns the names of the variables before the free iterators, in their order.
pub fn variable_names(parameters: &[String], truths: &[Constraint], line_counts: &[LineCount]) -> Vec<String> {
    let notation = Notation::new(Style::Plain, parameters);
    let truths = truths.iter().map(|truth| format!("[{}]", notation.conjunction(std::slice::from_ref(truth))));
    let counts = line_counts.iter().map(|count| count.name(parameters));
    parameters.iter().cloned().chain(truths).chain(counts).collect()
}

impl Bounds {
    /// Returns the bounds with each polynomial replaced.
    pub fn map(&self, poly: impl Fn(&Poly) -> Poly) -> Self {
        Self { lower: self.lower.iter().map(&poly).collect(), upper: self.upper.iter().map(&poly).collect() }
    }
}
