// Calls FUNCTION of a file in Rust with two sizes and two slices, which begin lines.
#include <stdlib.h>

void FUNCTION(long n, long m, const double *a, long a_length, double *b, long b_length);
void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]), m = atol(argv[2]), length = (n + 2) * (m + 2);
  double *a = aligned_alloc(64, (length * sizeof(double) + 64) / 64 * 64);
  double *b = aligned_alloc(64, (length * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < length; i++) a[i] = b[i] = i % 7;
  trace_start();
  FUNCTION(n, m, a, length, b, length);
  trace_stop();
  return 0;
}
