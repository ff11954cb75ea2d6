//! The misses of one nest in the orders that compilers choose, beside those of all legal orders.
//!
//! The order that a compiler chose is not guessed: its output is read by the front end for LLVM IR, and simulated.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::nests::SingleNest;
use super::tools::{CompilerTools, SimulatedMisses, reason};
use crate::BoxedError;

/// Passes that make loops ready, and leave every load and store of the source.
const READY: &str = "function(sroa,simplifycfg,loop-simplify,lcssa,loop(loop-rotate),indvars)";
/// Passes that keep the names of induction variables.
const NAMED: &str = "function(sroa,simplifycfg,loop-simplify,lcssa)";
const INTERCHANGE: &str = "loop(loop-interchange)";
/// x86 does not tell LLVM how long a line is.
const LINE: &str = "-cache-line-size=64";
const COST_OPTIONS: [&str; 2] = ["-loop-interchange-profitabilities=cache", LINE];
const NO_COST_OPTIONS: [&str; 1] = ["-loop-interchange-profitabilities=instorder,vectorize"];
/// Polly, without tiles and without its replacement of whole matrix products.
const POLLY: &str = "function(sroa,simplifycfg),polly,function(sroa,simplifycfg,instcombine)";
const POLLY_OPTIONS: [&str; 2] = ["-polly-tiling=false", "-polly-pattern-matching-based-opts=false"];

/// A compiler's choice of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OrderChooser {
    /// LLVM's interchange as it is.
    Llvm,
    /// LLVM's interchange by cache cost alone, with lines of 64 bytes.
    CacheCost,
    /// LLVM's interchange without the cache cost.
    WithoutCost,
    /// The loops sorted by LLVM's cache cost, where that is legal.
    CostAlone,
    Polly,
}

impl OrderChooser {
    pub(super) const ALL: [Self; 5] = [Self::Llvm, Self::CacheCost, Self::WithoutCost, Self::CostAlone, Self::Polly];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Llvm => "LLVM",
            Self::CacheCost => "cache cost",
            Self::WithoutCost => "without it",
            Self::CostAlone => "cost alone",
            Self::Polly => "Polly",
        }
    }
}

/// A legal order, with its misses.
#[derive(Clone, Debug)]
pub(super) struct OrderMisses {
    pub(super) text: String,
    pub(super) misses: u64,
    /// True for the order of the source.
    pub(super) is_written: bool,
}

/// The order that a compiler gave a nest.
#[derive(Clone, Debug)]
pub(super) enum ChosenOrder {
    /// Its misses.
    Misses(u64),
    /// The reason why there are none to compare.
    Unknown(String),
}

/// The orders of one nest.
#[derive(Clone, Debug)]
pub(super) struct ComparedNest {
    pub(super) name: String,
    /// The cache, as `--cache` has it.
    pub(super) cache: String,
    /// The legal orders, symloc's first choice first.
    pub(super) orders: Vec<OrderMisses>,
    /// The misses as written, by the simulation of what Clang makes of the source.
    pub(super) written: u64,
    /// The misses of symloc's first choice, by a simulation of the source in that order; `None` if it has several nests.
    pub(super) first_again: Option<u64>,
    pub(super) chosen: BTreeMap<OrderChooser, ChosenOrder>,
    /// The reasons why LLVM's interchange leaves loops as they are, with their numbers.
    pub(super) refusals: BTreeMap<String, usize>,
}

/// Returns the size of a cache that holds a part of so many lines.
fn cache_for(lines: u64) -> String {
    format!("{}lines,full", (lines / 32).max(16))
}

/// Compares the orders of a nest; `None` if it has a single legal one.
pub(super) fn compared(
    tools: &CompilerTools,
    nest: &SingleNest,
    cache: Option<&str>,
) -> Result<Option<ComparedNest>, BoxedError> {
    NestComparer { tools, nest }.compared(cache)
}

struct NestComparer<'c> {
    tools: &'c CompilerTools,
    nest: &'c SingleNest,
}

