// function: clamp
// flags: --branch 6=0.4
// The user says in which share of the iterations the condition on data holds; they are spread evenly.
void clamp(int n, double *a) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0) a[i] = 0.0;
}
