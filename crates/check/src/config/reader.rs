//! The meaning of the keys of a `symloc.toml`.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use symloc_evaluate::Int;
use symloc_machine::ranges::NumberList;
use symloc_machine::{CacheRange, Levels, Machine};
use symloc_query::options::grid::{self, Grid, ParameterAxis};
use symloc_report::ratio::{MissGrowth, Ratio};
use toml::Spanned;

use super::error::{ConfigError, place};
use super::fit::FitRule;
use super::text::{CheckFileText, KernelText, LimitText, SizesText};
use super::{Baseline, CheckedKernel, KernelQuestion, KernelSource, LevelLimit, Requirements};

/// The options of `derive` that belong to the check itself, with the reason.
const OWN_OPTIONS: [(&str, &str); 7] = [
    ("-o", "the check has a place for models of its own"),
    ("--output", "the check has a place for models of its own"),
    ("--cache-dir", "it is an option of `symloc check`"),
    ("--emit", "a check needs the model"),
    ("--function", "write `function = \"…\"`"),
    ("-p", "a compilation database names files of one folder only; write `flags = […]`"),
    ("--build-path", "a compilation database names files of one folder only; write `flags = […]`"),
];

/// The most threads of a question.
const MOST_THREADS: u64 = 1024;

/// Reads the text of a `symloc.toml` in the folder `root`.
///
/// # Errors
///
/// The first mistake, with its place.
pub fn read(text: &str, root: &Path) -> Result<Vec<CheckedKernel>, ConfigError> {
    let file: CheckFileText = toml::from_str(text).map_err(|error| ConfigError::of_parser(text, &error))?;
    let reader = ConfigReader { text, root };
    reader.check_defaults(&file.defaults)?;
    if file.kernels.is_empty() {
        return Err(reader.error(0..0, "there is no kernel").with_hint("add one, with `[[kernel]]`"));
    }
    let mut names = BTreeSet::new();
    let mut kernels = Vec::new();
    for kernel in file.kernels {
        let span = kernel.span();
        let kernel = reader.kernel(span.clone(), kernel.into_inner().or(&file.defaults))?;
        if !names.insert(kernel.name.clone()) {
            return Err(reader.error(span, format!("two kernels are called `{}`", kernel.name)));
        }
        kernels.push(kernel);
    }
    Ok(kernels)
}

struct ConfigReader<'t> {
    text: &'t str,
    root: &'t Path,
}

