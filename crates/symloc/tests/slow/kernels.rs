//! Every kernel of polybench/, derived and compared with its trace by `symloc verify`: all reuse intervals and miss
//! counts, with 64-byte lines and with lines of one element, and with 64-byte lines all reuse distances, none of them
//! estimated; and evaluated at sizes that are too large for a trace.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::{STEPS, model, nothing_from, parameters, root, symloc};
use symloc_evaluate::{Evaluator, Int, MissModel};
use symloc_model::{LineChoice, Model, NamedSizes};

/// Values of the parameters that are not time steps, in turn: a multiple of 8 and two that are not. Neighbours differ,
/// so that no two parameters are equal by accident.
const SIZES: [[i64; 3]; 4] = [[16, 19, 21], [8, 13, 11], [24, 9, 15], [8, 10, 7]];

pub(super) fn kernels() -> Vec<String> {
    let names =
        fs::read_dir(root().join("polybench")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut kernels: Vec<_> = names.filter(|name| name.ends_with(".mlir")).map(|n| format!("polybench/{n}")).collect();
    kernels.sort();
    kernels
}

/// Returns the values of the parameters: three for a single size; of several sizes, the last two have two values each,
/// which gives four sizes.
pub(super) fn grid(parameters: &[String]) -> Vec<String> {
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

/// Returns the error if the kernel differs from its trace, or if fewer than `sizes` sizes were compared.
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

/// The largest of the small sizes, all of which are compared.
const LARGEST: u64 = 24;

/// Returns every size up to [`LARGEST`] if there is one parameter; else a grid of at least 16 sizes, in which the
/// values of each parameter depend only on the name of the kernel.
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

/// Sizes that are too large for enumeration; the parameters of a kernel have different ones.
const LARGE: [i64; 3] = [(1 << 31) - 1, 1 << 31, (1 << 31) + 7];
/// The binary logarithm of the most lines of a cache. In caches that nearly hold matrices of 2^62 elements, the
/// evaluator searches rows of some kernels one by one, which takes seconds each.
const LARGEST_CACHE: u32 = 48;
/// The longest time for a size, in a build without optimisation, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Checks the misses of caches at large sizes: misses and windows must be monotone in the cache, and no cache must take
/// long. Each evaluation checks that the intervals sum to N·m.
fn large_sizes(kernel: &str) -> Option<String> {
    let model = Model::load(model(&[kernel]).unwrap().as_ref()).unwrap();
    let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
    for rotation in 0..LARGE.len() {
        let start = Instant::now();
        let size = |(index, name): (usize, &String)| (name.clone(), LARGE[(index + rotation) % LARGE.len()]);
        let sizes: NamedSizes = model.parameters.iter().enumerate().map(size).collect();
        let locality = match evaluator.predict(MissModel::Denning, &sizes) {
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
