//! What a `symloc.toml` says, and the errors of those that say something else.

use std::path::Path;

use symloc_check::config::{Baseline, CheckedKernel, ConfigError, read};

fn kernels(text: &str) -> Result<Vec<CheckedKernel>, ConfigError> {
    read(text, Path::new("/nowhere"))
}

/// A kernel with a line of its own.
fn with(line: &str) -> String {
    format!("[[kernel]]\nname = \"mm\"\nfile = \"src/mm.c\"\n{line}\n")
}

const REST: &str = "caches = [\"32KiB\"]\nmax-misses = 9";

#[test]
fn a_kernel_has_what_it_says_and_else_the_defaults() {
    let text = r#"
[defaults]
flags = ["-Iinclude"]
caches = ["32KiB,8", "1MiB"]
not-worse-than = "main"

[[kernel]]
name = "mm"
file = "./src/mm.c"
function = "mm"
options = ["--assume=n mod 8 = 0"]
sizes = { n = [500, 2000], "a=b" = "64..256:*2" }
threads = [1, 8]
tolerance = "1%"
max-ratio = { "32KiB, 8" = "5%" }
fits = "1MiB at n <= 100"

[[kernel]]
name = "axpy"
file = "src/axpy.c"
caches = ["512lines"]
sizes = [{ n = 10 }, { n = 20 }]
threads = 4
not-worse-than = "committed"
max-misses = 70000000000
"#;
    let found = kernels(text).unwrap();
    let [mm, axpy] = &found[..] else { panic!("two kernels") };
    assert_eq!((mm.source.file.as_str(), mm.place), ("src/mm.c", (8, 8)));
    assert_eq!((mm.question.sizes[0].count(), mm.question.threads.as_slice()), (6, &[1, 8][..]));
    assert_eq!(mm.question.level_names, ["32KiB,8", "1MiB"]);
    assert_eq!(mm.requirements.max_ratio[0].level, Some(0));
    assert_eq!(mm.requirements.baseline, Some(Baseline::Revision("main".to_owned())));
    assert_eq!(mm.requirements.fits[0].most, 100);
    assert_eq!((axpy.question.level_names.as_slice(), axpy.question.sizes.len()), (&["512lines".to_owned()][..], 2));
    assert_eq!(
        (&axpy.requirements.baseline, &axpy.source.flags),
        (&Some(Baseline::Committed), &vec!["-Iinclude".to_owned()])
    );
    assert_eq!(axpy.requirements.max_misses[0].level, None);
}

#[test]
fn mistakes_have_a_place_and_a_remedy() {
    let cases = [
        (String::new(), (1, 1), "there is no kernel"),
        (with("max_misses = 9"), (4, 1), "unknown key `max_misses`\nhelp: did you mean `max-misses`?"),
        (with("cashes = []"), (4, 1), "did you mean `caches`?"),
        (with("colour = 1"), (4, 1), "the keys are name, file"),
        (with("max-misses = 9"), (1, 1), "no cache is given"),
        (with("caches = [\"32KiB\"]"), (2, 8), "nothing is required of `mm`"),
        (with("caches = [\"32KB\"]\nmax-misses = 9"), (4, 11), "1024 or 1000"),
        (with("caches = [\"1KiB..4KiB:*2\"]\nmax-misses = 9"), (4, 11), "write one for each level"),
        (with("caches = [\"32KiB,8,64\", \"1MiB,8,128\"]\nmax-misses = 9"), (1, 1), "128"),
        (
            with("caches = [\"32KiB\"]\nmax-misses = { L9 = 9 }"),
            (5, 14),
            "there is no level `L9`; the levels are 32KiB",
        ),
        (with("caches = [\"32KiB\"]\nmax-misses = \"few\""), (5, 14), "expected a limit"),
        (with("caches = [\"32KiB\"]\nmax-ratio = \"101%\""), (5, 13), "more than all accesses"),
        (with("caches = [\"32KiB\"]\nfits = \"32KiB at n\""), (5, 8), "not of the form"),
        (with("caches = [\"32KiB\"]\nfits = \"L2 at n <= 5\""), (5, 8), "there is no level `L2`"),
        (with("caches = [\"32KiB\"]\nnot-worse-than = \"--help\""), (5, 18), "is no revision"),
        (with(&format!("{REST}\nsizes = {{ n = \"many\" }}")), (6, 9), "n: `many` is not a whole number"),
        (with(&format!("{REST}\nsizes = {{ n = \"1..100000\" }}")), (6, 9), "points"),
        (with(&format!("{REST}\nsizes = {{ n = 1.5 }}")), (6, 9), "expected a"),
        (with(&format!("{REST}\nthreads = 0")), (6, 11), "from 1 to"),
        (with(&format!("{REST}\ntolerance = \"much\"")), (6, 13), "is not a share"),
        (with(&format!("{REST}\noptions = [\"--output=x\"]")), (6, 11), "`--output` is no option of a kernel"),
        (with(&format!("{REST}\noptions = [\"--\", \"-I\"]")), (6, 11), "`flags`"),
        (with(&format!("{REST}\nmachine = \"missing.toml\"")), (6, 11), "/nowhere/missing.toml"),
        (format!("{}{}", with(REST), with(REST)), (6, 1), "two kernels are called `mm`"),
        (with(REST).replace("\"mm\"", "\"a/b\""), (2, 8), "`a/b` is no name"),
        (with(REST).replace("src/mm.c", "../mm.c"), (3, 8), "is not below the folder"),
        (with(REST).replace("name", "# "), (1, 1), "missing key `name`"),
        (format!("[defaults]\nname = \"x\"\n{}", with(REST)), (2, 8), "belongs to a kernel"),
        ("[[kernel]\n".to_owned(), (1, 10), ""),
    ];
    for (text, place, message) in cases {
        let error = kernels(&text).map(|_| ()).unwrap_err();
        assert_eq!((error.line, error.column), place, "{text}: {error}");
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
}
