/* A contraction of tensors over two indices: five loops. */
void contract(int n, double R[n][n][n], const double A[n][n][n][n], const double B[n][n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    for (int m = 0; m < n; m++)
                        R[i][j][k] += A[k][l][i][m] * B[m][j][l];
}
