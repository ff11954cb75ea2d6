//! Orders of the loops of a function in MLIR, at one size.

use std::time::Duration;

use symloc_advise::{AdviceQuestion, AdvisedOrder, Hierarchy, LevelMisses, Selection, Sums, advise};
use symloc_affine::{Line, Program};
use symloc_cache::{Design, Geometry, IndexFunction, Replacement};
use symloc_derivation::dense::at_size;
use symloc_derivation::orders;
use symloc_derivation::texts::{as_mlir, kernel};
use symloc_einsum::Element;
use symloc_isl::Context;

use crate::error::SymlocError;
use crate::request::{ModelRequest, expression};
use crate::source::{Language, Source};

/// A question for orders of loops: the sizes, the caches, and how long to search.
#[derive(Clone, Debug)]
pub struct OrderQuestion {
    /// The value of each size of the function, by its name.
    pub sizes: Vec<(String, i64)>,
    /// The caches, the first nearest to the processor: the number of lines, and of lines in a set.
    pub caches: Vec<(u64, u64)>,
    /// The bytes per line.
    pub line_bytes: u64,
    /// The search ends after this time, with what was found.
    pub search_time: Duration,
    /// So many orders are wanted.
    pub top: usize,
    /// True if sums may be collected in another order, which rounds differently.
    pub reassociate: bool,
}

/// The predicted cost of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderCost {
    /// The misses of each cache.
    pub misses: Vec<f64>,
    /// Cycles on one core.
    pub cycles: f64,
}

/// An order that is predicted to be faster. It keeps every dependence of the function.
#[derive(Clone, Debug)]
pub struct SuggestedOrder {
    /// The changes, as phrases.
    pub moves: Vec<String>,
    /// Its cost.
    pub cost: OrderCost,
    /// The module with the loops of the function in this order.
    pub text: String,
}

/// The answer to an [`OrderQuestion`].
#[derive(Clone, Debug)]
pub struct OrderSuggestions {
    /// The cost of the function as written.
    pub written: OrderCost,
    /// The orders that are predicted to be at least 1.15 times as fast, the fastest first.
    pub orders: Vec<SuggestedOrder>,
    /// True if the time was over before all orders were tried.
    pub is_partial: bool,
}

