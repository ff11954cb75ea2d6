//! The classes of a line size in the form of the file: with tables.
//!
//! Equal polynomials, domains and floors occur again and again, among the classes of intervals, among those of distances and in both. So
//! an entry of `lines` holds each of them once, in a table, and everything else refers to it by its number in the table, from 0
//! (docs/model-format.md, An entry of `lines`). The tables build on each other in one direction,
//!
//! ```text
//! floors ◀── monomials ◀── polynomials ◀── domains ◀── classes
//! ```
//!
//! so they can be resolved in this order, and no reference can be circular. Entries are numbered in the order in which they are met, so
//! equal models have equal files.
//!
//! [`write`](mod@write) converts a [`LineModel`](crate::LineModel) to this form, [`read`] converts it back.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use symloc_quasi::{Number, Piece, Poly};

use crate::types::{IntervalKind, SymbolicLine};

pub(crate) mod read;
pub(crate) mod write;

/// The form of a [`LineModel`](crate::LineModel) in the file.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredLine {
    line_bytes: Option<u64>,
    element: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symbolic: Option<SymbolicLine>,
    blocks: Vec<Piece>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    array_blocks: Vec<Vec<Piece>>,
    /// ⌊polynomial / number⌋.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    floors: Vec<(Poly, Number)>,
    /// Factors, each repeated as often as it occurs: variables, and `!k` for the floor k.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    monomials: Vec<Vec<i64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    polynomials: Vec<StoredTerms>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    domains: Vec<Domain>,
    classes: Vec<StoredClass>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distances: Option<StoredDistances>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coherence: Option<StoredCoherence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    write_backs: Option<StoredWriteBacks>,
}

/// A polynomial: coefficients, each with the number of its monomial. In JSON, the two alternate.
struct StoredTerms(Vec<(Number, usize)>);

/// Constraints, and a range for each iterator. A constraint is p for polynomial p ≥ 0, `!p` for polynomial p = 0.
#[derive(Serialize, Deserialize)]
struct Domain(Vec<i64>, Vec<StoredRange>);

/// Polynomials that are lower bounds, and those that are upper ones.
#[derive(Serialize, Deserialize)]
struct StoredRange(Vec<usize>, Vec<usize>);

/// A [`ReuseClass`](crate::ReuseClass); real by default.
#[derive(Serialize, Deserialize)]
struct StoredClass {
    #[serde(default = "real", skip_serializing_if = "is_real")]
    kind: IntervalKind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    iterators: Vec<String>,
    value: usize,
    counts: Vec<StoredCount>,
}

/// A [`CountPiece`](crate::CountPiece): access, previous access, domain and count (a polynomial).
#[derive(Serialize, Deserialize)]
struct StoredCount(Option<usize>, Option<usize>, usize, usize);

#[derive(Serialize, Deserialize)]
struct StoredDistances {
    classes: Vec<StoredClass>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    estimated: Vec<StoredClass>,
}

#[derive(Serialize, Deserialize)]
struct StoredCoherence {
    falsely_shared: Vec<Vec<Piece>>,
    classes: Vec<StoredClass>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distances: Option<StoredDistances>,
}

#[derive(Serialize, Deserialize)]
struct StoredWriteBacks {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    classes: Option<Vec<StoredClass>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distances: Option<StoredDistances>,
}

fn real() -> IntervalKind {
    IntervalKind::Real
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_real(kind: &IntervalKind) -> bool {
    *kind == IntervalKind::Real
}

impl Serialize for StoredTerms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut list = serializer.serialize_seq(Some(2 * self.0.len()))?;
        for (coefficient, monomial) in &self.0 {
            list.serialize_element(coefficient)?;
            list.serialize_element(monomial)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for StoredTerms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(TermsVisitor)
    }
}

struct TermsVisitor;

