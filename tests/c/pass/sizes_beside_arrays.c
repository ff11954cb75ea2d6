// function: relax
// sizes: g=24; g=3
// A size and a pointer in the structure whose arrays are written; a sum beside its number of terms.
struct grid {
  int n;
  double h;
  double *u;
  double rhs[64];
};

struct sum {
  long count;
  double total;
};

static void add(struct sum *s, const double *restrict u) {
  s->total = 0;
  for (long i = 0; i < s->count; i++)
    s->total += u[i];
}

double relax(struct grid *restrict g) {
  for (int i = 1; i < g->n - 1; i++)
    g->u[i] = g->h * g->rhs[i];
  for (int i = 1; i < g->n - 1; i++)
    g->rhs[i] = g->u[i - 1] + g->u[i + 1];
  struct sum s = {g->n, 0};
  add(&s, g->u);
  return s.total;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  struct grid *g = aligned_alloc(64, (sizeof(struct grid) + 63) / 64 * 64);
  g->u = aligned_alloc(64, (n * sizeof(double) + 63) / 64 * 64);
  g->n = n;
  g->h = 0.5;
  for (int i = 0; i < n; i++) g->u[i] = g->rhs[i] = i;
  trace_start();
  double total = relax(g);
  trace_stop();
  free(g->u);
  free(g);
  return total < 0;
}
#endif
