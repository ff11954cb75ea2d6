//! Polynomials in JSON: a list of terms `[coefficient, [factor…]]`.
//!
//! A coefficient is an integer or the text `"a/b"`; a factor is a variable's number, the floor
//! `{"floor": terms, "by": d}`, or `[factor, exponent]`. So `n²/8 − 3·⌊n/8⌋` is
//! `[["1/8",[[0,2]]],[-3,[{"floor":[[1,[0]]],"by":8}]]]`.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Rational;
use crate::poly::{Atom, Monomial, Poly, Var};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Small(i64),
    Text(String),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Factor {
    Var(u32),
    Floor { floor: Terms, by: Number },
    Power(Box<Factor>, u32),
}

type Terms = Vec<(Number, Vec<Factor>)>;

fn number(value: &Rational) -> Number {
    match value.is_integer().then(|| value.numer().to_i64()).flatten() {
        Some(small) => Number::Small(small),
        None => Number::Text(value.to_string()),
    }
}

fn rational(number: &Number) -> Option<Rational> {
    match number {
        Number::Small(value) => Some(Rational::from_integer(BigInt::from(*value))),
        Number::Text(text) => {
            let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
            let denominator: BigInt = denominator.parse().ok()?;
            let numerator: BigInt = numerator.parse().ok()?;
            denominator.is_positive().then(|| Rational::new(numerator, denominator))
        }
    }
}

fn terms(poly: &Poly) -> Terms {
    poly.terms().map(|(m, c)| (number(c), m.factors().iter().map(|(a, e)| factor(a, *e)).collect())).collect()
}

fn factor(atom: &Atom, exponent: u32) -> Factor {
    let base = match atom {
        Atom::Var(var) => Factor::Var(var.0),
        Atom::Floor(floor) => Factor::Floor {
            floor: terms(floor.numerator()),
            by: number(&Rational::from_integer(floor.divisor().clone())),
        },
    };
    if exponent == 1 { base } else { Factor::Power(Box::new(base), exponent) }
}

/// The largest exponent that is read; anything above is a damaged file.
const MAX_EXPONENT: u32 = 1000;

fn poly(terms: &Terms) -> Result<Poly, String> {
    let mut sum = Poly::zero();
    for (coefficient, factors) in terms {
        let coefficient = rational(coefficient).ok_or("a coefficient is not a number")?;
        let mut product = Poly::constant(coefficient);
        for factor in factors {
            product = &product * &factor_poly(factor)?;
        }
        sum = &sum + &product;
    }
    Ok(sum)
}

fn factor_poly(factor: &Factor) -> Result<Poly, String> {
    match factor {
        Factor::Var(var) => Ok(Poly::var(Var(*var))),
        Factor::Floor { floor, by } => {
            let divisor = rational(by).filter(|d| d.is_integer() && d.is_positive() && !d.is_zero());
            let divisor = divisor.ok_or("a floor's divisor is not a positive integer")?;
            Ok(poly(floor)?.floor_div(divisor.numer()))
        }
        Factor::Power(base, exponent) => match &**base {
            _ if *exponent > MAX_EXPONENT => Err(format!("an exponent of {exponent}")),
            Factor::Var(var) => Ok(Poly::term(Rational::one(), Monomial::power(Atom::Var(Var(*var)), *exponent))),
            base => Ok(factor_poly(base)?.pow(*exponent)),
        },
    }
}

impl Serialize for Poly {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        terms(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Poly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        poly(&Terms::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_round_trip() {
        let n = Poly::var(Var(0));
        let floor = (&n + &Poly::integer(3)).floor_div(&BigInt::from(8));
        let poly = &(&n.pow(2).scale(&Rational::new(1.into(), 8.into())) - &(&floor.pow(2) * &n)) + &Poly::integer(-7);
        let json = serde_json::to_string(&poly).unwrap();
        assert_eq!(serde_json::from_str::<Poly>(&json).unwrap(), poly, "{json}");
    }

    #[test]
    fn damaged_polynomials_are_errors() {
        for json in
            [r#"[["1/0",[0]]]"#, r#"[[1,[{"floor":[[1,[0]]],"by":0}]]]"#, r#"[["x",[]]]"#, r#"[[1,[[0,100000]]]]"#]
        {
            assert!(serde_json::from_str::<Poly>(json).is_err(), "{json}");
        }
    }
}
