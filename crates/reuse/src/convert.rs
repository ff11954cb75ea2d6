//! Between isl's objects and quasi-polynomials.

use num_bigint::BigInt;
use symloc_affine::{IterId, Program};
use symloc_isl::{
    AffineForm, BasicSet, Context, Dim, DimType, Div, MultiAff, PolynomialForm, PwQPolynomial, QPolynomial, Set, Space,
    System,
};
use symloc_quasi::{Constraint, Notation, Poly, Rational, Relation, Style, Var};

use crate::Error;

/// The variables of a statement: the parameters, then the iterators around it, outermost first. Statements at the
/// same depth share numbers, so that their formulas can be compared.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Names of parameters and iterators, by variable.
    names: Vec<String>,
    /// How many of them are parameters.
    params: usize,
}

impl Frame {
    /// The variables at a place inside `iters`.
    pub fn new(program: &Program, iters: &[IterId]) -> Self {
        let params = program.params.iter().map(|p| p.name.clone());
        let iters = iters.iter().map(|i| program.iters[i.index()].name.clone());
        Self { names: params.chain(iters).collect(), params: program.params.len() }
    }

    /// Variables with these names, the first `params` of them parameters.
    pub fn over(names: Vec<String>, params: usize) -> Self {
        Self { names, params }
    }

    /// The same parameters, and no iterators.
    pub(crate) fn params_only(&self) -> Frame {
        Self { names: self.names[..self.params].to_vec(), params: self.params }
    }

    /// How far out an iterator is; nothing for a parameter.
    pub fn depth(&self, var: Var) -> Option<usize> {
        (var.0 as usize).checked_sub(self.params)
    }

    /// The iterator at a depth.
    pub fn iterator(&self, depth: usize) -> Var {
        Var((self.params + depth) as u32)
    }

    /// The iterators, outermost first.
    pub fn iterators(&self) -> impl DoubleEndedIterator<Item = Var> + use<> {
        (self.params as u32..self.names.len() as u32).map(Var)
    }

    /// The names of the iterators.
    pub fn iterator_names(&self) -> Vec<&str> {
        self.iterators().map(|var| self.name(var)).collect()
    }

    /// The names, by variable.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a variable.
    pub fn name(&self, var: Var) -> &str {
        &self.names[var.0 as usize]
    }

    /// An integer polynomial in isl notation: a sum, without parentheses around it (isl does not parse two pairs of them
    /// before `mod`).
    pub(crate) fn text(&self, poly: &Poly) -> String {
        Notation::new(Style::Plain, &self.names).poly(poly)
    }

    /// `[params] -> { [iterators] : condition }`
    pub(crate) fn set(&self, isl: &Context, condition: &str) -> Result<Set, Error> {
        let (params, iterators) = self.names.split_at(self.params);
        let text = format!("[{}] -> {{ [{}] : {condition} }}", params.join(", "), iterators.join(", "));
        Ok(Set::read(isl, &text)?)
    }

    /// A conjunction in isl notation.
    pub(crate) fn conjunction(&self, constraints: &[Constraint]) -> String {
        let relation = |c: &Constraint| match c.relation {
            Relation::Zero => "=",
            Relation::NonNegative => ">=",
        };
        let all = constraints.iter().map(|c| format!(" and {} {} 0", self.text(&c.poly), relation(c)));
        format!("true{}", all.collect::<String>())
    }

    /// `[params] -> { name[iterators] -> target : condition }`
    pub(crate) fn relation(&self, name: &str, target: &str, condition: &str) -> String {
        let (params, iterators) = self.names.split_at(self.params);
        format!("[{}] -> {{ {name}[{}] -> {target} : {condition} }}", params.join(", "), iterators.join(", "))
    }

    /// `[params] -> { [iterators] -> [iterators] }` with one iterator replaced by a polynomial of degree 1.
    pub(crate) fn map_text(&self, iterator: Var, value: &Poly) -> String {
        let (params, iterators) = self.names.split_at(self.params);
        let image = self.iterators().map(|var| match var == iterator {
            true => self.text(value),
            false => self.name(var).to_owned(),
        });
        let image: Vec<_> = image.collect();
        format!("[{}] -> {{ [{}] -> [{}] }}", params.join(", "), iterators.join(", "), image.join(", "))
    }

    /// A point of a non-empty set over the iterators, by variable.
    pub(crate) fn sample(&self, set: &Set) -> Result<Vec<BigInt>, Error> {
        let point = set.sample_point()?.ok_or_else(|| Error::Internal("a sample of an empty set".to_owned()))?;
        let variables = self.params_of(&set.space()?)?;
        let mut sample = vec![BigInt::ZERO; self.names.len()];
        for (var, value) in variables.iter().zip(point.params) {
            sample[var.0 as usize] = value;
        }
        for (var, value) in self.iterators().zip(point.set) {
            sample[var.0 as usize] = value;
        }
        Ok(sample)
    }

