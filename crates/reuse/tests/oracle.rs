//! Derived classes against the trace interpreter: kernels built by hand, and random programs.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use std::collections::BTreeMap;

use num_bigint::BigInt;
use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{Layout, Line, Program};
use symloc_isl::Context;
use symloc_model::{CountPiece, Kind, LineModel};
use symloc_quasi::{Constraint, Relation};
use symloc_reuse::{Error, derive};
use symloc_sim::random::{self, Rng, Shape};
use symloc_sim::{IntervalHistogram, Trace};

type Histogram = BTreeMap<u64, u64>;

fn holds(constraint: &Constraint, point: &[BigInt]) -> bool {
    let value = constraint.poly.evaluate(point);
    match constraint.relation {
        Relation::Zero => value == num_rational::BigRational::from_integer(0.into()),
        Relation::NonNegative => value >= num_rational::BigRational::from_integer(0.into()),
    }
}

fn scan(piece: &CountPiece, point: &mut Vec<BigInt>, params: usize, visit: &mut dyn FnMut(&[BigInt])) {
    let depth = point.len() - params;
    let Some(range) = piece.bounds.get(depth) else {
        if piece.domain.iter().all(|c| holds(c, point)) {
            visit(point);
        }
        return;
    };
    let low = range.lower.iter().map(|p| p.evaluate(point)).max().unwrap().ceil().to_integer();
    let high = range.upper.iter().map(|p| p.evaluate(point)).min().unwrap().floor().to_integer();
    let mut q = low;
    while q <= high {
        point.push(q.clone());
        scan(piece, point, params, visit);
        point.pop();
        q += 1;
    }
}

fn evaluate(model: &LineModel, sizes: &[i64]) -> (Histogram, Histogram) {
    let (mut real, mut imaginary) = (Histogram::new(), Histogram::new());
    for class in &model.classes {
        let histogram = if class.kind == Kind::Real { &mut real } else { &mut imaginary };
        for piece in &class.counts {
            let mut point: Vec<BigInt> = sizes.iter().map(|&s| s.into()).collect();
            scan(piece, &mut point, sizes.len(), &mut |point| {
                let count = piece.count.evaluate(point);
                let value = class.value.evaluate(point);
                if count.to_integer() == BigInt::ZERO {
                    return;
                }
                assert!(count.is_integer() && value.is_integer());
                *histogram.entry(value.to_integer().try_into().unwrap()).or_insert(0) +=
                    u64::try_from(count.to_integer()).unwrap();
            });
        }
    }
    real.retain(|_, c| *c > 0);
    imaginary.retain(|_, c| *c > 0);
    (real, imaginary)
}

/// The first size at which the derived histogram differs from the trace's.
fn difference(program: &Program, line: Line, model: &LineModel, sizes: &[i64]) -> Option<String> {
    let trace = Trace::new(program, sizes, Layout::Rows, line).ok()?;
    let expected = IntervalHistogram::of(&trace).unwrap();
    let (real, imaginary) = evaluate(model, sizes);
    (real != expected.real || imaginary != expected.imaginary).then(|| {
        format!(
            "{line:?} at {sizes:?}\nreal      {real:?}\nexpected  {:?}\nimaginary {imaginary:?}\nexpected  {:?}\n{program}",
            expected.real, expected.imaginary
        )
    })
}

#[test]
fn matmul_has_the_classes_of_the_paper() {
    let mut b = ProgramBuilder::new("matmul");
    let n = b.param("n");
    let [x, y, z] = ["A", "B", "C"].map(|name| b.array(name, 8, 2));
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.for_("k", 0, n, |b, k| {
                b.read(x, [i, k]);
                b.read(y, [k, j]);
                b.read(z, [i, j]);
                b.write(z, [i, j]);
            });
        });
    });
    let program = b.build();
    let isl = Context::new().unwrap();
    let lines = [Line::Bytes(64), Line::Element];
    let derived = derive(&isl, &program, Layout::Rows, &lines, &mut |_| ()).unwrap();
    for (line, model) in lines.iter().zip(&derived.lines) {
        for n in [1, 2, 7, 8, 9, 16, 19] {
            assert_eq!(difference(&program, *line, model, &[n]), None);
        }
        for class in &model.classes {
            println!("{:?} {:?} {:?}", class.kind, class.value, class.counts.len());
        }
    }
}

#[test]
fn random_programs_agree_with_the_trace() {
    let isl = Context::new().unwrap();
    let count: u64 = std::env::var("SYMLOC_RANDOM_PROGRAMS").ok().map_or(40, |v| v.parse().unwrap());
    let first: u64 = std::env::var("SYMLOC_RANDOM_SEED").ok().map_or(1, |v| v.parse().unwrap());
    let mut limited = 0;
    for seed in first..first + count {
        let program = random::program(seed, Shape::default());
        let line = if seed % 3 == 0 { Line::Element } else { Line::Bytes(64) };
        let start = std::time::Instant::now();
        isl.reset_operations();
        isl.set_max_operations(3_000_000);
        let derived = match derive(&isl, &program, Layout::Rows, &[line], &mut |_| ()) {
            Ok(derived) => derived,
            Err(Error::Isl(symloc_isl::Error::Limit { operation })) => {
                println!("seed {seed} {:?} limit in {operation}", start.elapsed());
                limited += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}\n{program}"),
        };
        let mut rng = Rng::new(seed);
        for _ in 0..4 {
            let sizes = random::sizes(&mut rng, &program, 12);
            if let Some(difference) = difference(&program, line, &derived.lines[0], &sizes) {
                panic!("seed {seed}: {difference}");
            }
        }
        println!("seed {seed} {:?} {} classes", start.elapsed(), derived.lines[0].classes.len());
    }
    println!("{limited} of {count} reached the limit");
}
