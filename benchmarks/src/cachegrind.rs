//! `cachegrind`: compares the misses of compiled kernels, as valgrind counts them, with those of a simulation.
//!
//! Each kernel of polybench/c is compiled and called by a program that places its arrays and prints their addresses. Valgrind
//! runs it with two caches (LRU; its last level does not see write-backs), and counts in the kernel's function alone. The
//! simulation has the arrays at the same addresses, and does not access values that a compiler keeps in registers, either; arrays
//! that are local to the kernel lie after the others.

use std::fmt::Write as _;
use std::process::Command;

use clap::Args;
use symloc_affine::Line;
use symloc_cache::{Design, Geometry, IndexFunction, Replacement};
use symloc_query::options::datasets::{Dataset, POLYBENCH};
use symloc_replay::{Code, MemoryLayout, MemoryMap, Replaying, Survey, replay};
use symloc_report::formats::text::Columns;

use crate::{BoxedError, kernels};

/// The options of `cachegrind`.
#[derive(Args)]
pub(crate) struct CachegrindArgs {
    /// Kernels of PolyBench; all by default
    kernels: Vec<String>,
    /// Their sizes
    #[arg(long, value_enum, default_value = "small")]
    dataset: Dataset,
    /// The compiler
    #[arg(long, default_value = "cc")]
    compiler: String,
    /// How much it optimises
    #[arg(long, default_value_t = 1)]
    level: u8,
}

/// The caches: bytes, ways.
const CACHES: [(u64, u64); 2] = [(32 << 10, 8), (1 << 20, 16)];
const LINE: u64 = 64;

pub(crate) fn run(args: &CachegrindArgs) -> Result<(), BoxedError> {
    let all: Vec<String> = POLYBENCH.kernels().map(str::to_owned).collect();
    let head = ["kernel", "first level", "simulated", "ratio", "second level", "simulated", "ratio"];
    let mut table = Columns::new(&head, 1);
    let mut logs = [Vec::new(), Vec::new()];
    for kernel in if args.kernels.is_empty() { &all } else { &args.kernels } {
        let sizes = POLYBENCH.sizes(kernel, args.dataset).ok_or("no such kernel")?;
        let counted = counted(kernel, &sizes, args)?;
        let simulated = simulated(kernel, &sizes, &counted.bases)?;
        let mut row = vec![kernel.clone()];
        for (level, (counted, simulated)) in counted.misses.into_iter().zip(simulated).enumerate() {
            let ratio = simulated as f64 / counted as f64;
            row.extend([counted.to_string(), simulated.to_string(), format!("{ratio:.4}")]);
            logs[level].push(ratio.ln().abs());
        }
        table.push(row);
    }
    table.write(&mut std::io::stdout())?;
    for (level, logs) in ["first", "second"].iter().zip(logs) {
        let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
        println!("{level} level: off by a factor of {:.4} in the geometric mean", mean.exp());
    }
    Ok(())
}

/// The counts of valgrind, by level, and the addresses of the arrays.
struct CachegrindCounts {
    misses: [u64; 2],
    bases: Vec<(String, u64)>,
}

fn counted(kernel: &str, sizes: &[(String, i64)], args: &CachegrindArgs) -> Result<CachegrindCounts, BoxedError> {
    let folder = std::env::temp_dir().join(format!("symloc-cachegrind-{}-{kernel}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = kernels::polybench_c(kernel);
    let signature = Signature::of(&std::fs::read_to_string(&file)?)?;
    let (driver, binary, out) = (folder.join("driver.c"), folder.join("kernel"), folder.join("counts"));
    std::fs::write(&driver, signature.driver(sizes)?)?;
    let object = folder.join("kernel.o");
    let level = format!("-O{}", args.level);
    command(Command::new(&args.compiler).args(["-g", &level, "-c", "-o"]).args([&object, &file]))?;
    command(Command::new(&args.compiler).args(["-O1", "-o"]).args([&binary, &driver, &object]).arg("-lm"))?;
    let [first, last] = CACHES.map(|(bytes, ways)| format!("{bytes},{ways},{LINE}"));
    let options = [format!("--D1={first}"), format!("--LL={last}"), format!("--cachegrind-out-file={}", out.display())];
    let told = command(
        Command::new("valgrind").args(["--tool=cachegrind", "--cache-sim=yes", "-q"]).args(options).arg(&binary),
    )?;
    let base = |line: &str| {
        let (name, address) = line.split_once('=')?;
        Some((name.to_owned(), u64::from_str_radix(address.strip_prefix("0x")?, 16).ok()?))
    };
    let bases = told.lines().filter_map(base).collect();
    let misses = misses_in(&std::fs::read_to_string(&out)?, &signature.function)?;
    std::fs::remove_dir_all(&folder)?;
    Ok(CachegrindCounts { misses, bases })
}

pub(crate) fn command(command: &mut Command) -> Result<String, BoxedError> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Adds up the misses of a function in a file of cachegrind.
pub(crate) fn misses_in(counts: &str, function: &str) -> Result<[u64; 2], BoxedError> {
    let events = counts.lines().find_map(|line| line.strip_prefix("events: ")).ok_or("no events")?;
    let column = |event: &str| events.split(' ').position(|name| name == event).ok_or("an event is missing");
    let columns = [[column("D1mr")?, column("D1mw")?], [column("DLmr")?, column("DLmw")?]];
    let (mut misses, mut inside) = ([0, 0], false);
    for line in counts.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            inside = name == function;
        } else if inside && line.starts_with(|first: char| first.is_ascii_digit()) {
            let numbers: Vec<u64> = line.split(' ').skip(1).map(str::parse).collect::<Result<_, _>>()?;
            for (sum, columns) in misses.iter_mut().zip(&columns) {
                *sum += columns.iter().filter_map(|column| numbers.get(*column)).sum::<u64>();
            }
        }
    }
    Ok(misses)
}

