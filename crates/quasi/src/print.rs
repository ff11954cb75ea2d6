//! Polynomials and quotients as text.
//!
//! A quotient whose denominator is a single term is written as a sum of fractions (`9*n/8 - 47/8 - 31/(32*n)`), any
//! other as one fraction. Terms come by falling degree.
//!
//! For readers, but not for programs, a fraction is written in the shortest of three ways: its two sides as sums, as
//! products of what `factor.rs` finds (`(n - 3)/(6*(n - 2))`), or over a [denominator](Notation::over) that has a name
//! (`(2*m*n + m)/N`).

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

use crate::Rational;
use crate::factor::Factors;
use crate::floor::Floor;
use crate::piecewise::{Constraint, Relation};
use crate::poly::{Atom, Monomial, Poly};
use crate::quotient::Quotient;

/// The notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For people: `n^2/8`, `⌈n/8⌉`.
    Text,
    /// For SymPy, Symbolica, Mathematica and Python: `n**2/8`, `floor(n/8)`.
    Plain,
    /// LaTeX mathematics, without the dollars.
    Latex,
}

/// The notation of polynomials and the names of their variables.
#[derive(Clone, Copy, Debug)]
pub struct Notation<'n> {
    /// The notation.
    pub style: Style,
    /// The name of each variable.
    pub names: &'n [String],
    /// A denominator with a name.
    denominator: Option<NamedPoly<'n>>,
}

/// A polynomial that readers are told once.
#[derive(Clone, Copy, Debug)]
struct NamedPoly<'n> {
    name: &'n str,
    poly: &'n Poly,
}

/// The factors of a product, each as text with its power.
type Texts = Vec<String>;

impl<'n> Notation<'n> {
    /// Returns a notation with these names.
    pub fn new(style: Style, names: &'n [String]) -> Self {
        Self { style, names, denominator: None }
    }

    /// Allows fractions to be written over this polynomial by its name, where that is shorter.
    pub fn over(self, name: &'n str, poly: &'n Poly) -> Self {
        Self { denominator: Some(NamedPoly { name, poly }), ..self }
    }

    /// Formats a polynomial.
    pub fn poly(&self, poly: &Poly) -> String {
        self.sum(poly, &Monomial::default(), &Rational::one())
    }

    /// Formats a polynomial, as a product of its factors if that is shorter.
    pub fn factored(&self, poly: &Poly) -> String {
        let sum = self.poly(poly);
        if self.style == Style::Plain || poly.is_zero() {
            return sum;
        }
        let (factors, one) = (Factors::of(poly), Poly::one());
        let product = self.products(factors, Factors::of(&one));
        if width(&product) < width(&sum) { product } else { sum }
    }

    /// Formats a quotient.
    pub fn quotient(&self, quotient: &Quotient) -> String {
        let (numerator, denominator) = (quotient.numerator(), quotient.denominator());
        let mut terms = denominator.terms();
        match (terms.next(), terms.next()) {
            (Some((monomial, coefficient)), None) => self.sum(numerator, monomial, coefficient),
            _ => self.shortest(numerator, denominator),
        }
    }

    /// Formats a fraction with several terms below, in the shortest way.
    fn shortest(&self, numerator: &Poly, denominator: &Poly) -> String {
        let scale = Rational::from_integer(numerator.common_denominator());
        let expanded = self.fraction(&numerator.scale(&scale), &denominator.scale(&scale));
        if self.style == Style::Plain || numerator.is_zero() {
            return expanded;
        }
        let products = self.products(Factors::of(numerator), Factors::of(denominator));
        let named = self.over_name(numerator, denominator);
        // Of equally short ones the first.
        [Some(expanded), Some(products), named].into_iter().flatten().min_by_key(|form| width(form)).unwrap_or_default()
    }

    /// `5*(n - 3)/((n - 2)*(m - 2))`
    fn products(&self, mut above: Factors, mut below: Factors) -> String {
        above.cancel(&mut below);
        let content = &above.content / &below.content;
        above.content = Rational::from_integer(content.numer().clone());
        below.content = Rational::from_integer(content.denom().clone());
        self.ratio(self.product(&above), &self.product(&below))
    }

