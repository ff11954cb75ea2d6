//! Directives of OpenMP in Fortran, read as those of C.
//!
//! A text in Fortran becomes one with C's brackets, statement by statement and on the same lines: `do i = 1, n` … `end do` is
//! `for (do i = ;) {` … `}`, where `do` tells the counters of Fortran, of which each thread has its own, and `!$omp parallel do` is
//! `#pragma omp parallel for`.
//! Which elements are read and written does not matter here, so an array is indexed as it stands, in square brackets.

use crate::openmp::clauses::{COMMON_BLOCK, Refused};
use crate::openmp::constructs::{Construct, ConstructKind, constructs};
use crate::openmp::statements::COUNTER_OF_FORTRAN;

/// Returns OpenMP's constructs in a text in Fortran, which are read in free form; in fixed form they are refused.
pub fn fortran_constructs(text: &str, is_fixed: bool) -> Vec<Construct> {
    let lower = text.to_ascii_lowercase();
    let has_directives = lower.lines().any(|line| directive(line).is_some());
    let numbered = || (1_u32..).zip(lower.lines());
    let unreadable =
        numbered().find_map(|(line, content)| Some((line, unreadable(content, is_fixed, has_directives)?)));
    let Some((line, why)) = unreadable else {
        let mut found = constructs(&BracedText::of(&lower), "");
        let in_common = in_common_blocks(&lower);
        found.iter_mut().for_each(|construct| as_in_source(construct, &in_common));
        return found;
    };
    let kind = ConstructKind::Refused { head: None, refused: Refused { subject: "!$omp".to_owned(), why } };
    // It may be about any procedure.
    let (scope, name) = ((1, u32::MAX), "!$omp".to_owned());
    vec![Construct { is_fortran: true, file: None, line, last_line: u32::MAX, scope, name, kind }]
}

/// Returns the directive of OpenMP on a line, without its sentinel.
pub fn directive(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.get(..5).filter(|start| start.eq_ignore_ascii_case("!$omp"))?;
    line.get(5..).filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
}

/// Returns the reason why the directives of a text with this line are not read.
fn unreadable(line: &str, is_fixed: bool, has_directives: bool) -> Option<&'static str> {
    let is_of_fixed_form = ["c$omp", "*$omp", "!$omp"].iter().any(|sentinel| is_fixed && line.starts_with(sentinel));
    let conditional = line.trim_start().strip_prefix("!$").filter(|rest| rest.starts_with([' ', '\t']));
    match conditional.map(str::trim) {
        _ if is_of_fixed_form => Some("directives are read in free form alone"),
        _ if has_directives && line.starts_with('#') => Some("directives are not read in a text for a preprocessor"),
        None | Some("" | "use omp_lib") => None,
        Some(_) => Some("lines behind `!$` are compiled for threads only, and are left out here"),
    }
}

