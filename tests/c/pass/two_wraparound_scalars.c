// function: smooth3
// sizes:
// Two scalars that lag one and two steps behind, wrapping around at the start.
#define N 4096

_Alignas(64) double a[N], b[N];

void smooth3(void) {
  int prev = N - 1, before = N - 2;
  for (int i = 0; i < N; i++) {
    a[i] = (b[i] + b[prev] + b[before]) * .333;
    before = prev;
    prev = i;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  smooth3();
  trace_stop();
  return 0;
}
#endif
