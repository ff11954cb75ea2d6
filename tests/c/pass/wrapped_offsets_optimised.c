// function: smooth
// flags: --registers optimized
// sizes:
// An optimiser writes `(i - 1) * 64` as `(i + 288230376151711743) << 6`, which is the same in 64 bits.
#define AT(i, j, k) (((i) * 8 + (j)) * 16 + (k))

void smooth(const int *restrict a, int *restrict b) {
  for (int i = 1; i < 7; i++)
    for (int j = 1; j < 7; j++)
      for (int k = 1; k < 15; k++)
        b[AT(i, j, k)] = a[AT(i, j, k + 1)] + a[AT(i, j, k - 1)] + a[AT(i, j + 1, k)] + a[AT(i, j - 1, k)] +
                         a[AT(i + 1, j, k)] + a[AT(i - 1, j, k)];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  size_t bytes = 8 * 8 * 16 * sizeof(int);
  int *a = memset(aligned_alloc(64, bytes), 0, bytes), *b = memset(aligned_alloc(64, bytes), 0, bytes);
  trace_start();
  smooth(a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
