// Products of several matrices: pointers to each between the loops, a sum in a variable.
#include <stddef.h>
void products(size_t batch, size_t n, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C)
{
    for (size_t b = 0; b < batch; ++b) {
        const float *a = A + b * n * n, *bb = B + b * n * n;
        float *c = C + b * n * n;
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) {
                float acc = 0.f;
                for (size_t k = 0; k < n; ++k)
                    acc += a[i * n + k] * bb[k * n + j];
                c[i * n + j] = acc;
            }
    }
}
