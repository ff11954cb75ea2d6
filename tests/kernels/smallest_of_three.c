// Nested macros on data, over several lines and with a size behind a pointer: what is read first is read once, what is read again is not.
#define MIN(a, b) ((a) >= (b) ? (b) : (a))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

void limits(const int *restrict n, const double *restrict volume, const double *restrict flux, double *restrict out) {
  for (int i = 0; i < *n; i++) {
    out[i] = volume[i] / (volume[i] + flux[i]);
    out[i] += MIN(volume[i] + 1.0,
                  MIN(volume[i] + 2.0,
                      flux[i] + 3.0));
    out[i] += MAX(volume[i],
                  MAX(2.0 * flux[i],
                      MAX(out[i],
                          1.0)));
  }
}
