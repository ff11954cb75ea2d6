//! The text of a source file: where statements and macros end, and its preprocessor lines.

/// Returns the byte of the first token at or after a place: blanks and comments are skipped.
pub(crate) fn next_token(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start().len();
        let rest = &rest[blanks..];
        at += blanks;
        let comment = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return at;
        };
        at += comment;
    }
}

/// Returns the byte after the semicolon that follows a place; `None` if another token comes first.
pub(crate) fn after_semicolon(text: &str, from: usize) -> Option<usize> {
    let at = next_token(text, from);
    text.get(at..)?.starts_with(';').then_some(at + 1)
}

/// Returns the byte after the use of a macro whose name ends at a place: after its arguments, if it has any.
pub(crate) fn after_macro(text: &str, name_end: usize) -> usize {
    let open = next_token(text, name_end);
    if !text.get(open..).unwrap_or_default().starts_with('(') {
        return name_end;
    }
    let (mut depth, mut at) = (0_usize, open);
    while at < text.len() {
        at = next_token(text, at);
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '"' | '\'' => at += literal(&text[at..], c),
            _ => {}
        }
        at += c.len_utf8();
        if depth == 0 {
            return at;
        }
    }
    name_end
}

/// Returns the bytes of a literal before its last quote.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at,
            _ => {}
        }
    }
    text.len().saturating_sub(quote.len_utf8())
}

/// The first words of pragmas about loops, of Clang and of other compilers, in lower case. Others may change what statements
/// compute, such as `STDC FP_CONTRACT`.
const ABOUT_LOOPS: [&str; 27] = [
    "omp",
    "acc",
    "unroll",
    "nounroll",
    "unroll_and_jam",
    "nounroll_and_jam",
    "ivdep",
    "simd",
    "vector",
    "novector",
    "loop",
    "loop_count",
    "parallel",
    "distribute_point",
    "nohazard",
    "concurrent",
    "concurrentize",
    "prefetch",
    "noprefetch",
    "interchange",
    "fusion",
    "nofusion",
    "must_iterate",
    "hls",
    "accel",
    "ii",
    "_nec",
];

/// A line for the preprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PreprocessorLine {
    /// `#pragma scop` and `#pragma endscop`, which say what to read.
    Region,
    /// A `#pragma` about the loop that follows.
    Pragma,
    /// `#if`, `#define`, other pragmas and whatever else.
    Other,
}

/// Returns what a line says to the preprocessor; `None` if it is no such line.
pub(crate) fn preprocessor_line(line: &str) -> Option<PreprocessorLine> {
    let mut words = line.trim_start().strip_prefix('#')?.split_whitespace();
    match (words.next()?, words.next(), words.next()) {
        ("pragma", Some("scop" | "endscop"), _) => Some(PreprocessorLine::Region),
        ("pragma", Some("clang"), Some("loop")) => Some(PreprocessorLine::Pragma),
        ("pragma", Some("GCC"), Some("ivdep" | "unroll" | "novector")) => Some(PreprocessorLine::Pragma),
        ("pragma", Some(word), _) if is_about_loops(word) => Some(PreprocessorLine::Pragma),
        _ => Some(PreprocessorLine::Other),
    }
}

fn is_about_loops(word: &str) -> bool {
    let name = word.split('(').next().unwrap_or(word).to_lowercase();
    ABOUT_LOOPS.contains(&name.as_str())
}

/// Returns the byte at which the pragmas in front of a place begin, or the place if there are none. Blank lines and lines
/// with a comment may stand between.
pub(crate) fn before_pragmas(text: &str, place: usize) -> usize {
    let (mut first, mut at) = (place, line_start(text, place));
    if !text[at..place].trim().is_empty() {
        return place;
    }
    while at > 0 {
        let mut start = line_start(text, at - 1);
        // A backslash continues a line on the next one.
        while start > 0 && text[..start].trim_end_matches(['\n', '\r']).ends_with('\\') {
            start = line_start(text, start - 1);
        }
        let line = &text[start..at];
        let is_comment = line.trim_start().starts_with("//") || line.trim().ends_with("*/");
        if preprocessor_line(line) == Some(PreprocessorLine::Pragma) {
            first = start + line.len() - line.trim_start().len();
        } else if !line.trim().is_empty() && !is_comment {
            break;
        }
        at = start;
    }
    first
}

fn line_start(text: &str, place: usize) -> usize {
    text[..place].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns the bytes at which preprocessor lines in a part of a text begin, and what they say.
pub(crate) fn preprocessor_lines(text: &str, part: (usize, usize)) -> Vec<(usize, PreprocessorLine)> {
    let mut at = line_start(text, part.0);
    let mut found = Vec::new();
    for line in text[at..part.1].split_inclusive('\n') {
        let begin = at + line.len() - line.trim_start().len();
        found.extend(preprocessor_line(line).filter(|_| begin >= part.0).map(|kind| (begin, kind)));
        at += line.len();
    }
    found
}

/// Returns the line and column of a byte.
pub(crate) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line = before.matches('\n').count() + 1;
    (line, before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semicolons_are_found_behind_comments_only() {
        assert_eq!(after_semicolon("a = b /* ; */ ; c", 5), Some(15));
        assert_eq!(after_semicolon("a = b c;", 5), None);
    }

    #[test]
    fn macros_end_with_their_arguments() {
        assert_eq!(after_macro("M (a, ')', (b)) x", 1), 15);
        assert_eq!(after_macro("M + (b)", 1), 1);
    }

    #[test]
    fn pragmas_of_other_compilers_are_about_loops() {
        for line in ["#pragma HLS pipeline II=1", "  # pragma MUST_ITERATE(4,,4)", "#pragma nohazard", "#pragma ivdep"]
        {
            assert_eq!(preprocessor_line(line), Some(PreprocessorLine::Pragma), "{line}");
        }
        for line in
            ["#pragma pack(1)", "#pragma float_control(precise, off)", "#pragma clang fp contract(off)", "#if 1"]
        {
            assert_eq!(preprocessor_line(line), Some(PreprocessorLine::Other), "{line}");
        }
    }

    #[test]
    fn pragmas_in_front_of_loops_are_found_through_continued_lines_and_comments() {
        let text = "  x = 1;\n  #pragma omp parallel for \\\n    private(j)\n  // rows\n  for";
        assert_eq!(before_pragmas(text, text.len() - 3), text.find('#').unwrap());
        assert_eq!(before_pragmas("  x;\n  for", 7), 7);
        let contract = "#pragma STDC FP_CONTRACT OFF\nfor";
        assert_eq!(before_pragmas(contract, contract.len() - 3), contract.len() - 3);
    }
}
