// function: difference
// sizes: n=24 m=5; n=4 m=15; n=9 m=9
// Unsigned numbers that do not become negative because of the condition under which they are chosen.
#include <stddef.h>

void difference(unsigned n, unsigned m, double *restrict a, const double *restrict b) {
  unsigned length = n > m ? n - m : m - n;
  for (size_t i = 0; i < length; i++)
    a[i] += b[i];
  for (size_t i = (n > m ? n - m : m - n); i < 32; i++)
    a[i] = b[(n > m ? n - m : m - n) / 2];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) { return memset(aligned_alloc(64, bytes), 0, bytes); }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  unsigned n = atoi(argv[1]), m = atoi(argv[2]);
  double *a = zeros(64 * sizeof(double)), *b = zeros(64 * sizeof(double));
  trace_start();
  difference(n, m, a, b);
  trace_stop();
  return 0;
}
#endif
