//! Networks: ONNX files, and MLIR in the dialects that frameworks print, to linalg on tensors.
//!
//! Others lower networks better than we could, so their programs are run: those of torch-mlir, a wheel for Python that
//! brings an LLVM of its own. `import.py` reads an ONNX file with its importer, and `torch-mlir-opt` lowers what that, PyTorch
//! or JAX printed; `shapes.py` and `attention.py` write first what these cannot lower. What comes out is read like any
//! other MLIR, and the names of the network go with it: locations are the lines of a *listing*, which has a line for each input and each node of
//! an ONNX file, and `symloc.dims` names the extents of each argument.
//!
//! - `programs`: where torch-mlir is, and running its programs,
//! - `symbols`: names of sizes that PyTorch's exporter writes beside the operations,
//! - `failures`: what their messages mean.

mod failures;
mod programs;
mod symbols;

use std::path::Path;

use symloc_frontend::{Diagnostic, Errors, Kind, Source, Text};

use failures::Failure;
use programs::{Installation, Program, Script};

/// A network, lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Linalg on tensors.
    pub(crate) mlir: Source,
    /// What its places are in: the listing, or the text that was lowered.
    pub(crate) original: Text,
}

/// What is to be lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// An ONNX file.
    Onnx,
    /// ONNX operations in the torch dialect.
    TorchOnnx,
    /// The torch dialect.
    Torch,
    /// StableHLO.
    StableHlo,
}

/// From ONNX operations to those of PyTorch, without loading what a shape is from memory.
const FROM_ONNX: &str = "func.func(convert-torch-onnx-to-torch)";
/// From the torch dialect to linalg on tensors.
const FROM_TORCH: &str = "torch-lower-to-backend-contract,func.func(torch-scalarize-shapes,canonicalize),\
                          torch-backend-to-linalg-on-tensors-backend-pipeline";
/// From StableHLO to linalg on tensors.
const FROM_STABLEHLO: &str = "stablehlo-legalize-to-linalg,func.func(canonicalize,cse)";

/// What torch-mlir lowers to an operation for which it has no loops on tensors.
const ATTENTION: &str = "torch.aten.scaled_dot_product_attention";
/// Sizes are passed to functions, so that these are written in place before sizes are followed.
const INLINED: &str = "inline,symbol-dce";
/// Python knows the operations of StableHLO in this form only.
const GENERIC: &str = "--mlir-print-op-generic";
/// What is in large constants does not matter. Other versions of MLIR need not read how this one writes their bits.
const ELIDE: &str = "--mlir-elide-elementsattrs-if-larger=256";

/// A line of the listing, in what the importer prints.
const LISTED: &str = "// listing: ";

