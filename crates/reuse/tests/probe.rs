//! probe
use symloc_affine::{Layout, Line};
use symloc_isl::Context;
use symloc_sim::random::{self, Shape};
#[test]
fn probe() {
    let isl = Context::new().unwrap();
    let seed: u64 = std::env::var("SYMLOC_RANDOM_SEED").ok().map_or(1, |v| v.parse().unwrap());
    let program = random::program(seed, Shape::default());
    println!("{program}");
    let line = if seed % 3 == 0 { Line::Element } else { Line::Bytes(64) };
    let s = std::time::Instant::now();
    let d = symloc_reuse::derive(&isl, &program, Layout::Rows, &[line], &mut |p| println!("{:?} {p}", s.elapsed()))
        .unwrap();
    println!("{:?} {}", s.elapsed(), d.lines[0].classes.len());
}
