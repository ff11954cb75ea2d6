// function: eliminate
// sizes:
// Two-dimensional global arrays, a triangular loop and a recurrence along the columns.
#define LEN2 128

_Alignas(64) float aa[LEN2][LEN2], bb[LEN2][LEN2];

void eliminate(void) {
  for (int j = 1; j < LEN2; j++)
    for (int i = j; i < LEN2; i++)
      aa[i][j] = aa[i][j - 1] * 0.25f + bb[i][j];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(void) {
  trace_start();
  eliminate();
  trace_stop();
  return 0;
}
#endif
