//! `symloc explain`: checks each number of each sentence, for all kernels of PolyBench at LARGE with two caches.
//!
//! In JSON each number of a sentence has its meaning. Here the numbers are computed again with the library, and the
//! result of a search is compared with its neighbours. Words have no digits, so no number is missed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::rc::Rc;

use crate::common::{model, nothing_from, root, share, symloc};
use serde_json::Value;
use symloc_evaluate::{Attribution, Evaluator, MissModel, Prediction};
use symloc_model::{LineChoice, Model, NamedSizes};
use symloc_quasi::Int;
use symloc_query::answers::lower_bound::BoundedSize;

/// Programs whose distances take long to derive; only an ignored test compares them.
const LONG: [&str; 5] = ["adi", "fdtd-2d", "heat-3d", "nussinov", "seidel-2d"];

/// The sizes of the caches as options, and in lines.
const CACHES: [(&str, u64); 2] = [("32KiB", 512), ("1MiB", 16384)];

const LINE_BYTES: f64 = 64.0;

/// The widest line of text.
const WIDTH: usize = 118;

fn kernels() -> Vec<String> {
    let names = fs::read_dir(root().join("polybench")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut kernels: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".mlir")?.to_owned())).filter(|name| name != "matmul").collect();
    kernels.sort();
    kernels
}

/// The misses at one size, by one of the two models of misses.
struct At {
    prediction: &'static Prediction,
    attribution: Attribution<'static>,
}

impl At {
    fn new(evaluator: &Evaluator<'_>, sizes: &NamedSizes, exact: bool) -> Self {
        let miss_model = if exact { MissModel::Lru } else { MissModel::Denning };
        let prediction: &'static _ = Box::leak(Box::new(evaluator.predict(miss_model, sizes).unwrap()));
        At { prediction, attribution: evaluator.attribution(prediction).unwrap() }
    }

    fn accesses(&self, access: usize) -> Int {
        self.attribution.accesses(access).clone()
    }

    fn first_touches(&self, access: usize) -> Int {
        self.attribution.first_touches(access)
    }

    /// Returns the number of reuses of an access that miss in a cache of `lines` lines.
    fn late(&self, access: usize, lines: &Int) -> Int {
        self.attribution.misses(lines).unwrap()[access].reuse.clone()
    }

    /// Returns N, m and the misses of all accesses.
    fn all(&self, lines: &Int) -> [Int; 3] {
        let all = self.prediction;
        [all.accesses().clone(), all.blocks().clone(), all.misses(lines).unwrap().total()]
    }

    /// Returns the window of a cache.
    fn window(&self, lines: &Int) -> Int {
        assert_eq!(self.prediction.miss_model(), MissModel::Denning, "LRU has no windows");
        self.prediction.window(lines).unwrap().unwrap()
    }
}

/// The computation of the numbers with the library.
struct Oracle<'m> {
    model: &'m Model,
    evaluator: Evaluator<'m>,
    exact: bool,
    here: BTreeMap<String, i64>,
    known: RefCell<BTreeMap<BTreeMap<String, i64>, Rc<At>>>,
}

