/* A convolution of images with several channels: seven loops, as they are written down first. */
void conv2d(int N, int K, int C, int Y, int X, int R, int S, float O[N][K][Y][X], const float I[N][C][Y + R - 1][X + S - 1],
            const float W[K][C][R][S])
{
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++)
            for (int c = 0; c < C; c++)
                for (int y = 0; y < Y; y++)
                    for (int x = 0; x < X; x++)
                        for (int r = 0; r < R; r++)
                            for (int s = 0; s < S; s++)
                                O[n][k][y][x] += I[n][c][y + r][x + s] * W[k][c][r][s];
}