    /// The equalities without floors that hold on a set over the iterators, each as a polynomial that is zero there.
    pub(crate) fn equalities(&self, set: &Set) -> Result<Vec<Poly>, Error> {
        let hull = set.affine_hull()?;
        let variables = self.params_of(&hull.to_set()?.space()?)?;
        let system = hull.system()?;
        let plain = |c: &&symloc_isl::Constraint| {
            c.equality && !c.expression.coefficients.iter().any(|(dim, _)| matches!(dim, Dim::Div(_)))
        };
        Ok(system.constraints.iter().filter(plain).map(|c| self.integers(&variables, &c.expression, &[])).collect())
    }

    /// A set of parameter values, with this frame's iterators turned from parameters into dimensions.
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

    /// The variables that the parameters of an isl object stand for.
    fn params_of(&self, space: &Space) -> Result<Vec<Var>, Error> {
        let variable = |name: String| {
            let position = self.names.iter().position(|n| *n == name);
            let position = position.ok_or_else(|| Error::Internal(format!("unknown variable `{name}`")))?;
            Ok(Var(position as u32))
        };
        space.dim_names(DimType::Param)?.into_iter().map(variable).collect()
    }

    fn variable(&self, params: &[Var], divs: &[Poly], dim: Dim) -> Poly {
        match dim {
            Dim::Param(position) => Poly::var(params[position]),
            Dim::Set(position) => Poly::var(self.iterator(position)),
            Dim::Div(position) => divs[position].clone(),
        }
    }

    fn integers(&self, params: &[Var], linear: &symloc_isl::Linear, divs: &[Poly]) -> Poly {
        let mut sum = Poly::integer(linear.constant.clone());
        for (dim, coefficient) in &linear.coefficients {
            let factor = Rational::from_integer(coefficient.clone());
            sum = &sum + &self.variable(params, divs, *dim).scale(&factor);
        }
        sum
    }

    fn divs(&self, params: &[Var], divs: &[Div]) -> Vec<Poly> {
        let mut polys = Vec::with_capacity(divs.len());
        for div in divs {
            polys.push(self.integers(params, &div.numerator, &polys).floor_div(&div.denominator));
        }
        polys
    }

    fn affine(&self, params: &[Var], form: &AffineForm) -> Poly {
        let divs = self.divs(params, &form.divs);
        let mut sum = Poly::constant(form.constant.clone());
        for (dim, coefficient) in &form.coefficients {
            sum = &sum + &self.variable(params, &divs, *dim).scale(coefficient);
        }
        sum
    }

    fn polynomial(&self, params: &[Var], form: &PolynomialForm) -> Poly {
        let divs = self.divs(params, &form.divs);
        let mut sum = Poly::zero();
        for term in &form.terms {
            let mut product = Poly::constant(term.coefficient.clone());
            for (dim, exponent) in &term.powers {
                product = &product * &self.variable(params, &divs, *dim).pow(*exponent);
            }
            sum = &sum + &product;
        }
        sum
    }

    fn system(&self, params: &[Var], system: &System) -> Vec<Constraint> {
        let divs = self.divs(params, &system.divs);
        let constraint = |c: &symloc_isl::Constraint| {
            let poly = self.integers(params, &c.expression, &divs);
            if c.equality { Constraint::zero(poly) } else { Constraint::non_negative(poly) }
        };
        let mut constraints: Vec<_> = system.constraints.iter().map(constraint).collect();
        // What normalisation has made trivial says nothing.
        constraints.retain(|c| c.poly.as_constant().is_none());
        constraints.sort();
        constraints.dedup();
        constraints
    }
}

/// The components of an affine function of a statement's iterators, given on `domain`.
pub(crate) fn affine_forms(function: &MultiAff, domain: &Set, frame: &Frame) -> Result<Vec<Poly>, Error> {
    let params = frame.params_of(&domain.space()?)?;
    function.affs()?.iter().map(|component| Ok(frame.affine(&params, &component.form()?))).collect()
}

/// The pieces of a piecewise quasi-polynomial over parameters, and iterators that are parameters to isl.
pub(crate) fn pieces(value: &PwQPolynomial, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
    let params = frame.params_of(&value.domain_space()?)?;
    let piece =
        |(domain, value): (Set, QPolynomial)| Ok((domain, frame.polynomial(&params, &value.form()?).periodic_form()));
    value.pieces()?.into_iter().map(piece).collect()
}

/// The constraints of a basic set, in the frame's variables.
pub(crate) fn constraints(set: &BasicSet, frame: &Frame) -> Result<Vec<Constraint>, Error> {
    let params = frame.params_of(&set.to_set()?.space()?)?;
    Ok(frame.system(&params, &set.system()?))
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