impl ConfigReader<'_> {
    fn error(&self, span: Range<usize>, message: impl Into<String>) -> ConfigError {
        ConfigError::at(self.text, Some(span), message)
    }

    /// Parses a text of the file.
    fn parse<T>(&self, text: &Spanned<String>, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, ConfigError> {
        parse(text.get_ref()).map_err(|reason| self.error(text.span(), reason))
    }

    fn check_defaults(&self, defaults: &KernelText) -> Result<(), ConfigError> {
        let own = [("name", &defaults.name), ("file", &defaults.file), ("function", &defaults.function)];
        match own.into_iter().find_map(|(key, value)| Some((key, value.as_ref()?))) {
            None => Ok(()),
            Some((key, value)) => {
                Err(self.error(value.span(), format!("`{key}` belongs to a kernel, it is no default of all")))
            }
        }
    }

    fn kernel(&self, span: Range<usize>, kernel: KernelText) -> Result<CheckedKernel, ConfigError> {
        let missing = |key: &str| self.error(span.clone(), format!("missing key `{key}`"));
        let name = kernel.name.as_ref().ok_or_else(|| missing("name"))?;
        let file = kernel.file.as_ref().ok_or_else(|| missing("file"))?;
        let options = kernel.options.as_ref().map(|options| self.options(options)).transpose()?;
        let question = self.question(&span, &kernel)?;
        let requirements = self.requirements(&kernel, &question.level_names)?;
        let Requirements { max_misses, max_ratio, baseline, fits, .. } = &requirements;
        if max_misses.is_empty() && max_ratio.is_empty() && baseline.is_none() && fits.is_empty() {
            return Err(self
                .error(name.span(), format!("nothing is required of `{}`", name.get_ref()))
                .with_hint("add `not-worse-than`, `max-misses`, `max-ratio` or `fits`"));
        }
        Ok(CheckedKernel {
            place: place(self.text, name.span().start),
            source: KernelSource {
                file: self.parse(file, file_name)?,
                function: kernel.function.map(Spanned::into_inner),
                flags: kernel.flags.unwrap_or_default(),
                options: options.unwrap_or_default(),
            },
            name: self.parse(name, kernel_name)?,
            question,
            requirements,
        })
    }

    fn options(&self, options: &Spanned<Vec<String>>) -> Result<Vec<String>, ConfigError> {
        let is =
            |option: &str, own: &str| option == own || option.strip_prefix(own).is_some_and(|r| r.starts_with('='));
        let own = |option: &String| OWN_OPTIONS.iter().find(|(own, _)| is(option, own));
        match options.get_ref().iter().find_map(own) {
            Some((option, reason)) => {
                Err(self.error(options.span(), format!("`{option}` is no option of a kernel: {reason}")))
            }
            None if options.get_ref().iter().any(|option| option == "--") => {
                Err(self.error(options.span(), "`--` is no option").with_hint("flags of the compiler stand in `flags`"))
            }
            None => Ok(options.get_ref().clone()),
        }
    }

    fn question(&self, span: &Range<usize>, kernel: &KernelText) -> Result<KernelQuestion, ConfigError> {
        let sizes = kernel.sizes.as_ref().map(|sizes| self.sizes(sizes)).transpose()?;
        let caches = kernel.caches.as_deref().unwrap_or_default();
        let ranges = caches.iter().map(|cache| self.parse(cache, one_cache)).collect::<Result<Vec<_>, _>>()?;
        let machine = kernel.machine.as_ref().map(|machine| self.machine(machine)).transpose()?.unwrap_or_default();
        if machine.is_empty() && ranges.is_empty() {
            let none = self.error(span.clone(), "no cache is given");
            return Err(none.with_hint("add `caches = [\"32KiB\", \"1MiB\"]`, or `machine = \"this\"`"));
        }
        let named = machine.iter().map(|level| level.name.clone());
        let level_names = named.chain(caches.iter().map(|cache| cache.get_ref().clone())).collect();
        let levels = Levels::new(machine, &ranges);
        levels.line(None).map_err(|error| self.error(span.clone(), error.to_string()))?;
        let threads = kernel.threads.as_ref().map_or(Ok(Vec::new()), |threads| {
            let counts = threads.get_ref().all();
            match counts.iter().all(|count| (1..=MOST_THREADS).contains(count)) && !counts.is_empty() {
                true => Ok(counts),
                false => Err(self.error(threads.span(), format!("numbers of threads are from 1 to {MOST_THREADS}"))),
            }
        })?;
        Ok(KernelQuestion { sizes: sizes.unwrap_or_else(|| vec![Grid::default()]), levels, level_names, threads })
    }

    fn machine(&self, machine: &Spanned<String>) -> Result<Vec<symloc_machine::MachineLevel>, ConfigError> {
        let described = match self.parse(machine, str::parse::<Machine>)? {
            Machine::This => Machine::This,
            Machine::File(path) => Machine::File(self.root.join(path)),
        };
        described.levels().map_err(|error| self.error(machine.span(), error.to_string()))
    }

    fn sizes(&self, sizes: &Spanned<SizesText>) -> Result<Vec<Grid>, ConfigError> {
        let tables = match sizes.get_ref() {
            SizesText::One(table) => std::slice::from_ref(table),
            SizesText::More(tables) => tables,
        };
        let mut grids = Vec::new();
        for table in tables {
            let axes = table.iter().map(|(names, values)| axis(names, &values.as_definition()));
            let axes = axes.collect::<Result<Vec<_>, _>>().map_err(|reason| self.error(sizes.span(), reason))?;
            grids.push(Grid::new(axes));
        }
        let points = grids.iter().fold(0, |sum: u128, grid| sum.saturating_add(grid.count()));
        grid::limited(points, MOST_POINTS).map_err(|error| self.error(sizes.span(), error.to_string()))?;
        Ok(grids)
    }

    fn requirements(&self, kernel: &KernelText, levels: &[String]) -> Result<Requirements, ConfigError> {
        let misses = |misses: &u64| Ok(Int::from(*misses));
        let ratio = |ratio: &String| ratio.parse::<Ratio>();
        let tolerance = kernel.tolerance.as_ref().map(|tolerance| self.parse(tolerance, str::parse::<MissGrowth>));
        let zero = || "0".parse::<MissGrowth>().map_err(|reason| self.error(0..0, reason));
        Ok(Requirements {
            max_misses: self.limits(kernel.max_misses.as_ref(), levels, misses)?,
            max_ratio: self.limits(kernel.max_ratio.as_ref(), levels, ratio)?,
            baseline: kernel.not_worse_than.as_ref().map(|name| self.parse(name, baseline)).transpose()?,
            tolerance: tolerance.unwrap_or_else(zero)?,
            fits: self.fits(kernel, levels)?,
        })
    }

    fn limits<W, T>(
        &self,
        limits: Option<&Spanned<LimitText<W>>>,
        levels: &[String],
        read: impl Fn(&W) -> Result<T, String>,
    ) -> Result<Vec<LevelLimit<T>>, ConfigError> {
        let Some(limits) = limits else { return Ok(Vec::new()) };
        let error = |reason: String| self.error(limits.span(), reason);
        let limit = |level: Option<usize>, limit: &W| Ok(LevelLimit { level, limit: read(limit).map_err(error)? });
        match limits.get_ref() {
            LimitText::Every(every) => Ok(vec![limit(None, every)?]),
            LimitText::ByLevel(limits) => {
                let of_level = |(name, value): (&String, &W)| limit(Some(level(name, levels).map_err(error)?), value);
                limits.iter().map(of_level).collect()
            }
        }
    }

    fn fits(&self, kernel: &KernelText, levels: &[String]) -> Result<Vec<FitRule>, ConfigError> {
        let Some(fits) = &kernel.fits else { return Ok(Vec::new()) };
        let rule = |text: &String| {
            let rule: FitRule = text.parse()?;
            level(&rule.level, levels).map(|_| rule)
        };
        fits.get_ref().all().iter().map(|text| rule(text).map_err(|reason| self.error(fits.span(), reason))).collect()
    }
}

