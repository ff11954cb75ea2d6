//! Compares the pages of ten kernels, and of nussinov with distances, in a browser with the command line:
//! `tests/page/test.py`.

use std::process::Command;

use crate::common::{model, root};

const KERNELS: [&str; 10] =
    ["gemm", "lu", "nussinov", "cholesky", "heat-3d", "jacobi-2d", "atax", "3mm", "deriche", "floyd-warshall"];

#[test]
fn pages_answer_as_the_command_line_does() {
    let derived = KERNELS.map(|kernel| model(&[&format!("polybench/{kernel}.mlir")]).unwrap());
    let exact = model(&["polybench/nussinov.mlir", "--exact"]).unwrap();
    let mut command = Command::new("python3");
    command.current_dir(root()).args(["tests/page/test.py", env!("CARGO_BIN_EXE_symloc")]).args(derived).arg(exact);
    match command.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            // Without a browser, the output says so.
            println!("{said}");
            assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        }
        Err(error) => println!("note: no python3, so pages are not tested in a browser: {error}"),
    }
}
