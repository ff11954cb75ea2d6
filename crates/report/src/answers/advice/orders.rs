//! `order`: the legal orders of the loops of every nest, by their misses.

use std::io::{self, Write};

use serde::Serialize;
use symloc_model::Assumption;

use crate::answers::Answer;
use crate::formats::json;
use crate::formats::text::Columns;

/// Statements that stand in the same loops of an order.
#[derive(Clone, Debug, Serialize)]
pub struct StatementReport {
    /// The lines of the statements.
    pub lines: Vec<u32>,
    /// The loops around them, outermost first; `i:32` is the loop over tiles of 32 iterations of `i`.
    pub loops: Vec<String>,
    /// The number of outermost loops that they share with the statements before them.
    pub shared: usize,
}

/// A legal order.
#[derive(Clone, Debug, Serialize)]
pub struct LegalOrder {
    /// The order, as text.
    pub order: String,
    /// Its statements.
    pub statements: Vec<StatementReport>,
    /// By level, the misses.
    pub misses: Vec<u64>,
    /// True if they are counted, and not estimated from samples.
    #[serde(rename = "exact")]
    pub is_exact: bool,
    /// True for the order of the source.
    #[serde(rename = "written")]
    pub is_written: bool,
    /// The order that was given, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
}

/// An order that is not legal, or without code.
#[derive(Clone, Debug, Serialize)]
pub struct OutlawedOrder {
    /// The order, as text.
    pub order: String,
    /// Its statements.
    pub statements: Vec<StatementReport>,
    /// The reason.
    pub why: String,
    /// The order that was given, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
}

/// The orders of one nest.
#[derive(Clone, Debug, Serialize)]
pub struct NestReport {
    /// The line of its outermost loop.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The legal orders, that with the fewest misses first.
    pub orders: Vec<LegalOrder>,
    /// Others, with the reasons.
    pub refused: Vec<OutlawedOrder>,
    /// True if all permutations of the loops were looked at.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// True if the time was over before all orders were looked at.
    #[serde(rename = "partial")]
    pub is_partial: bool,
}

/// The orders of every nest of a function, at one size: `symloc.order/1`.
#[derive(Clone, Debug)]
pub struct OrdersReport {
    /// The function.
    pub function: String,
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// The names of the levels.
    pub levels: Vec<String>,
    /// The nests, in the order of the text.
    pub nests: Vec<NestReport>,
    /// The assumptions that were made when the program was read.
    pub assumptions: Vec<Assumption>,
}

#[derive(Serialize)]
struct OrdersAnswer<'a> {
    schema: &'static str,
    function: &'a str,
    #[serde(serialize_with = "parameters")]
    parameters: &'a [(String, i128)],
    levels: &'a [String],
    nests: &'a [NestReport],
    #[serde(skip_serializing_if = "<[Assumption]>::is_empty")]
    assumptions: &'a [Assumption],
}

fn parameters<S: serde::Serializer>(sizes: &[(String, i128)], serializer: S) -> Result<S::Ok, S::Error> {
    json::parameters(sizes, serializer)
}

impl LegalOrder {
    /// Returns a number of misses as text: an estimate has two decimal places.
    fn number(&self, misses: u64) -> String {
        if self.is_exact { misses.to_string() } else { format!("~{:.2e}", misses as f64) }
    }
}

impl NestReport {
    fn write(&self, levels: &[String], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\nnest at {}:{}", self.line, self.column)?;
        let heads = levels.iter().map(|level| format!("{level} misses"));
        let heads: Vec<String> = std::iter::once("order".to_owned()).chain(heads).collect();
        let mut table = Columns::new(&heads.iter().map(String::as_str).collect::<Vec<_>>(), 1);
        for order in &self.orders {
            let remark = if order.is_written { " (as written)" } else { "" };
            let misses = order.misses.iter().map(|misses| order.number(*misses));
            table.push(std::iter::once(format!("{}{remark}", order.order)).chain(misses).collect());
        }
        table.write(out)?;
        if let Some(first) = self.refused.first() {
            let count = match self.refused.len() {
                1 => String::new(),
                count => format!(" (the first of {count})"),
            };
            writeln!(out, "not legal{count}: {}: {}", first.order, first.why)?;
        } else if let [_] = self.orders.as_slice() {
            writeln!(out, "it has no other order")?;
        }
        if self.is_partial {
            writeln!(out, "note: the search ended before all orders were looked at; --search-time gives it longer")?;
        }
        Ok(())
    }
}

impl Answer for OrdersReport {
    fn json(&self) -> impl Serialize {
        OrdersAnswer {
            schema: "symloc.order/1",
            function: &self.function,
            parameters: &self.parameters,
            levels: &self.levels,
            nests: &self.nests,
            assumptions: &self.assumptions,
        }
    }

    fn head(&self) -> Vec<String> {
        let first = ["line", "column", "order", "written", "exact"].map(str::to_owned);
        first.into_iter().chain(self.levels.iter().cloned()).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |nest: &NestReport, order: &LegalOrder| {
            let place = [nest.line.to_string(), nest.column.to_string(), order.order.clone()];
            let kind = [order.is_written.to_string(), order.is_exact.to_string()];
            place.into_iter().chain(kind).chain(order.misses.iter().map(u64::to_string)).collect()
        };
        self.nests.iter().flat_map(|nest| nest.orders.iter().map(move |order| row(nest, order))).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        for answer in answers {
            let sizes: Vec<_> = answer.parameters.iter().map(|(name, size)| format!("{name} = {size}")).collect();
            let at = if sizes.is_empty() { String::new() } else { format!(", {}", sizes.join(", ")) };
            writeln!(out, "{}{at}", answer.function)?;
            answer.nests.iter().try_for_each(|nest| nest.write(&answer.levels, out))?;
        }
        Ok(())
    }
}
