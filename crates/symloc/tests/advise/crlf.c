/* Lines that end with carriage returns. */
void product(const int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; j++) {
        y[j] = 0; // column
        for (int i = 0; i < n; i++)
            y[j] += A[i * n + j]
                * x[i];
    }
}
