/* The largest size up to 4096 at which a kernel with one parameter misses less than 5 % of its accesses in 32 KiB. */
#include <inttypes.h>
#include <stdio.h>

#include "symloc.h"

enum { LARGEST = 4096, CACHE_BYTES = 32 * 1024 };

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s MODEL\n", argv[0]);
        return 2;
    }
    symloc_error *error = NULL;
    symloc_model *model = symloc_model_load(argv[1], &error);
    symloc_evaluator *evaluator = model ? symloc_evaluator_new(model, 0, 0, &error) : NULL;
    uint64_t line_bytes = symloc_evaluator_line_bytes(evaluator);
    if (symloc_evaluator_parameter_count(evaluator) != 1 || line_bytes == 0) {
        fprintf(stderr, "error: %s\n", error ? symloc_error_message(error) : "one size and one line size are needed");
        return 2;
    }

    /* All sizes in one call. Those that the model was not derived for have a status of their own. */
    static int64_t sizes[LARGEST];
    static symloc_misses results[LARGEST];
    for (int i = 0; i < LARGEST; i++)
        sizes[i] = i + 1;
    uint64_t lines = CACHE_BYTES / line_bytes;
    symloc_evaluator_query(evaluator, sizes, 1, LARGEST, &lines, 1, SYMLOC_DEFAULT, results, NULL);

    int best = -1;
    for (int i = 0; i < LARGEST; i++)
        if (results[i].status == SYMLOC_OK && results[i].ratio < 0.05)
            best = i;
    if (best >= 0)
        printf("%s: %s = %" PRId64 " misses %" PRIu64 " of %" PRIu64 " accesses, %.2f %%\n",
               symloc_model_function(model), symloc_evaluator_parameter(evaluator, 0), sizes[best],
               results[best].misses, results[best].accesses, 100 * results[best].ratio);
    symloc_evaluator_free(evaluator);
    symloc_model_free(model);
    return best < 0;
}
