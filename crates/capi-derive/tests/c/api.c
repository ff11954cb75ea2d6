/* Calls every function of symloc-derive.h with valid and invalid arguments, and stops at the first unexpected result. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symloc-derive.h"

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* The number of accesses of one row is that of its elements; a line has 8 of them. */
static const char SUM[] = "func.func @sum(%n: index, %A: memref<?xf64>) {\n"
                          "  affine.for %i = 0 to %n {\n"
                          "    %x = affine.load %A[%i] : memref<?xf64>\n"
                          "  }\n"
                          "  return\n"
                          "}\n";

/* A subscript that is read from memory. */
static const char GATHER[] = "func.func @gather(%n: index, %A: memref<?xf64>, %B: memref<?xindex>) {\n"
                             "  affine.for %i = 0 to %n {\n"
                             "    %j = affine.load %B[%i] : memref<?xindex>\n"
                             "    %x = memref.load %A[%j] : memref<?xf64>\n"
                             "  }\n"
                             "  return\n"
                             "}\n";

static symloc_derived *derive(const char *text, const symloc_derive_options *options, symloc_error **error) {
    return symloc_derive_text(SYMLOC_LANGUAGE_BY_NAME, "kernel.mlir", text, strlen(text), options, error);
}

/* Checks an expected error: its status, and a part of its message. */
static void expect(symloc_error *error, symloc_status status, const char *part) {
    if (symloc_error_status(error) != status || !strstr(symloc_error_message(error), part)) {
        fprintf(stderr, "%" PRIu32 " %s\ninstead of\n%" PRIu32 " %s\n", symloc_error_status(error),
                symloc_error_message(error), status, part);
        exit(1);
    }
    symloc_error_free(error);
}

