// function: interchange
// Which row is the pivot depends on data; the user may say that it is the first, or the last.
#include <math.h>

void interchange(int n, double a[restrict n][n], double y[restrict n]) {
  for (int j = 0; j < n; j++) {
    int pivot = j;
    double best = fabs(a[j][j]);
    for (int i = j + 1; i < n; i++) {
      if (fabs(a[i][j]) > best) {
        best = fabs(a[i][j]);
        pivot = i;
      }
    }
    double t = y[pivot];
    y[pivot] = y[j];
    y[j] = t;
  }
}
