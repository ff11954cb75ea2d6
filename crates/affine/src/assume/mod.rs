//! The language of `--assume`: affine conditions on the parameters.
//!
//! ```text
//! conditions = condition { ("," | "and") condition }
//! condition  = chain | set
//! set        = name "in" value { "," value }              value: an integer
//! chain      = sum relation sum { relation sum }          relation: <= < >= > = ==
//! sum        = product { ("+" | "-") product }
//! product    = unary { ("*" | "/" | "mod" | "%") unary }  "/" only directly under floor or ceil
//! multiple   = name "mod" line "=" "0"                     with a symbolic size of lines or tiles, in place of a chain
//! unary      = "-" unary | integer | name | "(" sum ")" | ("floor" | "ceil") "(" sum "/" integer ")"
//! name       = identifier [ "[" integer "]" ]             an element of an array, `debug[0]`, is the parameter `debug_0`
//! ```
//!
//! Example: `n >= 16, n mod 8 = 0, 1 <= m <= n, ksize in 1, 3, 5`. Of an argument without a name of its own, that of
//! the source is one as well: `arg1`.

mod parser;
mod tokens;
mod values;

pub use parser::{Assumptions, ValueSet, parse_assumptions, value_sets};
pub use tokens::{AssumeError, element, element_name};
pub use values::{conditions, fits_in, fixed_values};

use crate::expr::Constraint;
use crate::ids::ParamId;
use crate::question::Test;

/// Returns the parameter that a condition speaks of, if it speaks of no other one and holds of values below 1.
pub fn below_one(condition: &Constraint) -> Option<ParamId> {
    let (param, test, answer) = Test::of(condition)?;
    let holds = match (test, answer) {
        (Test::Equals(value) | Test::AtLeast(value), true) => value <= 0,
        // Below the value, so nowhere above 0.
        (Test::AtLeast(value), _) => value <= 1,
        (Test::Equals(_), false) => false,
    };
    holds.then_some(param)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Param;

    fn holds(text: &str, n: i128, m: i128) -> bool {
        let params = [Param::named("n"), Param::named("m")];
        parse_assumptions(text, &params, &[])
            .unwrap()
            .constraints
            .iter()
            .all(|c| c.holds(&|p| [n, m][p.index()], &|_| 0).unwrap())
    }

    #[test]
    fn conditions_mean_what_they_say() {
        for n in -3..40 {
            for m in [-1, 0, 5, 16] {
                assert_eq!(holds("n >= 16, n mod 8 = 0", n, m), n >= 16 && n % 8 == 0);
                assert_eq!(holds("1 <= m < n and n % 3 == 1", n, m), 1 <= m && m < n && n.rem_euclid(3) == 1);
                assert_eq!(holds("2*(n - m) > -3", n, m), 2 * (n - m) > -3);
                assert_eq!(holds("floor((n + 1)/4) = ceil(m/4)", n, m), (n + 1).div_euclid(4) == -((-m).div_euclid(4)));
            }
        }
    }

    #[test]
    fn names_with_one_value() {
        let fixed =
            |text| fixed_values(text).into_iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>();
        assert_eq!(fixed("step = 2, n >= 16 and -3 == lo, m mod 8 = 0"), ["lo -3", "step 2"]);
        assert_eq!(fixed("x = -1, y = 0, z = x, 1 <= n = 4, x = 7"), ["x -1", "y 0"]);
    }

    #[test]
    fn sets_of_values() {
        let sets: [(&str, &[i64]); 5] = [
            ("1, 3, 5", &[1, 3, 5]),
            ("-2, 7, 1, 2", &[-2, 1, 2, 7]),
            ("4", &[4]),
            ("3, 4, 5", &[3, 4, 5]),
            ("0, 8, 9, 30, 31, 33", &[0, 8, 9, 30, 31, 33]),
        ];
        for (text, values) in sets {
            for n in -40..80 {
                let expected = values.iter().any(|value| i128::from(*value) == n);
                assert_eq!(holds(&format!("n in {text}, 4 <= m"), n, 4), expected, "{n} in {text}");
                assert!(!holds(&format!("m >= 4 and n in {text}"), n, 3));
            }
        }
        let found = value_sets("n in 1, 3, m >= 2, 4 <= k, m in -1 and k = 2");
        let found: Vec<_> =
            found.into_iter().map(|set| (set.name, set.values.into_iter().collect(), set.place)).collect();
        assert_eq!(found, [("n".to_owned(), vec![1, 3], (0, 9)), ("m".to_owned(), vec![-1], (27, 34))]);
        let params = [Param::named("n")];
        assert!(parse_assumptions("n in m", &params, &[]).unwrap_err().reason.contains("whole number"));
    }

    #[test]
    fn elements_and_names_of_the_source() {
        let params = [Param::named("a_2"), Param { name: "p1".to_owned(), argument: Some("arg4".to_owned()) }];
        let parsed = |text| parse_assumptions(text, &params, &[]).map(|assumed| assumed.constraints);
        assert_eq!(parsed("a[2] = 3, arg4 >= 5").unwrap(), parsed("a_2 = 3, p1 >= 5").unwrap());
        assert!(parsed("a[3] = 1").is_err() && parsed("a[n] = 1").is_err() && parsed("a[2 = 1").is_err());
        assert_eq!(fixed_values("a[2] = 3").into_iter().next(), Some(("a[2]".to_owned(), 3)));
        assert_eq!(conditions("a[2] = 3 , 1 <= n<m and n mod 8=0"), ["a[2] = 3", "1 <= n<m", "n mod 8=0"]);
    }

    #[test]
    fn conditions_that_hold_below_one() {
        let below = |text: &str| {
            let params = [Param::named("n"), Param::named("m")];
            let conditions = parse_assumptions(text, &params, &[]).unwrap().constraints;
            conditions.iter().filter_map(below_one).map(ParamId::index).collect::<Vec<_>>()
        };
        assert_eq!(below("n >= 0, m >= -3, 0 = n, n < 1, m = -2"), [0, 1, 0, 0, 1]);
        assert_eq!(below("n >= 1, n <= 9, m = 2, n >= m, n <= 1").len(), 0);
    }

    #[test]
    fn multiples_of_the_line_size() {
        let params = ["n", "b"].map(Param::named);
        let parse = |text| parse_assumptions(text, &params, &[ParamId(1)]);
        let assumed = parse("n >= 2*b and n mod b = 0").unwrap();
        assert_eq!((assumed.constraints.len(), assumed.multiples), (1, vec![(ParamId(0), ParamId(1))]));
        assert!(parse("n mod b = 1").unwrap_err().reason.contains("positive whole number"));
        assert!(parse_assumptions("n mod b = 0", &params, &[]).is_err());
    }

    #[test]
    fn errors_name_the_column_and_the_cause() {
        let params = [Param::named("n")];
        let error = |text| parse_assumptions(text, &params, &[]).unwrap_err().to_string();
        assert_eq!(
            error("n >= 1, k = 0"),
            "`k` is not a parameter (the parameters are `n`) at column 9 of the condition `n >= 1, k = 0`"
        );
        assert!(error("n").starts_with("expected a comparison"));
        assert!(error("n * n > 3").starts_with("a product of two parameters is not affine"));
        assert!(error("n >= 1 m").starts_with("expected `,` or `and` at column 8"));
        assert!(error("n ! 1").starts_with("unexpected `!` at column 3"));
    }
}
