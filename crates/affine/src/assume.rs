//! The language of `--assume`: affine conditions on the parameters.
//!
//! ```text
//! conditions = condition { ("," | "and") condition }
//! condition  = chain | set
//! set        = name "in" value { "," value }              value: an integer
//! chain      = sum relation sum { relation sum }          relation: <= < >= > = ==
//! sum        = product { ("+" | "-") product }
//! product    = unary { ("*" | "/" | "mod" | "%") unary }  "/" only directly under floor or ceil
//! multiple   = name "mod" line "=" "0"                     with a symbolic line size, in place of a chain
//! unary      = "-" unary | integer | name | "(" sum ")" | ("floor" | "ceil") "(" sum "/" integer ")"
//! name       = identifier [ "[" integer "]" ]             an element of an array, `debug[0]`, is the parameter `debug_0`
//! ```
//!
//! Example: `n >= 16, n mod 8 = 0, 1 <= m <= n, ksize in 1, 3, 5`. Of an argument without a name of its own, that of
//! the source is one as well: `arg1`.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Constraint, Expr, Overflow};
use crate::ids::ParamId;
use crate::program::Param;
use crate::question::Test;

/// Why a condition was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at column {column} of the condition `{text}`")]
pub struct AssumeError {
    /// The whole condition.
    pub text: String,
    /// The column, counted in characters from 1.
    pub column: usize,
    /// The mistake, and the expected text.
    pub reason: String,
}

/// Conditions on parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// The affine ones.
    pub constraints: Vec<Constraint>,
    /// Parameters that are multiples of the line size.
    pub multiples: Vec<ParamId>,
}

/// Parses conditions on `params`; `line` is the one among them that is the line size, if it is symbolic.
///
/// # Errors
///
/// [`AssumeError`] if the text is not understood, with the place and the reason.
pub fn parse_assumptions(text: &str, params: &[Param], line: Option<ParamId>) -> Result<Assumptions, AssumeError> {
    let tokens = tokenize(text)?;
    let mut parser = Parser { text, tokens, next: 0, params };
    let mut assumptions = Assumptions::default();
    loop {
        match line.and_then(|line| parser.multiple(line)) {
            Some(param) => assumptions.multiples.push(param),
            None if parser.is_set() => parser.set(&mut assumptions.constraints)?,
            None => parser.chain(&mut assumptions.constraints)?,
        }
        if parser.accept(",") || parser.accept("and") {
            continue;
        }
        if parser.at_end() {
            return Ok(assumptions);
        }
        return Err(parser.error("expected `,` or `and`"));
    }
}

/// Returns the names that conditions give one value, as `step = 2` does, with the value. The first one counts:
/// conditions that contradict each other are reported where they become part of a program.
pub fn fixed_values(text: &str) -> BTreeMap<String, i64> {
    let tokens = tokenize(text).unwrap_or_default();
    let parts = tokens.split(|token| [",", "and"].contains(&token.text));
    let mut values = BTreeMap::new();
    for part in parts {
        let words: Vec<&str> = part.iter().map(|token| token.text).collect();
        let Some(equal) = words.iter().position(|word| ["=", "=="].contains(word)) else { continue };
        let (left, right) = (&words[..equal], &words[equal + 1..]);
        let fixed = name_alone(left).zip(number(right)).or_else(|| name_alone(right).zip(number(left)));
        if let Some((name, value)) = fixed {
            values.entry(name).or_insert(value);
        }
    }
    values
}

/// Returns the conditions that a text joins, each by itself.
pub fn conditions(text: &str) -> Vec<&str> {
    let tokens = tokenize(text).unwrap_or_default();
    let parts = tokens.split(|token| [",", "and"].contains(&token.text));
    let around = |part: &[AssumeToken<'_>]| Some((part.first()?.start, part.last()?.end()));
    parts.filter_map(around).filter_map(|(start, end)| text.get(start..end)).collect()
}

/// A parameter that has one of a few values, in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSet {
    /// Its name.
    pub name: String,
    /// The values, each once.
    pub values: BTreeSet<i64>,
    /// The first byte of the condition, and the one behind the last.
    pub place: (usize, usize),
}

/// Returns the parameters that conditions give one of a few values, as `ksize in 1, 3, 5` does.
pub fn value_sets(text: &str) -> Vec<ValueSet> {
    let Ok(tokens) = tokenize(text) else { return Vec::new() };
    let mut parser = Parser { text, tokens, next: 0, params: &[] };
    let mut sets = Vec::new();
    while !parser.at_end() {
        if parser.is_set() {
            let (first, name) = (parser.next, parser.tokens[parser.next].text.to_owned());
            parser.next += 2;
            let Ok(values) = parser.values() else { return sets };
            let place = (parser.tokens[first].start, parser.tokens[parser.next - 1].end());
            sets.push(ValueSet { name, values, place });
        } else {
            parser.next += 1;
        }
    }
    sets
}

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