    /// `(2*m*n + m)/N`, if the named polynomial is a multiple of the denominator.
    fn over_name(&self, numerator: &Poly, denominator: &Poly) -> Option<String> {
        let NamedPoly { name, poly } = self.denominator?;
        let numerator = numerator * &poly.divide_exactly(denominator)?;
        let scale = numerator.common_denominator();
        let numerator = numerator.scale(&Rational::from_integer(scale.clone()));
        let (sum, product) = (vec![self.factor(&numerator)], self.product(&Factors::of(&numerator)));
        let up = if width(&product.join("*")) < width(&sum[0]) { product } else { sum };
        let scale = Some(scale).filter(|scale| !scale.is_one()).map(|scale| scale.to_string());
        Some(self.ratio(up, &scale.into_iter().chain([name.to_owned()]).collect::<Texts>()))
    }

    /// Returns the factors of a product; its content is an integer.
    fn product(&self, factors: &Factors) -> Texts {
        let monomial = self.factors(&factors.monomial);
        let sums = factors.sums.iter().map(|(sum, power)| self.power(self.factor(sum), *power));
        let mut texts: Texts = monomial.into_iter().chain(sums).collect();
        match factors.content.numer() {
            one if one.is_one() && !texts.is_empty() => {}
            minus_one if (-minus_one).is_one() && !texts.is_empty() => texts[0].insert(0, '-'),
            content => texts.insert(0, content.to_string()),
        }
        texts
    }

    /// Returns a quotient of products of such factors.
    fn ratio(&self, up: Texts, down: &[String]) -> String {
        match (self.style, down) {
            (_, [one]) if one == "1" => up.join(if self.style == Style::Latex { " " } else { "*" }),
            (Style::Latex, _) => format!(r"\frac{{{}}}{{{}}}", alone(&up), alone(down)),
            (_, [one]) => format!("{}/{one}", up.join("*")),
            _ => format!("{}/({})", up.join("*"), down.join("*")),
        }
    }

    /// Formats a polynomial as a factor: in parentheses if it is a sum.
    fn factor(&self, poly: &Poly) -> String {
        let text = self.poly(poly);
        if poly.terms().len() > 1 { format!("({text})") } else { text }
    }

    /// Formats a constraint: `n - 16 >= 0` is written `n >= 16`, `n - 8*floor(n/8) = 0` is written `n mod 8 = 0`.
    pub fn constraint(&self, constraint: &Constraint) -> String {
        if constraint.relation == Relation::Zero
            && let Some(text) = self.congruence(&constraint.poly).or_else(|| self.multiple(&constraint.poly))
        {
            return text;
        }
        // Each term goes where it is positive, and a constant that would stand alone goes to the right.
        let constant = constraint.poly.constant_term();
        let side = |wanted: fn(&Rational) -> bool| {
            let terms = constraint.poly.terms().filter(|(m, c)| !m.is_one() && wanted(c));
            terms.fold(Poly::zero(), |sum, (m, c)| &sum + &Poly::term(c.abs(), m.clone()))
        };
        let (left, right) = (side(Signed::is_positive), side(Signed::is_negative));
        let (relation, reverse) = match (constraint.relation, self.style) {
            (Relation::Zero, _) => ("=", "="),
            (Relation::NonNegative, Style::Latex) => (r"\ge", r"\le"),
            (Relation::NonNegative, _) => (">=", "<="),
        };
        let constant = Poly::constant(constant);
        let negative = constraint.poly.constant_term().is_negative();
        match (left.is_zero(), right.is_zero()) {
            (true, false) => format!("{} {reverse} {}", self.poly(&right), self.poly(&constant)),
            (false, false) if !negative => {
                format!("{} {relation} {}", self.poly(&(&left + &constant)), self.poly(&right))
            }
            _ => format!("{} {relation} {}", self.poly(&left), self.poly(&(&right - &constant))),
        }
    }

    /// Formats a conjunction.
    pub fn conjunction(&self, constraints: &[Constraint]) -> String {
        constraints.iter().map(|c| self.constraint(c)).collect::<Vec<_>>().join(" and ")
    }

