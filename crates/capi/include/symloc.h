/*
 * symloc.h: the number of cache misses of a program at a size, in a cache.
 *
 * A model is the cache locality of one function, as formulas in its sizes; `symloc derive FILE -o MODEL` writes one.
 * This library evaluates models.
 *
 *     symloc_error *error = NULL;
 *     symloc_model *model = symloc_model_load("gemm.loc.json", &error);
 *     symloc_evaluator *evaluator = model ? symloc_evaluator_new(model, 0, 0, &error) : NULL;
 *     int64_t sizes[] = {1000, 1100, 1200};            // ni, nj, nk
 *     uint64_t lines = 32768 / 64;                     // 32 KiB in lines of 64 bytes
 *     symloc_misses misses;
 *     if (evaluator &&
 *         symloc_evaluator_query(evaluator, sizes, 3, 1, &lines, 1, SYMLOC_DEFAULT, &misses, &error) == SYMLOC_OK)
 *         printf("%" PRIu64 " of %" PRIu64 " accesses miss\n", misses.misses, misses.accesses);
 *     else
 *         fprintf(stderr, "%s\n", symloc_error_message(error));
 *     symloc_error_free(error);
 *     symloc_evaluator_free(evaluator);
 *     symloc_model_free(model);
 *
 * Units. The sizes of a program are the values of its parameters in the source (mostly elements of arrays). Caches are
 * fully associative, and their sizes are in lines; symloc_evaluator_line_bytes returns the bytes of a line. Results are
 * numbers of accesses. Distances are in lines, intervals in accesses.
 *
 * Ownership. An object that a function ending in _new, _load or _parse returns belongs to the caller: free it with the
 * _free function of its type. Free texts of functions ending in _text with symloc_string_free. Never free a
 * `const char *`. Every _free function accepts NULL. Objects may be freed in any order: they do not need the objects
 * that they were made from. Arrays belong to the caller, the library keeps no pointer to them, and they may overlap.
 *
 * Errors. Functions return an object, or NULL after an error; or a status, SYMLOC_OK or the kind of the error. If the
 * last argument, `error`, is not NULL, each call writes *error: NULL after success, else an error with a status and a
 * message. It belongs to the caller: free it before the next call. Functions without `error` cannot fail; for NULL or
 * an index that does not exist they return 0, false or NULL.
 * NULL for an object gives SYMLOC_ERROR_ARGUMENT; an array may be NULL if it has no elements. A damaged file or a
 * negative number never ends the program. The library relies on the caller for the rest: each pointer points to values
 * of its type, to as many as the count, and not to freed memory. If there is no memory left, the program ends.
 *
 * Threads. There is no global state. Several threads may use an object at once, as long as none frees it; each thread
 * needs an `error` of its own.
 *
 * Versions. SYMLOC_ABI_VERSION changes if programs have to be compiled again. New constants do not change it: a program
 * has to expect a status that is not listed here.
 */


#ifndef SYMLOC_H
#define SYMLOC_H

/* Generated from crates/capi/src by cbindgen; a test of symloc-capi fails if it is out of date. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The version of the interface that this header describes. It changes with each change after which programs have to be
 * compiled again.
 */
#define SYMLOC_ABI_VERSION 1

/**
 * The error of a failed call, with the message of the command line. It belongs to the caller: free it with
 * `symloc_error_free`.
 */
typedef struct symloc_error symloc_error;

/**
 * A model at one of its line sizes, prepared for queries. Free it with `symloc_evaluator_free`.
 */
typedef struct symloc_evaluator symloc_evaluator;

/**
 * A histogram: bins, ordered by kind and, within a kind, by ascending value. Each value occurs once in a kind, and all
 * counts are above 0. Free it with `symloc_histogram_free`.
 */
typedef struct symloc_histogram symloc_histogram;

/**
 * A model: the cache locality of one function, for all sizes that it was derived for. Free it with
 * `symloc_model_free`.
 */
