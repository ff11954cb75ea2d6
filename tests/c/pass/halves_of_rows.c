// function: join
// sizes: n=16 m=8 rows=5; n=24 m=40 rows=3; n=8 m=16 rows=4
// Rows of n + m elements, gone over by one index: n elements of one array, then m of another.
void join(int n, const double *restrict a, int m, const double *restrict b, int rows, double *restrict out) {
  int index = 0;
  for (int r = 0; r < rows; r++) {
    for (int i = 0; i < n; i++)
      out[index++] = a[r * n + i];
    for (int i = 0; i < m; i++)
      out[index++] = b[r * m + i];
  }
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < m; i++)
      out[r * (n + m) + n + i] *= 0.5;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

static double *numbers(long count) {
  double *a = aligned_alloc(64, (count * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < count; i++) a[i] = (i * 7 + 3) % 11 + 1;
  return a;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]), rows = atoi(argv[3]);
  double *a = numbers((long)n * rows), *b = numbers((long)m * rows), *out = numbers((long)(n + m) * rows);
  trace_start();
  join(n, a, m, b, rows, out);
  trace_stop();
  free(a);
  free(b);
  free(out);
  return 0;
}
#endif
