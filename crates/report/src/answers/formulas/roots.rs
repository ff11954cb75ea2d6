//! What formulas of misses mention besides the sizes and the cache, all of which these determine: roots, the numbers
//! that roots determine, and sums over points.

use std::collections::BTreeSet;

use serde::Serialize;
use symloc_locality::formula::{MissFormulas, RootNumber, RootNumberDefinition, RowSum, Sum, ThresholdRoot};
use symloc_quasi::{Notation, Poly, Rational, Style, Var};

use crate::formats::sympy::{Record, Value};

/// The meaning of the roots that are written for SymPy.
pub(super) const COMMENT: &str =
    "each root is the largest integer from at_least to at_most for which excess is not negative, or at_least - 1";

/// The meaning of the numbers that are written for SymPy.
pub(super) const NUMBERS_COMMENT: &str =
    "each number is values[root mod len(values)], or slack, or 1 where slack is less than below, else 0";

/// The meaning of the sums that are written for SymPy.
pub(super) const SUMS_COMMENT: &str =
    "each sum is that of count for all values of iterator, of which each has a root, as above";

/// A root: the largest integer of a range for which an inequality holds.
#[derive(Serialize)]
pub(super) struct RootText {
    name: String,
    at_least: String,
    at_most: String,
    #[serde(rename = "where")]
    inequality: String,
    #[serde(skip)]
    excess: String,
    /// The root where the inequality holds nowhere.
    #[serde(skip)]
    before: String,
}

impl RootText {
    pub(super) fn new(root: &ThresholdRoot, threshold: Var, notation: Notation<'_>) -> Self {
        Self {
            name: notation.poly(&Poly::var(root.var)),
            at_least: notation.poly(&root.least),
            at_most: notation.poly(&root.greatest),
            inequality: inequality(&root.excess, threshold, notation),
            excess: notation.poly(&root.excess),
            before: notation.poly(&(&root.least - &Poly::one())),
        }
    }

    /// Returns its definition for people.
    fn sentence(&self) -> String {
        let Self { name, at_least, at_most, inequality, before, .. } = self;
        format!("{name} is the largest integer from {at_least} to {at_most} with {inequality}, else {before}")
    }

    pub(super) fn record(self) -> Record {
        vec![
            ("name", Value::Expression(self.name)),
            ("at_least", Value::Expression(self.at_least)),
            ("at_most", Value::Expression(self.at_most)),
            ("excess", Value::Expression(self.excess)),
        ]
    }
}

/// A number that a root determines.
#[derive(Serialize)]
pub(super) struct NumberText {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slack: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<String>,
}

impl NumberText {
    pub(super) fn new(number: &RootNumber, notation: Notation<'_>) -> Self {
        let name = |var: &Var| notation.poly(&Poly::var(*var));
        let mut text = Self { name: name(&number.var), root: None, values: Vec::new(), slack: None, below: None };
        match &number.definition {
            RootNumberDefinition::Periodic { root, values } => {
                text.root = Some(name(root));
                text.values = values.iter().map(ToString::to_string).collect();
            }
            RootNumberDefinition::Slack(poly) => text.slack = Some(notation.poly(poly)),
            RootNumberDefinition::Below { slack, bound } => {
                text.slack = Some(name(slack));
                text.below = Some(bound.to_string());
            }
        }
        text
    }

    pub(super) fn record(self) -> Record {
        let values = Some(self.values.join(", ")).filter(|values| !values.is_empty());
        vec![
            ("name", Value::Expression(self.name)),
            ("root", self.root.into()),
            ("values", values.map_or(Value::Unknown, |values| Value::Expression(format!("[{values}]")))),
            ("slack", self.slack.into()),
            ("below", self.below.into()),
        ]
    }

    /// Returns its definition for people.
    fn sentence(self) -> String {
        let Self { name, root, values, slack, below } = self;
        match (root, slack, below) {
            (Some(root), ..) if values.iter().enumerate().all(|(place, value)| *value == place.to_string()) => {
                format!("{name} = {root} mod {}", values.len())
            }
            (Some(root), ..) => format!("{name} = [{}]({root} mod {})", values.join(", "), values.len()),
            (_, Some(slack), Some(below)) => format!("{name} = 1 where {slack} < {below}, else 0"),
            (_, slack, _) => format!("{name} = {}", slack.unwrap_or_default()),
        }
    }
}

