// function: clear_all
// sizes:
// A matrix of constant extents seen as one flat array.
_Alignas(64) double grid[40][64];

void clear_all(void) {
  double *flat = &grid[0][0];
  for (int k = 0; k < 40 * 64; k++)
    flat[k] = 0.0;
  for (int i = 0; i < 40; i++)
    grid[i][i] = 1.0;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  clear_all();
  trace_stop();
  return 0;
}
#endif
