//! The statements that pragmas are about: loops with threads, regions around them, and what cannot be taken.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::openmp::clauses::{OwnVariables, Refused, Sharing, is_private, left_out, sharing};
use crate::openmp::directive::Directive;
use crate::openmp::statements::Statements;
use crate::openmp::tokens::{TextPiece, TextToken, tokens};

/// A pragma with its statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Construct {
    /// True for a directive in Fortran, where clauses copy the elements of arguments, too.
    pub(crate) is_fortran: bool,
    /// The file, as the compiler names it; `None` for the one that is compiled.
    pub(crate) file: Option<String>,
    /// The line of the pragma.
    pub(crate) line: u32,
    /// The last line of its statement.
    pub(crate) last_line: u32,
    /// The lines, both included, on which code of a program makes the construct matter to it.
    pub(crate) scope: (u32, u32),
    /// Its name, as in the source: `parallel for`.
    pub(crate) name: String,
    pub(crate) kind: ConstructKind,
}

/// The kinds of constructs that matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConstructKind {
    /// A loop whose iterations threads share, with the line of its `for`.
    Loop { head: u32, sharing: Sharing },
    /// A region that every thread runs, apart from the constructs on these lines.
    Region { covered: Vec<(u32, u32)>, own: OwnVariables, left_out: Vec<String> },
    /// A statement that one thread runs.
    OneThread,
    /// A use of the runtime's number of a thread or of all threads, in the function or namespace on these lines.
    ThreadNumber,
    /// Variables of which each thread has its own, everywhere.
    ThreadPrivate(Vec<String>),
    /// A construct that cannot be taken, with the line of its `for`, if it is about a loop.
    Refused { head: Option<u32>, refused: Refused },
}

/// Returns the constructs of a text that Clang has preprocessed; `main` is the compiled file, as the compiler names it.
pub fn constructs(text: &str, main: &str) -> Vec<Construct> {
    let tokens = tokens(text);
    let mut scan = Scan { text: Statements { tokens: &tokens }, main, found: Vec::new() };
    scan.range(0..tokens.len(), Within::Nothing);
    scan.thread_numbers();
    scan.found
}

/// Functions of OpenMP's runtime whose values depend on the threads.
const THREAD_NUMBERS: [&str; 6] = [
    "omp_get_thread_num",
    "omp_get_num_threads",
    "omp_get_max_threads",
    "omp_get_num_procs",
    "omp_get_team_size",
    "omp_in_parallel",
];

/// The innermost construct around a pragma.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Nothing,
    Region,
    Loop,
}

/// The kinds of pragmas.
enum PragmaKind {
    ParallelLoop,
    WorksharingLoop,
    Region,
    OneThread,
    ThreadPrivate,
    Refused(&'static str),
    WithoutEffect,
}

/// Returns the kind of a pragma.
fn kind(directive: &Directive) -> PragmaKind {
    const DEVICES: [&str; 3] = ["target", "teams", "distribute"];
    let has = |words: &[&str]| words.iter().any(|word| directive.has(word));
    match directive.name.first().map(String::as_str) {
        Some("threadprivate") => PragmaKind::ThreadPrivate,
        Some("declare" | "barrier" | "flush" | "atomic" | "simd" | "section") => PragmaKind::WithoutEffect,
        Some("taskwait" | "taskyield" | "taskgroup" | "scan") => PragmaKind::WithoutEffect,
        Some("critical" | "ordered") => PragmaKind::Refused("threads wait for each other"),
        _ if has(&DEVICES) => PragmaKind::Refused("it is about teams of threads, which may be those of a device"),
        _ if has(&["loop", "workshare"]) => PragmaKind::Refused("how its work is shared is left to the compiler"),
        _ if has(&["task", "taskloop", "sections", "scope"]) => {
            PragmaKind::Refused("which thread runs it depends on time")
        }
        Some("parallel") if directive.has("for") => PragmaKind::ParallelLoop,
        Some("parallel") if directive.name.len() == 1 => PragmaKind::Region,
        Some("for") => PragmaKind::WorksharingLoop,
        Some("single" | "master" | "masked") if directive.name.len() == 1 => PragmaKind::OneThread,
        None if directive
            .clauses
            .first()
            .is_some_and(|word| ["requires", "allocate"].contains(&word.name.as_str())) =>
        {
            PragmaKind::WithoutEffect
        }
        _ => PragmaKind::Refused("this construct is not known"),
    }
}

/// The state of the search.
struct Scan<'s, 't> {
    text: Statements<'s, 't>,
    main: &'s str,
    found: Vec<Construct>,
}

impl Scan<'_, '_> {
    /// Finds the constructs in a range of tokens.
    fn range(&mut self, range: Range<usize>, within: Within) {
        let mut position = range.start;
        while position < range.end {
            position = match self.text.tokens[position].piece {
                TextPiece::Pragma(text) => self.pragma(position, &Directive::of(text), within),
                _ => self.attribute(position),
            };
        }
    }

