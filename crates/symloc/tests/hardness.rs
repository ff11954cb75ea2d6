//! Reuse intervals decide satisfiability, so exact derivation is hard: it has to be right if it ends, and it has to end
//! at its limits.
//!
//! For a formula in conjunctive normal form over x₁ … xₙ the program has one loop over {0, 1} for each variable.
//! Between two reads of `A[0]` the body reads `B[0]` once for each assignment that satisfies the formula, so the second
//! read of A has the interval 1 + (number of models), and misses in a cache of one line exactly if the formula is
//! satisfiable. The formula is a condition, or it is in the bounds of the loops: a clause (a ∨ b ∨ x) over the
//! variables a, b before x means x ≥ 1 − a − b, and (a ∨ b ∨ ¬x) means x ≤ a + b. Either way the length of the program
//! is linear in that of the formula.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A variable, and true if it is not negated. The variables of a clause ascend.
type Literal = (usize, bool);

struct Formula {
    variables: usize,
    clauses: Vec<[Literal; 3]>,
}

/// The form in which the program contains the formula.
#[derive(Clone, Copy, Debug)]
enum FormulaForm {
    Condition,
    Bounds,
}

impl Formula {
    /// Returns a formula whose clauses have three variables each, chosen by a linear congruential generator.
    fn random(seed: u64, variables: usize, clauses: usize) -> Self {
        let mut state = seed;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let mut clause = || {
            let mut chosen: Vec<usize> = (0..variables).collect();
            while chosen.len() > 3 {
                chosen.remove(next(chosen.len()));
            }
            [(chosen[0], next(2) == 1), (chosen[1], next(2) == 1), (chosen[2], next(2) == 1)]
        };
        Self { variables, clauses: (0..clauses).map(|_| clause()).collect() }
    }

    /// Returns the clauses with all combinations of signs of three variables: each assignment violates one of them.
    fn contradiction() -> Self {
        let sign = |bits: usize, variable: usize| (variable, bits >> variable & 1 == 1);
        Self { variables: 3, clauses: (0..8).map(|bits| [sign(bits, 0), sign(bits, 1), sign(bits, 2)]).collect() }
    }

    /// Counts the assignments that satisfy the formula, by enumeration.
    fn models(&self) -> u64 {
        let holds = |assignment: u64| {
            let literal = |(variable, positive): &Literal| (assignment >> variable & 1 == 1) == *positive;
            self.clauses.iter().all(|clause| clause.iter().any(literal))
        };
        (0..1_u64 << self.variables).filter(|assignment| holds(*assignment)).count() as u64
    }

    fn program(&self, form: FormulaForm) -> String {
        let mut text = "func.func @formula(%A: memref<1xf64>, %B: memref<1xf64>) {\n".to_owned();
        text += "  %a = affine.load %A[0] : memref<1xf64>\n";
        for variable in 0..self.variables {
            let (lower, upper) = match form {
                FormulaForm::Condition => ("0".to_owned(), "2".to_owned()),
                FormulaForm::Bounds => self.bounds(variable),
            };
            writeln!(text, "affine.for %x{variable} = {lower} to {upper} {{").unwrap();
        }
        let conditions: Vec<_> = self.clauses.iter().map(|clause| format!("{} - 1 >= 0", sum(clause))).collect();
        let read = "  %b = affine.load %B[0] : memref<1xf64>\n";
        match form {
            FormulaForm::Condition => {
                let (dimensions, iterators) = (list("d", self.variables), list("%x", self.variables));
                let set = format!("affine_set<({dimensions}) : ({})>", conditions.join(", "));
                write!(text, "affine.if {set}({iterators}) {{\n{read}}}\n").unwrap();
            }
            FormulaForm::Bounds => text += read,
        }
        text += &"}\n".repeat(self.variables);
        text + "  %c = affine.load %A[0] : memref<1xf64>\n  return\n}\n"
    }

    /// Returns the bounds of a variable, from the clauses in which it is the last.
    fn bounds(&self, variable: usize) -> (String, String) {
        let (mut lower, mut upper) = (vec!["0".to_owned()], vec!["2".to_owned()]);
        for [first, second, (last, positive)] in self.clauses.iter().filter(|[_, _, last]| last.0 == variable) {
            assert_eq!(*last, variable);
            let others = sum(&[*first, *second]);
            match positive {
                true => lower.push(format!("1 - ({others})")),
                false => upper.push(format!("{others} + 1")),
            }
        }
        let (dimensions, iterators) = (list("d", variable), list("%x", variable));
        let bound = |results: &[String]| format!("affine_map<({dimensions}) -> ({})>({iterators})", results.join(", "));
        (format!("max {}", bound(&lower)), format!("min {}", bound(&upper)))
    }
}

