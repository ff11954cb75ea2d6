//! Programs with tiles of symbolic size (`--tile T`): beside their traces, beside models of the same programs with tiles of
//! constant sizes, and `find-tile` beside all tile sizes.

use std::fs;

use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};

use super::kernels::difference;
use crate::common::{model, nothing_from, share, symloc};

/// Programs, and five sizes with remainders by most tiles.
const PROGRAMS: [(&str, [&str; 5]); 5] = [
    ("matmul", ["n=7", "n=24", "n=33", "n=41", "n=64"]),
    ("gemm", ["ni=9,nj=7,nk=12", "ni=24,nj=33,nk=17", "ni=32,nj=16,nk=48", "ni=40,nj=41,nk=5", "ni=13,nj=50,nk=31"]),
    ("syrk", ["n=9,m=7", "n=24,m=33", "n=33,m=16", "n=41,m=20", "n=50,m=31"]),
    (
        "2mm",
        [
            "ni=9,nj=7,nk=12,nl=5",
            "ni=24,nj=33,nk=17,nl=9",
            "ni=16,nj=16,nk=32,nl=24",
            "ni=18,nj=40,nk=5,nl=33",
            "ni=13,nj=20,nk=31,nl=17",
        ],
    ),
    ("jacobi-2d", ["tsteps=2,n=7", "tsteps=3,n=24", "tsteps=2,n=33", "tsteps=3,n=41", "tsteps=2,n=64"]),
];

/// The tile sizes.
const TILES: [i64; 5] = [4, 8, 16, 24, 32];

/// Caches in lines.
const CACHES: [i64; 8] = [1, 3, 17, 64, 200, 800, 3000, 20_000];

fn file(name: &str) -> String {
    format!("tests/tiles/{name}.c")
}

