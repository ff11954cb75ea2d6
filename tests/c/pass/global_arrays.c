// function: add_all
// sizes:
// Global arrays with constant extents, in the manner of vectoriser tests; no size at all.
#define LEN 32000

_Alignas(64) float a[LEN], b[LEN], c[LEN];

void add_all(void) {
  for (int i = 0; i < LEN; i++)
    a[i] = b[i] + c[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  add_all();
  trace_stop();
  return 0;
}
#endif