impl NestComparer<'_> {
    fn compared(&self, cache: Option<&str>) -> Result<Option<ComparedNest>, BoxedError> {
        let source = self.tools.file("nest.c", &self.nest.text)?;
        let ir = self.tools.compiled(&source, "nest.ll")?;
        let ready = self.tools.passes(&ir, READY, &[], "ready.ll")?.0;
        let cache = match cache {
            Some(cache) => cache.to_owned(),
            None => cache_for(self.simulated(&ready, "64lines,full")?.lines),
        };
        let orders = self.orders(&source, &cache)?;
        if orders.len() < 2 {
            return Ok(None);
        }
        let written = self.simulated(&ready, &cache)?;
        let refusals = self.refusals(&ready)?;
        let mut chosen = BTreeMap::new();
        for chooser in OrderChooser::ALL {
            let found = match chooser {
                OrderChooser::CostAlone => self.by_cost_alone(&ir, &orders),
                OrderChooser::Polly if !self.tools.has_polly => continue,
                OrderChooser::Polly => self.transformed(&ir, POLLY, &POLLY_OPTIONS, &cache, &written),
                OrderChooser::Llvm => self.transformed(&ready, INTERCHANGE, &[], &cache, &written),
                OrderChooser::CacheCost => self.transformed(&ready, INTERCHANGE, &COST_OPTIONS, &cache, &written),
                OrderChooser::WithoutCost => self.transformed(&ready, INTERCHANGE, &NO_COST_OPTIONS, &cache, &written),
            };
            chosen.insert(chooser, found.unwrap_or_else(|why| ChosenOrder::Unknown(reason(&why))));
        }
        let first_again = self.first_again(&source, &cache, &orders[0].text);
        let (name, written) = (self.nest.name.clone(), written.misses[0]);
        Ok(Some(ComparedNest { name, cache, orders, written, first_again, chosen, refusals }))
    }

    fn simulated(&self, file: &Path, cache: &str) -> Result<SimulatedMisses, BoxedError> {
        let options = ["--assume-noalias", "--function", &self.nest.function];
        self.tools.simulated(file, &[cache.to_owned()], &options)
    }

    /// Returns the legal orders of the nest, that with the fewest misses first.
    fn orders(&self, source: &Path, cache: &str) -> Result<Vec<OrderMisses>, BoxedError> {
        let function = ["--assume-noalias", "--function", &self.nest.function];
        let options = [&function[..], &["--cache", cache, "--format", "json", "--search-time", "60"]].concat();
        let answer = self.tools.answer("order", source, &options)?;
        let [nest] = answer["nests"].as_array().map_or(&[][..], Vec::as_slice) else {
            return Err("other nests than one".into());
        };
        if nest["partial"] == true || nest["complete"] == false {
            return Err("not all orders were looked at".into());
        }
        let order = |order: &Value| {
            let (text, misses) = (order["order"].as_str()?.to_owned(), order["misses"][0].as_u64()?);
            let is_written = order["written"] == true;
            (order["exact"] == true).then_some(OrderMisses { text, misses, is_written })
        };
        let orders = nest["orders"].as_array().into_iter().flatten();
        orders.map(|found| order(found).ok_or_else(|| "misses are not counted".into())).collect()
    }

    /// Returns the misses of what passes make of the nest.
    fn transformed(
        &self,
        file: &Path,
        passes: &str,
        options: &[&str],
        cache: &str,
        written: &SimulatedMisses,
    ) -> Result<ChosenOrder, BoxedError> {
        let (new, _) = self.tools.passes(file, passes, options, "transformed.ll")?;
        let found = self.simulated(&new, cache)?;
        if found.accesses == written.accesses {
            return Ok(ChosenOrder::Misses(found.misses[0]));
        }
        Ok(ChosenOrder::Unknown("another number of accesses".to_owned()))
    }

    /// Returns the reasons why LLVM's interchange as it is leaves loops as they are, with their numbers.
    fn refusals(&self, ready: &Path) -> Result<BTreeMap<String, usize>, BoxedError> {
        let missed = ["-pass-remarks-missed=loop-interchange"];
        let (_, remarks) = self.tools.passes(ready, INTERCHANGE, &missed, "remarks.ll")?;
        let mut refusals = BTreeMap::new();
        for (_, reason) in remarks.lines().filter_map(|line| line.strip_prefix("remark: ")?.split_once(": ")) {
            *refusals.entry(reason.to_owned()).or_default() += 1;
        }
        Ok(refusals)
    }

    /// Returns the misses of the order that LLVM's cache cost gives the loops of a perfect nest, with legality by symloc.
    fn by_cost_alone(&self, ir: &Path, orders: &[OrderMisses]) -> Result<ChosenOrder, BoxedError> {
        let named = self.tools.passes(ir, NAMED, &[], "named.ll")?.0;
        let (_, costs) = self.tools.passes(&named, "print<loop-cache-cost>", &[LINE], "costs.ll")?;
        let text = sorted_loops(&costs, &std::fs::read_to_string(&named)?, &self.nest.function).join(", ");
        let legal = orders.iter().find(|order| order.text == text);
        let unknown = || ChosenOrder::Unknown("no perfect nest, or an order that is not legal".to_owned());
        Ok(legal.map_or_else(unknown, |order| ChosenOrder::Misses(order.misses)))
    }

    /// Returns the misses of the source in an order, as `advise` writes it.
    fn first_again(&self, source: &Path, cache: &str, order: &str) -> Option<u64> {
        if order.contains(['{', ';']) {
            return None;
        }
        let new = self.tools.path("first.c");
        let options = ["--assume-noalias", "--function", &self.nest.function, "--cache", cache, "--order", order, "-o"];
        self.tools.run("advise", source, &[&options[..], &[new.to_str()?]].concat()).ok()?;
        self.simulated(&new, cache).ok().map(|found| found.misses[0])
    }
}

/// Returns the induction variables of a function's loops, the outermost by LLVM's cache cost first: that of the loop
/// that costs most as the innermost one.
fn sorted_loops(costs: &str, ir: &str, function: &str) -> Vec<String> {
    let body = ir.split("\ndefine ").find(|text| text.contains(&format!("@{function}("))).unwrap_or_default();
    let variable = |block: &str| {
        let (_, rest) = body.split_once(&format!("\n{block}:"))?;
        let phi = rest.lines().nth(1)?.trim();
        let name = phi.split_once(" = phi ")?.0.trim_start_matches('%');
        Some(name.split('.').next()?.to_owned())
    };
    let costs = costs.lines().filter_map(|line| {
        let (block, cost) = line.strip_prefix("Loop '")?.split_once("' has cost = ")?;
        Some((cost.parse::<i128>().ok()?, variable(block)?))
    });
    let mut costs: Vec<(i128, String)> = costs.collect();
    costs.sort_by_key(|(cost, _)| -cost);
    costs.into_iter().map(|(_, name)| name).collect()
}
