//! Counting, by Barvinok, which has an isl of its own.
//!
//! Objects of one isl mean nothing to another, so there is a second context, of Barvinok's isl, and nothing of it leaves this
//! module. What is counted goes over as text; counts come back as text or, without isl's parser, as plain data. Few sets are
//! counted, and small ones, while everything else is done about twice as fast by the isl with small integers, which Barvinok
//! cannot use.

use crate::context::{BarvinokCounter, Context};
use crate::data::PolynomialForm;
use crate::error::Error;
use crate::map::Map;
use crate::object::{Argument, Object};
use crate::qpolynomial::PwQPolynomial;
use crate::set::Set;
use crate::space::Space;

/// An object to count, in isl notation.
enum CountedObject {
    /// The elements of a set, for each value of the parameters.
    Set(String),
    /// The images of a map, for each element of its domain.
    Map(String),
    /// The sum of a function over its domain, for each value of the parameters.
    Sum(String),
}

impl BarvinokCounter {
    /// Counts. The result is an object of the counter's context.
    fn count(&self, counted: &CountedObject) -> Result<PwQPolynomial, Error> {
        let Self { barvinok, context } = self;
        match counted {
            CountedObject::Set(text) => {
                let set = Set::read(context, text)?;
                // SAFETY: the set is live, C frees a copy; the result is ours.
                let count =
                    unsafe { PwQPolynomial::adopt(context, "isl_set_card", (barvinok.isl_set_card)(set.take())) };
                count?.finite("isl_set_card")
            }
            CountedObject::Map(text) => {
                let map = Map::read(context, text)?;
                // SAFETY: as above.
                let count =
                    unsafe { PwQPolynomial::adopt(context, "isl_map_card", (barvinok.isl_map_card)(map.take())) };
                count?.finite("isl_map_card")
            }
            CountedObject::Sum(text) => {
                const OPERATION: &str = "isl_pw_qpolynomial_sum";
                let function = PwQPolynomial::read(context, text)?;
                // SAFETY: as above.
                let sum = unsafe {
                    PwQPolynomial::adopt(context, OPERATION, (barvinok.isl_pw_qpolynomial_sum)(function.take()))
                };
                sum?.finite(OPERATION)
            }
        }
    }

    /// Returns the count as an object of `context`. One without pieces is 0 on `domain`: its text does not say where.
    fn object(
        &self,
        context: &Context,
        counted: &CountedObject,
        domain: impl FnOnce() -> Result<Space, Error>,
    ) -> Result<PwQPolynomial, Error> {
        let count = self.count(counted)?;
        match count.is_zero()? {
            true => PwQPolynomial::zero(&domain()?),
            false => PwQPolynomial::read(context, &count.to_text()?),
        }
    }

    /// Returns the pieces of the count as plain data, on sets of `context`.
    fn plain(&self, context: &Context, counted: &CountedObject) -> Result<Vec<(Set, PolynomialForm)>, Error> {
        let pieces = self.count(counted)?.pieces()?;
        pieces.iter().map(|(domain, value)| Ok((Set::read(context, &domain.to_text()?)?, value.form()?))).collect()
    }
}

impl Set {
    /// Returns the number of elements, as a function of the parameters (Barvinok).
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if it is infinite for some values of the parameters, [`Error::Isl`] if counting fails.
    pub fn card(&self) -> Result<PwQPolynomial, Error> {
        self.context.counter()?.object(&self.context, &self.counted()?, || self.params()?.space())
    }

    /// Returns the pieces of [`card`](Self::card), as plain data: cheaper where it becomes plain data anyway. The parameters are in the
    /// order of this set's.
    ///
    /// # Errors
    ///
    /// As for [`card`](Self::card).
    pub fn card_pieces(&self) -> Result<Vec<(Set, PolynomialForm)>, Error> {
        self.context.counter()?.plain(&self.context, &self.counted()?)
    }

    fn counted(&self) -> Result<CountedObject, Error> {
        Ok(CountedObject::Set(self.context.without_limit(|| self.to_text())?))
    }
}

impl Map {
    /// Returns the number of images of each first element (Barvinok).
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if it is infinite for some element and some values of the parameters, [`Error::Isl`] if
    /// counting fails.
    pub fn card(&self) -> Result<PwQPolynomial, Error> {
        let counted = CountedObject::Map(self.context.without_limit(|| self.to_text())?);
        self.context.counter()?.object(&self.context, &counted, || self.domain()?.space())
    }
}

impl PwQPolynomial {
    /// Returns the sum over the whole domain for each value of the parameters (Barvinok): a function of the parameters.
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if it is infinite for some values of the parameters, [`Error::Isl`] if summing fails.
    pub fn sum(&self) -> Result<PwQPolynomial, Error> {
        self.context.counter()?.object(&self.context, &self.summed()?, || self.domain()?.params()?.space())
    }

    /// Returns the pieces of [`sum`](Self::sum), as plain data: cheaper where it becomes plain data anyway. The parameters are in the
    /// order of this function's.
    ///
    /// # Errors
    ///
    /// As for [`sum`](Self::sum).
    pub fn sum_pieces(&self) -> Result<Vec<(Set, PolynomialForm)>, Error> {
        self.context.counter()?.plain(&self.context, &self.summed()?)
    }

    fn summed(&self) -> Result<CountedObject, Error> {
        Ok(CountedObject::Sum(self.context.without_limit(|| self.to_text())?))
    }
}
