// What the compiled kernels of this folder are linked with. `run`, written in MLIR, makes the arguments of a kernel and calls it.
//
// Memory begins at a multiple of LINES, as symloc assumes of all arrays. Each allocation in the text has memory of its own; what it
// frees is what it gets next, as in a loop whose iterations allocate and free one buffer.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Whole lines of all sizes that are compared: 24 and 64 bytes.
enum { LINES = 192 };

void run(void);

static int sizes;
static char **values;

static void fail(const char *what) {
  fprintf(stderr, "driver: %s\n", what);
  exit(EXIT_FAILURE);
}

// The size of this number on the command line.
int64_t size(int64_t nth) {
  if (nth >= sizes)
    fail("too few sizes");
  return atoll(values[nth]);
}

// How many elements lie between the starts of neighbouring rows of an argument: with PADDED every row starts a line.
int64_t pitch(int64_t elements, int64_t bytes) {
  if (getenv("PADDED") == NULL)
    return elements;
  return (elements * bytes + LINES - 1) / LINES * LINES / bytes;
}

// Memory that an allocation in the text has had.
struct Memory {
  void *site;
  uint64_t bytes;
  char *start;
  int free;
  struct Memory *next;
};

static struct Memory *memories;

void *_mlir_memref_to_llvm_alloc(uint64_t bytes) {
  void *site = __builtin_return_address(0);
  for (struct Memory *memory = memories; memory != NULL; memory = memory->next) {
    if (memory->free && memory->site == site && memory->bytes == bytes) {
      memory->free = 0;
      return memory->start;
    }
  }
  struct Memory *memory = malloc(sizeof *memory);
  char *raw = calloc(1, bytes + 2 * LINES);
  if (memory == NULL || raw == NULL)
    fail("no memory");
  char *start = raw + (LINES - (uintptr_t)raw % LINES);
  *memory = (struct Memory){site, bytes, start, 0, memories};
  memories = memory;
  return start;
}

void _mlir_memref_to_llvm_free(void *start) {
  for (struct Memory *memory = memories; memory != NULL; memory = memory->next) {
    if (memory->start == start) {
      memory->free = 1;
      return;
    }
  }
  fail("memory is freed that was not allocated");
}

// What is done with loaded values, so that the loads are not left out.
void printF16(uint16_t value) { (void)value; }
void printBF16(uint16_t value) { (void)value; }
void printF32(float value) { (void)value; }
void printF64(double value) { (void)value; }
void printI64(int64_t value) { (void)value; }
void printU64(uint64_t value) { (void)value; }
void printNewline(void) {}

int main(int count, char **arguments) {
  sizes = count - 1;
  values = arguments + 1;
  run();
  return EXIT_SUCCESS;
}
