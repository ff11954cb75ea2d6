// function: between
// A pointer to a plane goes into the plane before, and its rows into the row before.
double c[6][8][16], d[6][8][16];

void between(void) {
  for (int i = 1; i < 6; i++) {
    double(*plane)[16] = c[i];
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 16; k++)
        d[i][j][k] = plane[j][k] + plane[j - 8][k] + plane[j][k - 16];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 1) return 2;
  trace_start();
  between();
  trace_stop();
  return 0;
}
#endif
