// function: update
// sizes: options=0 options_4=1 n=40; options=1 options_4=0 n=40; options=1 options_4=1 n=24; options=-1 options_4=2 n=24
// Flags in memory that the function does not write: reading one is an access, what it holds is a parameter.
struct options {
  int mirrors, copies;
};

void update(const struct options *restrict options, int n, double *restrict x, double *restrict y) {
  if (options->mirrors == 1)
    for (int i = 0; i < n / 2; i++) x[i] = x[n - 1 - i];
  if (options->copies)
    for (int i = 0; i < n; i++) y[i] = x[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long mirrors = atol(argv[1]);
  long copies = atol(argv[2]);
  long n = atol(argv[3]);
  double *x = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) y[i] = (i * 7 + 3) % 11 + 1;
  struct options *options = aligned_alloc(64, 64);
  *options = (struct options){mirrors, copies};
  trace_start();
  update(options, n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
