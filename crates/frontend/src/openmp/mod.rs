//! OpenMP's pragmas: which loops of a source have threads.
//!
//! The compiler reads the source without OpenMP, so that loops stay in place, and the pragmas are read from the text after
//! Clang's preprocessor: conditions are decided, macros expanded, and lines are those of the source. `tokens` has the
//! words of that text, `directive` those of one pragma, `clauses` the schedule that a loop's clauses give; `constructs`
//! finds the statement that each pragma is about (`statements`), and `marks` the loops of a program at these places, `arrays`
//! the arrays of which each thread has its own. `fortran` makes C's brackets and pragmas of a text in Fortran.

mod arrays;
mod clauses;
mod constructs;
mod directive;
mod fortran;
mod marks;
mod places;
mod statements;
mod tokens;

pub use constructs::{Construct, constructs};
pub use fortran::{directive as fortran_directive, fortran_constructs};
pub use marks::marks;
