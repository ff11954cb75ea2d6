/*
 * symloc-derive.h: models of programs, derived in this process.
 *
 * The library libsymloc_derive has these functions and those of symloc.h, so that a program links one library. What
 * symloc.h says of ownership and errors holds here too.
 *
 *     symloc_error *error = NULL;
 *     symloc_derive_options options = {.assume = "n mod 8 = 0", .exact = 1};
 *     symloc_derived *derived = symloc_derive_file("matmul.mlir", &options, &error);
 *     symloc_model *model = derived ? symloc_derived_model(derived, &error) : NULL;
 *     if (error)
 *         fprintf(stderr, "%s:%u: %s\n", symloc_error_file(error), symloc_error_line(error),
 *                 symloc_error_message(error));
 *
 * Errors. SYMLOC_ERROR_SOURCE, SYMLOC_ERROR_COMPILER and SYMLOC_ERROR_LIMIT are those of a program; symloc_error_file,
 * symloc_error_line and symloc_error_column say where, if there is a place. SYMLOC_ERROR_ARGUMENT: options that
 * contradict each other or the program, too. A panic is SYMLOC_ERROR_INTERNAL.
 *
 * Threads. Several threads may derive at once; they do so one after the other, because Barvinok is not thread-safe.
 *
 * Processes. The compilers of C, C++ and Fortran are processes; for MLIR, LLVM IR and einsums there is none. The library
 * forks only for a set that Barvinok may count without end; that process has 5 s. isl and Barvinok are loaded from the folder that the environment variable SYMLOC_BARVINOK_DIR names, or
 * from where `./setup` has put them.
 *
 * Limits. A derivation cannot be interrupted. `max_operations` bounds the steps of isl; limits on time and memory need a
 * process of its own, such as `symloc derive --time-limit`.
 */


#ifndef SYMLOC_DERIVE_H
#define SYMLOC_DERIVE_H

/* Generated from crates/capi-derive/src by cbindgen; a test of symloc-capi-derive fails if it is out of date. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "symloc.h"

/**
 * The result of a derivation: a model, its text and the notes about it. Free it with `symloc_derived_free`.
 */
typedef struct symloc_derived symloc_derived;

/**
 * The layout of arrays in memory: one of `SYMLOC_LAYOUT_…`.
 */
typedef uint32_t symloc_layout;

/**
 * The options of a derivation. Zero in all fields, as `symloc_derive_options options = {0}` has it, gives the defaults of
 * `symloc derive`. Texts may be NULL, and are not used after the call.
 */
typedef struct {
    /**
     * The function to analyse, where there are several.
     */
    const char *function;
    /**
     * Conditions on the sizes, such as `"n >= 16, n mod 8 = 0"`.
     */
    const char *assume;
    /**
     * A pass pipeline to run on MLIR first.
     */
    const char *passes;
    /**
     * A loop whose iterations threads share: its iterator, its line, or `marked`.
     */
    const char *parallel;
    /**
     * `flag_count` flags for the compiler of C, C++ and Fortran.
     */
    const char *const *flags;
    /**
     * The number of `flags`.
     */
    size_t flag_count;
    /**
     * The size of a line in bytes; 0 stands for 64.
     */
    uint64_t line_bytes;
    /**
     * The most elementary steps of isl for one part of an access; 0 stands for 20 million.
     */
    uint64_t max_operations;
    /**
     * The layout of arrays.
     */
    symloc_layout layout;
    /**
     * 1: derive reuse distances too, which `SYMLOC_LRU` needs.
     */
    uint32_t exact;
    /**
     * 1: lines of one element, whatever its size; `line_bytes` is 0.
     */
    uint32_t element;
    /**
     * 1: pointers of C do not overlap.
     */
    uint32_t assume_noalias;
} symloc_derive_options;

/**
 * The language of a program: one of `SYMLOC_LANGUAGE_…`.
 */
typedef uint32_t symloc_language;

