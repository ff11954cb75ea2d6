//! A symbolic line size on the kernels of polybench/ and the einsums: a kernel is derived once and compared with the
//! trace by `symloc verify` at several line sizes and several sizes of the program, not all of them multiples of a
//! line, and with a model that was derived for these line sizes. Reuse distances are compared unless they take too
//! long.
//!
//! The kernels are those of the list in docs/affine-support.md; others are not known to work.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use crate::common::{STEPS, nothing_from, parameters, root, share, symloc};

/// A row of the table in the documentation.
struct KernelRow {
    file: String,
    intervals: Derivation,
    /// With `--exact`.
    distances: Derivation,
}

/// The least line size for which a model holds, and the time of its derivation.
#[derive(Clone, Copy)]
struct Derivation {
    least: i64,
    seconds: f64,
}

/// The sizes and lines at which kernels are compared, and limits on their times.
#[derive(Clone, Copy)]
struct Effort {
    lines: &'static [i64],
    /// The values of the first parameter, if there are few parameters and if there are many.
    sizes: [&'static str; 2],
    /// The longest derivation, in seconds, of a kernel that is compared; with reuse distances, that of `--exact`
    /// counts.
    seconds: f64,
    /// The longest derivation, in seconds, of a kernel that is also compared with a model for fixed lines.
    fixed: f64,
}

const QUICK: Effort = Effort { lines: &[2, 8], sizes: ["16,19", "3,5"], seconds: 2.0, fixed: 0.4 };
const COMPLETE: Effort =
    Effort { lines: &[2, 4, 8, 16], sizes: ["16,19,21", "3,4,5"], seconds: f64::INFINITY, fixed: f64::INFINITY };

/// Returns the kernels of the documentation, from rows such as `| polybench/gemm.mlir | 1 | 0.2 | 1 | 1.1 |`.
fn documented() -> Vec<KernelRow> {
    let text = fs::read_to_string(root().join("docs/affine-support.md")).unwrap();
    let row = |line: &str| {
        let cells: Vec<_> = line.strip_prefix("| `")?.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [file, cells @ ..] = cells.as_slice() else { return None };
        let derivation = |cells: &[&str]| {
            let [least, seconds] = cells else { return None };
            Some(Derivation { least: least.parse().ok()?, seconds: seconds.parse().ok()? })
        };
        let (intervals, distances) = (derivation(cells.get(..2)?)?, derivation(cells.get(2..4)?)?);
        let known = file.starts_with("polybench/") || file.starts_with("einsum/");
        known.then(|| KernelRow { file: (*file).to_owned(), intervals, distances })
    };
    text.lines().filter_map(row).collect()
}

/// Returns sizes, not all of them multiples of a line; the first of several parameters has several values.
fn sizes(parameters: &[String], effort: Effort) -> Vec<String> {
    let few = parameters.len() > 7;
    let mut nth = 0;
    let mut value = |name: &String| {
        if STEPS.contains(&name.as_str()) {
            return "3";
        }
        nth += 1;
        match (nth, few) {
            (1, false) => effort.sizes[0],
            (1, true) => effort.sizes[1],
            (_, true) => ["2", "5", "3"][nth % 3],
            (_, false) => ["9", "16", "7"][nth % 3],
        }
    };
    parameters.iter().filter(|name| *name != "line").map(|name| format!("-D{name}={}", value(name))).collect()
}

/// A kernel with the lines and sizes at which it is compared.
struct ComparedKernel<'a> {
    file: &'a str,
    /// True if reuse distances are compared.
    exact: bool,
    lines: Vec<String>,
    /// An option such as `-Dn=16,19` for each parameter except the line size.
    sizes: Vec<String>,
}

impl<'a> ComparedKernel<'a> {
    fn new(kernel: &'a KernelRow, effort: Effort) -> Self {
        let exact = kernel.distances.seconds <= effort.seconds;
        let Derivation { least, .. } = if exact { kernel.distances } else { kernel.intervals };
        let lines = effort.lines.iter().filter(|b| **b >= least).map(i64::to_string).collect();
        let sizes = sizes(&parameters(&kernel.file, &["--line", "line"]), effort);
        Self { file: &kernel.file, exact, lines, sizes }
    }

