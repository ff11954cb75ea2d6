/* Prints all results of a model at one size, for the test to compare with the evaluator:
 *
 *     answers MODEL LINE_BYTES MISS_MODEL NAME=VALUE...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symloc.h"

enum { MOST_SIZES = 8, CACHES = 23, MAX_POINTS = 100000 };

static int failed(const char *what, symloc_error *error) {
    printf("%s: error %" PRIu32 ": %s\n", what, symloc_error_status(error), symloc_error_message(error));
    symloc_error_free(error);
    return 0;
}

static void print_text(char *text) {
    printf(" %s", text ? text : "NULL");
    symloc_string_free(text);
}

static void print_misses(const symloc_prediction *prediction, uint64_t lines, const symloc_misses *misses) {
    uint64_t ratio;
    memcpy(&ratio, &misses->ratio, sizeof ratio);
    printf("%" PRIu64 " lines: %" PRIu32 " %" PRIu32 " %016" PRIx64, lines, misses->status, misses->miss_model, ratio);
    printf(" %" PRIu64 " %" PRIu64 " %" PRIu64, misses->accesses, misses->cold, misses->reuse);
    printf(" %" PRIu64 " %" PRIu64, misses->misses, misses->estimated);
    for (symloc_quantity quantity = SYMLOC_ACCESSES; quantity <= SYMLOC_ESTIMATED; quantity++)
        print_text(symloc_prediction_text(prediction, lines, quantity, NULL));
    printf("\n");
}

static int print_caches(const symloc_evaluator *evaluator, const int64_t *sizes, symloc_miss_model miss_model) {
    size_t count = symloc_evaluator_parameter_count(evaluator);
    symloc_error *error;
    symloc_prediction *prediction = symloc_prediction_new(evaluator, sizes, count, miss_model, &error);
    if (!prediction)
        return failed("prediction", error);
    uint64_t lines[CACHES] = {0};
    for (int cache = 1; cache < CACHES - 1; cache++)
        lines[cache] = UINT64_C(1) << (cache - 1);
    lines[CACHES - 1] = UINT64_MAX;
    symloc_misses one[CACHES], other[CACHES];
    memset(one, 0, sizeof one), memset(other, 0, sizeof other);
    symloc_status status = symloc_prediction_misses(prediction, lines, CACHES, one, NULL);
    symloc_status again = symloc_evaluator_query(evaluator, sizes, count, 1, lines, CACHES, miss_model, other, NULL);
    printf("line bytes %" PRIu64 ", miss model %" PRIu32 ", status %" PRIu32 "\n", symloc_prediction_line_bytes(prediction),
           symloc_prediction_miss_model(prediction), status);
    if (status != again || memcmp(one, other, sizeof one) != 0)
        printf("the two ways to ask have different answers\n");
    for (int cache = 0; cache < CACHES; cache++)
        print_misses(prediction, lines[cache], &one[cache]);
    symloc_prediction_free(prediction);
    return 1;
}

static int print_histogram(const symloc_evaluator *evaluator, const int64_t *sizes, symloc_histogram_kind kind) {
    size_t count = symloc_evaluator_parameter_count(evaluator);
    symloc_error *error;
    symloc_histogram *histogram = symloc_histogram_new(evaluator, kind, sizes, count, &error);
    if (!histogram)
        return failed("histogram", error);
    size_t bins = symloc_histogram_count(histogram);
    printf("%zu bins\n", bins);
    symloc_bin *all = calloc(bins + 1, sizeof *all);
    symloc_histogram_bins(histogram, 0, all, bins, NULL);
    for (size_t bin = 0; bin < bins; bin++) {
        printf("%" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64, all[bin].status, all[bin].kind, all[bin].value,
               all[bin].count);
        print_text(symloc_histogram_text(histogram, bin, SYMLOC_BIN_VALUE, NULL));
        print_text(symloc_histogram_text(histogram, bin, SYMLOC_BIN_COUNT, NULL));
        printf("\n");
    }
    free(all);
    symloc_histogram_free(histogram);
    return 1;
}

static void answer(const symloc_evaluator *evaluator, const symloc_size *named, size_t count, symloc_miss_model asked) {
    int64_t sizes[MOST_SIZES];
    symloc_error *error;
    if (symloc_evaluator_sizes(evaluator, named, count, sizes, symloc_evaluator_parameter_count(evaluator), &error) != SYMLOC_OK) {
        failed("sizes", error);
        return;
    }
    if (print_caches(evaluator, sizes, asked)) {
        print_histogram(evaluator, sizes, SYMLOC_INTERVALS);
        print_histogram(evaluator, sizes, SYMLOC_DISTANCES);
    }
}

int main(int argc, char **argv) {
    symloc_size named[MOST_SIZES];
    size_t count = 0;
    if (argc < 4 || argc > 4 + MOST_SIZES)
        return 2;
    for (; count + 4 < (size_t)argc; count++) {
        char *equals = strchr(argv[count + 4], '=');
        if (!equals)
            return 2;
        *equals = '\0';
        named[count].name = argv[count + 4];
        named[count].value = strtoll(equals + 1, NULL, 10);
    }
    symloc_error *error;
    symloc_model *model = symloc_model_load(argv[1], &error);
    if (!model)
        return failed("model", error);
    symloc_evaluator *evaluator = symloc_evaluator_new(model, strtoull(argv[2], NULL, 10), MAX_POINTS, &error);
    symloc_model_free(model);
    if (!evaluator)
        return failed("evaluator", error);
    answer(evaluator, named, count, (symloc_miss_model)strtoul(argv[3], NULL, 10));
    symloc_evaluator_free(evaluator);
    return 0;
}
