// function: reordered
// sizes:
// A statement reads an element that the other statement writes one step later, so order matters.
enum { LEN = 8000 };

_Alignas(64) float a[LEN], b[LEN], c[LEN], d[LEN];

void reordered(void) {
  for (int i = 1; i < LEN - 1; i++) {
    a[i] = b[i - 1] + c[i] * d[i];
    b[i] = b[i + 1] - c[i] * 0.5f;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  reordered();
  trace_stop();
  return 0;
}
#endif
