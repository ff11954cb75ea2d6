//! Polynomials in JSON: a list of terms `[coefficient, [factor…]]`.
//!
//! A coefficient is an integer or the text `"a/b"`; a factor is a variable's number, the floor
//! `{"floor": terms, "by": d}`, or `[factor, exponent]`. So `n²/8 − 3·⌊n/8⌋` is
//! `[["1/8",[[0,2]]],[-3,[{"floor":[[1,[0]]],"by":8}]]]`.

use std::fmt;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Rational;
use crate::poly::{Atom, Monomial, Poly, Var};

/// The largest exponent that is read; anything above is a damaged file.
const MAX_EXPONENT: u32 = 1000;

/// A number in JSON: an integer, or text where it is a fraction or does not fit 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(pub Rational);

/// A factor of a term, as it is written.
#[derive(Serialize)]
#[serde(untagged)]
enum Written<'p> {
    Var(u32),
    Floor { floor: &'p Poly, by: Number },
    Power(Box<Written<'p>>, u32),
}

/// A factor of a term, as it is read.
enum Factor {
    Atom(Atom, u32),
    /// A floor whose normal form is not a single floor; symloc writes none.
    Other(Poly),
}

impl Serialize for Poly {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer
            .collect_seq(self.terms().map(|(monomial, coefficient)| (Number(coefficient.clone()), factors(monomial))))
    }
}

fn factors(monomial: &Monomial) -> Vec<Written<'_>> {
    monomial.factors().iter().map(|(atom, exponent)| written(atom, *exponent)).collect()
}

fn written(atom: &Atom, exponent: u32) -> Written<'_> {
    let base = match atom {
        Atom::Var(var) => Written::Var(var.0),
        Atom::Floor(floor) => {
            Written::Floor { floor: floor.numerator(), by: Number(Rational::from_integer(floor.divisor().clone())) }
        }
    };
    if exponent == 1 { base } else { Written::Power(Box::new(base), exponent) }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_integer().then(|| self.0.numer().to_i64()).flatten() {
            Some(small) => serializer.serialize_i64(small),
            None => serializer.collect_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer or a fraction such as \"1/8\"")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(Rational::from_integer(value.into())))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(Rational::from_integer(value.into())))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        match (numerator.parse::<BigInt>(), denominator.parse::<BigInt>()) {
            (Ok(numerator), Ok(denominator)) if denominator.is_positive() => {
                Ok(Number(Rational::new(numerator, denominator)))
            }
            _ => Err(E::custom(format!("`{text}` is not a number"))),
        }
    }
}

impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FactorVisitor)
    }
}

struct FactorVisitor;

impl<'de> Visitor<'de> for FactorVisitor {
    type Value = Factor;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a variable's number, {\"floor\": …, \"by\": …} or [factor, exponent]")
    }

    fn visit_u64<E: Error>(self, var: u64) -> Result<Factor, E> {
        let var = u32::try_from(var).map_err(|_| E::custom(format!("a variable numbered {var}")))?;
        Ok(Factor::Atom(Atom::Var(Var(var)), 1))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Factor, A::Error> {
        let (mut numerator, mut divisor) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "floor" => numerator = Some(map.next_value::<Poly>()?),
                "by" => divisor = Some(map.next_value::<Number>()?.0),
                _ => return Err(A::Error::unknown_field(&key, &["floor", "by"])),
            }
        }
        let numerator = numerator.ok_or_else(|| A::Error::missing_field("floor"))?;
        let divisor = divisor.filter(|d| d.is_integer() && d.is_positive());
        let divisor = divisor.ok_or_else(|| A::Error::custom("a floor's divisor is not a positive integer"))?;
        let floor = numerator.floor_div(divisor.numer());
        Ok(single_atom(&floor).map_or(Factor::Other(floor), |atom| Factor::Atom(atom, 1)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Factor, A::Error> {
        let base = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let exponent = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        match base {
            _ if exponent > MAX_EXPONENT => Err(A::Error::custom(format!("an exponent of {exponent}"))),
            Factor::Atom(atom, 1) => Ok(Factor::Atom(atom, exponent)),
            Factor::Atom(..) => Err(A::Error::custom("a power of a power")),
            Factor::Other(poly) => Ok(Factor::Other(poly.pow(exponent))),
        }
    }
}

fn single_atom(poly: &Poly) -> Option<Atom> {
    match poly.as_monomial()?.factors() {
        [(atom, 1)] => Some(atom.clone()),
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Poly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(PolyVisitor)
    }
}

struct PolyVisitor;

impl<'de> Visitor<'de> for PolyVisitor {
    type Value = Poly;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a polynomial as a list of terms [coefficient, [factor…]]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Poly, A::Error> {
        let mut sum = Poly::zero();
        while let Some((Number(coefficient), factors)) = seq.next_element::<(Number, Vec<Factor>)>()? {
            let (mut monomial, mut others) = (Monomial::default(), None);
            for factor in factors {
                match factor {
                    Factor::Atom(atom, exponent) => monomial = monomial.times(&Monomial::power(atom, exponent)),
                    Factor::Other(poly) => others = Some(others.map_or(poly.clone(), |product: Poly| &product * &poly)),
                }
            }
            match others {
                None => sum.add_term(coefficient, monomial),
                Some(others) => sum = &sum + &(&Poly::term(coefficient, monomial) * &others),
            }
        }
        Ok(sum)
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
    fn floors_need_not_be_in_normal_form() {
        // ⌊(n + 9)/8⌋² = (1 + ⌊(n + 1)/8⌋)²
        let read: Poly = serde_json::from_str(r#"[[1,[[{"floor":[[1,[0]],[9,[]]],"by":8},2]]]]"#).unwrap();
        let floor = (&Poly::var(Var(0)) + &Poly::integer(9)).floor_div(&BigInt::from(8));
        assert_eq!(read, floor.pow(2));
    }

    #[test]
    fn damaged_polynomials_are_errors() {
        for json in [
            r#"[["1/0",[0]]]"#,
            r#"[[1,[{"floor":[[1,[0]]],"by":0}]]]"#,
            r#"[[1,[{"floor":[[1,[0]]]}]]]"#,
            r#"[["x",[]]]"#,
            r#"[[1,[[0,100000]]]]"#,
            r#"[[1,[[0]]]]"#,
            r#"[[1,[-1]]]"#,
            r#"[1]"#,
        ] {
            assert!(serde_json::from_str::<Poly>(json).is_err(), "{json}");
        }
    }
}
