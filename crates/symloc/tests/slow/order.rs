//! `symloc order`: its orders beside iterations that are sorted by the definition of an order, its misses beside a cache of the
//! test's own; and questions from standard input.

mod memory;
mod printed;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::common::{STEPS, nothing_from, root, symloc};
use memory::{ArrayMemory, LINES};
use printed::{Iteration, Printed, PrintedStatement};

/// Kernels whose loops pass on values that are no accesses of `derive`, and in memory for `order`.
const WITH_VALUES: [&str; 6] = ["adi", "deriche", "durbin", "gramschmidt", "ludcmp", "symm"];

/// The kernels in MLIR.
fn kernels() -> Vec<String> {
    let entries = fs::read_dir(root().join("polybench")).unwrap();
    let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".mlir").map(str::to_owned)).collect();
    names.retain(|name| !WITH_VALUES.contains(&name.as_str()));
    names.sort();
    names
}

/// Small sizes, each another one.
fn sizes(program: &Printed) -> BTreeMap<String, i64> {
    let size = |(place, name): (usize, &String)| {
        let size = if STEPS.contains(&name.as_str()) { 3 } else { 11 + 3 * i64::try_from(place).unwrap() };
        (name.clone(), size)
    };
    program.parameters.iter().enumerate().map(size).collect()
}

/// Returns the answer, and the notes.
fn answer_with_notes(arguments: &[&str]) -> (Value, String) {
    let (answer, errors, status) = symloc(&[&["order"], arguments].concat());
    let answer = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{arguments:?}: {status:?} {errors}"));
    (answer, errors)
}

fn answer(arguments: &[&str]) -> Value {
    answer_with_notes(arguments).0
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn texts(value: &Value) -> Vec<&str> {
    list(value).iter().filter_map(Value::as_str).collect()
}

/// The statements of a nest in an order.
struct Ordered {
    /// By statement in the sequence of the program, its place in that of the order.
    places: Vec<usize>,
    /// By statement in the sequence of the order, the places of its loops among those that are around it as written.
    loops: Vec<Vec<usize>>,
    /// By statement in the sequence of the order, the loops that it shares with the one before it.
    shared: Vec<usize>,
}

impl Ordered {
    /// Reads an order of a nest; `written` has the statements in the order as written.
    fn of(written: &[Value], statements: &[Value]) -> Self {
        let mut places = vec![usize::MAX; written.len()];
        let mut loops = Vec::new();
        for (place, statement) in statements.iter().enumerate() {
            let before = written.iter().position(|other| other["lines"] == statement["lines"]).unwrap();
            places[before] = place;
            let names = texts(&written[before]["loops"]);
            let old = |name: &str| names.iter().position(|other| *other == name).unwrap();
            loops.push(texts(&statement["loops"]).into_iter().map(old).collect());
        }
        let shared = statements.iter().map(|statement| statement["shared"].as_u64().unwrap() as usize).collect();
        Self { places, loops, shared }
    }

    /// Compares the times of two iterations: those of shared loops first, then the places of the statements.
    fn compare(&self, first: usize, a: &Iteration, b: &Iteration) -> Ordering {
        let (a_place, b_place) = (self.places[a.statement - first], self.places[b.statement - first]);
        let time = |iteration: &Iteration, place: usize| -> Vec<i64> {
            self.loops[place].iter().map(|old| iteration.values[*old]).collect()
        };
        let (a_time, b_time) = (time(a, a_place), time(b, b_place));
        let (low, high) = (a_place.min(b_place), a_place.max(b_place));
        let common = self.shared[low + 1..=high].iter().copied().min().unwrap_or(a_time.len());
        a_time[..common].cmp(&b_time[..common]).then(a_place.cmp(&b_place)).then(a_time.cmp(&b_time))
    }
}

/// The access that wrote an element last, for each access.
type Versions<'i> = BTreeMap<(usize, &'i [i64], usize), Option<(usize, &'i [i64], usize)>>;

/// Returns the writes that accesses see. Two orders in which all see the same compute the same.
fn versions<'i>(iterations: &[&'i Iteration]) -> Versions<'i> {
    let (mut last, mut found) = (HashMap::new(), BTreeMap::new());
    for iteration in iterations {
        for (place, (array, subscripts, writes)) in iteration.accesses.iter().enumerate() {
            let access = (iteration.statement, iteration.values.as_slice(), place);
            let element = (array.as_str(), subscripts.as_slice());
            found.insert(access, last.get(&element).copied());
            if *writes {
                last.insert(element, access);
            }
        }
    }
    found
}

