// function: through_pointers
// sizes: n=24; n=64; n=100
// Pointers that the source sets for good: their targets are the arrays that it names.
static double values[4][104];
static double *first = values[0];
static double *const rows[2] = {values[1], values[3] + 8};
static struct {
  int length;
  double *from, *to;
} copy = {3, values[2], values[0]};

void through_pointers(int n) {
  for (int i = 0; i < n; i++) values[0][i] = 1;
  for (int i = 0; i < n; i++) first[i] += 2;
  for (int i = 0; i < n - 8; i++) rows[1][i] += rows[0][i];
  for (int i = 0; i < n; i++) copy.to[i] = copy.from[i];
  for (int i = 0; i < n; i++) values[3][i] = 0;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  trace_start();
  through_pointers(atol(argv[1]));
  trace_stop();
  return 0;
}
#endif
