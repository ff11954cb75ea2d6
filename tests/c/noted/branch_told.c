// function: clamp
// flags: --branch 6=1
// The user says that the condition on data always holds: the worst case.
void clamp(int n, double *a) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0) a[i] = 0.0;
}
