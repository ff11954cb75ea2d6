// function: norm
// sizes:
// A loop over the elements of a global array, by pointers behind the scenes.
alignas(64) static double values[500];

extern "C" double norm() {
  double s = 0.0;
  for (double &v : values)
    v += 1.0;
  for (const double v : values)
    s += v * v;
  return s;
}

#ifdef TRACED
#include <stdlib.h>

extern "C" void trace_start(void);
extern "C" void trace_stop(void);

int main(void) {
  trace_start();
  norm();
  trace_stop();
  return 0;
}
#endif