/// Returns an expression for the number of literals that hold.
fn sum(literals: &[Literal]) -> String {
    let term = |(variable, positive): &Literal| match positive {
        true => format!("d{variable}"),
        false => format!("1 - d{variable}"),
    };
    literals.iter().map(term).collect::<Vec<_>>().join(" + ")
}

fn list(name: &str, count: usize) -> String {
    (0..count).map(|index| format!("{name}{index}")).collect::<Vec<_>>().join(", ")
}

fn symloc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_symloc")).args(args).output().unwrap()
}

/// Writes the program to a file; returns its path.
fn file(name: &str, formula: &Formula, form: FormulaForm) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("formula-{name}-{form:?}.mlir"));
    std::fs::write(&file, formula.program(form)).unwrap();
    file
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Derives the program; returns the real intervals, and the misses in a cache of one line.
fn derived(name: &str, formula: &Formula, form: FormulaForm) -> (String, u64) {
    let file = file(name, formula, form);
    let model = file.with_extension("loc.json");
    let (file, model) = (file.to_str().unwrap(), model.to_str().unwrap());
    stdout(&symloc(&["derive", file, "-o", model]));
    let histogram = stdout(&symloc(&["histogram", model, "--json"]));
    let real = histogram.split("\"real\":").nth(1).and_then(|rest| rest.split(",\"imaginary\"").next());
    let misses = stdout(&symloc(&["query", model, "--cache", "1lines", "--json"]));
    let misses = misses.split("\"misses\":").nth(1).and_then(|rest| rest.split(',').next());
    (real.unwrap().to_owned(), misses.unwrap().parse().unwrap())
}

#[test]
fn small_formulas_are_decided() {
    let random = (0..10).map(|seed| {
        let variables = 3 + seed as usize % 3;
        (format!("{seed}"), Formula::random(seed, variables, 5 * variables))
    });
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for (name, formula) in random.chain([("contradiction".to_owned(), Formula::contradiction())]) {
        let models = formula.models();
        let (intervals, misses) = match models {
            0 => ("[[1,1]]".to_owned(), 1),
            1 => ("[[2,1]]".to_owned(), 3),
            _ => (format!("[[1,{}],[{},1]]", models - 1, models + 1), 3),
        };
        for form in [FormulaForm::Condition, FormulaForm::Bounds] {
            assert_eq!(derived(&name, &formula, form), (intervals.clone(), misses), "formula {name} in {form:?}");
        }
        *if models > 0 { &mut satisfiable } else { &mut unsatisfiable } += 1;
    }
    assert!(satisfiable >= 3 && unsatisfiable >= 1, "{satisfiable} satisfiable, {unsatisfiable} not");
}

#[track_caller]
fn ends(file: &str, limit: &[&str], message: &str, help: &str) {
    let output = symloc(&[&["derive", file], limit].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
    assert!(stderr.starts_with("error: limit: ") && stderr.contains(message) && stderr.contains(help), "{stderr}");
}

#[test]
fn a_limit_names_the_loops_that_divide_sizes() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/tiled/matmul.mlir");
    let help = ", or derive fewer sizes: --assume 'n mod 32 = 0' (loops it, jt and kt divide them), or one: --assume 'n = 960'";
    ends(file, &["--max-operations", "1000"], "reached the limit on isl operations, during ", help);
}

/// The parts of threads are no sizes that anybody gives.
#[test]
fn hints_are_about_sizes_of_all_threads() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/c/noted/parallel_bound_in_memory.c");
    let options = ["--parallel", "marked", "--assume-noalias", "--max-operations", "100"];
    let output = symloc(&[&["derive", file], &options[..]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    let help = "or derive fewer sizes: --assume 'v mod 8 = 0', or one: --assume 'v = 960'";
    assert!(output.status.code() == Some(2) && stderr.contains(help), "{stderr}");
}

#[test]
fn large_formulas_end_at_a_limit() {
    let file = file("large", &Formula::random(7, 24, 100), FormulaForm::Bounds);
    let file = file.to_str().unwrap();
    let operations = ["--max-operations", "100000"];
    ends(file, &operations, "reached the limit on isl operations, during ", "raise it with --max-operations");
    ends(file, &["--time-limit", "0.5"], "0.5 s passed during ", "raise it with --time-limit");
}
