//! The words of a preprocessed text, with their lines in the source.

use crate::presumed::marker;

/// A word, a sign or a pragma of OpenMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextPiece<'t> {
    /// A name, a keyword or a number.
    Word(&'t str),
    /// A character that is none of these. Strings and characters are left out.
    Sign(char),
    /// A pragma of OpenMP, without `#pragma omp`.
    Pragma(&'t str),
}

/// A piece of a text, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextToken<'t> {
    pub(crate) piece: TextPiece<'t>,
    /// The file, as the compiler names it.
    pub(crate) file: &'t str,
    /// The line in that file, from 1.
    pub(crate) line: u32,
}

impl TextToken<'_> {
    /// Returns true for a sign.
    pub(crate) fn is(&self, sign: char) -> bool {
        self.piece == TextPiece::Sign(sign)
    }

    /// Returns true for a word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.piece == TextPiece::Word(word)
    }
}

/// Returns the tokens of a text that Clang has preprocessed: without comments, continued lines and macros.
pub(crate) fn tokens(text: &str) -> Vec<TextToken<'_>> {
    let (mut file, mut line) = ("", 1_u32);
    let mut found = Vec::new();
    for content in text.lines() {
        if let Some((marked, name)) = marker(content) {
            (file, line) = (name.unwrap_or(file), marked);
            continue;
        }
        match content.trim_start().strip_prefix('#').map(str::trim_start) {
            Some(directive) => {
                let pragma = directive.strip_prefix("pragma").and_then(|rest| rest.trim_start().strip_prefix("omp"));
                let pragma = pragma.filter(|rest| !rest.starts_with(is_of_word));
                found.extend(pragma.map(|rest| TextToken { piece: TextPiece::Pragma(rest.trim()), file, line }));
            }
            None => found.extend(pieces(content).map(|piece| TextToken { piece, file, line })),
        }
        line = line.saturating_add(1);
    }
    found
}

/// Returns true for a character of a word.
pub(crate) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the words and signs of a line.
pub(crate) fn pieces(line: &str) -> impl Iterator<Item = TextPiece<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            let length = match first {
                '"' | '\'' => quoted(rest, first),
                c if is_of_word(c) => rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()),
                c => c.len_utf8(),
            };
            let (piece, after) = rest.split_at(length);
            rest = after;
            match first {
                '"' | '\'' => {}
                c if is_of_word(c) => return Some(TextPiece::Word(piece)),
                c => return Some(TextPiece::Sign(c)),
            }
        }
    })
}

/// Returns the length of a string or character.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (position, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return position + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_the_lines_of_their_files() {
        let text = "# 1 \"a.c\"\n# 1 \"b.h\" 1\nint x;\n# 7 \"a.c\" 2\n\n#pragma  omp parallel for\n  for (;;) f('}', \"{\\\"\");\n\
                    #pragma omptarget\n#pragma once\nend";
        let all = tokens(text);
        let of =
            |file: &str| all.iter().filter(|token| token.file == file).map(|t| (t.line, t.piece)).collect::<Vec<_>>();
        assert_eq!(of("b.h"), [(1, TextPiece::Word("int")), (1, TextPiece::Word("x")), (1, TextPiece::Sign(';'))]);
        let own = of("a.c");
        assert_eq!(own[0], (8, TextPiece::Pragma("parallel for")));
        assert_eq!(own[1], (9, TextPiece::Word("for")));
        assert_eq!(own.last(), Some(&(12, TextPiece::Word("end"))));
        assert!(!own.iter().any(|(_, piece)| matches!(piece, TextPiece::Sign('{' | '}'))), "{own:?}");
        assert_eq!(own.iter().filter(|(_, piece)| matches!(piece, TextPiece::Pragma(_))).count(), 1);
    }
}
