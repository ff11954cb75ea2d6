//! `advise`: orders of loops, with the misses that are predicted for them and the times that were measured; [`sizes`]: the
//! best of them at each of many sizes; [`orders`]: the legal ones of each nest; [`padding`]: longer rows.

use std::io::{self, Write};

use serde::Serialize;

use super::Answer;
use crate::formats::json;
use crate::formats::text::Columns;
pub use arrays::ArrayMisses;
use padding::PaddingReport;

mod arrays;
pub mod orders;
pub mod padding;
pub mod sizes;

/// The amounts of work from which a cost is made.
#[derive(Clone, Debug, Serialize)]
pub struct WorkAmounts {
    /// Accesses of 8 bytes in loops that run in vectors.
    pub vectors: f64,
    /// Accesses in vectors whose elements lie apart.
    pub gathers: f64,
    /// Accesses in other loops.
    pub scalars: f64,
    /// Cycles of waiting for the result of the iteration before.
    pub chain: f64,
    /// Divisions in loops that run in vectors.
    pub vector_divisions: f64,
    /// Divisions in other loops.
    pub scalar_divisions: f64,
    /// Entries of innermost loops.
    pub entries: f64,
    /// Accesses to another page than in the iteration before.
    pub pages: f64,
    /// Accesses to pages whose addresses the processor does not keep.
    pub page_walks: f64,
    /// By level, misses that are fetched ahead.
    pub streamed: Vec<f64>,
    /// By level, other misses.
    pub scattered: Vec<f64>,
}

/// An order of loops.
#[derive(Clone, Debug, Serialize)]
pub struct OrderReport {
    /// The moves that make it, as phrases; none for the program as written.
    pub moves: Vec<String>,
    /// By level, the misses.
    pub misses: Vec<f64>,
    /// True if the misses are counted, and not estimated from samples.
    #[serde(rename = "exact")]
    pub is_exact: bool,
    /// The misses by array.
    pub arrays: Vec<ArrayMisses>,
    /// The predicted cycles.
    pub cycles: f64,
    /// Their parts.
    pub work: WorkAmounts,
    /// The shortest time that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// True if a run gave the same bytes as the program as written or, where sums are reordered, the same within rounding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_equal: Option<bool>,
    /// The largest relative difference of two numbers, where a run gave the same within rounding and other bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative_difference: Option<f64>,
    /// True if terms of sums may be added in another order than in the program as written.
    pub may_reorder_sums: bool,
    /// Longer rows with which the order is predicted to be faster still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub padding: Option<PaddingReport>,
}

impl OrderReport {
    /// Returns what was measured, as text that goes on.
    fn measured(&self) -> String {
        match (self.seconds, self.is_equal, self.relative_difference) {
            (Some(seconds), Some(false), _) => format!(", {seconds:.3} s, but with OTHER RESULTS"),
            (Some(seconds), _, Some(difference)) => {
                format!(", {seconds:.3} s, equal within rounding (largest relative difference {difference:.0e})")
            }
            (Some(seconds), ..) => format!(", {seconds:.3} s"),
            (None, ..) => String::new(),
        }
    }

    /// Returns a number of misses as text.
    fn number(&self, misses: f64) -> String {
        number(misses, self.is_exact)
    }

    /// Writes the longer rows with which the order is predicted to be faster, if there are any.
    fn write_padding(&self, levels: &[String], out: &mut dyn Write) -> io::Result<()> {
        let Some(padding) = &self.padding else { return Ok(()) };
        let times = self.cycles / padding.cycles;
        let all = with_before(levels, (&padding.misses, padding.is_exact), (&self.misses, self.is_exact));
        writeln!(out, "   with longer rows predicted {times:.2} times as fast as without: misses {all}")?;
        for rows in &padding.rows {
            writeln!(out, "   - {}", rows.distances())?;
            if let Some(reason) = rows.reason() {
                writeln!(out, "     {reason}")?;
            }
            writeln!(out, "     {}", rows.change)?;
        }
        for (before, after) in self.arrays.iter().zip(&padding.arrays).filter(|(a, b)| a.misses != b.misses) {
            let all = with_before(levels, (&after.misses, padding.is_exact), (&before.misses, self.is_exact));
            writeln!(out, "   - {} misses {all}", after.name)?;
        }
        Ok(())
    }
}

/// Returns a number of misses as text: an estimate has two decimal places.
fn number(misses: f64, is_exact: bool) -> String {
    if is_exact { format!("{misses:.0}") } else { format!("~{misses:.2e}") }
}

