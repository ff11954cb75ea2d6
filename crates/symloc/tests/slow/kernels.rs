//! Every kernel of polybench/, derived and compared with its trace by `symloc verify`: all reuse intervals, all miss
//! counts, at 64-byte lines and at lines of one element, at 64-byte lines all reuse distances too, none of them estimated;
//! and asked at sizes that no trace has.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::{STEPS, model, nothing_from, parameters, root, symloc};
use symloc_evaluate::{Evaluator, Int};
use symloc_model::{LineChoice, Model, Sizes};

/// Values for the other parameters, in turn: a multiple of 8 and two that are not. Neighbours differ, so that no
/// two parameters are equal by accident.
const SIZES: [[i64; 3]; 4] = [[16, 19, 21], [8, 13, 11], [24, 9, 15], [8, 10, 7]];

fn kernels() -> Vec<String> {
    let names =
        fs::read_dir(root().join("polybench")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut kernels: Vec<_> = names.filter(|name| name.ends_with(".mlir")).map(|n| format!("polybench/{n}")).collect();
    kernels.sort();
    kernels
}

/// Three values for the only parameter that is a size; two for each of the last two of several, of which four sizes come.
fn grid(parameters: &[String]) -> Vec<String> {
    let sizes = parameters.iter().filter(|name| !STEPS.contains(&name.as_str())).count();
    let mut nth = 0;
    let mut values = |name: &String| {
        if STEPS.contains(&name.as_str()) {
            return vec![3];
        }
        let choice = SIZES[nth % SIZES.len()];
        nth += 1;
        match sizes {
            1 => choice.to_vec(),
            _ if nth + 2 > sizes => choice[..2].to_vec(),
            _ => vec![choice[2]],
        }
    };
    let text = |list: Vec<i64>| list.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    parameters.iter().map(|name| format!("-D{name}={}", text(values(name)))).collect()
}

/// What is wrong with a kernel, if anything is, at so many sizes or more.
pub(super) fn difference(kernel: &str, lines: &[&str], definitions: &[String], sizes: usize) -> Option<String> {
    let mut args = vec!["verify", kernel];
    args.extend(lines);
    args.extend(definitions.iter().map(String::as_str));
    let (text, errors, status) = symloc(&args);
    let exact = lines.contains(&"--exact");
    let agrees = |line: &&str| line.starts_with("ok ") && (!exact || line.contains(" distances and "));
    let compared = text.lines().filter(agrees).count();
    let fine = status == Some(0) && compared >= sizes && compared == text.lines().count();
    (!fine).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
}

#[test]
fn models_equal_traces() {
    let kernels = kernels();
    assert_eq!(kernels.len(), 31, "the 30 kernels of PolyBench/C and matmul");
    let choices = kernels.iter().flat_map(|kernel| [(kernel, vec!["--exact"]), (kernel, vec!["--element"])]);
    nothing_from(choices, |(kernel, lines)| difference(kernel, &lines, &grid(&parameters(kernel, &[])), 3));
}

/// The largest size of which all smaller ones are compared.
const LARGEST: u64 = 24;

/// Every size up to [`LARGEST`] where there is one parameter; else a grid of at least 16 sizes, in which each parameter has
/// values that depend on the name of the kernel alone.
fn small_sizes(kernel: &str, parameters: &[String]) -> (Vec<String>, usize) {
    let each = match parameters.len() {
        1 => return (vec![format!("-D{}={}", parameters[0], text(1..=LARGEST))], LARGEST as usize),
        2 => 5,
        3 => 3,
        _ => 2,
    };
    let mut state = kernel.bytes().fold(1, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut random = || {
        // Knuth's constants for a linear congruential generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + (state >> 33) % LARGEST
    };
    let mut values = || {
        let mut values = std::collections::BTreeSet::new();
        while values.len() < each {
            values.insert(random());
        }
        text(values)
    };
    let definitions = parameters.iter().map(|name| format!("-D{name}={}", values())).collect();
    (definitions, each.pow(parameters.len() as u32))
}

fn text(values: impl IntoIterator<Item = u64>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(",")
}

#[test]
fn models_equal_traces_at_small_sizes() {
    nothing_from(kernels().iter(), |kernel| {
        let (definitions, sizes) = small_sizes(kernel, &parameters(kernel, &[]));
        difference(kernel, &[], &definitions, sizes)
    });
}

/// Sizes at which nothing can be enumerated; the parameters of a kernel have different ones.
const LARGE: [i64; 3] = [(1 << 31) - 1, 1 << 31, (1 << 31) + 7];
/// 2 to this power are the most lines of a cache that is asked about. In caches that nearly hold matrices of 2^62 elements, rows
/// of some kernels are searched one by one, which takes seconds each.
const LARGEST_CACHE: u32 = 48;
/// How long a size may take, in a build that is not optimised, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The misses of caches at large sizes. That the intervals sum to N·m is checked by every evaluation; here misses and windows
/// must be monotone in the cache, and no cache must take long.
fn large_sizes(kernel: &str) -> Option<String> {
    let model = Model::load(model(&[kernel]).unwrap().as_ref()).unwrap();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    for rotation in 0..LARGE.len() {
        let start = Instant::now();
        let size = |(index, name): (usize, &String)| (name.clone(), LARGE[(index + rotation) % LARGE.len()]);
        let sizes: Sizes = model.parameters.iter().enumerate().map(size).collect();
        let locality = match evaluator.locality(&sizes) {
            Ok(locality) => locality,
            Err(error) => return Some(format!("{kernel}: {error}")),
        };
        let mut last = (locality.misses(&Int::ZERO).unwrap().total(), Some(Int::ZERO));
        if last.0 != *locality.accesses() || locality.misses(locality.blocks()).unwrap().total() != *locality.blocks() {
            return Some(format!(
                "{kernel}: {sizes:?}: not everything misses without a cache, or something in a full one"
            ));
        }
        for power in 0..=LARGEST_CACHE {
            let blocks = Int::from(1_i128 << power);
            let now = (locality.misses(&blocks).unwrap().total(), locality.window(&blocks).unwrap());
            let longer = now.1.is_none() || (last.1.is_some() && now.1 >= last.1);
            if now.0 > last.0 || now.0 < *locality.blocks() || !longer {
                return Some(format!("{kernel}: {sizes:?}: {blocks} blocks: {now:?} after {last:?}"));
            }
            last = now;
        }
        if start.elapsed() > PATIENCE {
            return Some(format!("{kernel}: {sizes:?}: {} s", start.elapsed().as_secs()));
        }
    }
    None
}

#[test]
fn large_sizes_are_answered() {
    nothing_from(kernels().iter(), |kernel| large_sizes(kernel));
}
