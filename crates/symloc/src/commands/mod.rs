//! The commands that need a program.

mod derive;
mod einsum;
mod simulate;
mod verify;

pub(crate) use derive::DeriveArgs;
pub(crate) use einsum::EinsumArgs;
pub(crate) use simulate::{SimulateArgs, bins};
pub(crate) use verify::VerifyArgs;

use symloc_affine::Program;
use symloc_query::CliError;
use symloc_query::options::Definition;

/// The sizes in the order of the program's parameters.
fn sizes_of(program: &Program, definitions: &[Definition]) -> Result<Vec<i64>, CliError> {
    if let Some(unknown) = definitions.iter().find(|d| program.param(&d.name).is_none()) {
        let known: Vec<_> = program.params.iter().map(|p| p.name.as_str()).collect();
        let parameters = match known.as_slice() {
            [] => "it has none".to_owned(),
            [only] => format!("its parameter is {only}"),
            _ => format!("its parameters are {}", known.join(", ")),
        };
        return Err(CliError::refused(format!(
            "`{}` is not a parameter of {} ({parameters})",
            unknown.name, program.name
        )));
    }
    let size = |name: &str| {
        let mut values = definitions.iter().filter(|d| d.name == name);
        match (values.next(), values.next()) {
            (Some(only), None) => Ok(only.value),
            (None, _) => Err(CliError::with_hint(
                format!("no value for the parameter {name}"),
                format!("give it with -D {name}=…"),
            )),
            (Some(a), Some(b)) => {
                Err(CliError::refused(format!("{name} is defined twice, as {} and as {}", a.value, b.value)))
            }
        }
    };
    program.params.iter().map(|p| size(&p.name)).collect()
}
