#include <stdbool.h>
#include <stdlib.h>

// Two flags choose one of the nests, as in a product of matrices that may be transposed.
void product(int ta, int tb, int n, const double *restrict b, double *restrict c) {
  if (!ta && !tb) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) c[i * n + j] += b[i * n + j];
  } else {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) c[i * n + j] += b[j * n + i];
  }
}

// Nothing that is accessed depends on m, but that it is at least 1 decides the branch.
void cleared(int n, int m, double *restrict a) {
  double *unused = malloc(m * sizeof(double));
  if (m == 0) return;
  for (int i = 0; i < n; i++) a[i] = 1.0;
  free(unused);
}

// A truth value is 0 or 1.
void scale(bool twice, int n, double *restrict a) {
  for (int i = 0; i < n; i++) a[i] *= 2.0;
  if (twice)
    for (int i = 0; i < n; i++) a[i] *= 2.0;
}
