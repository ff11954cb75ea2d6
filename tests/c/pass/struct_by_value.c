// function: sum_view
// sizes: n=64; n=90
// A small structure of pointer and length, passed and returned by value.
struct view {
  double *at;
  long length;
};

static struct view tail(struct view v) {
  struct view t = {v.at + 1, v.length - 1};
  return t;
}

static double sum(struct view v) {
  double s = 0.0;
  for (long i = 0; i < v.length; i++)
    s += v.at[i];
  return s;
}

double sum_view(double *data, long n) {
  struct view all = {data, n};
  return sum(all) + sum(tail(all));
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *data = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) data[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  sum_view(data, n);
  trace_stop();
  free(data);
  return 0;
}
#endif
