//! The affine program: parameters, arrays, and a tree of loops, guards and accesses.
//!
//! The order of nodes is the order of execution, and that is all an analysis of locality needs: the values that are
//! computed do not matter, only how many operations compute them. Iterators, arrays, parameters and accesses are named
//! by index into the tables of [`Program`]; names are unique in each table, and parameters and iterators share one
//! namespace.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::expr::{Constraint, Expr, Overflow, Relation};
use crate::ids::{AccessId, ArrayId, IterId, ParamId};
use crate::mark::Mark;
use crate::schedule::ParallelLoops;

/// A position in a source file; lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file as the user named it; `<stdin>` for standard input.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The source's name for the operation at this place, such as a node of a network. Most sources have no such names.
    pub name: Option<Arc<str>>,
}

impl Location {
    /// Returns a position that has no name.
    pub fn new(file: impl Into<Arc<str>>, line: u32, column: u32) -> Self {
        Self { file: file.into(), line, column, name: None }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A parameter of the program: an index that is known before the first loop starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name: an identifier of letters, digits and underscores, not a keyword of isl.
    pub name: String,
    /// Its name in the source, if that is too generic to be used: `arg1`.
    pub argument: Option<String>,
}

impl Param {
    /// Returns a parameter that has its name from the source.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), argument: None }
    }
}

/// A loop iterator, with what the source says of its loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iter {
    /// Its name: an identifier, different from every other iterator's and parameter's.
    pub name: String,
    /// The place of its loop; `None` if the source does not tell.
    pub location: Option<Location>,
    /// The loops whose iterations threads share, of which this one is the outermost; `None` if one thread runs all of its
    /// iterations, or if it is in such a nest.
    pub parallel: Option<ParallelLoops>,
    /// The values that an iteration of its loop takes from the one before it, apart from memory and counters.
    pub carried: Vec<CarriedValue>,
    /// True if its loop is left by a test behind accesses, such as that of its end in memory: then the last iteration ends there.
    pub ends_midway: bool,
}

impl Iter {
    /// Returns the iterator of a sequential loop at no known place.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), location: None, parallel: None, carried: Vec::new(), ends_midway: false }
    }
}

/// A value that an iteration of a loop leaves in a register for the next one: a sum, the element read before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedValue {
    /// The name of its variable in the source, if that is known.
    pub name: Option<String>,
    /// The place of its variable or operation, if the source tells.
    pub location: Option<Location>,
    /// True if something in the loop depends on it: a value that is stored, an address, a branch. Of a sum that is read only
    /// behind the loop nothing does.
    pub is_used: bool,
    /// True if it is a function of the iterator, as a second counter is. A thread that runs some of the iterations does not compute
    /// that function from a value of its own.
    pub is_counted: bool,
}

/// The size of an array in one dimension, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A constant.
    Known(i64),
    /// The product of these expressions in the parameters: the length of a row of symbolic length.
    Size(Vec<Expr>),
    /// Not known from the program text (`?` in a memref type that nothing tells more of).
    Dynamic,
}

impl Extent {
    /// Returns the constant, if it is one.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Extent::Known(extent) => Some(*extent),
            Extent::Size(_) | Extent::Dynamic => None,
        }
    }

    /// Its value at a size of the program; `None` if it is not known, or leaves 64 bits.
    pub fn at(&self, sizes: &[i64]) -> Option<i64> {
        let size = |param: ParamId| sizes.get(param.index()).map_or(0, |size| i128::from(*size));
        match self {
            Extent::Known(extent) => Some(*extent),
            Extent::Size(factors) => factors.iter().try_fold(1_i64, |product, factor| {
                product.checked_mul(i64::try_from(factor.eval(&size, &|_| 0)?).ok()?)
            }),
            Extent::Dynamic => None,
        }
    }

    /// Returns the expressions whose product it is, if it is symbolic.
    pub fn factors(&self) -> Option<&[Expr]> {
        match self {
            Extent::Size(factors) => Some(factors),
            Extent::Known(_) | Extent::Dynamic => None,
        }
    }
}

/// Constant distances between neighbours in each dimension, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strides {
    /// Element offset of the element with all subscripts zero.
    pub offset: i64,
    /// One stride per dimension, outermost first, in elements.
    pub strides: Vec<i64>,
}

impl Strides {
    /// Returns the strides of an array with these extents whose rows follow each other; `None` if they leave 64 bits.
    pub fn row_major(extents: &[i64]) -> Option<Self> {
        let mut strides = vec![1_i64; extents.len()];
        for dimension in (1..extents.len()).rev() {
            strides[dimension - 1] = strides[dimension].checked_mul(extents[dimension])?;
        }
        Some(Self { offset: 0, strides })
    }
}

