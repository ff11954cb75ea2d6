// Loops without a function. Beside counters `n` is taken for a variable, which has no value.
int i, n;
double a[100];

for (i = 0; i < n; i++)
  a[i] = 0.0;
