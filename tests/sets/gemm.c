/* c += a b for blocks of larger matrices, of which all rows are ld elements apart. */
void gemm(int n, int ld, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = c[i * ld + j];
            for (int k = 0; k < n; k++)
                sum += a[i * ld + k] * b[k * ld + j];
            c[i * ld + j] = sum;
        }
}