typedef struct symloc_model symloc_model;

/**
 * The program at one size: the misses of all fully associative caches. Free it with `symloc_prediction_free`.
 */
typedef struct symloc_prediction symloc_prediction;

/**
 * The status of a call: `SYMLOC_OK`, or the reason why it failed. `symloc_error_message` has the details.
 */
typedef uint32_t symloc_status;

/**
 * The kind of cache line of a model: one of `SYMLOC_LINE_…`.
 */
typedef uint32_t symloc_line_kind;

/**
 * A line size that a model holds.
 */
typedef struct {
    /**
     * The kind of line.
     */
    symloc_line_kind kind;
    /**
     * 1 if the model holds reuse distances for this line size, which exact LRU needs; else 0.
     */
    uint32_t has_distances;
    /**
     * The number of bytes that belongs to `kind`.
     */
    uint64_t bytes;
} symloc_line;

/**
 * A size with the name of its parameter.
 */
typedef struct {
    /**
     * The name of a parameter in the model or in the source; UTF-8.
     */
    const char *name;
    /**
     * Its value.
     */
    int64_t value;
} symloc_size;

/**
 * The model that predicts misses: one of `SYMLOC_DEFAULT`, `SYMLOC_DENNING` and `SYMLOC_LRU`.
 */
typedef uint32_t symloc_miss_model;

/**
 * The misses in one cache. The numbers count accesses and are exact for `miss_model`. A number above `UINT64_MAX` is
 * `UINT64_MAX`, with `status` `SYMLOC_ERROR_OVERFLOW`; `ratio` is right even then.
 */
typedef struct {
    /**
     * `SYMLOC_OK`, or the reason why there are no such numbers.
     */
    symloc_status status;
    /**
     * `SYMLOC_DENNING` or `SYMLOC_LRU`; `SYMLOC_DEFAULT` if there are no numbers.
     */
    symloc_miss_model miss_model;
    /**
     * All accesses.
     */
    uint64_t accesses;
    /**
     * First touches, which miss in every cache: as many as there are different lines.
     */
    uint64_t cold;
    /**
     * Misses of other accesses.
     */
    uint64_t reuse;
    /**
     * `cold + reuse`.
     */
    uint64_t misses;
    /**
     * With `SYMLOC_LRU` the accesses whose distance is not known, because its computation exceeded a limit of the
     * derivation: their interval decides whether they miss. 0 in most models, and with `SYMLOC_DENNING`.
     */
    uint64_t estimated;
    /**
     * `misses / accesses`; NaN if there are no accesses, or no numbers.
     */
    double ratio;
} symloc_misses;

/**
 * One of the numbers of a prediction.
 */
typedef uint32_t symloc_quantity;

/**
 * The quantity that a histogram counts: `SYMLOC_INTERVALS` or `SYMLOC_DISTANCES`.
 */
typedef uint32_t symloc_histogram_kind;

/**
 * The kind of accesses that a bin counts: one of `SYMLOC_BIN_…`.
 */
typedef uint32_t symloc_bin_kind;

/**
 * A bin of a histogram. A number above `UINT64_MAX` is `UINT64_MAX`, with `status` `SYMLOC_ERROR_OVERFLOW`.
 */
typedef struct {
    /**
     * `SYMLOC_OK` or `SYMLOC_ERROR_OVERFLOW`.
     */
    symloc_status status;
    /**
     * The kind of accesses that the bin counts.
     */
    symloc_bin_kind kind;
    /**
     * The interval, in accesses, or the distance, in lines.
     */
    uint64_t value;
    /**
     * The number of accesses with this value.
     */
    uint64_t count;
} symloc_bin;

/**
 * One of the numbers of a bin.
 */
typedef uint32_t symloc_bin_quantity;

/**
 * The call succeeded.
 */
#define SYMLOC_OK 0

/**
 * The call itself is wrong: NULL where an object or an array is needed, an index, a count or a choice that does not
 * exist, text that is not UTF-8.
 */