/// An array (a memref).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its name: an identifier, different from every other array's.
    pub name: String,
    /// Size of one element in bytes.
    pub element_bytes: u64,
    /// Extents, outermost first; empty for a scalar in memory.
    pub shape: Vec<Extent>,
    /// The element distances, where all of them are constants.
    pub strides: Option<Strides>,
    /// The place of its declaration.
    pub location: Location,
    /// True if each thread has a copy of its own, in lines of its own. Without threads there is one array.
    pub per_thread: bool,
}

impl Array {
    /// Returns the distances of its elements in memory at a size of the program; `None` if the lengths of its rows are
    /// not known, or if the distances do not fit 64 bits.
    pub fn strides_at(&self, sizes: &[i64]) -> Option<Strides> {
        if let Some(strides) = &self.strides {
            return Some(strides.clone());
        }
        // Constant extents without strides are those of a memref whose rows lie anywhere.
        self.shape.iter().skip(1).find(|extent| extent.factors().is_some())?;
        // The outermost extent is no distance.
        let rows = self.shape.iter().skip(1).map(|extent| extent.at(sizes));
        Strides::row_major(&std::iter::once(Some(1)).chain(rows).collect::<Option<Vec<_>>>()?)
    }
}

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
}

/// A static access to one element, or to several that lie next to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The array.
    pub array: ArrayId,
    /// Read or write.
    pub kind: AccessKind,
    /// One subscript per dimension, outermost first, in elements.
    pub subscripts: Vec<Expr>,
    /// The elements that it touches at once, from that of its subscripts on along the last dimension; at least 1.
    pub elements: i64,
    /// In place of the subscripts, those under conditions of which exactly one holds. Only programs in digits
    /// ([`crate::radix`]) have any; the first has the subscripts.
    pub cases: Vec<SubscriptCase>,
    /// Its place in the source.
    pub location: Location,
}

/// The subscripts of an access under some conditions on iterators and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptCase {
    /// The conditions.
    pub conditions: Vec<Constraint>,
    /// One subscript per dimension.
    pub subscripts: Vec<Expr>,
}

impl Access {
    /// Returns the access with `map` applied to its expressions.
    pub(crate) fn mapped(&self, map: &impl Fn(&Expr) -> Result<Expr, Overflow>) -> Result<Self, Overflow> {
        let all = |exprs: &[Expr]| exprs.iter().map(map).collect::<Result<Vec<_>, _>>();
        let case = |case: &SubscriptCase| {
            let conditions = case.conditions.iter().map(|c| Ok(Constraint { expr: map(&c.expr)?, ..c.clone() }));
            Ok(SubscriptCase {
                conditions: conditions.collect::<Result<_, Overflow>>()?,
                subscripts: all(&case.subscripts)?,
            })
        };
        let cases = self.cases.iter().map(case).collect::<Result<_, Overflow>>()?;
        Ok(Self { subscripts: all(&self.subscripts)?, cases, ..self.clone() })
    }

    /// Returns the access in each of its cases, with the conditions of the case.
    pub(crate) fn in_cases(&self) -> Vec<(&[Constraint], Self)> {
        let case =
            |case: &'_ SubscriptCase| Self { subscripts: case.subscripts.clone(), cases: Vec::new(), ..self.clone() };
        match self.cases.is_empty() {
            true => vec![(&[], self.clone())],
            false => self.cases.iter().map(|own| (own.conditions.as_slice(), case(own))).collect(),
        }
    }
}

/// `for iter = max(lower) to min(upper) step step`: the upper bound is exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The iterator.
    pub iter: IterId,
    /// Lower bounds; the loop starts at the largest. Never empty.
    pub lower: Vec<Expr>,
    /// Upper bounds; the loop stops before the smallest. Never empty.
    pub upper: Vec<Expr>,
    /// The step.
    pub step: LoopStep,
    /// The body of the loop.
    pub body: Vec<Node>,
}

/// The step of a loop, at least 1. It is shown as in the program's text, with a name for each parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopStep {
    /// A constant.
    Known(i64),
    /// So many tiles of symbolic size: `times·size`.
    Tiles {
        /// The number of tiles, at least 1.
        times: i64,
        /// The parameter that is the iterations of a tile.
        size: ParamId,
    },
}

