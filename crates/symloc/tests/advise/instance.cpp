// An instance of a template: what is declared keeps the template's own type.
template <typename T>
void scale(int n, T *a, const T *b)
{
    T all = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            T half = b[i * n + j] / 2;
            a[i * n + j] += half;
        }
    for (int i = 0; i < n; i++) {
        T sum = 0;
        for (int j = 0; j < n; j++)
            sum += a[j * n + i];
        all += sum;
    }
    a[0] = all;
}
template void scale<float>(int, float *, const float *);
