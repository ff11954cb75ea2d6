// function: upwards
// sizes: n=9; n=16
// Rows of 16 elements, of which the first n are in use: that there are as many is a condition of the model.
double a[10][16], b[10][16];

void upwards(int n) {
  for (int i = 1; i < 10; i++) {
    double *row = b[i];
    for (int j = 0; j < n; j++)
      a[i][j] = row[j - 16] + a[i - 1][n - 1 - j];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  trace_start();
  upwards(n);
  trace_stop();
  return 0;
}
#endif
