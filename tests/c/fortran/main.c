// Calls FUNCTION of a file in Fortran with two sizes and two arrays, which come with descriptors. These lie at an address at
// which nothing else does: reading them is no access.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

struct descriptor {
  void *base;
  int64_t element;
  int32_t version;
  int8_t rank, type, attribute, extra;
  struct {
    int64_t lower, extent, stride;
  } dimensions[2];
};

void FUNCTION(int *n, int *m, struct descriptor *a, struct descriptor *b);
void trace_start(void);
void trace_stop(void);

// What is allocated begins a line. (clang -Wl,--wrap=malloc)
void *__wrap_malloc(size_t bytes) { return aligned_alloc(64, (bytes + 63) / 64 * 64); }

static struct descriptor described(double *base, int64_t n, int64_t m) {
  struct descriptor d = {base, 8, 20240719, 2, 28, 0, 0, {{1, n, 8}, {1, m, 8 * n}}};
  return d;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  static _Alignas(64) int n, m;
  n = atoi(argv[1]);
  m = atoi(argv[2]);
  struct descriptor *descriptors = mmap((void *)0x100000000000, 4096, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (descriptors == MAP_FAILED) return 3;
  size_t bytes = (sizeof(double) * n * m + 64) / 64 * 64;
  double *a = aligned_alloc(64, bytes), *b = aligned_alloc(64, bytes);
  for (long i = 0; i < (long)n * m; i++) a[i] = b[i] = i % 7;
  descriptors[0] = described(a, n, m);
  descriptors[1] = described(b, n, m);
  trace_start();
  FUNCTION(&n, &m, &descriptors[0], &descriptors[1]);
  trace_stop();
  return 0;
}
