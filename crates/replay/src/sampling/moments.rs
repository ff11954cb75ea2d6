//! Ratios from stratified samples, and how far they may be off.
//!
//! In each stratum draws are weighted by the inverse of how likely they were. The estimate is the combined ratio estimator; its variance is
//! that of the linearised residuals. Source: Cochran, "Sampling Techniques", third edition, sections 6.10 to 6.12 (combined ratio
//! estimate in stratified sampling).

/// The draws of a stratum: sums of weights `w`, of what was counted in all `a`, and of what was counted of each quantity `m`.
#[derive(Clone, Debug, Default)]
pub(super) struct Stratum {
    /// Its share in the population.
    pub(super) share: f64,
    pub(super) draws: f64,
    w: f64,
    ww: f64,
    wa: f64,
    wwa: f64,
    wwaa: f64,
    quantities: Vec<Quantity>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Quantity {
    wm: f64,
    wwm: f64,
    wwma: f64,
    wwmm: f64,
}

/// A ratio with the standard deviation of its estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    pub(super) value: f64,
    pub(super) deviation: f64,
}

impl Stratum {
    pub(super) fn new(share: f64, quantities: usize) -> Self {
        Self { share, quantities: vec![Quantity::default(); quantities], ..Self::default() }
    }

    /// A draw; its weight is 0 if it came to nothing.
    pub(super) fn add(&mut self, w: f64, a: f64, counts: impl IntoIterator<Item = f64>) {
        self.draws += 1.0;
        self.w += w;
        self.ww += w * w;
        self.wa += w * a;
        self.wwa += w * w * a;
        self.wwaa += w * w * a * a;
        for (quantity, m) in self.quantities.iter_mut().zip(counts) {
            quantity.wm += w * m;
            quantity.wwm += w * w * m;
            quantity.wwma += w * w * m * a;
            quantity.wwmm += w * w * m * m;
        }
    }

    /// The mean of what was counted in all.
    fn mean(&self) -> f64 {
        if self.w > 0.0 { self.wa / self.w } else { 0.0 }
    }

    fn mean_of(&self, quantity: usize) -> f64 {
        if self.w > 0.0 { self.quantities[quantity].wm / self.w } else { 0.0 }
    }

    /// The standard deviation of one draw of a quantity, as a share of what is counted in all.
    pub(super) fn deviation(&self, quantity: usize) -> f64 {
        let mean = self.mean();
        if mean > 0.0 { (self.variance(quantity, 0.0) * self.draws).sqrt() / mean } else { 0.0 }
    }

    /// The variance of the mean residual.
    fn variance(&self, quantity: usize, ratio: f64) -> f64 {
        if self.w == 0.0 || self.draws < 2.0 {
            return 0.0;
        }
        let Quantity { wwm, wwma, wwmm, .. } = self.quantities[quantity];
        let centre = self.mean_of(quantity) - ratio * self.mean();
        let squares =
            wwmm + ratio * ratio * self.wwaa + centre * centre * self.ww - 2.0 * ratio * wwma - 2.0 * centre * wwm
                + 2.0 * ratio * centre * self.wwa;
        let mean_weight = self.w / self.draws;
        (squares / (mean_weight * mean_weight * (self.draws - 1.0) * self.draws)).max(0.0)
    }
}

/// A quantity as a share of all that is counted.
pub(super) fn ratio(strata: &[&Stratum], quantity: usize) -> Ratio {
    let all: f64 = strata.iter().map(|stratum| stratum.share * stratum.mean()).sum();
    if all == 0.0 {
        return Ratio { value: 0.0, deviation: 0.0 };
    }
    let value = strata.iter().map(|stratum| stratum.share * stratum.mean_of(quantity)).sum::<f64>() / all;
    let variance: f64 =
        strata.iter().map(|stratum| stratum.share * stratum.share * stratum.variance(quantity, value)).sum();
    Ratio { value, deviation: variance.sqrt() / all }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_give_the_textbook_variance() {
        let mut stratum = Stratum::new(1.0, 1);
        let draws = [(1.0, 4.0), (3.0, 4.0), (2.0, 4.0), (2.0, 4.0)];
        draws.iter().for_each(|(m, a)| stratum.add(5.0, *a, [*m]));
        let Ratio { value, deviation } = ratio(&[&stratum], 0);
        assert!((value - 0.5).abs() < 1e-12);
        // Counts have the sample variance 2/3, their mean a quarter of it, the ratio a sixteenth of that.
        assert!((deviation * deviation - 2.0 / 3.0 / 4.0 / 16.0).abs() < 1e-12);
    }

    #[test]
    fn strata_count_by_their_shares() {
        let (mut large, mut small) = (Stratum::new(0.75, 1), Stratum::new(0.25, 1));
        for _ in 0..3 {
            large.add(1.0, 10.0, [1.0]);
            small.add(1.0, 10.0, [9.0]);
        }
        let Ratio { value, deviation } = ratio(&[&large, &small], 0);
        assert!((value - 0.3).abs() < 1e-12 && deviation < 1e-9);
    }
}