/// The most sizes of a kernel.
const MOST_POINTS: u64 = 10_000;

/// Reads a cache, of which there is one for each level.
fn one_cache(text: &str) -> Result<CacheRange, String> {
    let cache: CacheRange = text.parse()?;
    match cache.is_range() {
        true => Err(format!("`{text}` are several caches; write one for each level")),
        false => Ok(cache),
    }
}

fn axis(names: &str, values: &str) -> Result<ParameterAxis, String> {
    let parsed = NumberList::parse(values, |size| {
        let size = size.trim().parse::<i64>().map_err(|_| format!("`{size}` is not a whole number of 64 bits"))?;
        Ok(i128::from(size))
    });
    let values = parsed.map_err(|reason| format!("{names}: {reason}"))?;
    Ok(ParameterAxis { names: names.split('=').map(|name| name.trim().to_owned()).collect(), values })
}

/// Returns the index of a level.
fn level(name: &str, levels: &[String]) -> Result<usize, String> {
    let is_named = |level: &String| level.replace(' ', "") == name.replace(' ', "");
    levels
        .iter()
        .position(is_named)
        .ok_or_else(|| format!("there is no level `{name}`; the levels are {}", levels.join("; ")))
}

/// Reads the name of a kernel, which is also part of the names of files.
fn kernel_name(text: &str) -> Result<String, String> {
    let is_allowed = |c: char| c.is_alphanumeric() || "._-".contains(c);
    match text.chars().all(is_allowed) && text.starts_with(char::is_alphanumeric) {
        true => Ok(text.to_owned()),
        false => Err(format!("`{text}` is no name: letters, digits, `.`, `_` and `-`, the first a letter or digit")),
    }
}

/// Reads the name of a file in the repository.
fn file_name(text: &str) -> Result<String, String> {
    match Path::new(text).is_absolute() || text.split('/').any(|part| part == "..") {
        true => Err(format!("`{text}` is not below the folder of the symloc.toml, so no revision has it")),
        false => Ok(text.trim_start_matches("./").to_owned()),
    }
}

fn baseline(text: &str) -> Result<Baseline, String> {
    match text {
        "" => Err("name a revision, \"committed\", or a model".to_owned()),
        "committed" => Ok(Baseline::Committed),
        _ if text.ends_with(".json") => Ok(Baseline::File(text.to_owned())),
        // Git would take it for an option.
        _ if text.starts_with('-') => Err(format!("`{text}` is no revision")),
        _ => Ok(Baseline::Revision(text.to_owned())),
    }
}