#define SYMLOC_ERROR_ARGUMENT 1

/**
 * The file cannot be read.
 */
#define SYMLOC_ERROR_IO 2

/**
 * The file or text is not a model, or a damaged one.
 */
#define SYMLOC_ERROR_MODEL 3

/**
 * The model has a later version of the format than this library can read.
 */
#define SYMLOC_ERROR_NEWER 4

/**
 * A parameter has no value or two values, or a value is for a name that is not a parameter.
 */
#define SYMLOC_ERROR_PARAMETER 5

/**
 * The model does not hold this line size, or it holds several and none was chosen.
 */
#define SYMLOC_ERROR_LINE 6

/**
 * The model was not derived for this size: the message has the condition that the size violates.
 */
#define SYMLOC_ERROR_CONTEXT 7

/**
 * The query needs reuse distances, and the model was derived without them.
 */
#define SYMLOC_ERROR_NO_DISTANCES 8

/**
 * The evaluation would have to visit more than `max_points` points; or a derivation takes more than `max_operations`
 * steps, and the model cannot do without.
 */
#define SYMLOC_ERROR_LIMIT 9

/**
 * The model contradicts itself at this size: its file was changed, or the derivation was wrong.
 */
#define SYMLOC_ERROR_INCONSISTENT 10

/**
 * A number is larger than `UINT64_MAX`; the functions whose names end in `_text` return all its digits.
 */
#define SYMLOC_ERROR_OVERFLOW 11

/**
 * A bug of this library. All objects stay valid, but the call has no result.
 */
#define SYMLOC_ERROR_INTERNAL 12

/**
 * A program cannot be read exactly, or has no model. Only functions of `symloc-derive.h` return it.
 */
#define SYMLOC_ERROR_SOURCE 13

/**
 * The compiler of a program refuses it or is missing. Only functions of `symloc-derive.h` return it.
 */
#define SYMLOC_ERROR_COMPILER 14

/**
 * A line has `bytes` bytes.
 */
#define SYMLOC_LINE_BYTES 0

/**
 * A line has one element of an array, whatever its size: locality of elements. `bytes` is the size of an element, or 0
 * if the arrays have elements of different sizes.
 */
#define SYMLOC_LINE_ELEMENT 1

/**
 * A line has any number of elements of `bytes` bytes. This number is a parameter: it is chosen by `line_bytes` of
 * `symloc_evaluator_new`, or given with the sizes.
 */
#define SYMLOC_LINE_ANY 2

/**
 * As on the command line: `SYMLOC_LRU` if the model holds reuse distances, else `SYMLOC_DENNING`.
 */
#define SYMLOC_DEFAULT 0

/**
 * Denning's working-set model, computed from reuse intervals, which every model holds.
 */
#define SYMLOC_DENNING 1

/**
 * Fully associative LRU, computed from reuse distances: exact.
 */
#define SYMLOC_LRU 2

/**
 * All accesses.
 */
#define SYMLOC_ACCESSES 0

/**
 * First touches, which miss in every cache.
 */
#define SYMLOC_COLD 1

/**
 * Misses of other accesses.
 */
#define SYMLOC_REUSE 2

/**
 * All misses: cold ones and others.
 */
#define SYMLOC_MISSES 3

/**
 * Accesses of an LRU prediction whose distance is not known: their interval decides whether they miss.
 */
#define SYMLOC_ESTIMATED 4

/**
 * Reuse intervals: the number of accesses from the previous access to the same line to this one. The interval of a
 * first touch is imaginary: it is taken as if the program were repeated for ever, and reaches into the previous run.
 */
#define SYMLOC_INTERVALS 0

/**
 * Reuse distances: the number of different lines that are accessed between the previous access to the same line and
 * this one. First touches have none. Only models that were derived with `--exact` hold them.
 */
#define SYMLOC_DISTANCES 1

/**
 * Accesses to lines that were accessed before, by interval or distance.
 */
