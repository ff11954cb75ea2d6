/* b = a transposed; rows of a are lda, those of b ldb elements apart. */
void transpose(int n, int lda, int ldb, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[j * ldb + i] = a[i * lda + j];
}
