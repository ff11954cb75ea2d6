//! Tables against exact evaluation: every formula of every row, at sizes that satisfy the table's conditions.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise, in its helpers too")]

use symloc_locality::{
    Identity, LocalityError, Regime, Row, RowKind, Table, regimes, ri_sum_identity, scaling, stack_places,
};
use symloc_model::Model;
use symloc_quasi::{Constraint, Notation, Poly, Quotient, Style, Var};

use crate::exact::check;

fn model(name: &str) -> Model {
    let path = format!("{}/../../tests/models/{name}.loc.json", env!("CARGO_MANIFEST_DIR"));
    Model::load(path.as_ref()).unwrap()
}

fn only_regime(model: &Model) -> Regime {
    let regimes = regimes(model, &model.lines[0]).unwrap();
    assert_eq!(regimes.len(), 1);
    regimes.into_iter().next().unwrap()
}

fn plain(model: &Model, quotient: &Option<Quotient>) -> String {
    Notation::new(Style::Plain, &model.names()).quotient(quotient.as_ref().unwrap())
}

fn interval(model: &Model, row: &Row) -> String {
    Notation::new(Style::Plain, &model.names()).poly(&row.interval)
}

/// The paper's Table 1: `read A[i][k]; read B[k][j]; read C[i][j]; write C[i][j]`.
#[test]
fn matmul_is_table_1() {
    let model = model("matmul");
    let regime = only_regime(&model);
    let table = Table::new(&regime);
    let intervals: Vec<_> = table.rows.iter().map(|row| interval(&model, row)).collect();
    assert_eq!(
        intervals,
        ["1", "3", "4", "4*n - 28", "4*n", "4*n**2 - 28*n", "4*n**3 - 4*n**2 + 4*n - 28", "4*n**3 - 32*n + 3"]
    );
    let kinds: Vec<_> = table.rows.iter().map(|row| row.kind).collect();
    assert_eq!(kinds[..5], [RowKind::Real; 5]);
    assert_eq!(kinds[5..], [RowKind::Both, RowKind::Imaginary, RowKind::Imaginary]);
    let row = &table.rows[3];
    assert_eq!(plain(&model, &row.portion), "1/32 - 1/(32*n)");
    assert_eq!(plain(&model, &row.miss_ratio), "1/4 + 1/(16*n)");
    assert_eq!(plain(&model, &row.cold), "0");
    assert_eq!(plain(&model, &row.cache), "9*n/8 - 47/8 - 31/(32*n)");
    assert!(table.conditions.is_empty() && table.order.is_empty() && table.distinction.is_empty());
    for n in [16, 24, 40] {
        assert!(check(&model, &table, &[n]));
    }
    assert!(!check(&model, &table, &[17]));
    assert_eq!(ri_sum_identity(&regime), Identity::Holds);
}

/// Table 1 with a symbolic line size, as polynomials in n and b; b = 8 gives Table 1.
#[test]
fn matmul_with_lines_of_b_elements() {
    let (model, fixed) = (model("matmul-lines"), model("matmul"));
    let table = Table::new(&only_regime(&model));
    let rows: Vec<_> = table.rows.iter().map(|row| [interval(&model, row), plain(&model, &row.portion)]).collect();
    let expected = [
        ["1", "1/4"],
        ["3", "1/4 - 1/(4*n*b)"],
        ["4", "1/4 - 1/(4*b)"],
        ["4*n - 4*b + 4", "1/(4*b) - 1/(4*n*b)"],
        ["4*n", "1/4 - 1/(4*b)"],
        ["4*n**2 - 4*n*b + 4*n", "1/(4*b)"],
        ["4*n**3 - 4*n**2 + 4*n - 4*b + 4", "1/(4*n*b)"],
        ["4*n**3 - 4*n*b + 3", "1/(4*n*b)"],
    ];
    assert_eq!(rows, expected);
    let at_eight = |quotient: &Option<Quotient>| with_eight(quotient.as_ref().unwrap());
    let paper = Table::new(&only_regime(&fixed));
    assert_eq!(table.rows.len(), paper.rows.len());
    for (row, golden) in table.rows.iter().zip(&paper.rows) {
        assert_eq!((with_eight(&row.formula), row.kind), (golden.formula.clone(), golden.kind));
        let columns = [&row.portion, &row.miss_ratio, &row.cold, &row.cache].map(at_eight);
        let golden = [&golden.portion, &golden.miss_ratio, &golden.cold, &golden.cache];
        assert_eq!(columns, golden.map(|column| column.clone().unwrap()), "{}", interval(&model, row));
    }
    assert_eq!(ri_sum_identity(&only_regime(&model)), Identity::Holds);
}

/// Returns a formula of n and b at b = 8.
fn with_eight(quotient: &Quotient) -> Quotient {
    let eight = |poly: &Poly| poly.substitute(&|var| (var == Var(1)).then(|| Poly::integer(8)));
    Quotient::new(eight(quotient.numerator()), eight(quotient.denominator())).unwrap()
}