/// Returns the name of the parameter that an element of an array is: `debug_0` for `debug[0]`.
pub fn element_name(name: &str) -> Option<String> {
    let (array, index) = element(name)?;
    Some(format!("{array}_{index}"))
}

/// Returns the array and the subscript of an element, `debug[0]`.
pub fn element(name: &str) -> Option<(&str, u32)> {
    let (array, index) = name.strip_suffix(']')?.split_once('[')?;
    Some((array, index.parse().ok()?))
}

/// Returns true if a value fits a signed integer of `bits` bits; a single bit is a truth value, 0 or 1.
pub fn fits_in(value: i64, bits: u32) -> bool {
    match bits {
        1 => value == 0 || value == 1,
        2..64 => (-(1_i64 << (bits - 1))..1_i64 << (bits - 1)).contains(&value),
        _ => bits == 64,
    }
}

fn name_alone(words: &[&str]) -> Option<String> {
    let [name] = words else { return None };
    name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| (*name).to_owned())
}

fn number(words: &[&str]) -> Option<i64> {
    match words {
        ["-", digits] => format!("-{digits}").parse().ok(),
        [digits] => digits.parse().ok(),
        _ => None,
    }
}

struct AssumeToken<'t> {
    text: &'t str,
    /// Its first byte.
    start: usize,
    column: usize,
}

impl AssumeToken<'_> {
    /// Returns the position of the byte behind it.
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Returns how long a name is, with a subscript if it is one of an element.
fn name_length(text: &str) -> usize {
    let name = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let element = text.find(']').map(|end| end + 1).filter(|end| *end > name && element(&text[..*end]).is_some());
    element.filter(|_| text[name..].starts_with('[')).unwrap_or(name)
}