    /// Adds the construct of a pragma; returns the position from which on tokens are still to be searched.
    fn pragma(&mut self, at: usize, directive: &Directive, within: Within) -> usize {
        let start = self.text.statement(at + 1);
        let end = self.text.end(start);
        match kind(directive) {
            PragmaKind::WithoutEffect => return at + 1,
            PragmaKind::ParallelLoop | PragmaKind::WorksharingLoop | PragmaKind::OneThread if start > at + 1 => {
                self.refuse(at, end, directive, BETWEEN);
            }
            PragmaKind::ThreadPrivate => {
                let names = directive.clauses.iter().flat_map(|clause| clause.list()).map(str::to_owned).collect();
                self.push(at, at + 1, directive, ConstructKind::ThreadPrivate(names));
                return at + 1;
            }
            PragmaKind::OneThread if within == Within::Nothing => return at + 1,
            PragmaKind::OneThread => {
                self.push(at, end, directive, ConstructKind::OneThread);
                // It may have tasks, which other threads run.
                self.range(at + 1..end, within);
            }
            PragmaKind::Refused(why) => self.refuse(at, end, directive, why),
            PragmaKind::ParallelLoop | PragmaKind::Region if within == Within::Loop => {
                self.refuse(at, end, directive, "it is inside of a loop that threads share");
            }
            PragmaKind::ParallelLoop | PragmaKind::Region if within == Within::Region => {
                self.refuse(at, end, directive, "it is inside of another parallel region");
            }
            PragmaKind::ParallelLoop => self.shared_loop(at, start..end, directive),
            PragmaKind::WorksharingLoop => match within {
                Within::Region => self.shared_loop(at, start..end, directive),
                Within::Nothing => {
                    self.refuse(
                        at,
                        end,
                        directive,
                        "it is not in the text of a parallel region: its callers have that",
                    );
                }
                Within::Loop => self.refuse(at, end, directive, "it is inside of a loop that threads share"),
            },
            // Another pragma may follow without braces.
            PragmaKind::Region => self.region(at, at + 1..end, directive),
        }
        end
    }

    /// Refuses a directive in an attribute, if one begins here; returns the next position.
    fn attribute(&mut self, at: usize) -> usize {
        if let Some(start) = self.text.attributed(at) {
            let directive = Directive { name: vec!["omp::directive".to_owned()], clauses: Vec::new() };
            self.refuse(at, self.text.end(start), &directive, "directives are read in pragmas, not in attributes");
        }
        at + 1
    }

    fn shared_loop(&mut self, at: usize, statement: Range<usize>, directive: &Directive) {
        let Some(head) = self.text.head(statement.start) else {
            return self.refuse(at, statement.end, directive, "no loop follows it");
        };
        if self.text.tokens[statement.start].file != self.text.tokens[at].file {
            return self.refuse(at, statement.end, directive, "its loop is in another file");
        }
        if self.text.has_loop_beside(statement.clone(), head) {
            return self.refuse(at, statement.end, directive, BESIDE);
        }
        let kind = match sharing(directive) {
            Ok(mut sharing) => {
                self.find_names(&mut sharing.own, statement.clone());
                let (first, last) = self.lines(at, statement.end);
                let loops = if first == last { None } else { Some(sharing.parallel.loops) };
                sharing.own.counters = self.text.counters(statement.clone(), loops);
                sharing.atomic =
                    self.text.atomic(statement.clone()).map(|range| self.lines(range.start, range.end)).collect();
                ConstructKind::Loop { head, sharing }
            }
            Err(refused) => ConstructKind::Refused { head: Some(head), refused },
        };
        self.push(at, statement.end, directive, kind);
        self.range(statement, Within::Loop);
    }

