// A namespace, a function made from a template, std::size_t.
#include <cstddef>
namespace linear {
template <typename T>
static inline T scaled(T a, T b)
{
    return a * b;
}

void product(std::size_t n, const float *__restrict a, const float *__restrict b, float *__restrict c)
{
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            auto sum = 0.0f;
            for (std::size_t k = 0; k < n; ++k)
                sum += scaled(a[i * n + k], b[k * n + j]);
            c[i * n + j] = sum;
        }
}
} // namespace linear
