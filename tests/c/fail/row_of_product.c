// Planes are m * n elements apart, and nothing says that l elements are fewer than that.
void first_elements(int k, int m, int n, int l, double *a) {
  for (int z = 0; z < k; z++)
    for (int j = 0; j < l; j++)
      a[z * m * n + j] += 1.0;
}