/// Returns the misses by level as text, each with those before; numbers are with whether they are counted.
fn with_before(levels: &[String], after: (&[f64], bool), before: (&[f64], bool)) -> String {
    let level = |((name, misses), earlier): ((&String, &f64), &f64)| {
        format!("{name} {} (without {})", number(*misses, after.1), number(*earlier, before.1))
    };
    levels.iter().zip(after.0).zip(before.0).map(level).collect::<Vec<_>>().join(", ")
}

/// The misses in a cache of some size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CurveRow {
    /// The cache, in lines.
    pub lines: u64,
    /// The misses of the program as written.
    pub written: u64,
    /// Those of the first order, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
}

/// The largest relative differences of results that are taken for rounding, by type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tolerances {
    /// Of numbers of 8 bytes.
    pub double: f64,
    /// Of numbers of 4 bytes.
    pub float: f64,
}

/// Orders of a program's loops at one size: `symloc.advice/1`.
#[derive(Clone, Debug)]
pub struct AdviceReport {
    /// The function.
    pub function: String,
    /// The size.
    pub parameters: Vec<(String, i128)>,
    /// The names of the levels.
    pub levels: Vec<String>,
    /// The program as written.
    pub written: OrderReport,
    /// The orders that are predicted to be faster, the fastest first.
    pub orders: Vec<OrderReport>,
    /// True if the search ended before all orders were tried.
    pub is_partial: bool,
    /// The differences of results that are taken for rounding, if they were compared so.
    pub tolerances: Option<Tolerances>,
    /// True if the source in a better order may be written: orders were found, and where they were run, one was faster.
    pub helps: bool,
    /// The misses over cache sizes, if they were asked for.
    pub curve: Vec<CurveRow>,
    /// By level, the misses that no order of the same operations goes below, if they were asked for.
    pub bounds: Vec<f64>,
}

#[derive(Serialize)]
struct AdviceAnswer<'a> {
    schema: &'static str,
    function: &'a str,
    #[serde(serialize_with = "parameters")]
    parameters: &'a [(String, i128)],
    levels: &'a [String],
    written: &'a OrderReport,
    orders: &'a [OrderReport],
    partial: bool,
    helps: bool,
    #[serde(skip_serializing_if = "<[CurveRow]>::is_empty")]
    curve: &'a [CurveRow],
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerances: Option<Tolerances>,
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    bounds: &'a [f64],
}

fn parameters<S: serde::Serializer>(sizes: &[(String, i128)], serializer: S) -> Result<S::Ok, S::Error> {
    json::parameters(sizes, serializer)
}

/// A level is named as a reason if it has so many times fewer misses.
const FEWER: f64 = 1.5;

impl AdviceReport {
    fn misses(&self, order: &OrderReport) -> String {
        let level = |(name, misses): (&String, &f64)| format!("{name} {}", order.number(*misses));
        self.levels.iter().zip(&order.misses).map(level).collect::<Vec<_>>().join(", ")
    }

    /// Returns how many times the bound of each level the misses of an order are, as text that goes on.
    fn times_the_bound(&self, order: &OrderReport) -> String {
        let times: Vec<_> =
            order.misses.iter().zip(&self.bounds).map(|(of, bound)| format!("{:.2}", of / bound.max(1.0))).collect();
        if times.is_empty() { String::new() } else { format!(" ({} times the bound)", times.join(", ")) }
    }

    /// Returns the misses of an order by level, beside the bounds and what was measured.
    fn counts(&self, order: &OrderReport) -> String {
        format!("misses {}{}{}", self.misses(order), self.times_the_bound(order), order.measured())
    }