fn tokenize(text: &str) -> Result<Vec<AssumeToken<'_>>, AssumeError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        } else if first.is_alphabetic() || first == '_' {
            name_length(rest)
        } else if ["<=", ">=", "=="].iter().any(|op| rest.starts_with(op)) {
            2
        } else if "<>=+-*/%(),".contains(first) {
            1
        } else {
            let column = text[..start].chars().count() + 1;
            return Err(AssumeError { text: text.to_owned(), column, reason: format!("unexpected `{first}`") });
        };
        if !first.is_whitespace() {
            let column = text[..start].chars().count() + 1;
            tokens.push(AssumeToken { text: &rest[..length], start, column });
        }
        rest = &rest[length..];
    }
    Ok(tokens)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<AssumeToken<'t>>,
    next: usize,
    params: &'t [Param],
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.next).map(|t| t.text)
    }

    fn at_end(&self) -> bool {
        self.next == self.tokens.len()
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), AssumeError> {
        if self.accept(token) { Ok(()) } else { Err(self.error(&format!("expected `{token}`"))) }
    }

    /// Returns an error at the next token.
    fn error(&self, reason: &str) -> AssumeError {
        let column = self.tokens.get(self.next).map_or(self.text.chars().count() + 1, |t| t.column);
        AssumeError { text: self.text.to_owned(), column, reason: reason.to_owned() }
    }

    fn checked<T>(&self, result: Result<T, Overflow>) -> Result<T, AssumeError> {
        result.map_err(|overflow| self.error(&overflow.to_string()))
    }

    /// `n mod b = 0`, where b is the line size: the only condition in which it is a divisor.
    fn multiple(&mut self, line: ParamId) -> Option<ParamId> {
        let [n, modulo, b, equal, zero] = self.tokens.get(self.next..self.next + 5)? else { return None };
        let line = &self.params[line.index()].name;
        let fits = ["mod", "%"].contains(&modulo.text) && b.text == line && ["=", "=="].contains(&equal.text);
        let param = position(self.params, n.text)?;
        if !fits || zero.text != "0" {
            return None;
        }
        self.next += 5;
        Some(ParamId(param as u32))
    }

    fn chain(&mut self, constraints: &mut Vec<Constraint>) -> Result<(), AssumeError> {
        let mut left = self.sum()?;
        let mut relations = 0;
        while let Some(relation) = self.peek().filter(|t| ["<=", "<", ">=", ">", "=", "=="].contains(t)) {
            self.next += 1;
            relations += 1;
            let right = self.sum()?;
            let difference = match relation {
                "<=" | "<" => right.minus(&left),
                _ => left.minus(&right),
            };
            let strict = if matches!(relation, "<" | ">") { -1 } else { 0 };
            let expr = self.checked(difference.and_then(|d| d.plus_constant(strict)))?;
            constraints.push(match relation {
                "=" | "==" => Constraint::zero(expr),
                _ => Constraint::non_negative(expr),
            });
            left = right;
        }
        if relations == 0 {
            return Err(self.error("expected a comparison such as `n >= 16` or `n mod 8 = 0`"));
        }
        Ok(())
    }

    /// Returns true if a set of values comes next.
    fn is_set(&self) -> bool {
        let next = self.tokens.get(self.next..self.next + 2).map(|two| (two[0].text, two[1].text));
        next.is_some_and(|(name, word)| word == "in" && name_alone(&[name]).is_some())
    }

    /// `name in value, value`.
    fn set(&mut self, constraints: &mut Vec<Constraint>) -> Result<(), AssumeError> {
        let param = self.unary()?;
        self.expect("in")?;
        let values = self.values()?;
        let conditions = one_of(&param, &values);
        constraints.extend(self.checked(conditions)?);
        Ok(())
    }

    /// Parses the values of a set: a comma is followed by another one, or by another condition.
    fn values(&mut self) -> Result<BTreeSet<i64>, AssumeError> {
        let mut values = BTreeSet::new();
        loop {
            let words: Vec<&str> = self.tokens[self.next..].iter().take(2).map(|token| token.text).collect();
            let length = if words.first() == Some(&"-") { 2 } else { 1 };
            let value = number(words.get(..length).unwrap_or_default());
            values.insert(value.ok_or_else(|| self.error("expected a whole number"))?);
            self.next += length;
            if self.peek() != Some(",") || !self.is_value_at(self.next + 1) {
                return Ok(values);
            }
            self.next += 1;
        }
    }

    /// Returns true if there is a number at a place that does not belong to a comparison.
    fn is_value_at(&self, place: usize) -> bool {
        let word = |place: usize| self.tokens.get(place).map(|token| token.text);
        let place = place + usize::from(word(place) == Some("-"));
        let is_number = word(place).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        is_number && matches!(word(place + 1), None | Some("," | "and"))
    }

    fn sum(&mut self) -> Result<Expr, AssumeError> {
        let mut sum = self.product()?;
        loop {
            let factor = if self.accept("+") {
                1
            } else if self.accept("-") {
                -1
            } else {
                return Ok(sum);
            };
            let term = self.product()?;
            sum = self.checked(sum.add_scaled(&term, factor))?;
        }
    }

    fn product(&mut self) -> Result<Expr, AssumeError> {
        let mut product = self.unary()?;
        loop {
            if self.accept("*") {
                let factor = self.unary()?;
                let result = match (product.as_constant(), factor.as_constant()) {
                    (_, Some(c)) => product.times(c),
                    (Some(c), _) => factor.times(c),
                    _ => return Err(self.error("a product of two parameters is not affine")),
                };
                product = self.checked(result)?;
            } else if self.accept("mod") || self.accept("%") {
                let divisor = self.divisor()?;
                product = self.checked(product.modulo(divisor))?;
            } else {
                return Ok(product);
            }
        }
    }

    fn unary(&mut self) -> Result<Expr, AssumeError> {
        let Some(token) = self.peek() else {
            return Err(self.error("expected a parameter or a number"));
        };
        if self.accept("-") {
            let negated = self.unary()?.times(-1);
            return self.checked(negated);
        }
        if self.accept("(") {
            let inner = self.sum()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.accept("floor") || self.accept("ceil") {
            return self.rounded(token == "floor");
        }
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            let value = token.parse().map_err(|_| self.error("a number that does not fit in 64 bits"))?;
            self.next += 1;
            return Ok(Expr::constant(value));
        }
        match position(self.params, token) {
            Some(index) => {
                self.next += 1;
                Ok(Expr::param(ParamId(index as u32)))
            }
            None => Err(self.error(&unknown(token, self.params))),
        }
    }

    /// Parses the rest of `floor(sum/divisor)` or of `ceil(sum/divisor)`, behind the word.
    fn rounded(&mut self, down: bool) -> Result<Expr, AssumeError> {
        self.expect("(")?;
        let numerator = self.sum()?;
        self.expect("/")?;
        let divisor = self.divisor()?;
        self.expect(")")?;
        let result = if down { numerator.floor_div(divisor) } else { numerator.ceil_div(divisor) };
        self.checked(result)
    }

    fn divisor(&mut self) -> Result<i64, AssumeError> {
        match self.peek().and_then(|t| t.parse().ok()) {
            Some(divisor) if divisor > 0 => {
                self.next += 1;
                Ok(divisor)
            }
            _ => Err(self.error("expected a positive whole number")),
        }
    }
}

