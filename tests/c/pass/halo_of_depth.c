// function: mirror_halo_
// sizes: x_min=1 x_max=12 depth=1; x_min=1 x_max=12 depth=2; x_min=2 x_max=20 depth=1
// Ghost cells as deep as a size, in rows that begin two elements before the first cell: that the row is long enough is a condition.
#define AT(i, j) ((x_max + 4) * ((j) - (-1)) + (i) - (x_min - 2))

void mirror_halo_(const int *restrict xmin, const int *restrict xmax, const int *restrict dpth, double *restrict field) {
  int x_min = *xmin, x_max = *xmax, depth = *dpth;
  for (int i = x_min - depth; i <= x_max + depth; i++)
    for (int k = 1; k <= depth; k++) field[AT(i, 1 - k)] = field[AT(i, 0 + k)];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  _Alignas(64) int x_min = atoi(argv[1]);
  _Alignas(64) int x_max = atoi(argv[2]);
  _Alignas(64) int depth = atoi(argv[3]);
  double *field = memset(aligned_alloc(64, 4096), 0, 4096);
  trace_start();
  mirror_halo_(&x_min, &x_max, &depth, field);
  trace_stop();
  free(field);
  return 0;
}
#endif
