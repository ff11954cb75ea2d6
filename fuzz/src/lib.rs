//! Mutations of MLIR text by words and lines.

/// Numbers at which something ends.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "2",
    "7",
    "8",
    "64",
    "1000",
    "4294967296",
    "4611686018427387904",
    "9223372036854775807",
    "-1",
    "-9223372036854775808",
];

/// The text with up to four words or lines changed; none if it is not text.
pub fn mutate_words(data: &[u8], seed: u32) -> Option<Vec<u8>> {
    let mut text = std::str::from_utf8(data).ok()?.to_owned();
    let mut random = Random(u64::from(seed) << 1 | 1);
    for _ in 0..=random.below(4) {
        text = if random.below(3) == 0 { change_lines(&text, &mut random) } else { change_word(&text, &mut random) };
    }
    Some(text.into_bytes())
}

/// SplitMix64.
struct Random(u64);

impl Random {
    /// A number below `end`; 0 if there is none.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z >> 32) as usize % end.max(1)
    }
}

/// Deletes, repeats or moves a line.
fn change_lines(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let at = random.below(lines.len());
    match random.below(3) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(random.below(lines.len()), lines[at]),
        _ => {
            let line = lines.remove(at);
            lines.insert(random.below(lines.len() + 1), line);
        }
    }
    lines.join("\n")
}

/// Puts another word of the same sort, or a number from the list, in the place of a word.
fn change_word(text: &str, random: &mut Random) -> String {
    let words = words(text);
    if words.is_empty() {
        return text.to_owned();
    }
    let (start, word) = words[random.below(words.len())];
    let same: Vec<&str> = words.iter().map(|(_, w)| *w).filter(|w| sort(w) == sort(word)).collect();
    let other = match sort(word) {
        '0' if random.below(2) == 0 => NUMBERS[random.below(NUMBERS.len())],
        _ => same[random.below(same.len())],
    };
    [&text[..start], other, &text[start + word.len()..]].concat()
}

/// The words, with their places: names and numbers, and single marks.
fn words(text: &str) -> Vec<(usize, &str)> {
    let belongs = |c: char| c.is_alphanumeric() || "_.$%@#!".contains(c);
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len()).max(first.len_utf8());
        if !first.is_whitespace() {
            words.push((text.len() - rest.len(), &rest[..length]));
        }
        rest = &rest[length..];
    }
    words
}

/// What a word may stand for: its first character, or one for all digits, letters and operations.
fn sort(word: &str) -> char {
    match word.chars().next() {
        Some(c) if c.is_ascii_digit() => '0',
        Some(c) if c.is_alphabetic() => {
            if word.contains('.') {
                '.'
            } else {
                'a'
            }
        }
        Some(c) => c,
        None => ' ',
    }
}
