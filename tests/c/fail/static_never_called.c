// function: scale
// The compiler leaves out what nobody can call.
static inline void scale(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2.0;
}

void shift(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] += 2.0;
}
