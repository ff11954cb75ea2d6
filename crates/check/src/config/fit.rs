//! `fits = "L2 at n <= 1500"`: up to which size a cache holds all that is used again.

use std::str::FromStr;

use symloc_model::NamedSizes;

/// A cache, and the sizes at which it must miss nothing but first touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitRule {
    /// The level, by its name.
    pub level: String,
    /// The parameters that have each value from 1 on, all the same one.
    pub names: Vec<String>,
    /// The largest value.
    pub most: i64,
    /// The other parameters.
    pub fixed: Vec<(String, i64)>,
    /// The rule as it was written.
    pub text: String,
}

/// The most sizes of a rule: each is evaluated.
const MOST_SIZES: i64 = 100_000;

impl FitRule {
    /// Returns all sizes, in ascending order.
    pub fn sizes(&self) -> impl Iterator<Item = NamedSizes> {
        (1..=self.most).map(|value| {
            let searched = self.names.iter().map(|name| (name.clone(), value));
            searched.chain(self.fixed.iter().cloned()).collect()
        })
    }
}

impl FromStr for FitRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is not of the form \"L2 at n <= 1500\", or \"1MiB at n = m <= 1500, k = 64\"");
        let (level, sizes) = text.split_once(" at ").ok_or_else(form)?;
        let (mut searched, mut fixed) = (None, Vec::new());
        for part in sizes.split(',') {
            let number = |text: &str| text.trim().parse::<i64>().map_err(|_| form());
            match part.split_once("<=") {
                Some((names, most)) if searched.is_none() => {
                    let names = names.split('=').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
                    searched = Some((names, number(most)?));
                }
                Some(_) => return Err(format!("`{text}` has two sizes that vary; make one of them a rule of its own")),
                None => {
                    let (name, value) = part.split_once('=').ok_or_else(form)?;
                    fixed.push((name.trim().to_owned(), number(value)?));
                }
            }
        }
        let (names, most) = searched.ok_or_else(form)?;
        if names.iter().any(String::is_empty) || level.trim().is_empty() {
            return Err(form());
        }
        if !(1..=MOST_SIZES).contains(&most) {
            return Err(format!("`{text}`: each size from 1 on is evaluated, at most {MOST_SIZES} of them"));
        }
        Ok(Self { level: level.trim().to_owned(), names, most, fixed, text: text.to_owned() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod tests {
    use super::*;

    #[test]
    fn rules_name_a_level_and_sizes() {
        let rule: FitRule = "1MiB, at n = m <= 3, k = 64".parse().unwrap();
        assert_eq!((rule.level.as_str(), rule.most), ("1MiB,", 3));
        assert_eq!((rule.names.len(), rule.fixed.as_slice()), (2, &[("k".to_owned(), 64)][..]));
        let sizes: Vec<_> = rule.sizes().map(|sizes| [sizes.get("n"), sizes.get("m"), sizes.get("k")]).collect();
        assert_eq!(sizes[..2], [[Some(1), Some(1), Some(64)], [Some(2), Some(2), Some(64)]]);
        assert_eq!(sizes.len(), 3);
    }

    #[test]
    fn others_are_refused() {
        for text in ["", "L2", "L2 at", "L2 at n", "L2 at n = 3", "L2 at n <= x", "L2 at <= 3", " at n <= 3"] {
            assert!(text.parse::<FitRule>().unwrap_err().contains("not of the form"), "{text}");
        }
        assert!("L2 at n <= 3, m <= 4".parse::<FitRule>().unwrap_err().contains("two sizes"));
        assert!("L2 at n <= 0".parse::<FitRule>().unwrap_err().contains("from 1 on"));
    }
}
