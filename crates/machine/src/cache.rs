//! The notation of caches: `SIZE[,WAYS[,LINE[,POLICY]]]`, as in `48KiB,12,64` and `32KiB,8,plru`.
//!
//! A size is a number of bytes with an optional unit, or a number of lines (`512lines`). `KiB` to `TiB` are powers of
//! 1024, `kB` to `TB` powers of 1000; `K` and `KB` are refused because they are ambiguous. Words describe how the cache
//! is built, in any order, after the ways and with or without the line: see [`Build`]. Where several caches may be
//! given, the size may be a range, `4KiB..1MiB:*2`, of caches that differ in nothing else.

use std::fmt;
use std::str::FromStr;

use symloc_cache::{Inclusion, IndexFunction, Replacement, Writes};
use symloc_evaluate::Sets;

use crate::error::CacheRequestError;
use crate::ranges::NumberList;

/// A cache as the user describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Its size.
    pub capacity: Capacity,
    /// Its associativity; `None` means fully associative.
    pub ways: Option<u64>,
    /// Bytes per line, if given.
    pub line_bytes: Option<u64>,
    /// All other properties.
    pub build: Build,
}

/// The properties of a cache beyond its size; by default it is LRU, sets are found by the lowest bits of the address,
/// and it allocates on writes and writes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Build {
    /// `lru`, `fifo`, `plru`, `qlru`, `random` or `random=SEED`: the replacement policy.
    pub replacement: Replacement,
    /// `xor`: the function from blocks to sets.
    pub index: IndexFunction,
    /// `no-allocate`, `through`: the write policy.
    pub writes: Writes,
    /// `inclusive`, `exclusive`: the relation of its lines to those of the levels before it.
    pub inclusion: Inclusion,
    /// `prefetch`: whether a miss fetches the next line, too.
    pub prefetch: bool,
}

impl Build {
    /// Applies a word, and returns whether it is known.
    fn take(&mut self, word: &str) -> bool {
        let (name, seed) = word.split_once('=').map_or((word, None), |(name, seed)| (name, Some(seed)));
        match (name, seed) {
            ("random", Some(seed)) => match seed.parse() {
                Ok(seed) => self.replacement = Replacement::Random(seed),
                Err(_) => return false,
            },
            (_, Some(_)) => return false,
            ("lru", _) => self.replacement = Replacement::Lru,
            ("fifo", _) => self.replacement = Replacement::Fifo,
            ("plru", _) => self.replacement = Replacement::TreePlru,
            ("qlru", _) => self.replacement = Replacement::Qlru,
            ("random", _) => self.replacement = Replacement::Random(0),
            ("xor", _) => self.index = IndexFunction::Xor,
            ("no-allocate", _) => self.writes.allocate = false,
            ("through", _) => self.writes.back = false,
            ("inclusive", _) => self.inclusion = Inclusion::Inclusive,
            ("exclusive", _) => self.inclusion = Inclusion::Exclusive,
            ("prefetch", _) => self.prefetch = true,
            _ => return false,
        }
        true
    }
}

impl FromStr for Build {
    type Err = String;

    /// Parses words with commas between them: `plru,no-allocate`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut build = Self::default();
        match text.split(',').map(str::trim).find(|word| !build.take(word)) {
            None => Ok(build),
            Some(unknown) => Err(format!("what is `{unknown}`? words are {WORDS}")),
        }
    }
}

/// The words of [`Build`].
const WORDS: &str = "lru, fifo, plru, qlru, random, xor, no-allocate, through, inclusive, exclusive, prefetch";

/// The size of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// A number of bytes.
    Bytes(u64),
    /// A number of lines.
    Lines(u64),
}

/// The units of bytes.
pub(crate) const UNITS: [(&str, u64); 9] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("B", 1),
];

impl Capacity {
    /// Returns the number of bytes or lines.
    pub fn number(self) -> u64 {
        match self {
            Capacity::Bytes(number) | Capacity::Lines(number) => number,
        }
    }
}

