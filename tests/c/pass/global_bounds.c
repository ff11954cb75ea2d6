// function: relax
// sizes: first=1 last=9; first=3 last=16
// Bounds are globals that another function sets, counters are local ones, with names that differ from those of the bounds.
static int first, last;
static double state[20][24][8], change[20][24][8];

void relax(void) {
  int i, j, m;
  for (j = first; j < last; j++)
    for (i = first; i < last; i++)
      for (m = 0; m < 8; m++)
        change[j][i][m] = change[j][i][m] + state[j][i][m] - state[j - 1][i][m];
  for (j = last - 1; j >= first; j--)
    for (i = last - 1; i >= first; i--)
      for (m = 0; m < 8; m++)
        state[j][i][m] -= change[j + 1][i][m];
}

void setup(int from, int to) {
  first = from;
  last = to;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  setup(atoi(argv[1]), atoi(argv[2]));
  trace_start();
  relax();
  trace_stop();
  return 0;
}
#endif
