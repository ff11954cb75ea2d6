//! Counts of marks, as polynomials and by running.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use num_bigint::BigInt;
use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Expr, Mark, MarkId, Node, Program, Weight};
use symloc_isl::Context;
use symloc_quasi::{Notation, Piece, Rational, Style};
use symloc_reuse::{Count, Executions};
use symloc_sim::passes;

fn half() -> Weight {
    Weight::Estimate(Rational::new(1.into(), 2.into()))
}

/// A triangle, a loop with a step, and a branch on data.
fn program() -> Program {
    let mut b = ProgramBuilder::new("f");
    let n = b.param("n");
    b.for_("i", 0, n, |b, i| {
        b.mark(MarkId(0));
        b.for_("j", Expr::from(i).plus_constant(2).unwrap(), n, |b, _| {
            b.mark(MarkId(1));
            b.push(Node::Mark(Mark { id: MarkId(2), weight: half() }));
            b.push(Node::Mark(Mark { id: MarkId(3), weight: Weight::Unknown([9].into()) }));
        });
        b.mark(MarkId(1));
    });
    b.for_step("k", 0, n, 4, |b, _| b.mark(MarkId(4)));
    b.build()
}

fn text(count: &Count, names: &[String]) -> String {
    let Count::Known { pieces, .. } = count else { return "?".to_owned() };
    let notation = Notation::new(Style::Text, names);
    let shown =
        |piece: &Piece| format!("{} where [{}]", notation.poly(&piece.value), notation.conjunction(&piece.domain));
    pieces.iter().map(shown).collect::<Vec<_>>().join("; ")
}

fn value(count: &Count, size: i64) -> Option<Rational> {
    let Count::Known { pieces, .. } = count else { return None };
    let point = [BigInt::from(size)];
    let holds = |piece: &&Piece| {
        let sign = |poly: &symloc_quasi::Poly| poly.evaluate(&point).cmp(&Rational::from_integer(0.into()));
        piece.domain.iter().all(|c| c.relation.holds(sign(&c.poly)))
    };
    Some(pieces.iter().find(holds).map_or(Rational::from_integer(0.into()), |piece| piece.value.evaluate(&point)))
}

#[test]
fn counts_are_those_of_runs() {
    let isl = Context::new().unwrap();
    let program = program();
    let executions = Executions::new(&isl, &program).unwrap();
    let names = ["n".to_owned()];
    let counts: Vec<Count> = (0..5).map(|mark| executions.of(MarkId(mark)).unwrap()).collect();
    let texts: Vec<_> = counts.iter().map(|count| text(count, &names)).collect();
    let expected = ["n where []", "n^2/2 - n/2 + 1 where []", "n^2/4 - 3*n/4 + 1/2 where []", "?", "⌈n/4⌉ where []"];
    assert_eq!(texts, expected);
    assert_eq!(counts[3], Count::Unknown([9].into()));
    for size in 1..9 {
        for (passes, count) in passes(&program, &[size], 5, 1000).unwrap().iter().zip(&counts) {
            let mut sum = Some(Rational::from_integer(0.into()));
            for (weight, times) in &passes.weighted {
                let times = Rational::from_integer((*times).into());
                sum = match weight {
                    Weight::Once => sum.map(|sum| sum + times),
                    Weight::Estimate(weight) => sum.map(|sum| sum + times * weight),
                    Weight::Unknown(_) => None,
                };
            }
            match sum {
                Some(sum) if !passes.weighted.is_empty() => {
                    assert_eq!(value(count, size), Some(sum), "n = {size}: {passes:?}")
                }
                _ => (),
            }
        }
    }
}

#[test]
fn sums_are_one_formula() {
    let isl = Context::new().unwrap();
    let program = program();
    let executions = Executions::new(&isl, &program).unwrap();
    let terms = [(0, 3), (1, 2), (2, 4)].map(|(mark, factor)| (MarkId(mark), Rational::from_integer(factor.into())));
    let sum = executions.sum(terms).unwrap();
    assert_eq!(text(&sum, &["n".to_owned()]), "2*n^2 - n + 4 where []");
    assert!(matches!(sum, Count::Known { estimate: true, .. }));
}
