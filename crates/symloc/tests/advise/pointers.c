/* A pointer to planes, and declarations of elements that the loops only read. */
void contract(int I, int J, int K, double (*X)[J][K], double (*B)[J], double (*A)[J])
{
    for (int j = 0; j < J; j++)
        for (int k = 0; k < K; k++) {
            const double scale = B[k][j];
            for (int i = 0; i < I; i++)
                A[i][j] += X[i][j][k] * scale;
        }
}
