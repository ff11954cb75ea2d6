//! The width and colours of the terminal.

use std::io::IsTerminal;

/// The properties of standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Characters in a line.
    pub width: usize,
    /// True if colours may be used.
    pub colours: bool,
}

impl Terminal {
    /// A file or another program: 80 characters, no colours.
    pub const PLAIN: Self = Self { width: 80, colours: false };

    /// Returns the terminal of standard output, if it is one. Without colours if `NO_COLOR` is set or the terminal is
    /// called `dumb`.
    pub fn of_stdout() -> Option<Self> {
        let stdout = std::io::stdout();
        if !stdout.is_terminal() {
            return None;
        }
        let width = columns(&stdout).unwrap_or(Self::PLAIN.width);
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
        Some(Self { width, colours: !refused && !dumb })
    }
}

/// Returns the width of a terminal.
#[cfg(any(unix, windows))]
fn columns(stdout: &std::io::Stdout) -> Option<usize> {
    terminal_size::terminal_size_of(stdout).map(|(width, _)| width.0.into())
}

/// Returns `None`: a web page has no terminal.
#[cfg(not(any(unix, windows)))]
fn columns(_: &std::io::Stdout) -> Option<usize> {
    None
}
