//! Text in XML.

use std::fmt::Write as _;

/// Returns a text as XML has it, in an element or in an attribute. A character that XML 1.0 does not allow becomes `U+FFFD`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // In an attribute a reader would make them spaces.
            '\n' | '\t' | '\r' => _ = write!(escaped, "&#{};", u32::from(letter)),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("a<b> & \"c\"\n'd'"), "a&lt;b&gt; &amp; &quot;c&quot;&#10;&apos;d&apos;");
        assert_eq!(escape("\u{1b}[31m"), "\u{fffd}[31m");
    }
}