    fn region(&mut self, at: usize, statement: Range<usize>, directive: &Directive) {
        let mut own = OwnVariables::default();
        let added = directive.clauses.iter().filter(|clause| is_private(clause)).try_for_each(|clause| own.add(clause));
        self.find_names(&mut own, statement.clone());
        own.counters = self.text.counters(statement.clone(), Some(0));
        let first = self.found.len();
        self.range(statement.clone(), Within::Region);
        let inner = self.found[first..].iter();
        let covered: Vec<_> = inner.map(|construct| (construct.line, construct.last_line)).collect();
        if self.text.calls(statement.clone(), &covered) {
            let refused = Refused { subject: directive.name.join(" "), why: CALLS };
            self.push(at, statement.end, directive, ConstructKind::Refused { head: None, refused });
        }
        let kind = match added {
            Ok(()) => ConstructKind::Region { covered, own, left_out: left_out(directive) },
            Err(refused) => ConstructKind::Refused { head: None, refused },
        };
        self.push(at, statement.end, directive, kind);
    }

    /// Finds the variables that are declared in a statement, and where it names those of `private`.
    fn find_names(&self, own: &mut OwnVariables, statement: Range<usize>) {
        own.declared = self.text.declared(statement.clone());
        for name in &own.private {
            let named = self.text.tokens[statement.clone()].iter().filter(|token| token.is_word(name));
            own.named.insert(name.clone(), named.map(|token| token.line).collect());
        }
    }

    /// Adds the functions that ask for numbers of threads, by themselves or by other functions of the text.
    fn thread_numbers(&mut self) {
        let blocks = self.text.blocks();
        let mut asking: BTreeMap<&str, &str> = THREAD_NUMBERS.iter().map(|name| (*name, *name)).collect();
        let mut found = BTreeMap::new();
        loop {
            let before = found.len();
            for (name, range) in &blocks {
                let asked = self.text.words(range.clone()).find_map(|word| asking.get(word).copied());
                if let Some(asked) = asked.filter(|_| !found.contains_key(&range.start)) {
                    asking.extend(name.map(|name| (name, asked)));
                    found.insert(range.start, (range.end, asked));
                }
            }
            if found.len() == before {
                break;
            }
        }
        for (start, (end, asked)) in found {
            let directive = Directive { name: vec![asked.to_owned()], clauses: Vec::new() };
            self.push(start, end, &directive, ConstructKind::ThreadNumber);
        }
    }

    fn refuse(&mut self, at: usize, end: usize, directive: &Directive, why: &'static str) {
        let subject = directive.name.first().or(directive.clauses.first().map(|clause| &clause.name)).cloned();
        let subject = if directive.name.is_empty() { subject.unwrap_or_default() } else { directive.name.join(" ") };
        let start = self.text.attributed(at).unwrap_or(at + 1);
        let head = self.text.head(self.text.statement(start));
        self.push(at, end, directive, ConstructKind::Refused { head, refused: Refused { subject, why } });
    }

    fn push(&mut self, at: usize, end: usize, directive: &Directive, kind: ConstructKind) {
        let (line, last_line) = self.lines(at, end);
        let TextToken { file, .. } = self.text.tokens[at];
        // The accesses of what a refused construct calls, or of another file, are on other lines, so it matters to the whole function.
        let is_elsewhere =
            self.text.calls(at..end, &[]) || self.text.tokens[at..end].iter().any(|token| token.file != file);
        let around = match kind {
            ConstructKind::Refused { .. } if is_elsewhere => self.text.block_around(at),
            _ => None,
        };
        let scope = around.map_or((line, last_line), |block| self.lines(block.start, block.end));
        let file = (file != self.main).then(|| file.to_owned());
        let (is_fortran, name) = (false, directive.name.join(" "));
        self.found.push(Construct { is_fortran, file, line, last_line, scope, name, kind });
    }