/// The exact table, of reuse distances: b = 8 gives that of a model for 64-byte lines, wherever this has closed forms.
#[test]
fn distances_with_lines_of_b_elements() {
    let exact = |name: &str| {
        let model = model(name);
        let regimes = regimes(&model, &stack_places(&model.lines[0]).unwrap()).unwrap();
        assert_eq!(regimes.len(), 1);
        Table::lru(&regimes[0])
    };
    let (table, fixed) = (exact("matmul-lines-exact"), exact("matmul-exact"));
    let single = |table: &Table| table.rows.iter().filter(|row| row.iterators.is_empty()).cloned().collect::<Vec<_>>();
    let (rows, golden) = (single(&table), single(&fixed));
    assert_eq!(rows.len(), golden.len());
    let mut compared = 0;
    for (row, golden) in rows.iter().zip(&golden) {
        assert_eq!(with_eight(&row.formula), golden.formula);
        // Portions leave out what ranges of other rows hold, and these are not the same.
        let columns = [&row.miss_ratio, &row.cold, &row.cache];
        let golden = [&golden.miss_ratio, &golden.cold, &golden.cache];
        for (found, expected) in columns.into_iter().zip(golden) {
            let (Some(found), Some(expected)) = (found, expected) else { continue };
            assert_eq!(with_eight(found), *expected);
            compared += 1;
        }
    }
    assert!(compared >= 21, "{compared} formulas");
}

#[test]
fn matmul_scales_in_steps() {
    let model = model("matmul");
    let bounds = scaling(&Table::new(&only_regime(&model)));
    let leading =
        |b: &symloc_locality::Bound| [&b.cache_leading, &b.miss_ratio_leading].map(|q| plain(&model, &Some(q.clone())));
    let steps: Vec<_> = bounds.iter().map(leading).collect();
    let expected =
        [["1", "3/4"], ["5/2", "1/2"], ["3", "9/32"], ["9*n/8", "1/4"], ["9*n/8", "1/32"], ["n**2/8", "3/(32*n)"]];
    assert_eq!(steps, expected);
}

/// The ranges of the free iterators i and j have closed sums; rows among them are left out.
#[test]
fn lu_with_free_iterators() {
    let model = model("lu-element");
    let regime = only_regime(&model);
    let table = Table::new(&regime);
    assert!(table.rows.iter().any(|row| !row.iterators.is_empty()));
    assert!((3..20).filter(|&n| check(&model, &table, &[n])).count() > 10, "{:?}", table.conditions);
    assert_eq!(ri_sum_identity(&regime), Identity::Holds);
    let portions = table.rows.iter().map(|row| row.portion.clone());
    let total = portions.reduce(|a, b| Some(&a? + &b?)).flatten().unwrap();
    assert_eq!(total, Quotient::from(Poly::one()));
}

/// Three parameters: the conditions alone decide whether the table holds, whatever the order of the sizes.
#[test]
fn gemm_in_three_parameters() {
    let model = model("gemm");
    let table = Table::new(&only_regime(&model));
    assert_eq!(table.order, "ni >= nj >= nk, all large and of like size");
    let sizes = [3, 8, 9, 16, 17, 23, 24, 31];
    let pairs = sizes.iter().flat_map(|&i| sizes.map(|j| (i, j)));
    let all = pairs.flat_map(|(i, j)| sizes.map(|k| [i, j, k]));
    let held = all.filter(|size| check(&model, &table, size)).count();
    assert!(held > 50, "{held} sizes");
    assert!(table.rows.iter().filter(|row| row.cache.is_some()).count() >= 4);
}

/// Without an assumption the pieces of jacobi-2d depend on n mod 8; each residue has one table.
#[test]
fn residues_have_their_own_tables() {
    let model = model("jacobi-2d");
    let tables: Vec<_> = regimes(&model, &model.lines[0]).unwrap().iter().map(Table::new).collect();
    let distinctions: Vec<_> = tables.iter().map(|table| table.distinction.as_str()).collect();
    assert_eq!(distinctions, ["n mod 8 in {0, 3, 4, 5, 6, 7}", "n mod 8 = 1", "n mod 8 = 2"]);
    for n in 28..44 {
        let holding: Vec<_> = tables.iter().filter(|table| check(&model, table, &[5, n])).collect();
        assert_eq!(holding.len(), 1, "n = {n}");
    }
}

/// Under ni = nj = nk every formula is in ni alone, and nothing is left to be ordered.
#[test]
fn equal_parameters_are_one() {
    let mut model = model("gemm-element");
    let [ni, nj, nk] = [0, 1, 2].map(|v| Poly::var(Var(v)));
    model.context.extend([Constraint::zero(&nj - &ni), Constraint::zero(&nk - &nj)]);
    let table = Table::new(&only_regime(&model));
    assert_eq!(table.order, "");
    assert_eq!(plain(&model, &table.rows.last().unwrap().cache), "3*ni**2");
    assert!((3..20).all(|n| check(&model, &table, &[n, n, n])));
    assert!(!check(&model, &table, &[5, 5, 6]));
}

#[test]
fn contexts_without_large_sizes_have_no_table() {
    let mut model = model("matmul");
    model.context.push(Constraint::non_negative(&Poly::integer(1000) - &Poly::var(Var(0))));
    assert_eq!(regimes(&model, &model.lines[0]).unwrap_err(), LocalityError::NoLargeSizes);
}

/// A wrong multiplicity is found without evaluating anything.
#[test]
fn the_ri_test_finds_an_error() {
    let mut model = model("matmul");
    let count = &mut model.lines[0].classes[0].counts[0].count;
    *count = &*count + &Poly::one();
    let value = model.lines[0].classes[0].value.clone();
    assert_eq!(ri_sum_identity(&only_regime(&model)), Identity::Fails(value));
}