fn loaded(arguments: &[&str]) -> Model {
    let path = model(arguments).unwrap_or_else(|error| panic!("{error}"));
    Model::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the accesses, the first touches and the misses of all caches, by both models of misses.
fn answers(model: &Model, sizes: &[(&str, i64)]) -> Vec<Int> {
    let evaluator = Evaluator::new(model, LineChoice::Only).unwrap();
    let sizes: NamedSizes = sizes.iter().copied().collect();
    let all = |how| {
        let prediction = evaluator.predict(how, &sizes).unwrap();
        let misses = CACHES.iter().map(|lines| prediction.misses(&Int::from(*lines)).unwrap().total());
        let totals = [prediction.accesses().clone(), prediction.blocks().clone()];
        totals.into_iter().chain(misses).collect::<Vec<_>>()
    };
    let lru = if evaluator.has_distances() { all(MissModel::Lru) } else { Vec::new() };
    [all(MissModel::Denning), lru].concat()
}

/// Returns sizes of the form `n=7,m=9`.
fn parsed(text: &str) -> Vec<(&str, i64)> {
    let sizes = text.split(',').map(|size| size.split_once('=').unwrap());
    sizes.map(|(name, value)| (name, value.parse().unwrap())).collect()
}

/// Returns what differs between a program with a symbolic tile and those with constant ones, in lines of one element, or in
/// lines of eight.
fn differing(name: &str, sizes: &[&str], options: &[&str], tiles: &[i64]) -> Option<String> {
    let file = file(name);
    // The distances of stencils take long.
    let exact: &[&str] = if name == "jacobi-2d" { &[] } else { &["--exact"] };
    let common = [&[file.as_str(), "--assume-noalias"], exact, options].concat();
    let symbolic = loaded(&[&common[..], &["--tile", "T"]].concat());
    for tile in tiles {
        let given = format!("T = {tile}");
        let constant = loaded(&[&common[..], &["--assume", &given]].concat());
        for size in sizes {
            let sizes = parsed(size);
            let with_tile = [&sizes[..], &[("T", *tile)]].concat();
            let (found, expected) = (answers(&symbolic, &with_tile), answers(&constant, &sizes));
            if found != expected {
                return Some(format!("{name} at {size}, {given}: {found:?}, but {expected:?}"));
            }
        }
    }
    None
}

#[test]
fn symbolic_tiles_are_constant_ones() {
    nothing_from(share([0, 3], PROGRAMS.iter()), |(name, sizes)| differing(name, sizes, &["--element"], &TILES));
}

#[test]
fn symbolic_tiles_of_whole_lines_are_constant_ones() {
    let options = ["--assume", "T mod 8 = 0"];
    nothing_from(PROGRAMS.iter().take(2), |(name, sizes)| differing(name, &sizes[..3], &options, &TILES[1..3]));
}

#[test]
fn models_equal_traces() {
    let kernels = [
        ("matmul", &["--tile", "T"][..], &["-Dn=1,7,12", "-DT=1,2,5,8,13"][..], 15),
        ("gemm", &["--tile", "T"], &["-Dni=5", "-Dnj=9,8", "-Dnk=7", "-DT=1,3,4,9"], 8),
        ("syrk", &["--tile", "T"], &["-Dn=9,11", "-Dm=8", "-DT=1,3,4,12"], 8),
        ("shifted", &["--tile", "T"], &["-Dn=1,7,12", "-DT=1,2,5,12"], 12),
        ("trisolv", &["--tile", "T"], &["-Dn=1,7,12", "-DT=1,2,5,12"], 12),
        ("2mm", &["--tile", "T"], &["-Dni=5", "-Dnj=9", "-Dnk=7", "-Dnl=6", "-DT=1,3,4,9"], 4),
        ("jacobi-2d", &["--tile", "T"], &["-Dtsteps=2", "-Dn=3,9,12", "-DT=1,3,4,12"], 12),
        (
            "three",
            &["--tile", "Ti", "--tile", "Tj", "--tile", "Tk"],
            &["-Dn=7", "-Dm=9", "-Dk=8", "-DTi=2,7", "-DTj=3", "-DTk=3,9"],
            4,
        ),
        ("levels", &["--tile", "T2", "--tile", "T1 = 3*T2"], &["-Dn=5,13", "-DT2=1,2,3"], 6),
    ];
    nothing_from(share([0, 2], kernels.iter()), |(name, options, sizes, several)| {
        let sizes: Vec<_> = sizes.iter().map(|size| (*size).to_owned()).collect();
        let exact: &[&str] = if *name == "jacobi-2d" { &[] } else { &["--exact"] };
        difference(&file(name), &[options, &["--element"][..], exact].concat(), &sizes, *several)
    });
}

#[test]
fn programs_equal_what_is_compiled() {
    nothing_from(PROGRAMS.iter(), |(name, sizes)| {
        let sizes: Vec<_> = sizes[1].split(',').map(|size| format!("-D{size}")).collect();
        difference(&file(name), &["--tile", "T", "--compiled"], &[&sizes[..], &["-DT=1,4,7,9".to_owned()]].concat(), 4)
    });
}

/// The model of a program in MLIR is that of the one in C.
#[test]
fn tiles_in_mlir() {
    let options = ["--exact", "--assume-noalias", "--element", "--tile", "T"];
    let in_c = loaded(&[&["tests/tiles/matmul.c"], &options[..]].concat());
    let in_mlir = loaded(&["tests/tiles/matmul.mlir", "--exact", "--element", "--tile", "T"]);
    for (n, tile) in [(7, 3), (12, 4), (33, 8), (40, 40)] {
        let sizes = [("n", n), ("T", tile)];
        assert_eq!(answers(&in_c, &sizes), answers(&in_mlir, &sizes), "n = {n}, T = {tile}");
    }
    let sizes = ["-Dn=7,12".to_owned(), "-DT=1,3,4".to_owned()];
    assert_eq!(difference("tests/tiles/matmul.mlir", &["--tile", "T", "--element", "--exact"], &sizes, 6), None);
}

/// `find-tile` finds what the misses of all tile sizes show, as the program has them when it runs.
#[test]
fn the_best_tile_is_that_of_an_exhaustive_search() {
    let file = file("matmul");
    let path = model(&[&file, "--exact", "--assume-noalias", "--element", "--tile", "T"]).unwrap();
    for (n, lines) in share([0, 3], [(13, 12), (13, 30), (20, 60), (20, 200), (23, 100), (24, 48)].into_iter()) {
        let (size, cache) = (format!("n={n}"), format!("{lines}lines"));
        let (text, errors, status) = symloc(&["find-tile", &path, "-D", &size, "--cache", &cache, "--json"]);
        assert_eq!(status, Some(0), "{errors}");
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        let found = &answer["caches"][0];
        let misses = |tile: u64| {
            let tile = format!("T={tile}");
            let bytes = format!("{}", lines * 8);
            let cache = format!("{bytes},full,8");
            let run = ["simulate", &file, "--tile", "T", "-D", &size, "-D", &tile, "--cache", &cache, "--json"];
            let (text, errors, status) = symloc(&run);
            assert_eq!(status, Some(0), "{errors}");
            let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
            answer["levels"][0]["misses"].as_u64().unwrap()
        };
        let all: Vec<u64> = (1..=n).map(misses).collect();
        let least = all.iter().min().unwrap();
        let best = all.iter().position(|misses| misses == least).unwrap() as u64 + 1;
        assert_eq!(
            (found["tiles"]["T"].as_u64(), found["misses"].as_u64()),
            (Some(best), Some(*least)),
            "n = {n}, {cache}"
        );
    }
}