    /// Returns the array and level that an order relieves most, if it does: the reason why it is faster.
    fn reason(&self, order: &OrderReport) -> Option<String> {
        let mut saved = Vec::new();
        for (before, after) in self.written.arrays.iter().zip(&order.arrays) {
            for (level, (before, after)) in before.misses.iter().zip(&after.misses).enumerate() {
                saved.push((before - after, level, before / after.max(1.0)));
            }
        }
        let arrays = self.written.arrays.iter().flat_map(|array| std::iter::repeat_n(&array.name, self.levels.len()));
        let found = saved.into_iter().zip(arrays).filter(|((_, _, times), _)| *times >= FEWER);
        // A miss of a deeper level costs more.
        let weight = |(saved, level, _): &(f64, usize, f64)| saved * 4_f64.powi(*level as i32);
        let ((_, level, times), array) = found.max_by(|(a, _), (b, _)| weight(a).total_cmp(&weight(b)))?;
        Some(format!("{array} misses {} {times:.1} times less often", self.levels[level]))
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let sizes: Vec<_> = self.parameters.iter().map(|(name, size)| format!("{name} = {size}")).collect();
        let at = if sizes.is_empty() { String::new() } else { format!(", {}", sizes.join(", ")) };
        writeln!(out, "{}{at}\n", self.function)?;
        writeln!(out, "as written: {}", self.counts(&self.written))?;
        if !self.bounds.is_empty() {
            let bounds = self.levels.iter().zip(&self.bounds).map(|(name, bound)| format!("{name} {bound:.0}"));
            writeln!(out, "bound: any order misses at least {}", bounds.collect::<Vec<_>>().join(", "))?;
        }
        self.written.write_padding(&self.levels, out)?;
        for (place, order) in self.orders.iter().enumerate() {
            let measured = match (self.written.seconds, order.seconds) {
                (Some(before), Some(after)) => format!(", measured {:.2} times", before / after),
                _ => String::new(),
            };
            let predicted = self.written.cycles / order.cycles;
            writeln!(out, "\n{}. predicted {predicted:.2} times as fast{measured}", place + 1)?;
            for words in &order.moves {
                writeln!(out, "   {words}")?;
            }
            if order.may_reorder_sums {
                writeln!(out, "   terms of sums may be added in another order")?;
            }
            writeln!(out, "   {}", self.counts(order))?;
            if let Some(reason) = self.reason(order) {
                writeln!(out, "   {reason}")?;
            }
            order.write_padding(&self.levels, out)?;
        }
        self.write_arrays(out)?;
        match (self.orders.is_empty(), self.helps) {
            (true, _) => {
                writeln!(out, "\nno order that was tried is predicted to be faster than the program as written")?
            }
            (false, false) => writeln!(out, "\nnone of these is faster than the program as written")?,
            (false, true) => {}
        }
        if std::iter::once(&self.written).chain(&self.orders).any(|order| order.padding.is_some()) {
            writeln!(
                out,
                "note: longer rows are predicted, not run: --run, --diff and -o leave declarations as they are"
            )?;
        }
        if let Some(Tolerances { double, float }) = self.tolerances {
            let sentence = "results that differ by so much are equal within rounding";
            writeln!(out, "note: {sentence}: {double:.0e} in double, {float:.0e} in float, relatively")?;
        }
        if self.is_partial {
            writeln!(out, "note: the search ended before all orders were tried; --search-time gives it longer")?;
        }
        Ok(())
    }

    /// Writes the misses of each array, as written and in the first order.
    fn write_arrays(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(first) = self.orders.first() else { return Ok(()) };
        let head: Vec<String> = std::iter::once("misses of".to_owned())
            .chain(self.levels.iter().flat_map(|level| [format!("{level} as written"), format!("{level} in 1.")]))
            .collect();
        let mut table = Columns::new(&head.iter().map(String::as_str).collect::<Vec<_>>(), 1);
        for (before, after) in self.written.arrays.iter().zip(&first.arrays) {
            let pairs = before.misses.iter().zip(&after.misses);
            let numbers = pairs.flat_map(|(before, after)| [self.written.number(*before), first.number(*after)]);
            table.push(std::iter::once(before.name.clone()).chain(numbers).collect());
        }
        writeln!(out)?;
        table.write(out)
    }
}

impl Answer for AdviceReport {
    fn json(&self) -> impl Serialize {
        AdviceAnswer {
            schema: "symloc.advice/1",
            function: &self.function,
            parameters: &self.parameters,
            levels: &self.levels,
            written: &self.written,
            orders: &self.orders,
            partial: self.is_partial,
            helps: self.helps,
            curve: &self.curve,
            tolerances: self.tolerances,
            bounds: &self.bounds,
        }
    }

    fn head(&self) -> Vec<String> {
        let first = ["order", "moves", "cycles", "seconds"].map(str::to_owned);
        first.into_iter().chain(self.levels.iter().cloned()).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(place, order): (usize, &OrderReport)| {
            let seconds = order.seconds.map(|seconds| seconds.to_string()).unwrap_or_default();
            let first = [place.to_string(), order.moves.join("; "), format!("{:.0}", order.cycles), seconds];
            first.into_iter().chain(order.misses.iter().map(|misses| format!("{misses:.0}"))).collect()
        };
        std::iter::once(&self.written).chain(&self.orders).enumerate().map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        answers.iter().try_for_each(|answer| answer.write(out))
    }
}