impl LoopStep {
    /// Returns the step, if it is a constant.
    pub fn constant(self) -> Option<i64> {
        match self {
            LoopStep::Known(step) => Some(step),
            LoopStep::Tiles { .. } => None,
        }
    }

    /// Returns the parameter of which it is a multiple, if it is none.
    pub fn size(self) -> Option<ParamId> {
        match self {
            LoopStep::Known(_) => None,
            LoopStep::Tiles { size, .. } => Some(size),
        }
    }

    /// Returns its value at a size of the program; `None` if it is less than 1 or leaves 64 bits.
    pub fn at(self, sizes: &[i64]) -> Option<i64> {
        let value = match self {
            LoopStep::Known(step) => Some(step),
            LoopStep::Tiles { times, size } => sizes.get(size.index())?.checked_mul(times),
        };
        value.filter(|step| *step >= 1)
    }

    /// Returns the step as an expression.
    ///
    /// # Errors
    ///
    /// None with at least one tile. It returns what other expressions return.
    pub fn expr(self) -> Result<Expr, Overflow> {
        match self {
            LoopStep::Known(step) => Ok(Expr::constant(step)),
            LoopStep::Tiles { times, size } => Expr::param(size).times(times),
        }
    }
}

impl From<i64> for LoopStep {
    fn from(step: i64) -> Self {
        LoopStep::Known(step)
    }
}

/// A guard: `then` where all constraints hold, `otherwise` elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct If {
    /// The conjunction.
    pub condition: Vec<Constraint>,
    /// Executed where the condition holds.
    pub then: Vec<Node>,
    /// Executed where it does not.
    pub otherwise: Vec<Node>,
}

/// A node of the program tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A loop.
    Loop(Loop),
    /// A guard.
    If(If),
    /// An access.
    Access(AccessId),
    /// So many floating-point operations on registers; `None` if their number is not known.
    Operations(Option<u64>),
    /// A place whose executions are counted.
    Mark(Mark),
}

impl Node {
    /// Returns the nodes with neighbouring operations as one.
    pub fn merged(nodes: impl IntoIterator<Item = Node>) -> Vec<Node> {
        let mut merged: Vec<Node> = Vec::new();
        for node in nodes {
            match (merged.last_mut(), node) {
                (_, Node::Operations(Some(0))) => {}
                (Some(Node::Operations(sum)), Node::Operations(count)) => {
                    *sum = sum.zip(count).and_then(|(sum, count)| sum.checked_add(count));
                }
                (_, node) => merged.push(node),
            }
        }
        merged
    }

    /// Returns true if the number of operations is known, here and everywhere inside.
    fn operations_known(&self) -> bool {
        match self {
            Node::Loop(l) => l.body.iter().all(Node::operations_known),
            Node::If(guard) => guard.then.iter().chain(&guard.otherwise).all(Node::operations_known),
            Node::Access(_) | Node::Mark(_) => true,
            Node::Operations(count) => count.is_some(),
        }
    }
}

/// An affine program: one function with everything that is not an access, a loop or a guard removed; of operations on
/// registers, their number is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name of the function.
    pub name: String,
    /// The parameters.
    pub params: Vec<Param>,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The iterators; each belongs to exactly one loop.
    pub iters: Vec<Iter>,
    /// The accesses; each stands exactly once in the tree, in this order.
    pub accesses: Vec<Access>,
    /// The tree.
    pub body: Vec<Node>,
    /// The context (constraints on the parameters); by default each is at least 1.
    pub context: Vec<Constraint>,
    /// Pairs (n, b) of parameters of which n is assumed to be a multiple of b.
    pub multiples: Vec<(ParamId, ParamId)>,
    /// Sizes that the source names although nothing here depends on them: they may be given, and are no parameters.
    pub without_effect: Vec<Unused>,
}

/// A size that the source names, and on which nothing depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unused {
    /// Its name in the source.
    pub name: String,
    /// True if it has no effect as long as it is at least 1, which the reading of the program used.
    pub at_least_one: bool,
}

