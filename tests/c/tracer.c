// Writes the trace of a program to the file that the environment variable TRACE names: one word of 64 bits, in the order of the
// machine's bytes, for each load and store between trace_start() and trace_stop(). It is the address, with the highest
// bit set if it is a store.
//
// The program calls these functions before each access because it was compiled with opt -passes=sancov-module
// -sanitizer-coverage-trace-loads -sanitizer-coverage-trace-stores. This file is compiled without.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t STORE = UINT64_C(1) << 63;

static FILE *trace;

// Anything that goes wrong ends the program: half a trace must not be taken for a whole one.
static void fail(const char *what) {
  fprintf(stderr, "tracer: %s\n", what);
  exit(EXIT_FAILURE);
}

void trace_start(void) {
  const char *path = getenv("TRACE");
  if (path == NULL)
    fail("TRACE is not set");
  trace = fopen(path, "wb");
  if (trace == NULL)
    fail("the file in TRACE cannot be written");
}

void trace_stop(void) {
  FILE *file = trace;
  trace = NULL;
  if (file == NULL || fclose(file) != 0)
    fail("the trace was not begun, or cannot be written");
}

static void record(const void *address, uint64_t kind) {
  uint64_t word = (uint64_t)(uintptr_t)address | kind;
  if (trace != NULL && fwrite(&word, sizeof word, 1, trace) != 1)
    fail("the trace cannot be written");
}

void __sanitizer_cov_load1(const uint8_t *address) { record(address, 0); }
void __sanitizer_cov_load2(const uint16_t *address) { record(address, 0); }
void __sanitizer_cov_load4(const uint32_t *address) { record(address, 0); }
void __sanitizer_cov_load8(const uint64_t *address) { record(address, 0); }
void __sanitizer_cov_load16(const void *address) { record(address, 0); }
void __sanitizer_cov_store1(const uint8_t *address) { record(address, STORE); }
void __sanitizer_cov_store2(const uint16_t *address) { record(address, STORE); }
void __sanitizer_cov_store4(const uint32_t *address) { record(address, STORE); }
void __sanitizer_cov_store8(const uint64_t *address) { record(address, STORE); }
void __sanitizer_cov_store16(const void *address) { record(address, STORE); }