/// Returns the words of statements about common blocks.
fn in_common_blocks(text: &str) -> Vec<String> {
    let lines = text.lines().map(without_comment);
    let common = lines.filter(|line| line.trim_start().starts_with("common"));
    common.flat_map(|line| words(&line).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Returns the names, keywords and numbers in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Names a construct as Fortran does, and refuses clauses about variables in common blocks.
fn as_in_source(construct: &mut Construct, in_common: &[String]) {
    construct.is_fortran = true;
    let of_source =
        |name: &str| name.split(' ').map(|word| if word == "for" { "do" } else { word }).collect::<Vec<_>>().join(" ");
    let name = of_source(&construct.name);
    let own = match &mut construct.kind {
        ConstructKind::Refused { refused, .. } if refused.subject == construct.name => {
            refused.subject.clone_from(&name);
            None
        }
        ConstructKind::Loop { head, sharing } => Some((Some(*head), &sharing.own)),
        ConstructKind::Region { own, .. } => Some((None, &*own)),
        _ => None,
    };
    let common = own.and_then(|(head, own)| {
        let mut named = own.private.iter().chain(&own.copied);
        Some((head, named.find(|name| in_common.contains(name))?.clone()))
    });
    if let Some((head, subject)) = common {
        construct.kind = ConstructKind::Refused { head, refused: Refused { subject, why: COMMON_BLOCK } };
    }
    construct.name = name;
}

/// The blocks of a text that are open.
#[derive(PartialEq, Eq)]
enum OpenBlock {
    /// A subroutine, a function or a program.
    Unit,
    /// A loop, with the label that ends it if `end do` does not.
    Loop(Option<String>),
    /// The statements of a directive, with its first word.
    Directive(String),
}

/// The text in C's brackets so far.
#[derive(Default)]
struct BracedText {
    /// With the numbers of their lines in the source.
    lines: Vec<(u32, String)>,
    blocks: Vec<OpenBlock>,
    /// True within a statement or a directive that the next line continues.
    is_continued: bool,
    /// Where `lines` has the pragma of the last loop, for `nowait` at its end.
    last_loop: Option<usize>,
}

impl BracedText {
    /// Returns a text in lower case in C's brackets.
    fn of(text: &str) -> String {
        let mut braced = Self::default();
        for (number, line) in (1_u32..).zip(text.lines()) {
            match directive(line) {
                Some(rest) => braced.directive(number, rest),
                None => braced.code(number, &without_comment(line)),
            }
        }
        let lines = braced.lines.iter().map(|(number, content)| format!("#line {number}\n{content}\n"));
        lines.collect()
    }

    fn push(&mut self, number: u32, content: impl Into<String>) {
        self.lines.push((number, content.into()));
    }

    /// Adds a line of a directive.
    fn directive(&mut self, number: u32, rest: &str) {
        let rest = rest.split('!').next().unwrap_or_default().trim();
        let (rest, is_continued) = (rest.strip_prefix('&').unwrap_or(rest), rest.ends_with('&'));
        let rest = rest.strip_suffix('&').unwrap_or(rest).trim();
        match std::mem::replace(&mut self.is_continued, is_continued) {
            true => {
                if let Some((_, content)) = self.lines.last_mut() {
                    content.push_str(&format!(" {rest}"));
                }
            }
            false => self.push(number, format!("#pragma omp {}", apart(rest))),
        }
        if !is_continued {
            self.finish_directive(number);
        }
    }

    /// Completes the directive that the last line has: opens its block, or closes one.
    fn finish_directive(&mut self, number: u32) {
        let Some((_, content)) = self.lines.last_mut() else { return };
        let text = content.trim_start_matches("#pragma omp ").to_owned();
        let words: Vec<&str> = words(&text).collect();
        let (first, is_loop) = (words.first().copied().unwrap_or_default(), is_of_loop(&words));
        if first == "end" {
            let ended = words.get(1).copied().unwrap_or_default();
            self.lines.pop();
            if !is_of_loop(&words[1..]) {
                return self.close(number, |block| *block == OpenBlock::Directive(ended.to_owned()));
            }
            if let Some(pragma) = self.last_loop.take().filter(|_| words.contains(&"nowait")) {
                self.lines[pragma].1.push_str(" nowait");
            }
        } else if is_loop {
            *content = in_c(content);
            // What is at the end of a loop of one thread does not matter.
            if first != "simd" {
                self.last_loop = Some(self.lines.len() - 1);
            }
        } else if has_block(first) {
            self.push(number, "{");
            self.blocks.push(OpenBlock::Directive(first.to_owned()));
        }
    }

    /// Adds a line of statements, without its comment.
    fn code(&mut self, number: u32, line: &str) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let (line, goes_on) = (line.strip_prefix('&').unwrap_or(line), line.ends_with('&'));
        let line = line.strip_suffix('&').unwrap_or(line);
        for (position, statement) in line.split(';').enumerate() {
            let is_continued = self.is_continued && position == 0;
            self.statement(number, statement.trim(), is_continued);
        }
        self.is_continued = goes_on;
        if let Some((_, content)) = self.lines.last_mut().filter(|(_, content)| goes_on && content.ends_with(';')) {
            content.pop();
        }
    }

    fn statement(&mut self, number: u32, statement: &str, is_continued: bool) {
        if is_continued {
            return self.push(number, format!("{};", indexed(statement)));
        }
        let (label, statement) = labelled(statement);
        if statement.is_empty() {
            return;
        }
        match StatementKind::of(statement) {
            StatementKind::EndLoop => self.close(number, |block| *block == OpenBlock::Loop(None)),
            StatementKind::EndUnit => self.close(number, |block| *block == OpenBlock::Unit),
            StatementKind::Unit(name) => {
                self.push(number, format!("{name}() {{"));
                self.blocks.push(OpenBlock::Unit);
            }
            StatementKind::Loop { counter, end } => {
                let head = counter
                    .map_or("while (1) {".to_owned(), |counter| format!("for ({COUNTER_OF_FORTRAN} {counter} = ;) {{"));
                self.push(number, head);
                self.blocks.push(OpenBlock::Loop(end.map(str::to_owned)));
            }
            StatementKind::Call(rest) => self.push(number, format!("{rest};")),
            StatementKind::Other => self.push(number, format!("{};", indexed(statement))),
        }
        if let Some(label) = label {
            // Several loops may end at one label.
            while self.blocks.last() == Some(&OpenBlock::Loop(Some(label.to_owned()))) {
                self.blocks.pop();
                self.push(number, "}");
            }
        }
    }

    /// Closes the innermost block if it is one of these.
    fn close(&mut self, number: u32, is_meant: impl Fn(&OpenBlock) -> bool) {
        if self.blocks.last().is_some_and(is_meant) {
            self.blocks.pop();
            self.push(number, "}");
        }
    }
}

/// The statements that open or close a block, and those that call a subroutine.
#[derive(Debug, PartialEq, Eq)]
enum StatementKind<'s> {
    /// A loop, with its counter, and the label that ends it.
    Loop {
        counter: Option<&'s str>,
        end: Option<&'s str>,
    },
    EndLoop,
    Unit(&'s str),
    EndUnit,
    /// With the name of the subroutine and its arguments.
    Call(&'s str),
    Other,
}

impl<'s> StatementKind<'s> {
    fn of(statement: &'s str) -> Self {
        let words: Vec<&str> = statement.split_whitespace().collect();
        match words[..] {
            ["enddo", ..] | ["end", "do", ..] => return Self::EndLoop,
            ["end"] | ["end", "subroutine" | "function" | "program" | "procedure", ..] => return Self::EndUnit,
            ["endsubroutine" | "endfunction" | "endprogram" | "endprocedure", ..] => return Self::EndUnit,
            ["end", ..] => return Self::Other,
            _ => {}
        }
        if let Some(call) = statement.strip_prefix("call ") {
            return Self::Call(call);
        }
        // A loop may have a name.
        let unnamed = statement.split_once(':').filter(|(name, rest)| is_name(name.trim()) && !rest.starts_with(':'));
        Self::of_loop(unnamed.map_or(statement, |(_, rest)| rest.trim()))
            .or_else(|| unit(statement))
            .unwrap_or(Self::Other)
    }

    fn of_loop(statement: &'s str) -> Option<Self> {
        let rest = statement.strip_prefix("do")?;
        if !rest.is_empty() && !rest.starts_with([' ', '\t', ',']) {
            return None;
        }
        let rest = rest.trim_start();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (label, rest) = rest.split_at(digits);
        let rest = rest.trim_start().trim_start_matches(',').trim_start();
        let counter = rest.split_once('=').map(|(counter, _)| counter.trim()).filter(|counter| is_name(counter));
        let is_loop =
            counter.is_some() || rest.is_empty() || rest.starts_with("while") || rest.starts_with("concurrent");
        is_loop.then_some(Self::Loop { counter, end: Some(label).filter(|label| !label.is_empty()) })
    }
}

/// Returns a program unit that a statement begins.
fn unit(statement: &str) -> Option<StatementKind<'_>> {
    if statement.contains("::") || statement.contains('=') {
        return None;
    }
    ["subroutine", "function", "program"].into_iter().find_map(|keyword| {
        let position = statement.find(keyword)?;
        let (before, after) = (&statement[..position], &statement[position + keyword.len()..]);
        let begins = (before.is_empty() || before.ends_with([' ', ')'])) && after.starts_with([' ', '\t']);
        let name = after.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        (begins && is_name(name)).then_some(StatementKind::Unit(name))
    })
}

/// Returns a statement in which no array looks like a function that is called.
fn indexed(statement: &str) -> String {
    statement.replace('(', "[").replace(')', "]")
}

/// Returns the label of a statement, and the statement without it.
fn labelled(statement: &str) -> (Option<&str>, &str) {
    let digits = statement.find(|c: char| !c.is_ascii_digit()).unwrap_or(statement.len());
    match digits {
        0 => (None, statement),
        _ => (Some(&statement[..digits]), statement[digits..].trim_start()),
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns true if a directive of these words is about the loop behind it.
fn is_of_loop(words: &[&str]) -> bool {
    let name = words.iter().take_while(|word| IN_NAMES.contains(word));
    name.into_iter().any(|word| ["do", "loop", "distribute", "taskloop"].contains(word))
        || words.first() == Some(&"simd")
}

/// The words in front of `do`, and those that stand for it.
const IN_NAMES: [&str; 8] = ["target", "teams", "parallel", "distribute", "masked", "taskloop", "loop", "do"];

/// Returns true for the first word of a directive of statements up to its end.
fn has_block(first: &str) -> bool {
    const BLOCKS: [&str; 13] = [
        "parallel",
        "single",
        "master",
        "masked",
        "critical",
        "ordered",
        "sections",
        "workshare",
        "scope",
        "task",
        "taskgroup",
        "target",
        "teams",
    ];
    BLOCKS.contains(&first)
}

/// Returns a directive with spaces between the words of its name, which may be left out.
fn apart(directive: &str) -> String {
    const JOINED: [(&str, &str); 5] = [
        ("endparalleldo", "end parallel do"),
        ("endparallel", "end parallel"),
        ("enddo", "end do"),
        ("endsingle", "end single"),
        ("paralleldo", "parallel do"),
    ];
    let known = JOINED.iter().find_map(|(joined, words)| Some((directive.strip_prefix(joined)?, words)));
    known.map_or_else(|| directive.to_owned(), |(rest, words)| format!("{words}{rest}"))
}

/// Returns the pragma of a loop with C's name for it, and without zeros in front of numbers, which mean nothing in Fortran.
fn in_c(pragma: &str) -> String {
    let end = pragma.find('(').unwrap_or(pragma.len());
    let (name, clauses) = pragma.split_at(end);
    let is_leading = |(position, c): &(usize, char)| {
        let before = clauses[..*position].trim_end_matches('0').chars().next_back();
        let has_digit = clauses[position + 1..].starts_with(|c: char| c.is_ascii_digit());
        *c == '0' && has_digit && before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    };
    let clauses: String = clauses.char_indices().filter(|at| !is_leading(at)).map(|(_, c)| c).collect();
    let name: Vec<&str> = name.split(' ').map(|word| if word == "do" { "for" } else { word }).collect();
    name.join(" ") + &clauses
}

/// Returns a line without its comment and without strings.
fn without_comment(line: &str) -> String {
    let (mut found, mut quote) = (String::new(), None);
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '!' => break,
            None if c == '"' || c == '\'' => quote = Some(c),
            None => found.push(c),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the constructs of a text, in short.
    fn found(text: &str) -> Vec<String> {
        let shown = |Construct { line, last_line, name, kind, .. }: &Construct| {
            let kind = match kind {
                ConstructKind::Loop { head, sharing } => {
                    let own = sharing.own.names().cloned().collect::<Vec<_>>().join(" ");
                    let nowait = if sharing.nowait { " nowait" } else { "" };
                    format!("loop {head} {:?}{nowait} own {own} atomic {:?}", sharing.parallel.schedule, sharing.atomic)
                }
                ConstructKind::Region { covered, own, .. } => format!("region {covered:?} {}", own.private.join(" ")),
                ConstructKind::OneThread => "one".to_owned(),
                ConstructKind::ThreadNumber => "number".to_owned(),
                ConstructKind::ThreadPrivate(names) => names.join(" "),
                ConstructKind::Refused { head, refused } => {
                    format!("refused {head:?} {}: {}", refused.subject, refused.why)
                }
            };
            format!("{line}-{last_line} {name}: {}", kind.trim_end())
        };
        fortran_constructs(text, false).iter().map(shown).collect()
    }

    #[test]
    fn loops_end_with_their_end_do() {
        let text = "subroutine f(n, a)\n!$OMP Parallel Do private(X) &\n!$omp& schedule(static, 4)\n  do J = 1, n ! do\n    outer: do i = \
                    1, n\n      a(i, j) = 'do' // x\n    enddo outer\n  end do\n!$omp end parallel do\n  do i = 1, n\n  end do\nend";
        assert_eq!(found(text), ["2-8 parallel do: loop 4 Chunks(4) own x i j atomic []"]);
    }

    #[test]
    fn spaces_zeros_and_counters_around_do_not_matter() {
        let text = "do t = 1, 9\n!$omp paralleldo schedule(static,010) private(a10)\ndo i = 1, n\nenddo\n!$omp endparalleldo nowait\nend do";
        assert_eq!(found(text), ["2-4 parallel do: loop 3 Chunks(10) nowait own a10 i t atomic []"]);
    }

    #[test]
    fn loops_may_end_at_labels() {
        let text = "!$omp parallel do\ndo 10, j = 1, n\ndo 10 i = 1, n\na(i) = 0\n10 continue\nx = 3";
        assert_eq!(found(text), ["1-5 parallel do: loop 2 Blocks own i j atomic []"]);
    }

    #[test]
    fn statements_that_take_turns_are_found() {
        let text = "!$omp parallel do reduction(+: s)\ndo i = 1, n\nif (a(i) /= x) t = f(a, dim=1); q%r = 1\n!$omp atomic\nu = u + &\n \
                    1\nb(i) = 1\nend do";
        assert_eq!(found(text), ["1-8 parallel do: loop 2 Blocks own s i atomic [(4, 6)]"]);
    }

    #[test]
    fn regions_end_at_their_directives() {
        let text = "program p\n!$omp parallel private(x)\n!$omp do\ndo i = 1, n\nend do\n!$omp end do nowait\n!$omp single\nx = \
                    1\n!$omp end single\n!$omp end parallel\nend program";
        assert_eq!(
            found(text),
            [
                "3-5 do: loop 4 Blocks nowait own i atomic []",
                "7-9 single: one",
                "2-10 parallel: region [(3, 5), (7, 9)] x",
            ]
        );
    }

    #[test]
    fn what_is_not_read_is_refused() {
        let why = "threads wait for each other";
        let text = "!$omp critical\ncall f(x)\n!$omp end critical";
        assert_eq!(found(text), [format!("1-3 critical: refused None critical: {why}")]);
        let text = "!$omp parallel do\nx = 1";
        assert_eq!(found(text), ["1-2 parallel do: refused None parallel do: no loop follows it"]);
        assert!(
            found("!$omp parallel do schedule(dynamic)\ndo i = 1, n\nend do")[0]
                .contains("refused Some(2) schedule(dynamic)")
        );
        assert!(
            found("!$omp parallel workshare\na = b\n!$omp end parallel workshare")[0].contains("left to the compiler")
        );
        assert!(fortran_constructs("C$OMP parallel do\n", true)[0].scope == (1, u32::MAX));
        assert!(found("#ifdef A\n!$omp parallel do\n#endif\n")[0].contains("for a preprocessor"));
        assert!(
            found("common /b/ w\n!$omp parallel do private(w)\ndo i = 1, n\nend do")[0]
                .contains("common block of its own")
        );
        assert!(found("!$omp parallel private(/b/)\nx = 1\n!$omp end parallel")[0].contains("common block of its own"));
        assert!(found("!$omp parallel default(private)\nx = 1\n!$omp end parallel")[0].contains("not named"));
        let task =
            "!$omp parallel\n!$omp single\n!$omp taskloop\ndo i = 1, n\nend do\n!$omp end single\n!$omp end parallel";
        assert!(found(task)[1].contains("depends on time"), "{:?}", found(task));
        assert!(found("!$omp parallel do\n!$ t = omp_get_thread_num()\n")[0].contains("behind `!$`"));
        assert_eq!(found("! $omp\n!$omp barrier\n!$ompx dispatch\ndo i = 1, n\nend do\n! !$omp\né\n"), [""; 0]);
    }

    #[test]
    fn program_units_are_blocks() {
        let unit = |text| match StatementKind::of(text) {
            StatementKind::Unit(name) => Some(name),
            _ => None,
        };
        assert_eq!(unit("pure real(8) function f(x) result(y)"), Some("f"));
        assert_eq!(unit("module subroutine g"), Some("g"));
        for text in ["function_value = 3", "x = function (y)", "end function f", "real :: function", "subroutines(3)"] {
            assert_eq!(unit(text), None, "{text}");
        }
    }
}