    /// Returns the lines from a position up to another one, exclusive, as far as they are in one file.
    fn lines(&self, at: usize, end: usize) -> (u32, u32) {
        let TextToken { file, line, .. } = self.text.tokens[at];
        let last = end.checked_sub(1).and_then(|last| self.text.tokens.get(last)).filter(|token| token.file == file);
        (line, last.map_or(line, |last| last.line.max(line)))
    }
}

/// The reason why pragmas of loops that share a line are refused: loops are known by the lines that they begin on.
const BESIDE: &str =
    "another loop begins on the line of its loop, as in a macro, and which of them is meant is not known";

/// The reason why pragmas in a row are refused: they change the loop that threads share, or make a task of the statement.
const BETWEEN: &str = "another construct is between it and its statement";

/// The reason why calls by every thread are refused.
const CALLS: &str = "every thread calls a function here, outside of the loops that they share";

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the constructs of a text, in short.
    fn found(text: &str) -> Vec<String> {
        let text = format!("# 1 \"a.c\"\n{text}");
        let all = constructs(&text, "a.c");
        all.iter()
            .map(|Construct { line, last_line, name, kind, .. }| {
                let kind = match kind {
                    ConstructKind::Loop { head, sharing } => format!("loop {head} {:?}", sharing.parallel.schedule),
                    ConstructKind::Region { covered, own, .. } => {
                        format!("region {covered:?} {}", own.private.join(" "))
                    }
                    ConstructKind::OneThread => "one".to_owned(),
                    ConstructKind::ThreadNumber => "number".to_owned(),
                    ConstructKind::ThreadPrivate(names) => names.join(" "),
                    ConstructKind::Refused { head, refused } => format!("refused {head:?} {}", refused.why),
                };
                format!("{line}-{last_line} {name}: {}", kind.trim_end())
            })
            .collect()
    }

    #[test]
    fn the_statement_of_a_pragma_ends_where_c_says() {
        let text = "#pragma omp parallel for\nfor (i = 0; i < n; i++)\n if (a(i)) {\n b;\n } else\n  c;\nd;";
        assert_eq!(found(text), ["1-6 parallel for: loop 2 Blocks"]);
        let text = "#pragma omp parallel for schedule(static, 8)\n\nfor (;;)\n#pragma omp simd\n for (;;) { x; }\ny;";
        assert_eq!(found(text), ["1-5 parallel for: loop 3 Chunks(8)"]);
        let text = "#pragma omp parallel for\nfor (;;) do { x; } while (1);\ny;";
        assert_eq!(found(text), ["1-2 parallel for: loop 2 Blocks"]);
        let text = "#pragma omp parallel for\nfor (;;)\n x[(int []){1, 2}[0]] = 3;\ny;";
        assert_eq!(found(text), ["1-3 parallel for: loop 2 Blocks"]);
    }

    #[test]
    fn constructs_in_between_and_in_attributes_are_refused() {
        let text = "#pragma omp parallel for\n#pragma omp tile sizes(4)\nfor (;;) x;";
        assert_eq!(found(text), [format!("1-3 parallel for: refused Some(3) {BETWEEN}")]);
        let why = "directives are read in pragmas, not in attributes";
        let text =
            "[[omp::directive(parallel for)]]\nfor (;;) x;\n[[using omp: sequence(a)]]\nx;\na ? omp : b; omp::f();";
        let all = [("1-2", "Some(2)"), ("3-4", "None")];
        assert_eq!(found(text), all.map(|(lines, head)| format!("{lines} omp::directive: refused {head} {why}")));
    }

    #[test]
    fn loops_of_a_region_are_shared() {
        let text = "#pragma omp parallel private(x)\n{\n#pragma omp for nowait\nfor (;;) y;\n#pragma omp single\n{ z; }\n#pragma omp \
                    barrier\n#pragma omp for\nfor (;;)\n y;\n}\n#pragma omp for\nfor (;;) y;";
        assert_eq!(
            found(text),
            [
                "3-4 for: loop 4 Blocks",
                "5-6 single: one",
                "8-10 for: loop 9 Blocks",
                "1-11 parallel: region [(3, 4), (5, 6), (8, 10)] x",
                "12-13 for: refused Some(13) it is not in the text of a parallel region: its callers have that",
            ]
        );
    }

