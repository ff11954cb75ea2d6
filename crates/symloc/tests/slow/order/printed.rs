//! Programs as `derive --emit affine` prints them, run one iteration after the other.

use std::collections::BTreeMap;

/// A sum of multiples of names, and a constant.
#[derive(Clone, Debug)]
struct PrintedSum(Vec<(i64, String)>, i64);

impl PrintedSum {
    fn of(text: &str) -> Self {
        let mut sum = PrintedSum(Vec::new(), 0);
        for term in text.replace("- ", "+ -").split('+').map(|term| term.replace(' ', "")) {
            let (sign, term) = term.strip_prefix('-').map_or((1, term.as_str()), |rest| (-1, rest));
            let (factor, name) = term.split_once('*').unwrap_or(("1", term));
            match (name.parse::<i64>(), factor.parse::<i64>()) {
                (Ok(number), Ok(factor)) => sum.1 += sign * factor * number,
                (Err(_), Ok(factor)) => sum.0.push((sign * factor, name.to_owned())),
                (_, Err(_)) => panic!("{text} is no sum"),
            }
        }
        sum
    }

    fn at(&self, values: &BTreeMap<String, i64>) -> i64 {
        self.0.iter().map(|(factor, name)| factor * values[name]).sum::<i64>() + self.1
    }
}

#[derive(Debug)]
enum PrintedNode {
    For { name: String, lower: PrintedSum, upper: PrintedSum, body: Vec<PrintedNode> },
    If { condition: Vec<PrintedSum>, then: Vec<PrintedNode>, otherwise: Vec<PrintedNode> },
    Access { array: String, subscripts: Vec<PrintedSum>, writes: bool, statement: usize },
}

/// Accesses next to each other in the same loops.
#[derive(Clone, Debug)]
pub(super) struct PrintedStatement {
    /// The place of the outermost loop among those of the program; `None` outside of loops.
    pub(super) nest: Option<usize>,
    /// The iterators of the loops around.
    pub(super) loops: Vec<String>,
}

/// A program.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) parameters: Vec<String>,
    pub(super) element_bytes: BTreeMap<String, u64>,
    pub(super) statements: Vec<PrintedStatement>,
    body: Vec<PrintedNode>,
}

/// An iteration of a statement.
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    pub(super) statement: usize,
    /// The values of the iterators around it, outermost first.
    pub(super) values: Vec<i64>,
    pub(super) accesses: Vec<PrintedTouch>,
}

/// One access: an array, its subscripts, and true for a write.
pub(super) type PrintedTouch = (String, Vec<i64>, bool);

impl Printed {
    /// Reads a program.
    pub(super) fn of(text: &str) -> Self {
        let mut lines = text.lines();
        let head = lines.next().and_then(|line| line.split_once('(')).and_then(|(_, rest)| rest.strip_suffix(')'));
        let parameters = head.unwrap().split(", ").map(str::to_owned).collect();
        let mut printed = Self { parameters, element_bytes: BTreeMap::new(), statements: Vec::new(), body: Vec::new() };
        let mut code = Vec::new();
        for line in lines {
            let depth = (line.len() - line.trim_start().len()) / 2;
            match line.trim().split_once(' ') {
                Some(("array", rest)) => {
                    let (name, rest) = rest.split_once(':').unwrap();
                    printed.element_bytes.insert(name.to_owned(), bytes_of(rest));
                }
                Some(("context" | "flops", _)) => {}
                _ => code.push((depth, line.trim())),
            }
        }
        let mut place = 0;
        printed.body = printed.parts(&code, &mut place, 1, &mut Vec::new(), &mut 0);
        assert_eq!(place, code.len(), "{text}");
        printed
    }

