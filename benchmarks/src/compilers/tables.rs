//! Tables in Markdown of orders and what they miss.

use std::collections::BTreeMap;

use super::orders::{ChosenOrder, ComparedNest, OrderChooser};

/// Misses that differ by less than this part count as equal.
const EQUAL: f64 = 0.01;

/// The numbers of good and bad choices.
#[derive(Debug, Default)]
struct ChoiceCounts {
    best: usize,
    better: usize,
    worse: usize,
    same: usize,
    unknown: usize,
    /// The sum of the logarithms of misses by those of the best.
    logarithms: f64,
}

impl ChoiceCounts {
    fn add(&mut self, nest: &ComparedNest, misses: Option<u64>) {
        let Some(misses) = misses else {
            self.unknown += 1;
            return;
        };
        let (best, written) = (best(nest), nest.written);
        self.best += usize::from(is_equal(misses, best));
        match is_equal(misses, written) {
            true => self.same += 1,
            false if misses < written => self.better += 1,
            false => self.worse += 1,
        }
        self.logarithms += ratio(misses, best).ln();
    }

    fn row(&self, name: &str) -> String {
        let known = self.same + self.better + self.worse;
        let share = 100.0 * self.best as f64 / known.max(1) as f64;
        let mean = (self.logarithms / known.max(1) as f64).exp();
        let Self { best, better, worse, same, unknown, .. } = self;
        format!("| {name} | {known} | {best} ({share:.0} %) | {mean:.2} | {better} | {same} | {worse} | {unknown} |\n")
    }
}

fn is_equal(a: u64, b: u64) -> bool {
    a.abs_diff(b) as f64 <= EQUAL * a.max(b) as f64
}

fn ratio(misses: u64, best: u64) -> f64 {
    misses.max(1) as f64 / best.max(1) as f64
}

/// Returns the fewest misses that anyone reached.
fn best(nest: &ComparedNest) -> u64 {
    let chosen = nest.chosen.values().filter_map(misses_of);
    chosen.fold(best_without_compilers(nest), u64::min)
}

/// Returns the fewest misses of the source and of the legal orders.
fn best_without_compilers(nest: &ComparedNest) -> u64 {
    nest.orders.iter().map(|order| order.misses).fold(nest.written, u64::min)
}

/// Returns the misses of symloc's first choice: those of the source if it is the order as written, those of the source that
/// `advise` writes if there is one, and otherwise those that `order` counts.
fn by_symloc(nest: &ComparedNest) -> u64 {
    match nest.orders.first() {
        Some(order) if !order.is_written => nest.first_again.unwrap_or(order.misses),
        _ => nest.written,
    }
}

/// Returns the most misses of a legal order.
fn worst(nest: &ComparedNest) -> u64 {
    nest.orders.iter().map(|order| order.misses).max().unwrap_or_default()
}

fn misses_of(chosen: &ChosenOrder) -> Option<u64> {
    match chosen {
        ChosenOrder::Misses(misses) => Some(*misses),
        ChosenOrder::Unknown(_) => None,
    }
}

/// Returns true if it matters which order a nest has.
fn is_choice(nest: &ComparedNest) -> bool {
    !is_equal(best(nest), worst(nest))
}

/// Returns true if `order` counts the accesses that Clang's output has.
fn has_same_accesses(nest: &ComparedNest) -> bool {
    nest.orders.iter().any(|order| order.is_written && is_equal(order.misses, nest.written))
}

/// Returns the choosers of a study, in their sequence.
fn choosers(nests: &[ComparedNest]) -> Vec<OrderChooser> {
    OrderChooser::ALL.into_iter().filter(|chooser| nests.iter().any(|nest| nest.chosen.contains_key(chooser))).collect()
}

/// Returns how often each chose the best order, over the nests in which orders differ.
pub(super) fn summary(nests: &[ComparedNest]) -> String {
    let (open, others): (Vec<&ComparedNest>, Vec<&ComparedNest>) =
        nests.iter().filter(|nest| is_choice(nest)).partition(|nest| has_same_accesses(nest));
    let other_names: Vec<&str> = others.iter().map(|nest| nest.name.as_str()).collect();
    let mut text = format!(
        "{} nests have several legal orders; in {} of them the misses of the orders differ by more than {} %. Of these \
         `order` counts other accesses than Clang's output has in {}, which are not in this table: {}.\n\n",
        nests.len(),
        open.len() + others.len(),
        100.0 * EQUAL,
        others.len(),
        other_names.join(", ")
    );
    text += "| order of | nests | best | misses / best | better than written | equal | worse | not known |\n";
    text += "| --- | --: | --: | --: | --: | --: | --: | --: |\n";
    let counted = |misses: &dyn Fn(&ComparedNest) -> Option<u64>| {
        let mut counts = ChoiceCounts::default();
        open.iter().for_each(|nest| counts.add(nest, misses(nest)));
        counts
    };
    text += &counted(&|nest| Some(nest.written)).row("the source");
    text += &counted(&|nest| Some(by_symloc(nest))).row("symloc");
    for chooser in choosers(nests) {
        text += &counted(&|nest| misses_of(nest.chosen.get(&chooser)?)).row(chooser.name());
    }
    text + &beyond(&open) + &again(nests)
}

