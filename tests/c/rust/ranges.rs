// What Rust programs iterate over. Each function is called with n, m, and two slices of (n + 2)*(m + 2) elements.

#[no_mangle]
pub fn interior(n: usize, m: usize, a: &[f64], b: &mut [f64]) {
    for i in 1..n - 1 {
        for j in 1..m - 1 {
            b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j - 1] + a[(i + 1) * m + j];
        }
    }
}

#[no_mangle]
pub fn inclusive(n: usize, m: usize, a: &[f64], b: &mut [f64]) {
    for i in 1..=n {
        for j in 1..=m {
            b[i * (m + 2) + j] = a[(i - 1) * (m + 2) + j] + a[(i + 1) * (m + 2) + j];
        }
    }
}

#[no_mangle]
pub fn zipped(_n: usize, _m: usize, a: &[f64], b: &mut [f64]) {
    for (x, y) in b.iter_mut().zip(a) {
        *x += *y;
    }
}

#[no_mangle]
pub fn every_second(n: usize, _m: usize, a: &[f64], b: &mut [f64]) {
    for i in (0..n).step_by(2) {
        b[i] = a[i + 1];
    }
}

#[no_mangle]
pub fn every_third(n: usize, m: usize, a: &[f64], b: &mut [f64]) {
    for i in (1..n).step_by(3) {
        for j in 0..m {
            b[i] += a[i * m + j];
        }
    }
}

#[no_mangle]
pub fn backwards(n: usize, m: usize, a: &[f64], b: &mut [f64]) {
    for i in (0..n).rev() {
        for j in i..m {
            b[i] += a[j];
        }
    }
}

#[no_mangle]
pub fn added_backwards(n: usize, _m: usize, a: &[f64], b: &mut [f64]) {
    for i in (0..n).rev() {
        b[i] += a[i];
    }
}

#[no_mangle]
pub fn numbered(_n: usize, _m: usize, _a: &[f64], b: &mut [f64]) {
    for (i, x) in b.iter_mut().enumerate() {
        *x = 2.0 * i as f64;
    }
}

#[no_mangle]
pub fn windows(_n: usize, _m: usize, a: &[f64], b: &mut [f64]) {
    for (w, x) in a.windows(3).zip(b.iter_mut()) {
        *x = w[0] + w[2];
    }
}
