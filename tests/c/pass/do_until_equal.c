// function: until
// sizes: n=24 m=5; n=9 m=8; n=200 m=3
// The only condition that ends the loop is met if it starts below its end, which becomes a condition of the model.
void until(int n, int m, double *restrict a) {
  int y = m;
  do {
    a[y] += 1;
    y++;
  } while (y != n);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  double *a = aligned_alloc(64, 256 * sizeof(double));
  for (int i = 0; i < 256; i++) a[i] = i;
  trace_start();
  until(atoi(argv[1]), atoi(argv[2]), a);
  trace_stop();
  return 0;
}
#endif
