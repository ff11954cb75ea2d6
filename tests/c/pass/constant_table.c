// function: reorder
// sizes: n=24; n=7
// Tables of constants say which elements are taken: reading one is an access.
_Alignas(64) static const int order[4] = {0, 2, 1, 3};
_Alignas(64) static const short pairs[2][2] = {{3, 0}, {1, 2}};

void reorder(int n, double a[n][4], double b[n][4]) {
  for (int i = 0; i < n; i++) {
    b[i][0] = a[i][order[1]] + a[i][order[0]];
    b[i][1] = a[i][pairs[1][0]] + a[i][pairs[0][1]];
  }
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
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  double *a = zeros(n * 4 * sizeof(double)), *b = zeros(n * 4 * sizeof(double));
  trace_start();
  reorder(n, (double (*)[4])a, (double (*)[4])b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
