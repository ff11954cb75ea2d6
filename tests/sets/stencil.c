/* Four neighbours, column by column: the order in which sets conflict. */
void stencil(int n, int m, const double a[restrict n][m], double b[restrict n][m])
{
    for (int j = 1; j < m - 1; j++)
        for (int i = 1; i < n - 1; i++)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
