// flags: --parallel marked --ignore-calls other
// function: scale
// Accesses that every thread makes, a call by every thread, a task, a critical section, and a loop whose region is elsewhere.
void other(void);

void scale(int n, double A[restrict n][n], double x[restrict n]) {
#pragma omp parallel
  {
    x[0] = 2.0;
#pragma omp for
    for (int i = 0; i < n; i++)
      A[i][i] *= 2.0;
    other();
  }
#pragma omp for
  for (int i = 0; i < n; i++)
    x[i] = 1.0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    x[0] += A[i][0];
  }
#pragma omp task
  x[1] = 1.0;
}