impl FromStr for Capacity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = (&text[..digits], text[digits..].trim_start());
        let number: u64 = match number.parse() {
            Ok(number) => number,
            Err(_) if number.is_empty() => return Err(format!("`{text}` does not start with a number")),
            Err(_) => return Err(format!("`{number}` is too large")),
        };
        if unit == "lines" {
            return Ok(Capacity::Lines(number));
        }
        let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
        let factor = match (unit, factor) {
            ("", _) => 1,
            (_, Some(factor)) => factor,
            ("K" | "k" | "KB", _) => return Err(format!("is `{unit}` 1024 or 1000 bytes? write KiB or kB")),
            _ => return Err(format!("unknown unit `{unit}`; use B, KiB, MiB, GiB, TiB, kB, MB, GB, TB or lines")),
        };
        number.checked_mul(factor).map(Capacity::Bytes).ok_or_else(|| format!("`{text}` is too large"))
    }
}

impl FromStr for Cache {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (size, shape) = text.split_once(',').map_or((text, None), |(size, shape)| (size, Some(shape)));
        let capacity: Capacity = size.trim().parse()?;
        if capacity.number() == 0 {
            return Err("a cache of nothing".to_owned());
        }
        let (ways, line_bytes, build) = shape.map_or(Ok(Default::default()), parse_shape)?;
        Ok(Self { capacity, ways, line_bytes, build })
    }
}

/// Parses `WAYS[,LINE[,POLICY]]`.
fn parse_shape(text: &str) -> Result<(Option<u64>, Option<u64>, Build), String> {
    let mut parts = text.split(',').map(str::trim);
    let ways = match parts.next().unwrap_or_default() {
        "full" => None,
        ways => Some(positive(ways).ok_or_else(|| format!("`{ways}` is not a number of ways or `full`"))?),
    };
    let (mut line_bytes, mut build) = (None, Build::default());
    for (index, part) in parts.enumerate() {
        let is_number = part.starts_with(|c: char| c.is_ascii_digit());
        if index == 0 && (is_number || part.is_empty()) {
            line_bytes = Some(positive(part).ok_or_else(|| format!("`{part}` is not a line size in bytes"))?);
        } else if !build.take(part) {
            return Err(format!("what is `{part}`? a cache is SIZE[,WAYS[,LINE[,POLICY]]], and words are {WORDS}"));
        }
    }
    Ok((ways, line_bytes, build))
}

/// Caches that differ in their size only: `4KiB..1MiB:*2,full,64`. A single cache is one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheRange {
    sizes: NumberList,
    in_lines: bool,
    ways: Option<u64>,
    line_bytes: Option<u64>,
    build: Build,
}

impl FromStr for CacheRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (size, shape) = text.split_once(',').map_or((text, None), |(size, shape)| (size, Some(shape)));
        let mut in_lines = None;
        let sizes = NumberList::parse(size, |number| {
            let capacity: Capacity = number.parse()?;
            let lines = matches!(capacity, Capacity::Lines(_));
            match *in_lines.get_or_insert(lines) == lines {
                true => Ok(i128::from(capacity.number())),
                false => Err(format!("`{size}` mixes bytes and lines")),
            }
        })?;
        if sizes.iter().next() == Some(0) {
            return Err("a cache of nothing".to_owned());
        }
        let (ways, line_bytes, build) = shape.map_or(Ok(Default::default()), parse_shape)?;
        Ok(Self { sizes, in_lines: in_lines.unwrap_or(false), ways, line_bytes, build })
    }
}

impl CacheRange {
    /// Returns the bytes per line, if given.
    pub fn line_bytes(&self) -> Option<u64> {
        self.line_bytes
    }

    /// Returns true if a range was written, even of one cache.
    pub fn is_range(&self) -> bool {
        self.sizes.single().is_none()
    }

    /// Returns the number of caches.
    pub fn count(&self) -> u128 {
        self.sizes.count()
    }

