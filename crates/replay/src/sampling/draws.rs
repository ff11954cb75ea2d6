//! Estimates shares from stratified samples, with their standard deviations.
//!
//! In each stratum draws are weighted by the inverse of their probability, so a mean is a ratio of two sums. Its variance is that
//! of the linearised residuals. As draws are spread evenly over the outermost loop, neighbours there are compared with each
//! other, so that slow variation along the run does not count. Sources: Cochran, "Sampling Techniques", third edition, section
//! 6.10 (combined ratio estimate); Wolter, "An investigation of some estimators of variance for systematic sampling", 1984
//! (successive differences).

/// One draw.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    /// The place in the outermost loop.
    pub(super) place: f64,
    /// The inverse of its probability; 0 if the draw reached no access.
    pub(super) weight: f64,
    /// The quantities that are not zero, with their amounts for each access.
    pub(super) seen: Vec<(usize, f64)>,
}

/// The draws of a part of the population.
#[derive(Clone, Debug, Default)]
pub(super) struct Stratum {
    /// Its share in the population.
    pub(super) share: f64,
    draws: Vec<Draw>,
}

/// An estimate with its standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Mean {
    pub(super) value: f64,
    pub(super) deviation: f64,
    /// The largest value of any draw.
    pub(super) most: f64,
}

impl Stratum {
    pub(super) fn new(share: f64) -> Self {
        Self { share, draws: Vec::new() }
    }

    pub(super) fn add(&mut self, draw: Draw) {
        self.draws.push(draw);
    }

    pub(super) fn draws(&self) -> usize {
        self.draws.len()
    }

    pub(super) fn clear(&mut self) {
        self.draws.clear();
    }

    /// Returns the mean of each of `quantities` quantities.
    pub(super) fn means(&mut self, quantities: usize) -> Vec<Mean> {
        let mut means = vec![Mean::default(); quantities];
        let weight: f64 = self.draws.iter().map(|draw| draw.weight).sum();
        if weight == 0.0 {
            return means;
        }
        for draw in &self.draws {
            for (quantity, seen) in &draw.seen {
                means[*quantity].value += draw.weight * seen / weight;
                means[*quantity].most = means[*quantity].most.max(*seen);
            }
        }
        self.draws.sort_by(|a, b| a.place.total_cmp(&b.place));
        let variances = self.variances(&means, weight);
        for (mean, variance) in means.iter_mut().zip(variances) {
            mean.deviation = variance.sqrt();
        }
        means
    }

    /// Returns the variance of each mean, from the differences of neighbours.
    fn variances(&self, means: &[Mean], weight: f64) -> Vec<f64> {
        let count = self.draws.len() as f64;
        let mut variances = vec![0.0; means.len()];
        let mut before: Option<Vec<f64>> = None;
        for draw in &self.draws {
            let scale = draw.weight * count / weight;
            let mut residuals: Vec<f64> = means.iter().map(|mean| -scale * mean.value).collect();
            draw.seen.iter().for_each(|(quantity, seen)| residuals[*quantity] += scale * seen);
            for (variance, (now, before)) in variances.iter_mut().zip(residuals.iter().zip(before.iter().flatten())) {
                *variance += (now - before) * (now - before);
            }
            before = Some(residuals);
        }
        let differences = 2.0 * (count - 1.0).max(1.0) * count;
        variances.iter_mut().for_each(|variance| *variance /= differences);
        variances
    }
}

/// Returns the mean of a population from those of its strata, with their shares.
pub(super) fn combined(strata: impl Iterator<Item = (f64, Mean)>) -> Mean {
    let sum = strata.fold(Mean::default(), |sum, (share, mean)| Mean {
        value: sum.value + share * mean.value,
        deviation: sum.deviation + share * share * mean.deviation * mean.deviation,
        most: sum.most.max(mean.most),
    });
    Mean { deviation: sum.deviation.sqrt(), ..sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(place: f64, seen: f64) -> Draw {
        Draw { place, weight: 5.0, seen: vec![(0, seen)] }
    }

    #[test]
    fn neighbours_are_compared() {
        let mut stratum = Stratum::new(1.0);
        [(0.1, 1.0), (0.7, 3.0), (0.3, 2.0), (0.9, 2.0)].iter().for_each(|(at, seen)| stratum.add(draw(*at, *seen)));
        let [Mean { value, deviation, .. }] = stratum.means(1)[..] else { panic!("one quantity") };
        assert!((value - 2.0).abs() < 1e-12);
        // Three differences of 1, two for each variance; the variance of a mean of four is a quarter of that.
        assert!((deviation * deviation - 3.0 / 3.0 / 2.0 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn strata_count_by_their_shares() {
        let (mut large, mut small) = (Stratum::new(0.75), Stratum::new(0.25));
        for at in [0.2, 0.5, 0.8] {
            large.add(draw(at, 0.1));
            small.add(draw(at, 0.9));
        }
        let strata = [&mut large, &mut small].map(|stratum| (stratum.share, stratum.means(1)[0]));
        let Mean { value, deviation, .. } = combined(strata.into_iter());
        assert!((value - 0.3).abs() < 1e-12 && deviation < 1e-9);
    }
}
