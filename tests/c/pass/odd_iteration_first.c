// function: add_rows
// sizes: n=5 ld=8 m=3; n=8 ld=8 m=5; n=1 ld=8 m=2; n=13 ld=16 m=4
// One iteration if the size is odd, then two at a time, as optimisers write it: the second one stays in its row, too.
void add_rows(int n, int ld, int m, const double *restrict b, double *restrict c) {
  for (int i = 0; i < m; i++) {
    int j = 0;
    if (n % 2 == 1) {
      c[i * ld + j] += b[j];
      j++;
    }
    for (; j < n; j += 2) {
      c[i * ld + j] += b[j];
      c[i * ld + j + 1] += b[j + 1];
    }
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long n = atol(argv[1]);
  long ld = atol(argv[2]);
  long m = atol(argv[3]);
  double *b = aligned_alloc(64, (8 * n + 64) / 64 * 64);
  double *c = aligned_alloc(64, (8 * m * ld + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = i;
  for (long i = 0; i < m * ld; i++) c[i] = i;
  trace_start();
  add_rows(n, ld, m, b, c);
  trace_stop();
  free(b);
  free(c);
  return 0;
}
#endif