#define SYMLOC_BIN_REUSE 0

/**
 * First touches, by imaginary interval; in histograms of intervals only.
 */
#define SYMLOC_BIN_FIRST_TOUCH 1

/**
 * Accesses whose distance is not known, by interval; in histograms of distances only, and not in most.
 */
#define SYMLOC_BIN_ESTIMATED 2

/**
 * The interval or the distance.
 */
#define SYMLOC_BIN_VALUE 0

/**
 * The number of accesses with this value.
 */
#define SYMLOC_BIN_COUNT 1

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the interface that the library was built with. A program that loads the library at run time
 * compares it with `SYMLOC_ABI_VERSION`.
 */
uint32_t symloc_abi_version(void);

/**
 * Returns the version of symloc, such as `0.2.0`. The text is static: do not free it.
 */
const char *symloc_version(void);

/**
 * Returns the status of an error; `SYMLOC_OK` for NULL.
 */
symloc_status symloc_error_status(const symloc_error *error);

/**
 * Returns the message of an error: one or more lines of UTF-8, without a newline at the end; an empty text for NULL.
 * It stays valid until the error is freed.
 */
const char *symloc_error_message(const symloc_error *error);

/**
 * Returns the file that an error is about, as the source was named; NULL if there is none. It stays valid until the
 * error is freed.
 */
const char *symloc_error_file(const symloc_error *error);

/**
 * Returns the line in that file, from 1; 0 if there is none.
 */
uint32_t symloc_error_line(const symloc_error *error);

/**
 * Returns the column in that line, from 1, in bytes; 0 if there is none.
 */
uint32_t symloc_error_column(const symloc_error *error);

/**
 * Frees an error; ignores NULL.
 */
void symloc_error_free(symloc_error *error);

/**
 * Reads a model from a file that `symloc derive FILE -o MODEL` has written. `path` is in the encoding of the system;
 * on Windows it is UTF-8.
 *
 * Returns NULL with `SYMLOC_ERROR_IO`, `SYMLOC_ERROR_MODEL` or `SYMLOC_ERROR_NEWER`.
 */
symloc_model *symloc_model_load(const char *path,
                                symloc_error **error);

/**
 * Reads a model from the text of its file, `length` bytes of UTF-8, for example a text that is compiled into the
 * program. The text need not end with a NUL and may be freed after the call.
 *
 * Returns NULL with `SYMLOC_ERROR_MODEL` or `SYMLOC_ERROR_NEWER`.
 */
symloc_model *symloc_model_parse(const char *text,
                                 size_t length,
                                 symloc_error **error);

/**
 * Returns the name of the function; NULL for no model. It stays valid until the model is freed.
 */
const char *symloc_model_function(const symloc_model *model);

/**
 * Returns the number of parameters of the model; 0 for no model. An evaluator may need fewer sizes: see
 * `symloc_evaluator_parameter_count`.
 */
size_t symloc_model_parameter_count(const symloc_model *model);

/**
 * Returns the name of a parameter; NULL if there is none with this index. It stays valid until the model is freed.
 */
const char *symloc_model_parameter(const symloc_model *model,
                                   size_t index);

/**
 * Returns the number of line sizes of the model, at least 1; 0 for no model.
 */
size_t symloc_model_line_count(const symloc_model *model);

/**
 * Writes one of the line sizes of a model to `line`. Fails with `SYMLOC_ERROR_ARGUMENT` if there is none with this
 * index.
 */
symloc_status symloc_model_line(const symloc_model *model,
                                size_t index,
                                symloc_line *line,
                                symloc_error **error);

/**
 * Frees a model; ignores NULL. Evaluators of the model stay valid.
 */
void symloc_model_free(symloc_model *model);

