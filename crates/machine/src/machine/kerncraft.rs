//! Reads kerncraft's machine files, YAML: the list `memory hierarchy`, whose levels name a cache by its sets, ways and line, and the
//! entries on the speed of one core.
//!
//! The last level, memory, has no cache. The peak is the product of the clock and the operations per cycle; bandwidths are those that
//! were measured reading, with one thread of a core: on one core, and the largest on several.

use std::collections::BTreeMap;

use serde::Deserialize;
use symloc_cache::{Replacement, Writes};

use super::{Description, DescriptionProblem, MachineLevel};
use crate::cache::Build;
use crate::rates;

#[derive(Deserialize)]
struct MachineFile {
    #[serde(rename = "memory hierarchy")]
    hierarchy: Vec<MemoryLevel>,
    clock: Option<String>,
    #[serde(rename = "FLOPs per cycle", default)]
    operations: BTreeMap<String, BTreeMap<String, u64>>,
    #[serde(default)]
    benchmarks: Benchmarks,
}

#[derive(Default, Deserialize)]
struct Benchmarks {
    /// By level and threads of a core.
    #[serde(default)]
    measurements: BTreeMap<String, BTreeMap<u64, KerncraftResults>>,
}

#[derive(Deserialize)]
struct KerncraftResults {
    /// By kernel, for one core and more.
    #[serde(default)]
    results: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct MemoryLevel {
    level: String,
    #[serde(rename = "cache per group", default)]
    cache: Option<GroupCache>,
}

#[derive(Deserialize)]
struct GroupCache {
    sets: u64,
    ways: u64,
    cl_size: u64,
    replacement_policy: Option<String>,
    write_allocate: Option<bool>,
    write_back: Option<bool>,
}

/// The name of memory.
const MEMORY: &str = "MEM";

pub(super) fn read(text: &str) -> Result<Description, DescriptionProblem> {
    let file: MachineFile = serde_saphyr::from_str(text).map_err(|error| {
        let place = error.location().map(|location| (location.line(), location.column()));
        DescriptionProblem { place, message: message(&error) }
    })?;
    let caches = file.hierarchy.iter().filter_map(|MemoryLevel { level, cache }| Some((level, cache.as_ref()?)));
    let level = |(name, cache): (&String, &GroupCache)| {
        Ok(MachineLevel {
            bandwidth: file.bandwidth(name)?,
            all_cores: file.all_cores(name)?,
            ..cache.level(name.clone())?
        })
    };
    Ok(Description {
        levels: caches.map(level).collect::<Result<_, DescriptionProblem>>()?,
        peak: file.peak()?,
        memory: file.bandwidth(MEMORY)?,
        memory_of_all: file.all_cores(MEMORY)?,
    })
}

impl MachineFile {
    /// Returns the peak in double precision.
    fn peak(&self) -> Result<Option<u64>, DescriptionProblem> {
        let per_cycle = self.operations.get("DP").and_then(|operations| operations.get("total"));
        let (Some(clock), Some(per_cycle)) = (&self.clock, per_cycle) else { return Ok(None) };
        Ok(rates::cycles(clock).map_err(DescriptionProblem::new)?.checked_mul(*per_cycle))
    }

    /// Returns the rate of reading from a level on one core.
    fn bandwidth(&self, level: &str) -> Result<Option<u64>, DescriptionProblem> {
        Ok(self.rates(level)?.first().copied())
    }

    /// Returns the largest rate of reading from a level on several cores; `None` if it was measured on one only.
    fn all_cores(&self, level: &str) -> Result<Option<u64>, DescriptionProblem> {
        let rates = self.rates(level)?;
        Ok(if rates.len() > 1 { rates.into_iter().max() } else { None })
    }

    /// Returns the rates of reading from a level on one core, on two, and so on.
    fn rates(&self, level: &str) -> Result<Vec<u64>, DescriptionProblem> {
        let measurement = self.benchmarks.measurements.get(level).and_then(|by_threads| by_threads.get(&1));
        let load = measurement.and_then(|measurement| measurement.results.get("load"));
        load.into_iter().flatten().map(|text| rates::bytes(text).map_err(DescriptionProblem::new)).collect()
    }
}

/// Returns the first line of a message, without the place, which is stated separately.
fn message(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let first = text.lines().next().unwrap_or_default();
    first.rsplit_once(" at line ").map_or(first, |(before, _)| before).trim_end_matches([',', ':']).to_owned()
}

impl GroupCache {
    fn level(&self, name: String) -> Result<MachineLevel, DescriptionProblem> {
        let bytes = self.sets.checked_mul(self.ways).and_then(|lines| lines.checked_mul(self.cl_size));
        let bytes = bytes.ok_or_else(|| DescriptionProblem::new(format!("the cache {name} is too large")))?;
        let build = self.build(&name)?;
        let (ways, line_bytes) = (Some(self.ways), Some(self.cl_size));
        Ok(MachineLevel { name, bytes, ways, line_bytes, build, ..MachineLevel::default() })
    }

