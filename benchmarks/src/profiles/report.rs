//! Writes the tables of docs/reuse-profiles.md.

use std::collections::BTreeMap;

use symloc_evaluate::Int;

use super::{BLOCKS, CACHES, Profile, ProfiledDataset, WAYS};
use crate::page::table;

/// The kernels whose histograms are shown.
const SHOWN: [&str; 2] = ["2mm", "atax"];

/// Returns each generated text of the page, with the name of its place.
pub(crate) fn tables(profiles: &[Profile]) -> Vec<(&'static str, String)> {
    vec![
        ("derivations", derivations(profiles)),
        ("histograms", histograms(profiles)),
        ("hit rates", hit_rates(profiles)),
        ("pictures", pictures(profiles)),
    ]
}

/// Returns the cost of one derivation and all its queries, beside that of all traces.
fn derivations(profiles: &[Profile]) -> String {
    let row = |profile: &Profile| {
        let sum = |of: fn(&ProfiledDataset) -> f64| profile.cases.iter().map(of).sum::<f64>();
        let (queries, traces) = (sum(|c| c.predicted.histogram_seconds), sum(|c| c.simulated.seconds));
        vec![
            profile.kernel.clone(),
            profile.line.to_owned(),
            profile.classes.to_string(),
            time(profile.derivation),
            time(queries),
            time(traces),
            times(traces / (profile.derivation + queries)),
        ]
    };
    let head = [
        "kernel",
        "blocks",
        "classes",
        "derived once",
        "all histograms",
        "all traces",
        "traces / (derivation + histograms)",
    ];
    table(&head, profiles.iter().map(row))
}

/// Returns a table with one row for each case.
fn histograms(profiles: &[Profile]) -> String {
    let row = |profile: &Profile, case: &ProfiledDataset| {
        let ProfiledDataset { dataset, sizes, simulated, predicted } = case;
        let sizes = sizes.iter().map(|(name, size)| format!("{name} {size}")).collect::<Vec<_>>().join(", ");
        let equal = simulated.distances.len();
        let longest = simulated.distances.keys().next_back().map_or("-".to_owned(), u64::to_string);
        vec![
            profile.kernel.clone(),
            format!("{dataset}: {sizes}"),
            simulated.accesses.to_string(),
            format!("{equal} of {}", predicted.histogram.distances.len()),
            simulated.first_touches.to_string(),
            longest,
            time(simulated.seconds),
            time(predicted.histogram_seconds),
            times(simulated.seconds / predicted.histogram_seconds),
        ]
    };
    let head = [
        "kernel",
        "data set",
        "accesses",
        "equal bins",
        "first touches",
        "longest distance",
        "trace",
        "query",
        "ratio",
    ];
    let mut text = String::new();
    for (.., line) in BLOCKS {
        let of_line = profiles.iter().filter(|profile| profile.line == line);
        let rows = of_line.flat_map(|profile| profile.cases.iter().map(move |case| row(profile, case)));
        text += &format!("**Blocks are {line}:**\n\n{}\n", table(&head, rows));
    }
    text
}

/// Returns the hit rates at 64-byte lines.
fn hit_rates(profiles: &[Profile]) -> String {
    let mut head = vec!["kernel".to_owned(), "data set".to_owned()];
    for bytes in CACHES {
        head.extend([format!("{}, {WAYS}-way SDCM", size(bytes)), "LRU".to_owned()]);
    }
    head.push("query".to_owned());
    let row = |profile: &Profile, case: &ProfiledDataset| {
        let mut row = vec![profile.kernel.clone(), case.dataset.to_owned()];
        for misses in &case.predicted.misses {
            row.extend([&misses.sdcm, &misses.lru].map(|misses| hit_rate(misses, case.simulated.accesses)));
        }
        row.push(time(case.predicted.misses_seconds));
        row
    };
    let of_lines = profiles.iter().filter(|profile| profile.line == BLOCKS[0].2);
    let rows = of_lines.flat_map(|profile| profile.cases.iter().map(move |case| row(profile, case)));
    table(&head.iter().map(String::as_str).collect::<Vec<_>>(), rows)
}

fn hit_rate(misses: &Int, accesses: u64) -> String {
    format!("{:.3} %", 100.0 * (1.0 - misses.to_f64() / accesses as f64))
}

/// Returns the histograms of [`SHOWN`] in bins of powers of two.
fn pictures(profiles: &[Profile]) -> String {
    let shown = profiles.iter().filter(|profile| SHOWN.contains(&profile.kernel.as_str()));
    shown.map(picture).collect::<Vec<_>>().join("\n")
}

fn picture(profile: &Profile) -> String {
    let columns: Vec<BTreeMap<u32, u64>> =
        profile.cases.iter().map(|case| logarithmic(&case.simulated.distances)).collect();
    let last = columns.iter().filter_map(|column| column.keys().next_back()).max().copied().unwrap_or(0);
    let mut head = vec!["distance"];
    head.extend(profile.cases.iter().map(|case| case.dataset));
    let row = |bin: u32| {
        let counts = columns.iter().zip(&profile.cases).map(|(column, case)| {
            column.get(&bin).map_or(String::new(), |count| share(*count, case.simulated.accesses))
        });
        std::iter::once(range(bin)).chain(counts).collect()
    };
    let firsts = profile.cases.iter().map(|case| share(case.simulated.first_touches, case.simulated.accesses));
    let firsts: Vec<String> = std::iter::once("first touch".to_owned()).chain(firsts).collect();
    let rows = (0..=last).filter(|bin| columns.iter().any(|column| column.contains_key(bin))).map(row);
    format!("**{}, {}:**\n\n{}", profile.kernel, profile.line, table(&head, rows.chain([firsts])))
}

/// Merges distances into bins: bin 0 is distance 0, bin b > 0 is 2^(b-1) .. 2^b.
fn logarithmic(distances: &BTreeMap<u64, u64>) -> BTreeMap<u32, u64> {
    let mut bins = BTreeMap::new();
    for (distance, count) in distances {
        *bins.entry(u64::BITS - distance.leading_zeros()).or_insert(0) += count;
    }
    bins
}

fn range(bin: u32) -> String {
    match bin {
        0 | 1 => bin.to_string(),
        _ => format!("{} to {}", 1_u64 << (bin - 1), (1_u64 << (bin - 1)) * 2 - 1),
    }
}

fn share(count: u64, accesses: u64) -> String {
    format!("{:.4} %", 100.0 * count as f64 / accesses as f64)
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KiB", bytes >> 10),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

/// Formats a time in a unit that leaves few digits.
fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1e-3 => format!("{:.0} µs", seconds * 1e6),
        _ if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.1} s"),
    }
}

fn times(ratio: f64) -> String {
    match ratio {
        _ if ratio < 10.0 => format!("{ratio:.2}"),
        _ => format!("{ratio:.0}"),
    }
}
