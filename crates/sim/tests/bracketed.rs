//! The text of `--emit trace` holds all of a program: expanded by a reader that knows the grammar alone, it makes the accesses of
//! the interpreter, one by one.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a reader in a test stops at the first surprise")]

use std::collections::HashMap;

use symloc_affine::{AccessKind, Layout, Line};
use symloc_sim::Trace;
use symloc_sim::random::{self, ProgramShape, Rng};

/// An element, and true if it is written.
type Touched = (String, Vec<i64>, bool);

/// Runs the text, with the values of parameters and iterators by name.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    values: HashMap<String, i64>,
    touched: Vec<Touched>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Takes this word, after blanks; returns whether it is there.
    fn take(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn expect(&mut self, word: &str) {
        assert!(self.take(word), "no {word} at {:?}", self.rest());
    }

    /// Takes characters as long as they belong to a name or number.
    fn word(&mut self) -> &'t str {
        self.blanks();
        let rest = self.rest();
        let word = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or(rest);
        self.at += word.len();
        word
    }

    /// Reads a trace up to a closing bracket, which is left; it is executed if `live`.
    fn trace(&mut self, live: bool) {
        loop {
            self.blanks();
            match self.rest().chars().next() {
                Some('[') => self.for_loop(live),
                Some('{') => self.guard(live),
                None | Some(']' | '}' | '|') => return,
                Some(_) => self.access(live),
            }
        }
    }

    fn for_loop(&mut self, live: bool) {
        self.expect("[");
        let name = self.word().to_owned();
        self.expect("=");
        let lower = self.bound();
        self.expect(":");
        let upper = self.bound();
        let step = if self.take(":") { self.bound() } else { 1 };
        let body = self.at;
        let mut value = lower;
        while live && value < upper {
            self.at = body;
            self.values.insert(name.clone(), value);
            self.trace(true);
            value += step;
        }
        if !live || lower >= upper {
            self.values.insert(name.clone(), lower);
            self.trace(false);
        }
        self.values.remove(&name);
        self.expect("]");
    }

    fn guard(&mut self, live: bool) {
        self.expect("{");
        let mut holds = true;
        loop {
            holds &= self.comparison();
            if !self.take("and ") {
                break;
            }
        }
        self.expect("?");
        self.trace(live && holds);
        if self.take("|") {
            self.trace(live && !holds);
        }
        self.expect("}");
    }

    fn comparison(&mut self) -> bool {
        if self.take("true") {
            return true;
        }
        let value = self.expression();
        let holds = if self.take(">=") { value >= 0 } else { self.take("=") && value == 0 };
        self.expect("0");
        holds
    }

    fn access(&mut self, live: bool) {
        let array = self.word().to_owned();
        let mut subscripts = Vec::new();
        while self.rest().starts_with('[') {
            self.expect("[");
            subscripts.push(self.expression());
            self.expect("]");
        }
        let written = self.rest().starts_with('\'') && self.take("'");
        if live {
            self.touched.push((array, subscripts, written));
        }
    }

    fn bound(&mut self) -> i64 {
        let choose = match self.rest().trim_start().split('(').next() {
            Some("max") => i64::max,
            Some("min") => i64::min,
            _ => return self.expression(),
        };
        self.word();
        self.expect("(");
        let mut value = self.expression();
        while self.take(",") {
            value = choose(value, self.expression());
        }
        self.expect(")");
        value
    }

    fn expression(&mut self) -> i64 {
        let mut sign = if self.take("-") { -1 } else { 1 };
        let mut sum = 0;
        loop {
            sum += sign * self.term();
            sign = match (self.take("+"), self.take("-")) {
                (true, _) => 1,
                (_, true) => -1,
                _ => return sum,
            };
        }
    }

    fn term(&mut self) -> i64 {
        let word = self.word();
        if let Ok(number) = word.parse::<i64>() {
            return if self.take("*") { number * self.term() } else { number };
        }
        if word != "floor" {
            return *self.values.get(word).unwrap_or_else(|| panic!("no value of {word:?} at {:?}", self.rest()));
        }
        self.expect("((");
        let numerator = self.expression();
        self.expect(")/");
        let divisor = self.term();
        self.expect(")");
        numerator.div_euclid(divisor)
    }
}

#[test]
fn the_text_makes_the_accesses_of_the_program() {
    let mut forms = ["{", "|", "floor", "max(", "min(", " = 0", "'"].to_vec();
    for seed in 0..400 {
        let program = random::program(seed, ProgramShape::default());
        let text = program.bracketed().to_string();
        forms.retain(|form| !text.contains(form));
        let sizes = random::sizes(&mut Rng::new(seed), &program, 9);
        let values = program.params.iter().map(|p| p.name.clone()).zip(sizes.iter().copied()).collect();
        let mut reader = Reader { text: &text, at: 0, values, touched: Vec::new() };
        reader.trace(true);
        assert_eq!(reader.rest(), "", "{text}");
        // Blocks of one element are numbered in the order of first touch.
        let mut numbers: HashMap<(String, Vec<i64>), u32> = HashMap::new();
        let read: Vec<(String, bool, u32)> = reader
            .touched
            .into_iter()
            .map(|(array, subscripts, written)| {
                let next = numbers.len() as u32;
                let number = *numbers.entry((array.clone(), subscripts)).or_insert(next);
                (array, written, number)
            })
            .collect();
        let mut run = Vec::new();
        let trace = Trace::new(&program, &sizes, Layout::Rows, Line::Element).unwrap();
        let visit = |access, block: symloc_sim::Block| {
            let access = program.access(access);
            run.push((program.array(access.array).name.clone(), access.kind == AccessKind::Write, block.0));
        };
        trace.for_each(visit).unwrap();
        assert_eq!(read, run, "seed {seed} at {sizes:?}:\n{text}");
    }
    assert!(forms.is_empty(), "no program has {forms:?}");
}