/// Misses that have no polynomial: the sum of all `count` where `value` exceeds the cache or the window.
#[derive(Serialize)]
pub(super) struct SumText {
    name: String,
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<String>,
    iterators: Vec<String>,
    #[serde(rename = "where")]
    domain: String,
    value: String,
    count: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<RowSumText>,
}

/// A sum over the rows of a class: of `count` for all values of `iterator`, each with a root of its own.
#[derive(Serialize)]
struct RowSumText {
    iterator: String,
    at_least: String,
    at_most: String,
    root: RootText,
    count: String,
}

impl RowSumText {
    fn new(rows: &RowSum, threshold: Var, notation: Notation<'_>) -> Self {
        let [at_least, at_most] = [0, 1].map(|end: usize| notation.poly(&rows.ends[end]));
        Self {
            iterator: notation.poly(&Poly::var(rows.row)),
            at_least,
            at_most,
            root: RootText::new(&rows.root, threshold, notation),
            count: notation.poly(&rows.count),
        }
    }

    /// Returns its definition for people.
    fn sentence(&self) -> String {
        let Self { iterator, at_least, at_most, root, count } = self;
        format!("the sum of {count} over {iterator} from {at_least} to {at_most}, where {}", root.sentence())
    }
}

impl SumText {
    /// Returns the name and the record of a sum over rows.
    pub(super) fn record(self) -> Option<(String, Record)> {
        let RowSumText { iterator, at_least, at_most, root, count } = self.rows?;
        let mut record = vec![
            ("name", Value::Expression(self.name.clone())),
            ("iterator", Value::Expression(iterator)),
            ("first", Value::Expression(at_least)),
            ("last", Value::Expression(at_most)),
            ("count", Value::Expression(count)),
        ];
        let of_root = |(key, value)| (if key == "name" { "root" } else { key }, value);
        record.extend(root.record().into_iter().map(of_root));
        Some((self.name, record))
    }

    /// Returns a sum under its name in a notation; `known` are the names of the sizes, then of the threshold.
    pub(super) fn new(known: &[String], formulas: &MissFormulas, sum: usize, notation: Notation<'_>) -> Self {
        let name = name_of_sum(formulas, sum, notation);
        let Sum { from, to, at_most, class, rows } = &formulas.sums[sum];
        let names = [known, &class.iterators].concat();
        let notation = Notation::new(Style::Plain, &names);
        Self {
            name,
            from: notation.poly(from),
            to: to.as_ref().map(|to| notation.poly(to)),
            at_most: at_most.as_ref().map(|most| notation.poly(most)),
            iterators: class.iterators.clone(),
            domain: notation.conjunction(&class.domain),
            value: notation.poly(&class.value),
            count: notation.poly(&class.count),
            rows: rows.as_ref().map(|rows| RowSumText::new(rows, formulas.threshold, notation)),
        }
    }

    /// Returns its definition for people.
    fn sentence(self, known: &[String]) -> String {
        let Self { name, at_most, iterators, domain, value, count, rows, .. } = self;
        let most = at_most.map_or(String::new(), |most| format!(": at most {most}"));
        if let Some(rows) = rows {
            return format!("{name} is {}{most}", rows.sentence());
        }
        let counted = if count == "1" { "the number of".to_owned() } else { format!("the sum of {count} over") };
        let threshold = known.last().map_or("", String::as_str);
        format!("{name} is {counted} ({}) with {domain} and {value} > {threshold}{most}", iterators.join(", "))
    }
}

/// Returns the variable that stands for a sum in counts: those of sums follow those of numbers.
pub(super) fn of_sum(formulas: &MissFormulas, sum: usize) -> Var {
    Var(formulas.threshold.0 + 1 + (formulas.roots.len() + formulas.numbers.len() + sum) as u32)
}

/// Returns the name of a sum.
pub(super) fn name_of_sum(formulas: &MissFormulas, sum: usize, notation: Notation<'_>) -> String {
    notation.poly(&Poly::var(of_sum(formulas, sum)))
}

