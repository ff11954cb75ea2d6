//! `find-tile`: the tile sizes with which caches miss least.

use std::io::{self, Write};

use serde::Serialize;
use symloc_evaluate::Misses;
use symloc_machine::Capacity;

use super::Answer;
use crate::formats::json;
use crate::formats::text::{Columns, ratio};
use crate::{AnswerHeader, MissModel};

/// The values of a tile size that were tried.
#[derive(Clone, Debug)]
pub struct TriedTiles {
    /// The parameters, which are equal.
    pub names: Vec<String>,
    /// The number of values.
    pub count: u128,
    /// The smallest and the largest value.
    pub ends: [i128; 2],
}

/// The range of a size, alone, in which the tile stays the best.
#[derive(Clone, Debug)]
pub struct BestUpTo {
    /// The parameters, which are equal.
    pub names: Vec<String>,
    /// The largest value.
    pub value: i128,
    /// True if larger values were not tried.
    pub is_limit: bool,
}

/// The tile sizes for one cache.
#[derive(Debug)]
pub struct FoundTile {
    /// The name that its machine gives it.
    pub name: Option<String>,
    /// As the user gave it.
    pub capacity: Capacity,
    /// The number of lines it holds.
    pub lines: u64,
    /// The tile sizes with the fewest misses, in the order of [`FoundTiles::tried`]; of several the smallest.
    pub tiles: Vec<i128>,
    /// The misses with these.
    pub misses: Misses,
    /// The range of each size in which it stays the best.
    pub best_up_to: Vec<BestUpTo>,
}

/// The tile sizes for some caches: `symloc.find-tile/1`.
#[derive(Debug)]
pub struct FoundTiles {
    /// The header, with the sizes alone.
    pub header: AnswerHeader,
    /// The model that predicts misses.
    pub miss_model: MissModel,
    /// The tile sizes that were tried.
    pub tried: Vec<TriedTiles>,
    /// The number of combinations among these for which the model does not hold.
    pub left_out: u128,
    /// The best ones for each cache.
    pub caches: Vec<FoundTile>,
}

impl FoundTiles {
    fn bytes(&self, cache: &FoundTile) -> Option<u64> {
        self.header.line_bytes.and_then(|line| cache.lines.checked_mul(line))
    }

    /// Returns the tiles by name.
    fn named(&self, cache: &FoundTile) -> Vec<(String, i128)> {
        let values = self.tried.iter().zip(&cache.tiles);
        values.flat_map(|(tried, value)| tried.names.iter().map(|name| (name.clone(), *value))).collect()
    }

    /// Returns the sizes that were tried to grow.
    fn growing(&self) -> Vec<String> {
        let first = self.caches.first();
        first.into_iter().flat_map(|cache| &cache.best_up_to).map(|best| best.names.join(" = ")).collect()
    }
}

impl Answer for FoundTiles {
    fn json(&self) -> impl Serialize {
        let tried = |tried: &TriedTiles| TriedAnswer {
            parameters: tried.names.clone(),
            values: tried.count,
            first: tried.ends[0],
            last: tried.ends[1],
        };
        let best = |best: &BestUpTo| UpToAnswer {
            parameters: best.names.clone(),
            value: best.value,
            complete: !best.is_limit,
        };
        let cache = |found: &FoundTile| TileAnswer {
            name: found.name.clone(),
            bytes: self.bytes(found),
            ways: found.lines,
            line_bytes: self.header.line_bytes,
            tiles: self.named(found),
            misses: json::Owned(found.misses.total()),
            miss_ratio: found.misses.total().ratio(&self.header.accesses),
            best_up_to: found.best_up_to.iter().map(best).collect(),
        };
        TilesAnswer {
            schema: "symloc.find-tile/1",
            header: self.header.fields(self.miss_model.name()),
            tried: self.tried.iter().map(tried).collect(),
            left_out: self.left_out,
            caches: self.caches.iter().map(cache).collect(),
        }
    }

