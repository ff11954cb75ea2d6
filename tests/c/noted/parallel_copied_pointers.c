// flags: --parallel marked
// function: scale
// Of pointers in a clause each thread has a copy, but not of what they point to. The size of chunks may be a sum.
#define CHUNK (2 * 4)
void scale(int n, double *restrict x, const double *restrict y) {
#pragma omp parallel for firstprivate(x, y) schedule(static, CHUNK + 1)
  for (int i = 0; i < n; i++)
    x[i] = 2 * y[i];
}