/**
 * Prepares a model for queries with lines of `line_bytes` bytes. 0 stands for the only line size that the model holds;
 * if that is any size (`SYMLOC_LINE_ANY`), the number of elements in a line is one more parameter, given with the
 * sizes. An evaluation visits at most `max_points` points of free iterators; 0 stands for the limit of the command
 * line, 20000000.
 *
 * Returns NULL with `SYMLOC_ERROR_LINE`.
 */
symloc_evaluator *symloc_evaluator_new(const symloc_model *model,
                                       uint64_t line_bytes,
                                       uint64_t max_points,
                                       symloc_error **error);

/**
 * Returns the number of sizes that a query needs: one for each parameter of the model except the line size, if that
 * was chosen. 0 for no evaluator.
 */
size_t symloc_evaluator_parameter_count(const symloc_evaluator *evaluator);

/**
 * Returns the name of the parameter for the size with this index; NULL if there is none. It stays valid until the
 * evaluator is freed.
 */
const char *symloc_evaluator_parameter(const symloc_evaluator *evaluator,
                                       size_t index);

/**
 * Returns the bytes per line: the size of a cache in bytes divided by it is its number of lines. Returns 0 if it is
 * not known: with one element per line if arrays have elements of different sizes, if the line size is given with the
 * sizes (see `symloc_prediction_line_bytes`), or for no evaluator.
 */
uint64_t symloc_evaluator_line_bytes(const symloc_evaluator *evaluator);

/**
 * Returns true if the model holds reuse distances for this line size. `SYMLOC_LRU` and `SYMLOC_DISTANCES` need them.
 */
bool symloc_evaluator_has_distances(const symloc_evaluator *evaluator);

/**
 * Writes `named_count` sizes with their names to `sizes`, in the order of the parameters, as all other functions take
 * them. `parameter_count`, the room in `sizes`, has to be `symloc_evaluator_parameter_count(evaluator)`. As on the
 * command line, a parameter may have its name in the source, and parameters that make no difference may be given too.
 *
 * Fails with `SYMLOC_ERROR_PARAMETER` if a name is missing, unknown or given twice, and with `SYMLOC_ERROR_LINE` if a
 * line size is given that is not the chosen one. After an error no size is written.
 */
symloc_status symloc_evaluator_sizes(const symloc_evaluator *evaluator,
                                     const symloc_size *named,
                                     size_t named_count,
                                     int64_t *sizes,
                                     size_t parameter_count,
                                     symloc_error **error);

/**
 * Frees an evaluator; ignores NULL. Its predictions and histograms stay valid.
 */
void symloc_evaluator_free(symloc_evaluator *evaluator);

/**
 * Prepares the prediction at one size: a value for each of `parameter_count` parameters, in the order of
 * `symloc_evaluator_parameter`. This is most of the work; after it, each cache takes little time.
 *
 * Returns NULL with `SYMLOC_ERROR_PARAMETER` or `SYMLOC_ERROR_ARGUMENT` for too few or too many sizes, with
 * `SYMLOC_ERROR_CONTEXT`, `SYMLOC_ERROR_NO_DISTANCES`, `SYMLOC_ERROR_LIMIT` or `SYMLOC_ERROR_INCONSISTENT`.
 */
symloc_prediction *symloc_prediction_new(const symloc_evaluator *evaluator,
                                         const int64_t *sizes,
                                         size_t parameter_count,
                                         symloc_miss_model miss_model,
                                         symloc_error **error);

/**
 * Returns the model that predicts the misses: `SYMLOC_DENNING` or `SYMLOC_LRU`; `SYMLOC_DEFAULT` for no prediction.
 */
symloc_miss_model symloc_prediction_miss_model(const symloc_prediction *prediction);

/**
 * Returns the bytes per line at this size; 0 if they are not known, or for no prediction.
 */
uint64_t symloc_prediction_line_bytes(const symloc_prediction *prediction);

/**
 * Computes the misses in `cache_count` fully associative caches of `lines[0]`, `lines[1]`, … lines and writes them to
 * `results[0]`, `results[1]`, …
 *
 * All results are written, each with its own status. If some failed, the call returns the status of the first of
 * these, `SYMLOC_ERROR_LIMIT` or `SYMLOC_ERROR_OVERFLOW`, and `error` describes it. With `SYMLOC_ERROR_ARGUMENT` no
 * result is written.
 */
