// function: by_options
// sizes: options=0 options_4=3 n=40; options=1 options_4=3 n=40; options=-1 options_4=2 n=24; options=1 options_4=-7 n=24
// A structure of two flags, which is passed as one integer: each member is a parameter.
struct options {
  int copies, passes;
};

void by_options(struct options options, int n, const double *x, double *y) {
  if (options.copies && options.passes > 2)
    for (int i = 0; i < n; i++) y[i] = x[i];
  if (options.passes < 0)
    for (int i = 0; i < n; i++) y[i] += x[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long copies = atol(argv[1]);
  long passes = atol(argv[2]);
  long n = atol(argv[3]);
  double *x = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  by_options((struct options){copies, passes}, n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