    /// `poly = 0` as `e mod d = r`, if the polynomial is `±(e − d·⌊e/d⌋ − r)`.
    fn congruence(&self, poly: &Poly) -> Option<String> {
        poly.floors().into_iter().find_map(|floor| {
            let divisor = floor.divisor();
            let atom = Poly::atom(Atom::Floor(floor.clone()));
            let remainder = floor.numerator() - &atom.scale(&Rational::from_integer(divisor.clone()));
            let difference = [poly - &remainder, poly + &remainder].into_iter().find_map(|d| d.as_constant())?;
            // Of the residue 0 ≤ e mod d < d, the constant part of e is moved to the right.
            let residue = if (poly - &remainder).as_constant().is_some() { -difference } else { difference };
            let inside = residue.is_integer() && !residue.is_negative() && residue.numer() < divisor;
            let constant = floor.numerator().constant_term();
            let shifted = (residue - &constant).to_integer().mod_floor(divisor);
            let dividend = floor.numerator() - &Poly::constant(constant);
            let operator = if self.style == Style::Latex { r"\bmod" } else { "mod" };
            let text = parenthesised(&dividend, self.poly(&dividend));
            inside.then(|| format!("{text} {operator} {divisor} = {shifted}"))
        })
    }

    /// `n − b·m = 0` as `n mod b = 0`, if m is called `floor(n/b)`.
    fn multiple(&self, poly: &Poly) -> Option<String> {
        let name = |atom: &Atom| match atom {
            Atom::Var(var) => self.names.get(var.0 as usize),
            Atom::Floor(_) => None,
        };
        let ends = |size: &Atom, line: &Atom, count: &Atom| {
            let (size, line) = (name(size)?, name(line)?);
            (*name(count)? == format!("floor({size}/{line})")).then_some((size, line))
        };
        let (size, line) = poly.terms().find_map(|(monomial, _)| match monomial.factors() {
            [(line, 1), (count, 1)] => poly.terms().find_map(|(other, _)| match other.factors() {
                [(size, 1)] => ends(size, line, count).or_else(|| ends(size, count, line)),
                _ => None,
            }),
            _ => None,
        })?;
        let both = poly.terms().len() == 2
            && poly.terms().map(|(_, c)| c).sum::<Rational>() == Rational::from_integer(0.into());
        let operator = if self.style == Style::Latex { r"\bmod" } else { "mod" };
        both.then(|| format!("{size} {operator} {line} = 0"))
    }