impl ModelRequest {
    /// Looks for orders of loops, and tiles, in which a function in MLIR or an einsum is faster at a size. Of this
    /// request, the function, the passes and the names count.
    ///
    /// # Errors
    ///
    /// As for [`ModelRequest::derive`]; [`SymlocError::Request`] too if the program is in another language, a size is
    /// missing, or a cache cannot be built.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use symloc::{Language, ModelRequest, OrderQuestion, Source};
    ///
    /// let text = "func.func @transpose(%n: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
    ///   affine.for %i = 0 to %n {
    ///     affine.for %j = 0 to %n {
    ///       %x = affine.load %A[%j, %i] : memref<?x?xf64>
    ///       affine.store %x, %B[%j, %i] : memref<?x?xf64>
    ///     }
    ///   }
    ///   return
    /// }";
    /// let source = Source::from_text(Language::Mlir, "transpose.mlir", text);
    /// let question = OrderQuestion {
    ///     sizes: vec![("n".to_owned(), 200)],
    ///     caches: vec![(64, 8)],
    ///     line_bytes: 64,
    ///     search_time: Duration::from_secs(10),
    ///     top: 3,
    ///     reassociate: false,
    /// };
    /// let suggestions = ModelRequest::new().advise(&source, &question)?;
    /// // By columns every access misses; by rows each line is fetched once.
    /// assert_eq!(suggestions.written.misses, [80_000.0]);
    /// assert_eq!(suggestions.orders[0].cost.misses, [10_000.0]);
    ///
    /// // The new text is a program, whose model has these misses.
    /// let new = Source::from_text(Language::Mlir, "new.mlir", suggestions.orders[0].text.clone());
    /// let model = ModelRequest::new().exact(true).assume("n = 200").derive(&new)?;
    /// assert_eq!(model.query(&[("n", 200)], symloc::CacheSize::Lines(64))?.misses().to_string(), "10000");
    /// # Ok::<(), symloc::SymlocError>(())
    /// ```
    pub fn advise(&self, source: &Source, question: &OrderQuestion) -> Result<OrderSuggestions, SymlocError> {
        let text = match source.language {
            Language::Mlir => source.text.clone(),
            Language::Einsum => as_mlir(&kernel(&source.text)?, Element::default()),
            Language::EinsumExpression => as_mlir(&expression(source)?, Element::default()),
            _ => {
                let message = format!("{}: orders are looked for in MLIR and einsums", source.text.name);
                return Err(SymlocError::request(message, "`symloc advise` has them for C and C++"));
            }
        };
        let options = self.front_end().mlir(&[]);
        let statements = orders::statements(&text, &options).map_err(symloc_derivation::DerivationError::from)?;
        let sizes = sizes(&statements.reading.program, &question.sizes)?;
        let (program, _) = at_size(&statements.reading.program, &sizes)?;
        let nests = orders::nests(&statements, &program).map_err(refused)?;
        let hierarchy = hierarchy(question)?;
        let isl = Context::new().map_err(refused)?;
        let asked = AdviceQuestion {
            nests: &nests,
            sizes: &sizes,
            hierarchy: &hierarchy,
            time: question.search_time,
            top: question.top,
            selection: Selection::Cheapest,
            given: None,
            sums: if question.reassociate { Sums::Reassociated } else { Sums::InOrder },
        };
        let advice = advise(&isl, &asked).map_err(refused)?;
        let suggested = |order: &AdvisedOrder| {
            let text = orders::new_source(&text, &options, &nests, &advice, order);
            let text = text.map_err(symloc_derivation::DerivationError::from)?;
            Ok(SuggestedOrder { moves: order.words.clone(), cost: cost(order), text })
        };
        let orders = advice.proposed().take(question.top).map(suggested).collect::<Result<_, SymlocError>>()?;
        Ok(OrderSuggestions { written: cost(&advice.written), orders, is_partial: advice.is_partial })
    }
}

fn cost(order: &AdvisedOrder) -> OrderCost {
    OrderCost { misses: order.cost.misses.iter().map(LevelMisses::all).collect(), cycles: order.cost.cycles }
}

fn refused(error: impl std::fmt::Display) -> SymlocError {
    SymlocError::Request { message: error.to_string(), hint: None }
}

/// Returns the values of a program's parameters.
fn sizes(program: &Program, given: &[(String, i64)]) -> Result<Vec<i64>, SymlocError> {
    let value = |param: &symloc_affine::Param| {
        let is_it = |name: &String| *name == param.name || Some(name) == param.argument.as_ref();
        let found = given.iter().find(|(name, _)| is_it(name));
        let missing = || SymlocError::request(format!("no value for the parameter {}", param.name), "give its size");
        found.map(|(_, value)| *value).ok_or_else(missing)
    };
    program.params.iter().map(value).collect()
}

/// Returns the caches of a question.
fn hierarchy(question: &OrderQuestion) -> Result<Hierarchy, SymlocError> {
    let design = |(lines, ways): &(u64, u64)| {
        let geometry = Geometry::new(*lines, *ways, IndexFunction::default()).map_err(refused)?;
        Ok(Design::new(geometry, Replacement::default()))
    };
    let designs: Vec<Design> = question.caches.iter().map(design).collect::<Result<_, SymlocError>>()?;
    if designs.is_empty() || question.line_bytes == 0 {
        return Err(SymlocError::request("no cache, or lines of 0 bytes", "give caches and a line size"));
    }
    if let Some(pair) = question.caches.windows(2).find(|pair| pair[1].0 < pair[0].0) {
        let message = format!("{} lines behind {}: a level is smaller than the one before it", pair[1].0, pair[0].0);
        return Err(SymlocError::request(message, "give the levels from the core outwards"));
    }
    Ok(Hierarchy { designs, line: Line::Bytes(question.line_bytes) })
}
