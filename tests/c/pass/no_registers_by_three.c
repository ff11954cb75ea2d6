// function: every_third
// sizes: n=24; n=26; n=7
// flags: --registers none
// The counter is read once more behind its last step, which may jump over the end; 5 is none of its values.
void every_third(int n, double *a) {
  for (int i = 0; i < n; i += 3) {
    if (i == 5) break;
    a[i] = 0.0;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (int i = 0; i < n; i++) a[i] = i;
  trace_start();
  every_third(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
