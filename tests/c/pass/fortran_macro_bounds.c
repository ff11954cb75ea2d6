// function: gas
// sizes: x_min=3 x_max=12 y_min=3 y_max=9; x_min=1 x_max=20 y_min=2 y_max=5
// flags: -- -fopenmp
// Arrays with lower bounds as in Fortran, by a macro; bounds come by pointers, and cells and corners have rows of their own.
#define AT(i, j, row, i_low, j_low) ((row) * ((j) - (j_low)) + (i) - (i_low))

void gas(const int *restrict xmin, const int *restrict xmax, const int *restrict ymin, const int *restrict ymax,
         const double *restrict density, double *restrict pressure, double *restrict velocity) {
  int x_min = *xmin;
  int x_max = *xmax;
  int y_min = *ymin;
  int y_max = *ymax;
#pragma omp parallel
  {
#pragma omp for
    for (int k = y_min; k <= y_max; k++)
      for (int j = x_min; j <= x_max; j++)
        pressure[AT(j, k, x_max + 4, x_min - 2, y_min - 2)] = 0.4 * density[AT(j, k, x_max + 4, x_min - 2, y_min - 2)];
#pragma omp for
    for (int k = y_min; k <= y_max + 1; k++)
      for (int j = x_min; j <= x_max + 1; j++)
        velocity[AT(j, k, x_max + 12, x_min - 2, y_min - 2)] -=
            pressure[AT(j, k, x_max + 4, x_min - 2, y_min - 2)] - pressure[AT(j - 1, k - 1, x_max + 4, x_min - 2, y_min - 2)];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

static _Alignas(64) int bounds[4][16];

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  for (int i = 0; i < 4; i++) bounds[i][0] = atoi(argv[i + 1]);
  size_t cells = (size_t)(bounds[1][0] + 12) * (bounds[3][0] + 6), bytes = (cells * sizeof(double) + 63) / 64 * 64;
  double *density = aligned_alloc(64, bytes), *pressure = aligned_alloc(64, bytes), *velocity = aligned_alloc(64, bytes);
  for (size_t i = 0; i < cells; i++) density[i] = pressure[i] = velocity[i] = i % 7;
  trace_start();
  gas(bounds[0], bounds[1], bounds[2], bounds[3], density, pressure, velocity);
  trace_stop();
  free(density);
  free(pressure);
  free(velocity);
  return 0;
}
#endif
