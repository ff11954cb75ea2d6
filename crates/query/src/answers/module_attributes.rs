//! `annotate --mlir`: misses and first touches of loops and accesses as attributes of MLIR, as formulas and as numbers at a size.
//!
//! Values are in MLIR's notation, as it reads them.

use std::sync::Arc;

use symloc_evaluate::Int;
use symloc_locality::Share;
use symloc_model::{IntervalKind, Model};
use symloc_quasi::{Constraint, Notation, Poly, Quotient, Style};
use symloc_report::formats::text;

use super::formulas::tables::TableShares;

/// The facts about the accesses of a model.
pub struct ModuleFacts {
    pub(crate) model: Arc<Model>,
    /// Their reuse intervals as formulas; `None` if there are no formulas.
    pub(crate) formulas: Option<TableShares>,
    /// Their numbers at a size, if sizes and caches are given.
    pub(crate) numbers: Option<AccessNumbers>,
}

/// The numbers of each access at one size.
pub(crate) struct AccessNumbers {
    pub(crate) sizes: Vec<(String, i128)>,
    /// By cache, its lines.
    pub(crate) caches: Vec<u64>,
    pub(crate) by_access: Vec<NumbersOfAccess>,
}

/// The numbers of one access.
pub(crate) struct NumbersOfAccess {
    pub(crate) executions: Int,
    pub(crate) first_touches: Int,
    /// By cache.
    pub(crate) misses: Vec<Int>,
}

/// Misses of accesses in caches that are smaller than a bound.
struct MissClass<'f> {
    count: Option<Poly>,
    /// The bound in lines; `None` for first touches, which miss in every cache, and where it is not known.
    below: Option<&'f Quotient>,
    is_first_touch: bool,
    iterators: &'f [String],
    domain: &'f [Constraint],
}

/// An attribute: its name, and its value as MLIR writes it.
type AttributeText = (String, String);

impl ModuleFacts {
    /// Returns the model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the attributes of the function: where formulas hold, and the sizes and caches of numbers.
    pub fn of_function(&self) -> Vec<AttributeText> {
        let mut found = Vec::new();
        if let Some(table) = self.formulas.as_ref().and_then(|formulas| formulas.tables.tables.first()) {
            let names = self.model.names();
            let conditions = Notation::new(Style::Plain, &names).conjunction(&table.conditions);
            let sizes = text::sizes_of(&self.model, &table.distinction, Style::Plain);
            let sizes = sizes.map(|sizes| sizes.trim_start_matches("for ").to_owned());
            let parts: Vec<String> = sizes.into_iter().chain([conditions]).filter(|part| !part.is_empty()).collect();
            found.push(("symloc.where".to_owned(), quoted(&parts.join(" and "))));
        }
        if let Some(numbers) = &self.numbers {
            let sizes = numbers.sizes.iter().map(|(name, size)| format!("{} = {size} : i64", quoted(name)));
            found.push(("symloc.sizes".to_owned(), format!("{{{}}}", sizes.collect::<Vec<_>>().join(", "))));
            let caches: Vec<String> = numbers.caches.iter().map(u64::to_string).collect();
            found.push(("symloc.cache_lines".to_owned(), format!("[{}]", caches.join(", "))));
        }
        found
    }

    /// Returns the attributes of a loop or an operation with these accesses.
    pub fn of_accesses(&self, accesses: &[usize]) -> Vec<AttributeText> {
        let mut found = Vec::new();
        if let Some(formulas) = &self.formulas {
            found.extend(self.formulas_of(formulas, accesses));
        }
        if let Some(numbers) = &self.numbers {
            found.extend(numbers.of_accesses(accesses));
        }
        found
    }

    /// Returns the misses and the first touches as formulas.
    fn formulas_of(&self, formulas: &TableShares, accesses: &[usize]) -> Vec<AttributeText> {
        let shares = formulas.shares.first().map_or(&[][..], Vec::as_slice);
        let classes = classes(shares.iter().filter(|share| accesses.contains(&share.group)));
        let names = self.model.names();
        let (first, others): (Vec<_>, Vec<_>) = classes.into_iter().partition(|class| class.is_first_touch);
        let touches = first.iter().try_fold(Poly::zero(), |sum, class| Some(&sum + class.count.as_ref()?));
        let known = first.iter().filter(|class| class.count.is_some());
        let texts: Vec<String> = others.iter().chain(known).map(|class| class.text(&self.model.parameters)).collect();
        let touches = touches.map(|count| Notation::new(Style::Plain, &names).poly(&count));
        let touches = touches.map(|count| ("symloc.first_touches".to_owned(), quoted(&count)));
        let misses = ("symloc.misses".to_owned(), format!("[{}]", texts.join(", ")));
        touches.into_iter().chain([misses]).collect()
    }
}

impl AccessNumbers {
    fn of_accesses(&self, accesses: &[usize]) -> Vec<AttributeText> {
        let mine = || accesses.iter().filter_map(|access| self.by_access.get(*access));
        let sum = |of: &dyn Fn(&NumbersOfAccess) -> Int| mine().map(of).fold(Int::ZERO, |sum, value| &sum + &value);
        let level = |level: usize| number(&sum(&|one| one.misses.get(level).cloned().unwrap_or(Int::ZERO)));
        let misses: Vec<String> = (0..self.caches.len()).map(level).collect();
        vec![
            ("symloc.accesses_at".to_owned(), number(&sum(&|one| one.executions.clone()))),
            ("symloc.first_touches_at".to_owned(), number(&sum(&|one| one.first_touches.clone()))),
            ("symloc.misses_at".to_owned(), format!("[{}]", misses.join(", "))),
        ]
    }
}

impl MissClass<'_> {
    /// Returns the class as a dictionary of MLIR.
    fn text(&self, parameters: &[String]) -> String {
        let names = [parameters, self.iterators].concat();
        let notation = Notation::new(Style::Plain, &names);
        let mut entries = Vec::new();
        let mut entry = |key: &str, value: Option<String>| {
            entries.extend(value.map(|value| format!("{key} = {}", quoted(&value))));
        };
        let key = if self.is_first_touch { "first_touches" } else { "count" };
        entry(key, self.count.as_ref().map(|count| notation.poly(count)));
        entry("below", self.below.map(|below| notation.quotient(below)));
        entry("where", (!self.domain.is_empty()).then(|| notation.conjunction(self.domain)));
        format!("{{{}}}", entries.join(", "))
    }
}

/// Adds up shares that differ in nothing but their access.
fn classes<'f>(shares: impl Iterator<Item = &'f Share>) -> Vec<MissClass<'f>> {
    let mut found: Vec<MissClass<'f>> = Vec::new();
    for share in shares {
        let is_first_touch = share.kind == IntervalKind::Imaginary;
        let below = share.cache.as_ref();
        let is_same = |class: &&mut MissClass<'_>| {
            let is_known = is_first_touch || below.is_some();
            is_known && class.is_first_touch == is_first_touch && class.below == below && class.domain == share.domain
        };
        match found.iter_mut().find(is_same) {
            Some(class) => class.count = class.count.take().zip(share.count.as_ref()).map(|(sum, more)| &sum + more),
            None => found.push(MissClass {
                count: share.count.clone(),
                below,
                is_first_touch,
                iterators: &share.iterators,
                domain: &share.domain,
            }),
        }
    }
    found
}

/// Returns a text as MLIR writes it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a number as MLIR reads it: one that leaves 64 bits is a text.
fn number(value: &Int) -> String {
    match value.to_i128().and_then(|value| i64::try_from(value).ok()) {
        Some(value) => value.to_string(),
        None => quoted(&value.to_string()),
    }
}
