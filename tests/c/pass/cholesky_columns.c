// function: factor
// sizes: n=13 lda=16; n=24 lda=24
// A column-major factorisation with a leading dimension: sums down two columns.
void factor(int n, double *a, int lda) {
  for (int j = 0; j < n; j++) {
    double s = 0.0;
    for (int k = 0; k < j; k++)
      s += a[k + j * lda] * a[k + j * lda];
    a[j + j * lda] -= s;
    for (int i = j + 1; i < n; i++) {
      double t = 0.0;
      for (int k = 0; k < j; k++)
        t += a[k + j * lda] * a[k + i * lda];
      a[j + i * lda] = (a[j + i * lda] - t) / a[j + j * lda];
    }
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int n = atoi(argv[1]), lda = atoi(argv[2]);
  double *a = aligned_alloc(64, ((size_t)lda * n * sizeof(double) + 63) / 64 * 64);
  for (int i = 0; i < lda * n; i++) a[i] = i % 7 + 1;
  trace_start();
  factor(n, a, lda);
  trace_stop();
  free(a);
  return 0;
}
#endif