/// Returns how many first choices were simulated again as a source of their own.
fn again(nests: &[ComparedNest]) -> String {
    let pairs = nests.iter().filter_map(|nest| Some((&nest.name, nest.first_again?, nest.orders.first()?.misses)));
    let pairs: Vec<(&String, u64, u64)> = pairs.collect();
    let others = pairs.iter().filter(|(_, again, misses)| again != misses);
    let others: Vec<String> = others.map(|(name, again, misses)| format!("{name} ({again}, not {misses})")).collect();
    let written = nests.iter().filter(|nest| nest.orders.iter().any(|order| order.misses == nest.written)).count();
    format!(
        "\nOf {} first choices the source was written by `advise` and simulated. All but {} have exactly the misses \
         that `order` counts: {}. In {written} of {} nests Clang's output before any reordering has exactly the \
         misses of a legal order.\n",
        pairs.len(),
        others.len(),
        others.join(", "),
        nests.len()
    )
}

/// Returns a row for each nest in which orders differ: misses by those of the best.
pub(super) fn details(nests: &[ComparedNest]) -> String {
    let choosers = choosers(nests);
    let names: Vec<&str> = choosers.iter().map(|chooser| chooser.name()).collect();
    let mut text =
        format!("| nest | cache | orders | best | best misses | source | symloc | {} | worst |\n", names.join(" | "));
    text += &format!("| --- | --- | --: | --- | --: | --: | --: |{} --: |\n", " --: |".repeat(names.len()));
    for nest in nests.iter().filter(|nest| is_choice(nest)) {
        text += &detail(nest, &choosers);
    }
    text
}

fn detail(nest: &ComparedNest, choosers: &[OrderChooser]) -> String {
    let best = best(nest);
    let shown = |misses: u64| format!("{:.2}", ratio(misses, best));
    let order = nest.orders.first().map_or("", |order| order.text.as_str());
    let chosen =
        |chooser: &OrderChooser| nest.chosen.get(chooser).and_then(misses_of).map_or_else(|| "?".to_owned(), shown);
    let chosen: Vec<String> = choosers.iter().map(chosen).collect();
    let cache = nest.cache.replace("lines,full", " lines");
    let (name, count) = (&nest.name, nest.orders.len());
    let (source, symloc, worst) = (shown(nest.written), shown(by_symloc(nest)), shown(worst(nest)));
    let chosen = chosen.join(" | ");
    format!("| {name} | {cache} | {count} | {order} | {best} | {source} | {symloc} | {chosen} | {worst} |\n")
}

/// Returns the reasons of LLVM's interchange, the most frequent first, and those for which a chooser has no answer.
pub(super) fn reasons(nests: &[ComparedNest]) -> String {
    let mut refusals: BTreeMap<&str, usize> = BTreeMap::new();
    for (reason, count) in nests.iter().flat_map(|nest| &nest.refusals) {
        *refusals.entry(reason).or_default() += count;
    }
    let mut refusals: Vec<(usize, &str)> = refusals.into_iter().map(|(reason, count)| (count, reason)).collect();
    refusals.sort_by(|a, b| b.cmp(a));
    let mut text = "| pairs of loops | LLVM's remark |\n| --: | --- |\n".to_owned();
    refusals.iter().for_each(|(count, reason)| text += &format!("| {count} | {reason} |\n"));
    text + "\n" + &unknown(nests)
}

/// Returns the choices that are not known, by reason.
fn unknown(nests: &[ComparedNest]) -> String {
    let mut reasons: BTreeMap<(OrderChooser, &str), Vec<&str>> = BTreeMap::new();
    for nest in nests {
        for (chooser, chosen) in &nest.chosen {
            if let ChosenOrder::Unknown(why) = chosen {
                reasons.entry((*chooser, why)).or_default().push(&nest.name);
            }
        }
    }
    let line = |((chooser, why), names): (&(OrderChooser, &str), &Vec<&str>)| {
        format!("- {}, {why}: {}\n", chooser.name(), names.join(", "))
    };
    reasons.iter().map(line).collect()
}

/// Returns the nests that are left out, by reason.
pub(super) fn left_out(all: &[(String, String)]) -> String {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, why) in all {
        reasons.entry(why).or_default().push(name);
    }
    reasons.iter().map(|(why, names)| format!("- {why}: {}\n", names.join(", "))).collect()
}

/// Returns the nests in which a compiler has fewer misses than every legal order that symloc looks at.
fn beyond(nests: &[&ComparedNest]) -> String {
    let is_best = |nest: &&&ComparedNest| is_equal(by_symloc(nest), best_without_compilers(nest));
    let without = nests.iter().filter(is_best).count();
    let sentence = format!("\nOf the source and the legal orders alone symloc's is the best in {without} nests.");
    let mut text = String::new();
    for nest in nests {
        let first = by_symloc(nest);
        let better = nest.chosen.iter().filter_map(|(chooser, chosen)| Some((chooser, misses_of(chosen)?)));
        for (chooser, misses) in better.filter(|(_, misses)| *misses < first && !is_equal(*misses, first)) {
            text +=
                &format!("- {}: {} has {misses} misses, symloc's first choice {first}\n", nest.name, chooser.name());
        }
    }
    match text.is_empty() {
        true => format!("{sentence} No compiler has an order with fewer misses than symloc's.\n"),
        false => format!("{sentence} These have fewer misses than symloc's:\n\n{text}"),
    }
}
