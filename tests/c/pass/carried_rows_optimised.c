// function: smooth
// flags: --registers optimized
// Constant rows: an optimiser writes `b[i - 1][j]` as `b[i][j - 32]`, which lies in the row before.
double a[20][32], b[20][32];

void smooth(void) {
  for (int i = 1; i < 19; i++)
    for (int j = 1; j < 31; j++)
      a[i][j] = b[i][j] + b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 1) return 2;
  trace_start();
  smooth();
  trace_stop();
  return 0;
}
#endif
