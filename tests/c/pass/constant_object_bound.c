// function: fill_table
// sizes:
// The bound is a constant object of the file, for which the compiler puts its value.
static const int count = 200;

_Alignas(64) double table[256];

void fill_table(void) {
  for (int i = 0; i < count; i++)
    table[i] = 0.5 * i;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  fill_table();
  trace_stop();
  return 0;
}
#endif
