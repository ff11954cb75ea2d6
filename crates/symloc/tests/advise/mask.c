/* Rows are skipped by `continue`, on a condition on data; every other row. */
void add(int n, int m, float *a, const unsigned char *mask, const float *b)
{
    for (int j = 0; j <= m - 1; j++)
        for (int i = 0; i < n; i += 2) {
            if (mask[i * m + j] == 0 || b[i * m + j] < 0)
                continue;
            a[i * m + j] += b[i * m + j];
        }
}
