/*
 * symloc.h: how many misses at this size, in this cache?
 *
 * A model is the cache locality of one function, as formulas in its sizes; `symloc derive FILE -o MODEL` makes one. This
 * library evaluates them.
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
 * Units. Sizes of the program are the values of its parameters, as the source has them (mostly elements of arrays). Caches
 * are fully associative and counted in lines; symloc_evaluator_line_bytes says how many bytes a line has. Results are
 * numbers of accesses. Distances are lines, intervals accesses.
 *
 * Ownership. What a function that ends in _new, _load or _parse returns is the caller's, who frees it with the _free of
 * its type; texts of functions that end in _text are freed with symloc_string_free. `const char *` is never freed. Every
 * _free takes NULL. Objects do not need those they were made of: these may be freed in any order. Arrays are the
 * caller's, and nothing of them is kept. They may overlap.
 *
 * Errors. Functions return an object, NULL if there is none, or a status, which is SYMLOC_OK or says what failed. If the
 * last argument, `error`, is not NULL, *error is written by each call: NULL if all went well, else an error with a status
 * and a message, which is the caller's: free it before the next call. The functions without `error` cannot fail; asked
 * about NULL or an index that is not there they return 0, false or NULL.
 * Where an object is needed, NULL is SYMLOC_ERROR_ARGUMENT; an array may be NULL if it has no elements. No file, be it
 * damaged, and no number, be it negative, ends the program. What nobody can check is the caller's promise: that a pointer
 * points to what its type says, to as many as are said to be there, and to nothing that was freed. When memory runs out,
 * the program ends.
 *
 * Threads. There is no global state. An object may be used by several threads at once, as long as none frees it; each needs
 * an `error` of its own.
 *
 * Versions. SYMLOC_ABI_VERSION changes if programs have to be compiled again. Constants may be added without that: expect a
 * status that is not listed here.
 */


#ifndef SYMLOC_H
#define SYMLOC_H

/* Made of crates/capi/src by cbindgen; a test of symloc-capi fails if it is not what is made now. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The version of the interface that this header describes. It changes with every change that programs have to be compiled
 * again for.
 */
#define SYMLOC_ABI_VERSION 1

/**
 * Why a call failed, in words that are those of the command line. Belongs to the caller: `symloc_error_free`.
 */
typedef struct symloc_error symloc_error;

/**
 * A model at one of its line sizes, prepared for questions. Free it with `symloc_evaluator_free`.
 */
typedef struct symloc_evaluator symloc_evaluator;

/**
 * A histogram: bins of one kind after the other, in the order of the kinds. Within a kind values ascend, and each occurs
 * once; counts are above 0. Free it with `symloc_histogram_free`.
 */
typedef struct symloc_histogram symloc_histogram;

/**
 * A model: the cache locality of one function, for all sizes that it was derived for. Free it with `symloc_model_free`.
 */
typedef struct symloc_model symloc_model;

/**
 * The program at one size: the misses of all fully associative caches. Free it with `symloc_prediction_free`.
 */
typedef struct symloc_prediction symloc_prediction;

/**
 * How a call went: `SYMLOC_OK`, or why it failed. `symloc_error_message` has the details.
 */
typedef uint32_t symloc_status;

/**
 * What a cache line is in a model: one of `SYMLOC_LINE_…`.
 */
typedef uint32_t symloc_line_kind;

/**
 * A line size that a model holds.
 */
typedef struct {
    /**
     * What a line is.
     */
    symloc_line_kind kind;
    /**
     * 1 if the model holds reuse distances for it, which is what exact LRU needs; else 0.
     */
    uint32_t has_distances;
    /**
     * A number of bytes, as `kind` says.
     */
    uint64_t bytes;
} symloc_line;

/**
 * A size by name.
 */
typedef struct {
    /**
     * The name of a parameter, or what the source calls it; UTF-8.
     */
    const char *name;
    /**
     * Its value.
     */
    int64_t value;
} symloc_size;

/**
 * How misses are predicted: one of `SYMLOC_DEFAULT`, `SYMLOC_DENNING` and `SYMLOC_LRU`.
 */
typedef uint32_t symloc_miss_model;

/**
 * The misses in one cache. Numbers are accesses, and exact for what `miss_model` says; one above `UINT64_MAX` is
 * `UINT64_MAX`, with `status` `SYMLOC_ERROR_OVERFLOW`, while `ratio` is right all the same.
 */
