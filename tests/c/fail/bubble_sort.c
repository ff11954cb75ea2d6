// function: bubble_sort
// The loops are affine, but neighbours are written only where they are out of order.
void bubble_sort(int n, int *a) {
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n - 1 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
}
