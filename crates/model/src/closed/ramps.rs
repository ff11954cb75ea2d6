//! Rows of points in machine words.
//!
//! In most regions v is affine along each row, or else quadratic, and c the same at all of its points, or affine. How many points of a
//! row are up to x is then one division, or one root, and what they add up to a few products. Everything that can occur is bounded once, when the region is
//! made, so that no operation has to look for overflow: values fit in 64 bits, sums in 128. Regions that exceed these bounds
//! are searched with [`Int`](symloc_quasi::Int)s.

use symloc_quasi::univariate::partition_near;
use symloc_quasi::{Int, Univariate};

use super::Sums;

/// The fourth power of the length of a row fits in 128 bits.
const LONGEST: i128 = 1 << 29;

/// The differences of v and c along the row at its first point: polynomials of degree 2 at most in the number of the row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ramps {
    first: Parabola,
    step: Parabola,
    bend: Parabola,
    count: Parabola,
    lean: Parabola,
    /// The last point of row t is `width.0 + width.1·t`.
    width: (i64, i64),
}

/// `Δ₀ + Δ₁·t + Δ₂·t·(t − 1)/2`
#[derive(Clone, Copy, Debug)]
struct Parabola([i64; 3]);

/// The values of a parabola, one after another.
struct Walk(i64, i64, i64);

impl Parabola {
    /// A polynomial, if its degree is at most 2, and a bound of its values and differences for 0 ≤ t ≤ rows.
    fn new(poly: &Univariate, rows: i128) -> Option<(Self, i128)> {
        if poly.degree() > 2 {
            return None;
        }
        let [a, b, c] = [poly.at(0).to_i128()?, poly.at(1).to_i128()?, poly.at(2).to_i128()?];
        let (one, two) = (b.checked_sub(a)?, c.checked_sub(b)?.checked_sub(b.checked_sub(a)?)?);
        let curve = rows.checked_mul(rows)?.checked_mul(two.checked_abs()?)?;
        let slope = rows.checked_mul(one.checked_abs()?)?;
        let most = a.checked_abs()?.checked_add(slope)?.checked_add(curve)?.checked_add(one.checked_abs()?)?;
        let differences = [i64::try_from(a).ok()?, i64::try_from(one).ok()?, i64::try_from(two).ok()?];
        Some((Self(differences), most))
    }

    /// The values from row t on.
    fn walk(self, t: i64) -> Walk {
        let Self([constant, slope, curve]) = self;
        Walk(constant + slope * t + t * (t - 1) / 2 * curve, slope + curve * t, curve)
    }
}

impl Walk {
    fn next(&mut self) {
        self.0 += self.1;
        self.1 += self.2;
    }
}

impl Ramps {
    /// The rows `0 ≤ t < rows` of a region by its differences along s; `None` if they are of another form, or too large.
    pub(super) fn new(value: &[Univariate], count: &[Univariate], width: (i128, i128), rows: i128) -> Option<Self> {
        let flat = Univariate::through(&[]);
        let (first, step, bend) = match value {
            [first] => (first, &flat, &flat),
            [first, step] => (first, step, &flat),
            [first, step, bend] => (first, step, bend),
            _ => return None,
        };
        let (count, lean) = match count {
            [count] => (count, &flat),
            [count, lean] => (count, lean),
            _ => return None,
        };
        let (first, firsts) = Parabola::new(first, rows)?;
        let (step, steps) = Parabola::new(step, rows)?;
        let (bend, bends) = Parabola::new(bend, rows)?;
        let (count, counts) = Parabola::new(count, rows)?;
        let (lean, leans) = Parabola::new(lean, rows)?;
        let points = width.0.checked_add(width.1.max(0).checked_mul(rows)?)?.checked_add(1)?;
        let counts = leans.checked_mul(points)?.checked_add(counts)?;
        let slopes = bends.checked_mul(points)?.checked_add(steps)?;
        let values = slopes.checked_mul(points)?.checked_add(firsts)?;
        let sums = values.checked_mul(2)?.checked_mul(points)?.checked_mul(rows)?.checked_mul(counts.max(1))?;
        let half = i128::from(i64::MAX / 4);
        let fits = values <= half && counts <= half && points <= LONGEST && rows <= half && sums <= i128::MAX / 4;
        let width = (i64::try_from(width.0).ok()?, i64::try_from(width.1).ok()?);
        fits.then_some(Self { first, step, bend, count, lean, width })
    }

