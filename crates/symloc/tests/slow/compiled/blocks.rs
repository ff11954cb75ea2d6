//! The operations of the basic blocks of a program, from the text of LLVM IR and from the output of `symloc ops`.
//!
//! Each instruction of the text is one operation; its opcode and first type are the kind and the width. Times the
//! executions of its block in a run, this has to be the output of `ops`. An unknown opcode is an operation too, and a
//! difference, because `ops` never prints it.

use std::collections::BTreeMap;

use serde_json::Value;

/// The executions of a block, and the operations of each kind in them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BasicBlock {
    executions: u64,
    operations: BTreeMap<BlockOperation, u64>,
    /// The sums of kinds that are columns of `ops`.
    columns: BTreeMap<&'static str, u64>,
}

/// An operation with its category, kind and bits: `("integer", "add", 32)`. Branches have a width of 0.
type BlockOperation = (String, String, u64);

/// The blocks that are executed, by name.
pub(crate) type Blocks = BTreeMap<String, BasicBlock>;

/// The columns of `ops` that are sums.
const COLUMNS: [&str; 9] = [
    "loads",
    "stores",
    "bytes_loaded",
    "bytes_stored",
    "integer_operations",
    "float_operations",
    "flops",
    "conditional_branches",
    "unconditional_branches",
];

/// Returns the amount that an operation adds to a column.
fn share(column: &str, (category, kind, bits): &BlockOperation) -> u64 {
    match (column, category.as_str(), kind.as_str()) {
        ("bytes_loaded", _, "load") | ("bytes_stored", _, "store") => bits / 8,
        ("flops", "float", "fma") => 2,
        ("flops", "float", "add" | "sub" | "mul" | "div" | "rem" | "elementary")
        | ("loads", _, "load")
        | ("stores", _, "store")
        | ("integer_operations", "integer", _)
        | ("float_operations", "float", _)
        | ("conditional_branches", _, "conditional")
        | ("unconditional_branches", _, "unconditional") => 1,
        _ => 0,
    }
}

/// Returns the blocks of a run. `counts` has a number for each block of the function, in order; no other function has
/// counters.
pub(crate) fn of_run(ir: &str, function: &str, counts: &[u64]) -> Blocks {
    let mut blocks = Blocks::new();
    let mut counts = counts.iter();
    let text = ir.split("\ndefine ").find(|text| text.contains('@') && between(text, '@', '(') == function).unwrap();
    let mut block = None;
    for line in text.lines().take_while(|line| *line != "}") {
        if let Some(name) = label(line) {
            block = match *counts.next().unwrap() {
                0 => None,
                executions => {
                    Some(blocks.entry(name.to_owned()).or_insert(BasicBlock { executions, ..BasicBlock::default() }))
                }
            };
        } else if let Some(block) = &mut block
            && let Some(operation) = operation(line)
        {
            block.add(operation);
        }
    }
    assert!(counts.next().is_none(), "more counts than blocks");
    blocks
}

fn between(text: &str, start: char, end: char) -> &str {
    let (_, rest) = text.split_once(start).unwrap();
    rest.split(end).next().unwrap()
}

/// Returns the name of the block that begins in a line such as `for.body:   ; preds = %for.cond`.
fn label(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(':')?;
    let in_name = |letter: char| letter.is_alphanumeric() || ".-_$".contains(letter);
    (!name.is_empty() && name.chars().all(in_name)).then_some(name)
}

