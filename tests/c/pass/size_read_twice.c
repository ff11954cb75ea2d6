// function: columns
// sizes: n=3 lda=8; n=1 lda=8
// flags: --assume 'lda = 8'
// A size behind a pointer that is read twice, once into a variable with another name: its value is given by its own name.
void columns(int n, double *restrict a, const int *restrict lda) {
  int end = n * *lda, step = *lda;
  for (int i = 0; i < end; i += step) a[i] *= 2.0;
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static _Alignas(64) int length[16];

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int n = atoi(argv[1]);
  length[0] = atoi(argv[2]);
  double *a = memset(aligned_alloc(64, 4096), 0, 4096);
  trace_start();
  columns(n, a, length);
  trace_stop();
  free(a);
  return 0;
}
#endif