/// The parameters of a kernel, and the names of its extents.
struct Signature {
    function: String,
    /// The type, the name, and the extents in brackets if it is an array.
    parameters: Vec<[String; 3]>,
    /// The name of an extent, such as `NI`, and the parameter that it stands for.
    extents: Vec<(String, String)>,
}

impl Signature {
    fn of(text: &str) -> Result<Self, BoxedError> {
        let define = |line: &str| {
            let (extent, parameter) = line.strip_prefix("#define ")?.split_once(' ')?;
            (!extent.contains('(')).then(|| (extent.to_owned(), parameter.to_owned()))
        };
        let start = text.find("void kernel_").ok_or("no kernel")?;
        let (function, rest) = text[start + "void ".len()..].split_once('(').ok_or("no parameters")?;
        let (list, _) = rest.split_once(')').ok_or("no parameters")?;
        let parameter = |text: &str| {
            let (kind, name) = text.trim().split_once(' ')?;
            let at = name.find('[').unwrap_or(name.len());
            Some([kind.to_owned(), name[..at].trim().to_owned(), name[at..].to_owned()])
        };
        let parameters = list.split(',').map(parameter).collect::<Option<_>>().ok_or("a parameter without a name")?;
        Ok(Self { function: function.to_owned(), parameters, extents: text.lines().filter_map(define).collect() })
    }

    /// Returns a program that calls the kernel on consecutive arrays, each at a multiple of the line.
    fn driver(&self, sizes: &[(String, i64)]) -> Result<String, BoxedError> {
        let size = |name: &str| {
            let found = sizes.iter().find(|(size, _)| size.eq_ignore_ascii_case(name));
            found.map(|(_, size)| *size).ok_or_else(|| format!("no size `{name}`"))
        };
        let mut text = "#include <stdio.h>\n#include <stdlib.h>\n".to_owned();
        for (extent, parameter) in &self.extents {
            writeln!(text, "#define {extent} {}", size(parameter)?)?;
        }
        let (mut types, mut values, mut places, mut total) = (Vec::new(), Vec::new(), String::new(), "0".to_owned());
        for [kind, name, extents] in &self.parameters {
            if !extents.is_empty() {
                writeln!(places, "  void *{name} = memory + ({total});\n  printf(\"{name}=%p\\n\", {name});")?;
                write!(total, " + (sizeof({kind}{extents}) + {0}) / {LINE} * {LINE}", LINE - 1)?;
                types.push("void *".to_owned());
                values.push(name.clone());
            } else {
                types.push(kind.clone());
                values.push(if kind == "int" { size(name)?.to_string() } else { "1.5".to_owned() });
            }
        }
        let (function, types, values) = (&self.function, types.join(", "), values.join(", "));
        writeln!(text, "void {function}({types});\nint main(void) {{")?;
        writeln!(text, "  char *memory = aligned_alloc(1 << 20, (({total}) | 0xfffff) + 1);\n{places}")?;
        writeln!(text, "  {function}({values});\n  return 0;\n}}")?;
        Ok(text)
    }
}

/// Returns the misses of a kernel with arrays at the given addresses.
fn simulated(kernel: &str, sizes: &[(String, i64)], bases: &[(String, u64)]) -> Result<Vec<u64>, BoxedError> {
    let program = kernels::read(&kernels::polybench_c(kernel))?;
    let sizes = kernels::sizes(&program, sizes)?;
    let index = |name: &String| program.arrays.iter().position(|array| array.name == *name);
    let bases: Vec<_> = bases.iter().filter_map(|(name, address)| Some((index(name)?, *address))).collect();
    let design = |(bytes, ways)| {
        Ok::<_, BoxedError>(Design::new(Geometry::new(bytes / LINE, ways, IndexFunction::Modulo)?, Replacement::Lru))
    };
    let designs = CACHES.into_iter().map(design).collect::<Result<Vec<_>, _>>()?;
    let code = Code::new(&program, &sizes)?;
    let memory = MemoryMap::new(&program, &Survey::of(&code)?, MemoryLayout::Packed, &bases, Line::Bytes(LINE))?;
    let held = replay(&code, &memory, &designs, Replaying::default())?;
    Ok((0..designs.len()).map(|level| held.misses(level)).collect())
}
