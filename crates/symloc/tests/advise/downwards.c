/* Counters that are unsigned and go down. */
#include <stddef.h>
void add(size_t n, double *a, const double *b)
{
    size_t i, j;
    for (j = n; j-- > 0;)
        for (i = n; i-- > 0;)
            a[i * n + j] = 2.0 * b[i * n + j] + a[i * n + j];
}
