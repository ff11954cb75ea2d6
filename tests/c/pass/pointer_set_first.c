// function: shift
// sizes: task_4=24; task_4=43
// flags: --assume-noalias
// A global pointer that is set once, at the start; sizes behind two pointers that nothing writes to.
struct sizes { int first, count; };
struct task { struct sizes *sizes; double *data; };

double *shifted;

void shift(struct task *task, double *a) {
  shifted = a + 4;
  for (int i = 0; i < task->sizes->count; i++)
    shifted[i] = a[i] + task->data[i];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  return memset(aligned_alloc(64, bytes), 0, bytes);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  _Alignas(64) struct sizes sizes = {0, n};
  _Alignas(64) struct task task = {&sizes, zeros(n * sizeof(double))};
  trace_start();
  shift(&task, zeros((n + 4) * sizeof(double)));
  trace_stop();
  return 0;
}
#endif