impl Network {
    /// Lowers a source, if it is a network; `enter` is told what is being done.
    ///
    /// # Errors
    ///
    /// If torch-mlir is missing, refuses the network, or does not know one of its operators.
    pub fn lowered(source: &Source, enter: &mut dyn FnMut(&'static str)) -> Result<Option<Self>, Errors> {
        let Some(form) = Form::of(source) else { return Ok(None) };
        let mut original = Text { name: source.name.clone(), text: String::new() };
        match lower(source, form, &mut original, enter) {
            Ok(text) => {
                let name = format!("{} as MLIR", source.name);
                Ok(Some(Self { mlir: Source { name, bytes: text.into_bytes() }, original }))
            }
            Err(error) => Err(Errors::new(vec![original], vec![error])),
        }
    }
}

/// Lowers a network. An operator that torch-mlir does not lower is tried as the others by which ONNX defines it.
fn lower(
    source: &Source,
    form: Form,
    original: &mut Text,
    enter: &mut dyn FnMut(&'static str),
) -> Result<String, Diagnostic> {
    let mut expanded = Vec::new();
    loop {
        match lower_with(source, form, &expanded, original, enter) {
            Err(Failure { operator: Some(operator), .. }) if form == Form::Onnx && !expanded.contains(&operator) => {
                expanded.push(operator);
            }
            lowered => return lowered.map_err(|failure| *failure.error),
        }
    }
}

fn lower_with(
    source: &Source,
    form: Form,
    expanded: &[String],
    original: &mut Text,
    enter: &mut dyn FnMut(&'static str),
) -> Result<String, Failure> {
    let torch_mlir = Installation::from_environment();
    let given = match form {
        Form::Onnx => {
            enter("importing");
            let imported = torch_mlir.import(source, expanded)?;
            original.text = listing(&imported);
            imported
        }
        _ => {
            original.text = text(source)?.to_owned();
            symbols::named(&original.text)
        }
    };
    enter("lowering");
    let given = match form == Form::Torch && given.contains(ATTENTION) {
        true => torch_mlir.rewritten(Script::Attention, &source.name, &given)?,
        false => given,
    };
    let run = |pipeline: &str, form: &str, text: &str| {
        let pipeline = format!("builtin.module({pipeline})");
        let options = ["--allow-unregistered-dialect", "--mlir-print-debuginfo", form, "--pass-pipeline", &pipeline];
        let run = torch_mlir.run(Program::Opt, &options, text.as_bytes())?;
        match run.succeeded {
            true => Ok(run.output),
            false => Err(failures::of_lowering(&failures::named(&run.messages, &source.name), original)),
        }
    };
    let lowered = match form == Form::StableHlo && computes_sizes(&given) {
        true => {
            let given = torch_mlir.rewritten(Script::Shapes, &source.name, &run(INLINED, GENERIC, &given)?)?;
            // Away with what has computed the sizes before: it is not used any more.
            run(&format!("func.func(canonicalize),{}", form.pipeline()), ELIDE, &given)?
        }
        false => run(&form.pipeline(), ELIDE, &given)?,
    };
    Ok(failures::complete(failures::named(&lowered, &source.name), original)?)
}

/// Does a program in StableHLO compute the sizes of its tensors?
fn computes_sizes(text: &str) -> bool {
    ["stablehlo.get_dimension_size", "stablehlo.dynamic_", "@shape_assertion"].iter().any(|name| text.contains(name))
}

fn text(source: &Source) -> Result<&str, Diagnostic> {
    std::str::from_utf8(&source.bytes)
        .map_err(|error| Diagnostic::new(Kind::Syntax, None, format!("this is not UTF-8 text: {error}")))
}

/// The lines of the listing.
fn listing(imported: &str) -> String {
    imported.lines().filter_map(|line| line.strip_prefix(LISTED)).map(|line| format!("{line}\n")).collect()
}

impl Form {
    /// How a source is lowered; none for what is not a network, or is linalg already.
    fn of(source: &Source) -> Option<Self> {
        if Path::new(&source.name).extension().is_some_and(|extension| extension == "onnx") {
            return Some(Form::Onnx);
        }
        let text = std::str::from_utf8(&source.bytes).ok()?;
        let mut found = None;
        for line in text.lines() {
            let code = line.split("//").next().unwrap_or_default();
            if uses(code, "torch.operator \"onnx") {
                return Some(Form::TorchOnnx);
            }
            if uses(code, "torch.") || code.contains("!torch.") {
                found = found.or(Some(Form::Torch));
            } else if uses(code, "stablehlo.") || uses(code, "chlo.") {
                return Some(Form::StableHlo);
            }
        }
        found
    }

    fn pipeline(self) -> String {
        match self {
            Form::Onnx | Form::TorchOnnx => format!("{FROM_ONNX},{FROM_TORCH}"),
            Form::Torch => FROM_TORCH.to_owned(),
            Form::StableHlo => FROM_STABLEHLO.to_owned(),
        }
    }
}

/// Does an operation of a dialect begin in a line? It stands at the line's start, behind `=`, or in quotes.
fn uses(line: &str, dialect: &str) -> bool {
    let operation = line.split_once(" = ").map_or(line, |(_, operation)| operation).trim_start();
    operation.trim_start_matches('"').starts_with(dialect)
}
