/* The misses of a kernel in 32 KiB, derived and asked in one process. */
#include <inttypes.h>
#include <stdio.h>

#include "symloc-derive.h"

int main(int argc, char **argv) {
    symloc_error *error = NULL;
    symloc_derive_options options = {.exact = 1, .assume = "n mod 8 = 0"};
    symloc_derived *derived = symloc_derive_file(argv[argc - 1], &options, &error);
    symloc_model *model = error ? NULL : symloc_derived_model(derived, &error);
    symloc_evaluator *evaluator = error ? NULL : symloc_evaluator_new(model, 0, 0, &error);
    uint64_t lines = 32 * 1024 / 64;
    symloc_misses misses;
    for (int64_t n = 16; n <= 64 && !error; n *= 2)
        if (!symloc_evaluator_query(evaluator, &n, 1, 1, &lines, 1, SYMLOC_LRU, &misses, &error))
            printf("n = %" PRId64 ": %" PRIu64 " of %" PRIu64 " miss\n", n, misses.misses, misses.accesses);
    if (error)
        fprintf(stderr, "%s\n", symloc_error_message(error));
    symloc_evaluator_free(evaluator);
    symloc_model_free(model);
    symloc_derived_free(derived);
    int status = (int)symloc_error_status(error);
    symloc_error_free(error);
    return status;
}
