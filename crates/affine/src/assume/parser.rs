//! Conditions as affine constraints on parameters.

use std::collections::BTreeSet;

use crate::assume::tokens::{AssumeError, AssumeToken, element_name, name_alone, number, tokenize};
use crate::expr::{Constraint, Expr, Overflow};
use crate::ids::ParamId;
use crate::program::Param;

/// Conditions on parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// The affine ones.
    pub constraints: Vec<Constraint>,
    /// Parameters that are multiples of another one, with that.
    pub multiples: Vec<(ParamId, ParamId)>,
}

/// Parses conditions on `params`; `divisors` are those among them that are the line size, or sizes of tiles.
///
/// # Errors
///
/// [`AssumeError`] if the text is not understood, with the place and the reason.
pub fn parse_assumptions(text: &str, params: &[Param], divisors: &[ParamId]) -> Result<Assumptions, AssumeError> {
    let tokens = tokenize(text)?;
    let mut parser = Parser::new(text, tokens, params);
    let mut assumptions = Assumptions::default();
    loop {
        match divisors.iter().find_map(|divisor| Some((parser.multiple(*divisor)?, *divisor))) {
            Some(multiple) => assumptions.multiples.push(multiple),
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
    let mut parser = Parser::new(text, tokens, &[]);
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

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<AssumeToken<'t>>,
    next: usize,
    params: &'t [Param],
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: Vec<AssumeToken<'t>>, params: &'t [Param]) -> Self {
        Self { text, tokens, next: 0, params }
    }

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

    /// `n mod b = 0`, where b is the line size or that of a tile: the only condition in which it is a divisor.
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
            return self.rounded(if token == "floor" { Expr::floor_div } else { Expr::ceil_div });
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
    fn rounded(&mut self, divide: fn(&Expr, i64) -> Result<Expr, Overflow>) -> Result<Expr, AssumeError> {
        self.expect("(")?;
        let numerator = self.sum()?;
        self.expect("/")?;
        let divisor = self.divisor()?;
        self.expect(")")?;
        self.checked(divide(&numerator, divisor))
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
