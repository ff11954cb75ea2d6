// function: smooth
// sizes: n=24 m=16; n=16 m=40
// flags: -- -fopenmp
// Compiled with OpenMP the loops would be functions that the runtime calls; they are read as without it.
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
#endif

void smooth(int n, int m, double u[n][m], double v[n][m], double *restrict partial) {
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
#pragma omp for schedule(static)
    for (int i = 1; i < n - 1; i++)
      for (int j = 0; j < m; j++)
        v[i][j] = u[i - 1][j] + u[i + 1][j];
    partial[8 * thread] = v[1][0];
  }
  double s = 0.0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += u[i][0];
  partial[1] = s;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *u = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  double *v = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  double *partial = aligned_alloc(64, 64);
  for (long i = 0; i < n * m; i++) u[i] = v[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  smooth(n, m, (void *)u, (void *)v, partial);
  trace_stop();
  free(u);
  free(v);
  free(partial);
  return 0;
}
#endif