    /// Reads the lines of one depth.
    fn parts(
        &mut self,
        code: &[(usize, &str)],
        place: &mut usize,
        depth: usize,
        around: &mut Vec<String>,
        nests: &mut usize,
    ) -> Vec<PrintedNode> {
        let mut parts = Vec::new();
        while let Some((_, line)) = code.get(*place).filter(|(other, _)| *other == depth) {
            let words: Vec<&str> = line.splitn(2, ' ').collect();
            match words[0] {
                "for" => {
                    *place += 1;
                    let (name, bounds) = words[1].split_once(" = ").unwrap();
                    let (lower, upper) = bounds.split_once(" to ").unwrap();
                    around.push(name.to_owned());
                    let body = self.parts(code, place, depth + 1, around, nests);
                    around.pop();
                    *nests += usize::from(around.is_empty());
                    parts.push(PrintedNode::For {
                        name: name.to_owned(),
                        lower: PrintedSum::of(lower),
                        upper: PrintedSum::of(upper),
                        body,
                    });
                }
                "if" => {
                    *place += 1;
                    let condition = |text: &str| PrintedSum::of(text.strip_suffix(" >= 0").unwrap());
                    let condition = words[1].split(" and ").map(condition).collect();
                    let then = self.parts(code, place, depth + 1, around, nests);
                    let has_else = code.get(*place) == Some(&(depth, "else"));
                    *place += usize::from(has_else);
                    let otherwise =
                        if has_else { self.parts(code, place, depth + 1, around, nests) } else { Vec::new() };
                    parts.push(PrintedNode::If { condition, then, otherwise });
                }
                kind @ ("read" | "write") => {
                    *place += 1;
                    let mut words = words[1].split('[');
                    let array = words.next().unwrap().to_owned();
                    let subscripts = words.map(|text| PrintedSum::of(text.trim_end_matches(']'))).collect();
                    let nest = (!around.is_empty()).then_some(*nests);
                    if self.statements.last().is_none_or(|last| last.loops != *around || last.nest != nest) {
                        self.statements.push(PrintedStatement { nest, loops: around.clone() });
                    }
                    let statement = self.statements.len() - 1;
                    parts.push(PrintedNode::Access { array, subscripts, writes: kind == "write", statement });
                }
                other => panic!("{other}: {line}"),
            }
        }
        parts
    }

    /// Runs the program; returns the iterations of its statements, in their order.
    pub(super) fn run(&self, sizes: &BTreeMap<String, i64>) -> Vec<Iteration> {
        let mut run = PrintedRun { values: sizes.clone(), around: Vec::new(), found: Vec::new() };
        run.parts(&self.body);
        run.found
    }
}

fn bytes_of(text: &str) -> u64 {
    let before = text.split(" bytes per element").next().unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

struct PrintedRun {
    values: BTreeMap<String, i64>,
    around: Vec<i64>,
    found: Vec<Iteration>,
}

impl PrintedRun {
    fn parts(&mut self, parts: &[PrintedNode]) {
        for part in parts {
            match part {
                PrintedNode::For { name, lower, upper, body } => {
                    for value in lower.at(&self.values)..upper.at(&self.values) {
                        self.values.insert(name.clone(), value);
                        self.around.push(value);
                        self.parts(body);
                        self.around.pop();
                    }
                }
                PrintedNode::If { condition, then, otherwise } => {
                    let holds = condition.iter().all(|sum| sum.at(&self.values) >= 0);
                    self.parts(if holds { then } else { otherwise });
                }
                PrintedNode::Access { array, subscripts, writes, statement } => {
                    let subscripts = subscripts.iter().map(|sum| sum.at(&self.values)).collect();
                    let touch = (array.clone(), subscripts, *writes);
                    let is_same = |last: &&mut Iteration| last.statement == *statement && last.values == self.around;
                    match self.found.last_mut().filter(is_same) {
                        Some(last) => last.accesses.push(touch),
                        None => self.found.push(Iteration {
                            statement: *statement,
                            values: self.around.clone(),
                            accesses: vec![touch],
                        }),
                    }
                }
            }
        }
    }
}
