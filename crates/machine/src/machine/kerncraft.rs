//! kerncraft's machine files, YAML: the list `memory hierarchy`, whose levels name a cache by its sets, ways and line.
//!
//! The last level, memory, has no cache. Everything else in the file is about time and is not read.

use serde::Deserialize;

use super::{DescriptionProblem, MachineLevel};

#[derive(Deserialize)]
struct MachineFile {
    #[serde(rename = "memory hierarchy")]
    hierarchy: Vec<MemoryLevel>,
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
}

pub(super) fn read(text: &str) -> Result<Vec<MachineLevel>, DescriptionProblem> {
    let file: MachineFile = serde_saphyr::from_str(text).map_err(|error| {
        let place = error.location().map(|location| (location.line(), location.column()));
        DescriptionProblem { place, message: message(&error) }
    })?;
    let caches =
        file.hierarchy.into_iter().filter_map(|MemoryLevel { level, cache }| cache.map(|cache| (level, cache)));
    caches.map(|(level, cache)| cache.level(level)).collect()
}

/// The first line of a message, without the place, which is said apart.
fn message(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let first = text.lines().next().unwrap_or_default();
    first.rsplit_once(" at line ").map_or(first, |(before, _)| before).trim_end_matches([',', ':']).to_owned()
}

impl GroupCache {
    fn level(&self, name: String) -> Result<MachineLevel, DescriptionProblem> {
        let bytes = self.sets.checked_mul(self.ways).and_then(|lines| lines.checked_mul(self.cl_size));
        let bytes = bytes.ok_or_else(|| DescriptionProblem::new(format!("the cache {name} is too large")))?;
        Ok(MachineLevel { name, bytes, ways: Some(self.ways), line_bytes: Some(self.cl_size) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine of ours, with what such files have besides.
    const MACHINE: &str = "\
kerncraft version: 0.8.11
clock: 2.5 GHz
compiler: !!omap
  - gcc: -O3
memory hierarchy:
- level: L1
  cache per group: {'sets': 64, 'ways': 12, 'cl_size': 64, # 48 kB
    'replacement_policy': 'LRU', 'load_from': 'L2'}
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
  measurements: {L1: {1: {results: {copy: [83.27 GB/s, 166.52 GB/s]}}}}
";

    #[test]
    fn caches_but_not_memory() {
        let l1 = MachineLevel { name: "L1".to_owned(), bytes: 49152, ways: Some(12), line_bytes: Some(64) };
        let l2 = MachineLevel { name: "L2".to_owned(), bytes: 1 << 20, ways: Some(16), line_bytes: Some(64) };
        assert_eq!(read(MACHINE).unwrap(), [l1, l2]);
    }

    #[test]
    fn problems_have_places() {
        let missing = read("clock: 2 GHz\n").unwrap_err();
        assert!(missing.message.contains("memory hierarchy"), "{missing:?}");
        let wrong = read(&MACHINE.replace("sets: 1024", "sets: many")).unwrap_err();
        assert_eq!(wrong.place, Some((13, 11)), "{wrong:?}");
        let absent = read(&MACHINE.replace("    ways: 16\n", "")).unwrap_err();
        assert!(absent.message.contains("ways"), "{absent:?}");
        let broken = read(&MACHINE.replace("'load_from': 'L2'}", "'load_from': 'L2'")).unwrap_err();
        assert!(broken.place.is_some(), "{broken:?}");
        assert!(!broken.message.is_empty() && !broken.message.contains('\n'), "{broken:?}");
        let large = read(&MACHINE.replace("1024", "18446744073709551615")).unwrap_err();
        assert_eq!(large.message, "the cache L2 is too large");
    }
}
