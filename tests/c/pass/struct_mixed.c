// function: weigh
// sizes: n=64; n=200
// Members of different types, so with padding between them; the loop walks by pointer to structure.
struct item {
  char kind;
  int count;
  double weight;
  float price;
};

double weigh(struct item *items, int n) {
  double total = 0.0;
  for (struct item *it = items; it < items + n; it++) {
    total += it->count * it->weight;
    it->price = (float)it->weight * 2.5f;
    it->kind = 'w';
  }
  return total;
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  struct item *items = aligned_alloc(64, (n * sizeof(struct item) + 64) / 64 * 64);
  memset(items, 0, n * sizeof(struct item));
  trace_start();
  weigh(items, n);
  trace_stop();
  free(items);
  return 0;
}
#endif
