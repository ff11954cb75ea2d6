// function: crossing
// sizes:
// Reads from the far end while writing from the near end: the two meet in the middle.
#define LEN 6000

_Alignas(64) float a[LEN], b[LEN];

void crossing(void) {
  for (int i = 0; i < LEN; i++)
    a[i] = a[LEN - i - 1] + b[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  crossing();
  trace_stop();
  return 0;
}
#endif