    /// Returns the caches, by ascending size.
    pub fn caches(&self) -> impl Iterator<Item = Cache> {
        // The values between two sizes of 64 bits have 64 bits.
        let sizes = self.sizes.iter().filter_map(|size| u64::try_from(size).ok());
        let capacity = |size| if self.in_lines { Capacity::Lines(size) } else { Capacity::Bytes(size) };
        let Self { ways, line_bytes, build, .. } = *self;
        sizes.map(move |size| Cache { capacity: capacity(size), ways, line_bytes, build })
    }
}

fn positive(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| *number > 0)
}

impl Cache {
    /// Returns the number of lines that the cache holds, given the bytes per line.
    ///
    /// # Errors
    ///
    /// [`CacheRequestError::PartOfLine`] if its size in bytes is not a whole number of lines,
    /// [`CacheRequestError::NoLineBytes`] if lines have no size.
    pub fn lines(&self, line_bytes: Option<u64>) -> Result<u64, CacheRequestError> {
        match (self.capacity, line_bytes) {
            (Capacity::Lines(lines), _) => Ok(lines),
            (Capacity::Bytes(bytes), Some(line)) if bytes % line == 0 => Ok(bytes / line),
            (Capacity::Bytes(bytes), Some(line_bytes)) => Err(CacheRequestError::PartOfLine { bytes, line_bytes }),
            (Capacity::Bytes(_), None) => Err(CacheRequestError::NoLineBytes),
        }
    }