typedef struct {
    /**
     * `SYMLOC_OK`, or why there are no such numbers.
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
     * First touches, which miss in every cache. It is also the number of lines that are touched.
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
     * With `SYMLOC_LRU` the accesses whose distance is not known, because finding it exceeded a limit of the derivation:
     * whether they miss is decided by their interval. 0 in most models, and with `SYMLOC_DENNING`.
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
 * What a histogram counts: `SYMLOC_INTERVALS` or `SYMLOC_DISTANCES`.
 */
typedef uint32_t symloc_histogram_kind;

/**
 * What a bin counts: one of `SYMLOC_BIN_…`.
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
     * What it counts.
     */
    symloc_bin_kind kind;
    /**
     * The interval, in accesses, or the distance, in lines.
     */
    uint64_t value;
    /**
     * How many accesses have it.
     */
    uint64_t count;
} symloc_bin;

/**
 * One of the numbers of a bin.
 */
typedef uint32_t symloc_bin_quantity;

/**
 * Done.
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
 * What was read is no model, or a damaged one.
 */
#define SYMLOC_ERROR_MODEL 3

/**
 * The model was made by a later version of symloc than this library knows.
 */
#define SYMLOC_ERROR_NEWER 4

/**
 * A parameter without a value, a value for something that is no parameter, or two values for one.
 */
#define SYMLOC_ERROR_PARAMETER 5

/**
 * The model does not hold this line size, or holds several and none was chosen.
 */
#define SYMLOC_ERROR_LINE 6

/**
 * The model was not derived for this size: the message has the condition that it violates.
 */
#define SYMLOC_ERROR_CONTEXT 7

/**
 * The question needs reuse distances, and the model was derived without.
 */
#define SYMLOC_ERROR_NO_DISTANCES 8

/**
 * More points would have to be visited than `max_points`.
 */
#define SYMLOC_ERROR_LIMIT 9

/**
 * The model contradicts itself at this size: its file was changed, or the derivation was wrong.
 */
#define SYMLOC_ERROR_INCONSISTENT 10

/**
 * A number is larger than `UINT64_MAX`; the functions that end in `_text` have all its digits.
 */
#define SYMLOC_ERROR_OVERFLOW 11

/**
 * A bug of this library. Nothing is broken, but the question has no answer.
 */
#define SYMLOC_ERROR_INTERNAL 12

/**
 * A line has `bytes` bytes.
 */
#define SYMLOC_LINE_BYTES 0

/**
 * A line has one element of an array, whatever its size: locality of elements. `bytes` is the size of an element, 0 if the
 * arrays differ in it.
 */
#define SYMLOC_LINE_ELEMENT 1

/**
 * A line has any number of elements of `bytes` bytes: it is a parameter, and is chosen by `line_bytes` of
 * `symloc_evaluator_new`, or with the sizes.
 */
#define SYMLOC_LINE_ANY 2

/**
 * As on the command line: `SYMLOC_LRU` if the model holds reuse distances, else `SYMLOC_DENNING`.
 */
#define SYMLOC_DEFAULT 0

/**
 * Denning's working set, from reuse intervals, which every model holds.
 */
#define SYMLOC_DENNING 1

/**
 * Fully associative LRU, from reuse distances: exact.
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
 * Accesses of an LRU prediction that are judged by their interval.
 */
#define SYMLOC_ESTIMATED 4

/**
 * Reuse intervals: how many accesses after the previous access to its line an access comes. First touches have an
 * imaginary one, which reaches into the run before, if the program were repeated for ever.
 */
#define SYMLOC_INTERVALS 0

/**
 * Reuse distances: how many different lines are accessed between an access and the previous one to its line. First touches
 * have none. Only models that were derived with `--exact` hold them.
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
 * How many accesses have it.
 */
#define SYMLOC_BIN_COUNT 1

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the interface that the library was built with. A program that loads the library at run time compares it
 * with `SYMLOC_ABI_VERSION`.
 */
uint32_t symloc_abi_version(void);

/**
 * The version of symloc, such as `0.1.0`. Static: not to be freed.
 */
const char *symloc_version(void);

/**
 * The status of an error; `SYMLOC_OK` for NULL.
 */
symloc_status symloc_error_status(const symloc_error *error);

/**
 * The message of an error: one line or several, UTF-8, without a newline at its end. It stays valid until the error is
 * freed. An empty text for NULL.
 */
const char *symloc_error_message(const symloc_error *error);

/**
 * Frees an error; NULL is left alone.
 */
