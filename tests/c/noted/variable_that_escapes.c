// function: kernel
// One of two variables has an address that others know: it stays in memory, and is written where it is chosen, and there alone.
int *g;

void kernel(int n, int m, double *restrict a) {
  int x = 0, y = 7;
  g = &x;
  for (int i = 0; i < n; i++) {
    int *r = i < m ? &x : &y;
    *r = i;
    a[8 * i] += 1;
  }
}
