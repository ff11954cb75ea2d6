/* A stencil in three dimensions: size_t, and a macro for flat subscripts. */
#include <stddef.h>
#define AT(i, j, k) ((i) * ny * nz + (j) * nz + (k))
void step(size_t nx, size_t ny, size_t nz, double c0, double c1, const double *restrict a, double *restrict b)
{
    for (size_t k = 1; k < nz - 1; k++)
        for (size_t j = 1; j < ny - 1; j++)
            for (size_t i = 1; i < nx - 1; i++)
                b[AT(i, j, k)] = c0 * a[AT(i, j, k)]
                    + c1 * (a[AT(i - 1, j, k)] + a[AT(i + 1, j, k)] + a[AT(i, j - 1, k)] + a[AT(i, j + 1, k)]
                            + a[AT(i, j, k - 1)] + a[AT(i, j, k + 1)]);
}
