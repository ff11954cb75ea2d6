//! Several values at once: `64`, `64,128,256`, `64..4096:*2`, `100..1000:+100`.
//!
//! A list holds single values and ranges, separated by commas. A range holds its first value and, step by step, every further one up to its
//! last; without a step it counts by one. Values are enumerated only on demand, so a range of absurd length can be refused at no cost. The
//! caller defines the notation of numbers: sizes are `64`, caches `32KiB`.

use std::iter;

/// Some numbers, in the order in which they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberList {
    items: Vec<ListItem>,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListItem {
    One(i128),
    /// `first` and its successors by `step`, up to `last`, which is at least `first`.
    Range {
        first: i128,
        last: i128,
        step: RangeStep,
    },
}

/// The step from one value of a range to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RangeStep {
    /// At least 1.
    Plus(i128),
    /// At least 2, from a first value of at least 1.
    Times(i128),
}

impl NumberList {
    /// Parses a list; `number` parses one number. The values between those that it accepts must be acceptable too.
    ///
    /// # Errors
    ///
    /// A message if the list is malformed, or the message of `number` for a part of it.
    pub fn parse(text: &str, mut number: impl FnMut(&str) -> Result<i128, String>) -> Result<Self, String> {
        let mut number = |part: &str| match part {
            "" => Err(format!("a value is missing in `{text}`")),
            _ => number(part),
        };
        let items = text.split(',').map(|item| ListItem::parse(item.trim(), &mut number)).collect::<Result<_, _>>()?;
        Ok(Self { items })
    }

    /// Returns the only value; `None` if a list or a range was written, even of one value.
    pub fn single(&self) -> Option<i128> {
        match self.items.as_slice() {
            [ListItem::One(value)] => Some(*value),
            _ => None,
        }
    }

    /// Returns the number of values.
    pub fn count(&self) -> u128 {
        self.items.iter().fold(0, |sum: u128, item| sum.saturating_add(item.count()))
    }

    /// Returns the values.
    pub fn iter(&self) -> impl Iterator<Item = i128> {
        self.items.iter().flat_map(|item| item.iter())
    }
}

impl ListItem {
    fn parse(text: &str, number: &mut impl FnMut(&str) -> Result<i128, String>) -> Result<Self, String> {
        let Some((first, rest)) = text.split_once("..") else { return number(text).map(ListItem::One) };
        let (last, step) = match rest.split_once(':') {
            Some((last, step)) => (last.trim(), Some(step.trim())),
            None => (rest.trim(), None),
        };
        let (first_text, last_text) = (first.trim(), last);
        let (first, last) = (number(first_text)?, number(last_text)?);
        if first > last {
            return Err(format!("`{text}` runs backwards; write {last_text}..{first_text}"));
        }
        let step = step.map_or(Ok(RangeStep::Plus(1)), |step| RangeStep::parse(step, number))?;
        if matches!(step, RangeStep::Times(_)) && first < 1 {
            return Err(format!("`{text}` never grows: multiples of {first_text} do not exceed it"));
        }
        Ok(ListItem::Range { first, last, step })
    }

    fn count(&self) -> u128 {
        match *self {
            ListItem::One(_) => 1,
            ListItem::Range { first, last, step: RangeStep::Plus(step) } => {
                last.abs_diff(first) / step.unsigned_abs() + 1
            }
            // At most 127 of them.
            ListItem::Range { .. } => self.iter().count() as u128,
        }
    }

    fn iter(&self) -> impl Iterator<Item = i128> + use<> {
        let (first, last, step) = match *self {
            ListItem::One(value) => (value, value, RangeStep::Plus(1)),
            ListItem::Range { first, last, step } => (first, last, step),
        };
        let next = move |value: &i128| match step {
            RangeStep::Plus(step) => value.checked_add(step),
            RangeStep::Times(factor) => value.checked_mul(factor),
        };
        iter::successors(Some(first), next).take_while(move |value| *value <= last)
    }
}

impl RangeStep {
    fn parse(text: &str, number: &mut impl FnMut(&str) -> Result<i128, String>) -> Result<Self, String> {
        if let Some(step) = text.strip_prefix('+') {
            let value = number(step.trim())?;
            return if value >= 1 {
                Ok(RangeStep::Plus(value))
            } else {
                Err(format!("a step of `+{step}` never arrives"))
            };
        }
        let Some(factor) = text.strip_prefix('*') else {
            return Err(format!("`{text}` is not a step; write +{text} to add it or *{text} to multiply by it"));
        };
        match factor.trim().parse() {
            Ok(value) if value >= 2 => Ok(RangeStep::Times(value)),
            Ok(_) => Err(format!("a step of `*{factor}` never arrives; multiply by 2 or more")),
            Err(_) => Err(format!("`{factor}` is not a whole number to multiply by")),
        }
    }
}

