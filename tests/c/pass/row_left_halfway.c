// function: windows
// sizes: n=7; n=11
// A window over rows of 16 elements begins in one row and ends in the next: the subscript is divided by 16.
double a[16][16], s[16];

void windows(int n) {
  for (int i = 0; i < n; i++) {
    double *row = a[i];
    for (int j = 0; j < 12; j++)
      for (int k = 0; k < 10; k++)
        s[i] += row[j + k];
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
  windows(n);
  trace_stop();
  return 0;
}
#endif
