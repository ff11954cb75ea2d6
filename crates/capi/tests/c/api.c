/* Calls every function with valid and invalid arguments, and stops at the first unexpected result. Arguments: the models
* of matmul with intervals, with distances, and with lines of any size. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symloc.h"

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* Checks an expected error: its status, and the end of its message. */
static void expect(symloc_error *error, symloc_status status, const char *end) {
    const char *message = symloc_error_message(error);
    size_t length = strlen(message), ending = strlen(end);
    if (symloc_error_status(error) != status || length < ending || strcmp(message + length - ending, end) != 0) {
        fprintf(stderr, "%" PRIu32 " %s\ninstead of\n%" PRIu32 " %s\n", symloc_error_status(error), message, status, end);
        exit(1);
    }
    symloc_error_free(error);
}

static void versions(void) {
    CHECK(symloc_abi_version() == SYMLOC_ABI_VERSION);
    CHECK(strchr(symloc_version(), '.') != NULL);
}

static void nothing(void) {
    symloc_error_free(NULL);
    symloc_model_free(NULL);
    symloc_evaluator_free(NULL);
    symloc_prediction_free(NULL);
    symloc_histogram_free(NULL);
    symloc_string_free(NULL);
    CHECK(symloc_error_status(NULL) == SYMLOC_OK && strcmp(symloc_error_message(NULL), "") == 0);
    CHECK(!symloc_model_function(NULL) && !symloc_model_parameter(NULL, 0));
    CHECK(symloc_model_parameter_count(NULL) == 0 && symloc_model_line_count(NULL) == 0);
    CHECK(symloc_evaluator_parameter_count(NULL) == 0 && !symloc_evaluator_parameter(NULL, 0));
    CHECK(symloc_evaluator_line_bytes(NULL) == 0 && !symloc_evaluator_has_distances(NULL));
    CHECK(symloc_prediction_miss_model(NULL) == SYMLOC_DEFAULT && symloc_prediction_line_bytes(NULL) == 0);
    CHECK(symloc_histogram_count(NULL) == 0);

    symloc_error *error;
    CHECK(!symloc_model_load(NULL, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`path` is NULL");
    CHECK(!symloc_model_parse(NULL, 3, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`text` is NULL");
    CHECK(symloc_model_line(NULL, 0, NULL, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`model` is NULL");
    CHECK(!symloc_evaluator_new(NULL, 0, 0, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`model` is NULL");
    CHECK(symloc_evaluator_sizes(NULL, NULL, 0, NULL, 0, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`evaluator` is NULL");
    CHECK(!symloc_prediction_new(NULL, NULL, 0, SYMLOC_DEFAULT, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`evaluator` is NULL");
    CHECK(symloc_prediction_misses(NULL, NULL, 0, NULL, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`prediction` is NULL");
    CHECK(!symloc_prediction_text(NULL, 0, SYMLOC_REUSE, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`prediction` is NULL");
    CHECK(symloc_evaluator_query(NULL, NULL, 0, 0, NULL, 0, SYMLOC_DEFAULT, NULL, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`evaluator` is NULL");
    CHECK(!symloc_histogram_new(NULL, SYMLOC_INTERVALS, NULL, 0, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`evaluator` is NULL");
    CHECK(symloc_histogram_bins(NULL, 0, NULL, 0, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`histogram` is NULL");
    CHECK(!symloc_histogram_text(NULL, 0, SYMLOC_BIN_COUNT, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`histogram` is NULL");
    /* The argument `error` may be NULL. */
    CHECK(!symloc_model_load(NULL, NULL) && !symloc_evaluator_new(NULL, 0, 0, NULL));
    CHECK(symloc_prediction_misses(NULL, NULL, 0, NULL, NULL) == SYMLOC_ERROR_ARGUMENT);
}

/* The text of a model. */
static size_t read_text(const char *path, char *text, size_t room) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    size_t length = fread(text, 1, room, file);
    fclose(file);
    CHECK(length > 0 && length < room);
    return length;
}

static void no_models(const char *path) {
    symloc_error *error;
    CHECK(!symloc_model_load("missing.loc.json", &error));
    expect(error, SYMLOC_ERROR_IO, "missing.loc.json: cannot read it: No such file or directory (os error 2)");
    CHECK(!symloc_model_load("/", &error));
    expect(error, SYMLOC_ERROR_IO, "/: cannot read it: Is a directory (os error 21)");
    CHECK(!symloc_model_load("-", &error)); /* A file, not the standard input. */
    expect(error, SYMLOC_ERROR_IO, "-: cannot read it: No such file or directory (os error 2)");
    CHECK(!symloc_model_parse(NULL, 0, &error));
    expect(error, SYMLOC_ERROR_MODEL, "not a symloc model: EOF while parsing a value at line 1 column 0");
    CHECK(!symloc_model_parse("\377", 1, &error));
    expect(error, SYMLOC_ERROR_MODEL, "cannot read it: stream did not contain valid UTF-8");
    CHECK(!symloc_model_parse(path, SIZE_MAX, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, " elements");
    const char newer[] = "{\"schema\":\"symloc.model/99\",\"generator\":\"symloc 9.0\"}";
    CHECK(!symloc_model_parse(newer, sizeof newer - 1, &error));
    CHECK(strstr(symloc_error_message(error), "made by a newer symloc (symloc 9.0)") != NULL);
    expect(error, SYMLOC_ERROR_NEWER, "");

    static char text[1 << 16];
    size_t length = read_text(path, text, sizeof text);
    CHECK(!symloc_model_parse(text, 500, &error));
    expect(error, SYMLOC_ERROR_MODEL, "the file is truncated: it ends at line 1, column 500, before the model does");
    symloc_model *model = symloc_model_parse(text, length, &error);
    CHECK(model != NULL && error == NULL);
    symloc_model_free(model);
}

static symloc_model *load(const char *path) {
    symloc_error *error;
    symloc_model *model = symloc_model_load(path, &error);
    CHECK(model != NULL && error == NULL);
    return model;
}

static symloc_evaluator *prepare(const char *path, uint64_t line_bytes) {
    symloc_error *error;
    symloc_model *model = load(path);
    symloc_evaluator *evaluator = symloc_evaluator_new(model, line_bytes, 0, &error);
    CHECK(evaluator != NULL && error == NULL);
    symloc_model_free(model); /* The evaluator does not need it. */
    return evaluator;
}

static void outlines(const char *path, const char *any) {
    symloc_error *error;
    symloc_line line;
    symloc_model *model = load(path);
    CHECK(strcmp(symloc_model_function(model), "matmul") == 0);
    CHECK(symloc_model_parameter_count(model) == 1 && strcmp(symloc_model_parameter(model, 0), "n") == 0);
    CHECK(!symloc_model_parameter(model, 1) && !symloc_model_parameter(model, SIZE_MAX));
    CHECK(symloc_model_line_count(model) == 1 && symloc_model_line(model, 0, &line, &error) == SYMLOC_OK);
    CHECK(error == NULL && line.kind == SYMLOC_LINE_BYTES && line.bytes == 64 && line.has_distances == 0);
    CHECK(symloc_model_line(model, 1, &line, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "no line size 1: the model holds 1");
    CHECK(symloc_model_line(model, 0, NULL, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`line` is NULL");
    CHECK(!symloc_evaluator_new(model, 128, 0, &error));
    expect(error, SYMLOC_ERROR_LINE, "no line size of 128 bytes; the model holds 64 bytes");
    symloc_model_free(model);

    model = load(any);
    CHECK(symloc_model_line(model, 0, &line, NULL) == SYMLOC_OK && line.kind == SYMLOC_LINE_ANY && line.bytes == 8);
    CHECK(!symloc_evaluator_new(model, 12, 0, &error));
    expect(error, SYMLOC_ERROR_LINE, "a line of 12 bytes does not hold a whole number of 8-byte elements");
    CHECK(!symloc_evaluator_new(model, UINT64_MAX, 0, &error));
    expect(error, SYMLOC_ERROR_LINE, "a line of 18446744073709551615 bytes does not hold a whole number of 8-byte elements");
    symloc_model_free(model);
}

static void sizes_by_name(const char *path, const char *any) {
    symloc_error *error;
    int64_t sizes[2] = {-7, -7};
    symloc_evaluator *evaluator = prepare(path, 0);
    symloc_size named[] = {{"n", 128}, {"n", 256}, {NULL, 1}, {"\377", 1}, {"rows", 3}};
    CHECK(symloc_evaluator_sizes(evaluator, named, 1, sizes, 1, &error) == SYMLOC_OK && sizes[0] == 128);
    CHECK(error == NULL && sizes[1] == -7);
    CHECK(symloc_evaluator_sizes(evaluator, NULL, 0, sizes, 1, &error) == SYMLOC_ERROR_PARAMETER);
    expect(error, SYMLOC_ERROR_PARAMETER, "no value for the parameter n");
    CHECK(symloc_evaluator_sizes(evaluator, named, 2, sizes, 1, &error) == SYMLOC_ERROR_PARAMETER);
    expect(error, SYMLOC_ERROR_PARAMETER, "n is defined twice, as 128 and as 256");
    CHECK(symloc_evaluator_sizes(evaluator, named + 2, 1, sizes, 1, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`named[0].name` is NULL");
    CHECK(symloc_evaluator_sizes(evaluator, named + 3, 1, sizes, 1, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`named[0].name` is not UTF-8");
    CHECK(symloc_evaluator_sizes(evaluator, named + 4, 1, sizes, 1, &error) == SYMLOC_ERROR_PARAMETER);
    expect(error, SYMLOC_ERROR_PARAMETER, "`rows` is not a parameter of this model (its parameter is n)");
    CHECK(symloc_evaluator_sizes(evaluator, named, 1, NULL, 1, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`sizes` is NULL");
    CHECK(symloc_evaluator_sizes(evaluator, named, 1, sizes, 2, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "room for 2 sizes of one parameter (n)");
    CHECK(sizes[0] == 128 && sizes[1] == -7);
    symloc_evaluator_free(evaluator);

    /* A chosen line size is not a parameter any more. */
    symloc_size with_line[] = {{"b", 8}, {"n", 64}};
    evaluator = prepare(any, 0);
    CHECK(symloc_evaluator_parameter_count(evaluator) == 2 && symloc_evaluator_line_bytes(evaluator) == 0);
    CHECK(symloc_evaluator_sizes(evaluator, with_line, 2, sizes, 2, NULL) == SYMLOC_OK);
    CHECK(sizes[0] == 64 && sizes[1] == 8);
    symloc_evaluator_free(evaluator);
    evaluator = prepare(any, 128);
    CHECK(symloc_evaluator_parameter_count(evaluator) == 1 && symloc_evaluator_line_bytes(evaluator) == 128);
    CHECK(strcmp(symloc_evaluator_parameter(evaluator, 0), "n") == 0 && !symloc_evaluator_parameter(evaluator, 1));
    CHECK(symloc_evaluator_sizes(evaluator, with_line, 2, sizes, 1, &error) == SYMLOC_ERROR_LINE);
    expect(error, SYMLOC_ERROR_LINE, "a line of 128 bytes holds 16 elements, but b = 8");
    symloc_evaluator_free(evaluator);
}

static void refused(const symloc_evaluator *evaluator, int64_t n, symloc_status status, const char *message) {
    symloc_error *error;
    CHECK(!symloc_prediction_new(evaluator, &n, 1, SYMLOC_DEFAULT, &error));
    expect(error, status, message);
    CHECK(!symloc_histogram_new(evaluator, SYMLOC_INTERVALS, &n, 1, &error));
    expect(error, status, message);
}

static void bad_sizes(const char *path) {
    symloc_error *error;
    symloc_evaluator *evaluator = prepare(path, 0);
    int64_t sizes[2] = {128, 128};
    CHECK(!symloc_prediction_new(evaluator, NULL, 0, SYMLOC_DEFAULT, &error));
    expect(error, SYMLOC_ERROR_PARAMETER, "no value for the parameter n");
    CHECK(!symloc_prediction_new(evaluator, NULL, 1, SYMLOC_DEFAULT, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`sizes` is NULL");
    CHECK(!symloc_prediction_new(evaluator, sizes, 2, SYMLOC_DEFAULT, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "2 sizes for one parameter (n)");
    CHECK(!symloc_prediction_new(evaluator, sizes, SIZE_MAX, SYMLOC_DEFAULT, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, " sizes for one parameter (n)");
    CHECK(!symloc_prediction_new(evaluator, sizes, 1, 3, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "3 is no `symloc_miss_model`");
    CHECK(!symloc_prediction_new(evaluator, sizes, 1, SYMLOC_LRU, &error));
    expect(error, SYMLOC_ERROR_NO_DISTANCES, "the model holds no reuse distances");
    CHECK(!symloc_histogram_new(evaluator, SYMLOC_DISTANCES, sizes, 1, &error));
    expect(error, SYMLOC_ERROR_NO_DISTANCES, "the model holds no reuse distances");
    CHECK(!symloc_histogram_new(evaluator, 2, sizes, 1, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "2 is no `symloc_histogram_kind`");
    refused(evaluator, 100, SYMLOC_ERROR_CONTEXT, "n = 100 is outside the model's context: n mod 8 = 0 is required");
    refused(evaluator, 0, SYMLOC_ERROR_CONTEXT, "n = 0 is outside the model's context: n >= 16 is required");
    refused(evaluator, -8, SYMLOC_ERROR_CONTEXT, "n = -8 is outside the model's context: n >= 16 is required");
    /* The value of a NaN converted to a size, on x86-64. */
    refused(evaluator, INT64_MIN, SYMLOC_ERROR_CONTEXT,
            "n = -9223372036854775808 is outside the model's context: n >= 16 is required");
    symloc_evaluator_free(evaluator);
}

/* At the largest size of all there are 4·(2^63 − 8)^3 accesses: too many for 64 and for 128 bits. */
static void large_sizes(const char *path) {
    symloc_error *error;
    symloc_evaluator *evaluator = prepare(path, 64);
    int64_t n = INT64_MAX - 7;
    uint64_t lines[2] = {512, UINT64_MAX};
    symloc_misses misses[2];
    symloc_prediction *prediction = symloc_prediction_new(evaluator, &n, 1, SYMLOC_DEFAULT, &error);
    CHECK(prediction != NULL && error == NULL);
    CHECK(symloc_prediction_misses(prediction, lines, 2, misses, &error) == SYMLOC_ERROR_OVERFLOW);
    expect(error, SYMLOC_ERROR_OVERFLOW, "more than 18446744073709551615 accesses");
    CHECK(misses[0].status == SYMLOC_ERROR_OVERFLOW && misses[0].accesses == UINT64_MAX);
    CHECK(misses[0].ratio > 0.28 && misses[0].ratio < 0.29);
    char *text = symloc_prediction_text(prediction, 512, SYMLOC_ACCESSES, &error);
    CHECK(strcmp(text, "3138550867693340373751117905501310092013736868174048000000") == 0);
    symloc_string_free(text);
    CHECK(!symloc_prediction_text(prediction, 512, 5, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "5 is no `symloc_quantity`");
    symloc_prediction_free(prediction);

    symloc_histogram *histogram = symloc_histogram_new(evaluator, SYMLOC_INTERVALS, &n, 1, &error);
    CHECK(histogram != NULL && symloc_histogram_count(histogram) > 2);
    symloc_bin bins[2];
    CHECK(symloc_histogram_bins(histogram, 0, bins, 2, &error) == SYMLOC_ERROR_OVERFLOW);
    expect(error, SYMLOC_ERROR_OVERFLOW, "bin 0: more than 18446744073709551615");
    CHECK(bins[0].value == 1 && bins[0].count == UINT64_MAX && bins[0].status == SYMLOC_ERROR_OVERFLOW);
    symloc_histogram_free(histogram);
    symloc_evaluator_free(evaluator);
}

static void sweeps(const char *path) {
    symloc_error *error;
    symloc_evaluator *evaluator = prepare(path, 0);
    int64_t sizes[3] = {128, 100, 256};
    uint64_t lines[2] = {512, 4096};
    symloc_misses misses[6];
    CHECK(symloc_evaluator_query(evaluator, sizes, 1, 3, lines, 2, SYMLOC_DEFAULT, misses, &error) == SYMLOC_ERROR_CONTEXT);
    expect(error, SYMLOC_ERROR_CONTEXT, "n = 100 is outside the model's context: n mod 8 = 0 is required");
    CHECK(misses[0].status == SYMLOC_OK && misses[0].cold == 6144 && misses[0].reuse == 260096);
    CHECK(misses[0].misses == 266240 && misses[0].accesses == 8388608 && misses[0].ratio == 0.03173828125);
    CHECK(misses[0].miss_model == SYMLOC_DENNING && misses[0].estimated == 0);
    CHECK(misses[1].status == SYMLOC_OK && misses[1].misses == 6144);
    CHECK(misses[2].status == SYMLOC_ERROR_CONTEXT && misses[3].status == SYMLOC_ERROR_CONTEXT);
    CHECK(misses[2].accesses == 0 && isnan(misses[3].ratio));
    CHECK(misses[4].status == SYMLOC_OK && misses[4].accesses == UINT64_C(4) * 256 * 256 * 256);

    /* Without sizes or caches, no array is read or written. */
    CHECK(symloc_evaluator_query(evaluator, NULL, 1, 0, lines, 2, SYMLOC_DEFAULT, NULL, &error) == SYMLOC_OK && !error);
    CHECK(symloc_evaluator_query(evaluator, sizes, 1, 3, NULL, 0, SYMLOC_DEFAULT, NULL, &error) == SYMLOC_OK && !error);
    CHECK(symloc_evaluator_query(evaluator, sizes, 1, 3, NULL, 2, SYMLOC_DEFAULT, misses, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`lines` is NULL");
    CHECK(symloc_evaluator_query(evaluator, sizes, 1, 3, lines, 2, SYMLOC_DEFAULT, NULL, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`results` is NULL");
    CHECK(symloc_evaluator_query(evaluator, sizes, 1, 3, lines, SIZE_MAX, SYMLOC_DEFAULT, misses, &error) != SYMLOC_OK);
    expect(error, SYMLOC_ERROR_ARGUMENT, " are too many");
    CHECK(symloc_evaluator_query(evaluator, sizes, 0, 3, lines, 2, SYMLOC_DEFAULT, misses, &error) == SYMLOC_ERROR_PARAMETER);
    expect(error, SYMLOC_ERROR_PARAMETER, "no value for the parameter n");
    CHECK(symloc_evaluator_query(evaluator, sizes, 1, 3, lines, 2, 77, misses, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "77 is no `symloc_miss_model`");
    symloc_evaluator_free(evaluator);
}

static void histograms(const char *path) {
    symloc_error *error;
    symloc_evaluator *evaluator = prepare(path, 0);
    CHECK(symloc_evaluator_has_distances(evaluator));
    int64_t n = 16;
    symloc_histogram *histogram = symloc_histogram_new(evaluator, SYMLOC_DISTANCES, &n, 1, &error);
    symloc_evaluator_free(evaluator); /* The histogram does not need it. */
    CHECK(histogram != NULL && error == NULL);
    size_t count = symloc_histogram_count(histogram);
    symloc_bin *bins = malloc(count * sizeof *bins);
    CHECK(count > 1 && bins != NULL);
    CHECK(symloc_histogram_bins(histogram, 0, bins, count, &error) == SYMLOC_OK && error == NULL);
    CHECK(bins[0].kind == SYMLOC_BIN_REUSE && bins[0].value < bins[1].value && bins[0].count > 0);
    CHECK(symloc_histogram_bins(histogram, 1, bins, count, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "");
    CHECK(symloc_histogram_bins(histogram, SIZE_MAX, bins, 2, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "");
    CHECK(symloc_histogram_bins(histogram, 0, NULL, 1, &error) == SYMLOC_ERROR_ARGUMENT);
    expect(error, SYMLOC_ERROR_ARGUMENT, "`bins` is NULL");
    CHECK(symloc_histogram_bins(histogram, count, NULL, 0, &error) == SYMLOC_OK && error == NULL);
    CHECK(!symloc_histogram_text(histogram, count, SYMLOC_BIN_COUNT, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "");
    CHECK(!symloc_histogram_text(histogram, 0, 2, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "2 is no `symloc_bin_quantity`");
    free(bins);
    symloc_histogram_free(histogram);
}

/* Models with one digit changed: each result has a status and is freed. */
static void damaged(const char *path) {
    static char text[1 << 16];
    size_t length = read_text(path, text, sizeof text);
    uint32_t random = 1, answered = 0, failed = 0;
    for (int round = 0; round < 100; round++) {
        size_t at;
        do {
            random = random * 1664525 + 1013904223;
            at = random % length;
        } while (text[at] < '0' || text[at] > '9');
        char before = text[at];
        text[at] = (char)('0' + (random >> 16) % 10);
        symloc_error *error;
        symloc_model *model = symloc_model_parse(text, length, &error);
        symloc_error_free(error);
        symloc_evaluator *evaluator = symloc_evaluator_new(model, 0, 1000, NULL);
        int64_t n = 64;
        uint64_t lines = 16;
        symloc_misses misses;
        symloc_status status =
            symloc_evaluator_query(evaluator, &n, 1, 1, &lines, 1, SYMLOC_DEFAULT, &misses, &error);
        CHECK(status != SYMLOC_ERROR_INTERNAL && symloc_error_status(error) == status);
        *(status == SYMLOC_OK ? &answered : &failed) += 1;
        symloc_error_free(error);
        symloc_histogram_free(symloc_histogram_new(evaluator, SYMLOC_INTERVALS, &n, 1, NULL));
        symloc_evaluator_free(evaluator);
        symloc_model_free(model);
        text[at] = before;
    }
    CHECK(answered > 0 && failed > 0);
}

/* Threads share an evaluator and a prediction. */
struct shared {
    const symloc_evaluator *evaluator;
    const symloc_prediction *prediction;
};

static void *ask(void *argument) {
    const struct shared *shared = argument;
    for (uint64_t lines = 1; lines <= 4096; lines *= 2) {
        int64_t n = 128;
        symloc_misses own, theirs;
        symloc_error *error;
        CHECK(symloc_prediction_misses(shared->prediction, &lines, 1, &theirs, &error) == SYMLOC_OK && !error);
        CHECK(symloc_evaluator_query(shared->evaluator, &n, 1, 1, &lines, 1, SYMLOC_DEFAULT, &own, &error) == SYMLOC_OK);
        CHECK(memcmp(&own, &theirs, sizeof own) == 0);
        n = 100;
        CHECK(!symloc_prediction_new(shared->evaluator, &n, 1, SYMLOC_DEFAULT, &error));
        symloc_error_free(error);
    }
    return NULL;
}

static void threads(const char *path) {
    symloc_evaluator *evaluator = prepare(path, 0);
    int64_t n = 128;
    symloc_prediction *prediction = symloc_prediction_new(evaluator, &n, 1, SYMLOC_DEFAULT, NULL);
    CHECK(prediction != NULL);
    struct shared shared = {evaluator, prediction};
    pthread_t all[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&all[i], NULL, ask, &shared) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(all[i], NULL) == 0);
    symloc_prediction_free(prediction);
    symloc_evaluator_free(evaluator);
}

int main(int argc, char **argv) {
    CHECK(argc == 4);
    versions();
    nothing();
    no_models(argv[1]);
    outlines(argv[1], argv[3]);
    sizes_by_name(argv[1], argv[3]);
    bad_sizes(argv[1]);
    large_sizes(argv[1]);
    sweeps(argv[1]);
    histograms(argv[2]);
    damaged(argv[1]);
    threads(argv[1]);
    threads(argv[2]);
    printf("all is as expected\n");
    return 0;
}
