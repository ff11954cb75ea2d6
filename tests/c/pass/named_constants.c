// function: named
// sizes:
// Extents from a macro, an enumeration, a local constant and sizeof.
#define ROWS 24
enum { COLS = 64 };

_Alignas(64) static float grid[ROWS][COLS];
_Alignas(64) static float total[COLS];

void named(void) {
  const int skip = 2;
  for (int i = skip; i < ROWS; i++)
    for (int j = 0; j < (int)(sizeof grid[0] / sizeof grid[0][0]); j++)
      total[j] += grid[i - skip][j];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  named();
  trace_stop();
  return 0;
}
#endif
