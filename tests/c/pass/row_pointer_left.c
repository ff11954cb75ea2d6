// function: columns
// A pointer to a row goes on into the rows before and behind it.
double a[12][24], b[12][24];

void columns(void) {
  for (int i = 1; i < 11; i++) {
    double *row = b[i];
    for (int j = 0; j < 24; j++)
      a[i][j] = row[j] + row[j - 24] + row[j + 24];
    a[i][0] += row[-1] + row[24];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 1) return 2;
  trace_start();
  columns();
  trace_stop();
  return 0;
}
#endif
