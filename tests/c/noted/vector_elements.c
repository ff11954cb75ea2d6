// function: scale
// Vectors are their lanes, one behind the other in memory; they are no rows.
typedef double pair __attribute__((vector_size(16)));

void scale(int n, pair *restrict a) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 2.0;
}
