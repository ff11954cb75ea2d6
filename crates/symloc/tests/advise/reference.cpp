// A reference argument, `auto` counters, constexpr extents, C linkage.
constexpr int N = 200;
double u[N][N], v[N][N];
extern "C" void relax(int steps, const double &w)
{
    for (int t = 0; t < steps; t++) {
        for (auto j = 1; j < N - 1; j++)
            for (auto i = 1; i < N - 1; i++)
                v[i][j] = w * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (auto j = 1; j < N - 1; j++)
            for (auto i = 1; i < N - 1; i++) {
                double &cell = u[i][j];
                cell = v[i][j];
            }
    }
}
