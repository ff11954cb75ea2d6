// function: peeled
// sizes:
// The first step is special and the loop itself tests for it.
#define LEN 10000

_Alignas(64) float a[LEN], b[LEN];

void peeled(void) {
  for (int i = 0; i < LEN; i++) {
    if (i == 0)
      a[0] = b[LEN - 1];
    else
      a[i] = b[i] + b[i - 1];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  peeled();
  trace_stop();
  return 0;
}
#endif
