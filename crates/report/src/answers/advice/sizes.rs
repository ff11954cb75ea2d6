//! `advise --for-all-sizes`: the best order of loops at each of many sizes, with the misses that models predict.

use std::io::{self, Write};

use serde::Serialize;

use crate::answers::Answer;
use crate::formats::json;

/// An order that has a model.
#[derive(Clone, Debug, Serialize)]
pub struct ModelledOrder {
    /// The moves that make it, as phrases; none for the program as written.
    pub moves: Vec<String>,
    /// By size, what is predicted.
    pub sizes: Vec<SizePrediction>,
}

/// What is predicted of an order at one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizePrediction {
    /// By level, the misses.
    pub misses: Vec<f64>,
    /// The cycles.
    pub cycles: f64,
}

/// An order that is not compared.
#[derive(Clone, Debug, Serialize)]
pub struct OmittedOrder {
    /// The moves that make it, as phrases.
    pub moves: Vec<String>,
    /// The reason.
    pub why: String,
}

/// Successive sizes at which one order is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SizeRange {
    /// The first of these sizes.
    pub from: i64,
    /// The last one.
    pub to: i64,
    /// The place of the order; 0 is the program as written.
    pub order: usize,
}

/// The best orders at many sizes: `symloc.advice-sizes/1`.
#[derive(Clone, Debug)]
pub struct SizesReport {
    /// The function.
    pub function: String,
    /// The parameters that vary together.
    pub varying: Vec<String>,
    /// Their values, in ascending order.
    pub values: Vec<i64>,
    /// The other parameters.
    pub parameters: Vec<(String, i128)>,
    /// The names of the levels.
    pub levels: Vec<String>,
    /// The orders, the program as written first.
    pub orders: Vec<ModelledOrder>,
    /// The orders without a model.
    pub omitted: Vec<OmittedOrder>,
    /// An order counts as better than the program as written if it is predicted to be this many times as fast.
    pub worthwhile: f64,
}

#[derive(Serialize)]
struct SizesAnswer<'a> {
    schema: &'static str,
    function: &'a str,
    varying: &'a [String],
    values: &'a [i64],
    #[serde(serialize_with = "json::parameters")]
    parameters: &'a [(String, i128)],
    levels: &'a [String],
    ranges: Vec<SizeRange>,
    orders: &'a [ModelledOrder],
    omitted: &'a [OmittedOrder],
}

/// An order is nearly the best if it takes at most so many times the cycles of the best.
const NEARLY: f64 = 1.02;

impl SizesReport {
    /// Returns the order with the fewest cycles at a size, of equal ones the first; the program as written if that one is
    /// not much better.
    fn best_at(&self, place: usize) -> usize {
        let cycles = |order: &ModelledOrder| order.sizes[place].cycles;
        let orders = self.orders.iter().enumerate();
        let best = orders.min_by(|(_, a), (_, b)| cycles(a).total_cmp(&cycles(b)));
        let is_better = |order: &ModelledOrder| cycles(order) * self.worthwhile < cycles(&self.orders[0]);
        best.filter(|(_, order)| is_better(order)).map_or(0, |(place, _)| place)
    }

    /// Returns the order that is the best at each size. One that is best at a smaller size stays while it is nearly the
    /// best.
    fn best(&self) -> Vec<usize> {
        let mut best: Vec<usize> = Vec::new();
        for place in 0..self.values.len() {
            let now = self.best_at(place);
            let cycles = |order: usize| self.orders[order].sizes[place].cycles;
            let stays = |before: &usize| now > 0 && *before > 0 && cycles(*before) <= NEARLY * cycles(now);
            best.push(best.last().copied().filter(stays).unwrap_or(now));
        }
        best
    }

    /// Returns the ranges of sizes with their best orders.
    pub fn ranges(&self) -> Vec<SizeRange> {
        let mut ranges: Vec<SizeRange> = Vec::new();
        for (order, value) in self.best().into_iter().zip(&self.values) {
            match ranges.last_mut().filter(|range| range.order == order) {
                Some(range) => range.to = *value,
                None => ranges.push(SizeRange { from: *value, to: *value, order }),
            }
        }
        ranges
    }

    /// Returns the predictions of an order and of the program as written, at the sizes of a range.
    fn pairs(&self, range: SizeRange) -> impl Iterator<Item = (&SizePrediction, &SizePrediction)> {
        let sizes = self.values.iter().enumerate().filter(move |(_, v)| (range.from..=range.to).contains(*v));
        sizes.map(move |(place, _)| (&self.orders[range.order].sizes[place], &self.orders[0].sizes[place]))
    }

    fn misses(&self, prediction: &SizePrediction) -> String {
        let level = |(name, misses): (&String, &f64)| format!("{name} {misses:.0}");
        self.levels.iter().zip(&prediction.misses).map(level).collect::<Vec<_>>().join(", ")
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let name = self.varying.join(" = ");
        let others: Vec<_> = self.parameters.iter().map(|(name, size)| format!(", {name} = {size}")).collect();
        let (first, last) = (self.values.first().unwrap_or(&0), self.values.last().unwrap_or(&0));
        let count = self.values.len();
        writeln!(out, "{}, {name} = {first}..{last} ({count} sizes){}", self.function, others.concat())?;
        for range in self.ranges() {
            let SizeRange { from, to, order } = range;
            let at = if from == to { format!("{name} = {from}") } else { format!("{name} from {from} to {to}") };
            let Some((best, written)) = self.pairs(range).next() else { continue };
            match self.orders[order].moves.as_slice() {
                [] => writeln!(out, "\n{at}: as written")?,
                moves => {
                    let times = self.pairs(range).map(|(best, written)| written.cycles / best.cycles);
                    let (least, most) = times.fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
                    let times = if from == to { format!("{least:.2}") } else { format!("{least:.2} to {most:.2}") };
                    writeln!(out, "\n{at}: predicted {times} times as fast as written")?;
                    moves.iter().try_for_each(|words| writeln!(out, "   {words}"))?;
                }
            }
            write!(out, "   at {from}: misses {}", self.misses(best))?;
            match order {
                0 => writeln!(out)?,
                _ => writeln!(out, "; as written {}", self.misses(written))?,
            }
        }
        for OmittedOrder { moves, why } in &self.omitted {
            writeln!(out, "\nleft out: {}: {why}", moves.join("; "))?;
        }
        Ok(())
    }
}

impl Answer for SizesReport {
    fn json(&self) -> impl Serialize {
        SizesAnswer {
            schema: "symloc.advice-sizes/1",
            function: &self.function,
            varying: &self.varying,
            values: &self.values,
            parameters: &self.parameters,
            levels: &self.levels,
            ranges: self.ranges(),
            orders: &self.orders,
            omitted: &self.omitted,
        }
    }

    fn head(&self) -> Vec<String> {
        let first = [self.varying.join("="), "order".to_owned(), "moves".to_owned(), "cycles".to_owned()];
        first.into_iter().chain(self.levels.iter().cloned()).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(place, (value, order)): (usize, (&i64, usize))| {
            let ModelledOrder { moves, sizes } = &self.orders[order];
            let SizePrediction { misses, cycles } = &sizes[place];
            let first = [value.to_string(), order.to_string(), moves.join("; "), format!("{cycles:.0}")];
            first.into_iter().chain(misses.iter().map(|misses| format!("{misses:.0}"))).collect()
        };
        self.values.iter().zip(self.best()).enumerate().map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        answers.iter().try_for_each(|answer| answer.write(out))
    }
}
