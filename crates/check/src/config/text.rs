//! The keys of a `symloc.toml`, as they are written.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckFileText {
    /// Values for all kernels that have none of their own.
    #[serde(default)]
    pub(super) defaults: KernelText,
    #[serde(default, rename = "kernel")]
    pub(super) kernels: Vec<Spanned<KernelText>>,
}

/// A kernel as it is written, or the defaults of all.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct KernelText {
    pub(super) name: Option<Spanned<String>>,
    pub(super) file: Option<Spanned<String>>,
    pub(super) function: Option<Spanned<String>>,
    pub(super) flags: Option<Vec<String>>,
    pub(super) options: Option<Spanned<Vec<String>>>,
    pub(super) sizes: Option<Spanned<SizesText>>,
    pub(super) caches: Option<Vec<Spanned<String>>>,
    pub(super) machine: Option<Spanned<String>>,
    pub(super) threads: Option<Spanned<OneOrMore<u64>>>,
    pub(super) max_misses: Option<Spanned<LimitText<u64>>>,
    pub(super) max_ratio: Option<Spanned<LimitText<String>>>,
    pub(super) not_worse_than: Option<Spanned<String>>,
    pub(super) tolerance: Option<Spanned<String>>,
    pub(super) fits: Option<Spanned<OneOrMore<String>>>,
}

/// `8`, or `[1, 8]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a value or a list of values")]
pub(super) enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T: Clone> OneOrMore<T> {
    pub(super) fn all(&self) -> Vec<T> {
        match self {
            Self::One(value) => vec![value.clone()],
            Self::More(values) => values.clone(),
        }
    }
}

/// A limit of every level, or of single ones by their names.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a limit, or a table of limits by level")]
pub(super) enum LimitText<T> {
    Every(T),
    ByLevel(BTreeMap<String, T>),
}

/// `{ n = [500, 2000], m = "64..512:*2" }`, or a list of those.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a table such as { n = 500, m = [64, 128] }, or a list of such tables")]
pub(super) enum SizesText {
    One(BTreeMap<String, SizeText>),
    More(Vec<BTreeMap<String, SizeText>>),
}

/// The values of a size.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a size, a list of sizes, or a text such as \"64..512:*2\"")]
pub(super) enum SizeText {
    One(i64),
    More(Vec<i64>),
    Range(String),
}

impl SizeText {
    /// Returns the values as the command line has them.
    pub(super) fn as_definition(&self) -> String {
        match self {
            Self::One(size) => size.to_string(),
            Self::More(sizes) => sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
            Self::Range(text) => text.clone(),
        }
    }
}

impl KernelText {
    /// Returns the kernel with the values of the defaults where it has none of its own.
    pub(super) fn or(self, defaults: &Self) -> Self {
        let Self { name, file, function, flags, options, sizes, caches, machine, threads, .. } = self;
        // A machine or caches of a kernel stand in for both of the defaults: they are one hierarchy.
        let has_levels = caches.is_some() || machine.is_some();
        let (caches_of_all, machine_of_all) =
            if has_levels { (None, None) } else { (defaults.caches.clone(), defaults.machine.clone()) };
        Self {
            name,
            file,
            function,
            flags: flags.or_else(|| defaults.flags.clone()),
            options: options.or_else(|| defaults.options.clone()),
            sizes: sizes.or_else(|| defaults.sizes.clone()),
            caches: caches.or(caches_of_all),
            machine: machine.or(machine_of_all),
            threads: threads.or_else(|| defaults.threads.clone()),
            max_misses: self.max_misses.or_else(|| defaults.max_misses.clone()),
            max_ratio: self.max_ratio.or_else(|| defaults.max_ratio.clone()),
            not_worse_than: self.not_worse_than.or_else(|| defaults.not_worse_than.clone()),
            tolerance: self.tolerance.or_else(|| defaults.tolerance.clone()),
            fits: self.fits.or_else(|| defaults.fits.clone()),
        }
    }
}
