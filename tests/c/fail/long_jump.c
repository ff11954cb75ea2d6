// function: guarded
// setjmp may return a second time, so the order of accesses is not what the source says.
#include <setjmp.h>

static jmp_buf back;

void guarded(int n, double *a) {
  if (setjmp(back)) return;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) longjmp(back, 1);
    a[i] += 1.0;
  }
}
