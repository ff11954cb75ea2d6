// function: livermore
// sizes: n=24; n=9
// Counters, a size and a sum of sizes are variables outside functions; each use of them is an access.
int i, j, n, last;
long done;
static double a[40][40], b[40][40];

void livermore(void) {
  last = n - 1;
  for (i = 1; i < last; i++)
    for (j = 1; j < n; j += 2)
      a[i][j] = b[i][j] + b[i - 1][j];
  for (i = n; i-- > 0;)
    b[i][0] = a[i][i];
  done++;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  n = atoi(argv[1]);
  trace_start();
  livermore();
  trace_stop();
  return 0;
}
#endif
