// function: reduce
// sizes: n=10 m=20 l=32; n=3 m=5 l=16
// flags: --registers none
// Every variable in its slot on the stack: counters, bounds, the sum, and the pointers to the arrays.
int reduce(int n, int m, int l, int A[m][l], int arr[n]) {
  int result = 0;
  for (int i = 0; i < n; i++) {
    arr[i] = 0;
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        arr[i] += A[j][k];
    result += arr[i];
  }
  return result;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]), l = atoi(argv[3]);
  int *A = aligned_alloc(64, (m * l * sizeof(int) + 64) / 64 * 64);
  for (int i = 0; i < m * l; i++) A[i] = i % 7;
  int *arr = aligned_alloc(64, (n * sizeof(int) + 64) / 64 * 64);
  trace_start();
  int result = reduce(n, m, l, (void *)A, arr);
  trace_stop();
  free(A);
  free(arr);
  return result < 0;
}
#endif