/**
 * The language that the name of the source tells: `.mlir`, `.ll`, `.bc`, `.c`, `.cpp`, `.f90`, `.einsum` and others;
 * everything else is MLIR.
 */
#define SYMLOC_LANGUAGE_BY_NAME 0

/**
 * MLIR, as text or bytecode.
 */
#define SYMLOC_LANGUAGE_MLIR 1

/**
 * LLVM IR, as text or bitcode.
 */
#define SYMLOC_LANGUAGE_LLVM_IR 2

/**
 * C, compiled by `clang-22`.
 */
#define SYMLOC_LANGUAGE_C 3

/**
 * C++, compiled by `clang++-22`.
 */
#define SYMLOC_LANGUAGE_CPP 4

/**
 * Fortran, compiled by `flang-22`.
 */
#define SYMLOC_LANGUAGE_FORTRAN 5

/**
 * A file of einsums.
 */
#define SYMLOC_LANGUAGE_EINSUM 6

/**
 * One einsum, such as `ik,kl,lj->ij`.
 */
#define SYMLOC_LANGUAGE_EINSUM_EXPRESSION 7

/**
 * As in memory: rows follow each other.
 */
#define SYMLOC_LAYOUT_MEMORY 0

/**
 * Every row starts a new line.
 */
#define SYMLOC_LAYOUT_ROWS 1

/**
 * The memref's own constant strides.
 */
#define SYMLOC_LAYOUT_LINEAR 2

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Derives the model of a program in a file, whose name tells the language. NULL for `options` stands for the defaults.
 *
 * Returns NULL with `SYMLOC_ERROR_IO` if the file cannot be read, `SYMLOC_ERROR_SOURCE`, `SYMLOC_ERROR_COMPILER`,
 * `SYMLOC_ERROR_LIMIT`, or `SYMLOC_ERROR_ARGUMENT` if the options do not fit the program.
 */
symloc_derived *symloc_derive_file(const char *path,
                                   const symloc_derive_options *options,
                                   symloc_error **error);

/**
 * Derives the model of a program in memory, `length` bytes, which need not end with a NUL. Messages and the model call
 * it `name`. C, C++ and Fortran are compiled from a temporary file.
 *
 * Returns NULL with `SYMLOC_ERROR_SOURCE`, `SYMLOC_ERROR_COMPILER`, `SYMLOC_ERROR_LIMIT`, or `SYMLOC_ERROR_ARGUMENT` if
 * the options do not fit the program.
 */
symloc_derived *symloc_derive_text(symloc_language language,
                                   const char *name,
                                   const char *text,
                                   size_t length,
                                   const symloc_derive_options *options,
                                   symloc_error **error);

/**
 * Returns the model, for the functions of symloc.h: that of one thread, if the program has parallel loops. It belongs to
 * the caller, who frees it with `symloc_model_free`; it does not need the derived object.
 *
 * Returns NULL with `SYMLOC_ERROR_ARGUMENT` for NULL.
 */
symloc_model *symloc_derived_model(const symloc_derived *derived,
                                   symloc_error **error);

/**
 * Returns the text of the model's file, as `symloc derive -o` writes it; NULL for NULL. It ends with a NUL and stays
 * valid until the object is freed.
 */
const char *symloc_derived_text(const symloc_derived *derived);

/**
 * Returns the number of notes about the derivation; 0 for NULL.
 */
size_t symloc_derived_note_count(const symloc_derived *derived);

/**
 * Returns a note: one or more lines, as `symloc derive` prints them, without a newline at the end; NULL if there is none with
 * this index. It stays valid until the object is freed.
 */
const char *symloc_derived_note(const symloc_derived *derived,
                                size_t index);

/**
 * Returns true if `max_operations` was reached: the model holds the numbers of accesses and of lines, and no formulas
 * for misses, so that queries are errors.
 */
bool symloc_derived_is_sampled(const symloc_derived *derived);

/**
 * Frees the result of a derivation; ignores NULL. Models that were made of it stay valid.
 */
void symloc_derived_free(symloc_derived *derived);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SYMLOC_DERIVE_H */