/// The numbers of nests that were looked at.
#[derive(Debug, Default)]
struct Looked {
    nests: usize,
    with_several: usize,
    best: usize,
    orders: usize,
    refused: usize,
}

/// Checks every order of a nest; returns what is wrong.
fn check_nest(
    nest: &Value,
    (first, statements): (usize, &[PrintedStatement]),
    (program_memory, iterations): (&ArrayMemory, &[&Iteration]),
    looked: &mut Looked,
) -> Result<(), String> {
    let orders = list(&nest["orders"]);
    let written = orders.iter().find(|order| order["written"] == true).ok_or("no order is as written")?;
    let written = list(&written["statements"]);
    let depths = |all: &[Value]| all.iter().map(|one| list(&one["loops"]).len()).collect::<Vec<_>>();
    if depths(written) != statements.iter().map(|one| one.loops.len()).collect::<Vec<_>>() {
        return Err(format!("other statements: {written:?}, {statements:?}"));
    }
    let as_written = versions(iterations);
    let sorted = |order: &Value| {
        let ordered = Ordered::of(written, list(&order["statements"]));
        let mut sorted = iterations.to_vec();
        sorted.sort_by(|a, b| ordered.compare(first, a, b));
        sorted
    };
    let mut counted = Vec::new();
    for order in orders {
        let sorted = sorted(order);
        if versions(&sorted) != as_written {
            return Err(format!("not legal: {}", order["order"]));
        }
        let misses = program_memory.misses(&sorted);
        if order["misses"] != json!([misses]) || order["exact"] != true {
            return Err(format!("{misses} misses, not {}, in {}", order["misses"], order["order"]));
        }
        counted.push(misses);
    }
    for order in list(&nest["refused"]) {
        if versions(&sorted(order)) == as_written {
            return Err(format!("it is legal at this size: {}: {}", order["order"], order["why"]));
        }
        looked.refused += 1;
    }
    let distinct: BTreeSet<String> = orders.iter().map(|order| order["order"].to_string()).collect();
    if distinct.len() < orders.len() {
        return Err(format!("an order stands twice: {orders:?}"));
    }
    looked.nests += 1;
    looked.orders += orders.len();
    looked.with_several += usize::from(orders.len() > 1);
    looked.best += usize::from(counted.first() == counted.iter().min());
    Ok(())
}

fn check_kernel(kernel: &str, looked: &Mutex<Looked>) -> Result<(), String> {
    let file = format!("polybench/{kernel}.mlir");
    let (text, errors, _) = symloc(&["derive", &file, "--emit", "affine"]);
    assert!(text.starts_with("program"), "{errors}");
    let program = Printed::of(&text);
    let sizes = sizes(&program);
    let defines: Vec<String> = sizes.iter().map(|(name, size)| format!("-D{name}={size}")).collect();
    let cache = format!("--cache={LINES}lines,full");
    let options = [file.as_str(), &cache, "--format", "json", "--search-time", "600"];
    let arguments: Vec<&str> = options.into_iter().chain(defines.iter().map(String::as_str)).collect();
    let (answer, notes) = answer_with_notes(&arguments);
    let iterations = program.run(&sizes);
    let memory = ArrayMemory::of(&program, &notes);
    let places: BTreeSet<usize> = program.statements.iter().filter_map(|statement| statement.nest).collect();
    let nests = list(&answer["nests"]);
    if nests.len() != places.len() {
        return Err(format!("{kernel}: {} nests, not {}", nests.len(), places.len()));
    }
    for (nest, place) in nests.iter().zip(places) {
        let is_here = |statement: &PrintedStatement| statement.nest == Some(place);
        let first = program.statements.iter().position(is_here).unwrap();
        let count = program.statements.iter().filter(|statement| is_here(statement)).count();
        let statements = &program.statements[first..first + count];
        let own = |iteration: &&Iteration| (first..first + count).contains(&iteration.statement);
        let own: Vec<&Iteration> = iterations.iter().filter(own).collect();
        let mut found = Looked::default();
        check_nest(nest, (first, statements), (&memory, &own), &mut found)
            .map_err(|wrong| format!("{kernel}, line {}: {wrong}", nest["line"]))?;
        let mut looked = looked.lock().unwrap();
        looked.nests += found.nests;
        looked.with_several += found.with_several;
        looked.best += found.best;
        looked.orders += found.orders;
        looked.refused += found.refused;
    }
    Ok(())
}

