// function: pack_columns
// sizes: x_min=1 x_max=12 y_max=5 depth=8; x_min=2 x_max=20 y_max=2 depth=8
// Columns at an edge of a field are copied into a buffer: rows are as long as the text says, also where they would fit rows of x_max elements.
#define AT(i, j) ((x_max + 4) * (j) + (i) - (x_min - 2))

void pack_columns(int x_min, int x_max, int y_max, int depth, const double *restrict field, double *restrict buffer) {
  for (int k = 1; k <= y_max; k++)
    for (int i = 1; i <= depth; i++) buffer[(k - 1) * depth + i - 1] = field[AT(x_min + i - 1, k)];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  int x_min = atoi(argv[1]), x_max = atoi(argv[2]), y_max = atoi(argv[3]), depth = atoi(argv[4]);
  double *field = memset(aligned_alloc(64, 4096), 0, 4096);
  double *buffer = memset(aligned_alloc(64, 4096), 0, 4096);
  trace_start();
  pack_columns(x_min, x_max, y_max, depth, field, buffer);
  trace_stop();
  free(buffer);
  free(field);
  return 0;
}
#endif
