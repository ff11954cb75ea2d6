//! `symloc order`: its orders beside iterations that are sorted by the definition of an order, its misses beside a cache of the
//! test's own; and questions from standard input.

mod lists;
mod memory;
mod permuted;
mod printed;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::common::{STEPS, nothing_from, root, share, symloc};
use lists::list;
use memory::{ArrayMemory, LINES};
use permuted::{Ordered, StatementOrder, permutations};
use printed::{Iteration, Printed, PrintedStatement};

/// Kernels whose loops pass on values: no accesses, but dependences, which `derive` does not print.
const WITH_VALUES: [&str; 6] = ["adi", "deriche", "durbin", "gramschmidt", "ludcmp", "symm"];

/// The kernels in MLIR.
fn kernels() -> Vec<String> {
    let entries = fs::read_dir(root().join("polybench")).unwrap();
    let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".mlir").map(str::to_owned)).collect();
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
    /// The permutations of loops that are not legal, by enumeration.
    not_legal: usize,
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
    looked.not_legal += check_permutations(nest, first, iterations)?;
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

/// Checks the misses of a nest as written.
fn check_written(nest: &Value, memory: &ArrayMemory, iterations: &[&Iteration]) -> Result<(), String> {
    let written =
        list(&nest["orders"]).iter().find(|order| order["written"] == true).ok_or("no order is as written")?;
    let misses = memory.misses(iterations);
    match written["misses"] == json!([misses]) {
        true => Ok(()),
        false => Err(format!("{misses} misses as written, not {}", written["misses"])),
    }
}

/// Runs the nest in every permutation of its loops, and checks that the answer has exactly those that compute the same;
/// returns the number of the others.
fn check_permutations(nest: &Value, first: usize, iterations: &[&Iteration]) -> Result<usize, String> {
    let orders = list(&nest["orders"]);
    let written = orders.iter().find(|order| order["written"] == true).ok_or("no order is as written")?;
    let written = StatementOrder::of(list(&written["statements"]));
    let as_written = versions(iterations);
    let is_legal = |order: &StatementOrder| {
        let ordered = written.permuted_to(order);
        let mut sorted = iterations.to_vec();
        sorted.sort_by(|a, b| ordered.compare(first, a, b));
        versions(&sorted) == as_written
    };
    let (legal, others): (BTreeSet<StatementOrder>, BTreeSet<StatementOrder>) =
        permutations(&written).into_iter().partition(is_legal);
    let told = |orders: &Value| {
        let orders = list(orders).iter().map(|order| StatementOrder::of(list(&order["statements"])));
        orders.filter(|order| order.is_permutation_of(&written)).collect::<BTreeSet<_>>()
    };
    if told(&nest["orders"]) != legal {
        return Err(format!("the legal permutations are {legal:?}, not {:?}", told(&nest["orders"])));
    }
    match told(&nest["refused"]).is_subset(&others) {
        true => Ok(others.len()),
        false => Err(format!("the permutations that are not legal are {others:?}")),
    }
}

/// Checks a kernel; of one that passes on values only the misses as written, since its dependences are not printed.
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
        if WITH_VALUES.contains(&kernel) {
            check_written(nest, &memory, &own).map_err(|wrong| format!("{kernel}, line {}: {wrong}", nest["line"]))?;
            continue;
        }
        let mut found = Looked::default();
        check_nest(nest, (first, statements), (&memory, &own), &mut found)
            .map_err(|wrong| format!("{kernel}, line {}: {wrong}", nest["line"]))?;
        let mut looked = looked.lock().unwrap();
        looked.nests += found.nests;
        looked.with_several += found.with_several;
        looked.best += found.best;
        looked.orders += found.orders;
        looked.refused += found.refused;
        looked.not_legal += found.not_legal;
    }
    Ok(())
}

/// Legal orders compute the same, others do not, and the misses are those of iterations that are sorted.
#[test]
fn orders_are_legal_and_their_misses_are_counted() {
    let looked = Mutex::default();
    let kernels: Vec<String> = share([0, 3], kernels().into_iter()).collect();
    nothing_from(kernels.iter(), |kernel| check_kernel(kernel, &looked).err());
    let looked = looked.into_inner().unwrap();
    assert!(looked.with_several >= kernels.len(), "{looked:?}");
    // Enumeration finds permutations that are not legal, so the comparison can fail.
    assert!(looked.not_legal > 0 && looked.refused > 0, "{looked:?}");
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

/// Orders that the user gives, and whether they are legal. In one program a declaration between the loops reads memory, and is
/// copied into the statement; in the last one an element is read where a condition on counters holds.
const GIVEN: [(&str, [&str; 2], &str, bool); 8] = [
    ("polybench/c/gemm", ["--dataset", "mini"], "k:4, i:8, j:16", true),
    ("polybench/c/syr2k", ["--dataset", "mini"], "k:6:3, i:9:3, j:3", true),
    ("polybench/c/seidel-2d", ["--dataset", "mini"], "t, i:4, j:4", false),
    ("polybench/c/trmm", ["--dataset", "mini"], "j:4, i, k:5", true),
    ("tests/c/pass/linearised_row_pointer", ["-Dn=25", "-Dm=70"], "j, i", true),
    ("tests/c/pass/linearised_row_pointer", ["-Dn=40", "-Dm=70"], "j:5, i", true),
    ("tests/c/pass/upper_half_copied", ["-Dn=48", "--function=copy_half"], "i, j", true),
    ("tests/c/pass/upper_half_copied", ["-Dn=37", "--function=copy_half"], "i:8, j", true),
];

/// The misses of a given order are those of the source that `advise` writes for it, as `simulate` counts them.
#[test]
fn given_orders_are_those_of_written_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("order-given");
    fs::create_dir_all(&folder).unwrap();
    nothing_from(GIVEN.iter().enumerate(), |(place, (kernel, [first, second], order, is_legal))| {
        let (file, new) = (format!("{kernel}.c"), folder.join(format!("{place}.c")));
        let options = [*first, *second, "--cache", "1KiB,full", "--cache", "6KiB,full", "--assume-noalias"];
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

/// Programs with one nest and scalars: local ones, one that a loop passes on, and a global one.
const SCALARS: [(&str, [&str; 2]); 3] = [
    ("polybench/c/symm.c", ["--dataset", "mini"]),
    ("polybench/symm.mlir", ["--dataset", "mini"]),
    ("tests/c/pass/global_total.c", ["-D", "n=100"]),
];

/// Scalars that `simulate` takes to be in registers miss nowhere, and others have a line.
#[test]
fn scalars_have_the_misses_of_a_simulation() {
    nothing_from(SCALARS.iter(), |(file, [name, value])| {
        let options = [*name, *value, "--cache", "12lines,full", "--assume-noalias"];
        let options = if file.ends_with(".mlir") { &options[..4] } else { &options[..] };
        let answer = answer(&[&[*file, "--format", "json"], options].concat());
        let written = list(&answer["nests"][0]["orders"]).iter().find(|order| order["written"] == true).unwrap();
        let (simulated, errors, _) = symloc(&[&["simulate", file, "--json"], options].concat());
        let simulated: Value = serde_json::from_str(&simulated).unwrap_or_else(|_| panic!("{file}: {errors}"));
        let misses = &simulated["levels"][0]["misses"];
        (written["misses"][0] != *misses).then(|| format!("{file}: {misses} misses, not {}", written["misses"]))
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
