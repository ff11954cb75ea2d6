//! Our own description of a machine, in TOML: one `[[cache]]` for each level, from the core outwards.
//!
//! ```toml
//! [[cache]]
//! name = "L1"       # L1, L2, … by their order unless told otherwise
//! size = "48KiB"    # as for --cache, in bytes
//! ways = 12         # optional; fully associative without it
//! line = 64         # optional; bytes
//! ```

use serde::Deserialize;

use super::{DescriptionProblem, MachineLevel};
use crate::cache::Capacity;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    #[serde(default, rename = "cache")]
    caches: Vec<DescribedCache>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedCache {
    name: Option<String>,
    size: toml::Spanned<String>,
    ways: Option<u64>,
    line: Option<u64>,
}

pub(super) fn read(text: &str) -> Result<Vec<MachineLevel>, DescriptionProblem> {
    let description: Description = toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        problem(text, offset, error.message().to_owned())
    })?;
    (1..).zip(description.caches).map(|(number, cache)| level(text, number, cache)).collect()
}

fn level(text: &str, number: u32, cache: DescribedCache) -> Result<MachineLevel, DescriptionProblem> {
    let offset = cache.size.span().start;
    let bytes = match cache.size.get_ref().parse() {
        Ok(Capacity::Bytes(bytes)) => bytes,
        Ok(Capacity::Lines(_)) => {
            return Err(problem(text, offset, "a machine's cache has a size in bytes".to_owned()));
        }
        Err(reason) => return Err(problem(text, offset, reason)),
    };
    let name = cache.name.unwrap_or_else(|| format!("L{number}"));
    Ok(MachineLevel { name, bytes, ways: cache.ways, line_bytes: cache.line })
}

/// A problem at an offset into the text.
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
        let l1 = MachineLevel { name: "L1".to_owned(), bytes: 49152, ways: Some(12), line_bytes: Some(64) };
        let llc = MachineLevel { name: "LLC".to_owned(), bytes: 2 << 20, ways: None, line_bytes: None };
        assert_eq!(levels.unwrap(), [l1, llc]);
        assert_eq!(read("").unwrap(), []);
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
            ("[[cache\n", (1, 8), ""),
        ] {
            let problem = read(text).unwrap_err();
            assert_eq!(problem.place, Some(place), "{text}: {}", problem.message);
            assert!(problem.message.contains(reason), "{text}: {}", problem.message);
        }
    }
}
