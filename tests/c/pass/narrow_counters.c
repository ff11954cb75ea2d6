// function: narrow
// sizes:
// Counters of eight and sixteen bits, which never reach the end of their types.
_Alignas(64) double table[100][64];

void narrow(void) {
  for (short i = 0; i < 100; i++)
    for (unsigned char j = 0; j < 64; j++)
      table[i][j] = i * 0.5 + j;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  narrow();
  trace_stop();
  return 0;
}
#endif