impl Oracle<'_> {
    fn at(&self, sizes: &BTreeMap<String, i64>) -> Rc<At> {
        let named: NamedSizes = sizes.iter().map(|(name, value)| (name.clone(), *value)).collect();
        let new = || Rc::new(At::new(&self.evaluator, &named, self.exact));
        self.known.borrow_mut().entry(sizes.clone()).or_insert_with(new).clone()
    }

    fn here(&self) -> Rc<At> {
        self.at(&self.here)
    }

    fn every_access(&self) -> Vec<usize> {
        (0..self.model.outline().unwrap().accesses.len()).collect()
    }

    fn sum(&self, accesses: &[usize], of: impl Fn(&At, usize) -> Int) -> Int {
        let here = self.here();
        accesses.iter().fold(Int::ZERO, |sum, access| &sum + &of(&here, *access))
    }

    fn late(&self, accesses: &[usize], lines: &Int) -> Int {
        self.sum(accesses, |at, access| at.late(access, lines))
    }

    fn misses(&self, accesses: &[usize], lines: &Int) -> Int {
        &self.late(accesses, lines) + &self.sum(accesses, At::first_touches)
    }

    /// Returns the expected value of a number; a ratio is a pair.
    fn expected(&self, number: &Value, accesses: &[usize]) -> Expected {
        let lines = || int(&number["lines"]);
        match number["is"].as_str().unwrap() {
            "accesses" => Expected::Count(self.sum(accesses, At::accesses)),
            "first_touches" => Expected::Count(self.sum(accesses, At::first_touches)),
            "reuses" => Expected::Count(&self.sum(accesses, At::accesses) - &self.sum(accesses, At::first_touches)),
            "misses" => Expected::Count(self.misses(accesses, &lines())),
            "late_reuses" => Expected::Count(self.late(accesses, &lines())),
            "share" => Expected::Percent(self.misses(accesses, &lines()), self.misses(&self.every_access(), &lines())),
            "miss_ratio" => {
                let [all, _, misses] = self.at(&self.sizes(number)).all(&lines());
                Expected::Percent(misses, all)
            }
            "lines" => Expected::Count(lines()),
            "bytes" => Expected::Bytes(lines().to_f64() * LINE_BYTES),
            "distance" => Expected::Count(&lines() - &Int::from(1)),
            "interval" => Expected::Count(self.interval(accesses, &lines())),
            "window" => Expected::Count(self.here().window(&lines())),
            "count" => Expected::Count(Int::from(accesses.len() as i64)),
            "bound" => Expected::Count(self.bound(&lines())),
            "times_bound" => Expected::Times(self.misses(&self.every_access(), &lines()), self.bound(&lines())),
            other => panic!("{other}"),
        }
    }

    /// Returns the misses that no order goes below, which `slow/bound.rs` compares with runs.
    fn bound(&self, lines: &Int) -> Int {
        let evaluator = Evaluator::new(self.model, LineChoice::Only).unwrap();
        BoundedSize::new(self.model, &evaluator, self.here().prediction).unwrap().misses(lines)
    }

    fn sizes(&self, number: &Value) -> BTreeMap<String, i64> {
        number.get("parameters").map_or_else(|| self.here.clone(), parameters)
    }

    /// Returns the shortest interval of the reuses that miss in a cache of `lines` lines, by bisection.
    fn interval(&self, accesses: &[usize], lines: &Int) -> Int {
        let here = self.here();
        let above = |x: &Int| {
            accesses.iter().fold(Int::ZERO, |sum, access| &sum + &here.attribution.above(*access, x).unwrap())
        };
        let window = here.window(lines);
        let late = above(&window);
        let (mut low, mut high) = (window, here.prediction.accesses().clone());
        while &high - &low > Int::from(1) {
            let middle = (&low + &high).div_floor(&Int::from(2)).unwrap();
            if above(&middle) < late { high = middle } else { low = middle }
        }
        high
    }
}

enum Expected {
    Count(Int),
    Percent(Int, Int),
    Times(Int, Int),
    Bytes(f64),
}

impl Expected {
    fn is(&self, text: &str) -> bool {
        match self {
            Expected::Count(count) => count.to_string() == text,
            Expected::Percent(part, whole) => {
                let exact = 100.0 * part.ratio(whole);
                match text.strip_suffix('%').unwrap() {
                    "100" => part == whole,
                    "0" => part.is_zero(),
                    "over 99.99" => exact > 99.99 && part < whole,
                    rounded => near(rounded, exact) && part < whole && !part.is_zero(),
                }
            }
            Expected::Times(number, of) => near(text, number.ratio(of)),
            Expected::Bytes(bytes) => {
                let (value, unit) = text.split_once(' ').unwrap();
                let power = ["B", "KiB", "MiB", "GiB"].iter().position(|name| *name == unit).unwrap();
                near(value, bytes / 1024_f64.powi(power as i32))
            }
        }
    }
}

/// Returns true if a decimal number is the exact one rounded to its digits.
fn near(text: &str, exact: f64) -> bool {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let places = mantissa.split_once('.').map_or(0, |(_, places)| places.len() as i32);
    let unit = 10_f64.powi(exponent.parse::<i32>().unwrap() - places);
    (text.parse::<f64>().unwrap() - exact).abs() <= 0.500_001 * unit
}

fn int(value: &Value) -> Int {
    Int::from(value.to_string().parse::<i128>().unwrap())
}

fn parameters(value: &Value) -> BTreeMap<String, i64> {
    value.as_object().unwrap().iter().map(|(name, value)| (name.clone(), value.as_i64().unwrap())).collect()
}

fn list(value: &Value) -> Option<Vec<usize>> {
    value.as_array().map(|all| all.iter().map(|one| one.as_u64().unwrap() as usize).collect())
}

