// function: plane_sums
// sizes: p=4 n=12 m=16; p=7 n=5 m=32
// A three-dimensional array of variable length with three different extents, reduced over its first one.
void plane_sums(int p, int n, int m, float T[p][n][m], float S[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int k = 0; k < p; k++)
        s += T[k][i][j];
      S[i][j] = s;
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long p = atol(argv[1]);
  long n = atol(argv[2]);
  long m = atol(argv[3]);
  float *T = aligned_alloc(64, ((p * n * m) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (p * n * m); i++) T[i] = (i * 7 + 3) % 11 + 1;
  float *S = aligned_alloc(64, ((n * m) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) S[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  plane_sums(p, n, m, (void *)T, (void *)S);
  trace_stop();
  free(T);
  free(S);
  return 0;
}
#endif
