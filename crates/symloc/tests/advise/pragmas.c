/* Pragmas for parallel loops, which are about the loops as written. */
void relax(int n, double *restrict a, const double *restrict b)
{
    #pragma omp parallel for \
        schedule(static)
    // columns
    for (int j = 1; j < n - 1; j++) {
#pragma omp simd
        for (int i = 1; i < n - 1; i++)
            a[i * n + j] = 0.25 * (b[(i - 1) * n + j] + b[(i + 1) * n + j] + b[i * n + j - 1] + b[i * n + j + 1]);
    }
}
