/* The largest element of each column, on and below the diagonal, as an elimination looks for its pivots. */
void pivots(int n, int ld, const double *restrict a, double *restrict largest)
{
    for (int k = 0; k < n; k++) {
        double most = a[k * ld + k];
        for (int i = k + 1; i < n; i++) {
            double value = a[i * ld + k];
            most = value > most ? value : most;
        }
        largest[k] = most;
    }
}