    /// Returns the options of both derivations.
    fn options(&self) -> &'static [&'static str] {
        if self.exact { &["--exact"] } else { &[] }
    }

    /// Returns the differences from traces.
    fn difference_from_traces(&self, effort: Effort) -> Option<String> {
        let lines = format!("-Dline={}", self.lines.join(","));
        let mut args = vec!["verify", self.file, "--line", "line", &lines];
        args.extend(self.sizes.iter().map(String::as_str).chain(self.options().iter().copied()));
        let (text, errors, status) = symloc(&args);
        // With distances, all of them are compared and none is estimated.
        let told = |line: &str| line.starts_with("ok ") && line.contains(" distances and ") == self.exact;
        let compared = text.lines().filter(|line| told(line)).count();
        let expected = effort.sizes[0].split(',').count() * self.lines.len();
        let fine = status == Some(0) && compared == expected && compared == text.lines().count();
        (!fine).then(|| format!("symloc {}\n{text}{errors}", args.join(" ")))
    }

    /// Returns the first difference from a model that is derived for these line sizes.
    fn difference_from_fixed_lines(&self) -> Option<String> {
        let symbolic = self.model("symbolic", &["--line", "line"]);
        let points = self.points();
        let at = |b: &String, point: &[String], what: &[&str]| {
            let line = format!("-Dline={b}");
            let mut answer = histogram(&symbolic, &[&[line.as_str()], &strs(point)[..], what].concat());
            let removed = answer["parameters"].as_object_mut().and_then(|sizes| sizes.remove("line"));
            assert_eq!(removed.map(|value| value.to_string()), Some(b.clone()));
            answer
        };
        let bytes = |b: &String| at(b, &points[0], &[])["line_bytes"].to_string();
        let bytes: Vec<String> = self.lines.iter().map(bytes).collect();
        let fixed = self.model("fixed", &["--line-bytes", &bytes.join(",")]);
        for (b, bytes) in self.lines.iter().zip(&bytes) {
            let asked: &[&[&str]] = if self.exact { &[&[], &["--distance"]] } else { &[&[]] };
            for (point, what) in points.iter().flat_map(|point| asked.iter().map(move |what| (point, *what))) {
                let expected = histogram(&fixed, &[&["--line-bytes", bytes], &strs(point)[..], what].concat());
                let found = at(b, point, what);
                if found != expected {
                    let place = format!("{}, {b} elements per line, {point:?} {what:?}", self.file);
                    return Some(format!("{place}:\n{found}\n{expected}"));
                }
            }
        }
        None
    }

    /// Returns the options of each single size.
    fn points(&self) -> Vec<Vec<String>> {
        let varied = self.sizes.iter().position(|size| size.contains(',')).unwrap();
        let (name, values) = self.sizes[varied].split_once('=').unwrap();
        let point = |value: &str| {
            let mut point = self.sizes.clone();
            point[varied] = format!("{name}={value}");
            point
        };
        values.split(',').map(point).collect()
    }

    /// Derives a model into a file; returns its path.
    fn model(&self, what: &str, lines: &[&str]) -> String {
        let name = self.file.replace('/', "-");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lines-{name}-{what}.loc.json"));
        let path = path.to_str().unwrap().to_owned();
        let (_, errors, status) =
            symloc(&[&["derive", self.file, "--layout", "rows", "-o", &path], lines, self.options()].concat());
        assert_eq!(status, Some(0), "{}: {errors}", self.file);
        path
    }
}

fn strs(text: &[String]) -> Vec<&str> {
    text.iter().map(String::as_str).collect()
}

fn histogram(model: &str, args: &[&str]) -> Value {
    let (text, errors, status) = symloc(&[&["histogram", model, "--json"], args].concat());
    assert_eq!(status, Some(0), "{model} {args:?}: {errors}");
    serde_json::from_str(&text).unwrap()
}

/// Returns the difference of a kernel, if there is one.
fn difference(kernel: &KernelRow, effort: Effort) -> Option<String> {
    let case = ComparedKernel::new(kernel, effort);
    let start = Instant::now();
    let traces = case.difference_from_traces(effort);
    let middle = Instant::now();
    let Derivation { seconds, .. } = if case.exact { kernel.distances } else { kernel.intervals };
    let fixed = (seconds <= effort.fixed).then(|| case.difference_from_fixed_lines());
    let result = |difference: &Option<String>| if difference.is_none() { "agree" } else { "DIFFER" };
    println!(
        "{}, {}: traces {}, {:.1} s; fixed lines {}, {:.1} s",
        kernel.file,
        if case.exact { "intervals and distances" } else { "intervals" },
        result(&traces),
        (middle - start).as_secs_f64(),
        fixed.as_ref().map_or("not compared", result),
        middle.elapsed().as_secs_f64()
    );
    traces.or(fixed.flatten())
}

#[test]
fn kernels_that_fit_equal_their_traces() {
    let kernels = documented();
    assert!(kernels.len() >= 35, "only {} kernels", kernels.len());
    assert!(kernels.iter().filter(|kernel| kernel.distances.seconds <= QUICK.fixed).count() >= 5);
    assert!(kernels.iter().filter(|kernel| kernel.distances.seconds <= QUICK.seconds).count() >= 12);
    let quick = |kernel: &&KernelRow| kernel.intervals.seconds <= QUICK.seconds;
    nothing_from(share([1, 2], kernels.iter().filter(quick)), |kernel| difference(kernel, QUICK));
}

/// `cargo test -p symloc --test program lines:: -- --ignored --nocapture` prints the time of each kernel.
#[test]
#[ignore = "minutes of computation"]
fn all_kernels_that_fit_equal_their_traces_at_all_lines() {
    nothing_from(documented().iter(), |kernel| difference(kernel, COMPLETE));
}
