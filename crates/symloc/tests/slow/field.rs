//! The programs of `symloc-benchmarks field`, at small sizes: what is measured there is derived right.

use crate::common::{nothing_from, share, symloc};

/// Files in `benchmarks/field`, with two sizes around which their borders, tiles and lines are cut.
const PROGRAMS: [(&str, &str); 7] = [
    ("block_solver.c", "n=3,5"),
    ("right_hand_sides.c", "n=6,9"),
    ("restriction.c", "m=3,9"),
    ("interpolation.c", "m=2,9"),
    ("star_25.c", "n=9,13"),
    ("jacobi_2d_skewed.c", "T=4,N=3,13"),
    ("lu_tiled.c", "n=31,43"),
];

#[test]
fn programs_from_the_field_equal_their_traces() {
    let wrong = |(file, sizes): (&str, &str)| {
        let file = format!("benchmarks/field/{file}");
        let (answer, errors, status) = symloc(&["verify", &file, "-D", sizes]);
        let agree = answer.lines().filter(|line| line.starts_with("ok ") && line.ends_with("agree")).count();
        (status != Some(0) || agree != 2).then(|| format!("{file}: {status:?}\n{answer}{errors}"))
    };
    nothing_from(share([0, 2], PROGRAMS.into_iter()), wrong);
}

/// Returns the lines of `--timing` from the accesses on, with their hints.
fn accesses(errors: &str) -> Vec<&str> {
    errors.lines().skip_while(|line| !line.starts_with("accesses that take most")).collect()
}

#[test]
fn timing_names_the_accesses_that_take_long_and_a_hint_that_works() {
    const FILE: &str = "benchmarks/field/lu_tiled.c";
    for jobs in ["1", "2"] {
        let (_, errors, status) = symloc(&["derive", FILE, "--timing", "--jobs", jobs, "-o", "/dev/null"]);
        assert_eq!(status, Some(0), "{errors}");
        let accesses = accesses(&errors);
        let named = accesses.iter().filter(|line| line.starts_with(&format!("{FILE}:"))).count();
        assert!((1..=5).contains(&named), "{errors}");
        assert!(accesses.iter().any(|line| line.contains(" a[") && line.contains(" %, most of it ")), "{errors}");
        // The loops divide n by 32; it is said where.
        let hint = accesses.iter().find(|line| line.starts_with("  help: ")).unwrap();
        assert!(
            hint.contains("--assume 'n mod 32 = 0' (divided in loops t1 at benchmarks/field/lu_tiled.c:"),
            "{errors}"
        );
    }
    let hinted = ["derive", FILE, "--timing", "--assume", "n mod 32 = 0", "-o", "/dev/null"];
    let (_, errors, status) = symloc(&hinted);
    assert_eq!(status, Some(0), "{errors}");
    assert!(!errors.contains("n mod 32 = 0"), "the hint is given again: {errors}");
}

#[test]
fn timing_names_no_access_of_a_short_derivation() {
    let text = ["derive", "tests/kernels/reverse.mlir", "--element", "--timing", "-o", "/dev/null"];
    let (_, errors, status) = symloc(&text);
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("previous accesses") || errors.contains("reuses, by several processes"), "{errors}");
    assert!(accesses(&errors).is_empty(), "{errors}");
}