    /// Σ c and Σ v·c over the points of the rows `start ≤ t < end` with values up to `x`.
    pub(super) fn up_to(&self, start: i128, end: i128, x: &Int) -> Sums {
        // Every value is between these bounds, and every row among those that are bounded.
        let far = if x.is_negative() { i128::MIN } else { i128::MAX };
        let x = x.to_i128().unwrap_or(far).clamp(i128::from(i64::MIN / 4), i128::from(i64::MAX / 4)) as i64;
        let (start, rows) = (start as i64, (end - start) as i64);
        let mut walks = [self.first, self.step, self.bend, self.count, self.lean].map(|poly| poly.walk(start));
        let mut last = self.width.0 + self.width.1 * start;
        let (mut number, mut weight) = (0_i128, 0_i128);
        for _ in 0..rows {
            let [first, step, bend, count, lean] = walks.each_ref().map(|walk| walk.0);
            let (points, sum) = match (bend, lean) {
                (0, 0) => {
                    let (points, sum) = straight(first, step, last, x);
                    (i128::from(count) * i128::from(points), i128::from(count) * sum)
                }
                _ => Bent { first, step, bend, count, lean }.up_to(last, x),
            };
            number += points;
            weight += sum;
            walks.iter_mut().for_each(Walk::next);
            last += self.width.1;
        }
        Sums { count: number.into(), weighted: weight.into() }
    }
}

/// How many of `first, first + step, …, first + step·last` are up to `x`, and their sum.
fn straight(first: i64, step: i64, last: i64, x: i64) -> (i64, i128) {
    let (low, rise) = if step < 0 { (first + step * last, -step) } else { (first, step) };
    let room = x - low;
    if room < 0 {
        return (0, 0);
    }
    let steps = if rise == 0 { last } else { (room / rise).min(last) };
    // The first and the last of these values, once for each of them, is twice their sum.
    (steps + 1, (i128::from(2 * low + rise * steps) * i128::from(steps + 1)) >> 1)
}

/// `v = first + step·s + bend·s·(s − 1)/2`, with one direction over the points that count, and `c = count + lean·s`.
struct Bent {
    first: i64,
    step: i64,
    bend: i64,
    count: i64,
    lean: i64,
}

impl Bent {
    fn at(&self, s: i64) -> i64 {
        self.first + self.step * s + s * (s - 1) / 2 * self.bend
    }

    /// Σ c and Σ v·c over the first so many points.
    fn sums(&self, points: i64) -> (i128, i128) {
        let [n, first, step, bend, count, lean] =
            [points, self.first, self.step, self.bend, self.count, self.lean].map(i128::from);
        let ones = n * (n - 1) / 2;
        let values = n * first + ones * step + n * (n - 1) * (n - 2) / 6 * bend;
        if lean == 0 {
            return (count * n, count * values);
        }
        // Σ s·v, with Σ s², and with Σ s³ = (Σ s)².
        let squares = n * (n - 1) * (2 * n - 1) / 6;
        let moments = ones * first + squares * step + (ones * ones - squares) / 2 * bend;
        (count * n + lean * ones, count * values + lean * moments)
    }

    /// Σ c and Σ v·c over the points `0..=last` with values up to `x`.
    fn up_to(&self, last: i64, x: i64) -> (i128, i128) {
        let rising = self.at(last) >= self.first;
        let holds = |s: i128| (self.at(s as i64) <= x) == rising;
        let change = partition_near(self.root(x, rising), 0, i128::from(last + 1), holds) as i64;
        let before = self.sums(change);
        if rising {
            return before;
        }
        let all = self.sums(last + 1);
        (all.0 - before.0, all.1 - before.1)
    }

    /// About where the values pass x; whoever uses it looks at exact values around it.
    fn root(&self, x: i64, rising: bool) -> i128 {
        let [first, step, bend] = [self.first - x, self.step, self.bend].map(|value| value as f64);
        if self.bend == 0 {
            return (-first / step) as i128;
        }
        let slope = step - bend / 2.0;
        let root = (slope * slope - 2.0 * bend * first).max(0.0).sqrt();
        (((if rising { root } else { -root }) - slope) / bend) as i128
    }
}
