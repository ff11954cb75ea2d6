//! Compares sampled estimates with whole runs: how often intervals hold the truth, and how far estimates are off on average.
//!
//! `coverage [SEEDS [EFFORT [POLICY [PROGRAM]]]]` prints a line for each program, policy, cache, level and quantity, and sums for
//! each policy. A bias over a quarter of the half width of the interval, or fewer than nine intervals in ten, is marked.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::collections::BTreeMap;

use symloc_affine::builder::ProgramBuilder;
use symloc_affine::{AccessKind, ArrayId, Expr, IterId, Line, Program};
use symloc_cache::{Design, Geometry, Inclusion, IndexFunction, Replacement};
use symloc_replay::{Code, MemoryLayout, MemoryMap, Replaying, Sampling, Survey, executions, replay, sample};

fn plus(e: impl Into<Expr>, k: i64) -> Expr {
    e.into().plus(&Expr::constant(k)).unwrap()
}

fn update(b: &mut ProgramBuilder, x: ArrayId, at: [IterId; 2]) {
    b.read(x, at);
    b.write(x, at);
}

fn transpose(n: i64) -> Program {
    let mut b = ProgramBuilder::new("transpose");
    let [x, y] = ["A", "B"].map(|name| b.fixed_array(name, 8, &[n, n]));
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, n, |b, j| {
            b.read(x, [i, j]);
            b.write(y, [j, i]);
        });
    });
    b.build()
}

fn gemm_nest(b: &mut ProgramBuilder, n: i64, [x, y, z]: [ArrayId; 3], order: &str) {
    b.for_("i", 0, n, |b, p| {
        b.for_("j", 0, n, |b, q| {
            if order == "ijk" {
                b.write(z, [p, q]);
            }
            b.for_("k", 0, n, |b, r| {
                let (i, j, k) = if order == "ijk" { (p, q, r) } else { (p, r, q) };
                b.read(x, [i, k]);
                b.read(y, [k, j]);
                update(b, z, [i, j]);
            });
        });
    });
}

fn gemm(n: i64, order: &str) -> Program {
    let mut b = ProgramBuilder::new(&format!("gemm_{order}"));
    let arrays = ["A", "B", "C"].map(|name| b.fixed_array(name, 8, &[n, n]));
    gemm_nest(&mut b, n, arrays, order);
    b.build()
}

fn two_mm(n: i64) -> Program {
    let mut b = ProgramBuilder::new("2mm");
    let [x, y, t, z, d] = ["A", "B", "T", "C", "D"].map(|name| b.fixed_array(name, 8, &[n, n]));
    gemm_nest(&mut b, n, [x, y, t], "ijk");
    gemm_nest(&mut b, n, [t, z, d], "ijk");
    b.build()
}

fn lu(n: i64) -> Program {
    let mut b = ProgramBuilder::new("lu");
    let x = b.fixed_array("A", 8, &[n, n]);
    b.for_("i", 0, n, |b, i| {
        b.for_("j", 0, i, |b, j| {
            b.for_("k", 0, j, |b, k| {
                b.read(x, [i, k]);
                b.read(x, [k, j]);
                update(b, x, [i, j]);
            });
            b.read(x, [j, j]);
            update(b, x, [i, j]);
        });
        b.for_("j2", i, n, |b, j| {
            b.for_("k2", 0, i, |b, k| {
                b.read(x, [i, k]);
                b.read(x, [k, j]);
                update(b, x, [i, j]);
            });
        });
    });
    b.build()
}

fn pivot(n: i64) -> Program {
    let mut b = ProgramBuilder::new("pivot");
    let x = b.fixed_array("A", 8, &[n, n]);
    b.for_("k", 0, n, |b, k| {
        b.for_("p", k, n, |b, p| _ = b.read(x, [p, k]));
        b.for_("i", plus(k, 1), n, |b, i| {
            b.read(x, [i, k]);
            b.read(x, [k, k]);
            b.write(x, [i, k]);
            b.for_("j", plus(k, 1), n, |b, j| {
                b.read(x, [i, k]);
                b.read(x, [k, j]);
                update(b, x, [i, j]);
            });
        });
    });
    b.build()
}

fn stencil(n: i64, t: i64) -> Program {
    let mut b = ProgramBuilder::new("stencil");
    let [x, y] = ["A", "B"].map(|name| b.fixed_array(name, 8, &[n, n]));
    b.for_("t", 0, t, |b, _| {
        for (half, from, to) in [("1", x, y), ("2", y, x)] {
            b.for_(&format!("i{half}"), 1, n - 1, |b, i| {
                b.for_(&format!("j{half}"), 1, n - 1, |b, j| {
                    b.read(from, [Expr::from(i), j.into()]);
                    b.read(from, [Expr::from(i), plus(j, -1)]);
                    b.read(from, [Expr::from(i), plus(j, 1)]);
                    b.read(from, [plus(i, -1), j.into()]);
                    b.read(from, [plus(i, 1), j.into()]);
                    b.write(to, [i, j]);
                });
            });
        }
    });
    b.build()
}