/// Returns the operation in a line, if there is one.
fn operation(line: &str) -> Option<BlockOperation> {
    // Lines that are indented further are debug records.
    let instruction = line.strip_prefix("  ").filter(|text| !text.starts_with(' '))?;
    let instruction = instruction.split_once(" = ").map_or(instruction, |(_, value)| value);
    let (opcode, rest) = instruction.trim_start_matches("tail ").split_once(' ')?;
    let (category, kind) = match opcode {
        "load" | "store" => ("memory", opcode),
        "add" | "sub" | "mul" => ("integer", opcode),
        "sdiv" | "udiv" => ("integer", "div"),
        "srem" | "urem" => ("integer", "rem"),
        "and" | "or" | "xor" | "shl" | "lshr" | "ashr" => ("integer", "logic"),
        "icmp" => ("integer", "compare"),
        "trunc" | "zext" | "sext" => ("integer", "convert"),
        "getelementptr" => return Some(typed("integer", "other", 64)),
        "fadd" | "fsub" | "fmul" | "fdiv" | "frem" => ("float", &opcode[1..]),
        "fneg" => ("float", "other"),
        "fcmp" => ("float", "compare"),
        "sitofp" | "uitofp" => ("float", "convert"),
        "br" if rest.starts_with("i1 ") => return Some(typed("branch", "conditional", 0)),
        "br" | "ret" => return Some(typed("branch", "unconditional", 0)),
        "call" => called(rest)?,
        "phi" | "alloca" => return None,
        _ => return Some(typed("unknown", line, 0)),
    };
    Some(typed(category, kind, width(rest)))
}

fn typed(category: &str, kind: &str, bits: u64) -> BlockOperation {
    (category.to_owned(), kind.to_owned(), bits)
}

/// Returns the operation of a call such as `double @llvm.fmuladd.f64(…)`.
fn called(text: &str) -> Option<(&'static str, &'static str)> {
    let name = between(text, '@', '(');
    match name.trim_start_matches("llvm.").split('.').next().unwrap() {
        "fmuladd" => Some(("float", "fma")),
        "sqrt" | "expf" | "exp" | "powf" | "pow" => Some(("float", "elementary")),
        "stacksave" | "stackrestore" => None,
        _ => Some(("unknown", "call")),
    }
}

/// Returns the bits of the first type in an instruction, which is that of its operands; 0 if the type is not known
/// here.
fn width(text: &str) -> u64 {
    let word = |word: &str| match word.trim_end_matches(',') {
        "double" => Some(64),
        "float" => Some(32),
        word => word.strip_prefix('i')?.parse().ok(),
    };
    text.split(' ').find_map(word).unwrap_or_default()
}

impl BasicBlock {
    /// Returns the value of a column of `ops`.
    pub(crate) fn column(&self, name: &str) -> u64 {
        self.columns.get(name).copied().unwrap_or_default()
    }

    /// Adds an operation, which each execution of the block makes once.
    fn add(&mut self, operation: BlockOperation) {
        for column in COLUMNS {
            *self.columns.entry(column).or_default() += self.executions * share(column, &operation);
        }
        *self.operations.entry(operation).or_default() += self.executions;
    }
}

/// Reads the blocks in the output of `ops --by block --json`.
pub(crate) fn told(json: &str) -> Blocks {
    let answer: Value = serde_json::from_str(json).unwrap();
    let number = |value: &Value| value.as_u64().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let operation = |told: &Value| {
        let bits = told["bits"].as_u64().unwrap_or_default();
        ((text(&told["category"]), text(&told["kind"]), bits), number(&told["count"]))
    };
    let block = |row: &Value| {
        let operations = row["operations"].as_array().unwrap().iter().map(operation).collect();
        let columns = COLUMNS.map(|column| (column, number(&row[column])));
        (text(&row["name"]), BasicBlock { executions: number(&row["executions"]), operations, columns: columns.into() })
    };
    let rows = answer["rows"].as_array().unwrap().iter();
    rows.map(block).filter(|(_, block)| block.executions > 0).collect()
}

/// Returns the first difference between the blocks of a run and those of `ops`.
pub(crate) fn difference(run: &Blocks, told: &Blocks) -> Option<String> {
    let names = run.keys().chain(told.keys());
    let unlike = names.into_iter().find(|name| run.get(*name) != told.get(*name))?;
    Some(format!("{unlike}: {:?} in the program, {:?} told", run.get(unlike), told.get(unlike)))
}