/// Legal orders compute the same, others do not, and the misses are those of iterations that are sorted.
#[test]
fn orders_are_legal_and_their_misses_are_counted() {
    let looked = Mutex::default();
    nothing_from(kernels().iter(), |kernel| check_kernel(kernel, &looked).err());
    let looked = looked.into_inner().unwrap();
    assert!(looked.with_several >= 30 && looked.refused >= 20, "{looked:?}");
    assert_eq!(looked.best, looked.nests, "{looked:?}");
    println!("{looked:?}");
}

/// Asks questions of one process; returns the answers.
fn served(questions: &[String]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symloc"));
    let command = command.args(["order", "--serve"]).current_dir(root());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all((questions.join("\n") + "\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const PRODUCT: &str = "void product(int n, double a[n][n], double b[n][n], double c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
";

#[test]
fn questions_from_standard_input_are_answered_one_by_one() {
    let caches = ["1KiB,full", "4KiB,full"];
    let questions = [
        json!({ "id": 1, "text": PRODUCT, "language": "c", "sizes": { "n": 30 }, "caches": caches }),
        json!({ "id": "two", "text": PRODUCT.replace("n][n]", "n][m]"), "language": "c", "caches": caches }),
        json!({ "file": "polybench/gemm.mlir", "options": ["--dataset", "mini"], "caches": caches }),
        json!({ "file": "polybench/gemm.mlir", "cash": caches }),
        json!({ "file": "no/such.mlir", "caches": caches }),
        json!({ "file": "polybench/gemm.mlir", "text": PRODUCT }),
        json!({ "id": 7, "file": "polybench/gemm.mlir", "sizes": { "ni": 4 }, "caches": caches }),
        json!({ "id": 8, "file": "polybench/gemm.mlir", "options": ["--dataset", "tiny"], "caches": caches }),
        json!({ "id": 9, "text": PRODUCT.replace("int n, ", "").replace("n]", "N]").replace("< n", "< N"), "language": "c", "flags": ["-DN=30"], "caches": caches,
            "function": "product" }),
    ];
    let questions: Vec<String> =
        questions.iter().map(Value::to_string).chain(["{ \"id\": ".to_owned(), String::new()]).collect();
    let answers = served(&questions);
    assert_eq!(answers.len(), 10);
    let errors = [
        (1, "text.c:1:"),
        (3, "unknown field `cash`"),
        (4, "no/such.mlir: cannot read it"),
        (5, "either a `file` or a `text`"),
        (6, "no value for the parameter nj\nhelp: give it with -D nj="),
        (7, "invalid value 'tiny'"),
        (9, "this is no question"),
    ];
    for (place, answer) in answers.iter().enumerate() {
        let wrong = errors.iter().find(|(wrong, _)| *wrong == place);
        let schema = if wrong.is_some() { "symloc.error/1" } else { "symloc.order/1" };
        assert_eq!(answer["schema"], schema, "{place}: {answer}");
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(wrong.is_none_or(|(_, said)| error.contains(said) && !error.contains("/tmp")), "{place}: {answer}");
    }
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(
        ids,
        [
            &json!(1),
            &json!("two"),
            &json!(null),
            &json!(null),
            &json!(null),
            &json!(null),
            &json!(7),
            &json!(8),
            &json!(9),
            &json!(null)
        ]
    );
    let alone = ["polybench/gemm.mlir", "--dataset", "mini", "--cache", caches[0], "--cache", caches[1]];
    assert_eq!(answers[2], answer(&[&alone[..], &["--format", "json"]].concat()));
    // A product has six orders, and its size may be a constant of the compiler.
    let orders = |place: usize| list(&answers[place]["nests"][0]["orders"]).to_vec();
    assert_eq!(orders(0).len(), 6);
    let counted = |orders: Vec<Value>| orders.iter().map(|order| order["misses"].clone()).collect::<Vec<_>>();
    assert_eq!(counted(orders(0)), counted(orders(8)));
}

/// Orders with tiles that the user gives, and whether they are legal.
const GIVEN: [(&str, &str, bool); 4] = [
    ("gemm", "k:4, i:8, j:16", true),
    ("syr2k", "k:6:3, i:9:3, j:3", true),
    ("seidel-2d", "t, i:4, j:4", false),
    ("trmm", "j:4, i, k:5", true),
];

/// The misses of a given order are those of the source that `advise` writes for it, as `simulate` counts them.
#[test]
fn given_orders_are_those_of_written_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("order-given");
    fs::create_dir_all(&folder).unwrap();
    nothing_from(GIVEN.iter(), |(kernel, order, is_legal)| {
        let (file, new) = (format!("polybench/c/{kernel}.c"), folder.join(format!("{kernel}.c")));
        let options = ["--dataset", "mini", "--cache", "1KiB,full", "--cache", "6KiB,full", "--assume-noalias"];
        let answer = answer(&[&[file.as_str(), "--format", "json", "--order", order], &options[..]].concat());
        let nest = &answer["nests"][0];
        let is_given = |found: &&Value| found["given"] == *order;
        let found = list(&nest["orders"]).iter().find(is_given);
        if !is_legal {
            let refused = list(&nest["refused"]).iter().find(is_given);
            let why = refused.and_then(|refused| refused["why"].as_str()).unwrap_or_default();
            return (found.is_some() || !why.contains("has to come before")).then(|| format!("{kernel}: {answer}"));
        }
        let new = new.to_str().unwrap();
        symloc(&[&["advise", &file, "--order", order, "-o", new], &options[..]].concat());
        let (simulated, errors, _) = symloc(&[&["simulate", new, "--json"], &options[..]].concat());
        let simulated: Value = serde_json::from_str(&simulated).unwrap_or_else(|_| panic!("{kernel}: {errors}"));
        let misses: Vec<&Value> = list(&simulated["levels"]).iter().map(|level| &level["misses"]).collect();
        let is_equal = found.is_some_and(|found| list(&found["misses"]).iter().eq(misses.iter().copied()));
        (!is_equal).then(|| format!("{kernel}: {misses:?}, {answer}"))
    });
}

#[test]
fn what_has_no_orders_is_refused() {
    let file = "polybench/c/gemm.c";
    let options = ["--dataset", "mini", "--assume-noalias"];
    for (more, said) in [
        (&["--cache", "1KiB", "--order", "i, j, l"][..], "no statement is in the loops i, j, l"),
        (&["--cache", "1KiB", "--order", "i:0"], "--order: `0` is no size of tiles"),
        (&[], "no cache is given"),
        (&["--cache", "1KiB", "--line-bytes", "32,64"], "several line sizes: orders are compared at one"),
        (&["--cache", "1KiB", "--nest", "3"], "no outermost loop is on line 3\nhelp: there are some on the lines 18"),
        (&["--cache", "1KiB", "--serve"], "cannot be used with"),
    ] {
        let (_, errors, status) = symloc(&[&["order", file][..], &options, more].concat());
        assert!(status == Some(2) && errors.contains(said), "{more:?}: {status:?} {errors}");
    }
    let (_, errors, _) = symloc(&["order", "tests/c/fortran/arrays.f90", "--cache", "1KiB"]);
    assert!(errors.contains("orders of loops are for C, C++, MLIR and einsums only"), "{errors}");
}
