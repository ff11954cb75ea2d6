// function: diagonal_sweep
// sizes:
// Diagonals of a global matrix, and a one-dimensional array read by the same counters.
#define SIDE 192

_Alignas(64) static float aa[SIDE][SIDE];
_Alignas(64) static float a[2 * SIDE];

void diagonal_sweep(void) {
  for (int i = 0; i < SIDE; i++)
    aa[i][i] += a[i];
  for (int d = 0; d < SIDE; d++)
    for (int i = 0; i < SIDE - d; i++)
      aa[i][i + d] = a[d + 2 * i >= SIDE ? d : i] * 2.0f;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  diagonal_sweep();
  trace_stop();
  return 0;
}
#endif