    fn head(&self) -> Vec<String> {
        let fixed = ["level", "bytes", "lines", "line_bytes", "accesses"].map(str::to_owned);
        let tiles = self.tried.iter().flat_map(|tried| tried.names.clone());
        let up_to = self.growing().into_iter().map(|names| format!("best_up_to_{}", names.replace(" = ", "_")));
        fixed.into_iter().chain(tiles).chain(["misses".to_owned(), "miss_ratio".to_owned()]).chain(up_to).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let accesses = &self.header.accesses;
        let row = |(number, found): (usize, &FoundTile)| {
            let text = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
            let misses = found.misses.total();
            let mut row = vec![
                found.name.clone().unwrap_or_else(|| number.to_string()),
                text(self.bytes(found)),
                found.lines.to_string(),
                text(self.header.line_bytes),
                accesses.to_string(),
            ];
            row.extend(self.named(found).into_iter().map(|(_, value)| value.to_string()));
            row.extend([misses.to_string(), misses.ratio(accesses).to_string()]);
            row.extend(found.best_up_to.iter().map(|best| best.value.to_string()));
            row
        };
        (1..).zip(&self.caches).map(row).collect()
    }

    fn write_text(answers: &[Self], out: &mut dyn Write) -> io::Result<()> {
        answers.iter().try_for_each(|answer| answer.write(out))
    }
}

impl FoundTiles {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { header, tried, left_out, caches, .. } = self;
        header.write(out)?;
        for TriedTiles { names, count, ends: [first, last] } in tried {
            let values = if *count == 1 { "value" } else { "values" };
            writeln!(out, "{count} {values} of {} from {first} to {last}", names.join(" = "))?;
        }
        if *left_out > 0 {
            let kind = if tried.len() == 1 { "values" } else { "combinations" };
            writeln!(out, "{left_out} of these {kind} are left out: the model does not hold there")?;
        }
        writeln!(out)?;
        let named = caches.iter().any(|found| found.name.is_some());
        let mut head: Vec<String> = named.then(|| "level".to_owned()).into_iter().collect();
        head.extend(["cache".to_owned(), "lines".to_owned()]);
        head.extend(tried.iter().map(|tried| format!("best {}", tried.names.join(" = "))));
        head.extend(["misses".to_owned(), "miss ratio".to_owned()]);
        head.extend(self.growing().into_iter().map(|names| format!("best up to {names}")));
        let mut table = Columns::new(&head.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        for found in caches {
            let misses = found.misses.total();
            let mut row: Vec<String> = named.then(|| found.name.clone().unwrap_or_default()).into_iter().collect();
            row.extend([found.capacity.to_string(), found.lines.to_string()]);
            row.extend(found.tiles.iter().map(i128::to_string));
            row.extend([misses.to_string(), ratio(misses.ratio(&header.accesses))]);
            let up_to = |best: &BestUpTo| format!("{}{}", best.value, if best.is_limit { " or more" } else { "" });
            row.extend(found.best_up_to.iter().map(up_to));
            table.push(row);
        }
        table.write(out)
    }
}

#[derive(Serialize)]
struct TilesAnswer<'a> {
    schema: &'static str,
    #[serde(flatten)]
    header: crate::Fields<'a>,
    tried: Vec<TriedAnswer>,
    left_out: u128,
    caches: Vec<TileAnswer>,
}

#[derive(Serialize)]
struct TriedAnswer {
    parameters: Vec<String>,
    values: u128,
    first: i128,
    last: i128,
}

#[derive(Serialize)]
struct TileAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    bytes: Option<u64>,
    ways: u64,
    line_bytes: Option<u64>,
    #[serde(serialize_with = "parameters")]
    tiles: Vec<(String, i128)>,
    misses: json::Owned,
    miss_ratio: f64,
    best_up_to: Vec<UpToAnswer>,
}

#[derive(Serialize)]
struct UpToAnswer {
    parameters: Vec<String>,
    value: i128,
    complete: bool,
}

fn parameters<S: serde::Serializer>(sizes: &[(String, i128)], serializer: S) -> Result<S::Ok, S::Error> {
    json::parameters(sizes, serializer)
}