impl<'de> Visitor<'de> for TermsVisitor {
    type Value = StoredTerms;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("coefficients, each with the number of its monomial")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<StoredTerms, A::Error> {
        let mut terms = Vec::new();
        while let Some(coefficient) = list.next_element()? {
            let monomial = list.next_element()?.ok_or_else(|| A::Error::custom("a coefficient without a monomial"))?;
            terms.push((coefficient, monomial));
        }
        Ok(StoredTerms(terms))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use symloc_quasi::{Constraint, Rational, Var};

    use super::*;
    use crate::sizes::tests::triangle;
    use crate::types::{self, Bounds, CountPiece, LineModel, Model, ReuseClass};

    #[test]
    fn everything_is_said_once() {
        let mut model = triangle();
        let class = model.lines[0].classes[1].clone();
        model.lines[0].distances = Some(types::Distances { classes: vec![class], estimated: Vec::new() });
        let json = model.to_json();
        let tables = concat!(
            r#""monomials":[[1],[0],[0,0],[]],"#,
            r#""polynomials":[[-1,0,"1/2",1,"1/2",2],[-1,3,-1,0,1,1],[],[1,1],[1,3],["-1/2",1,"1/2",2]],"#,
            r#""domains":[[[1],[[[2],[3]]]],[[],[]]],"#,
            r#""classes":[{"kind":"imaginary","iterators":["i"],"value":0,"counts":[[0,null,0,4]]},"#,
            r#"{"value":4,"counts":[[0,null,1,5]]}],"#,
            r#""distances":{"classes":[{"value":4,"counts":[[0,null,1,5]]}]}}]}"#,
        );
        assert!(json.trim_end().ends_with(tables), "{json}");
        assert_eq!(Model::parse(&json).unwrap(), model);
    }

    /// Checks that the file of the triangle, with one replacement, is refused with this message.
    #[track_caller]
    fn refused(what: &str, by: &str, message: &str) {
        let json = triangle().to_json();
        assert_eq!(json.matches(what).count(), 1, "{what} in {json}");
        let error = Model::parse(&json.replace(what, by)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("damaged model: {message}")), "{error}");
    }