static void refuse(const symloc_derive_options *options, const char *part) {
    symloc_error *error = NULL;
    CHECK(!derive(SUM, options, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, part);
}

static void nothing(void) {
    symloc_error *error = NULL;
    symloc_derived_free(NULL);
    CHECK(!symloc_derived_text(NULL) && !symloc_derived_note(NULL, 0));
    CHECK(symloc_derived_note_count(NULL) == 0 && !symloc_derived_is_sampled(NULL));
    CHECK(!symloc_derived_model(NULL, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`derived` is NULL");
    CHECK(!symloc_derive_file(NULL, NULL, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`path` is NULL");
    CHECK(!symloc_derive_file("nowhere.mlir", NULL, &error));
    expect(error, SYMLOC_ERROR_IO, "nowhere.mlir: cannot read it");
    CHECK(!symloc_derive_text(0, NULL, SUM, 1, NULL, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`name` is NULL");
    CHECK(!symloc_derive_text(0, "kernel.mlir", NULL, 1, NULL, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "`text` is NULL");
    CHECK(!symloc_derive_text(99, "kernel.mlir", SUM, strlen(SUM), NULL, &error));
    expect(error, SYMLOC_ERROR_ARGUMENT, "no language 99");
    CHECK(!symloc_derive_text(0, "kernel.mlir", NULL, 0, NULL, &error));
    expect(error, SYMLOC_ERROR_SOURCE, "kernel.mlir");
    CHECK(!derive(GATHER, NULL, NULL));
}

static void wrong_options(void) {
    refuse(&(symloc_derive_options){.exact = 2}, "`exact` is 0 or 1, not 2");
    refuse(&(symloc_derive_options){.layout = 3}, "no layout 3");
    refuse(&(symloc_derive_options){.element = 1, .line_bytes = 64}, "two line sizes");
    refuse(&(symloc_derive_options){.flag_count = 1}, "`options.flags` is NULL");
    refuse(&(symloc_derive_options){.function = "\xff"}, "`options.function` is not UTF-8");
    refuse(&(symloc_derive_options){.assume = "m = 3"}, "--assume");
    refuse(&(symloc_derive_options){.assume_noalias = 1}, "only for C");
    refuse(&(symloc_derive_options){.parallel = ":"}, "parallel: ");
}

static void places(void) {
    symloc_error *error = NULL;
    CHECK(!derive(GATHER, NULL, &error));
    CHECK(strcmp(symloc_error_file(error), "kernel.mlir") == 0);
    CHECK(symloc_error_line(error) == 4 && symloc_error_column(error) == 10);
    expect(error, SYMLOC_ERROR_SOURCE, "kernel.mlir:4:10: error: ");
    CHECK(!symloc_derive_file("nowhere.mlir", NULL, &error));
    CHECK(!symloc_error_file(error) && symloc_error_line(error) == 0 && symloc_error_column(error) == 0);
    symloc_error_free(error);
}

/* Asks a model for one size, in one cache of so many lines. */
static symloc_misses ask(const symloc_derived *derived, int64_t size, uint64_t lines) {
    symloc_error *error = NULL;
    symloc_model *model = symloc_derived_model(derived, &error);
    CHECK(model);
    symloc_evaluator *evaluator = symloc_evaluator_new(model, 0, 0, &error);
    CHECK(evaluator);
    symloc_misses misses;
    CHECK(!symloc_evaluator_query(evaluator, &size, 1, 1, &lines, 1, SYMLOC_DEFAULT, &misses, &error));
    symloc_evaluator_free(evaluator);
    symloc_model_free(model);
    return misses;
}

static void models(void) {
    symloc_error *error = NULL;
    symloc_derived *derived = derive(SUM, NULL, &error);
    CHECK(derived && !error && !symloc_derived_is_sampled(derived) && !symloc_derived_note(derived, 99));
    for (size_t i = 0; i < symloc_derived_note_count(derived); i++)
        CHECK(strlen(symloc_derived_note(derived, i)) > 0);
    symloc_misses misses = ask(derived, 1001, 8);
    CHECK(misses.accesses == 1001 && misses.misses == 126);
    const char *text = symloc_derived_text(derived);
    symloc_model *parsed = symloc_model_parse(text, strlen(text), &error);
    CHECK(parsed && strcmp(symloc_model_function(parsed), "sum") == 0);
    symloc_model_free(parsed);
    symloc_derived_free(derived);

    derived = derive(SUM, &(symloc_derive_options){.line_bytes = 128, .function = "sum", .exact = 1}, &error);
    CHECK(derived && ask(derived, 1001, 8).misses == 63);
    symloc_derived_free(derived);
    derived = derive(SUM, &(symloc_derive_options){.element = 1, .layout = SYMLOC_LAYOUT_ROWS}, &error);
    CHECK(derived && ask(derived, 1001, 8).misses == 1001);
    symloc_derived_free(derived);
    derived = symloc_derive_text(SYMLOC_LANGUAGE_EINSUM_EXPRESSION, "sum", "i->", 3, NULL, &error);
    CHECK(derived && ask(derived, 1001, 8).accesses == 1 + 3 * 1001);
    symloc_derived_free(derived);
}

/* Texts in C are compiled from a temporary file, which no message names. */
static void texts_in_c(void) {
    static const char copy[] = "void copy(int n, double *restrict a, const double *restrict b) {\n"
                               "  for (int i = 0; i < n; i++)\n"
                               "    a[i] = b[i * STEP];\n"
                               "}\n";
    symloc_error *error = NULL;
    const char *flags[] = {"-DSTEP=2"};
    symloc_derive_options options = {.flags = flags, .flag_count = 1};
    symloc_derived *derived = symloc_derive_text(0, "copy.c", copy, strlen(copy), &options, &error);
    CHECK(derived && ask(derived, 64, 8).misses == 8 + 16);
    symloc_derived_free(derived);
    CHECK(!symloc_derive_text(0, "copy.c", copy, strlen(copy), NULL, &error));
    CHECK(!strstr(symloc_error_message(error), "source.c"));
    expect(error, SYMLOC_ERROR_COMPILER, "copy.c:3:");
    flags[0] = "-DSTEP=(int)b[0]";
    CHECK(!symloc_derive_text(SYMLOC_LANGUAGE_C, "copy", copy, strlen(copy), &options, &error));
    CHECK(strcmp(symloc_error_file(error), "copy") == 0 && symloc_error_line(error) == 3);
    expect(error, SYMLOC_ERROR_SOURCE, "copy:3:");
}

static void *of_thread(void *text) { return derive(text, NULL, NULL); }

static void threads(void) {
    enum { THREADS = 4 };
    pthread_t running[THREADS];
    symloc_derived *alone = derive(SUM, NULL, NULL);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&running[i], NULL, of_thread, (void *)(i % 2 ? GATHER : SUM)) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *derived;
        CHECK(pthread_join(running[i], &derived) == 0);
        CHECK(i % 2 ? !derived : strcmp(symloc_derived_text(derived), symloc_derived_text(alone)) == 0);
        symloc_derived_free(derived);
    }
    symloc_derived_free(alone);
}

int main(void) {
    CHECK(symloc_abi_version() == SYMLOC_ABI_VERSION);
    nothing();
    wrong_options();
    places();
    models();
    texts_in_c();
    threads();
    puts("all is as expected");
    return 0;
}
