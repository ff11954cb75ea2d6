// function: mirror_fields
// sizes: on=1 on_4=1 on_8=1 on_12=1 on_16=1 on_20=1 n=19; on=0 on_4=1 on_8=0 on_12=2 on_16=1 on_20=-1 n=24
// Six fields, each mirrored if its flag in memory is set: with a case for each combination of flags this takes long.
#define MIRROR(k, field)                                                                                               \
  if (on[k] == 1)                                                                                                      \
    for (int i = 0; i < n; i++) field[i] = field[2 * n - i]

void mirror_fields(const int *restrict on, int n, double *restrict a, double *restrict b, double *restrict c,
                   double *restrict d, double *restrict e, double *restrict f) {
  MIRROR(0, a);
  MIRROR(1, b);
  MIRROR(2, c);
  MIRROR(3, d);
  MIRROR(4, e);
  MIRROR(5, f);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 8) return 2;
  int *on = aligned_alloc(64, 64);
  for (int k = 0; k < 6; k++) on[k] = atol(argv[k + 1]);
  long n = atol(argv[7]);
  double *fields[6];
  for (int k = 0; k < 6; k++) {
    fields[k] = aligned_alloc(64, ((2 * n + 1) * sizeof(double) + 64) / 64 * 64);
    for (long i = 0; i <= 2 * n; i++) fields[k][i] = (i * 7 + 3) % 11 + 1;
  }
  trace_start();
  mirror_fields(on, n, fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]);
  trace_stop();
  for (int k = 0; k < 6; k++) free(fields[k]);
  free(on);
  return 0;
}
#endif