void symloc_error_free(symloc_error *error);

/**
 * Reads a model from a file, which `symloc derive FILE -o MODEL` has made. `path` is what the system calls the file; on
 * Windows it is UTF-8.
 *
 * Returns NULL with `SYMLOC_ERROR_IO`, `SYMLOC_ERROR_MODEL` or `SYMLOC_ERROR_NEWER`.
 */
symloc_model *symloc_model_load(const char *path,
                                symloc_error **error);

/**
 * Reads a model from the text of its file, `length` bytes of UTF-8, such as one that is compiled in. It need not end with
 * a NUL, and is no longer needed afterwards.
 *
 * Returns NULL with `SYMLOC_ERROR_MODEL` or `SYMLOC_ERROR_NEWER`.
 */
symloc_model *symloc_model_parse(const char *text,
                                 size_t length,
                                 symloc_error **error);

/**
 * The name of the function; NULL for no model. It stays valid until the model is freed.
 */
const char *symloc_model_function(const symloc_model *model);

/**
 * How many parameters the model has; 0 for no model. An evaluator may need fewer sizes: see
 * `symloc_evaluator_parameter_count`.
 */
size_t symloc_model_parameter_count(const symloc_model *model);

/**
 * The name of a parameter; NULL if there is none of this index. It stays valid until the model is freed.
 */
const char *symloc_model_parameter(const symloc_model *model, size_t index);

/**
 * How many line sizes the model holds, at least one; 0 for no model.
 */
size_t symloc_model_line_count(const symloc_model *model);

/**
 * One of the line sizes of a model. Fails with `SYMLOC_ERROR_ARGUMENT` if there is none of this index.
 */
symloc_status symloc_model_line(const symloc_model *model,
                                size_t index,
                                symloc_line *line,
                                symloc_error **error);

/**
 * Frees a model; NULL is left alone. Evaluators that were made of it may be used further.
 */
void symloc_model_free(symloc_model *model);

/**
 * Prepares a model for questions with lines of `line_bytes` bytes. With 0 it is the only line size that the model holds;
 * if that is any size (`SYMLOC_LINE_ANY`), it is one more parameter, the elements in a line, and has a value at each size.
 * An evaluation visits at most `max_points` points of free iterators; 0 stands for the limit of the command line,
 * 20000000.
 *
 * Returns NULL with `SYMLOC_ERROR_LINE`.
 */
symloc_evaluator *symloc_evaluator_new(const symloc_model *model,
                                       uint64_t line_bytes,
                                       uint64_t max_points,
                                       symloc_error **error);

/**
 * How many sizes a question has: one for each parameter of the model, but for the line size if it has been chosen. 0 for
 * no evaluator.
 */
size_t symloc_evaluator_parameter_count(const symloc_evaluator *evaluator);

/**
 * The name of the parameter that the size of this index is for; NULL if there is none. It stays valid until the evaluator
 * is freed.
 */
const char *symloc_evaluator_parameter(const symloc_evaluator *evaluator,
                                       size_t index);

/**
 * Bytes per line, by which the size of a cache in bytes is divided to have its lines. 0 if nobody knows: arrays of
 * elements of different sizes with one element per line, a line size that comes with the sizes
 * (`symloc_prediction_line_bytes`), or no evaluator.
 */
uint64_t symloc_evaluator_line_bytes(const symloc_evaluator *evaluator);

/**
 * Does the model hold reuse distances for this line size? They are what `SYMLOC_LRU` and `SYMLOC_DISTANCES` need.
 */
bool symloc_evaluator_has_distances(const symloc_evaluator *evaluator);

/**
 * Sizes by name: brings `named_count` of them into the order of the parameters, as all other functions take them, and
 * writes them to `sizes`. `parameter_count` says how many there is room for:
 * `symloc_evaluator_parameter_count(evaluator)`. As on the command line, a size may have the name that the source has for
 * it, and one that makes no difference may be given.
 *
 * Fails with `SYMLOC_ERROR_PARAMETER` if a name is missing, unknown or given twice, with `SYMLOC_ERROR_LINE` if a line size
 * is given that is not the chosen one. Then nothing is written.
 */
symloc_status symloc_evaluator_sizes(const symloc_evaluator *evaluator,
                                     const symloc_size *named,
                                     size_t named_count,
                                     int64_t *sizes,
                                     size_t parameter_count,
                                     symloc_error **error);

/**
 * Frees an evaluator; NULL is left alone. Predictions and histograms that were made with it may be used further.
 */
