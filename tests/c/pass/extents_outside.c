// function: smooth
// sizes: extent=9 extent_4=8 extent_8=7; extent=3 extent_4=5 extent_8=16
// Extents that stand in an array outside functions, as in the NAS benchmarks in C.
_Alignas(64) int extent[3];
_Alignas(64) double field[16][16][16][8], change[16][16][16][8];

void smooth(void) {
  for (int i = 1; i < extent[0] - 1; i++)
    for (int j = 1; j < extent[1] - 1; j++)
      for (int k = 1; k < extent[2] - 1; k++)
        for (int m = 0; m < 8; m++)
          field[i][j][k][m] += 0.5 * change[i][j][k][m] + change[i - 1][j][k][m];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  for (int i = 0; i < 3; i++) extent[i] = atoi(argv[i + 1]);
  trace_start();
  smooth();
  trace_stop();
  return 0;
}
#endif
