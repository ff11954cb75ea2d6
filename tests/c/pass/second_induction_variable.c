// function: gather_odd
// sizes:
// A second counter k runs two elements for each element of j.
#define LEN 16000

_Alignas(64) static float a[LEN];
_Alignas(64) static float b[LEN];

void gather_odd(void) {
  int k = -1;
  for (int j = 0; j < LEN / 2; j++) {
    k += 2;
    a[j] += b[k];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  gather_odd();
  trace_stop();
  return 0;
}
#endif