    #[test]
    fn regions_without_braces_have_loops() {
        let text = "#pragma omp parallel\n#pragma omp for collapse(2)\nfor (;;)\n for (;;) y;\nz;";
        assert_eq!(found(text), ["2-4 for: loop 3 Blocks", "1-4 parallel: region [(2, 4)]"]);
    }

    #[test]
    fn what_threads_do_in_another_way_is_refused() {
        let text =
            "#pragma omp parallel for\nfor (;;) {\n#pragma omp parallel for\nfor (;;) x;\n#pragma omp critical\nx;\n}";
        let whys = ["it is inside of a loop that threads share", "threads wait for each other"];
        let inner = [
            format!("3-4 parallel for: refused Some(4) {}", whys[0]),
            format!("5-6 critical: refused None {}", whys[1]),
        ];
        assert_eq!(found(text), [vec!["1-7 parallel for: loop 2 Blocks".to_owned()], inner.to_vec()].concat());
        for name in ["task", "parallel sections", "target teams distribute parallel for", "tile sizes(2)", "loop"] {
            let all = found(&format!("#pragma omp {name}\nfor (;;) x;"));
            assert!(all.len() == 1 && all[0].contains("refused Some(2)"), "{name}: {all:?}");
        }
        assert!(found("#pragma omp parallel for\nx;")[0].contains("no loop follows it"));
        let calls = found("#pragma omp parallel\n{ int t = omp_get_thread_num();\n if (t) f(t);\n}");
        assert_eq!(calls[0], format!("1-4 parallel: refused None {CALLS}"));
    }

    #[test]
    fn numbers_of_threads_are_found_in_their_functions() {
        let text = "int omp_get_thread_num(void) { return 0; }\nvoid f() {\n { x; }\n t = omp_get_thread_num();\n n = \
                    omp_get_num_threads();\n}\nvoid g() {\n y;\n}";
        assert_eq!(found(text), ["2-6 omp_get_thread_num: number"]);
        let text = "int z(int); void f() {\n n = g(1);\n}\nint p(); __attribute__((a)) int g(int x) { return h(x);\n}\nint h(int x) {\n return omp_in_parallel();\n}\nvoid \
                    k() { f; x; }\nvoid l() { y; }";
        let all = ["1-3", "4-5", "6-8", "9-9"].map(|lines| format!("{lines} omp_in_parallel: number"));
        assert_eq!(found(text), all);
        assert_eq!(found("#pragma omp threadprivate(a, b)\nint x;"), ["1-1 threadprivate: a b"]);
    }

    #[test]
    fn refused_calls_matter_to_the_whole_function() {
        let text = "# 1 \"a.c\"\nvoid f() {\n x;\n#pragma omp task\n g(x);\n#pragma omp task\n x;\n}";
        let scopes: Vec<_> = constructs(text, "a.c").iter().map(|construct| construct.scope).collect();
        assert_eq!(scopes, [(1, 7), (5, 6)]);
    }

    #[test]
    fn variables_of_a_construct_are_private() {
        let text = "#pragma omp parallel for private(x)\nfor (int i = 0; i < n; i++) {\n double y = f(a, b[i]), *z, t[4];\n t[1] = \
                    c[i];\n for (int j = 0;;) { const int *w = d; e = y; }\n return g;\n}";
        let all = constructs(text, "");
        let [Construct { kind: ConstructKind::Loop { sharing, .. }, .. }] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((&*sharing.own.private, sharing.own.copied.is_empty()), (&["x".to_owned()][..], true));
        assert_eq!(sharing.own.declared, ["y", "z", "t", "int", "w"]);
    }

    #[test]
    fn pragmas_that_change_nothing_are_no_constructs() {
        for name in ["simd", "barrier", "declare simd", "atomic", "flush(a)", "single", "requires x"] {
            assert_eq!(found(&format!("#pragma omp {name}\nfor (;;) x;")), [""; 0], "{name}");
        }
    }
}
