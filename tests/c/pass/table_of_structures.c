// function: scale
// sizes: n=5 m=8; n=9 m=3
// Structures with pointers to rows of their own, one of them by itself.
struct row {
  long length;
  double *at;
  double *weights;
};

void scale(int n, int m, struct row *rows) {
  for (int j = 0; j < m; j++)
    rows[1].at[j] += rows[0].weights[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      rows[i].at[j] *= rows[i].weights[j];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  return memset(aligned_alloc(64, bytes), 0, bytes);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  struct row *rows = zeros(n * sizeof *rows);
  for (long i = 0; i < n; i++) rows[i] = (struct row){m, zeros(m * sizeof(double)), zeros(m * sizeof(double))};
  trace_start();
  scale(n, m, rows);
  trace_stop();
  return 0;
}
#endif
