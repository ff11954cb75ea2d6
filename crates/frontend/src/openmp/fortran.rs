//! Directives of OpenMP in Fortran, which are not read.

use crate::openmp::clauses::Refused;
use crate::openmp::constructs::{Construct, ConstructKind};

/// Returns the first directive of OpenMP in a text in Fortran, which is not read: a construct that cannot be taken, up to the
/// end of the text.
pub fn fortran_directives(text: &str) -> Vec<Construct> {
    let is_directive = |line: &str| line.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("!$omp"));
    let found = (1_u32..).zip(text.lines()).find(|(_, line)| is_directive(line));
    let construct = |line| Construct {
        file: None,
        line,
        last_line: u32::MAX,
        scope: (line, u32::MAX),
        name: "!$omp".to_owned(),
        kind: ConstructKind::Refused {
            head: None,
            refused: Refused { subject: "!$omp".to_owned(), why: "directives of OpenMP are not read in Fortran" },
        },
    };
    found.map(|(line, _)| construct(line)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_in_fortran_are_no_marks() {
        let found = fortran_directives("do i = 1, n\n  !$OMP parallel do\n! $omp\nend do\n!$omp end parallel do");
        assert_eq!(found.iter().map(|construct| construct.line).collect::<Vec<_>>(), [2]);
        assert_eq!(fortran_directives("! !$omp\né\n"), []);
    }
}