    fn build(&self, name: &str) -> Result<Build, DescriptionProblem> {
        let replacement = match self.replacement_policy.as_deref() {
            None | Some("LRU") => Replacement::Lru,
            Some("FIFO") => Replacement::Fifo,
            Some("RR") => Replacement::Random(0),
            Some(other) => {
                return Err(DescriptionProblem::new(format!("{name} replaces lines by `{other}`, which is not known")));
            }
        };
        let known = Writes::default();
        let allocate = self.write_allocate.unwrap_or(known.allocate);
        let writes = Writes { allocate, back: self.write_back.unwrap_or(known.back) };
        Ok(Build { replacement, writes, ..Build::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine of ours, with what such files have besides.
    const MACHINE: &str = "\
kerncraft version: 0.8.11
clock: 2.5 GHz
FLOPs per cycle:
  SP: {total: 32}
  DP: {total: 16, FMA: 16}
compiler: !!omap
  - gcc: -O3
memory hierarchy:
- level: L1
  cache per group: {'sets': 64, 'ways': 12, 'cl_size': 64, # 48 kB
    'replacement_policy': 'FIFO', 'write_allocate': false, 'load_from': 'L2'}
  cores per group: 1
  upstream throughput: [architecture code analyzer, ['2D', '3D']]
- level: L2
  cache per group:
    sets: 1024
    ways: 16
    cl_size: 64
  size per group: 1.00 MB
- level: MEM
  size per group:
  cores per group: 8
benchmarks:
  measurements:
    L2:
      1: {results: {copy: [83.27 GB/s, 166.52 GB/s], load: [60.5 GB/s, 121 GB/s]}, threads: [1, 2]}
    MEM:
      1: {results: {load: [12.5 GB/s]}}
      2: {results: {load: [13 GB/s]}}
";

    #[test]
    fn caches_but_not_memory() {
        let level = |name: &str, bytes, ways, policy: &str, [bandwidth, all_cores]: [Option<u64>; 2]| MachineLevel {
            name: name.to_owned(),
            bytes,
            ways: Some(ways),
            line_bytes: Some(64),
            build: policy.parse().unwrap(),
            bandwidth,
            all_cores,
        };
        let levels = vec![
            level("L1", 49152, 12, "fifo,no-allocate", [None; 2]),
            level("L2", 1 << 20, 16, "lru", [Some(60_500_000_000), Some(121_000_000_000)]),
        ];
        let (peak, memory) = (Some(40_000_000_000), Some(12_500_000_000));
        // Memory was measured with one core.
        assert_eq!(read(MACHINE).unwrap(), Description { levels, peak, memory, memory_of_all: None });
        let without = MACHINE.split("benchmarks").next().unwrap().replace("clock", "frequency");
        let Description { peak, memory, levels, .. } = read(&without).unwrap();
        assert_eq!((peak, memory, levels[1].bandwidth), (None, None, None));
    }

    #[test]
    fn problems_have_places() {
        let missing = read("clock: 2 GHz\n").unwrap_err();
        assert!(missing.message.contains("memory hierarchy"), "{missing:?}");
        let wrong = read(&MACHINE.replace("sets: 1024", "sets: many")).unwrap_err();
        assert_eq!(wrong.place, Some((16, 11)), "{wrong:?}");
        let absent = read(&MACHINE.replace("    ways: 16\n", "")).unwrap_err();
        assert!(absent.message.contains("ways"), "{absent:?}");
        let broken = read(&MACHINE.replace("'load_from': 'L2'}", "'load_from': 'L2'")).unwrap_err();
        assert!(broken.place.is_some(), "{broken:?}");
        assert!(!broken.message.is_empty() && !broken.message.contains('\n'), "{broken:?}");
        let large = read(&MACHINE.replace("1024", "18446744073709551615")).unwrap_err();
        assert_eq!(large.message, "the cache L2 is too large");
        let policy = read(&MACHINE.replace("FIFO", "MRU")).unwrap_err();
        assert_eq!(policy.message, "L1 replaces lines by `MRU`, which is not known");
        let slow = read(&MACHINE.replace("2.5 GHz", "quick")).unwrap_err();
        assert!(slow.message.contains("GHz"), "{slow:?}");
    }
}