/// Returns the variables of all roots, numbers and sums, with the first letter of their names.
fn variables(formulas: &MissFormulas) -> Vec<(Var, &'static str)> {
    let kind = |number: &RootNumber| match number.definition {
        RootNumberDefinition::Periodic { .. } => "a",
        RootNumberDefinition::Slack(_) => "s",
        RootNumberDefinition::Below { .. } => "b",
    };
    let roots = formulas.roots.iter().map(|root| (root.var, "r"));
    let numbers = formulas.numbers.iter().map(|number| (number.var, kind(number)));
    let sums = (0..formulas.sums.len()).map(|sum| (of_sum(formulas, sum), "p"));
    roots.chain(numbers).chain(sums).collect()
}

/// Returns the names of the sizes, the threshold, the roots, as r1, the numbers that these determine, s1 for a slack,
/// a1 for a table, b1 for a bound, and the sums, as p1. Of those that are not shown names are left out, and the only
/// one of its kind has no number.
pub(super) fn names(known: &[String], formulas: &MissFormulas, shown: &BTreeSet<Var>) -> Vec<String> {
    let all = variables(formulas);
    let iterators = formulas.sums.iter().flat_map(|sum| &sum.class.iterators);
    let taken: BTreeSet<&String> = known.iter().chain(iterators).collect();
    let mut names = known.to_vec();
    let mut found = vec![String::new(); all.len()];
    for kind in ["r", "s", "a", "b", "p"] {
        let own = || all.iter().enumerate().filter(|(_, (var, of))| *of == kind && shown.contains(var));
        let count = own().count();
        let numbered = |prefix: &str| -> Vec<String> {
            (1..=count).map(|number| if count == 1 { prefix.to_owned() } else { format!("{prefix}{number}") }).collect()
        };
        let free =
            (1..).map(|times| numbered(&kind.repeat(times))).find(|own| !own.iter().any(|name| taken.contains(name)));
        own().zip(free.unwrap_or_default()).for_each(|((place, _), name)| found[place] = name);
    }
    names.append(&mut found);
    names
}

/// Returns the variables of all roots, numbers and sums.
pub(super) fn all(formulas: &MissFormulas) -> BTreeSet<Var> {
    variables(formulas).into_iter().map(|(var, _)| var).collect()
}

/// Returns true if a count mentions roots, numbers that these determine, or sums.
pub(super) fn has_roots(formulas: &MissFormulas, count: &Poly) -> bool {
    count.last_var().is_some_and(|last| last > formulas.threshold)
}

/// Returns the roots, numbers and sums that polynomials mention, and those that define them.
pub(super) fn mentioned<'p>(formulas: &MissFormulas, polys: impl Iterator<Item = &'p Poly>) -> BTreeSet<Var> {
    let mut shown: BTreeSet<Var> = polys.flat_map(Poly::vars).filter(|var| *var > formulas.threshold).collect();
    // Numbers follow those that define them.
    for number in formulas.numbers.iter().rev() {
        if shown.contains(&number.var) {
            shown.extend(number.mentions().into_iter().filter(|var| *var > formulas.threshold));
        }
    }
    shown
}

/// Returns a sentence for each root, number and sum that is shown.
pub(super) fn sentences(known: &[String], formulas: &MissFormulas, shown: &BTreeSet<Var>) -> Vec<String> {
    let names = names(known, formulas, shown);
    let notation = Notation::new(Style::Text, &names);
    let root = |root: &ThresholdRoot| RootText::new(root, formulas.threshold, notation).sentence();
    let roots = formulas.roots.iter().filter(|root| shown.contains(&root.var)).map(root);
    let numbers = formulas.numbers.iter().filter(|number| shown.contains(&number.var));
    let sums = (0..formulas.sums.len()).filter(|sum| shown.contains(&of_sum(formulas, *sum)));
    let sums = sums.map(|sum| SumText::new(known, formulas, sum, notation).sentence(known));
    roots.chain(numbers.map(|number| NumberText::new(number, notation).sentence())).chain(sums).collect()
}

/// Formats `excess ≥ 0` with the threshold alone on the right, if it stands alone.
fn inequality(excess: &Poly, threshold: Var, notation: Notation<'_>) -> String {
    let (slope, rest) = excess.split_slope(threshold);
    if slope == Rational::default() || rest.vars().contains(&threshold) {
        return format!("{} >= 0", notation.poly(excess));
    }
    let (relation, bound, slope) =
        if slope > Rational::default() { ("<=", -&rest, slope) } else { (">=", rest, -slope) };
    format!("{} {relation} {}", notation.poly(&bound.scale(&slope.recip())), notation.poly(&Poly::var(threshold)))
}
