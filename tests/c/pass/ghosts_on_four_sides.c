// function: mirror_sides_
// sizes: x_min=1 x_max=12 y_min=1 y_max=6 depth=2; x_min=1 x_max=20 y_min=2 y_max=5 depth=1; x_min=2 x_max=12 y_min=2 y_max=3 depth=1
// Ghost cells on all sides of a field, in rows that begin two elements before the first cell: a column that may be in its row is, not in the
// row before.
#define AT(i, j) ((x_max + 4) * ((j) - (y_min - 2)) + (i) - (x_min - 2))

void mirror_sides_(const int *restrict xmin, const int *restrict xmax, const int *restrict ymin, const int *restrict ymax,
                   const int *restrict dpth, double *restrict field) {
  int x_min = *xmin, x_max = *xmax, y_min = *ymin, y_max = *ymax, depth = *dpth;
  for (int i = x_min - depth; i <= x_max + depth; i++)
    for (int k = 1; k <= depth; k++) field[AT(i, 1 - k)] = field[AT(i, 0 + k)];
  for (int i = x_min - depth; i <= x_max + depth; i++)
    for (int k = 1; k <= depth; k++) field[AT(i, y_max + k)] = field[AT(i, y_max + 1 - k)];
  for (int k = y_min - depth; k <= y_max + depth; k++)
    for (int i = 1; i <= depth; i++) field[AT(1 - i, k)] = field[AT(0 + i, k)];
  for (int k = y_min - depth; k <= y_max + depth; k++)
    for (int i = 1; i <= depth; i++) field[AT(x_max + i, k)] = field[AT(x_max + 1 - i, k)];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static _Alignas(64) int bounds[5][16];

int main(int argc, char **argv) {
  if (argc < 6) return 2;
  for (int i = 0; i < 5; i++) bounds[i][0] = atoi(argv[i + 1]);
  double *field = memset(aligned_alloc(64, 4096), 0, 4096);
  trace_start();
  mirror_sides_(bounds[0], bounds[1], bounds[2], bounds[3], bounds[4], field);
  trace_stop();
  free(field);
  return 0;
}
#endif
