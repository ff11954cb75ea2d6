// function: insertion_sort
// The inner loop runs until an element fits, so its length depends on data.
void insertion_sort(int n, double *a) {
  for (int i = 1; i < n; i++) {
    double x = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > x) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
}
