/* Variables that are declared `register`, and leading dimensions. */
void product(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float *c, int ldc)
{
    int i, j, p;
    for (i = 0; i < m; ++i) {
        for (j = 0; j < n; ++j) {
            register float sum = 0;
            for (p = 0; p < k; ++p)
                sum += alpha * a[i * lda + p] * b[p * ldb + j];
            c[i * ldc + j] += sum;
        }
    }
    for (p = 0; p < k; ++p) {
        for (i = 0; i < m; ++i) {
            register float part = alpha * a[i * lda + p];
            for (j = 0; j < n; ++j)
                c[i * ldc + j] += part * b[p * ldb + j];
        }
    }
}