    /// `poly / (coefficient · monomial)`, term by term.
    fn sum(&self, poly: &Poly, monomial: &Monomial, coefficient: &Rational) -> String {
        let mut terms: Vec<_> = poly.terms().collect();
        terms.sort_by_key(|(m, _)| (std::cmp::Reverse(m.degree()), order(m)));
        let mut text = String::new();
        for (m, c) in terms {
            let common = m.gcd(monomial);
            let above = m.divided_by(&common).unwrap_or_default();
            let below = monomial.divided_by(&common).unwrap_or_default();
            let value = c / coefficient;
            let sign = match (text.is_empty(), value.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            text.push_str(&self.term(&value.abs(), &above, &below));
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    /// `value · above / below` for a positive value.
    fn term(&self, value: &Rational, above: &Monomial, below: &Monomial) -> String {
        let mut up = self.factors(above);
        let mut down = self.factors(below);
        if !value.numer().is_one() || up.is_empty() {
            up.insert(0, value.numer().to_string());
        }
        if !value.denom().is_one() {
            down.insert(0, value.denom().to_string());
        }
        match (self.style, down.len()) {
            (Style::Latex, 0) => up.join(" "),
            (Style::Latex, _) => format!(r"\frac{{{}}}{{{}}}", up.join(" "), down.join(" ")),
            (_, 0) => up.join("*"),
            (_, 1) => format!("{}/{}", up.join("*"), down[0]),
            _ => format!("{}/({})", up.join("*"), down.join("*")),
        }
    }

    fn factors(&self, monomial: &Monomial) -> Texts {
        monomial.factors().iter().map(|(atom, exponent)| self.power(self.atom(atom), *exponent)).collect()
    }

    fn power(&self, base: String, exponent: u32) -> String {
        match (self.style, exponent) {
            (_, 1) => base,
            (Style::Text, e) => format!("{base}^{e}"),
            (Style::Plain, e) => format!("{base}**{e}"),
            (Style::Latex, e) => format!("{base}^{{{e}}}"),
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Var(var) => {
                let name = self.names.get(var.0 as usize).cloned().unwrap_or_else(|| format!("x{}", var.0));
                if self.style == Style::Latex { latex_name(&name) } else { name }
            }
            Atom::Floor(floor) if self.style == Style::Plain => {
                let divisor = Poly::integer(floor.divisor().clone());
                format!("floor({})", self.fraction(floor.numerator(), &divisor))
            }
            Atom::Floor(floor) => self.rounded(floor),
        }
    }

    /// Formats a floor, or the ceiling that it is where that has a smaller constant: ⌊(e + 7)/8⌋ is ⌈e/8⌉.
    fn rounded(&self, floor: &Floor) -> String {
        let divisor = Poly::integer(floor.divisor().clone());
        let beyond = Poly::integer(floor.divisor() - BigInt::one());
        let up = &floor.numerator().constant_term() * Rational::from_integer(2.into()) > beyond.constant_term();
        let inside = match up {
            true => self.fraction(&(floor.numerator() - &beyond), &divisor),
            false => self.fraction(floor.numerator(), &divisor),
        };
        match (self.style, up) {
            (Style::Latex, true) => format!(r"\left\lceil {inside} \right\rceil"),
            (Style::Latex, false) => format!(r"\left\lfloor {inside} \right\rfloor"),
            (_, true) => format!("⌈{inside}⌉"),
            (_, false) => format!("⌊{inside}⌋"),
        }
    }

    fn fraction(&self, numerator: &Poly, denominator: &Poly) -> String {
        let up = self.poly(numerator);
        let down = self.poly(denominator);
        match self.style {
            Style::Latex => format!(r"\frac{{{up}}}{{{down}}}"),
            _ => format!("{}/{}", parenthesised(numerator, up), parenthesised(denominator, down)),
        }
    }
}

/// Formats a product that stands by itself in LaTeX: a single sum needs no parentheses.
fn alone(factors: &[String]) -> String {
    match factors {
        [one] => one.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(one).to_owned(),
        several => several.join(" "),
    }
}

/// Returns the width of a text in symbols: a command of LaTeX counts as one symbol, and braces do not count.
fn width(text: &str) -> usize {
    let symbols = text.split('\\').map(|part| part.trim_start_matches(|c: char| c.is_ascii_alphabetic()));
    let plain = if text.contains('\\') { symbols.collect::<Vec<_>>().join(".") } else { text.to_owned() };
    plain.chars().filter(|c| !matches!(c, '{' | '}')).count()
}

fn parenthesised(poly: &Poly, text: String) -> String {
    let single = poly.terms().len() <= 1 && !text.contains(['/', '*', '-']);
    if single { text } else { format!("({text})") }
}

/// Among terms of one degree: variables before floors, then by the order of atoms.
fn order(monomial: &Monomial) -> (usize, Vec<(Atom, std::cmp::Reverse<u32>)>) {
    let floors = monomial.factors().iter().filter(|(a, _)| matches!(a, Atom::Floor(_))).count();
    (floors, monomial.factors().iter().map(|(a, e)| (a.clone(), std::cmp::Reverse(*e))).collect())
}

/// `n_1` is a subscript, a longer name is upright, `floor(n/b)` is a floor.
fn latex_name(name: &str) -> String {
    let floor = name.strip_prefix("floor(").and_then(|inside| inside.strip_suffix(')')).and_then(|f| f.split_once('/'));
    if let Some((above, below)) = floor {
        return format!(r"\left\lfloor \frac{{{}}}{{{}}} \right\rfloor", latex_name(above), latex_name(below));
    }
    let (base, index) = name.split_once('_').unwrap_or((name, ""));
    let base = if base.chars().count() > 1 { format!(r"\mathit{{{base}}}") } else { base.to_owned() };
    if index.is_empty() { base } else { format!("{base}_{{{}}}", index.replace('_', r"\_")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Var;

    fn ratio(a: i64, b: i64) -> Rational {
        Rational::new(a.into(), b.into())
    }

    #[test]
    fn the_forms_of_the_table() {
        let names = ["n".to_owned()];
        let plain = Notation::new(Style::Plain, &names);
        let n = Poly::var(Var(0));
        let cache = &(&n.pow(2).scale(&ratio(9, 8)) - &n.scale(&ratio(47, 8))) - &Poly::constant(ratio(31, 32));
        let cache = Quotient::new(cache, n.clone()).unwrap();
        assert_eq!(plain.quotient(&cache), "9*n/8 - 47/8 - 31/(32*n)");
        let portion = Quotient::new(&n - &Poly::one(), n.scale(&ratio(32, 1))).unwrap();
        assert_eq!(plain.quotient(&portion), "1/32 - 1/(32*n)");
        let latex = Notation::new(Style::Latex, &names);
        assert_eq!(latex.quotient(&portion), r"\frac{1}{32} - \frac{1}{32 n}");
        let whole = Quotient::new(n.clone(), &n.scale(&ratio(2, 1)) + &Poly::one()).unwrap();
        assert_eq!(plain.quotient(&whole), "n/(2*n + 1)");
        let half = Quotient::new(n.scale(&ratio(1, 2)), &n.scale(&ratio(2, 1)) + &Poly::one()).unwrap();
        assert_eq!(plain.quotient(&half), "n/(4*n + 2)");
        let floor = (&n + &Poly::integer(7)).floor_div(&8.into());
        assert_eq!(plain.poly(&(&n * &floor)), "n*floor((n + 7)/8)");
        assert_eq!(plain.poly(&n.pow(2).floor_div(&8.into())), "floor((n**2)/8)");
        let text = Notation::new(Style::Text, &names);
        assert_eq!(text.poly(&floor), "⌈n/8⌉");
        assert_eq!(text.poly(&n.floor_div(&8.into())), "⌊n/8⌋");
        assert_eq!(text.poly(&(&n + &Poly::integer(2)).floor_div(&8.into())), "⌊(n + 2)/8⌋");
        assert_eq!(text.poly(&(&n + &Poly::integer(5)).floor_div(&8.into())), "⌈(n - 2)/8⌉");
        assert_eq!(latex.poly(&floor), r"\left\lceil \frac{n}{8} \right\rceil");
        assert_eq!(plain.constraint(&Constraint::non_negative(&n - &Poly::integer(16))), "n >= 16");
        assert_eq!(plain.constraint(&Constraint::non_negative(&Poly::integer(7) - &n)), "n <= 7");
        let m = Poly::var(Var(1));
        let names = ["n".to_owned(), "m".to_owned()];
        let plain = Notation::new(Style::Plain, &names);
        assert_eq!(plain.constraint(&Constraint::non_negative(&n - &m)), "n >= m");
        assert_eq!(plain.constraint(&Constraint::non_negative(&(&n - &m) - &Poly::integer(2))), "n >= m + 2");
        assert_eq!(plain.constraint(&Constraint::zero(&(&m - &n) + &Poly::integer(2))), "m + 2 = n");
        assert_eq!(plain.constraint(&Constraint::zero(&(&m + &n) - &Poly::integer(2))), "n + m = 2");
    }

    #[test]
    fn fractions_for_readers_are_short() {
        let names = ["n".to_owned(), "m".to_owned()];
        let (n, m) = (Poly::var(Var(0)), Poly::var(Var(1)));
        let minus = |poly: &Poly, k: i64| poly - &Poly::integer(k);
        let accesses = (&minus(&n, 2) * &minus(&m, 2)).scale(&ratio(5, 1));
        let [text, plain, latex] = [Style::Text, Style::Plain, Style::Latex].map(|style| Notation::new(style, &names));
        let cancelled = Quotient::new((&minus(&n, 3) * &minus(&m, 2)).scale(&ratio(1, 2)), accesses.clone()).unwrap();
        assert_eq!(text.quotient(&cancelled), "(n - 3)/(10*(n - 2))");
        assert_eq!(latex.quotient(&cancelled), r"\frac{n - 3}{10 (n - 2)}");
        assert_eq!(plain.quotient(&cancelled), "(n*m - 2*n - 3*m + 6)/(10*n*m - 20*n - 20*m + 40)");
        let whole = Quotient::new(&minus(&n, 3) + &m, accesses.clone()).unwrap();
        assert_eq!(text.quotient(&whole), "(n + m - 3)/(5*(n - 2)*(m - 2))");
        assert_eq!(text.over("N", &accesses).quotient(&whole), "(n + m - 3)/N");
        assert_eq!(latex.over("N", &accesses).quotient(&whole), r"\frac{n + m - 3}{N}");
        let half = Quotient::new((&minus(&n, 3) + &m).scale(&ratio(-1, 2)), accesses.clone()).unwrap();
        assert_eq!(text.over("N", &accesses).quotient(&half), "(-n - m + 3)/(2*N)");
        assert_eq!(text.factored(&accesses), "5*(n - 2)*(m - 2)");
        assert_eq!(latex.factored(&accesses), "5 (n - 2) (m - 2)");
        assert_eq!(plain.factored(&accesses), "5*n*m - 10*n - 10*m + 20");
        assert_eq!(text.factored(&(&n + &m).scale(&ratio(3, 2))), "3*(n + m)/2");
        // Where nothing becomes shorter, nothing changes.
        let odd = Quotient::new(n.clone(), &n.scale(&ratio(4, 1)) + &Poly::integer(2)).unwrap();
        assert_eq!(text.quotient(&odd), "n/(4*n + 2)");
        // A denominator that is no divisor.
        let other = Quotient::new(n.clone(), &n + &m.pow(2)).unwrap();
        assert_eq!(text.over("N", &accesses).quotient(&other), "n/(m^2 + n)");
    }

    #[test]
    fn numbers_of_whole_lines() {
        let names = ["n", "b", "floor(n/b)"].map(str::to_owned);
        let [n, b, m] = [0, 1, 2].map(|v| Poly::var(Var(v)));
        let plain = Notation::new(Style::Plain, &names);
        let rest = &n - &(&b * &m);
        assert_eq!(plain.constraint(&Constraint::zero(rest.clone())), "n mod b = 0");
        assert_eq!(plain.constraint(&Constraint::zero(-&rest)), "n mod b = 0");
        assert_eq!(plain.constraint(&Constraint::zero(&rest - &b)), "n = b*floor(n/b) + b");
        assert_eq!(plain.poly(&m.pow(2)), "floor(n/b)**2");
        let latex = Notation::new(Style::Latex, &names);
        assert_eq!(latex.poly(&m), r"\left\lfloor \frac{n}{b} \right\rfloor");
    }

    #[test]
    fn congruences_are_written_with_mod() {
        let names = ["n".to_owned(), "m".to_owned()];
        let (n, m) = (Poly::var(Var(0)), Poly::var(Var(1)));
        let text = |dividend: &Poly, divisor: i64, residue: i64| {
            let floor = dividend.floor_div(&divisor.into());
            let poly = &(dividend - &floor.scale(&ratio(divisor, 1))) - &Poly::integer(residue);
            let both = [Constraint::zero(-&poly), Constraint::zero(poly)];
            let both = both.map(|c| Notation::new(Style::Plain, &names).constraint(&c));
            assert_eq!(both[0], both[1]);
            both[0].clone()
        };
        assert_eq!(text(&n, 8, 0), "n mod 8 = 0");
        assert_eq!(text(&n, 8, 3), "n mod 8 = 3");
        assert_eq!(text(&(&n + &Poly::integer(2)), 8, 1), "n mod 8 = 7");
        assert_eq!(text(&(&n + &m), 3, 2), "(n + m) mod 3 = 2");
        assert_eq!(text(&n.scale(&ratio(7, 1)), 8, 3), "n mod 8 = 5");
    }
}
