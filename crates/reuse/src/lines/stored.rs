//! Translates results in line coordinates to the variables of a stored model: the program's parameters, the quotients
//! ⌊n/b⌋, and the iterators.

use symloc_model::{LineModel, Rewrite};
use symloc_quasi::{Constraint, Poly, Var};

use super::Lines;

impl Lines<'_> {
    /// Returns a model in these variables.
    pub fn stored_model(&self, model: &LineModel) -> LineModel {
        Rewrite(|poly: &Poly| self.stored(poly)).line(model)
    }

    /// Returns a formula of these parameters and iterators as one of the program's parameters, the quotients ⌊n/b⌋, and
    /// the iterators.
    fn stored(&self, poly: &Poly) -> Poly {
        let remainders = self.sizes.remainders();
        let first = self.params().len() - remainders;
        let moved = self.normal(poly).substitute(&|var| {
            let past = (var.0 as usize).checked_sub(first + remainders)?;
            Some(Poly::var(Var((first + past) as u32)))
        });
        // Where n is b·m its name is shorter. This form is for readers: with several such sizes it is not unique.
        self.multiples().into_iter().fold(moved, |poly, (var, product)| match product.terms().next() {
            Some((monomial, _)) => poly.with_name(monomial, var),
            None => poly,
        })
    }

    /// Returns the sizes that are multiples of b, each with its value b·m.
    fn multiples(&self) -> Vec<(Var, Poly)> {
        let is_size = |var: Var| (var.0 as usize) < self.program.params.len();
        self.sizes.defined().into_iter().filter(|(var, _)| is_size(*var)).collect()
    }

    /// Returns the conditions on the parameters: b is large enough, and n is a multiple of b where that was assumed.
    pub fn conditions(&self) -> Vec<Constraint> {
        let least = &Poly::var(self.sizes.line()) - &Poly::integer(self.least.clone());
        let multiples = self.multiples();
        let multiple = |(var, value): &(Var, Poly)| Constraint::zero(&Poly::var(*var) - value);
        std::iter::once(Constraint::non_negative(least)).chain(multiples.iter().map(multiple)).collect()
    }
}