impl Program {
    /// Returns a program of this name without anything in it.
    pub fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            params: Vec::new(),
            arrays: Vec::new(),
            iters: Vec::new(),
            accesses: Vec::new(),
            body: Vec::new(),
            context: Vec::new(),
            multiples: Vec::new(),
            without_effect: Vec::new(),
        }
    }

    /// Returns true if a parameter or an iterator has this name.
    pub fn has_name(&self, name: &str) -> bool {
        self.params.iter().any(|param| param.name == name) || self.iters.iter().any(|iter| iter.name == name)
    }

    /// Returns the parameter of this name.
    pub fn param(&self, name: &str) -> Option<ParamId> {
        let index = self.params.iter().position(|p| p.name == name)?;
        u32::try_from(index).ok().map(ParamId)
    }

    /// Returns the value of a parameter that the context gives it, if there is only one.
    pub fn only_value(&self, param: ParamId) -> Option<i64> {
        let value = |constraint: &Constraint| {
            let with = |factor| constraint.expr.add_scaled(&Expr::param(param), factor).ok()?.as_constant();
            let value = with(1).or_else(|| with(-1).and_then(i64::checked_neg))?;
            (constraint.relation == Relation::Zero).then_some(value)
        };
        self.context.iter().find_map(value)
    }

    /// Returns an access of the program.
    pub fn access(&self, id: AccessId) -> &Access {
        &self.accesses[id.index()]
    }

    /// Returns an array of the program.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.index()]
    }

    /// Returns true if the number of floating-point operations is known for every part of the program.
    pub fn operations_known(&self) -> bool {
        self.body.iter().all(Node::operations_known)
    }

    /// Narrows the context. Of inequalities that differ in their constant only the strongest is kept; inequalities come
    /// first.
    pub fn assume(&mut self, conditions: Vec<Constraint>) {
        let mut narrowed: Vec<Constraint> = Vec::new();
        for condition in self.context.drain(..).chain(conditions) {
            let rival =
                narrowed.iter_mut().find(|c| c.relation == condition.relation && differ_in_constant(c, &condition));
            match rival {
                Some(rival) if condition.relation == Relation::NonNegative => {
                    if condition.expr.constant_term() < rival.expr.constant_term() {
                        *rival = condition;
                    }
                }
                Some(rival) if *rival == condition => {}
                _ => narrowed.push(condition),
            }
        }
        narrowed.sort_by_key(|c| c.relation == Relation::Zero);
        self.context = narrowed;
    }

    /// Returns the parameters by their names in the source, if these are not names of parameters here.
    pub fn arguments(&self) -> BTreeMap<String, String> {
        let is_taken = |name: &str| self.params.iter().any(|param| param.name == name);
        let argument = |param: &Param| Some((param.argument.clone()?, param.name.clone()));
        self.params.iter().filter_map(argument).filter(|(argument, _)| !is_taken(argument)).collect()
    }

    /// Adds a parameter that is at least 1.
    pub fn add_param(&mut self, name: &str) -> ParamId {
        let id = ParamId(self.params.len() as u32);
        self.params.push(Param::named(name));
        self.context.extend(at_least_one(id));
        id
    }

    /// Returns a name with a prefix that no parameter and no iterator has.
    pub(crate) fn fresh_name(&self, prefix: &str, name: &str) -> String {
        let mut name = format!("{prefix}_{name}");
        while self.has_name(&name) {
            name.push('_');
        }
        name
    }

    /// Bytes of an element, of the largest if the arrays differ in them.
    pub fn largest_element(&self) -> u64 {
        self.arrays.iter().map(|array| array.element_bytes).max().unwrap_or(1)
    }

    /// Returns the default context: every parameter is at least 1.
    pub fn default_context(params: &[Param]) -> Vec<Constraint> {
        (0..params.len() as u32).filter_map(|p| at_least_one(ParamId(p))).collect()
    }
}

fn at_least_one(param: ParamId) -> Option<Constraint> {
    Expr::param(param).plus_constant(-1).ok().map(Constraint::non_negative)
}

/// Returns true if the difference of the left-hand sides is a constant.
fn differ_in_constant(a: &Constraint, b: &Constraint) -> bool {
    a.expr.minus(&b.expr).is_ok_and(|difference| difference.as_constant().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_assumptions;

    #[test]
    fn the_strongest_of_like_conditions_is_kept() {
        let params = vec![Param::named("n"), Param::named("m")];
        let mut b = crate::builder::ProgramBuilder::new("f");
        params.iter().for_each(|p| {
            b.param(&p.name);
        });
        let mut program = b.build();
        let parse = |text| parse_assumptions(text, &params, &[]).unwrap().constraints;
        program.assume(parse("n mod 8 = 0, n >= 16, m >= 0, m <= n"));
        let shown = program.show_conjunction(&program.context);
        assert_eq!(shown, "n - 16 >= 0 and m - 1 >= 0 and n - m >= 0 and n - 8*floor((n)/8) = 0");
        program.assume(parse("n mod 8 = 1"));
        assert_eq!(program.context.len(), 5, "contradictions stay, for the derivation to find");
    }
}
