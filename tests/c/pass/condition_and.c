// function: ordered_triples
// sizes: n=8; n=24
// A conjunction of affine conditions, evaluated with the usual short circuit.
double ordered_triples(int n, double T[n][n][n]) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if (i < j && j < k) s += T[i][j][k];
  return s;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *T = aligned_alloc(64, ((n * n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n * n); i++) T[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  ordered_triples(n, (void *)T);
  trace_stop();
  free(T);
  return 0;
}
#endif