/// Returns the errors in the explanations of a kernel by one model of misses.
fn wrong(kernel: &str, path: &str, exact: bool) -> Option<String> {
    let caches = CACHES.iter().flat_map(|(size, _)| ["--cache", size]);
    let miss_model = if exact { "lru" } else { "denning" };
    let question = ["explain", path, "--dataset", "large", "--model", miss_model].into_iter().chain(caches);
    let question: Vec<&str> = question.collect();
    let (text, errors, status) = symloc(&question);
    if status != Some(0) {
        return Some(format!("{kernel}: {errors}"));
    }
    let answer: Value = serde_json::from_str(&symloc(&[question.as_slice(), &["--json"]].concat()).0).unwrap();
    let model = Model::load(path.as_ref()).unwrap();
    let oracle = Oracle {
        model: &model,
        evaluator: Evaluator::new(&model, LineChoice::Only).unwrap(),
        exact,
        here: parameters(&answer["parameters"]),
        known: RefCell::default(),
    };
    assert_eq!(answer["schema"], "symloc.explain/1");
    let mut wrong = Vec::new();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut read = words(&text);
    let caches = answer["caches"].as_array().unwrap();
    assert_eq!(caches.len(), CACHES.len());
    for (cache, (_, lines)) in caches.iter().zip(CACHES) {
        assert_eq!(int(&cache["lines"]), Int::from(lines));
        thresholds(&oracle, cache, &mut wrong);
        sizes(&oracle, cache, &mut wrong);
        sentences(&oracle, cache, &mut wrong);
        for sentence in cache["sentences"].as_array().unwrap() {
            match read.split_once(&words(sentence["text"].as_str().unwrap())) {
                Some((_, rest)) => read = rest.to_owned(),
                None => wrong.push(format!("not in the text: {}", sentence["text"])),
            }
        }
    }
    wrong.extend(text.lines().filter(|line| line.chars().count() > WIDTH).map(|line| format!("too long: {line}")));
    let model = format!("{kernel}, {miss_model}");
    (!wrong.is_empty()).then(|| format!("{model}:\n{}", wrong.join("\n")))
}

/// Checks that each threshold is the smallest cache with its misses, and that these satisfy its goal.
fn thresholds(oracle: &Oracle<'_>, cache: &Value, wrong: &mut Vec<String>) {
    let here = int(&cache["lines"]);
    let every = oracle.every_access();
    for threshold in cache["thresholds"].as_array().unwrap() {
        let accesses = list(&threshold["accesses"]);
        let left = |lines: &Int| match &accesses {
            Some(accesses) => oracle.late(accesses, lines),
            None => oracle.here().all(lines)[2].clone(),
        };
        let (at_most, lines, one) = (int(&threshold["at_most"]), int(&threshold["lines"]), Int::from(1));
        let tenths = |tenths: i64| (&left(&here) * &Int::from(tenths)).div_floor(&Int::from(10)).unwrap();
        let (goal, larger) = match threshold["goal"].as_str().unwrap() {
            "twice" => (tenths(20), false),
            "tenth_more" => (tenths(11), false),
            "tenth_fewer" => (tenths(9), true),
            "half" => (tenths(5), true),
            "first_touches" => (oracle.sum(&every, At::first_touches), true),
            "some_reuses" => (&left(&here) - &one, true),
            "most_reuses" => (tenths(1), true),
            "all_reuses" => (Int::ZERO, true),
            other => panic!("{other}"),
        };
        let first = left(&lines) <= at_most && (lines == one || left(&(&lines - &one)) > at_most);
        if goal != at_most || !first || (lines > here) != larger {
            wrong.push(format!("{here} lines: {threshold}"));
        }
    }
}

/// Checks the misses of all sizes that were tried, and whether the miss ratio differs there.
fn sizes(oracle: &Oracle<'_>, cache: &Value, wrong: &mut Vec<String>) {
    let lines = int(&cache["lines"]);
    let [accesses, _, misses] = oracle.here().all(&lines);
    let mut factor = |tried: &Value| {
        let [tried_accesses, _, tried_misses] = oracle.at(&parameters(&tried["parameters"])).all(&lines);
        if int(&tried["accesses"]) != tried_accesses || int(&tried["misses"]) != tried_misses {
            wrong.push(format!("{lines} lines: {tried}"));
        }
        let (own, other) = (&misses * &tried_accesses, &tried_misses * &accesses);
        let times = |ratio: &Int, factor: i64| ratio * &Int::from(factor);
        let (less, more) = (times(&other, 3) <= times(&own, 2), times(&other, 2) >= times(&own, 3));
        if less {
            "less"
        } else if more {
            "more"
        } else {
            ""
        }
    };
    let mut differ = Vec::new();
    for change in cache["changes"].as_array().unwrap() {
        let expected = change["factor"].as_str().unwrap();
        if factor(&change["with"]) != expected || factor(&change["without"]) == expected {
            differ.push(format!("{lines} lines: {change}"));
        }
    }
    for tried in cache["tried"].as_array().unwrap() {
        if !factor(tried).is_empty() {
            differ.push(format!("{lines} lines: {tried}"));
        }
    }
    wrong.extend(differ);
}

