/* A contraction of tensors over two indices, as in coupled-cluster methods: six loops. */
void contract(int n, double R[n][n][n][n], const double A[n][n][n][n], const double B[n][n][n][n])
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < n; d++)
                    for (int e = 0; e < n; e++)
                        for (int f = 0; f < n; f++)
                            R[a][b][c][d] += A[d][e][a][f] * B[f][b][e][c];
}
