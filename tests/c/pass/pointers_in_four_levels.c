// function: swap_ends
// sizes: n=4; n=5
// Four levels of pointers, of which all but the last are met at fixed numbers first, in a structure.
struct field {
  long kind;
  double ****at;
};

void swap_ends(int n, struct field *f) {
  for (int l = 0; l < n; l++)
    f->at[0][1][2][l] += f->at[1][0][0][l];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          f->at[i][j][k][l] += f->at[i][0][k][l];
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
  double ****at = zeros(n * sizeof(double ***));
  for (long i = 0; i < n; i++) {
    at[i] = zeros(n * sizeof(double **));
    for (long j = 0; j < n; j++) {
      at[i][j] = zeros(n * sizeof(double *));
      for (long k = 0; k < n; k++) at[i][j][k] = zeros(n * sizeof(double));
    }
  }
  struct field *f = zeros(sizeof *f);
  f->at = at;
  trace_start();
  swap_ends(n, f);
  trace_stop();
  return 0;
}
#endif
