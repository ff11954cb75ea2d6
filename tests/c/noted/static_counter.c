// function: clear
// A counter of a function that lives on between its calls, as f2c makes them, has its own name.
void clear(int n, double *a) {
  static int i;
  for (i = 0; i < n; i++) a[i] = 0.0;
}
