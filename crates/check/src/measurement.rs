//! The misses of a kernel at its sizes, as they are kept in the store.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use symloc_evaluate::Int;
use symloc_model::{Model, NamedSizes};
use symloc_query::CliError;
use symloc_query::answers::measured::{MeasuredLevel, MeasuredSize, fits, measure};
use symloc_report::Counted;
use symloc_report::subject::{file, kind};

use crate::config::{FitRule, KernelQuestion};
use crate::derive::StoredModel;
use crate::store::CheckStore;

/// A number that is kept as text, because it may have more than 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptInt(pub(crate) Int);

impl Serialize for KeptInt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'d> Deserialize<'d> for KeptInt {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse::<BigInt>().map(|value| Self(value.into())).map_err(serde::de::Error::custom)
    }
}

/// A size at which a program does not fit a cache.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct UnfitSize {
    pub(crate) parameters: Vec<(String, i64)>,
    /// The misses that are no first touches.
    pub(crate) misses: KeptInt,
}

/// The misses of a kernel at all of its sizes, and its accesses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KernelMisses {
    pub(crate) sizes: Vec<SizeMisses>,
    pub(crate) accesses: Vec<KernelAccess>,
}

/// The misses at one size, on so many threads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SizeMisses {
    pub(crate) parameters: Vec<(String, i64)>,
    pub(crate) threads: Option<u64>,
    pub(crate) accesses: KeptInt,
    pub(crate) levels: Vec<KeptMisses>,
    /// By access and level; empty if they are not known.
    pub(crate) by_access: Vec<Vec<KeptInt>>,
}

/// The misses in a level.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptMisses {
    /// The number of lines.
    pub(crate) lines: u64,
    /// True if the cache is fully associative.
    pub(crate) is_full: bool,
    misses: KeptInt,
    interval: Option<(KeptInt, KeptInt)>,
}

/// An access in the text of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KernelAccess {
    pub(crate) array: String,
    pub(crate) subscripts: String,
    /// `read` or `write`.
    pub(crate) kind: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl fmt::Display for KernelAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.array, self.subscripts)
    }
}

impl KeptMisses {
    pub(crate) fn counted(&self) -> Counted {
        let ends = self.interval.as_ref().map(|(low, high)| (low.0.clone(), high.0.clone()));
        Counted::new(self.misses.0.clone(), ends)
    }

    fn new(level: MeasuredLevel) -> Self {
        let Counted { value, interval, .. } = level.misses;
        let interval = interval.map(|(low, high)| (KeptInt(low), KeptInt(high)));
        Self { lines: level.lines, is_full: level.ways.is_none(), misses: KeptInt(value), interval }
    }
}

impl SizeMisses {
    fn new(size: MeasuredSize) -> Self {
        // Sizes were 64 bits when they were given.
        let size_of = |(name, size): (String, i128)| Some((name, i64::try_from(size).ok()?));
        Self {
            parameters: size.parameters.into_iter().filter_map(size_of).collect(),
            threads: size.threads,
            accesses: KeptInt(size.accesses),
            levels: size.levels.into_iter().map(KeptMisses::new).collect(),
            by_access: size.by_access.into_iter().map(|misses| misses.into_iter().map(KeptInt).collect()).collect(),
        }
    }

    /// Returns the sizes by name.
    pub(crate) fn named(&self) -> NamedSizes {
        self.parameters.iter().cloned().collect()
    }
}

/// Answers questions about models in a store.
#[derive(Debug)]
pub(crate) struct Measurer<'s> {
    pub(crate) store: &'s CheckStore,
    /// Everything besides models and questions that answers depend on: this program.
    pub(crate) program: &'s str,
}

impl Measurer<'_> {
    /// Reads a model of the store.
    pub(crate) fn load(&self, model: &StoredModel) -> Result<Arc<Model>, CliError> {
        let again = || CliError::with_hint("a model of the store is missing", "delete the folder of --cache-dir");
        let text = self.store.find_text("models", &model.key).ok_or_else(again)?;
        Model::parse(&text).map(Arc::new).map_err(|error| CliError::refused(format!("a model of the store: {error}")))
    }

    /// Returns the misses of a model.
    pub(crate) fn misses(&self, model: &StoredModel, question: &KernelQuestion) -> Result<KernelMisses, CliError> {
        self.store.remembered("misses", &format!("{} {} {question:?}", self.program, model.key), || {
            let model = self.load(model)?;
            let mut sizes = Vec::new();
            for grid in &question.sizes {
                let found = measure(&model, grid, &question.levels, &question.threads).map_err(as_in_file)?;
                sizes.extend(found.into_iter().map(SizeMisses::new));
            }
            Ok(KernelMisses { sizes, accesses: accesses(&model)? })
        })
    }

    /// Returns the first size at which a rule does not hold.
    pub(crate) fn fits(
        &self,
        model: &StoredModel,
        question: &KernelQuestion,
        rule: &FitRule,
    ) -> Result<Option<UnfitSize>, CliError> {
        let origin = format!("{} {} {:?} {rule:?}", self.program, model.key, question.levels);
        self.store.remembered("fits", &origin, || {
            let model = self.load(model)?;
            let level =
                question.level_names.iter().position(|name| name.replace(' ', "") == rule.level.replace(' ', ""));
            let cache = question.levels.caches().nth(level.unwrap_or_default()).cloned();
            let mut cache = cache.ok_or_else(|| CliError::refused("no cache is given"))?;
            cache.cache.ways = None;
            let found =
                fits::first_that_does_not_fit(&model, &question.levels, &cache, rule.sizes()).map_err(as_in_file)?;
            let names = rule.names.iter().chain(rule.fixed.iter().map(|(name, _)| name));
            Ok(found.map(|(sizes, misses)| {
                let parameters = names.filter_map(|name| Some((name.clone(), sizes.get(name)?))).collect();
                UnfitSize { parameters, misses: KeptInt(misses) }
            }))
        })
    }
}

/// Returns an error about sizes with a hint for those who write files in place of options.
fn as_in_file(error: CliError) -> CliError {
    match error {
        CliError::Refused { message, hint: Some(hint) } if hint.contains("-D ") => {
            CliError::with_hint(message, "add its value to `sizes`, as in `sizes = { n = 1000 }`")
        }
        CliError::Refused { message, hint: Some(hint) } if hint.contains("--parallel") => {
            CliError::with_hint(message, "name a loop with `options = [\"--parallel=marked\"]`, or leave `threads` out")
        }
        error => error,
    }
}

fn accesses(model: &Model) -> Result<Vec<KernelAccess>, CliError> {
    let outline = model.outline()?;
    let access = |access: &symloc_model::Access| KernelAccess {
        array: outline.arrays.get(access.array).map_or_else(String::new, |array| array.name.clone()),
        subscripts: access.subscripts.clone(),
        kind: kind(access).to_owned(),
        file: file(model, access).to_owned(),
        line: access.line,
        column: access.column,
    };
    Ok(outline.accesses.iter().map(access).collect())
}
