// flags: --parallel marked -- -Wno-unknown-attributes
// function: scale
// Schedules that depend on time, and one that is not known; tiles that are shared, not iterations; a directive in an
// attribute.
void scale(int n, int c, double x[restrict n]) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    x[i] = 1.0;
#pragma omp parallel for schedule(static, c)
  for (int i = 0; i < n; i++)
    x[i] *= 2.0;
#pragma omp parallel for
#pragma omp tile sizes(4)
  for (int i = 0; i < n; i++)
    x[i] *= 3.0;
  [[omp::directive(parallel for)]]
  for (int i = 0; i < n; i++)
    x[i] *= 4.0;
}