/// Checks each number, that there are no other numbers, and that each access is mentioned once.
fn sentences(oracle: &Oracle<'_>, cache: &Value, wrong: &mut Vec<String>) {
    let told: BTreeSet<Int> = told(cache);
    let mut spoken_of = BTreeMap::new();
    for sentence in cache["sentences"].as_array().unwrap() {
        let (mut read, mut name) = (String::new(), "");
        let mut own = BTreeSet::new();
        for part in sentence["parts"].as_array().unwrap() {
            let number = part["number"].as_str();
            match (part.as_str(), part["name"].as_str()) {
                (Some(words), _) => {
                    assert!(!words.contains(|c: char| c.is_ascii_digit()), "{words}");
                    read += words;
                }
                (_, Some(named)) => {
                    name = named;
                    read += named;
                }
                _ => read += number.unwrap(),
            }
            let Some(number) = number else { continue };
            let accesses = list(&part["accesses"]);
            own.extend(accesses.iter().flatten().copied());
            let right = match part["is"].as_str().unwrap() {
                "size" => oracle.sizes(part)[name].to_string() == number,
                _ => oracle.expected(part, &accesses.unwrap_or_else(|| oracle.every_access())).is(number),
            };
            let known = part.get("lines").is_none_or(|lines| told.contains(&int(lines)));
            if !right || !known {
                wrong.push(format!("{part} in {}", sentence["text"]));
            }
        }
        if read != sentence["text"].as_str().unwrap() {
            wrong.push(format!("{} is not its parts", sentence["text"]));
        }
        claims(oracle, &int(&cache["lines"]), &read, &own.iter().copied().collect::<Vec<_>>(), wrong);
        own.into_iter().for_each(|access| *spoken_of.entry(access).or_insert(0) += 1);
    }
    let executed = oracle.every_access().into_iter().filter(|access| !oracle.here().accesses(*access).is_zero());
    if !spoken_of.into_iter().eq(executed.map(|access| (access, 1))) {
        wrong.push("not every access is mentioned once".to_owned());
    }
}

/// Returns the caches that sentences may mention.
fn told(cache: &Value) -> BTreeSet<Int> {
    let found = cache["thresholds"].as_array().unwrap().iter().map(|threshold| int(&threshold["lines"]));
    let around = found.flat_map(|lines| [&lines - &Int::from(1), lines]);
    around.chain([int(&cache["lines"])]).collect()
}

/// Checks the statements of a sentence about its accesses.
fn claims(oracle: &Oracle<'_>, lines: &Int, read: &str, accesses: &[usize], wrong: &mut Vec<String>) {
    let here = oracle.here();
    let late = |access: &usize| !here.late(*access, lines).is_zero();
    let reused = |access: &usize| here.accesses(*access) > here.first_touches(*access);
    let holds = if read.starts_with("All reuses of ") {
        accesses.iter().all(|access| reused(access) && !late(access))
    } else if read.contains(" first touches: ") && read.contains(" only make") {
        !accesses.iter().any(reused)
    } else if read.ends_with(": only first touches.") {
        !accesses.iter().any(late)
    } else if read.starts_with("Reuses of ") || read.contains(" of the misses, ") {
        accesses.iter().all(late)
    } else {
        accesses.is_empty()
    };
    if !holds {
        wrong.push(format!("it is not so: {read}"));
    }
}

/// Returns the errors in the explanations of a kernel.
fn difference(kernel: &str, exact: bool) -> Option<String> {
    let source = format!("polybench/{kernel}.mlir");
    let arguments = [source.as_str(), "--exact"];
    let path = match model(if exact { &arguments } else { &arguments[..1] }) {
        Ok(path) => path,
        Err(refused) => return Some(refused),
    };
    let found = [wrong(kernel, &path, false), if exact { wrong(kernel, &path, true) } else { None }];
    let found: Vec<String> = found.into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.join("\n"))
}

#[test]
fn every_number_is_that_of_a_query() {
    let kernels = kernels();
    assert_eq!(kernels.len(), 30);
    nothing_from(share([0, 4], kernels.iter()), |kernel| difference(kernel, !LONG.contains(&kernel.as_str())));
}

#[test]
#[ignore = "minutes: cargo test --release -p symloc --test program explain:: -- --ignored"]
fn distances_that_take_long_to_derive() {
    nothing_from(LONG.iter(), |kernel| difference(kernel, true));
}
