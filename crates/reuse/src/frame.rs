//! The variables of a formula, and conditions on them in isl notation.
//!
//! A [`Frame`] numbers the parameters of a program and the iterators around an access, so that formulas are polynomials
//! in numbered variables. To isl they have names: iterators are dimensions of a set, or parameters like the others
//! where something is counted for each of their values. `convert` reads isl's objects in the variables of a frame.

use std::collections::BTreeSet;

use symloc_affine::{IterId, Program};
use symloc_isl::{Context, DimType, Set};
use symloc_quasi::{Constraint, Notation, Poly, Relation, Style, Var};

use crate::Error;

/// The variables of a statement: the parameters, then the iterators around it, outermost first. Statements at the
/// same depth share numbers, so that their formulas can be compared.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Names of parameters and iterators, by variable.
    names: Vec<String>,
    /// The number of parameters among them.
    params: usize,
}

impl Frame {
    /// Returns the variables at a place inside `iters`.
    pub fn new(program: &Program, iters: &[IterId]) -> Self {
        let params = program.params.iter().map(|p| p.name.clone());
        let iters = iters.iter().map(|i| program.iters[i.index()].name.clone());
        Self { names: params.chain(iters).collect(), params: program.params.len() }
    }

    /// Returns parameters with these names.
    pub(crate) fn of_params(names: Vec<String>) -> Self {
        Self { params: names.len(), names }
    }

    /// Returns variables with these names, the first `params` of them parameters.
    pub fn over(names: Vec<String>, params: usize) -> Self {
        Self { names, params }
    }

    /// Returns the parameters and dimensions of a set.
    pub(crate) fn of(set: &Set) -> Result<Self, Error> {
        let mut names = set.space()?.dim_names(DimType::Param)?;
        let params = names.len();
        names.extend((0..set.dim(DimType::SET)?).map(|dim| format!("_d{dim}")));
        Ok(Self { names, params })
    }

    /// Returns the frame with these parameters and no iterators.
    pub(crate) fn params_only(&self) -> Frame {
        Self::of_params(self.names[..self.params].to_vec())
    }

    /// Returns the depth of an iterator, outermost first; `None` for a parameter.
    pub fn depth(&self, var: Var) -> Option<usize> {
        (var.0 as usize).checked_sub(self.params)
    }

    /// Returns the iterator at a depth.
    pub fn iterator(&self, depth: usize) -> Var {
        Var((self.params + depth) as u32)
    }

    /// Returns the iterators, outermost first.
    pub fn iterators(&self) -> impl DoubleEndedIterator<Item = Var> + use<> {
        (self.params as u32..self.names.len() as u32).map(Var)
    }

    /// Returns the names of the iterators.
    pub fn iterator_names(&self) -> Vec<&str> {
        self.iterators().map(|var| self.name(var)).collect()
    }

    /// Returns the names, by variable.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the name of a variable.
    pub fn name(&self, var: Var) -> &str {
        &self.names[var.0 as usize]
    }

    /// Returns an integer polynomial in isl notation: a sum, without parentheses around it (isl does not parse two
    /// pairs of them before `mod`).
    pub(crate) fn text(&self, poly: &Poly) -> String {
        Notation::new(Style::Plain, &self.names).poly(poly)
    }

    /// Returns the set `[params] -> { [iterators] : condition }`.
    pub(crate) fn set(&self, isl: &Context, condition: &str) -> Result<Set, Error> {
        let (params, iterators) = self.names.split_at(self.params);
        let text = format!("[{}] -> {{ [{}] : {condition} }}", params.join(", "), iterators.join(", "));
        Ok(Set::read(isl, &text)?)
    }

    /// Returns the set of all points at which constraints hold, with all variables as parameters of isl.
    pub(crate) fn region(&self, isl: &Context, constraints: &[Constraint]) -> Result<Set, Error> {
        let text = format!("[{}] -> {{ : {} }}", self.names.join(", "), self.conjunction(constraints));
        Ok(Set::read(isl, &text)?.params()?)
    }

    /// Returns a conjunction in isl notation.
    pub(crate) fn conjunction(&self, constraints: &[Constraint]) -> String {
        let relation = |c: &Constraint| match c.relation {
            Relation::Zero => "=",
            Relation::NonNegative => ">=",
        };
        let all = constraints.iter().map(|c| format!(" and {} {} 0", self.text(&c.poly), relation(c)));
        format!("true{}", all.collect::<String>())
    }

    /// Returns a relation in isl notation: `[params] -> { name[iterators] -> target : condition }`.
    pub(crate) fn relation(&self, name: &str, target: &str, condition: &str) -> String {
        let (params, iterators) = self.names.split_at(self.params);
        format!("[{}] -> {{ {name}[{}] -> {target} : {condition} }}", params.join(", "), iterators.join(", "))
    }

    /// Returns a function in isl notation: `[params] -> { name[iterators] -> target }`.
    pub(crate) fn function(&self, name: &str, target: &str) -> String {
        let (params, iterators) = self.names.split_at(self.params);
        format!("[{}] -> {{ {name}[{}] -> {target} }}", params.join(", "), iterators.join(", "))
    }

    /// Returns `[params] -> { [iterators] -> [iterators] }`, with one iterator replaced by a polynomial of degree 1.
    pub(crate) fn map_text(&self, iterator: Var, value: &Poly) -> String {
        let (params, iterators) = self.names.split_at(self.params);
        let image = self.iterators().map(|var| match var == iterator {
            true => self.text(value),
            false => self.name(var).to_owned(),
        });
        let image: Vec<_> = image.collect();
        format!("[{}] -> {{ [{}] -> [{}] }}", params.join(", "), iterators.join(", "), image.join(", "))
    }

    /// Returns a set of parameter values, with this frame's iterators turned from parameters into dimensions.
    pub(crate) fn over_iters(&self, isl: &Context, set: &Set) -> Result<Set, Error> {
        let names = self.names.join(", ");
        let mut set =
            set.intersect_params(&Set::read(isl, &format!("[{names}] -> {{ : }}"))?.params()?)?.from_params()?;
        for (depth, var) in self.iterators().enumerate() {
            let names = set.space()?.dim_names(DimType::Param)?;
            let position = names.iter().position(|n| n == self.name(var));
            let position = position.ok_or_else(|| Error::Internal(format!("no parameter {}", self.name(var))))?;
            set = set.move_dims(DimType::SET, depth, DimType::Param, position, 1)?;
        }
        Ok(set)
    }
}

/// Turns dimensions from `first` on into parameters of these names.
pub(crate) fn dims_to_params(set: &Set, first: usize, names: &[&str]) -> Result<Set, Error> {
    let position = set.space()?.dim(DimType::Param)?;
    let mut set = set.move_dims(DimType::Param, position, DimType::SET, first, names.len())?;
    for (offset, name) in names.iter().enumerate() {
        set = set.set_dim_name(DimType::Param, position + offset, name)?;
    }
    Ok(set)
}

/// Names that nothing else has.
#[derive(Clone, Debug)]
pub(crate) struct FreshNames(BTreeSet<String>);

impl FreshNames {
    pub(crate) fn new(program: &Program) -> Self {
        let params = program.params.iter().map(|p| p.name.clone());
        Self(params.chain(program.iters.iter().map(|i| i.name.clone())).collect())
    }

    pub(crate) fn fresh(&mut self, prefix: &str, of: &str) -> String {
        let mut name = format!("{prefix}{of}");
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