fn mvt(n: i64) -> Program {
    let mut b = ProgramBuilder::new("mvt");
    let a = b.fixed_array("A", 8, &[n, n]);
    let [x1, x2, y1, y2] = ["x1", "x2", "y1", "y2"].map(|name| b.fixed_array(name, 8, &[n]));
    for (half, x, y) in [("1", x1, y1), ("2", x2, y2)] {
        b.for_(&format!("i{half}"), 0, n, |b, i| {
            b.for_(&format!("j{half}"), 0, n, |b, j| {
                b.read(a, if half == "1" { [i, j] } else { [j, i] });
                b.read(y, [j]);
                b.access(x, AccessKind::Read, [i]);
                b.write(x, [i]);
            });
        });
    }
    b.build()
}

/// Writes a block of elements, and reads it for long beside a stream that is only read.
fn long_reads(blocks: i64, size: i64, times: i64) -> Program {
    let mut b = ProgramBuilder::new(&format!("long_reads_{times}"));
    let x = b.fixed_array("X", 8, &[blocks, size]);
    let y = b.fixed_array("Y", 8, &[blocks, times]);
    b.for_("r", 0, blocks, |b, r| {
        b.for_("w", 0, size, |b, w| _ = b.write(x, [r, w]));
        b.for_("t", 0, times, |b, t| {
            b.read(y, [r, t]);
            b.for_("q", 0, size, |b, q| _ = b.read(x, [r, q]));
        });
    });
    b.build()
}

/// Reads a table of about the size of a cache again and again, between single writes elsewhere.
fn table(rows: i64, size: i64, times: i64) -> Program {
    let mut b = ProgramBuilder::new(&format!("table_{size}"));
    let x = b.fixed_array("X", 8, &[size, 8]);
    let y = b.fixed_array("Y", 8, &[rows, times, 8]);
    b.for_("r", 0, rows, |b, r| {
        b.for_("t", 0, times, |b, t| {
            b.for_("q", 0, size, |b, q| {
                b.read(x, [Expr::from(q), Expr::constant(0)]);
            });
            b.write(y, [Expr::from(r), t.into(), Expr::constant(0)]);
        });
        b.for_("u", 0, size, |b, u| {
            b.write(x, [Expr::from(u), Expr::constant(0)]);
        });
    });
    b.build()
}

fn design(lines: u64, ways: u64, replacement: Replacement) -> Design {
    Design::new(Geometry::new(lines, ways, IndexFunction::Modulo).unwrap(), replacement)
}

#[derive(Default, Clone)]
struct SumOverSeeds {
    held: u32,
    all: u32,
    errors: f64,
    halves: f64,
    truths: f64,
}

impl SumOverSeeds {
    fn add(&mut self, truth: f64, value: f64, (low, high): (f64, f64)) {
        self.all += 1;
        self.held += u32::from(low <= truth + 1e-12 && truth - 1e-12 <= high);
        self.errors += value - truth;
        self.halves += (high - low) / 2.0;
        self.truths += truth;
    }
    fn merge(&mut self, o: &SumOverSeeds) {
        self.all += o.all;
        self.held += o.held;
    }
    fn bias(&self) -> f64 {
        self.errors / self.halves
    }
}

/// Returns the policy for a seed.
type PolicyOfSeed = fn(u64) -> Replacement;