    #[test]
    fn references_must_be_there() {
        for (what, by, message) in [
            ("[0,0],[]]", "[0,-1],[]]", "monomials[2]: floor 0 where there are only 0"),
            ("[0,0],[]]", "[0,-9223372036854775808],[]]", "monomials[2]: floor 9223372036854775807 where"),
            ("[0,0],[]]", "[0,4294967296],[]]", "monomials[2]: a variable numbered 4294967296"),
            ("[0,0],[]]", "[0,7],[]]", "classes[0]: value: variable 7 where there are only 2"),
            (r#"[[-1,0,"1/2""#, r#"[[-1,4,"1/2""#, "polynomials[0]: monomial 4 where there are only 4"),
            ("[[[1],[[[2]", "[[[6],[[[2]", "domains[0]: polynomial 6 where there are only 6"),
            ("[[[1],[[[2]", "[[[-7],[[[2]", "domains[0]: polynomial 6 where there are only 6"),
            ("[[[1],[[[2]", "[[[1],[[[9]", "domains[0]: polynomial 9 where there are only 6"),
            (r#""value":0,"#, r#""value":6,"#, "classes[0]: polynomial 6 where there are only 6"),
            ("[0,null,0,4]", "[0,null,0,6]", "classes[0]: counts[0]: polynomial 6 where there are only 6"),
            ("[0,null,0,4]", "[0,null,2,4]", "classes[0]: counts[0]: domain 2 where there are only 2"),
            ("[0,null,0,4]", "[1,null,0,4]", "classes[0]: a count of no access of the program"),
        ] {
            refused(what, by, &format!("lines[0]: {message}"));
        }
        let distances = r#"]}],"distances":{"classes":[],"estimated":[{"value":9,"counts":[]}]}}]}"#;
        refused("]}]}]}", distances, "lines[0]: distances: estimated[0]: polynomial 9 where there are only 6");
    }

    #[test]
    fn what_has_another_form_is_refused() {
        for (what, by, message) in [
            (r#""value":4,"#, r#""value":[[1,[]]],"#, "invalid type: sequence, expected usize"),
            (r#""value":4,"#, r#""value":-1,"#, "invalid value: integer `-1`, expected usize"),
            ("[0,null,0,4]", "[0,null,0]", "invalid length 3"),
            ("[0,null,0,4]", r#"{"access":0}"#, "invalid type: map"),
            ("[[[1],[[[2]", "[[1,[[[2]", "invalid type: integer `1`"),
            ("[[[1],[[[2]", r#"[[["1"],[[[2]"#, "invalid type: string"),
            ("[1,3],", "[1,3,5],", "a coefficient without a monomial"),
            ("[1,3],", r#"["1/0",3],"#, "`1/0` is not a number"),
            (r#""monomials":"#, r#""floors":[[[[1,[0]]]]],"monomials":"#, "invalid length 1"),
            (r#""monomials":"#, r#""floors":[[[[1,[0]]],"1/2"]],"monomials":"#, "lines[0]: floors[0]: a divisor that"),
            (r#""monomials":"#, r#""floors":[[[[1,[0]]],0]],"monomials":"#, "lines[0]: floors[0]: a divisor that"),
        ] {
            refused(what, by, message);
        }
        let long = format!("[{}],[]]", ["0"; 1001].join(","));
        refused("[0,0],[]]", &long, "lines[0]: monomials[2]: 1001 factors");
    }

    /// Floors may be written in another form than symloc has for them: ⌊(n + 9)/8⌋² = (1 + ⌊(n + 1)/8⌋)².
    #[test]
    fn floors_need_not_be_in_normal_form() {
        let mut line = write::line(&triangle().lines[0]);
        let numerator = &Poly::var(Var(0)) + &Poly::integer(9);
        line.floors.push((numerator.clone(), integer(8)));
        line.monomials.push(vec![-1, -1]);
        line.polynomials.push(StoredTerms(vec![(integer(3), line.monomials.len() - 1)]));
        line.classes[1].value = line.polynomials.len() - 1;
        let line = read::line(line, &mut read::Limit::new(0)).unwrap();
        let floor = numerator.floor_div(&8.into());
        assert_eq!(line.classes[1].value, floor.pow(2).scale(&integer(3).0));
    }

    fn integer(value: i64) -> Number {
        Number(Rational::from_integer(value.into()))
    }

    /// Checks that a short file does not become a model of gigabytes, by any of the tables.
    #[test]
    fn what_is_put_in_place_is_limited() {
        let too_large = |change: &dyn Fn(&mut StoredLine), place: &str| {
            let mut line = write::line(&triangle().lines[0]);
            change(&mut line);
            let error = read::line(line, &mut read::Limit::new(10_000)).unwrap_err();
            assert!(error.starts_with(place) && error.ends_with("it is far too large for its file"), "{error}");
        };
        let polynomial = |terms| (0..terms).map(|k| (integer(1), k)).collect();
        let long = |line: &mut StoredLine| {
            line.monomials = (0..1000).map(|variable| vec![variable]).collect();
            line.polynomials[0] = StoredTerms(polynomial(1000));
        };
        let pieces = |line: &mut StoredLine, domain, count| {
            line.classes[0].counts = (0..2000).map(|_| StoredCount(Some(0), None, domain, count)).collect();
        };
        too_large(
            &|line| {
                line.monomials[0] = (0..1000).collect();
                line.polynomials[0] = StoredTerms((0..2000).map(|_| (integer(1), 0)).collect());
            },
            "polynomials[0]: ",
        );
        too_large(
            &|line| {
                let variables = (0..500).map(|variable| Poly::var(Var(variable)).scale(&integer(8).0));
                line.floors.push((variables.fold(Poly::zero(), |sum, variable| &sum + &variable), integer(8)));
                line.monomials[0] = vec![-1; 5];
            },
            "monomials[0]: ",
        );
        too_large(
            &|line| {
                long(line);
                line.domains[0] = Domain(vec![0; 1000], Vec::new());
            },
            "domains[0]: ",
        );
        too_large(
            &|line| {
                long(line);
                pieces(line, 1, 0);
            },
            "classes[0]: counts[",
        );
        too_large(
            &|line| {
                line.domains[1] = Domain(vec![], (0..1000).map(|_| StoredRange(Vec::new(), Vec::new())).collect());
                pieces(line, 1, 2);
            },
            "classes[0]: counts[",
        );
        too_large(
            &|line| {
                line.polynomials[0] = StoredTerms(vec![(Number("1".repeat(20_000).parse().unwrap()), 0)]);
                pieces(line, 1, 0);
            },
            "classes[0]: counts[",
        );
    }

    /// Few terms with few atoms, so that much occurs twice.
    fn poly() -> impl Strategy<Value = Poly> {
        let floor = (-3_i64..3, 0_i64..9, 2_i64..9).prop_map(|(a, c, d)| {
            let numerator = &Poly::var(Var(0)).scale(&integer(a).0) + &(&Poly::var(Var(1)) + &Poly::integer(c));
            numerator.floor_div(&d.into())
        });
        let atom = prop_oneof![(0_u32..3).prop_map(|var| Poly::var(Var(var))), floor.clone(), nested(floor)];
        let term = (-3_i64..4, 1_i64..4, vec(atom, 0..3)).prop_map(|(numerator, denominator, atoms)| {
            let coefficient = Poly::constant(Rational::new(numerator.into(), denominator.into()));
            atoms.iter().fold(coefficient, |product, atom| &product * atom)
        });
        vec(term, 0..4).prop_map(|terms| terms.iter().fold(Poly::zero(), |sum, term| &sum + term))
    }

    fn nested(floor: impl Strategy<Value = Poly>) -> impl Strategy<Value = Poly> {
        (floor, 2_i64..5, 3_i64..7)
            .prop_map(|(floor, a, d)| (&floor.scale(&integer(a).0) + &Poly::var(Var(2))).floor_div(&d.into()))
    }

    fn constraint() -> impl Strategy<Value = Constraint> {
        (any::<bool>(), poly()).prop_map(|(zero, poly)| match zero {
            true => Constraint::zero(poly),
            false => Constraint::non_negative(poly),
        })
    }

    fn piece() -> impl Strategy<Value = CountPiece> {
        let bounds = (vec(poly(), 0..3), vec(poly(), 0..3)).prop_map(|(lower, upper)| Bounds { lower, upper });
        let of = (proptest::option::of(0_usize..3), proptest::option::of(0_usize..3));
        (of, vec(bounds, 0..2), vec(constraint(), 0..3), poly()).prop_map(
            |((access, previous), bounds, domain, count)| CountPiece { access, previous, bounds, domain, count },
        )
    }

    fn class() -> impl Strategy<Value = ReuseClass> {
        let kind = prop_oneof![Just(IntervalKind::Real), Just(IntervalKind::Imaginary)];
        let names = vec("[ij]", 0..3);
        (kind, names, poly(), vec(piece(), 0..4)).prop_map(|(kind, iterators, value, counts)| ReuseClass {
            kind,
            iterators,
            value,
            counts,
        })
    }

    proptest! {
        /// Checks that any classes are read as they were written.
        #[test]
        fn classes_survive_the_file(
            classes in vec(class(), 0..4), distances in proptest::option::of((vec(class(), 0..3), vec(class(), 0..2))),
        ) {
            let distances = distances.map(|(classes, estimated)| types::Distances { classes, estimated });
            let line = LineModel { classes, distances, ..triangle().lines.remove(0) };
            let json = serde_json::to_string(&write::line(&line)).unwrap();
            let stored: StoredLine = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(read::line(stored, &mut read::Limit::new(json.len())).unwrap(), line);
        }
    }
}
