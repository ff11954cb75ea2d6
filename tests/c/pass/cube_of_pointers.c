// function: border
// sizes: n=8; n=11
// Three levels of pointers; planes, rows and elements of a fixed number are some of all.
void border(int n, double ***restrict u) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        u[i][j][k] += 1;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      u[0][j][k] = u[1][j][k];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      u[i][0][k] = u[i][1][k] + u[0][0][k];
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
  long n = atol(argv[1]);
  double ***u = zeros(n * sizeof(double **));
  for (long i = 0; i < n; i++) {
    u[i] = zeros(n * sizeof(double *));
    for (long j = 0; j < n; j++) u[i][j] = zeros(n * sizeof(double));
  }
  trace_start();
  border(n, u);
  trace_stop();
  return 0;
}
#endif
