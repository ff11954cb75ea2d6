// A bracket closes the function too early, so the second loop stands outside: this is no fragment.
void first(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0.0;
}
  for (int i = 0; i < n; i++)
    a[i] += 1.0;
}

void second(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 1.0;
}
