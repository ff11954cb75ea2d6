//! The texts of programs.

use std::path::{Path, PathBuf};

use crate::error::SymlocError;

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// MLIR, as text or bytecode, of any dialect that symloc reads.
    Mlir,
    /// LLVM IR, as text or bitcode.
    LlvmIr,
    /// C, by a `clang-22` process.
    C,
    /// C++, by a `clang++-22` process.
    Cpp,
    /// Fortran, by a `flang-22` process.
    Fortran,
    /// A file with an einsum, in NumPy's notation.
    Einsum,
    /// One einsum, such as `ik,kl,lj->ij`.
    EinsumExpression,
}

impl Language {
    /// Returns the language of a file, by its name. Everything that has no other ending is MLIR.
    pub fn of(path: impl AsRef<Path>) -> Self {
        use symloc_llvm::Language as Compiled;
        let path = path.as_ref();
        match Compiled::of(path) {
            Some(Compiled::C) => Self::C,
            Some(Compiled::Cpp) => Self::Cpp,
            Some(Compiled::Fortran) => Self::Fortran,
            Some(Compiled::Ir) => Self::LlvmIr,
            None if symloc_derivation::texts::is_einsum(path) => Self::Einsum,
            None => Self::Mlir,
        }
    }

    /// Returns a name whose ending chooses the front end.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Mlir => "source.mlir",
            Self::LlvmIr => "source.ll",
            Self::C => "source.c",
            Self::Cpp => "source.cpp",
            Self::Fortran => "source.f90",
            Self::Einsum | Self::EinsumExpression => "source.einsum",
        }
    }
}

/// The text of a program, with a name for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub(crate) language: Language,
    pub(crate) text: symloc_frontend::Source,
    /// The file, if there is one.
    pub(crate) file: Option<PathBuf>,
}

impl Source {
    /// Reads a file, whose name tells the language.
    ///
    /// # Errors
    ///
    /// [`SymlocError::File`] if the file cannot be read.
    ///
    /// ```
    /// # let gemm = concat!(env!("CARGO_MANIFEST_DIR"), "/../../polybench/c/gemm.c");
    /// use symloc::{Language, Source};
    ///
    /// assert_eq!(Source::from_file(gemm)?.language(), Language::C);
    /// assert!(Source::from_file("nowhere.c").unwrap_err().to_string().starts_with("nowhere.c: cannot read it"));
    /// # Ok::<(), symloc::SymlocError>(())
    /// ```
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, SymlocError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| SymlocError::File { file: name.clone(), error })?;
        let text = symloc_frontend::Source { name, bytes };
        Ok(Self { language: Language::of(path), text, file: Some(path.to_owned()) })
    }

    /// Takes a text in memory. Messages and models call it `name`. The compiler reads C, C++ and Fortran from a
    /// temporary file: headers that are included by relative names need an option `-I`.
    pub fn from_text(language: Language, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        let text = symloc_frontend::Source { name: name.into(), bytes: text.into() };
        Self { language, text, file: None }
    }

    /// Returns the language.
    pub fn language(&self) -> Language {
        self.language
    }
}
