//! Tables and formulas beside the evaluator.
//!
//! The modules are one binary, so that there is less to link and they run side by side. A new file needs a line here.

mod every_row;
mod exact;
mod golden;
mod roots;
mod shares;