symloc_status symloc_prediction_misses(const symloc_prediction *prediction,
                                       const uint64_t *lines,
                                       size_t cache_count,
                                       symloc_misses *results,
                                       symloc_error **error);

/**
 * Returns a number of a prediction for a cache of `lines` lines with all its decimal digits. The text belongs to the
 * caller: free it with `symloc_string_free`.
 *
 * Returns NULL with `SYMLOC_ERROR_LIMIT`.
 */
char *symloc_prediction_text(const symloc_prediction *prediction,
                             uint64_t lines,
                             symloc_quantity quantity,
                             symloc_error **error);

/**
 * Frees a prediction; ignores NULL.
 */
void symloc_prediction_free(symloc_prediction *prediction);

/**
 * Frees a text that belongs to the caller; ignores NULL.
 */
void symloc_string_free(char *text);

/**
 * Computes the misses at `size_count` sizes, each in `cache_count` fully associative caches. Both counts may be 1.
 *
 * `sizes` holds the sizes one after the other, each with a value for each of `parameter_count` parameters, in the
 * order of `symloc_evaluator_parameter`; `lines` holds the number of lines of each cache. The misses at size `s` in
 * cache `c` are written to `results[s * cache_count + c]`.
 *
 * All results are written, each with its own status: a size outside the model's context does not affect the others. If
 * some failed, the call returns the status of the first of these, and `error` describes it; see
 * `symloc_prediction_new` and `symloc_prediction_misses`. If the call itself is wrong, no result is written: it
 * returns `SYMLOC_ERROR_ARGUMENT`, or `SYMLOC_ERROR_PARAMETER` for too few parameters.
 */
symloc_status symloc_evaluator_query(const symloc_evaluator *evaluator,
                                     const int64_t *sizes,
                                     size_t parameter_count,
                                     size_t size_count,
                                     const uint64_t *lines,
                                     size_t cache_count,
                                     symloc_miss_model miss_model,
                                     symloc_misses *results,
                                     symloc_error **error);

/**
 * Returns the histogram at one size: a value for each of `parameter_count` parameters, in the order of
 * `symloc_evaluator_parameter`. It visits the points of classes with free iterators, so in a model that has such
 * classes the time grows with the size, up to `max_points` of `symloc_evaluator_new`.
 *
 * Returns NULL with the errors of `symloc_prediction_new`.
 */
symloc_histogram *symloc_histogram_new(const symloc_evaluator *evaluator,
                                       symloc_histogram_kind kind,
                                       const int64_t *sizes,
                                       size_t parameter_count,
                                       symloc_error **error);

/**
 * Returns the number of bins; 0 for no histogram.
 */
size_t symloc_histogram_count(const symloc_histogram *histogram);

/**
 * Copies `count` bins, beginning with the one at index `first`, to `bins[0]`, `bins[1]`, …
 *
 * All of them are written, each with its own status; if some numbers did not fit, the call returns
 * `SYMLOC_ERROR_OVERFLOW`. If there are fewer bins, it returns `SYMLOC_ERROR_ARGUMENT` and writes none.
 */
symloc_status symloc_histogram_bins(const symloc_histogram *histogram,
                                    size_t first,
                                    symloc_bin *bins,
                                    size_t count,
                                    symloc_error **error);

/**
 * Returns a number of a bin with all its decimal digits. The text belongs to the caller: free it with
 * `symloc_string_free`.
 */
char *symloc_histogram_text(const symloc_histogram *histogram,
                            size_t index,
                            symloc_bin_quantity quantity,
                            symloc_error **error);

/**
 * Frees a histogram; ignores NULL.
 */
void symloc_histogram_free(symloc_histogram *histogram);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SYMLOC_H */
