//! Operations of `tosa` in the syntax before LLVM 21: some of today's operands were attributes, or implicit.

use super::edits::Edits;
use super::statements::Statement;
use super::tokens::closing;

/// The parts of an operation, for rewriting.
struct Operation {
    /// The text of the constants that it needs, inserted before it.
    constants: String,
    operands: Vec<String>,
    types: Vec<String>,
    attributes: Vec<(String, String)>,
    result: String,
}

/// Rewrites an operation, in its own or the generic form, if its syntax is old; returns true if it was.
pub(crate) fn rewrite(statement: &Statement, edits: &mut Edits) -> bool {
    let name = statement.token(0).trim_matches('"');
    if name == "tosa.const" {
        return renamed(statement, edits);
    }
    let Some(mut operation) = Operation::new(statement) else { return false };
    if operation.modernise(statement, name).is_none() {
        return false;
    }
    let first = statement.tokens[statement.start].start;
    edits.insert(first, std::mem::take(&mut operation.constants));
    edits.replace(statement.bytes(&(statement.at..statement.end)), operation.text(name));
    true
}

/// Rewrites `value` as `values` in `"tosa.const"() <{value = …}>`.
fn renamed(statement: &Statement, edits: &mut Edits) -> bool {
    let old = (statement.at..statement.end).find(|&at| statement.tokens[at].text == "value");
    let Some(token) = old.map(|at| statement.tokens[at]) else { return false };
    edits.replace(token.start..token.end(), "values");
    true
}

impl Operation {
    fn new(statement: &Statement) -> Option<Self> {
        let types = statement.signature()?;
        let arrow = statement.find(types.clone(), "->")?;
        let open = (statement.at + 1..types.start).find(|&at| statement.tokens[at].text == "{");
        let before = open.map_or(types.start - 1, |open| match statement.tokens[open - 1].text {
            "<" => open - 1,
            _ => open,
        });
        let is_generic = statement.token(1) == "(";
        let operands = match is_generic {
            true => statement.at + 2..closing(statement.tokens, statement.at + 1),
            false => statement.at + 1..before,
        };
        let texts = |range| statement.split(range).iter().map(|part| statement.text_of(part).to_owned()).collect();
        let attributes = open.map_or(Vec::new(), |open| {
            let parts = statement.split(open + 1..closing(statement.tokens, open));
            let pair = |part| statement.text_of(part).split_once('=');
            let pairs = parts.iter().filter_map(pair);
            pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
        });
        Some(Self {
            constants: String::new(),
            operands: texts(operands),
            types: texts(types.start + 1..closing(statement.tokens, types.start)),
            attributes,
            result: statement.text_of(&(arrow + 1..types.end)).to_owned(),
        })
    }

    /// Changes operands and attributes to today's; `None` if they are so already.
    fn modernise(&mut self, statement: &Statement, name: &str) -> Option<()> {
        match (name, self.operands.len()) {
            ("tosa.reshape", 1) => {
                let shape = list(&self.taken("new_shape")?)?;
                let rank = shape.split(',').count();
                let values = format!("tosa.const_shape {{values = dense<[{shape}]> : tensor<{rank}xindex>}} : ()");
                self.push(statement, &values, &format!("!tosa.shape<{rank}>"));
            }
            ("tosa.mul", 2) => {
                let shift = self.taken("shift").unwrap_or_default();
                let shift = shift.split(':').next().unwrap_or_default().trim().parse().unwrap_or(0_i8);
                self.constant(statement, &shift.to_string(), "i8");
            }
            ("tosa.transpose", 2) => {
                let order = constant_list(statement, self.operands.pop()?.trim())?;
                self.types.truncate(1);
                self.attributes.push(("perms".to_owned(), format!("array<i32: {order}>")));
            }
            ("tosa.matmul", 2) | ("tosa.negate", 1) => {
                for kind in [0, self.operands.len() - 1] {
                    self.zero(statement, kind);
                }
            }
            ("tosa.conv2d" | "tosa.depthwise_conv2d" | "tosa.conv3d", 3) => {
                (0..2).for_each(|kind| self.zero(statement, kind));
                self.accumulate();
            }
            ("tosa.avg_pool2d", 1) => {
                (0..2).for_each(|_| self.zero(statement, 0));
                self.accumulate();
            }
            ("tosa.clamp", 1) if self.attributes.iter().all(|(name, _)| name != "min_val") => {
                let kind = if is_float(element(&self.result)) { "fp" } else { "int" };
                for side in ["min", "max"] {
                    let value = self.taken(&format!("{side}_{kind}"))?;
                    let value = value.split(':').next().unwrap_or_default().trim().to_owned();
                    self.attributes.push((format!("{side}_val"), format!("{value} : {}", element(&self.result))));
                }
                self.attributes.retain(|(name, _)| name.ends_with("_val"));
            }
            _ if self.attributes.iter().any(|(_, value)| value.starts_with('[')) => {}
            _ => {
                let axis = self.attributes.iter_mut().find(|(name, value)| name == "axis" && value.ends_with("i64"))?;
                axis.1 = axis.1.replace("i64", "i32");
            }
        }
        for (_, value) in &mut self.attributes {
            if value.starts_with('[') {
                *value = format!("array<i64: {}>", list(value)?);
            }
        }
        Some(())
    }

