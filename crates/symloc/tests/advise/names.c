/* Variables of the same name in two nests and behind them, one of another type; several declared at once. */
double sums(int n, double (*a)[n], double (*b)[n], double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0, t = 1;
        for (int j = 0; j < n; j++) s += a[j][i] * t;
        x[i] += s;
    }
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) s += b[j][i];
        y[i] += s;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double s = a[i][j] + x[i];
            b[i][j] += s * s;
        }
    double s = x[0] + y[0];
    return s;
}
