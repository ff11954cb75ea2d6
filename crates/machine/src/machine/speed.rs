//! The speed of a machine: of one core, and of several that share levels and memory.

use std::str::FromStr;

use crate::rates;

/// The speed of one core and the bandwidths of its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speed {
    /// The largest number of floating-point operations a second: double precision, with a multiplication and an addition at once if
    /// possible.
    pub peak: u64,
    /// For each cache the source that it is filled from, the next cache or at last `memory`, and the number of bytes a second that can be
    /// read from this source.
    pub bandwidths: Vec<(String, u64)>,
    /// For each of these sources, the number of bytes a second that all cores can read from it together, if known.
    pub all_cores: Vec<Option<u64>>,
}

/// No rate is known at which a source delivers bytes to all cores together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("how many bytes a second {0} delivers to all cores together is not known")]
pub struct NoCommonBandwidth(pub String);

/// The rate at which a source delivers bytes to all cores together: `memory=80GB/s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRate {
    /// The name of a cache, or `memory`.
    pub source: String,
    /// Bytes a second.
    pub rate: u64,
}

impl FromStr for SourceRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (source, rate) = text.split_once('=').ok_or("expected LEVEL=RATE, such as memory=80GB/s")?;
        Ok(Self { source: source.trim().to_owned(), rate: rates::bytes(rate.trim())? })
    }
}

impl Speed {
    /// Replaces the rates at which some sources deliver bytes to all cores together.
    ///
    /// # Errors
    ///
    /// A message if the machine has no such source, or if all cores together are to read less than one of them.
    pub fn with_rates(mut self, rates: &[SourceRate]) -> Result<Self, String> {
        for SourceRate { source, rate } in rates {
            let Some(place) = self.bandwidths.iter().position(|(name, _)| name == source) else {
                let names: Vec<_> = self.bandwidths.iter().map(|(name, _)| name.as_str()).collect();
                return Err(format!("data do not come from `{source}`, but from {}", names.join(", ")));
            };
            if *rate < self.bandwidths[place].1 {
                return Err(format!("one core reads more from {source} than all cores together would"));
            }
            self.all_cores[place] = Some(*rate);
        }
        Ok(self)
    }

    /// Returns the speed of so many cores: so many times the peak and the bandwidths of the first `own` sources, of which each core
    /// has one. The others are shared: they deliver so many times what one core reads, but no more than to all cores together.
    ///
    /// # Errors
    ///
    /// [`NoCommonBandwidth`] for several cores, if it is not known how much a shared source delivers to all of them.
    pub fn of_cores(&self, cores: u64, own: usize) -> Result<Self, NoCommonBandwidth> {
        let rate = |(index, (source, one)): (usize, &(String, u64))| {
            let each = one.saturating_mul(cores);
            let rate = match self.all_cores[index] {
                _ if index < own || cores <= 1 => each,
                Some(all) => each.min(all),
                None => return Err(NoCommonBandwidth(source.clone())),
            };
            Ok((source.clone(), rate))
        };
        let bandwidths = self.bandwidths.iter().enumerate().map(rate).collect::<Result<_, _>>()?;
        Ok(Self { peak: self.peak.saturating_mul(cores), bandwidths, all_cores: self.all_cores.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed() -> Speed {
        let bandwidths = [("L2", 60), ("L3", 30), ("memory", 12)].map(|(name, rate)| (name.to_owned(), rate)).to_vec();
        Speed { peak: 100, bandwidths, all_cores: vec![None, Some(100), None] }
    }

    #[test]
    fn cores_multiply_their_own_and_share_the_rest() {
        let rates = |speed: &Speed| speed.bandwidths.iter().map(|(_, rate)| *rate).collect::<Vec<_>>();
        assert_eq!(rates(&speed().of_cores(1, 1).unwrap()), [60, 30, 12]);
        assert_eq!(speed().of_cores(2, 1), Err(NoCommonBandwidth("memory".to_owned())));
        let full = speed().with_rates(&["memory=40B/s".parse().unwrap()]).unwrap();
        assert_eq!(rates(&full.of_cores(3, 1).unwrap()), [180, 90, 36]);
        assert_eq!(rates(&full.of_cores(8, 1).unwrap()), [480, 100, 40]);
        assert_eq!(rates(&full.of_cores(8, 2).unwrap()), [480, 240, 40]);
        assert_eq!(full.of_cores(8, 1).unwrap().peak, 800);
    }

    #[test]
    fn rates_must_fit_the_machine() {
        let refused = |text: &str| speed().with_rates(&[text.parse().unwrap()]).unwrap_err();
        assert_eq!(refused("disk=1GB/s"), "data do not come from `disk`, but from L2, L3, memory");
        assert_eq!(refused("memory=11B/s"), "one core reads more from memory than all cores together would");
        assert!("memory".parse::<SourceRate>().unwrap_err().contains("LEVEL=RATE"));
        assert!("memory=fast".parse::<SourceRate>().unwrap_err().contains("B/s"));
    }
}
