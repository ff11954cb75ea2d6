// Counts how often each basic block is executed between trace_start() and trace_stop(), and writes the counts, in the order of the
// blocks in the program, to the file that the environment variable TRACE names, one on each line.
//
// The program calls these functions at the start of each block because it was compiled with opt -passes=sancov-module
// -sanitizer-coverage-level=2 -sanitizer-coverage-trace-pc-guard. This file is compiled without.

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100000 };

static uint64_t counts[MOST];
static uint32_t blocks;
static int counting;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  for (uint32_t *guard = start; guard < stop; guard++)
    *guard = ++blocks;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  if (*guard >= MOST)
    exit(EXIT_FAILURE);
  counts[*guard] += counting;
}

void trace_start(void) { counting = 1; }

void trace_stop(void) {
  counting = 0;
  const char *path = getenv("TRACE");
  FILE *file = path == NULL ? NULL : fopen(path, "w");
  if (file == NULL)
    exit(EXIT_FAILURE);
  for (uint32_t block = 1; block <= blocks; block++)
    fprintf(file, "%" PRIu64 "\n", counts[block]);
  if (fclose(file) != 0)
    exit(EXIT_FAILURE);
}
