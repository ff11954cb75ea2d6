// function: heat
// sizes: rows=8 columns=8; rows=5 columns=16
// Corners come first, then edges, then the rest: what is left of the row and the column follows from the order of the tests.
void heat(int rows, int columns, const double *restrict t, double *restrict out) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      double sum;
      if (r == 0 && c == 0)
        sum = t[1] + t[columns];
      else if (r == 0 && c == columns - 1)
        sum = t[c - 1] + t[c + columns];
      else if (r == rows - 1 && c == columns - 1)
        sum = t[r * columns + c - 1] + t[(r - 1) * columns + c];
      else if (r == rows - 1 && c == 0)
        sum = t[r * columns + 1] + t[(r - 1) * columns];
      else if (r == 0)
        sum = t[c + 1] + t[c - 1] + t[columns + c];
      else if (c == columns - 1)
        sum = t[(r + 1) * columns + c] + t[(r - 1) * columns + c] + t[r * columns + c - 1];
      else if (r == rows - 1)
        sum = t[r * columns + c + 1] + t[r * columns + c - 1] + t[(r - 1) * columns + c];
      else if (c == 0)
        sum = t[(r + 1) * columns] + t[(r - 1) * columns] + t[r * columns + 1];
      else
        sum = t[(r + 1) * columns + c] + t[(r - 1) * columns + c] + t[r * columns + c + 1] + t[r * columns + c - 1];
      out[r * columns + c] = t[r * columns + c] + sum;
    }
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int rows = atoi(argv[1]), columns = atoi(argv[2]);
  size_t bytes = (rows * columns * sizeof(double) + 63) / 64 * 64;
  double *t = memset(aligned_alloc(64, bytes), 0, bytes), *out = memset(aligned_alloc(64, bytes), 0, bytes);
  trace_start();
  heat(rows, columns, t, out);
  trace_stop();
  free(t);
  free(out);
  return 0;
}
#endif
