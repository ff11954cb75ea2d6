//! x
use std::path::Path;
use symloc_model::*;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let m = Model::load(Path::new(&a[0])).unwrap();
    let n: i64 = a[1].parse().unwrap();
    let e = m.evaluator(LineChoice::Only).unwrap();
    let s: Sizes = m.parameters.iter().map(|x| (x.clone(), n)).collect();
    let l = e.locality(&s).unwrap();
    for c in [512, 64, 128, 256, 700, 1024, 3000, 4096, 8192, 16384, 40000, 131072, 524288] {
        l.misses(&Int::from(c));
    }
}