    /// Returns the division of its lines into sets, for a model; `None` for a fully associative cache of `lines` lines.
    ///
    /// # Errors
    ///
    /// [`CacheRequestError::PartOfSet`] if the lines are not a whole number of sets, [`CacheRequestError::Special`] if
    /// it has properties that models do not support.
    pub fn sets(&self, lines: u64) -> Result<Option<Sets>, CacheRequestError> {
        if self.build != Build::default() {
            return Err(CacheRequestError::Special);
        }
        match self.ways.filter(|ways| *ways != lines) {
            None => Ok(None),
            Some(ways) => Sets::new(lines, ways).map(Some).ok_or(CacheRequestError::PartOfSet { lines, ways }),
        }
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = match *self {
            Capacity::Lines(lines) => (lines, "lines"),
            Capacity::Bytes(bytes) => UNITS[..3]
                .iter()
                .rev()
                .find(|(_, factor)| bytes >= *factor && bytes % factor == 0)
                .map_or((bytes, "B"), |(name, factor)| (bytes / factor, *name)),
        };
        f.pad(&format!("{number} {unit}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_all_units() {
        let bytes = |text: &str| match text.parse() {
            Ok(Capacity::Bytes(bytes)) => bytes,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(bytes("49152"), 49152);
        assert_eq!(bytes("48KiB"), 49152);
        assert_eq!(bytes("48 kB"), 48000);
        assert_eq!(bytes("3MiB"), 3 << 20);
        assert_eq!(bytes("2GB"), 2_000_000_000);
        assert_eq!("512lines".parse(), Ok(Capacity::Lines(512)));
        for (text, reason) in [
            ("", "does not start with a number"),
            ("KiB", "does not start with a number"),
            ("-4", "does not start with a number"),
            ("32KB", "1024 or 1000"),
            ("32kib", "unknown unit `kib`"),
            ("99999999999999999999", "too large"),
            ("18014398509481984KiB", "too large"),
        ] {
            let error = text.parse::<Capacity>().unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn sizes_print_in_the_largest_whole_unit() {
        let shown = |bytes| Capacity::Bytes(bytes).to_string();
        assert_eq!(
            [shown(49152), shown(1 << 20), shown(1536), shown(1000), shown(0)],
            ["48 KiB", "1 MiB", "1536 B", "1000 B", "0 B"]
        );
    }

    #[test]
    fn lines_and_sets() {
        let cache = |text: &str| text.parse::<Cache>().unwrap();
        assert_eq!(cache("48KiB").lines(Some(64)).unwrap(), 768);
        assert_eq!(cache("48KiB,768,64").lines(Some(64)).unwrap(), 768);
        assert_eq!(cache("48KiB,full,64").line_bytes, Some(64));
        assert_eq!(cache("48KiB,12").lines(Some(64)).unwrap(), 768);
        assert_eq!(cache("48KiB,12").sets(768).unwrap(), Sets::new(768, 12));
        assert_eq!(cache("48KiB,768").sets(768).unwrap(), None);
        assert_eq!(cache("48KiB").sets(768).unwrap(), None);
        assert!(cache("48KiB,7").sets(768).is_err() && cache("48KiB,800").sets(768).is_err());
        assert!(cache("100B").lines(Some(64)).is_err());
        assert!(cache("48KiB").lines(None).is_err());
        assert_eq!(cache("7lines").lines(None).unwrap(), 7);
        for text in ["48KiB,0", "48KiB,x", "48KiB,8,0", "48KiB,8,64,1", "0", "0lines", "48KiB,"] {
            assert!(text.parse::<Cache>().is_err(), "{text}");
            assert!(text.parse::<CacheRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn words_say_how_caches_are_built() {
        let build = |text: &str| text.parse::<Cache>().unwrap().build;
        assert_eq!(build("32KiB,8,plru").replacement, Replacement::TreePlru);
        assert_eq!(build("32KiB,8,64,random=7").replacement, Replacement::Random(7));
        let words = build("32KiB,8,fifo,xor,no-allocate,through,exclusive,prefetch");
        assert_eq!(
            (words.replacement, words.index, words.inclusion),
            (Replacement::Fifo, IndexFunction::Xor, Inclusion::Exclusive)
        );
        assert!(words.prefetch && words.writes == Writes { allocate: false, back: false });
        assert_eq!(build("32KiB,8,64,lru"), Build::default());
        for text in ["32KiB,8,mru", "32KiB,8,plru,64", "32KiB,8,random=x", "32KiB,8,fifo=1", "32KiB,plru"] {
            assert!(text.parse::<Cache>().is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_of_caches() {
        let shown = |text: &str| -> Vec<_> {
            let range: CacheRange = text.parse().unwrap();
            assert_eq!(range.count(), range.caches().count() as u128);
            range.caches().map(|cache| cache.capacity.to_string()).collect()
        };
        assert_eq!(shown("4KiB..16KiB:*2"), ["4 KiB", "8 KiB", "16 KiB"]);
        assert_eq!(shown("4KiB..12KiB:+4KiB"), ["4 KiB", "8 KiB", "12 KiB"]);
        assert_eq!(shown("512KiB..1MiB:*2"), ["512 KiB", "1 MiB"]);
        assert_eq!(shown("64lines..256lines:*2"), ["64 lines", "128 lines", "256 lines"]);
        assert_eq!(shown("64lines..192lines:+64lines"), ["64 lines", "128 lines", "192 lines"]);
        let range: CacheRange = "4KiB..16KiB:*2,full,128".parse().unwrap();
        assert!(range.caches().all(|cache| (cache.ways, cache.line_bytes) == (None, Some(128))));
        assert!(range.is_range() && !"4KiB".parse::<CacheRange>().unwrap().is_range());
    }

    #[test]
    fn what_is_no_range_of_caches() {
        for (text, reason) in [
            ("1MiB..4KiB:*2", "runs backwards; write 4KiB..1MiB"),
            ("4KiB..1MiB:*1", "never arrives"),
            ("4KiB..512lines:*2", "mixes bytes and lines"),
            ("64lines..256lines:+64", "mixes bytes and lines"),
            ("0..4KiB:+1KiB", "a cache of nothing"),
            ("4KB..1MB:*2", "1024 or 1000"),
        ] {
            let error = text.parse::<CacheRange>().unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
