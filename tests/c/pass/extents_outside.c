// function: smooth
// sizes: extent=9 extent_4=8; extent=20 extent_4=24
// Extents that stand in an array outside functions, as in the NAS benchmarks in C.
_Alignas(64) int extent[2];
_Alignas(64) double field[32][32], change[32][32];

void smooth(void) {
  for (int i = 1; i < extent[0] - 1; i++)
    for (int j = 0; j < extent[1]; j++)
      field[i][j] += 0.5 * change[i][j] + change[i - 1][j];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  for (int i = 0; i < 2; i++) extent[i] = atoi(argv[i + 1]);
  trace_start();
  smooth();
  trace_stop();
  return 0;
}
#endif
