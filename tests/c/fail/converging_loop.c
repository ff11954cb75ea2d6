// function: power_iteration
// The loop goes on until a computed error is small, so the number of steps depends on data.
#include <math.h>

int power_iteration(int n, const double *a, double *x) {
  int steps = 0;
  double error = 1.0;
  while (error > 1e-9) {
    error = 0.0;
    for (int i = 0; i < n; i++) {
      double next = 0.5 * (x[i] + a[i] / x[i]);
      error += fabs(next - x[i]);
      x[i] = next;
    }
    steps++;
  }
  return steps;
}
