//! Our own description of a machine, in TOML: one `[[cache]]` for each level, from the core outwards.
//!
//! ```toml
//! peak = "76.8 GFlop/s"     # optional: of one core, double precision
//!
//! [[cache]]
//! name = "L1"               # L1, L2, … by their order if not given
//! size = "48KiB"            # as for --cache, in bytes
//! ways = 12                 # optional; fully associative without it
//! line = 64                 # optional; bytes
//! policy = "plru"           # optional; words as for --cache: "plru,no-allocate"
//! bandwidth = "150 GB/s"    # optional: reading, one core
//! all_cores = "400 GB/s"    # optional: reading, all cores that share it together
//!
//! [memory]
//! bandwidth = "12.5 GB/s"   # optional: reading, one core
//! all_cores = "60 GB/s"     # optional: reading, all cores together
//! ```

use serde::Deserialize;

use super::{Description, DescriptionProblem, MachineLevel};
use crate::cache::Capacity;
use crate::rates;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedMachine {
    peak: Option<toml::Spanned<String>>,
    #[serde(default, rename = "cache")]
    caches: Vec<DescribedCache>,
    memory: Option<DescribedMemory>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedCache {
    name: Option<String>,
    size: toml::Spanned<String>,
    ways: Option<u64>,
    line: Option<u64>,
    policy: Option<toml::Spanned<String>>,
    bandwidth: Option<toml::Spanned<String>>,
    all_cores: Option<toml::Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedMemory {
    bandwidth: toml::Spanned<String>,
    all_cores: Option<toml::Spanned<String>>,
}

pub(super) fn read(text: &str) -> Result<Description, DescriptionProblem> {
    let machine: DescribedMachine = toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        problem(text, offset, error.message().to_owned())
    })?;
    let levels = (1..).zip(machine.caches).map(|(number, cache)| level(text, number, cache));
    let (memory, of_all) = machine.memory.map(|memory| (memory.bandwidth, memory.all_cores)).unzip();
    let (memory, memory_of_all) = bandwidths(text, memory, of_all.flatten())?;
    Ok(Description {
        levels: levels.collect::<Result<_, _>>()?,
        peak: value(text, machine.peak, rates::operations)?,
        memory,
        memory_of_all,
    })
}

fn level(text: &str, number: u32, cache: DescribedCache) -> Result<MachineLevel, DescriptionProblem> {
    let size = |size: &str| match size.parse()? {
        Capacity::Bytes(bytes) => Ok(bytes),
        Capacity::Lines(_) => Err("a machine's cache has a size in bytes".to_owned()),
    };
    let (bandwidth, all_cores) = bandwidths(text, cache.bandwidth, cache.all_cores)?;
    Ok(MachineLevel {
        name: cache.name.unwrap_or_else(|| format!("L{number}")),
        bytes: value(text, Some(cache.size), size)?.unwrap_or_default(),
        ways: cache.ways,
        line_bytes: cache.line,
        build: value(text, cache.policy, str::parse)?.unwrap_or_default(),
        bandwidth,
        all_cores,
    })
}

/// Parses the bandwidths of one core and of all cores together.
fn bandwidths(
    text: &str,
    one: Option<toml::Spanned<String>>,
    all: Option<toml::Spanned<String>>,
) -> Result<(Option<u64>, Option<u64>), DescriptionProblem> {
    let one = value(text, one, rates::bytes)?;
    let at_least = |rate: &str| match (rates::bytes(rate)?, one) {
        (all, Some(one)) if all < one => Err("one core reads more than all cores together would".to_owned()),
        (all, _) => Ok(all),
    };
    Ok((one, value(text, all, at_least)?))
}

/// Parses a string of the description, if it is there.
fn value<T>(
    text: &str,
    string: Option<toml::Spanned<String>>,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, DescriptionProblem> {
    let parsed =
        string.map(|string| parse(string.get_ref()).map_err(|reason| problem(text, string.span().start, reason)));
    parsed.transpose()
}

/// Returns a problem at an offset into the text.
fn problem(text: &str, offset: usize, message: String) -> DescriptionProblem {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    DescriptionProblem::at(line as u64, column as u64, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_in_the_order_of_the_file() {
        let levels =
            read("[[cache]]\nsize = \"48KiB\"\nways = 12\nline = 64\n[[cache]]\nname = \"LLC\"\nsize = \"2MiB\"\n");
        let l1 = MachineLevel {
            name: "L1".to_owned(),
            bytes: 49152,
            ways: Some(12),
            line_bytes: Some(64),
            ..MachineLevel::default()
        };
        let llc = MachineLevel { name: "LLC".to_owned(), bytes: 2 << 20, ..MachineLevel::default() };
        assert_eq!(levels.unwrap(), vec![l1, llc].into());
        assert_eq!(read("").unwrap(), Description::default());
    }

    #[test]
    fn policies_and_speeds() {
        let machine = read(
            "peak = \"76.8 GFlop/s\"\n[[cache]]\nsize = \"48KiB\"\npolicy = \"plru, no-allocate\"\n\
             bandwidth = \"150 GB/s\"\n[memory]\nbandwidth = \"12.5GB/s\"\nall_cores = \"60 GB/s\"\n",
        );
        let Description { levels, peak, memory, memory_of_all } = machine.unwrap();
        assert_eq!((peak, memory), (Some(76_800_000_000), Some(12_500_000_000)));
        assert_eq!((levels[0].all_cores, memory_of_all), (None, Some(60_000_000_000)));
        assert_eq!(levels[0].bandwidth, Some(150_000_000_000));
        assert_eq!(levels[0].build, "plru,no-allocate".parse().unwrap());
    }

    #[test]
    fn problems_have_places() {
        for (text, place, reason) in [
            ("[[cache]]\nsize = \"48KB\"\n", (2, 8), "1024 or 1000"),
            ("[[cache]]\nsize = \"48lines\"\n", (2, 8), "in bytes"),
            ("[[cache]]\nsize = \"48KiB\"\nassociativity = 12\n", (3, 1), "unknown field `associativity`"),
            ("[[cache]]\nways = 12\n", (1, 1), "missing field `size`"),
            ("[[cache]]\nsize = \"48KiB\"\nways = \"12\"\n", (3, 8), "invalid type"),
            ("[[cache]]\nsize = 48KiB\n", (2, 8), ""),
            ("[[cache]]\nsize = \"48KiB\"\npolicy = \"mru\"\n", (3, 10), "what is `mru`?"),
            ("peak = \"fast\"\n", (1, 8), "GFlop/s"),
            ("[memory]\nbandwidth = \"12 GB\"\n", (2, 13), "GB/s"),
            ("[memory]\nbandwidth = \"12 GB/s\"\nall_cores = \"9 GB/s\"\n", (3, 13), "one core reads more"),
            ("[[cache\n", (1, 8), ""),
        ] {
            let problem = read(text).unwrap_err();
            assert_eq!(problem.place, Some(place), "{text}: {}", problem.message);
            assert!(problem.message.contains(reason), "{text}: {}", problem.message);
        }
    }
}