void symloc_evaluator_free(symloc_evaluator *evaluator);

/**
 * Prepares all caches at one size: a value for each of `parameter_count` parameters, in the order of
 * `symloc_evaluator_parameter`. This is most of the work; to ask about one cache after the other then takes little.
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
 * How the misses are predicted: `SYMLOC_DENNING` or `SYMLOC_LRU`; `SYMLOC_DEFAULT` for no prediction.
 */
symloc_miss_model symloc_prediction_miss_model(const symloc_prediction *prediction);

/**
 * Bytes per line at this size; 0 if nobody knows, or for no prediction.
 */
uint64_t symloc_prediction_line_bytes(const symloc_prediction *prediction);

/**
 * The misses in fully associative caches of `lines[0]`, `lines[1]`, … lines, `cache_count` of them, written to
 * `results[0]`, `results[1]`, …
 *
 * All results are written, each with its own status; if some failed, the first of them is what the call returns and what
 * `error` is about: `SYMLOC_ERROR_LIMIT` or `SYMLOC_ERROR_OVERFLOW`. With `SYMLOC_ERROR_ARGUMENT` nothing is written.
 */
symloc_status symloc_prediction_misses(const symloc_prediction *prediction,
                                       const uint64_t *lines,
                                       size_t cache_count,
                                       symloc_misses *results,
                                       symloc_error **error);

/**
 * A number of a prediction for a cache of `lines` lines, in decimal digits, however many these are. The text belongs to
 * the caller: `symloc_string_free`.
 *
 * Returns NULL with `SYMLOC_ERROR_LIMIT`.
 */
char *symloc_prediction_text(const symloc_prediction *prediction,
                             uint64_t lines,
                             symloc_quantity quantity,
                             symloc_error **error);

/**
 * Frees a prediction; NULL is left alone.
 */
void symloc_prediction_free(symloc_prediction *prediction);

/**
 * Frees a text that belongs to the caller; NULL is left alone.
 */
void symloc_string_free(char *text);

/**
 * The misses at `size_count` sizes, each in `cache_count` fully associative caches: one of each is the simplest question.
 *
 * `sizes` holds size after size, each with a value for each of `parameter_count` parameters, in the order of
 * `symloc_evaluator_parameter`; `lines` holds the number of lines of each cache. What size `s` misses in cache `c` is
 * written to `results[s * cache_count + c]`.
 *
 * All results are written, each with its own status: a size outside the model's context does not spoil the others. If
 * some failed, the first of them is what the call returns and what `error` is about; see `symloc_prediction_new` and
 * `symloc_prediction_misses`. If the call itself is wrong, nothing is written: `SYMLOC_ERROR_ARGUMENT`, or
 * `SYMLOC_ERROR_PARAMETER` for too few parameters.
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
 * The histogram at one size: a value for each of `parameter_count` parameters, in the order of
 * `symloc_evaluator_parameter`. It visits the points of classes with free iterators, so where a model has such classes its
 * time grows with the size, up to `max_points` of `symloc_evaluator_new`.
 *
 * Returns NULL with the errors of `symloc_prediction_new`.
 */
symloc_histogram *symloc_histogram_new(const symloc_evaluator *evaluator,
                                       symloc_histogram_kind kind,
                                       const int64_t *sizes,
                                       size_t parameter_count,
                                       symloc_error **error);

/**
 * The number of bins; 0 for no histogram.
 */
size_t symloc_histogram_count(const symloc_histogram *histogram);

/**
 * Copies `count` bins, from the one with the index `first` on, to `bins[0]`, `bins[1]`, …
 *
 * All of them are written, each with its own status; if some numbers did not fit, the call returns
 * `SYMLOC_ERROR_OVERFLOW`. With `SYMLOC_ERROR_ARGUMENT`, if there are not so many bins, nothing is written.
 */
symloc_status symloc_histogram_bins(const symloc_histogram *histogram,
                                    size_t first,
                                    symloc_bin *bins,
                                    size_t count,
                                    symloc_error **error);

/**
 * A number of a bin in decimal digits, however many these are. The text belongs to the caller: `symloc_string_free`.
 */
char *symloc_histogram_text(const symloc_histogram *histogram,
                            size_t index,
                            symloc_bin_quantity quantity,
                            symloc_error **error);

/**
 * Frees a histogram; NULL is left alone.
 */
void symloc_histogram_free(symloc_histogram *histogram);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SYMLOC_H */
