//! Matrix multiplication on slices: ranges as loops, and a bounds check at each access.
#![crate_type = "lib"]

/// `c += a·b`, all of n × n, row by row.
#[unsafe(no_mangle)]
pub fn matmul(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for k in 0..n {
            for j in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}
