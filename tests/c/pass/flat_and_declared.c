// function: sum
// sizes: len=20; len=150
// Rows by their subscripts, and all elements by one pointer, which goes through the rows.
double a[10][16];

double sum(int len) {
  for (int j = 0; j < 16; j++)
    for (int i = 0; i < 10; i++)
      a[i][j] = i + j;
  double all = 0;
  double *p = &a[0][0];
  for (int k = 0; k < len; k++)
    all += p[k];
  return all;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long len = atol(argv[1]);
  trace_start();
  sum(len);
  trace_stop();
  return 0;
}
#endif
