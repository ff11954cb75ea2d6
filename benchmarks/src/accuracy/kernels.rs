//! The programs of the study: the kernels of both suites at the sizes of a data set, as they are and after loop fusion.
//!
//! Fusion needs trip counts, and finds few where sizes are symbolic. So a kernel is fused at constant sizes: a function `main`
//! calls it with constants, is inlined and simplified, and then `affine-loop-fusion` runs with its own defaults. Buffers that
//! fusion creates inside loops are hoisted, since symloc refuses an allocation in a loop.

use symloc_affine::Program;
use symloc_einsum::{Element, Kernel as Einsum};
use symloc_mlir::{Options, Source};
use symloc_query::options::datasets::{Dataset, POLYBENCH, Table};

use crate::BoxedError;
use crate::kernels::{EINSUMS, einsum, polybench};

const SIMPLIFIED: &str = "inline,canonicalize,func.func(affine-simplify-structures,canonicalize)";
const FUSED: &str =
    "inline,canonicalize,func.func(affine-simplify-structures,canonicalize,affine-loop-fusion,buffer-loop-hoisting)";

/// A kernel as it is written, or fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variant {
    Original,
    Fused,
}

impl Variant {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Variant::Original => "original",
            Variant::Fused => "fused",
        }
    }
}

/// A kernel at one size.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) einsum: bool,
    /// The sizes, in the order of the function's arguments.
    pub(crate) sizes: Vec<(String, i64)>,
}

/// A program and the values of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Sized {
    pub(crate) program: Program,
    pub(crate) sizes: Vec<i64>,
}

/// Returns the kernels of both suites, or those of these names.
pub(crate) fn kernels(names: &[String], dataset: Dataset) -> Result<Vec<Kernel>, BoxedError> {
    let of = |table: Table, einsum| table.kernels().map(move |name| (table, name, einsum));
    let all: Vec<_> = of(POLYBENCH, false).chain(of(EINSUMS, true)).collect();
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|(_, known, _)| known != name)) {
        return Err(format!("{unknown} is no kernel of PolyBench, and not in einsums.tsv").into());
    }
    let wanted = all.into_iter().filter(|(_, name, _)| names.is_empty() || names.iter().any(|wanted| wanted == name));
    let kernel = |(table, name, einsum): (Table, &str, bool)| {
        let sizes = table.sizes(name, dataset).ok_or_else(|| format!("no sizes of {name} in this data set"))?;
        Ok(Kernel { name: name.to_owned(), einsum, sizes })
    };
    wanted.map(kernel).collect()
}

impl Kernel {
    /// Returns the sizes as text, such as `n = 400, m = 20`.
    pub(crate) fn shown_sizes(&self) -> String {
        self.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    }

    /// Returns the kernel as MLIR, with symbolic sizes.
    pub(crate) fn mlir(&self) -> Result<String, BoxedError> {
        if !self.einsum {
            return Ok(std::fs::read_to_string(polybench(&self.name))?);
        }
        let text = std::fs::read_to_string(einsum(&self.name))?;
        Ok(Einsum::from_file(&self.name, &text)?.to_mlir(Element::F64))
    }

    /// Returns the program; `None` if fusion leaves the kernel as it is.
    pub(crate) fn program(&self, variant: Variant) -> Result<Option<Sized>, BoxedError> {
        match variant {
            Variant::Original => self.original().map(Some),
            Variant::Fused => self.fused(),
        }
    }

    fn original(&self) -> Result<Sized, BoxedError> {
        let program = self.read(self.mlir()?, None, None)?;
        let size = |name: &str| self.sizes.iter().find(|(n, _)| n == name).map(|(_, size)| *size);
        let sizes = program.params.iter().map(|p| size(&p.name).ok_or(format!("{}: no size {}", self.name, p.name)));
        Ok(Sized { sizes: sizes.collect::<Result<_, _>>()?, program })
    }

    fn fused(&self) -> Result<Option<Sized>, BoxedError> {
        let text = self.with_constants()?;
        let program = |passes| self.read(text.clone(), Some("main"), Some(passes));
        let (before, after) = (program(SIMPLIFIED)?, program(FUSED)?);
        let same = before.to_string() == after.to_string();
        Ok((!same).then_some(Sized { program: after, sizes: Vec::new() }))
    }

    fn read(&self, text: String, function: Option<&str>, passes: Option<&str>) -> Result<Program, BoxedError> {
        let source = Source { name: self.name.clone(), bytes: text.into_bytes() };
        let options =
            Options { function: function.map(str::to_owned), passes: passes.map(str::to_owned), ..Options::default() };
        Ok(symloc_mlir::read(&source, &options)?.program)
    }

    /// Returns the kernel, and a function `main` that calls it with constant sizes.
    fn with_constants(&self) -> Result<String, BoxedError> {
        let text = self.mlir()?;
        let signature = Signature::of(&text).ok_or_else(|| format!("{}: no function", self.name))?;
        let arguments = &signature.arguments;
        let mut constants = String::new();
        for (name, _) in arguments.iter().filter(|(_, kind)| *kind == "index") {
            let size = self.sizes.iter().find(|(n, _)| n == name).ok_or_else(|| format!("no size {name}"))?.1;
            constants += &format!("  %{name} = arith.constant {size} : index\n");
        }
        let list = |part: fn(&(&str, &str)) -> String, sizes: bool| {
            let wanted = arguments.iter().filter(|(_, kind)| sizes || *kind != "index");
            wanted.map(part).collect::<Vec<_>>().join(", ")
        };
        let passed = list(|(name, kind)| format!("%{name}: {kind}"), false);
        let (names, kinds) = (list(|(name, _)| format!("%{name}"), true), list(|(_, kind)| (*kind).to_owned(), true));
        let function = signature.function;
        Ok(format!(
            "{}func.func @main({passed}) {{\n{constants}  call @{function}({names}) : ({kinds}) -> ()\n  return\n}}\n",
            text.replacen("func.func @", "func.func private @", 1)
        ))
    }
}

/// The name and the arguments of the one function in a text.
pub(crate) struct Signature<'t> {
    pub(crate) function: &'t str,
    /// Names without `%`, and types.
    pub(crate) arguments: Vec<(&'t str, &'t str)>,
}

impl<'t> Signature<'t> {
    pub(crate) fn of(text: &'t str) -> Option<Self> {
        let (_, rest) = text.split_once("func.func @")?;
        let (function, rest) = rest.split_once('(')?;
        let (arguments, _) = rest.split_once(')')?;
        let argument = |text: &'t str| text.trim().strip_prefix('%')?.split_once(": ");
        Some(Self { function, arguments: arguments.split(',').map(argument).collect::<Option<_>>()? })
    }
}
