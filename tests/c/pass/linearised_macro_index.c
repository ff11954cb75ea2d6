// function: laplace3d
// sizes: nx=16 ny=6 nz=5; nx=24 ny=10 nz=9
// A seven-point stencil through an index macro, x running fastest.
#define IDX(i, j, k) ((i) + nx * ((j) + ny * (k)))

void laplace3d(int nx, int ny, int nz, const double *u, double *v) {
  for (int k = 1; k < nz - 1; k++)
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        v[IDX(i, j, k)] = u[IDX(i - 1, j, k)] + u[IDX(i + 1, j, k)] + u[IDX(i, j - 1, k)] + u[IDX(i, j + 1, k)] +
                          u[IDX(i, j, k - 1)] + u[IDX(i, j, k + 1)] - 6.0 * u[IDX(i, j, k)];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long nx = atol(argv[1]);
  long ny = atol(argv[2]);
  long nz = atol(argv[3]);
  double *u = aligned_alloc(64, ((nx * ny * nz) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (nx * ny * nz); i++) u[i] = (i * 7 + 3) % 11 + 1;
  double *v = aligned_alloc(64, ((nx * ny * nz) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (nx * ny * nz); i++) v[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  laplace3d(nx, ny, nz, u, v);
  trace_stop();
  free(u);
  free(v);
  return 0;
}
#endif
