//! The content of a model file.
//!
//! Variables of all polynomials are numbered: the parameters first, in the order of [`Model::parameters`], then the
//! [`Model::truths`] and the [`Model::line_counts`], then a class's free iterators, outermost first.
//!
//! The head has the model as a whole, `classes` the reuses at a line size, and `program` the text that they belong to.

mod classes;
mod program;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use symloc_quasi::{Constraint, Notation, Piece, Poly, Rational, Relation, Style, Var};

pub use classes::{
    Bounds, Coherence, CountPiece, Distances, IntervalKind, LineModel, ReuseClass, SymbolicLine, WriteBacks,
};
pub use program::{
    Access, AccessKind, Array, ArrayShape, CollapsedLoops, For, ForStep, If, Nest, Outline, Schedule, ShareParameters,
    ThreadParameters, TileStep, Tree, TreeNode,
};

/// The schema of models with arrays of which [each thread has its own](Array::per_thread), the newest one.
pub const SCHEMA: &str = "symloc.model/5";

/// The schema of other models with [truth values](Model::truths).
pub const SCHEMA_4: &str = "symloc.model/4";

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
    /// [`SCHEMA`], [`SCHEMA_4`], [`SCHEMA_3`] or [`SCHEMA_1`]; a model read from a file of [`SCHEMA_2`] has [`SCHEMA_3`].
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
    /// Those parameters that say which part of the program one thread runs; `None` if the model is of one thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<ThreadParameters>,
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
    /// What stands in for the classes of a program whose reuse has too many formulas; `None` if the model holds classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<SampledReuse>,
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

/// The reuse of a program without classes: its misses are estimated at each size, from samples of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledReuse {
    /// The numbers of executions that accesses have.
    pub executions: Vec<Vec<Piece>>,
    /// By access of [`Outline::accesses`], the position of its number.
    pub of_accesses: Vec<usize>,
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

/// The number of whole lines in a size, ⌊of/by⌋, or the number of tiles before its last element, ⌊(of − 1)/by⌋: two
/// parameters, by their positions in [`Model::parameters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCount {
    /// The size, in elements.
    pub of: usize,
    /// The elements per line, or the size of a tile.
    pub by: usize,
    /// The number that is added to the size before it is divided: 0 or −1.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub plus: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(value: &i64) -> bool {
    *value == 0
}

impl LineCount {
    /// Returns the name, such as `floor(n/b)` or `floor((n - 1)/T)`.
    pub fn name(&self, parameters: &[String]) -> String {
        let parameter = |index: usize| parameters.get(index).map_or("?", String::as_str);
        let (of, by) = (parameter(self.of), parameter(self.by));
        match self.plus {
            0 => format!("floor({of}/{by})"),
            plus @ ..0 => format!("floor(({of} - {})/{by})", plus.unsigned_abs()),
            plus => format!("floor(({of} + {plus})/{by})"),
        }
    }

    /// Returns the value at a point of the model; 0 if the divisor is not positive, which no context allows.
    pub fn at(&self, point: &[i128]) -> i128 {
        let (of, by) = (point[self.of], point[self.by]);
        if by > 0 { of.saturating_add(i128::from(self.plus)).div_euclid(by) } else { 0 }
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
            threads: self.threads.clone(),
            truths: self.truths.clone(),
            line_counts: self.line_counts.clone(),
            context: self.context.clone(),
            program: self.program.clone(),
            accesses: self.accesses.clone(),
            sampled: self.sampled.clone(),
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
