//! Reads a kernel from text: an expression, or a file with loop nests.

use crate::error::{Diagnostic, Errors, Place};
use crate::expression::Expression;
use crate::kernel::Kernel;
use crate::{check, file, plan};

impl Kernel {
    /// Creates a kernel for an expression, by the best order of pairwise contractions. The operands are called `A`, `B`, …, the result is
    /// `out`; `source` is the name of the text in messages.
    ///
    /// # Errors
    ///
    /// The problems of the expression.
    pub fn from_expression(source: &str, text: &str) -> Result<Self, Errors> {
        let expression = Expression::parse(text, Place::START);
        let expression = expression.map_err(|error| Errors::new(source, text, vec![error]))?;
        Ok(plan::contracted(Self::unnamed("einsum", source, expression)))
    }

    /// Reads a `.einsum` file, see [`file`](mod@file).
    ///
    /// # Errors
    ///
    /// All lines that cannot be parsed; or, if there are none, the reason why the statements do not compute the expression.
    pub fn from_file(source: &str, text: &str) -> Result<Self, Errors> {
        let kernel = file::parse(source, text).and_then(|kernel| match kernel.statements.is_empty() {
            true => Ok(plan::contracted(kernel)),
            false => check::computes_its_expression(&kernel).map(|()| kernel).map_err(|error| vec![error]),
        });
        kernel.map_err(|diagnostics: Vec<Diagnostic>| Errors::new(source, text, diagnostics))
    }

    /// Returns the kernel of this expression in one nest, without temporaries.
    pub fn direct(self) -> Self {
        plan::direct(self)
    }
}