/// Returns which parameter a name is: its own one, that of the source, or an element.
fn position(params: &[Param], name: &str) -> Option<usize> {
    let element = element_name(name);
    let own = params.iter().position(|param| param.name == name || Some(&param.name) == element.as_ref());
    own.or_else(|| params.iter().position(|param| param.argument.as_deref() == Some(name)))
}

/// Returns conditions that hold where an expression has one of a few values.
fn one_of(value: &Expr, values: &BTreeSet<i64>) -> Result<Vec<Constraint>, Overflow> {
    let (Some(&least), Some(&largest)) = (values.first(), values.last()) else { return Ok(Vec::new()) };
    if least == largest {
        return Ok(vec![Constraint::equal(value, least)?]);
    }
    let above = value.minus(&Expr::constant(least))?;
    let below = Expr::constant(largest).minus(value)?;
    let mut conditions = vec![Constraint::non_negative(above.clone()), Constraint::non_negative(below)];
    let second = values.iter().nth(1).copied().unwrap_or(largest);
    let step = second.checked_sub(least).ok_or(Overflow)?;
    if values.iter().zip(values.iter().skip(1)).all(|(one, next)| next - one == step) {
        conditions.extend((step > 1).then(|| above.modulo(step).map(Constraint::zero)).transpose()?);
        return Ok(conditions);
    }
    // Between the ends, floor((x - t)/room) + 1 is 1 from t on and 0 before it.
    let room = largest.checked_sub(least).and_then(|width| width.checked_add(2)).ok_or(Overflow)?;
    let from = |start: i64| value.minus(&Expr::constant(start))?.floor_div(room)?.plus_constant(1);
    let mut is_one = Expr::constant(-1);
    for found in values {
        is_one = is_one.plus(&from(*found)?)?.minus(&from(found.checked_add(1).ok_or(Overflow)?)?)?;
    }
    conditions.push(Constraint::zero(is_one));
    Ok(conditions)
}

fn unknown(token: &str, params: &[Param]) -> String {
    let names: Vec<_> = params.iter().map(|p| format!("`{}`", p.name)).collect();
    match names.is_empty() {
        true => format!("`{token}` is not a parameter (the program has none)"),
        false => format!("`{token}` is not a parameter (the parameters are {})", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, n: i128, m: i128) -> bool {
        let params = [Param::named("n"), Param::named("m")];
        parse_assumptions(text, &params, None)
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
        assert!(parse_assumptions("n in m", &params, None).unwrap_err().reason.contains("whole number"));
    }

    #[test]
    fn elements_and_names_of_the_source() {
        let params = [Param::named("a_2"), Param { name: "p1".to_owned(), argument: Some("arg4".to_owned()) }];
        let parsed = |text| parse_assumptions(text, &params, None).map(|assumed| assumed.constraints);
        assert_eq!(parsed("a[2] = 3, arg4 >= 5").unwrap(), parsed("a_2 = 3, p1 >= 5").unwrap());
        assert!(parsed("a[3] = 1").is_err() && parsed("a[n] = 1").is_err() && parsed("a[2 = 1").is_err());
        assert_eq!(fixed_values("a[2] = 3").into_iter().next(), Some(("a[2]".to_owned(), 3)));
        assert_eq!(conditions("a[2] = 3 , 1 <= n<m and n mod 8=0"), ["a[2] = 3", "1 <= n<m", "n mod 8=0"]);
    }

    #[test]
    fn conditions_that_hold_below_one() {
        let below = |text: &str| {
            let params = [Param::named("n"), Param::named("m")];
            let conditions = parse_assumptions(text, &params, None).unwrap().constraints;
            conditions.iter().filter_map(below_one).map(ParamId::index).collect::<Vec<_>>()
        };
        assert_eq!(below("n >= 0, m >= -3, 0 = n, n < 1, m = -2"), [0, 1, 0, 0, 1]);
        assert_eq!(below("n >= 1, n <= 9, m = 2, n >= m, n <= 1").len(), 0);
    }

    #[test]
    fn multiples_of_the_line_size() {
        let params = ["n", "b"].map(Param::named);
        let parse = |text| parse_assumptions(text, &params, Some(ParamId(1)));
        let assumed = parse("n >= 2*b and n mod b = 0").unwrap();
        assert_eq!((assumed.constraints.len(), assumed.multiples), (1, vec![ParamId(0)]));
        assert!(parse("n mod b = 1").unwrap_err().reason.contains("positive whole number"));
        assert!(parse_assumptions("n mod b = 0", &params, None).is_err());
    }

    #[test]
    fn errors_name_the_column_and_the_cause() {
        let params = [Param::named("n")];
        let error = |text| parse_assumptions(text, &params, None).unwrap_err().to_string();
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
