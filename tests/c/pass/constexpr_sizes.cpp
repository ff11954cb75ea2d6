// function: smooth
// sizes: n=4; n=20
// Extents that are constant expressions, and an array by reference.
constexpr int half(int x) { return x / 2; }
constexpr int width = 2 * half(64);
using Row = float[width];

static void smooth_row(Row &row) {
  for (int j = 1; j < width - 1; ++j)
    row[j] = 0.5f * (row[j - 1] + row[j + 1]);
}

extern "C" void smooth(int n, float *a) {
  Row *rows = reinterpret_cast<Row *>(a);
  for (int i = 0; i < n; ++i)
    smooth_row(rows[i]);
}

#ifdef TRACED
#include <stdlib.h>

extern "C" void trace_start(void);
extern "C" void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *a = (float *)aligned_alloc(64, ((n * 64) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (n * 64); i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  smooth(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
