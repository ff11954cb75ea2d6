// function: tree_sum
// The distance is halved in each round of the reduction.
void tree_sum(int n, double *a) {
  for (int half = n / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++)
      a[i] += a[i + half];
}