fn main() {
    let arg = |at: usize, or: u64| std::env::args().nth(at).and_then(|a| a.parse().ok()).unwrap_or(or);
    let seeds = arg(1, 20);
    let effort = arg(2, 1_000_000);
    let only_policy = std::env::args().nth(3).unwrap_or_default();
    let only_program = std::env::args().nth(4).unwrap_or_default();
    let programs = vec![
        transpose(1500),
        gemm(100, "ijk"),
        gemm(128, "ikj"),
        two_mm(80),
        lu(160),
        lu(250),
        pivot(150),
        stencil(120, 40),
        mvt(800),
        long_reads(200, 400, 30),
        long_reads(40, 400, 200),
        long_reads(20, 100, 2000),
        table(40, 60, 300),
        table(40, 72, 300),
        table(10, 500, 500),
    ];
    let mut totals: BTreeMap<(String, &str), (SumOverSeeds, Vec<f64>)> = BTreeMap::new();
    for program in &programs {
        if !program.name.contains(&only_program) {
            continue;
        }
        let code = Code::new(program, &[]).unwrap();
        let memory =
            MemoryMap::new(program, &Survey::of(&code).unwrap(), MemoryLayout::Linear, &[], Line::Bytes(64)).unwrap();
        let by_access: Vec<f64> = executions(&code, u64::MAX).unwrap().iter().map(|c| *c as f64).collect();
        let accesses: f64 = by_access.iter().sum();
        let policies: [(&str, PolicyOfSeed); 5] = [
            ("lru", |_| Replacement::Lru),
            ("fifo", |_| Replacement::Fifo),
            ("plru", |_| Replacement::TreePlru),
            ("qlru", |_| Replacement::Qlru),
            ("random", |seed| Replacement::Random(seed)),
        ];
        for (name, policy) in &policies {
            if !name.contains(&only_policy) {
                continue;
            }
            type Levels = Vec<(u64, u64)>;
            let mut shapes: Vec<(Levels, Inclusion)> = vec![
                (vec![(64, 4)], Inclusion::NonInclusive),
                (vec![(128, 8)], Inclusion::NonInclusive),
                (vec![(512, 8)], Inclusion::NonInclusive),
                (vec![(32, 4), (256, 8)], Inclusion::NonInclusive),
                (vec![(32, 4), (256, 8)], Inclusion::Exclusive),
            ];
            if *name == "lru" {
                shapes.push((vec![(128, 128)], Inclusion::NonInclusive));
            }
            for (shape, inclusion) in shapes {
                let mut groups: BTreeMap<(usize, &str), SumOverSeeds> = BTreeMap::new();
                let mut truths = BTreeMap::new();
                let start = std::time::Instant::now();
                let (mut undecided, mut samples) = (0.0, 0);
                for seed in 0..seeds {
                    let replacement = policy(seed % 4);
                    let mut designs: Vec<Design> = shape.iter().map(|(l, w)| design(*l, *w, replacement)).collect();
                    if let [_, second] = &mut designs[..] {
                        second.inclusion = inclusion;
                    }
                    let key = if *name == "random" { seed % 4 } else { 0 };
                    let whole = truths
                        .entry(key)
                        .or_insert_with(|| replay(&code, &memory, &designs, Replaying::default()).unwrap());
                    let sampling = Sampling { precision: 0.0005, seed, effort, ..Sampling::default() };
                    let estimate = sample(&code, &memory, &designs, &by_access, &[], sampling).unwrap();
                    undecided += estimate.undecided / seeds as f64;
                    samples += estimate.samples;
                    for (level, rates) in estimate.levels.iter().enumerate() {
                        let misses = whole.misses(level) as f64 / accesses;
                        groups.entry((level, "misses")).or_default().add(
                            misses,
                            rates.misses.value,
                            rates.misses.interval,
                        );
                        let back = whole.traffic[level].write_backs as f64 / accesses;
                        groups.entry((level, "back")).or_default().add(
                            back,
                            rates.write_backs.value,
                            rates.write_backs.interval,
                        );
                    }
                }
                let seconds = start.elapsed().as_secs_f64() / seeds as f64;
                for ((level, what), group) in groups {
                    let n = f64::from(group.all);
                    let bias = group.bias();
                    let coverage = f64::from(group.held) / n;
                    let mark = if coverage < 0.9 || bias.abs() > 0.25 { " <<<" } else { "" };
                    println!(
                        "{:16} {:>9.2e} {name:7} {shape:?} {inclusion:?} L{} {what:6} holds {:4}/{:<4} truth {:.6} bias/half {bias:+.3} half {:.6} undecided {undecided:.5} samples {} {seconds:.3}s{mark}",
                        program.name,
                        accesses,
                        level + 1,
                        group.held,
                        group.all,
                        group.truths / n,
                        group.halves / n,
                        samples / seeds
                    );
                    let (total, biases) = totals.entry(((*name).to_owned(), what)).or_default();
                    total.merge(&group);
                    biases.push(bias);
                }
            }
        }
    }
    println!();
    for ((policy, what), (group, biases)) in totals {
        let over = biases.iter().filter(|b| b.abs() > 0.2).count();
        println!(
            "{policy:7} {what:6} {:.1} % hold of {}; mean bias {:+.3} half widths, {over} of {} over a fifth",
            100.0 * f64::from(group.held) / f64::from(group.all),
            group.all,
            biases.iter().sum::<f64>() / biases.len() as f64,
            biases.len()
        );
    }
}
