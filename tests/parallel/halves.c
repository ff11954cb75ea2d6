// Loops whose numbers of iterations are halves and sums of sizes; chunks that a macro tells.
#define CHUNK 4

void halves(int n, int m, double x[n], double y[m], double z[n + m]) {
#pragma omp parallel for
  for (int i = 0; i < n / 2; i++)
    x[2 * i] = x[2 * i + 1];
#pragma omp parallel for schedule(static, CHUNK)
  for (int i = 0; i < n + m; i++)
    z[i] = 1.0;
#pragma omp parallel for
  for (int i = 0; i < m; i++)
    y[i] = z[i] + z[i + n];
#pragma omp parallel for
  for (int i = 0; i < 5; i++)
    y[i] += x[0];
}