    /// Removes an attribute; returns its value.
    fn taken(&mut self, name: &str) -> Option<String> {
        let at = self.attributes.iter().position(|(other, _)| other == name)?;
        Some(self.attributes.remove(at).1)
    }

    /// Adds the accumulator type of a convolution or a pooling, if it is missing.
    fn accumulate(&mut self) {
        if self.attributes.iter().all(|(name, _)| name != "acc_type") {
            self.attributes.push(("acc_type".to_owned(), element(&self.result).to_owned()));
        }
        self.attributes.retain(|(name, _)| name != "quantization_info");
    }

    /// Adds an operand: zero, the zero point of another operand.
    fn zero(&mut self, statement: &Statement, of: usize) {
        let kind = self.types.get(of).map(|kind| element(kind).to_owned()).unwrap_or_default();
        self.constant(statement, if is_float(&kind) { "0.0" } else { "0" }, &kind);
    }

    fn constant(&mut self, statement: &Statement, value: &str, kind: &str) {
        let kind = format!("tensor<1x{kind}>");
        self.push(statement, &format!("\"tosa.const\"() <{{values = dense<{value}> : {kind}}}> : ()"), &kind);
    }

    fn push(&mut self, statement: &Statement, made_by: &str, kind: &str) {
        let name = statement.fresh(self.operands.len());
        self.constants.push_str(&format!("{name} = {made_by} -> {kind} "));
        self.operands.push(name);
        self.types.push(kind.to_owned());
    }

    fn text(&self, name: &str) -> String {
        let attributes: Vec<_> = self.attributes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let attributes = if attributes.is_empty() { String::new() } else { format!(" {{{}}}", attributes.join(", ")) };
        let (operands, types) = (self.operands.join(", "), self.types.join(", "));
        format!("{name} {operands}{attributes} : ({types}) -> {}", self.result)
    }
}

/// Returns the element type of a tensor.
fn element(tensor: &str) -> &str {
    tensor.trim().trim_start_matches("tensor<").trim_end_matches('>').rsplit('x').next().unwrap_or_default()
}

fn is_float(kind: &str) -> bool {
    kind.starts_with('f') || kind.starts_with("bf")
}

/// Returns the numbers of `[1, 2]`, `array<i64: 1, 2>` or `dense<[1, 2]> : tensor<2xi32>`.
fn list(value: &str) -> Option<String> {
    let inner = match value.split_once('[') {
        Some((_, rest)) => rest.split(']').next()?,
        None => value.strip_prefix("array<")?.split_once(':')?.1.trim_end().strip_suffix('>')?,
    };
    let numbers = inner.split(',').map(|number| number.trim().parse::<i64>().ok()).collect::<Option<Vec<_>>>()?;
    Some(numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
}

/// Returns the numbers of a value that is a constant.
fn constant_list(statement: &Statement, value: &str) -> Option<String> {
    let tokens = statement.tokens;
    let defined = |at: &usize| tokens[*at].text == value && tokens.get(at + 1).is_some_and(|token| token.text == "=");
    let at = (0..statement.start).rev().find(defined)? + 2;
    let is_constant = ["tosa.const", "arith.constant", "constant"].contains(&tokens.get(at)?.text.trim_matches('"'));
    let open = (at..statement.start).find(|&at| tokens[at].text == "[").filter(|_| is_constant)?;
    list(statement.text_of(&(open..closing(tokens, open) + 1)))
}
