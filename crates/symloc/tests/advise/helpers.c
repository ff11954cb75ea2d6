/* Helper functions of numbers, one of them with a condition. */
static inline double square(double v) { return v * v; }
static double larger(double a, double b) { return a > b ? a : square(b); }
void distances(int n, const double *restrict p, double *restrict d)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            d[i * n + j] = larger(square(p[i * n + j]), p[i * n + j] - 1.0);
}