impl From<i64> for NumberList {
    fn from(value: i64) -> Self {
        Self { items: vec![ListItem::One(value.into())] }
    }
}

/// Returns every choice of one index below each of the lengths; the last index runs fastest.
pub fn product(lengths: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let lengths = lengths.to_vec();
    let first = lengths.iter().all(|length| *length > 0).then(|| vec![0; lengths.len()]);
    iter::successors(first, move |indices| {
        let mut next = indices.clone();
        for (index, length) in next.iter_mut().zip(&lengths).rev() {
            *index += 1;
            if *index < *length {
                return Some(next);
            }
            *index = 0;
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<NumberList, String> {
        NumberList::parse(text, |number| number.parse().map_err(|_| format!("`{number}` is not a number")))
    }

    fn values(text: &str) -> Vec<i128> {
        let values = parse(text).unwrap();
        let all: Vec<_> = values.iter().collect();
        assert_eq!(values.count(), all.len() as u128, "{text}");
        all
    }

    #[test]
    fn lists_and_ranges() {
        assert_eq!(values("64"), [64]);
        assert_eq!(values("-64"), [-64]);
        assert_eq!(values("64,16, 128"), [64, 16, 128]);
        assert_eq!(values("64..1024:*2"), [64, 128, 256, 512, 1024]);
        assert_eq!(values("64..1023:*2"), [64, 128, 256, 512]);
        assert_eq!(values("3..300:*10"), [3, 30, 300]);
        assert_eq!(values("100..300:+100"), [100, 200, 300]);
        assert_eq!(values("100..299:+100"), [100, 200]);
        assert_eq!(values("7..10"), [7, 8, 9, 10]);
        assert_eq!(values("-2..3:+2"), [-2, 0, 2]);
        assert_eq!(values("5..5"), [5]);
        assert_eq!(values("5..5:*2"), [5]);
        assert_eq!(values("8, 16..64:*2, 100"), [8, 16, 32, 64, 100]);
        assert_eq!(values(" 1 .. 3 : + 2 "), [1, 3]);
    }

    #[test]
    fn a_range_of_one_value_is_a_range() {
        assert_eq!(parse("5").unwrap().single(), Some(5));
        assert_eq!(parse("5..5").unwrap().single(), None);
        assert_eq!(parse("5,6").unwrap().single(), None);
    }

    #[test]
    fn long_ranges_are_counted_without_being_enumerated() {
        assert_eq!(parse(&format!("{}..{}", i64::MIN, i64::MAX)).unwrap().count(), 1 << 64);
        assert_eq!(parse(&format!("1..{}:*2", i128::MAX)).unwrap().count(), 127);
        assert_eq!(values(&format!("{}..{}:+2", i128::MAX - 2, i128::MAX)), [i128::MAX - 2, i128::MAX]);
    }

    #[test]
    fn what_is_no_range() {
        for (text, reason) in [
            ("4096..64", "`4096..64` runs backwards; write 64..4096"),
            ("4096..64:*2", "`4096..64:*2` runs backwards; write 64..4096"),
            ("64..4096:*1", "a step of `*1` never arrives; multiply by 2 or more"),
            ("64..4096:*0", "a step of `*0` never arrives; multiply by 2 or more"),
            ("64..4096:*-2", "a step of `*-2` never arrives; multiply by 2 or more"),
            ("64..4096:*1.5", "`1.5` is not a whole number to multiply by"),
            ("64..4096:+0", "a step of `+0` never arrives"),
            ("64..4096:+-8", "a step of `+-8` never arrives"),
            ("64..4096:2", "`2` is not a step; write +2 to add it or *2 to multiply by it"),
            ("0..4096:*2", "`0..4096:*2` never grows: multiples of 0 do not exceed it"),
            ("-4..4096:*2", "`-4..4096:*2` never grows: multiples of -4 do not exceed it"),
            ("64..", "a value is missing in `64..`"),
            ("..64", "a value is missing in `..64`"),
            ("64,", "a value is missing in `64,`"),
            ("1..2..3", "`2..3` is not a number"),
        ] {
            assert_eq!(parse(text).unwrap_err(), reason, "{text}");
        }
    }

    #[test]
    fn products_run_fastest_at_the_end() {
        let all: Vec<_> = product(&[2, 3]).collect();
        assert_eq!(all, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        assert_eq!(product(&[]).collect::<Vec<_>>(), [[0; 0]]);
        assert_eq!(product(&[2, 0]).count(), 0);
    }
}
