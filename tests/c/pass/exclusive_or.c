// function: partners
// sizes: n=24; n=40
// Partners in pairs and fours, and bits that are set, by operations on bits with constants.
void partners(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    b[i ^ 1] = a[i ^ 4];
  for (int i = 0; i < n; i++)
    b[i | 6] += a[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  size_t bytes = ((n + 16) * sizeof(double) + 63) / 64 * 64;
  double *a = aligned_alloc(64, bytes), *b = aligned_alloc(64, bytes);
  for (int i = 0; i < n + 16; i++) a[i] = b[i] = i;
  trace_start();
  partners(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
