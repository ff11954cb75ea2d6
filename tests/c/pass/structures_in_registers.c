// function: by_ranges
// sizes: n=24 m=8 low=3; n=32 m=16 low=1; n=40 m=8 low=4
// Structures of integers that are passed by value, two members in one register: some are constant, negative or counters.
struct range {
  int first, end;
};
struct backwards {
  int end, first;
};
struct grid {
  int planes, rows, columns;
};
struct view {
  double *data;
  int rows, columns;
};
struct part {
  short first, end;
  int step;
  double *data;
};

static void add(struct range range, double *x) {
  for (int i = range.first; i < range.end; i++) x[i + 2] += 1;
}
static void clear(struct backwards range, double *x) {
  for (int i = range.first; i < range.end; i++) x[i] = 0;
}
static double at(const double *x, struct range place) { return x[place.first * 2 + place.end]; }
static double first_of(struct grid grid, const double *x) {
  double sum = 0;
  for (int i = 0; i < grid.planes; i++)
    for (int j = 0; j < grid.rows; j++)
      for (int k = 0; k < grid.columns; k++) sum += x[(i * grid.rows + j) * 4 + k];
  return sum;
}
static void transpose(struct view to, struct view from) {
  for (int i = 0; i < from.rows; i++)
    for (int j = 0; j < from.columns; j++) to.data[j * to.columns + i] = from.data[i * from.columns + j];
}
static double sum_of(struct part part) {
  double sum = 0;
  for (int i = part.first; i < part.end; i += 1) sum += part.data[i * 2] * part.step;
  return sum;
}

void by_ranges(int n, int m, short low, double *x, double *restrict a, double *restrict b) {
  add((struct range){1, n - 1}, x);
  for (int t = 0; t < m; t++) add((struct range){2, 9}, x);
  add((struct range){-1, m}, x);
  add((struct range){low, 5}, x);
  clear((struct backwards){n, 3}, x);
  double sum = 0;
  for (int i = 0; i < m; i++) {
    sum += at(x, (struct range){i, 3});
    sum += at(x, (struct range){2, i});
    sum += at(x, (struct range){2, 5});
  }
  x[0] = sum;
  x[1] = first_of((struct grid){2, 4, m}, x);
  transpose((struct view){b, m, n}, (struct view){a, n, m});
  x[2] = sum_of((struct part){1, low, n, x});
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  long low = atol(argv[3]);
  double *x = aligned_alloc(64, 1024 * sizeof(double));
  for (long i = 0; i < 1024; i++) x[i] = i % 11;
  double *a = aligned_alloc(64, (n * m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n * m; i++) a[i] = i % 7;
  double *b = aligned_alloc(64, (n * m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n * m; i++) b[i] = i % 5;
  trace_start();
  by_ranges(n, m, low, x, a, b);
  trace_stop();
  free(x);
  free(a);
  free(b);
  return 0;
}
#endif
